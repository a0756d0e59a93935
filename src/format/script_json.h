// Owns JSON that stands within a script element of an HTML page: on one line, without blanks, and
// with every character escaped that HTML or a script's line could end by (`<`, `>`, `&`, U+2028,
// U+2029), so that no text in it leaves the element. Keys come in the order that they are given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rangewise::format {

class ScriptJson {
 public:
  void BeginObject() { Open('{'); }
  void EndObject() { Close('}'); }
  void BeginList() { Open('['); }
  void EndList() { Close(']'); }
  void Key(std::string_view key);
  void String(std::string_view utf8);  // must be UTF-8
  void Integer(int64_t value);
  void Double(double value);  // shortest form; null: not finite
  void Bool(bool value) { Word(value ? "true" : "false"); }
  void Null() { Word("null"); }

  void Integer(std::optional<int64_t> value) { value ? Integer(*value) : Null(); }
  void Double(std::optional<double> value) { value ? Double(*value) : Null(); }

  // A value that was written on its own, as to see its size first.
  void Written(const ScriptJson& value) { Word(value.text()); }

  // `"key":[…]` of all `items`, each written by `write(item)`.
  template <typename Items, typename Write>
  void Column(std::string_view key, const Items& items, Write write) {
    Key(key);
    BeginList();
    for (const auto& item : items) write(item);
    EndList();
  }

  const std::string& text() const { return text_; }
  std::string& text() { return text_; }

 private:
  void Open(char bracket);
  void Close(char bracket);
  void Word(std::string_view word);
  void Separate();

  std::string text_;
  bool needs_comma_ = false;
};

}  // namespace rangewise::format
