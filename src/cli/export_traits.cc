#include "cli/export_traits.h"

#include "ingest/odd_ranges.h"
#include "tables/documented_differences.h"

namespace rangewise::cli {

Result<model::ExportTraits> TraitsOfExport(const model::Trace& trace,
                                           const std::filesystem::path& path) {
  model::ExportTraits traits = tables::TraitsOf(trace);
  if (traits.domain_created_twice || traits.threadless_ranges) {
    ASSIGN_OR_RETURN(traits.odd, ingest::ReadOddRanges(path));
  }
  return traits;
}

}  // namespace rangewise::cli
