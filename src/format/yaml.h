// Owns YAML: one document of YAML 1.1 to a tree of nodes with positions, scalars kept as they stand
// beside the type that PyYAML's safe loader would give them (format/yaml_scalar.h). libyaml's
// scanner does the syntax (its events; yaml-cpp 0.7 lets duplicate keys pass and applies no merge
// keys). Anchors share nodes and are never copied, so an alias bomb costs nothing until someone
// walks it; ToValue counts and stops. Everything else that a stranger's text could make grow beyond
// its own length is bounded here too: depth, nodes, merged entries.
//
// Text is UTF-8, with or without a byte order mark; UTF-16 is refused by name. Lines end in LF, CR
// LF or CR.
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
  uint64_t column = 0;  // from 1, in bytes; a byte order mark is not counted
};

struct YamlNode;
using YamlNodePtr = std::shared_ptr<const YamlNode>;

struct YamlNode {
  enum class Kind : uint8_t { kNull, kBool, kInteger, kFloat, kString, kTimestamp, kList, kMap };
  Kind kind = Kind::kNull;
  YamlPosition position;           // where it is written; through an alias, where the anchor is
  std::string text;                // of a scalar, as it stands (after quoting and folding)
  std::vector<YamlNodePtr> items;  // of a list
  std::vector<std::pair<YamlNodePtr, YamlNodePtr>>
      entries;  // of a mapping: scalar keys with distinct texts, its own
                // in order, then the merged ones
};

inline constexpr size_t kYamlSizeLimit = size_t{16} << 20;  // bytes of text
inline constexpr size_t kYamlDepthLimit =
    100;  // levels, with aliases followed: recursion over a tree is safe
inline constexpr uint64_t kYamlNodeLimit = 2'000'000;  // nodes and aliases of a document
inline constexpr uint64_t kYamlMergeLimit =
    100'000;  // entries and mappings that all its merge keys visit

// The document as a tree; an empty document is a null node. Merge keys: a mapping's own keys win
// over merged ones, of a list of merged mappings the earlier wins, and a merged key is no
// duplicate. Tags: those of the YAML 1.1 types above
// (!!str, !!int, !!float, !!bool, !!null, !!timestamp, !!seq, !!map) and the non-specific "!".
//
// Errors carry file, line, column and the source line. kManifestNotYaml: syntax, another encoding,
// several documents, another tag or one that its text does not suit, an alias to nothing or to a
// node that contains it, an anchor given twice, a key that is a list or a mapping, a merge of
// something else than mappings, the bare values `<<` and `=` (which PyYAML refuses too), a limit
// above (kManifestValue for the size). kManifestDuplicateKey: two keys of one text (both lines are
// named), also two merge keys.
Result<YamlNodePtr> ParseYaml(std::string_view text, std::string_view file_name);

// What may yet be copied out of one document. Shared by several calls of ToValue, it bounds their
// sum.
struct ValueBudget {
  uint64_t nodes = 1'000'000;                            // after aliases are followed
  uint64_t bytes = uint64_t{64} << 20;                   // of keys and scalars
  bool Spend(uint64_t node_count, uint64_t byte_count);  // false: not enough left
};

// The node as a value: integers in decimal digits whatever their notation, timestamps as their
// text, keys as text. Errors: kManifestValue for .nan, .inf, a number beyond the range of a double,
// an integer without digits (0x_) or of more than 1,024 characters in another notation than
// decimal, and an overdrawn budget.
Result<Value> ToValue(const YamlNode& node, std::string_view text, std::string_view file_name,
                      ValueBudget& budget);
Result<Value> ToValue(const YamlNode& node, std::string_view text, std::string_view file_name);

// "a string", "an integer", "a list", "null": a kind in words.
std::string_view KindName(YamlNode::Kind kind);

// An error at a position of `text`, with its source line.
Error YamlError(Code code, std::string message, YamlPosition position, std::string_view text,
                std::string_view file_name);

// The source line numbered `line` (from 1), without its end and without a byte order mark; empty
// beyond the last.
std::string SourceLine(std::string_view text, uint64_t line);

}  // namespace rangewise::format
