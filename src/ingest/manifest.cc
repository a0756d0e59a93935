#include "ingest/manifest.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "base/files.h"
#include "base/regex.h"
#include "base/text.h"

namespace rangewise::ingest {
namespace {

using format::YamlNode;
using Kind = format::YamlNode::Kind;

constexpr size_t kPatternLimit = 2'000;  // bytes, of a replacement too
constexpr size_t kRuleLimit = 1'000;
constexpr size_t kClassLimit = 64;  // bytes

bool IsScalar(Kind kind) { return kind != Kind::kList && kind != Kind::kMap; }

// The two digits at `at`, if they are digits and lie within [low, high].
bool TwoDigits(std::string_view text, size_t at, int low, int high, int* value = nullptr) {
  if (at + 2 > text.size()) return false;
  const std::optional<int64_t> number = ParseInt64(text.substr(at, 2));
  if (!number || text[at] < '0' || text[at] > '9' || *number < low || *number > high) return false;
  if (value != nullptr) *value = static_cast<int>(*number);
  return true;
}

bool IsIsoDate(std::string_view date) {
  static constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  int century = 0;
  int year_of_century = 0;
  int month = 0;
  if (date.size() != 10 || date[4] != '-' || date[7] != '-' ||
      !TwoDigits(date, 0, 0, 99, &century) || !TwoDigits(date, 2, 0, 99, &year_of_century) ||
      !TwoDigits(date, 5, 1, 12, &month)) {
    return false;
  }
  const int year = century * 100 + year_of_century;
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return year > 0 && TwoDigits(date, 8, 1, kDays[month - 1] + (month == 2 && leap ? 1 : 0));
}

// Z, ±hh, ±hhmm, ±hh:mm.
bool IsIsoOffset(std::string_view zone) {
  if (zone == "Z" || zone == "z") return true;
  if (zone.size() < 3 || (zone[0] != '+' && zone[0] != '-') || !TwoDigits(zone, 1, 0, 23))
    return false;
  if (zone.size() == 3) return true;
  const size_t minutes = zone[3] == ':' ? 4 : 3;
  return zone.size() == minutes + 2 && TwoDigits(zone, minutes, 0, 59);
}

bool IsIsoTime(std::string_view text) {
  if (!IsIsoDate(text.substr(0, 10))) return false;
  std::string_view rest = text.substr(10);
  if (rest.empty()) return true;
  if (rest[0] == 'T' || rest[0] == 't') {
    rest.remove_prefix(1);
  } else {
    const size_t blanks = std::min(rest.find_first_not_of(" \t"), rest.size());
    if (blanks == 0) return false;
    rest.remove_prefix(blanks);
  }
  if (!TwoDigits(rest, 0, 0, 23) || rest.size() < 5 || rest[2] != ':' || !TwoDigits(rest, 3, 0, 59))
    return false;
  rest.remove_prefix(5);
  if (!rest.empty() && rest[0] == ':') {
    if (!TwoDigits(rest, 1, 0, 60)) return false;  // 60: a leap second
    rest.remove_prefix(3);
    if (!rest.empty() && (rest[0] == '.' || rest[0] == ',')) {
      const size_t digits = std::min(rest.find_first_not_of("0123456789", 1), rest.size()) - 1;
      if (digits == 0) return false;
      rest.remove_prefix(1 + digits);
    }
  }
  if (rest.empty()) return true;
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  return IsIsoOffset(rest);
}

void AppendQuoted(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += Format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
  out += '"';
}

// JSON without blanks, the text of an id that is no scalar. Recursion: format::kYamlDepthLimit.
void AppendCanonical(const Value& value, std::string& out) {
  if (const bool* flag = std::get_if<bool>(&value.data)) {
    out += *flag ? "true" : "false";
  } else if (const Integer* integer = std::get_if<Integer>(&value.data)) {
    out += integer->digits;
  } else if (const double* number = std::get_if<double>(&value.data)) {
    out += ShortestDecimal(*number);
  } else if (const std::string* text = std::get_if<std::string>(&value.data)) {
    AppendQuoted(*text, out);
  } else if (const ValueList* list = std::get_if<ValueList>(&value.data)) {
    out += '[';
    for (size_t i = 0; i < list->size(); ++i) {
      if (i > 0) out += ',';
      AppendCanonical((*list)[i], out);
    }
    out += ']';
  } else if (const ValueMap* map = std::get_if<ValueMap>(&value.data)) {
    out += '{';
    bool first = true;
    for (const auto& [key, item] : *map) {
      if (!std::exchange(first, false)) out += ',';
      AppendQuoted(key, out);
      out += ':';
      AppendCanonical(item, out);
    }
    out += '}';
  } else {
    out += "null";
  }
}

// Reads typed values out of the manifest's mapping; each Read leaves the target as it is when the
// key is absent.
class ManifestReader {
 public:
  ManifestReader(const YamlNode& root, std::string_view text, std::string_view file_name,
                 format::ValueBudget budget)
      : text_(text), file_name_(file_name), budget_(budget) {
    for (const auto& [key, value] : root.entries) values_.emplace(key->text, value.get());
  }

  Result<model::Manifest> Read() {
    model::Manifest manifest;
    RETURN_IF_ERROR(ReadScalar("profile_name", manifest.profile_name));
    RETURN_IF_ERROR(ReadScalar("run_id", manifest.run_id));
    RETURN_IF_ERROR(ReadScalar("device", manifest.device));
    RETURN_IF_ERROR(ReadScalar("git_commit", manifest.git_commit));
    RETURN_IF_ERROR(ReadScalar("command_line", manifest.command_line));
    manifest.capture_range_given = Find("capture_range") != nullptr;
    RETURN_IF_ERROR(ReadString("capture_range", manifest.capture_range));
    RETURN_IF_ERROR(ReadString("expected_trace_path", manifest.expected_trace_path));
    RETURN_IF_ERROR(ReadStartedAt(manifest.started_at));
    RETURN_IF_ERROR(ReadRecordIds(manifest));

    std::optional<ValueMap> workload;
    RETURN_IF_ERROR(ReadMapping("workload", workload));
    if (workload) manifest.workload = std::move(*workload);
    manifest.expected_iterations = ExpectedIterations(manifest.workload);
    std::optional<ValueMap> cuda;
    RETURN_IF_ERROR(ReadMapping("cuda", cuda));
    if (cuda) manifest.cuda = std::move(*cuda);
    RETURN_IF_ERROR(ReadMapping("target", manifest.target));
    RETURN_IF_ERROR(ReadMapping("data_source", manifest.data_source));

    RETURN_IF_ERROR(ReadString("iteration_pattern", manifest.iteration_pattern));
    if (manifest.iteration_pattern) {
      RETURN_IF_ERROR(CompilePattern("iteration_pattern", *Find("iteration_pattern")));
    }
    RETURN_IF_ERROR(ReadNameRules(manifest.name_rules));
    RETURN_IF_ERROR(ReadGpuClasses(manifest.gpu_classes));
    return manifest;
  }

 private:
  const YamlNode* Find(std::string_view key) const {
    const auto at = values_.find(key);
    return at == values_.end() ? nullptr : at->second;
  }
  // The node of `key` unless it is null or absent.
  const YamlNode* FindValue(std::string_view key) const {
    const YamlNode* node = Find(key);
    return node == nullptr || node->kind == Kind::kNull ? nullptr : node;
  }

  Error At(Code code, const YamlNode& node, std::string message) const {
    return format::YamlError(code, std::move(message), node.position, text_, file_name_);
  }

  Error WrongType(std::string_view key, const YamlNode& node, std::string_view expected) const {
    std::string found(format::KindName(node.kind));
    if (IsScalar(node.kind) && node.kind != Kind::kNull)
      found += Format(" ({})", Quoted(node.text, 60));
    Error error = At(Code::kManifestWrongType, node,
                     Format("{} is {}, expected {}", Quoted(key), found, expected));
    if (expected.starts_with("a string") && IsScalar(node.kind) && node.kind != Kind::kNull) {
      error.hint = "Quote the value to make it a string.";
    }
    return error;
  }

  Status ReadScalar(std::string_view key, std::optional<std::string>& target) const {
    const YamlNode* node = FindValue(key);
    if (node == nullptr) return Ok();
    if (!IsScalar(node->kind)) return WrongType(key, *node, "a scalar or null");
    target = node->text;
    return Ok();
  }

  Status ReadString(std::string_view key, std::optional<std::string>& target) const {
    const YamlNode* node = FindValue(key);
    if (node == nullptr) return Ok();
    if (node->kind != Kind::kString) return WrongType(key, *node, "a string or null");
    target = node->text;
    return Ok();
  }

  Status ReadMapping(std::string_view key, std::optional<ValueMap>& target) {
    const YamlNode* node = FindValue(key);
    if (node == nullptr) return Ok();
    if (node->kind != Kind::kMap) return WrongType(key, *node, "a mapping or null");
    ASSIGN_OR_RETURN(Value value, format::ToValue(*node, text_, file_name_, budget_));
    target = std::get<ValueMap>(std::move(value.data));
    return Ok();
  }

  static std::optional<int64_t> ExpectedIterations(const ValueMap& workload) {
    const auto at = workload.find("iterations");
    if (at == workload.end()) return std::nullopt;
    const Integer* integer = std::get_if<Integer>(&at->second.data);
    if (integer == nullptr) return std::nullopt;
    if (integer->digits.starts_with('-')) return 0;
    return ParseInt64(integer->digits).value_or(std::numeric_limits<int64_t>::max());
  }

  Status ReadStartedAt(std::optional<std::string>& target) const {
    const YamlNode* node = FindValue("started_at");
    if (node == nullptr) return Ok();
    if ((node->kind != Kind::kTimestamp && node->kind != Kind::kString) || !IsIsoTime(node->text)) {
      Error error =
          WrongType("started_at", *node, "an ISO 8601 time such as 2026-01-31T09:30:00Z, or null");
      error.hint = "Write date and time as 2026-01-31T09:30:00+01:00, or leave the key out.";
      return error;
    }
    target = node->text;
    return Ok();
  }

  Status ReadRecordIds(model::Manifest& manifest) {
    const YamlNode* node = FindValue("record_ids");
    if (node == nullptr) return Ok();
    if (node->kind != Kind::kList) return WrongType("record_ids", *node, "a list or null");
    Hasher128 hasher;
    std::string canonical;
    for (const format::YamlNodePtr& id : node->items) {
      std::string_view id_text = id->text;
      if (IsScalar(id->kind)) {
        // A long text behind many aliases is hashed each time: it counts like any other copy.
        if (!budget_.Spend(0, id_text.size())) {
          return At(Code::kManifestValue, *id,
                    "the ids of 'record_ids' have more than 64 MiB of text, aliases followed");
        }
      } else {
        ASSIGN_OR_RETURN(const Value value, format::ToValue(*id, text_, file_name_, budget_));
        canonical.clear();
        AppendCanonical(value, canonical);
        id_text = canonical;
      }
      hasher.Update(Format("{}:", id_text.size()));
      hasher.Update(id_text);
      hasher.Update(",");
    }
    manifest.record_count = static_cast<int64_t>(node->items.size());
    manifest.record_ids_digest = hasher.Hex();
    return Ok();
  }

  Result<Regex> CompilePattern(std::string_view key, const YamlNode& node) const {
    if (node.text.size() > kPatternLimit) {
      return At(Code::kBadPattern, node,
                Format("{} has {} bytes, at most {} are compiled", Quoted(key), node.text.size(),
                       kPatternLimit));
    }
    Result<Regex> regex = Regex::Compile(node.text);
    if (regex.ok()) return regex;
    Error error = At(Code::kBadPattern, node, Format("{}: {}", Quoted(key), regex.error().message));
    error.details = std::move(regex.error().details);
    return error;
  }

  Status ReadNameRules(std::vector<model::NameRule>& rules) const {
    return ReadRules("name_rules", "replace", [&](const std::string& name, const RuleNodes& nodes) {
      return AddNameRule(name, nodes, rules);
    });
  }

  Status ReadGpuClasses(std::vector<model::GpuClassRule>& rules) const {
    return ReadRules("gpu_classes", "class", [&](const std::string& name, const RuleNodes& nodes) {
      return AddGpuClass(name, nodes, rules);
    });
  }

  struct RuleNodes {
    const YamlNode& pattern;
    const YamlNode& result;
  };

  // Calls add(name of the rule, nodes) for each rule of the list `key`, a mapping of `pattern` and
  // `result_key`.
  template <typename Add>
  Status ReadRules(const std::string& key, const std::string& result_key, Add add) const {
    const YamlNode* node = FindValue(key);
    if (node == nullptr) return Ok();
    if (node->kind != Kind::kList)
      return WrongType(key, *node, Format("a list of {{pattern, {}}}, or null", result_key));
    if (node->items.size() > kRuleLimit) {
      return At(Code::kManifestValue, *node,
                Format("{} has {} rules, at most {} are applied", Quoted(key), node->items.size(),
                       kRuleLimit));
    }
    for (size_t i = 0; i < node->items.size(); ++i) {
      const std::string name = Format("{}[{}]", key, i);
      ASSIGN_OR_RETURN(const RuleNodes nodes, FindRuleNodes(name, result_key, *node->items[i]));
      RETURN_IF_ERROR(add(name, nodes));
    }
    return Ok();
  }

  Result<RuleNodes> FindRuleNodes(const std::string& name, const std::string& result_key,
                                  const YamlNode& node) const {
    if (node.kind != Kind::kMap)
      return WrongType(name, node, Format("a mapping of 'pattern' and {}", Quoted(result_key)));
    const YamlNode* pattern = nullptr;
    const YamlNode* result = nullptr;
    for (const auto& [key, value] : node.entries) {
      if (key->text != "pattern" && key->text != result_key) {
        return At(Code::kManifestValue, *key,
                  Format("{} has the key {}; it takes 'pattern' and {}", Quoted(name),
                         Quoted(key->text), Quoted(result_key)));
      }
      if (value->kind != Kind::kString)
        return WrongType(name + "." + key->text, *value, "a string");
      (key->text == "pattern" ? pattern : result) = value.get();
    }
    if (pattern == nullptr || result == nullptr) {
      return At(Code::kManifestValue, node,
                Format("{} lacks {}", Quoted(name),
                       pattern == nullptr ? "'pattern'" : Quoted(result_key)));
    }
    return RuleNodes{*pattern, *result};
  }

  Status AddNameRule(const std::string& name, const RuleNodes& nodes,
                     std::vector<model::NameRule>& rules) const {
    ASSIGN_OR_RETURN(const Regex regex, CompilePattern(name + ".pattern", nodes.pattern));
    const YamlNode& replace = nodes.result;
    if (replace.text.size() > kPatternLimit) {
      return At(Code::kManifestValue, replace,
                Format("{} has {} bytes, at most {} are used", Quoted(name + ".replace"),
                       replace.text.size(), kPatternLimit));
    }
    if (const std::optional<std::string> why = regex.CheckReplacement(replace.text)) {
      return At(Code::kBadPattern, replace,
                Format("{} does not fit its pattern: {}", Quoted(name + ".replace"), *why));
    }
    rules.push_back({.pattern = nodes.pattern.text, .replace = replace.text});
    return Ok();
  }

  Status AddGpuClass(const std::string& name, const RuleNodes& nodes,
                     std::vector<model::GpuClassRule>& rules) const {
    RETURN_IF_ERROR(CompilePattern(name + ".pattern", nodes.pattern));
    const size_t size = nodes.result.text.size();
    if (size == 0 || size > kClassLimit) {
      return At(Code::kManifestValue, nodes.result,
                Format("{} has {} bytes; a class has a name of 1 to {}", Quoted(name + ".class"),
                       size, kClassLimit));
    }
    rules.push_back({.pattern = nodes.pattern.text, .gpu_class = nodes.result.text});
    return Ok();
  }

  std::string_view text_;
  std::string_view file_name_;
  std::map<std::string_view, const YamlNode*> values_;
  format::ValueBudget budget_;
};

}  // namespace

Result<model::Manifest> ParseManifest(std::string_view text, std::string_view file_name,
                                      format::ValueBudget budget) {
  ASSIGN_OR_RETURN(const format::YamlNodePtr root, format::ParseYaml(text, file_name));
  if (root->kind != Kind::kMap) {
    const bool is_empty = root->kind == Kind::kNull && root->text.empty();
    return format::YamlError(Code::kManifestNotAMapping,
                             Format("expected a mapping of keys to values, found {}",
                                    is_empty ? "nothing" : format::KindName(root->kind)),
                             root->position, text, file_name);
  }
  return ManifestReader(*root, text, file_name, budget).Read();
}

Result<LoadedManifest> LoadManifest(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error) && !error) {
    return Error{.code = Code::kManifestMissing,
                 .message = "there is no manifest",
                 .where = {.file = path.string()}};
  }
  ASSIGN_OR_RETURN(const std::string text, ReadFile(path, format::kYamlSizeLimit));
  ASSIGN_OR_RETURN(model::Manifest manifest, ParseManifest(text, path.string()));
  return LoadedManifest{.manifest = std::move(manifest),
                        .fingerprint = {.size_bytes = text.size(), .xxh3_128 = Hash128Hex(text)}};
}

}  // namespace rangewise::ingest
