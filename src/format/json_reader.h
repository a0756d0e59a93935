// Owns reading JSON as a stream: the caller, who knows the document's shape, asks for one value
// after the other, and nothing of it is kept. The grammar is RFC 8259 and is read here, a byte at a
// time, because a library's events would each need a state of the caller's to be understood; tests
// and a fuzzer hold it against ParseJson, which reads whole documents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/value.h"

namespace rangewise::format {

// Fills the beginning of `buffer` with the next bytes and returns how many; 0 at the end.
using ByteSource = std::function<Result<size_t>(char* buffer, size_t capacity)>;

// The bytes of `text`, which must outlive the source.
ByteSource BytesOf(std::string_view text);

enum class JsonKind : uint8_t { kNone, kNull, kBool, kNumber, kString, kObject, kList };
const char* JsonKindName(JsonKind kind);  // "an object"

// The first error is kept and ends the reading: from then on every call answers with nothing (false,
// 0, ""), so that the caller's loops end and only Finish need be looked at. An error has its line,
// its column in bytes and, in its message, the place by keys: `iterations[2].host: ...`. Refused, as
// by ParseJson: what is not UTF-8, lone surrogates, nesting beyond 256, integers of more than 4300
// digits, numbers beyond a double; and strings above 16 MiB. Memory: the longest string, a buffer,
// and the nesting.
class JsonReader {
 public:
  // `wrong_shape` is the code of an error about valid JSON that is not what the caller asks for.
  JsonReader(ByteSource source, std::string file_name, Code wrong_shape);

  // The kind of the next value, which is not consumed; kNone after an error.
  JsonKind Peek();

  void BeginObject();
  // The next key of the open object, until the next call of any kind; false once the object ended.
  bool NextKey(std::string_view& key);
  void BeginList();
  // Whether a further item follows; false once the list ended.
  bool NextItem();

  // Consumes a null if the next value is one.
  bool TakeNull();
  bool Bool();
  int64_t Int64();           // an integer without fraction or exponent; else an error
  uint64_t Uint64();
  double Double();           // of any number
  std::variant<int64_t, double> Number();  // int64_t where it has no fraction nor exponent
  std::string_view String();  // until the next call
  Value Any();               // a whole value; a key that stands twice in an object is an error
  void Skip();               // a whole value, of which only the grammar is looked at

  bool ok() const { return !error_.has_value(); }
  // An error of the caller's about the value read last.
  void Refuse(std::string message);
  // What is left must be blanks. The first error, if there was one.
  Status Finish();

 private:
  struct Level {
    bool is_object = false;
    bool begun = false;  // a value has stood here
    uint64_t index = 0;  // of a list: that of the current item
    std::string key;     // of an object: the current one
  };

  bool More();
  bool Fill();
  int Next();
  bool SkipBlanks();
  bool Expect(JsonKind kind, const char* wanted);
  bool Word(std::string_view word);
  bool Begin(JsonKind kind);
  void EndContainer();
  bool ReadString();
  bool ReadEscapes();
  bool ReadEscape();
  bool ReadHex4(uint32_t& unit);
  bool ReadNumber();
  size_t Digits();
  std::string Place() const;
  void Syntax(std::string message);
  void Fail(Code code, std::string message);
  int64_t Int64OfText();
  double DoubleOfText();

  ByteSource source_;
  std::string file_name_;
  Code wrong_shape_;
  std::string buffer_;
  size_t at_ = 0;         // in the buffer: the next byte
  size_t end_ = 0;        // in the buffer: beyond the last byte read
  size_t keep_ = 0;       // in the buffer: the begin of the token, which must stay
  uint64_t dropped_ = 0;  // bytes before the buffer
  bool ended_ = false;
  uint64_t line_ = 1;
  uint64_t line_start_ = 0;  // offset of the current line
  uint64_t token_ = 0;       // offset of the value read last
  uint64_t token_line_ = 1;
  uint64_t token_line_start_ = 0;
  std::string_view text_;  // of the string or number read last
  bool integral_ = false;  // of the number read last
  std::string unescaped_;
  std::vector<Level> levels_;
  std::optional<Error> error_;
};

}  // namespace rangewise::format
