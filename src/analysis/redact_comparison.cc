#include "analysis/redact_comparison.h"

#include <string>
#include <string_view>
#include <vector>

namespace rangewise::analysis {
namespace {

using model::RedactedKind;

void RedactRun(Redactor& redactor, model::ComparedRun& run) {
  redactor.Path(run.label);
  if (run.id) redactor.Whole(RedactedKind::kId, *run.id);
}

void RedactKey(Redactor& redactor, model::MetricKey& key) {
  for (std::string& name : key.path) name = redactor.RangeName(name);
  redactor.RangeText(key.domain);
}

// The manifest's own key of "workload.user.name", in which it may have dots.
std::string_view KeyWithin(std::string_view key) { return key.substr(key.find('.') + 1); }

void RedactContract(Redactor& redactor, model::ContractRow& row) {
  const bool is_of_names = row.key == model::kContractCaptureRange ||
                           row.key == model::kContractIterationPattern ||
                           row.key.starts_with(model::kContractNameRules);
  const auto redact = [&](std::vector<model::ContractValue>& values) {
    for (model::ContractValue& value : values) {
      if (!value.value) continue;
      if (is_of_names && redactor.range_names()) {
        redactor.AllOf(RedactedKind::kRange, *value.value);
      } else {
        redactor.OneValue(KeyWithin(row.key), *value.value);
      }
    }
  };
  redact(row.baseline);
  redact(row.candidate);
  redactor.Sentence(row.key);
}

// What both documents hold, but for the rows of the contract, in which names may stand.
template <typename Document>
void RedactShared(Redactor& redactor, Document& document) {
  for (model::LeftOutRun& left : document.left_out) RedactRun(redactor, left.run);
  for (model::DuplicateRun& duplicate : document.duplicates) {
    redactor.Path(duplicate.label);
    redactor.Path(duplicate.same_as);
  }
  for (const model::ContractRow& row : document.contract) {
    for (const auto* values : {&row.baseline, &row.candidate}) {
      for (const model::ContractValue& value : *values) {
        if (value.value) redactor.Learn(KeyWithin(row.key), *value.value);
      }
    }
  }
  RedactKey(redactor, document.primary);
}

// Texts that come from files of strangers, of which only the form is promised.
void RedactStated(Redactor& redactor, std::vector<model::ComparedRun>& runs) {
  for (model::ComparedRun& run : runs) {
    for (std::optional<std::string>* text : {&run.commit, &run.started_at, &run.report_source}) {
      if (*text) redactor.Sentence(**text);
    }
    for (std::string& word : run.warnings) redactor.Sentence(word);
    for (std::string& word : run.allowed_warnings) redactor.Sentence(word);
  }
}

void RedactStated(Redactor& redactor, std::vector<model::LeftOutRun>& left_out) {
  for (model::LeftOutRun& left : left_out) {
    std::vector<model::ComparedRun> one = {std::move(left.run)};
    RedactStated(redactor, one);
    left.run = std::move(one[0]);
    for (std::string& code : left.codes) redactor.Sentence(code);
  }
}

}  // namespace

void Redact(model::Comparison& comparison, const RedactOptions& options) {
  Redactor redactor(options);
  redactor.Keep(comparison.redaction);
  for (const model::GpuFamily& family : comparison.gpu_families) {
    for (const model::MissingMetric& missing : family.missing) redactor.Learn(missing.reason);
  }
  for (auto* runs : {&comparison.baseline, &comparison.candidate}) {
    for (model::ComparedRun& run : *runs) RedactRun(redactor, run);
  }
  RedactShared(redactor, comparison);
  if (comparison.gate) {
    for (model::MetricKey& key : comparison.gate->on) RedactKey(redactor, key);
    for (model::GateRow& row : comparison.gate->rows) RedactKey(redactor, row.key);
  }
  ForEachTable(comparison, [&](auto& table) {
    for (auto& row : table.rows) {
      for (std::string& name : row.path) name = redactor.RangeName(name);
      redactor.RangeText(row.domain);
    }
  });
  for (model::ContractRow& row : comparison.contract) RedactContract(redactor, row);
  for (auto* runs : {&comparison.baseline, &comparison.candidate}) RedactStated(redactor, *runs);
  RedactStated(redactor, comparison.left_out);
  for (model::GpuFamily& family : comparison.gpu_families) {
    for (model::MissingMetric& missing : family.missing) redactor.Sentence(missing.reason);
  }
  redactor.DoneWith(comparison.redaction);
}

void Redact(model::NoiseReport& report, const RedactOptions& options) {
  Redactor redactor(options);
  redactor.Keep(report.redaction);
  for (model::ComparedRun& run : report.runs) RedactRun(redactor, run);
  RedactShared(redactor, report);
  for (model::ContractRow& row : report.contract) RedactContract(redactor, row);
  RedactStated(redactor, report.runs);
  RedactStated(redactor, report.left_out);
  redactor.DoneWith(report.redaction);
}

}  // namespace rangewise::analysis
