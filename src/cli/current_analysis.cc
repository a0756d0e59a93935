#include "cli/current_analysis.h"

#include <utility>

#include "artifact/analysis_reader.h"
#include "base/text.h"
#include "cli/report_source.h"
#include "tables/source_record.h"

namespace rangewise::cli {
namespace {

// The file that an analysis calls `name`; nothing for a name that no analysis of ours has. No path
// from the file is opened.
std::optional<fs::path> InputOf(const RunFiles& files, const std::string& name) {
  if (name == kManifestName) return files.manifest();
  for (const model::Report report : model::kReports) {
    if (name == Format("{}/{}", kStatsName, model::ReportFileName(report))) {
      return files.stats() / model::ReportFileName(report);
    }
  }
  const std::optional<fs::path> exported = files.FindExport();
  if (exported && exported->filename() == name) return exported;
  return std::nullopt;
}

bool SameOption(const model::Provenance& provenance, const char* name,
                const std::optional<std::string>& wanted) {
  const auto entry = provenance.options.find(name);
  if (entry == provenance.options.end()) return !wanted;
  // Without a wish, the analysis that is there is the one to show.
  return !wanted || *wanted == entry->second;
}

}  // namespace

Result<std::optional<model::AnalysisFile>> ReadCurrentAnalysis(
    const RunFiles& files, const std::optional<std::string>& capture_range,
    const std::optional<std::string>& iterations) {
  using Current = std::optional<model::AnalysisFile>;
  std::error_code error;
  if (!fs::is_regular_file(files.analysis(), error)) return Current();
  Result<model::AnalysisFile> file = artifact::ReadAnalysisFile(files.analysis());
  if (!file.ok()) return Current();
  const model::Provenance& provenance = file->document.provenance;
  if (!SameOption(provenance, "capture_range", capture_range) ||
      !SameOption(provenance, "iterations", iterations)) {
    return Current();
  }
  if (provenance.inputs.empty() || !file->has_findings) return Current();
  if (provenance.inputs.contains(kManifestName) == files.bare_export.has_value()) return Current();
  for (const auto& [name, fingerprint] : provenance.inputs) {
    const std::optional<fs::path> path = InputOf(files, name);
    if (!path) return Current();
    ASSIGN_OR_RETURN(const bool differs, FileDiffers(*path, fingerprint));
    if (differs) return Current();
  }
  const auto record = tables::LoadSourceRecord(files.stats());
  if (record.ok() && *record) {
    ASSIGN_OR_RETURN(const std::optional<std::string> differs, InputDiffers(**record, files));
    if (differs) return Current();
  }
  return Current(std::move(*file));
}

}  // namespace rangewise::cli
