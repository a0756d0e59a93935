#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "format/json_reader.h"

// The bytes, blanks, strings and numbers of JsonReader; json_reader.cc has what they make up.

namespace rangewise::format {

namespace {

constexpr size_t kMaxIntegerDigits = 4300;
constexpr size_t kMaxTokenBytes = size_t{1} << 24;
constexpr size_t kPiece = size_t{1} << 18;
constexpr int kEnd = -1;

bool IsDigit(int c) { return c >= '0' && c <= '9'; }

void AppendUtf8(std::string& text, uint32_t character) {
  const auto put = [&](uint32_t byte) { text += static_cast<char>(byte); };
  if (character < 0x80) {
    put(character);
  } else if (character < 0x800) {
    put(0xC0 | character >> 6);
    put(0x80 | (character & 0x3F));
  } else if (character < 0x10000) {
    put(0xE0 | character >> 12);
    put(0x80 | (character >> 6 & 0x3F));
    put(0x80 | (character & 0x3F));
  } else {
    put(0xF0 | character >> 18);
    put(0x80 | (character >> 12 & 0x3F));
    put(0x80 | (character >> 6 & 0x3F));
    put(0x80 | (character & 0x3F));
  }
}

// Where the first digit of `number` that is not 0 stands, as a power of ten; one beyond 10^9 is not
// told apart. `number` is of JSON's grammar.
int64_t DecimalMagnitude(std::string_view number) {
  const size_t exponent_at = std::min(number.find_first_of("eE"), number.size());
  const std::string_view mantissa = number.substr(0, exponent_at);
  int64_t exponent = 0;
  for (const char c : number.substr(exponent_at)) {
    if (IsDigit(c)) exponent = std::min<int64_t>(10 * exponent + (c - '0'), 1'000'000'000);
  }
  if (number.substr(exponent_at).find('-') != std::string_view::npos) exponent = -exponent;
  const auto point = static_cast<int64_t>(std::min(mantissa.find('.'), mantissa.size()));
  const auto first = static_cast<int64_t>(mantissa.find_first_of("123456789"));
  return exponent + point - first;
}

// What ends the plain part of a string: its quote, an escape, a control character.
bool IsPlain(char c) { return c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 0x20; }

}  // namespace

ByteSource BytesOf(std::string_view text) {
  return [text](char* buffer, size_t capacity) mutable -> Result<size_t> {
    const size_t count = std::min(capacity, text.size());
    std::memcpy(buffer, text.data(), count);
    text.remove_prefix(count);
    return count;
  };
}

JsonReader::JsonReader(ByteSource source, std::string file_name, Code wrong_shape)
    : source_(std::move(source)), file_name_(std::move(file_name)), wrong_shape_(wrong_shape) {
  buffer_.resize(kPiece);
  // A byte order mark, which some editors write, is no part of the text.
  while (end_ < 3 && More()) {
  }
  if (std::string_view(buffer_.data(), end_).starts_with("\xEF\xBB\xBF")) at_ = 3;
}

// Reads a further piece behind what must stay; false at the end of the text or after an error.
bool JsonReader::More() {
  if (ended_ || error_) return false;
  if (keep_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + keep_, end_ - keep_);
    dropped_ += keep_;
    at_ -= keep_;
    end_ -= keep_;
    keep_ = 0;
  }
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  Result<size_t> count = source_(buffer_.data() + end_, buffer_.size() - end_);
  if (!count.ok()) {
    error_ = std::move(count).error();
    return false;
  }
  end_ += *count;
  ended_ = *count == 0;
  return !ended_;
}

// Whether there is a next byte at at_.
bool JsonReader::Fill() { return at_ < end_ || More(); }

// The next byte, not consumed; kEnd where there is none.
int JsonReader::Next() { return Fill() ? static_cast<unsigned char>(buffer_[at_]) : kEnd; }

// Goes to the next byte of the grammar, where the next token may begin; false at the end.
bool JsonReader::SkipBlanks() {
  if (error_) return false;
  while (true) {
    keep_ = at_;
    if (!Fill()) return false;
    const char c = buffer_[at_];
    if (c != ' ' && c != '\n' && c != '\t' && c != '\r') return true;
    ++at_;
    if (c == '\n') {
      ++line_;
      line_start_ = dropped_ + at_;
    }
  }
}

// Reads a string at its quote into text_.
bool JsonReader::ReadString() {
  ++at_;
  keep_ = at_;
  while (true) {
    const char* begin = buffer_.data() + at_;
    const char* end = buffer_.data() + end_;
    at_ += static_cast<size_t>(std::find_if_not(begin, end, IsPlain) - begin);
    if (at_ - keep_ > kMaxTokenBytes) {
      Syntax("a string of more than 16 MiB");
      return false;
    }
    if (at_ < end_) break;
    if (!More()) {
      Syntax("a string without its closing quote");
      return false;
    }
  }
  text_ = std::string_view(buffer_).substr(keep_, at_ - keep_);
  if (buffer_[at_] != '"' && !ReadEscapes()) return false;
  ++at_;
  if (!IsUtf8(text_)) {
    Fail(Code::kReadFailed, "not valid JSON: a string that is not UTF-8");
    return false;
  }
  return true;
}

// Reads on from the first byte of a string that is not plain, up to its closing quote.
bool JsonReader::ReadEscapes() {
  unescaped_.assign(text_);
  while (true) {
    keep_ = at_;
    const int c = Next();
    if (c == '"') break;
    if (c == kEnd) {
      Syntax("a string without its closing quote");
      return false;
    }
    if (c < 0x20) {
      Syntax("a control character in a string");
      return false;
    }
    if (c == '\\') {
      if (!ReadEscape()) return false;
    } else {
      unescaped_ += static_cast<char>(c);
      ++at_;
    }
    if (unescaped_.size() > kMaxTokenBytes) {
      Syntax("a string of more than 16 MiB");
      return false;
    }
  }
  text_ = unescaped_;
  return true;
}

bool JsonReader::ReadEscape() {
  ++at_;
  constexpr std::string_view kEscapes = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const int c = Next();
  if (c != 'u') {
    const size_t known = c == kEnd ? std::string_view::npos : kEscapes.find(static_cast<char>(c));
    if (known == std::string_view::npos) {
      Syntax("an unknown escape in a string");
      return false;
    }
    ++at_;
    unescaped_ += kMeanings[known];
    return true;
  }
  ++at_;
  uint32_t unit = 0;
  if (!ReadHex4(unit)) return false;
  uint32_t character = unit;
  if (unit >= 0xD800 && unit < 0xDC00) {
    uint32_t second = 0;
    const bool follows = Next() == '\\' && (++at_, Next() == 'u') && (++at_, ReadHex4(second));
    if (!follows || second < 0xDC00 || second > 0xDFFF) {
      Syntax("half of a surrogate pair");
      return false;
    }
    character = 0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00);
  } else if (unit >= 0xDC00 && unit <= 0xDFFF) {
    Syntax("half of a surrogate pair");
    return false;
  }
  AppendUtf8(unescaped_, character);
  return true;
}

bool JsonReader::ReadHex4(uint32_t& unit) {
  unit = 0;
  for (int i = 0; i < 4; ++i) {
    const int c = Next();
    uint32_t digit = 0;
    if (IsDigit(c)) {
      digit = static_cast<uint32_t>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      digit = static_cast<uint32_t>(c - 'a') + 10;
    } else if (c >= 'A' && c <= 'F') {
      digit = static_cast<uint32_t>(c - 'A') + 10;
    } else {
      Syntax("four hexadecimal digits were expected");
      return false;
    }
    unit = unit << 4 | digit;
    ++at_;
  }
  return true;
}

// Consumes digits; how many.
size_t JsonReader::Digits() {
  size_t count = 0;
  while (IsDigit(Next())) {
    ++at_;
    if (++count > kMaxTokenBytes) Syntax("a number of more than 16 million digits");
  }
  return count;
}

// Reads a number at its first byte into text_.
bool JsonReader::ReadNumber() {
  keep_ = at_;
  integral_ = true;
  if (Next() == '-') ++at_;
  const bool zero = Next() == '0';
  if (zero ? (++at_, false) : Digits() == 0) {
    Syntax("a digit was expected");
    return false;
  }
  if (Next() == '.') {
    integral_ = false;
    ++at_;
    if (Digits() == 0) {
      Syntax("a digit was expected");
      return false;
    }
  }
  if (const int c = Next(); c == 'e' || c == 'E') {
    integral_ = false;
    ++at_;
    if (const int sign = Next(); sign == '+' || sign == '-') ++at_;
    if (Digits() == 0) {
      Syntax("a digit was expected");
      return false;
    }
  }
  if (error_) return false;
  text_ = std::string_view(buffer_).substr(keep_, at_ - keep_);
  if (text_.size() > (integral_ ? kMaxIntegerDigits : kMaxTokenBytes)) {
    Fail(Code::kReadFailed, "not valid JSON: an integer of more than 4300 digits");
    return false;
  }
  return true;
}

int64_t JsonReader::Int64OfText() {
  int64_t value = 0;
  const auto [end, status] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
  if (!integral_) {
    Fail(wrong_shape_, "a number with a fraction where an integer was expected");
    return 0;
  }
  if (status != std::errc()) {
    Fail(wrong_shape_, "an integer beyond 64 bits");
    return 0;
  }
  return value;
}

// The double nearest to the number read last: 0 with its sign where it is too small for one.
double JsonReader::DoubleOfText() {
  double value = 0;
  const auto [end, status] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
  if (status == std::errc()) return value;
  if (DecimalMagnitude(text_) <= 0) return text_[0] == '-' ? -0.0 : 0.0;
  Fail(Code::kReadFailed, "not valid JSON: a number beyond the range of a double");
  return 0;
}

}  // namespace rangewise::format
