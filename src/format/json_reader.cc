#include "format/json_reader.h"

#include <charconv>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/text.h"

namespace rangewise::format {

namespace {

constexpr size_t kMaxDepth = 256;
constexpr size_t kShownKey = 60;

}  // namespace

const char* JsonKindName(JsonKind kind) {
  switch (kind) {
    case JsonKind::kNone:
      return "nothing";
    case JsonKind::kNull:
      return "null";
    case JsonKind::kBool:
      return "true or false";
    case JsonKind::kNumber:
      return "a number";
    case JsonKind::kString:
      return "a string";
    case JsonKind::kObject:
      return "an object";
    case JsonKind::kList:
      return "a list";
  }
  return "";
}

std::string JsonReader::Place() const {
  std::string place;
  for (const Level& level : levels_) {
    if (!level.begun) break;
    if (level.is_object) {
      if (!place.empty()) place += '.';
      place += level.key.size() <= kShownKey ? level.key : Quoted(level.key, kShownKey);
    } else {
      place += Format("[{}]", level.index);
    }
  }
  return place;
}

void JsonReader::Fail(Code code, std::string message) {
  if (error_) return;
  const std::string place = Place();
  error_ = Error{.code = code,
                 .message = place.empty() ? std::move(message)
                                          : Format("{}: {}", place, std::move(message)),
                 .where = {.file = file_name_,
                           .line = token_line_,
                           .column = 1 + token_ - token_line_start_}};
}

void JsonReader::Refuse(std::string message) { Fail(wrong_shape_, std::move(message)); }

// An error at the next byte.
void JsonReader::Syntax(std::string message) {
  if (error_) return;
  if (at_ == end_ && ended_) message += "; the text ends here";
  error_ = Error{.code = Code::kReadFailed,
                 .message = "not valid JSON: " + std::move(message),
                 .where = {.file = file_name_,
                           .line = line_,
                           .column = 1 + dropped_ + at_ - line_start_}};
}

JsonKind JsonReader::Peek() {
  if (!SkipBlanks()) {
    Syntax("a value was expected");
    return JsonKind::kNone;
  }
  token_ = dropped_ + at_;
  token_line_ = line_;
  token_line_start_ = line_start_;
  const char c = buffer_[at_];
  switch (c) {
    case 'n':
      return JsonKind::kNull;
    case 't':
    case 'f':
      return JsonKind::kBool;
    case '"':
      return JsonKind::kString;
    case '{':
      return JsonKind::kObject;
    case '[':
      return JsonKind::kList;
    default:
      if (c == '-' || (c >= '0' && c <= '9')) return JsonKind::kNumber;
      Syntax("a value was expected");
      return JsonKind::kNone;
  }
}

bool JsonReader::Expect(JsonKind kind, const char* wanted) {
  const JsonKind found = Peek();
  if (found == JsonKind::kNone) return false;
  if (found == kind) return true;
  Fail(wrong_shape_, Format("{} where {} was expected", JsonKindName(found), wanted));
  return false;
}

bool JsonReader::Word(std::string_view word) {
  for (const char c : word) {
    if (Next() != c) {
      Syntax(Format("`{}` was expected", word));
      return false;
    }
    ++at_;
  }
  return true;
}

bool JsonReader::Begin(JsonKind kind) {
  if (!Expect(kind, JsonKindName(kind))) return false;
  if (levels_.size() == kMaxDepth) {
    Syntax("lists and objects nested more than 256 deep");
    return false;
  }
  ++at_;
  levels_.emplace_back().is_object = kind == JsonKind::kObject;
  return true;
}

void JsonReader::BeginObject() { Begin(JsonKind::kObject); }
void JsonReader::BeginList() { Begin(JsonKind::kList); }

void JsonReader::EndContainer() {
  ++at_;
  levels_.pop_back();
}

bool JsonReader::NextKey(std::string_view& key) {
  key = {};
  if (!SkipBlanks()) {
    Syntax("`,` or `}` was expected");
    return false;
  }
  if (buffer_[at_] == '}') {
    EndContainer();
    return false;
  }
  Level& level = levels_.back();
  if (level.begun) {
    if (buffer_[at_] != ',') {
      Syntax("`,` or `}` was expected");
      return false;
    }
    ++at_;
    if (!SkipBlanks() || buffer_[at_] != '"') {
      Syntax("a key was expected");
      return false;
    }
  } else if (buffer_[at_] != '"') {
    Syntax("a key or `}` was expected");
    return false;
  }
  token_ = dropped_ + at_;
  token_line_ = line_;
  token_line_start_ = line_start_;
  if (!ReadString()) return false;
  level.begun = true;
  level.key.assign(text_);
  if (!SkipBlanks() || buffer_[at_] != ':') {
    Syntax("`:` was expected");
    return false;
  }
  ++at_;
  key = level.key;
  return true;
}

bool JsonReader::NextItem() {
  if (!SkipBlanks()) {
    Syntax("`,` or `]` was expected");
    return false;
  }
  if (buffer_[at_] == ']') {
    EndContainer();
    return false;
  }
  Level& level = levels_.back();
  if (!level.begun) {
    level.begun = true;
    return true;
  }
  if (buffer_[at_] != ',') {
    Syntax("`,` or `]` was expected");
    return false;
  }
  ++at_;
  ++level.index;
  return true;
}

bool JsonReader::TakeNull() { return Peek() == JsonKind::kNull && Word("null"); }

bool JsonReader::Bool() {
  if (!Expect(JsonKind::kBool, "true or false")) return false;
  if (buffer_[at_] == 't') return Word("true");
  Word("false");
  return false;
}

int64_t JsonReader::Int64() {
  if (!Expect(JsonKind::kNumber, "an integer") || !ReadNumber()) return 0;
  return Int64OfText();
}

uint64_t JsonReader::Uint64() {
  if (!Expect(JsonKind::kNumber, "an integer") || !ReadNumber()) return 0;
  uint64_t value = 0;
  const auto [end, status] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
  if (!integral_ || status != std::errc()) {
    Fail(wrong_shape_, "an integer from 0 to 2^64 - 1 was expected");
    return 0;
  }
  return value;
}

std::variant<int64_t, double> JsonReader::Number() {
  if (!Expect(JsonKind::kNumber, "a number") || !ReadNumber()) return int64_t{0};
  if (integral_) return Int64OfText();
  return DoubleOfText();
}

double JsonReader::Double() {
  if (!Expect(JsonKind::kNumber, "a number") || !ReadNumber()) return 0;
  return DoubleOfText();
}

std::string_view JsonReader::String() {
  if (!Expect(JsonKind::kString, "a string") || !ReadString()) return {};
  return text_;
}

Value JsonReader::Any() {
  Value root;
  std::vector<Value*> open;  // lists and objects that have not ended
  Value* place = &root;
  while (ok()) {
    switch (Peek()) {
      case JsonKind::kNone:
        return {};
      case JsonKind::kNull:
        Word("null");
        break;
      case JsonKind::kBool:
        place->data = Bool();
        break;
      case JsonKind::kString:
        place->data = std::string(String());
        break;
      case JsonKind::kNumber:
        if (!ReadNumber()) return {};
        if (integral_) {
          place->data = Integer{text_ == "-0" ? "0" : std::string(text_)};
        } else {
          place->data = DoubleOfText();
        }
        break;
      case JsonKind::kObject:
        BeginObject();
        place->data = ValueMap{};
        open.push_back(place);
        break;
      case JsonKind::kList:
        BeginList();
        place->data = ValueList{};
        open.push_back(place);
        break;
    }
    // To the place of the next value; lists and objects that end here are left.
    while (ok() && !open.empty()) {
      if (auto* list = std::get_if<ValueList>(&open.back()->data)) {
        if (NextItem()) {
          place = &list->emplace_back();
          break;
        }
      } else {
        std::string_view key;
        if (NextKey(key)) {
          const auto [entry, is_new] =
              std::get<ValueMap>(open.back()->data).try_emplace(std::string(key));
          if (!is_new) Fail(Code::kReadFailed, "not valid JSON: the key stands here twice");
          place = &entry->second;
          break;
        }
      }
      open.pop_back();
    }
    if (open.empty()) break;
  }
  return ok() ? std::move(root) : Value{};
}

void JsonReader::Skip() {
  const size_t outside = levels_.size();
  std::string_view key;
  do {
    switch (Peek()) {
      case JsonKind::kNone:
        return;
      case JsonKind::kNull:
        Word("null");
        break;
      case JsonKind::kBool:
        Bool();
        break;
      case JsonKind::kString:
        String();
        break;
      case JsonKind::kNumber:
        ReadNumber();
        break;
      case JsonKind::kObject:
        BeginObject();
        break;
      case JsonKind::kList:
        BeginList();
        break;
    }
    while (ok() && levels_.size() > outside &&
           !(levels_.back().is_object ? NextKey(key) : NextItem())) {
    }
  } while (ok() && levels_.size() > outside);
}

Status JsonReader::Finish() {
  if (!error_ && SkipBlanks()) Syntax("nothing was expected after the end of the document");
  if (error_) return *error_;
  return Ok();
}

}  // namespace rangewise::format
