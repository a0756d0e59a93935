#include "artifact/verify_json.h"

#include "base/text.h"
#include "format/json.h"

namespace rangewise::artifact {
namespace {

using format::JsonWriter;
using model::TableDiff;

void Member(JsonWriter& json, std::string_view key, uint64_t value) {
  json.Key(key);
  json.Integer(static_cast<int64_t>(value));
}

void Member(JsonWriter& json, std::string_view key, std::string_view value) {
  json.Key(key);
  json.String(Displayable(value));
}

void Members(JsonWriter& json, std::string_view key, const std::vector<std::string>& values) {
  json.Key(key);
  json.BeginList();
  for (const std::string& value : values) json.String(Displayable(value));
  json.EndList();
}

// Null where the side has no such row or where it stands for the whole row.
void MemberOrNull(JsonWriter& json, std::string_view key, bool is_there, std::string_view value) {
  json.Key(key);
  if (is_there) {
    json.String(Displayable(value));
  } else {
    json.Null();
  }
}

void WriteDifferences(JsonWriter& json, const TableDiff& diff) {
  json.Key("differences");
  json.BeginList();
  for (const model::CellDifference& difference : diff.differences) {
    const model::RowFate fate = difference.fate;
    json.BeginObject();
    MemberOrNull(json, "column", fate == model::RowFate::kDifferent, difference.column);
    Member(json, "kind", model::RowFateName(fate));
    MemberOrNull(json, "ours", fate != model::RowFate::kMissing, difference.ours);
    Member(json, "row", difference.key);
    MemberOrNull(json, "theirs", fate != model::RowFate::kAdded, difference.theirs);
    json.EndObject();
  }
  json.EndList();
}

void WriteDocumented(JsonWriter& json, const TableDiff& diff) {
  json.Key("documented");
  json.BeginList();
  for (const model::DocumentedCount& documented : diff.documented) {
    json.BeginObject();
    Member(json, "rows", documented.rows);
    Member(json, "sentence", documented.sentence);
    Member(json, "word", documented.word);
    json.EndObject();
  }
  json.EndList();
}

void WriteReport(JsonWriter& json, const TableDiff& diff) {
  json.BeginObject();
  Member(json, "added", diff.added);
  Members(json, "columns_added", diff.columns_added);
  Members(json, "columns_missing", diff.columns_missing);
  json.Key("compared");
  json.Bool(diff.compared);
  WriteDifferences(json, diff);
  Member(json, "different", diff.different);
  WriteDocumented(json, diff);
  Member(json, "equal", diff.equal);
  Member(json, "missing", diff.missing);
  json.Key("passes");
  json.Bool(diff.passes());
  Member(json, "report", model::ReportName(diff.report));
  Member(json, "rows_ours", diff.ours);
  Member(json, "rows_theirs", diff.theirs);
  Member(json, "undocumented", diff.undocumented);
  json.EndObject();
}

}  // namespace

void WriteVerifyJson(const model::Verification& verification, Output& out) {
  JsonWriter json(out);
  json.BeginObject();
  Member(json, "export", verification.export_path);
  MemberOrNull(json, "nsys_version", verification.nsys_version.has_value(),
               verification.nsys_version.value_or(""));
  json.Key("passes");
  json.Bool(verification.passes());
  json.Key("reports");
  json.BeginList();
  for (const TableDiff& diff : verification.reports) WriteReport(json, diff);
  json.EndList();
  MemberOrNull(json, "tables", !verification.tables_path.empty(), verification.tables_path);
  json.Key("warnings");
  json.BeginList();
  for (const Warning& warning : verification.warnings) json.String(Displayable(warning.Text()));
  json.EndList();
  json.EndObject();
  json.Finish();
}

}  // namespace rangewise::artifact
