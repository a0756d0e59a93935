#include <array>
#include <cassert>
#include <charconv>
#include <cmath>

#include "base/text.h"
#include "format/json.h"

namespace rangewise::format {

namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

void AppendUnicodeEscape(std::string& out, uint32_t unit) {
  const char text[] = {'\\',
                       'u',
                       kHexDigits[(unit >> 12) & 15],
                       kHexDigits[(unit >> 8) & 15],
                       kHexDigits[(unit >> 4) & 15],
                       kHexDigits[unit & 15]};
  out.append(text, sizeof(text));
}

void AppendEscaped(std::string& out, uint32_t code_point) {
  switch (code_point) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  if (code_point < 0x10000) return AppendUnicodeEscape(out, code_point);
  const uint32_t offset = code_point - 0x10000;
  AppendUnicodeEscape(out, 0xD800 + (offset >> 10));
  AppendUnicodeEscape(out, 0xDC00 + (offset & 0x3FF));
}

bool StandsForItself(unsigned char byte) {
  return byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\';
}

// The code point that starts at `text[at]`, which moves behind it. The text is well-formed UTF-8.
uint32_t NextCodePoint(std::string_view text, size_t& at) {
  const auto lead = static_cast<unsigned char>(text[at++]);
  if (lead < 0x80) return lead;
  const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
  uint32_t code_point = lead & (0x3Fu >> more);
  for (int i = 0; i < more; ++i) {
    code_point = code_point << 6 | (static_cast<unsigned char>(text[at++]) & 0x3Fu);
  }
  return code_point;
}

}  // namespace

void JsonWriter::BeginObject() { Open('{', true); }
void JsonWriter::EndObject() { Close('}'); }
void JsonWriter::BeginList() { Open('[', false); }
void JsonWriter::EndList() { Close(']'); }

void JsonWriter::Open(char bracket, bool is_object) {
  BeforeValue();
  buffer_ += bracket;
  levels_.push_back({.is_object = is_object, .empty = true, .last_key = {}});
}

void JsonWriter::Close(char bracket) {
  assert(!levels_.empty() && !after_key_ && levels_.back().is_object == (bracket == '}'));
  const bool empty = levels_.back().empty;
  levels_.pop_back();
  if (!empty) Indent();
  buffer_ += bracket;
}

void JsonWriter::Key(std::string_view key) {
  assert(!levels_.empty() && levels_.back().is_object && !after_key_);
  Level& level = levels_.back();
  if (!level.empty) buffer_ += ',';
#ifndef NDEBUG
  assert(level.empty || std::string_view(level.last_key) < key);
  level.last_key = key;
#endif
  level.empty = false;
  Indent();
  Quote(key);
  buffer_ += ": ";
  after_key_ = true;
}

void JsonWriter::BeforeValue() {
  if (buffer_.size() >= kBufferSize) Flush();
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) return;
  Level& level = levels_.back();
  assert(!level.is_object);
  if (!level.empty) buffer_ += ',';
  level.empty = false;
  Indent();
}

void JsonWriter::Indent() {
  buffer_ += '\n';
  buffer_.append(2 * levels_.size(), ' ');
}

void JsonWriter::String(std::string_view utf8) {
  BeforeValue();
  Quote(utf8);
}

void JsonWriter::Quote(std::string_view utf8) {
  buffer_ += '"';
  size_t at = 0;
  const auto append_plain = [&] {
    const size_t start = at;
    while (at < utf8.size() && StandsForItself(static_cast<unsigned char>(utf8[at]))) ++at;
    buffer_.append(utf8.substr(start, at - start));
  };
  append_plain();
  if (at < utf8.size()) {
    // Only text with something to escape is checked; a document must be valid whatever came in.
    std::string displayable;
    if (!IsUtf8(utf8.substr(at))) {
      displayable = Displayable(utf8);
      utf8 = displayable;
      buffer_.resize(buffer_.size() - at);
      at = 0;
      append_plain();
    }
    while (at < utf8.size()) {
      AppendEscaped(buffer_, NextCodePoint(utf8, at));
      append_plain();
    }
  }
  buffer_ += '"';
}

void JsonWriter::Integer(int64_t value) {
  BeforeValue();
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  buffer_.append(digits.data(), end);
}

void JsonWriter::Digits(std::string_view decimal) {
  BeforeValue();
  buffer_ += decimal;
}

void JsonWriter::Double(double value) {
  // JSON has no word for it; whoever has such a number has none.
  if (!std::isfinite(value)) return Null();
  BeforeValue();
  buffer_ += ShortestDecimal(value);
}

void JsonWriter::Bool(bool value) {
  BeforeValue();
  buffer_ += value ? "true" : "false";
}

void JsonWriter::Null() {
  BeforeValue();
  buffer_ += "null";
}

namespace {

// A list or mapping that is being written, and what of it comes next.
struct Unfinished {
  const ValueList* list = nullptr;
  size_t next_item = 0;
  const ValueMap* map = nullptr;
  ValueMap::const_iterator next_entry = {};
};

}  // namespace

void JsonWriter::Any(const Value& value) {
  std::vector<Unfinished> stack;  // not recursion: depth is the input's
  const auto begin = [&](const Value& item) {
    if (const auto* list = std::get_if<ValueList>(&item.data)) {
      BeginList();
      stack.push_back({.list = list});
    } else if (const auto* map = std::get_if<ValueMap>(&item.data)) {
      BeginObject();
      stack.push_back({.map = map, .next_entry = map->begin()});
    } else if (const auto* flag = std::get_if<bool>(&item.data)) {
      Bool(*flag);
    } else if (const auto* integer = std::get_if<rangewise::Integer>(&item.data)) {
      Digits(integer->digits);
    } else if (const auto* number = std::get_if<double>(&item.data)) {
      Double(*number);
    } else if (const auto* text = std::get_if<std::string>(&item.data)) {
      String(*text);
    } else {
      Null();
    }
  };
  begin(value);
  while (!stack.empty()) {
    Unfinished& top = stack.back();
    if (top.list != nullptr) {
      if (top.next_item < top.list->size()) {
        begin((*top.list)[top.next_item++]);
      } else {
        EndList();
        stack.pop_back();
      }
    } else if (top.next_entry != top.map->end()) {
      const auto& [key, item] = *top.next_entry++;
      Key(key);
      begin(item);
    } else {
      EndObject();
      stack.pop_back();
    }
  }
}

void JsonWriter::Finish() {
  assert(levels_.empty() && !after_key_);
  buffer_ += '\n';
  Flush();
}

void JsonWriter::Flush() {
  if (buffer_.empty()) return;
  out_.Write(buffer_);
  buffer_.clear();
}

}  // namespace rangewise::format
