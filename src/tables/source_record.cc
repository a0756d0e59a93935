#include "tables/source_record.h"

#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "format/json.h"

namespace rangewise::tables {

namespace {

constexpr int64_t kSchemaVersion = 1;
constexpr uint64_t kMaxFileSize = uint64_t{1} << 20;

void WriteFingerprint(format::JsonWriter& json, const Fingerprint& fingerprint) {
  json.Key("size_bytes");
  json.Digits(Format("{}", fingerprint.size_bytes));
  json.Key("xxh3_128");
  json.String(fingerprint.xxh3_128);
}

void WriteInput(format::JsonWriter& json, std::string_view key,
                const std::optional<InputRecord>& input) {
  json.Key(key);
  if (!input) return json.Null();
  json.BeginObject();
  json.Key("name");
  json.String(input->name);
  WriteFingerprint(json, input->fingerprint);
  json.EndObject();
}

// Reads fields of one object; `path` names it in messages: "tables.nvtx_pushpop_trace".
class Fields {
 public:
  Fields(const ValueMap& map, std::string path, std::string_view file_name)
      : map_(map), path_(std::move(path)), file_name_(file_name) {}

  // The value of `key` when there is one and it is not null.
  const Value* Find(const std::string& key) const {
    const auto found = map_.find(key);
    return found == map_.end() || found->second.is_null() ? nullptr : &found->second;
  }

  Result<std::string> Text(const std::string& key) const {
    const Value* value = Find(key);
    const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(&value->data);
    if (text == nullptr) return Wrong(key, "a string");
    return *text;
  }

  Result<int64_t> Number(const std::string& key) const {
    const Value* value = Find(key);
    const auto* integer = value == nullptr ? nullptr : std::get_if<Integer>(&value->data);
    const auto number = integer == nullptr ? std::nullopt : ParseInt64(integer->digits);
    if (!number || *number < 0) return Wrong(key, "an integer of 64 bits, not negative");
    return *number;
  }

  // An object, which may be absent or null.
  Result<std::optional<Fields>> Object(const std::string& key) const {
    const Value* value = Find(key);
    if (value == nullptr) return std::optional<Fields>();
    const auto* map = std::get_if<ValueMap>(&value->data);
    if (map == nullptr) return Wrong(key, "an object or null");
    return std::optional<Fields>(Fields(*map, PathOf(key), file_name_));
  }

  Error Wrong(const std::string& key, std::string_view expected) const {
    return {.code = Code::kReadFailed,
            .message = Format("not a record of where tables came from: {} must be {}",
                              Quoted(PathOf(key)), expected),
            .where = {.file = std::string(file_name_)}};
  }

 private:
  std::string PathOf(const std::string& key) const {
    return path_.empty() ? key : path_ + "." + key;
  }

  const ValueMap& map_;
  std::string path_;
  std::string_view file_name_;
};

Result<Fingerprint> ReadFingerprint(const Fields& fields) {
  Fingerprint fingerprint;
  ASSIGN_OR_RETURN(const int64_t size, fields.Number("size_bytes"));
  fingerprint.size_bytes = static_cast<uint64_t>(size);
  ASSIGN_OR_RETURN(fingerprint.xxh3_128, fields.Text("xxh3_128"));
  const bool is_hash =
      fingerprint.xxh3_128.size() == 32 &&
      fingerprint.xxh3_128.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!is_hash) return fields.Wrong("xxh3_128", "32 lower-case hex digits");
  return fingerprint;
}

Result<std::optional<InputRecord>> ReadInput(const Fields& record, const std::string& key) {
  ASSIGN_OR_RETURN(const std::optional<Fields> fields, record.Object(key));
  if (!fields) return std::optional<InputRecord>();
  InputRecord input;
  ASSIGN_OR_RETURN(input.name, fields->Text("name"));
  ASSIGN_OR_RETURN(input.fingerprint, ReadFingerprint(*fields));
  return std::optional<InputRecord>(std::move(input));
}

}  // namespace

std::string FormatSourceRecord(const SourceRecord& record) {
  // By name, as keys are sorted; the enumeration has another order.
  std::map<std::string_view, const Fingerprint*> tables;
  for (const auto& [report, fingerprint] : record.tables) {
    tables.emplace(model::ReportName(report), &fingerprint);
  }
  StringOutput out;
  format::JsonWriter json(out);
  json.BeginObject();
  WriteInput(json, "input", record.input);
  json.Key("made_by");
  json.String(record.made_by);
  json.Key("nsys_version");
  json.String(record.nsys_version);
  json.Key("schema_version");
  json.Integer(kSchemaVersion);
  WriteInput(json, "sqlite_export", record.sqlite_export);
  json.Key("tables");
  json.BeginObject();
  for (const auto& [name, fingerprint] : tables) {
    json.Key(name);
    json.BeginObject();
    WriteFingerprint(json, *fingerprint);
    json.EndObject();
  }
  json.EndObject();
  json.EndObject();
  json.Finish();
  return std::move(out.text());
}

Result<SourceRecord> ParseSourceRecord(std::string_view text, std::string_view file_name) {
  ASSIGN_OR_RETURN(const Value value, format::ParseJson(text, file_name));
  const auto* map = std::get_if<ValueMap>(&value.data);
  if (map == nullptr) {
    return Error{.code = Code::kReadFailed,
                 .message = "not a record of where tables came from: an object was expected",
                 .where = {.file = std::string(file_name), .line = 1}};
  }
  const Fields fields(*map, "", file_name);
  ASSIGN_OR_RETURN(const int64_t version, fields.Number("schema_version"));
  if (version != kSchemaVersion) {
    return fields.Wrong("schema_version", Format("{}, and is {}", kSchemaVersion, version));
  }

  SourceRecord record;
  ASSIGN_OR_RETURN(record.made_by, fields.Text("made_by"));
  if (record.made_by != "nsys" && record.made_by != "rangewise") {
    return fields.Wrong("made_by", "\"nsys\" or \"rangewise\"");
  }
  ASSIGN_OR_RETURN(record.nsys_version, fields.Text("nsys_version"));
  ASSIGN_OR_RETURN(record.input, ReadInput(fields, "input"));
  ASSIGN_OR_RETURN(record.sqlite_export, ReadInput(fields, "sqlite_export"));
  ASSIGN_OR_RETURN(const std::optional<Fields> tables, fields.Object("tables"));
  if (!tables) return fields.Wrong("tables", "an object");
  for (const model::Report report : model::kReports) {
    const std::string name(model::ReportName(report));
    ASSIGN_OR_RETURN(const std::optional<Fields> table, tables->Object(name));
    if (!table) continue;
    ASSIGN_OR_RETURN(record.tables[report], ReadFingerprint(*table));
  }
  return record;
}

Result<std::optional<SourceRecord>> LoadSourceRecord(const std::filesystem::path& stats_folder) {
  const std::filesystem::path path = stats_folder / kSourceFileName;
  std::error_code error;
  if (std::filesystem::symlink_status(path, error).type() ==
      std::filesystem::file_type::not_found) {
    return std::optional<SourceRecord>();
  }
  ASSIGN_OR_RETURN(const std::string text, ReadFile(path, kMaxFileSize));
  Result<SourceRecord> record = ParseSourceRecord(text, path.string());
  if (!record.ok()) {
    record.error().hint =
        "delete that file; the tables are then used as ones of unknown origin";
    return std::move(record).error();
  }
  return std::optional<SourceRecord>(std::move(record).value());
}

}  // namespace rangewise::tables
