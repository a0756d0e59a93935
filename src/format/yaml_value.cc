#include <cmath>
#include <utility>

#include "base/text.h"
#include "format/yaml.h"
#include "format/yaml_scalar.h"

namespace rangewise::format {
namespace {

struct Document {
  std::string_view text;
  std::string_view file_name;
  ValueBudget& budget;

  Error At(const YamlNode& node, std::string message) const {
    return YamlError(Code::kManifestValue, std::move(message), node.position, text, file_name);
  }
};

Result<Value> IntegerValue(const YamlNode& node, const Document& document) {
  std::optional<std::string> digits = DecimalDigits(node.text);
  if (digits) return Value{Integer{std::move(*digits)}};
  if (node.text.size() > kConvertedIntegerLimit) {
    return document.At(
        node, Format("an integer of {} characters that is not decimal; at most {} are converted",
                     node.text.size(), kConvertedIntegerLimit));
  }
  return document.At(node, Format("the integer {} has no digits", Quoted(node.text)));
}

Result<Value> DoubleValue(const YamlNode& node, const Document& document) {
  const std::optional<double> value = FloatValue(node.text);
  if (!value) {
    return document.At(
        node, Format("the number {} is outside of what a double can hold", Quoted(node.text)));
  }
  if (!std::isfinite(*value)) {
    return document.At(node, Format("{} is no number that JSON can hold", Quoted(node.text)));
  }
  return Value{*value};
}

// Recursion ends at kYamlDepthLimit: no tree of ParseYaml is deeper, aliases included.
Result<Value> Convert(const YamlNode& node, const Document& document) {
  if (!document.budget.Spend(1, node.text.size())) {
    return document.At(
        node,
        "too much is copied through aliases: a manifest's values may hold 1,000,000 nodes and "
        "64 MiB of text in all");
  }
  switch (node.kind) {
    case YamlNode::Kind::kNull:
      return Value{};
    case YamlNode::Kind::kBool:
      return Value{BoolValue(node.text).value_or(false)};
    case YamlNode::Kind::kInteger:
      return IntegerValue(node, document);
    case YamlNode::Kind::kFloat:
      return DoubleValue(node, document);
    case YamlNode::Kind::kString:
    case YamlNode::Kind::kTimestamp:
      return Value{node.text};
    case YamlNode::Kind::kList: {
      ValueList list;
      for (const YamlNodePtr& item : node.items) {
        ASSIGN_OR_RETURN(Value value, Convert(*item, document));
        list.push_back(std::move(value));
      }
      return Value{std::move(list)};
    }
    case YamlNode::Kind::kMap: {
      ValueMap map;
      for (const auto& [key, item] : node.entries) {
        ASSIGN_OR_RETURN(Value value, Convert(*item, document));
        if (!document.budget.Spend(0, key->text.size()))
          return document.At(*key, "too much text in keys");
        map.emplace(key->text, std::move(value));
      }
      return Value{std::move(map)};
    }
  }
  return Value{};
}

}  // namespace

bool ValueBudget::Spend(uint64_t node_count, uint64_t byte_count) {
  if (node_count > nodes || byte_count > bytes) return false;
  nodes -= node_count;
  bytes -= byte_count;
  return true;
}

Result<Value> ToValue(const YamlNode& node, std::string_view text, std::string_view file_name,
                      ValueBudget& budget) {
  return Convert(node, Document{text, file_name, budget});
}

Result<Value> ToValue(const YamlNode& node, std::string_view text, std::string_view file_name) {
  ValueBudget budget;
  return ToValue(node, text, file_name, budget);
}

std::string_view KindName(YamlNode::Kind kind) {
  switch (kind) {
    case YamlNode::Kind::kNull:
      return "null";
    case YamlNode::Kind::kBool:
      return "a boolean";
    case YamlNode::Kind::kInteger:
      return "an integer";
    case YamlNode::Kind::kFloat:
      return "a float";
    case YamlNode::Kind::kString:
      return "a string";
    case YamlNode::Kind::kTimestamp:
      return "a time";
    case YamlNode::Kind::kList:
      return "a list";
    case YamlNode::Kind::kMap:
      return "a mapping";
  }
  return "";
}

}  // namespace rangewise::format
