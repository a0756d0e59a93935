// Any bytes as manifest.yaml: parsed as a manifest, and the whole document copied as a value. Must
// neither crash nor take more than a bounded time, and every error must point into the text.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "format/yaml.h"
#include "ingest/manifest.h"

namespace {

void CheckPosition(const rangewise::Error& error, std::string_view text) {
  const rangewise::Where& where = error.where;
  if (where.line == 0 || where.line > text.size() + 1) std::abort();
  if (where.column > text.size() + 1) std::abort();
  // One beyond the end of the line is where an error at its end points.
  if (!where.source_line.empty() && where.column > where.source_line.size() + 1) std::abort();
  if (rangewise::Render(error).empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // Smaller than by default, so that bombs cost no more than other inputs.
  rangewise::format::ValueBudget budget{.nodes = 5'000, .bytes = 1 << 20};
  const auto manifest = rangewise::ingest::ParseManifest(text, "manifest.yaml", budget);
  if (!manifest.ok()) CheckPosition(manifest.error(), text);
  const auto tree = rangewise::format::ParseYaml(text, "manifest.yaml");
  if (!tree.ok()) {
    CheckPosition(tree.error(), text);
    if (manifest.ok()) std::abort();
    return 0;
  }
  const auto value = rangewise::format::ToValue(**tree, text, "manifest.yaml", budget);
  if (!value.ok()) CheckPosition(value.error(), text);
  return 0;
}
