// Owns YAML: one document of YAML 1.1 to a tree of nodes with positions, scalars kept as they stand beside the type
// that PyYAML's safe loader would give them. libyaml's scanner does the syntax (its events; yaml-cpp 0.7 lets
// duplicate keys pass and applies no merge keys). Anchors share nodes and are never copied, so an alias bomb costs
// nothing until someone walks it; ToValue counts and stops.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/value.h"

namespace rangewise::format {

struct YamlPosition {
  uint64_t line = 0;    // from 1
  uint64_t column = 0;  // from 1, in bytes
};

struct YamlNode;
using YamlNodePtr = std::shared_ptr<const YamlNode>;

struct YamlNode {
  enum class Kind : uint8_t { kNull, kBool, kInteger, kFloat, kString, kTimestamp, kList, kMap };
  Kind kind = Kind::kNull;
  YamlPosition position;
  std::string text;  // of a scalar, as it stands (after quoting and folding)
  std::vector<YamlNodePtr> items;                             // of a list
  std::vector<std::pair<YamlNodePtr, YamlNodePtr>> entries;   // of a mapping, merge keys applied, keys unique
};

// Errors carry file, line, column and the source line: kManifestNotYaml (syntax, several documents, unknown tags,
// an alias to nothing or to a node that contains it, nesting beyond 100), kManifestDuplicateKey (both lines).
// An empty document is a null node.
Result<YamlNodePtr> ParseYaml(std::string_view text, std::string_view file_name);

// The node as a value: integers in decimal digits whatever their notation, timestamps as their text, keys as text.
// Errors: kManifestValue for .nan, .inf, a double out of range, or more than 1,000,000 nodes after aliases are followed.
Result<Value> ToValue(const YamlNode& node, std::string_view text, std::string_view file_name);

// The source line at `position`, for an error's caret.
std::string SourceLine(std::string_view text, uint64_t line);

}  // namespace rangewise::format
