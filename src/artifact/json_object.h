// Owns reading a JSON object by a table of its keys: each key at most once, those that are required
// at least once, and keys that a later version may have added passed over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/text.h"
#include "format/json_reader.h"

namespace rangewise::artifact {

enum class Presence : uint8_t { kOptional, kRequired };

// `read` consumes the value of the key `name`. `In` gives the reader by its member `json`.
template <typename In, typename Out>
struct JsonKey {
  std::string_view name;
  Presence presence;
  void (*read)(In& in, Out& out);
};

// Reads an object into `out`; errors stay with the reader. A key that is not in the table may stand
// there any number of times. O(bytes) where keys come in the table's order, as rangewise writes
// them.
template <typename In, typename Out, size_t kCount>
void ReadObject(In& in, const JsonKey<In, Out> (&keys)[kCount], Out& out) {
  static_assert(kCount <= 64);
  uint64_t seen = 0;
  size_t guess = 0;
  std::string_view name;
  in.json.BeginObject();
  while (in.json.NextKey(name)) {
    size_t at = guess;
    if (keys[at].name != name) {
      for (at = 0; at < kCount && keys[at].name != name;) ++at;
    }
    if (at == kCount) {
      in.json.Skip();
      continue;
    }
    if ((seen >> at & 1) != 0) return in.json.Refuse("the key stands here twice");
    seen |= uint64_t{1} << at;
    keys[at].read(in, out);
    guess = at + 1 < kCount ? at + 1 : 0;
  }
  if (!in.json.ok()) return;
  for (size_t i = 0; i < kCount; ++i) {
    if (keys[i].presence == Presence::kRequired && (seen >> i & 1) == 0) {
      return in.json.Refuse(Format("the key {} is missing", keys[i].name));
    }
  }
}

// The error about a document that should have been one of ours: what is no whole JSON is none.
inline Error NoDocument(Error error) {
  if (error.code == Code::kReadFailed && error.where.line > 0) error.code = Code::kNotAnAnalysis;
  return error;
}

inline std::optional<std::string> ReadOptionalText(format::JsonReader& json) {
  if (json.TakeNull()) return std::nullopt;
  return std::string(json.String());
}

// A count, which is never negative.
inline int64_t ReadCount(format::JsonReader& json) {
  const int64_t count = json.Int64();
  if (count < 0) json.Refuse("a negative count");
  return count;
}

}  // namespace rangewise::artifact
