// comparison.json: any text is read or refused; what is read can be written, and reads back as the
// same bytes. Its kind is told from the first bytes, whatever follows.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>

#include "artifact/comparison_json.h"
#include "artifact/comparison_reader.h"
#include "base/files.h"
#include "format/json_reader.h"

namespace {

void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

std::string Written(const rangewise::artifact::ComparisonFile& file) {
  rangewise::StringOutput out;
  if (const auto* comparison = std::get_if<rangewise::model::Comparison>(&file)) {
    rangewise::artifact::WriteComparisonJson(*comparison, out);
  } else {
    rangewise::artifact::WriteNoiseJson(std::get<rangewise::model::NoiseReport>(file), out);
  }
  return out.text();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto kind = rangewise::artifact::ReadKind(rangewise::format::BytesOf(text));

  const auto file = rangewise::artifact::ReadComparison(text, "input");
  if (!file.ok()) return 0;
  Require(kind.has_value(), "a comparison is read that does not say what it is");
  const std::string first = Written(*file);
  const auto again = rangewise::artifact::ReadComparison(first, "written");
  Require(again.ok(), "a comparison that was written cannot be read");
  Require(Written(*again) == first, "a comparison changes when read back");
  return 0;
}
