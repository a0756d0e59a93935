// Owns a JSON-like value that came from a manifest and goes into a result unchanged: integers of
// any size keep their digits, mappings are sorted by key.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

namespace rangewise {

struct Value;
struct Integer {
  std::string digits;  // decimal, no leading zeros, "-" before when negative
  bool operator==(const Integer&) const = default;
};
using ValueList = std::vector<Value>;
using ValueMap = std::map<std::string, Value>;

struct Value {
  std::variant<std::monostate, bool, Integer, double, std::string, ValueList, ValueMap> data;
  bool is_null() const { return data.index() == 0; }
  bool operator==(const Value&) const = default;
};

}  // namespace rangewise
