#include "artifact/findings_json.h"

#include <string>
#include <variant>
#include <vector>

#include "artifact/json_pieces.h"

namespace rangewise::artifact {

namespace {

using format::JsonWriter;

void Rows(JsonWriter& json, const model::Finding& finding) {
  json.BeginList();
  for (const int64_t index : finding.iterations) {
    json.BeginObject();
    Number(json, "iteration", index);
    json.EndObject();
  }
  for (const std::vector<std::string>& path : finding.paths) {
    json.BeginObject();
    TextList(json, "path", path);
    json.EndObject();
  }
  json.EndList();
}

}  // namespace

void WriteFindings(JsonWriter& json, std::span<const model::Finding> findings) {
  json.BeginList();
  for (const model::Finding& finding : findings) {
    json.BeginObject();
    json.Key("clock");
    if (finding.clock == model::FindingClock::kNone) {
      json.Null();
    } else {
      json.String(model::FindingClockName(finding.clock));
    }
    json.Key("code");
    json.String(finding.Word());
    json.Key("computed");
    json.Bool(finding.computed);
    json.Key("numbers");
    json.BeginObject();
    for (const auto& [name, number] : finding.numbers) {
      const std::string_view key = name;
      std::visit([&](auto value) { Number(json, key, value); }, number);
    }
    json.EndObject();
    json.Key("rows");
    Rows(json, finding);
    Number(json, "rows_total", finding.rows_total);
    json.Key("sentence");
    json.String(finding.sentence);
    json.Key("severity");
    json.String(model::FindingSeverityName(finding.severity));
    json.EndObject();
  }
  json.EndList();
}

void WriteFindings(JsonWriter& json, const model::AnalysisFile& file) {
  if (!file.has_findings) return json.Null();
  WriteFindings(json, file.document.analysis.findings);
}

}  // namespace rangewise::artifact
