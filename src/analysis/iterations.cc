#include "analysis/iterations.h"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>

#include "base/text.h"

namespace rangewise::analysis {
namespace {

using model::Iteration;

// A number of indexes of which the first ten are kept: there can be 10^12.
struct IndexCount {
  static constexpr size_t kKept = 10;
  std::vector<int64_t> first;
  uint64_t total = 0;

  void Add(int64_t index) {
    if (first.size() < kKept) first.push_back(index);
    ++total;
  }
  std::string List() const { return IndexList(first, total); }
};

std::string_view IterationNoun(uint64_t count) { return count == 1 ? "iteration" : "iterations"; }

// A count of the manifest beyond 64 bits is known as the largest number there is.
std::string Expected(int64_t expected) {
  const bool is_largest = expected == std::numeric_limits<int64_t>::max();
  return Format("{}{}", expected, is_largest ? " or more" : "");
}

// Indexes of 0 ... expected - 1 that are not in the table.
IndexCount MissingIndexes(std::span<const Iteration> iterations, int64_t expected) {
  IndexCount missing;
  int64_t next = 0;
  const auto add_up_to = [&](int64_t end) {
    for (int64_t i = next; i < end && missing.first.size() < IndexCount::kKept; ++i)
      missing.first.push_back(i);
    missing.total += static_cast<uint64_t>(end - next);
  };
  for (const Iteration& iteration : iterations) {
    if (iteration.index < 0) continue;
    if (iteration.index >= expected) break;
    add_up_to(iteration.index);
    next = iteration.index + 1;
  }
  add_up_to(expected);
  return missing;
}

void WarnByIndex(std::span<const Iteration> iterations, int64_t expected,
                 Diagnostics& diagnostics) {
  const IndexCount missing = MissingIndexes(iterations, expected);
  if (missing.total > 0) {
    diagnostics.Warn(
        Code::kMissingIterations,
        Format("{} of {} expected {} not found: {}", missing.total, Expected(expected),
               missing.total == 1 ? "iterations was" : "iterations were", missing.List()));
  }
  IndexCount unexpected;
  for (const Iteration& iteration : iterations) {
    if (iteration.index < 0 || iteration.index >= expected) unexpected.Add(iteration.index);
  }
  if (unexpected.total > 0) {
    diagnostics.Warn(Code::kUnexpectedIterations,
                     Format("{} {} beyond the {} expected: {}", unexpected.total,
                            IterationNoun(unexpected.total), Expected(expected), unexpected.List()));
  }
}

void WarnByCount(std::span<const Iteration> iterations, int64_t expected,
                 Diagnostics& diagnostics) {
  const auto found = static_cast<int64_t>(iterations.size());
  if (found < expected) {
    diagnostics.Warn(Code::kMissingIterations,
                     Format("{} {} found, and {} expected", found, IterationNoun(found),
                            Expected(expected)));
  } else if (found > expected) {
    diagnostics.Warn(Code::kUnexpectedIterations,
                     Format("{} {} found, and {} expected", found, IterationNoun(found),
                            Expected(expected)));
  }
}

}  // namespace

std::vector<Iteration> MergeIterations(const model::ReportTables& tables,
                                       std::span<const NumberedRow> host,
                                       std::span<const NumberedRow> projected) {
  std::vector<Iteration> merged;
  merged.reserve(std::max(host.size(), projected.size()));
  auto h = host.begin();
  auto p = projected.begin();
  while (h != host.end() || p != projected.end()) {
    Iteration iteration;
    const bool take_host = h != host.end() && (p == projected.end() || h->index <= p->index);
    const bool take_projected = p != projected.end() && (h == host.end() || p->index <= h->index);
    if (take_host) {
      const model::HostRange& row = tables.host[h->row];
      iteration.index = h->index;
      iteration.host = model::HostIteration{row.inclusive, row.exclusive, row.children};
      ++h;
    }
    if (take_projected) {
      const model::ProjectedRange& row = tables.projected[p->row];
      iteration.index = p->index;
      iteration.projection = model::ProjectedIteration{row.projected, row.original, row.operations};
      ++p;
    }
    merged.push_back(iteration);
  }
  return merged;
}

void WarnOfIterations(std::span<const Iteration> iterations, const model::Harness& harness,
                      bool projection_has_rows, Diagnostics& diagnostics) {
  // Without a harness nobody looked for iterations.
  if (harness.capture_range && harness.iteration_pattern && iterations.empty()) {
    const bool some = harness.expected_iterations && *harness.expected_iterations > 0;
    diagnostics.Warn(
        Code::kMissingIterations,
        Format("no range directly within the capture range has a name that the iteration pattern "
               "{} matches as a whole{}",
               Quoted(Displayable(*harness.iteration_pattern)),
               some ? Format(", and {} {} expected", Expected(*harness.expected_iterations),
                             *harness.expected_iterations == 1 ? "iteration is" : "iterations are")
                    : std::string()));
  } else if (harness.capture_range && harness.expected_iterations) {
    const int64_t expected = std::max<int64_t>(*harness.expected_iterations, 0);
    if (harness.iteration_pattern) {
      WarnByCount(iterations, expected, diagnostics);
    } else {
      WarnByIndex(iterations, expected, diagnostics);
    }
  }
  IndexCount without_host;
  IndexCount without_projection;
  for (const Iteration& iteration : iterations) {
    if (!iteration.host) without_host.Add(iteration.index);
    if (!iteration.projection) without_projection.Add(iteration.index);
  }
  if (without_host.total > 0) {
    diagnostics.Warn(
        Code::kMissingHostIterations,
        Format("{} {} in the GPU projection and not in the host table: {}", without_host.total,
               without_host.total == 1 ? "iteration is" : "iterations are", without_host.List()));
  }
  if (!projection_has_rows) {
    diagnostics.Warn(Code::kMissingGpuProjection,
                     "the GPU projection has no rows at all, as in a capture without GPU work");
  } else if (without_projection.total > 0) {
    diagnostics.Warn(Code::kMissingGpuProjection,
                     Format("{} {} no GPU projection: {}", without_projection.total,
                            without_projection.total == 1 ? "iteration has" : "iterations have",
                            without_projection.List()));
  }
  if (iterations.size() == 1) {
    diagnostics.Warn(Code::kSingleIteration,
                     Format("iteration {} is the only one, so nothing is known of the spread",
                            iterations[0].index));
  }
}

}  // namespace rangewise::analysis
