// JSON: what is read can be written and reads back as the same value; a source record does so, too.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/files.h"
#include "format/json.h"
#include "tables/source_record.h"

namespace {

using rangewise::Value;

void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);

  if (const auto value = rangewise::format::ParseJson(text, "input"); value.ok()) {
    rangewise::StringOutput out;
    rangewise::format::JsonWriter writer(out);
    writer.Any(*value);
    writer.Finish();
    const auto again = rangewise::format::ParseJson(out.text(), "written");
    Require(again.ok(), "what was written cannot be read");
    Require(*again == *value, "what was written reads back as another value");
  }

  if (const auto record = rangewise::tables::ParseSourceRecord(text, "input"); record.ok()) {
    const std::string written = rangewise::tables::FormatSourceRecord(*record);
    const auto again = rangewise::tables::ParseSourceRecord(written, "written");
    Require(again.ok(), "a source record that was written cannot be read");
    Require(rangewise::tables::FormatSourceRecord(*again) == written,
            "a source record changes when read back");
  }
  return 0;
}
