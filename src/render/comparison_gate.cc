#include "render/comparison_gate.h"

#include <algorithm>
#include <cstdint>

#include "base/codes.h"
#include "base/text.h"
#include "render/comparison_rows.h"
#include "render/units.h"

namespace rangewise::render {
namespace {

using model::Comparison;
using model::Gate;
using model::GateResult;
using model::Metric;
using model::Reason;
using model::Verdict;

constexpr size_t kMostNamed = 6;  // in one line

std::string CountOf(size_t rows) { return Counted(static_cast<int64_t>(rows), "row", "rows"); }

bool AnyNotComparable(const Gate& gate) {
  return std::any_of(gate.rows.begin(), gate.rows.end(), [](const model::GateRow& row) {
    return row.verdict == Verdict::kNotComparable;
  });
}

// "gpu-projection of 'Compute'", as --gate-on would name it.
std::string NameOf(const std::string& metric, const std::string& range, bool of_iterations,
                   NameStyle style) {
  return of_iterations ? metric : Format("{} of {}", metric, style(range));
}

std::string WhyNot(const ShownRow& row) {
  return row.reason.empty() ? row.verdict : Format("{}: {}", row.verdict, row.reason);
}

}  // namespace

std::string GateSentence(const Gate& gate) {
  switch (gate.result) {
    case GateResult::kPassed:
      return Format("passed (exit code {})", int{kExitDone});
    case GateResult::kFailed:
      return Format("failed (exit code {}): {} regressed", int{kExitGateFailed},
                    CountOf(gate.rows.size()));
    case GateResult::kNotPassed:
      break;
  }
  return Format(
      "not passed (exit code {}): {} {}", int{kExitInconclusive}, CountOf(gate.rows.size()),
      AnyNotComparable(gate) ? "cannot be compared"
                             : (gate.rows.size() == 1 ? "is neither improved nor without change"
                                                      : "are neither improved nor without change"));
}

std::string GateLine(const Comparison& comparison, NameStyle style) {
  const Gate& gate = *comparison.gate;
  std::string line = "gate: " + GateSentence(gate);
  const std::vector<ShownRow> rows = ShownGateRows(comparison, kMostNamed);
  for (size_t i = 0; i < rows.size(); ++i) {
    const ShownRow& row = rows[i];
    line += (i == 0 ? ": " : "; ") +
            NameOf(row.metric, row.range, gate.rows[i].key.path.empty(), style);
    if (gate.result != GateResult::kFailed) line += Format(" ({})", WhyNot(row));
    if (row.ratio != "-") line += " " + row.ratio;
    if (row.interval != "-") line += Format(" ({})", row.interval);
  }
  if (gate.rows.size() > rows.size())
    line += Format(" and {} more", gate.rows.size() - rows.size());
  return line;
}

std::vector<std::string> GateNotes(const Comparison& comparison, NameStyle style) {
  const Gate& gate = *comparison.gate;
  std::string on = "the primary metric";
  for (size_t i = 0; i < gate.on.size() && i < kMostNamed; ++i) {
    const model::MetricKey& key = gate.on[i];
    on += ", " + NameOf(std::string(model::MetricName(key.metric)), PathText(key.path),
                        key.path.empty(), style);
  }
  if (gate.on.size() > kMostNamed) on += Format(" and {} more", gate.on.size() - kMostNamed);
  std::vector<std::string> notes = {
      gate.named_only
          ? Format("The gate rests on {}, and on nothing else (--gate-on primary).", on)
          : Format("The gate rests on {}; any other row of host time or projections fails it by "
                   "regressing.",
                   on)};
  for (const model::GateRow& row : gate.rows) {
    if (row.reason != Reason::kNoGpuWork) continue;
    const Metric metric =
        row.key.metric == Metric::kGpuBusyIterations ? Metric::kGpuBusy : row.key.metric;
    for (const model::GpuFamily& family : comparison.gpu_families) {
      if (family.metric == metric && !family.missing.empty())
        notes.push_back(LackedText(comparison, family, style) + ".");
    }
    notes.push_back(
        "`rangewise analyze RUN` adds GPU work per range to the analysis of a run that has a "
        "SQLite "
        "export (or a trace, and nsys is there); analyse such runs anew, then compare again.");
    break;
  }
  return notes;
}

}  // namespace rangewise::render
