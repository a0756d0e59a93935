// Owns JSON: a streaming writer with a fixed layout, and a reader for small files of ours
// (nlohmann-json stays in the .cc). Layout: two-space indent, "key": value, ASCII only (\uXXXX,
// pairs beyond the BMP), keys in the order they are given; the caller gives them sorted, which is
// checked in debug builds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "base/value.h"

namespace rangewise::format {

class JsonWriter {
 public:
  explicit JsonWriter(Output& out) : out_(out) { buffer_.reserve(kBufferSize + 4096); }
  ~JsonWriter() { Flush(); }
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;

  void BeginObject();
  void EndObject();
  void BeginList();
  void EndList();
  void Key(std::string_view key);
  void String(std::string_view utf8);  // must be UTF-8 (display form)
  void Integer(int64_t value);
  void Digits(std::string_view decimal);  // an integer of any size, verbatim
  void Double(double value);              // shortest form with a point or exponent; null: not finite
  void Bool(bool value);
  void Null();
  void Any(const Value& value);
  // Ends the document with a newline and hands the rest to the output.
  void Finish();

 private:
  static constexpr size_t kBufferSize = size_t{1} << 18;
  struct Level {
    bool is_object;
    bool empty;
    std::string last_key;
  };
  void BeforeValue();
  void Open(char bracket, bool is_object);
  void Close(char bracket);
  void Indent();
  void Quote(std::string_view utf8);
  void Flush();

  Output& out_;
  std::string buffer_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

// Parses a whole JSON text. Integers keep their digits (up to 4300 of them). Error: kReadFailed
// with line and column; so are a key that stands twice in one object, nesting beyond 256, and a
// number that no double can hold.
Result<Value> ParseJson(std::string_view text, std::string_view file_name);

}  // namespace rangewise::format
