#include "format/script_json.h"

#include <cmath>

#include "base/text.h"

namespace rangewise::format {

void ScriptJson::Separate() {
  if (needs_comma_) text_ += ',';
  needs_comma_ = true;
}

void ScriptJson::Open(char bracket) {
  Separate();
  text_ += bracket;
  needs_comma_ = false;
}

void ScriptJson::Close(char bracket) {
  text_ += bracket;
  needs_comma_ = true;
}

void ScriptJson::Word(std::string_view word) {
  Separate();
  text_ += word;
}

void ScriptJson::Key(std::string_view key) {
  String(key);
  text_ += ':';
  needs_comma_ = false;
}

void ScriptJson::String(std::string_view utf8) {
  Separate();
  text_ += '"';
  for (size_t at = 0; at < utf8.size(); ++at) {
    const char c = utf8[at];
    const auto byte = static_cast<unsigned char>(c);
    const bool separates = utf8.compare(at, 2, "\xe2\x80") == 0 && at + 2 < utf8.size() &&
                           (utf8[at + 2] == '\xa8' || utf8[at + 2] == '\xa9');
    if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
    } else if (byte < 0x20 || byte == 0x7F || c == '<' || c == '>' || c == '&') {
      text_ += Format("\\u{:04x}", byte);
    } else if (separates) {
      text_ += utf8[at + 2] == '\xa8' ? "\\u2028" : "\\u2029";
      at += 2;
    } else {
      text_ += c;
    }
  }
  text_ += '"';
}

void ScriptJson::Integer(int64_t value) { Word(Format("{}", value)); }

void ScriptJson::Double(double value) {
  if (!std::isfinite(value)) return Null();
  Word(ShortestDecimal(value));
}

}  // namespace rangewise::format
