#include "cli/run_tables.h"

#include <utility>

#include "cli/table_making.h"
#include "tables/stats_folder.h"

namespace rangewise::cli {

Result<model::ReportTables> ReadTablesOf(const AnalyzeRequest& request) {
  ASSIGN_OR_RETURN(const RunFiles files, LocateRun(request.run, request.output_folder));
  const SourcePlan plan{.source = model::ReportSource::kCsv,
                        .tables = tables::FindTables(files.stats()),
                        .stats = files.stats()};
  Diagnostics said_before;  // by the analysis
  ASSIGN_OR_RETURN(
      MadeTables made,
      MakeTables(plan, files,
                 {.threads = request.threads, .may_write = false, .on_step = request.on_step},
                 said_before));
  return std::move(made.tables);
}

}  // namespace rangewise::cli
