#include "format/json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "base/text.h"

namespace rangewise::format {

namespace {

constexpr size_t kMaxDepth = 256;
// What Python's own reader takes. The library turns integers beyond 64 bits into floating point
// first and refuses infinity, so long double (10^4932) makes room for every integer that we accept.
constexpr size_t kMaxIntegerDigits = 4300;
using Json =
    nlohmann::basic_json<std::map, std::vector, std::string, bool, int64_t, uint64_t, long double>;

// Walks the text and tells how far the library has read, which its events do not.
struct CountingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at;
  const char** read_to;

  reference operator*() const { return *at; }
  CountingIterator& operator++() {
    *read_to = ++at;
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at == other.at; }
  bool operator!=(const CountingIterator& other) const { return at != other.at; }
};

Where Locate(std::string_view text, std::string_view file_name, size_t offset) {
  offset = std::min(offset, text.size());
  const std::string_view before = text.substr(0, offset);
  const size_t line_start =
      before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  const size_t line_end = std::min(text.find('\n', offset), text.size());
  constexpr size_t kShown = 200;  // a file of one long line is not shown whole
  Where where;
  where.file = file_name;
  where.line = 1 + static_cast<uint64_t>(std::count(before.begin(), before.end(), '\n'));
  where.column = 1 + offset - line_start;
  if (line_end - line_start <= kShown)
    where.source_line = text.substr(line_start, line_end - line_start);
  return where;
}

// Builds a Value from the library's events. The place of the next value is the top of `open_` or
// the root.
class ValueBuilder : public nlohmann::json_sax<Json> {
 public:
  ValueBuilder(std::string_view text, std::string_view file_name)
      : read_to_(text.data()), text_(text), file_name_(file_name) {}

  const char** read_to() { return &read_to_; }
  Value& root() { return root_; }
  std::optional<Error>& error() { return error_; }

  bool null() override { return Put({}); }
  bool boolean(bool value) override { return Put({value}); }
  bool number_integer(int64_t value) override { return Put({Integer{std::to_string(value)}}); }
  bool number_unsigned(uint64_t value) override { return Put({Integer{std::to_string(value)}}); }
  bool string(std::string& value) override { return Put({std::move(value)}); }
  bool binary(Json::binary_t& /*value*/) override { return false; }

  bool number_float(long double approximate, const std::string& token) override {
    if (token.find_first_of(".eE") == std::string::npos) {
      if (token.size() > kMaxIntegerDigits) {
        return FailAt(token, "an integer of more than 4300 digits");
      }
      return Put({Integer{token}});
    }
    double value = 0;
    const auto [end, status] = std::from_chars(token.data(), token.data() + token.size(), value);
    if (status == std::errc::result_out_of_range) {
      if (std::fabs(approximate) > 1) {
        return FailAt(token, "a number beyond the range of a double");
      }
      value = std::copysign(0.0, static_cast<double>(approximate));
    }
    return Put({value});
  }

  bool start_object(size_t /*size*/) override { return Begin({ValueMap{}}); }
  bool start_array(size_t /*size*/) override { return Begin({ValueList{}}); }
  bool end_object() override { return End(); }
  bool end_array() override { return End(); }

  bool key(std::string& name) override {
    auto& map = std::get<ValueMap>(open_.back()->data);
    const auto [entry, is_new] = map.try_emplace(std::move(name));
    if (!is_new) return Fail(Format("the key {} stands here twice", Quoted(entry->first)), 1);
    entry_ = &entry->second;
    return true;
  }

  bool parse_error(size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& problem) override {
    if (problem.id == 406) {  // see kMaxIntegerDigits: beyond long double
      return Fail("a number that is too large", 1);
    }
    std::string_view message =
        problem.what();  // "[id] parse error at line 1, column 2: the message"
    const size_t colon = message.find(": ");
    if (colon != std::string_view::npos) message.remove_prefix(colon + 2);
    SetError(std::string(message), position == 0 ? 0 : position - 1);
    return false;
  }

 private:
  // A failure at what was read last, `back` bytes before the reader's place.
  bool Fail(std::string message, size_t back) {
    const auto offset = static_cast<size_t>(read_to_ - text_.data());
    SetError(std::move(message), offset - std::min(offset, back));
    return false;
  }

  // A failure at a token that was just read; the reader may be one byte beyond it.
  bool FailAt(std::string_view token, std::string message) {
    const auto read = static_cast<size_t>(read_to_ - text_.data());
    SetError(std::move(message), text_.rfind(token, read - token.size()));
    return false;
  }

  void SetError(std::string message, size_t offset) {
    error_ = Error{Code::kReadFailed, "not valid JSON: " + std::move(message),
                   Locate(text_, file_name_, offset)};
  }

  bool Put(Value value) {
    Place() = std::move(value);
    return true;
  }

  bool Begin(Value value) {
    if (open_.size() == kMaxDepth) return Fail("lists and objects nested more than 256 deep", 1);
    Value& place = Place();
    place = std::move(value);
    open_.push_back(&place);
    return true;
  }

  bool End() {
    open_.pop_back();
    return true;
  }

  // Stays valid while its parent is open: nothing is added to a list before its last item has
  // ended.
  Value& Place() {
    if (open_.empty()) return root_;
    if (auto* list = std::get_if<ValueList>(&open_.back()->data)) return list->emplace_back();
    return *entry_;
  }

  const char* read_to_;
  std::string_view text_;
  std::string_view file_name_;
  Value root_;
  std::vector<Value*> open_;
  Value* entry_ = nullptr;  // the value of the key read last
  std::optional<Error> error_;
};

}  // namespace

Result<Value> ParseJson(std::string_view text, std::string_view file_name) {
  // The library takes a NUL byte for the end of the text.
  if (const size_t nul = text.find('\0'); nul != std::string_view::npos) {
    return Error{Code::kReadFailed, "not valid JSON: a NUL byte", Locate(text, file_name, nul)};
  }
  ValueBuilder builder(text, file_name);
  const CountingIterator first{text.data(), builder.read_to()};
  const CountingIterator last{text.data() + text.size(), builder.read_to()};
  if (!Json::sax_parse(first, last, &builder)) {
    if (builder.error()) return *std::move(builder.error());
    return Error{Code::kInternal, "the JSON reader stopped without a reason"};
  }
  return std::move(builder.root());
}

}  // namespace rangewise::format
