#include "cli/comparison_forms.h"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <variant>

#include "analysis/redact_comparison.h"
#include "artifact/comparison_json.h"
#include "base/files.h"
#include "render/comparison_markdown.h"
#include "render/comparison_text.h"

namespace rangewise::cli {
namespace {

// What `path` says that it is; nothing for what is no regular file, or no JSON.
std::optional<std::string> KindOf(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  const Result<InputFile> input = InputFile::Open(path);
  if (!input.ok()) return std::nullopt;
  uint64_t offset = 0;
  return artifact::ReadKind([&](char* buffer, size_t capacity) -> Result<size_t> {
    const auto count = static_cast<size_t>(std::min<uint64_t>(capacity, input->size() - offset));
    RETURN_IF_ERROR(input->ReadAt(offset, buffer, count));
    offset += count;
    return count;
  });
}

bool IsOfComparison(const std::optional<std::string>& kind) {
  return kind == artifact::kComparisonKind || kind == artifact::kNoiseKind;
}

using Found = std::optional<artifact::ComparisonFile>;

Result<Found> Read(std::string_view text, const std::string& name) {
  ASSIGN_OR_RETURN(artifact::ComparisonFile file, artifact::ReadComparison(text, name));
  return Found(std::move(file));
}

}  // namespace

std::string InForm(const model::Comparison& comparison, const std::string& format) {
  if (format == "md") return render::RenderComparisonMarkdown(comparison);
  if (format == "text") return render::RenderComparisonText(comparison);
  StringOutput out;
  artifact::WriteComparisonJson(comparison, out);
  return std::move(out.text());
}

std::string InForm(const model::NoiseReport& report, const std::string& format) {
  if (format == "md") return render::RenderNoiseMarkdown(report);
  if (format == "text") return render::RenderNoiseText(report);
  StringOutput out;
  artifact::WriteNoiseJson(report, out);
  return std::move(out.text());
}

bool IsComparisonFile(const std::string& path) { return IsOfComparison(KindOf(path)); }

bool IsComparison(PipedDocument& document) { return IsOfComparison(document.Kind()); }

Error ComparisonIsNoAnalysis(const std::string& file_name) {
  return {.code = Code::kNotAnAnalysis,
          .message = "this is the result of a comparison, no run's analysis",
          .where = {.file = file_name},
          .hint = "`rangewise summary` shows it; everything else takes the runs themselves"};
}

Result<std::optional<artifact::ComparisonFile>> FindComparison(const std::string& path) {
  if (!IsComparisonFile(path)) return Found();
  ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  return Read(text, path);
}

Result<std::optional<artifact::ComparisonFile>> FindComparison(PipedDocument& document) {
  if (!IsComparison(document)) return Found();
  ASSIGN_OR_RETURN(const std::string text, document.ReadRest());
  return Read(text, document.name());
}

std::string InForm(artifact::ComparisonFile file, const std::string& format,
                   const std::optional<analysis::RedactOptions>& redact) {
  return std::visit(
      [&](auto& document) {
        if (redact) analysis::Redact(document, *redact);
        return InForm(document, format);
      },
      file);
}

}  // namespace rangewise::cli
