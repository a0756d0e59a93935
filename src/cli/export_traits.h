// Owns what `verify` and the cross-check of `analyze` must know of an export to tell documented
// differences from others.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "model/table_diff.h"
#include "model/trace.h"

namespace rangewise::cli {

// To be asked before the trace of the export `path` is consumed. Reads its ranges again where it
// has odd ones. Errors: as ingest::LoadExport.
Result<model::ExportTraits> TraitsOfExport(const model::Trace& trace,
                                           const std::filesystem::path& path);

}  // namespace rangewise::cli
