// analysis.json: any text is read or refused; what is read can be written, and reads back as the
// same bytes. The stream's reader takes what the whole document's reader takes.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "artifact/analysis_json.h"
#include "artifact/analysis_reader.h"
#include "base/files.h"
#include "format/json.h"
#include "format/json_reader.h"

namespace {

using rangewise::Code;
using rangewise::Value;

void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

// Hands out a few bytes at a time, so that every token meets the end of a piece.
rangewise::format::ByteSource InPieces(std::string_view text) {
  return [text](char* buffer, size_t capacity) mutable -> rangewise::Result<size_t> {
    const size_t count = std::min({size_t{5}, capacity, text.size()});
    text.copy(buffer, count);
    text.remove_prefix(count);
    return count;
  };
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);

  const auto whole = rangewise::format::ParseJson(text, "input");
  rangewise::format::JsonReader reader(InPieces(text), "input", Code::kNotAnAnalysis);
  const Value streamed = reader.Any();
  const bool read = reader.Finish().ok();
  Require(read == whole.ok(), "the stream's reader disagrees with the whole document's");
  if (read) Require(streamed == *whole, "the stream's reader reads another value");
  rangewise::format::JsonReader skipper(InPieces(text), "input", Code::kNotAnAnalysis);
  skipper.Skip();
  if (read) Require(skipper.Finish().ok(), "what can be read cannot be skipped");

  const auto file = rangewise::artifact::ReadAnalysis(InPieces(text), "input");
  if (!file.ok()) return 0;
  rangewise::StringOutput out;
  rangewise::artifact::WriteAnalysisJson(file->document, out);
  const auto again = rangewise::artifact::ReadAnalysis(
      rangewise::format::BytesOf(out.text()), "written");
  Require(again.ok(), "an analysis that was written cannot be read");
  rangewise::StringOutput second;
  rangewise::artifact::WriteAnalysisJson(again->document, second);
  Require(second.text() == out.text(), "an analysis changes when read back");
  return 0;
}
