#include "format/script_json.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace rangewise::format {
namespace {

TEST(ScriptJson, IsOneLineWithoutBlanks) {
  ScriptJson json;
  json.BeginObject();
  json.Key("a");
  json.BeginList();
  json.Integer(int64_t{-1});
  json.Double(0.5);
  json.Null();
  json.Bool(true);
  json.EndList();
  json.Column("b", std::vector<int64_t>{1, 2}, [&](int64_t value) { json.Integer(value); });
  json.Key("c");
  json.BeginObject();
  json.EndObject();
  json.EndObject();
  EXPECT_EQ(json.text(), R"({"a":[-1,0.5,null,true],"b":[1,2],"c":{}})");
}

TEST(ScriptJson, NothingInATextLeavesTheElement) {
  const std::string text =
      "</script><!-- & \"\\ \xe2\x80\xa8\xe2\x80\xa9 \x1b\x7f\n \xd7\xa9 \xe2\x80\xae "
      "\xf0\x9f\x98\x80";
  ScriptJson json;
  json.String(text);
  for (const char* forbidden :
       {"<", ">", "&", "\xe2\x80\xa8", "\xe2\x80\xa9", "\n", "\x1b", "\x7f"})
    EXPECT_EQ(json.text().find(forbidden), std::string::npos) << json.text();
  EXPECT_EQ(nlohmann::json::parse(json.text()).get<std::string>(), text);
}

TEST(ScriptJson, ASeparatorThatIsCutOffIsNoSeparator) {
  ScriptJson json;
  json.String("\xe2\x80");
  EXPECT_EQ(json.text(), "\"\xe2\x80\"");
}

TEST(ScriptJson, WhatIsNoNumberIsNull) {
  ScriptJson json;
  json.BeginList();
  json.Double(std::numeric_limits<double>::quiet_NaN());
  json.Double(std::numeric_limits<double>::infinity());
  json.Double(std::optional<double>());
  json.Integer(std::optional<int64_t>());
  json.Integer(std::numeric_limits<int64_t>::min());
  json.EndList();
  EXPECT_EQ(json.text(), "[null,null,null,null,-9223372036854775808]");
}

TEST(ScriptJson, AValueThatWasWrittenApartIsTakenAsItIs) {
  ScriptJson part;
  part.BeginList();
  part.EndList();
  ScriptJson json;
  json.BeginList();
  json.Written(part);
  json.Written(part);
  json.EndList();
  EXPECT_EQ(json.text(), "[[],[]]");
}

}  // namespace
}  // namespace rangewise::format
