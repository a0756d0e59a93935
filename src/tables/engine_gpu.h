// Owns the tables of GPU work: cuda_gpu_kern_sum and cuda_gpu_trace (docs/reports.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "model/rows.h"
#include "model/trace.h"
#include "tables/engine_names.h"

namespace rangewise::tables {

// The operations' numbers by start; of one start kernels, copies, sets, each in the order of its table.
std::vector<uint32_t> StartOrder(const model::Trace& trace);

// The label of a copy's kind in the export's enumeration, or the well-known one where it has none; nothing for a
// kind without a label.
std::optional<std::string_view> CopyLabel(const model::Trace& trace, int64_t copy_kind);
// The same of a memory kind: "Pageable", "Device".
std::optional<std::string_view> MemoryLabel(const model::Trace& trace, int64_t memory_kind);

// Writes the kernels summed by name and returns those rows, in the table's order. kTotalOverflow.
Result<std::vector<model::KernelTotal>> WriteKernelSummary(const model::Trace& trace, ReportNames& report_names,
                                                           Output& output);

// Writes every operation by start and returns the copies summed by kinds, in no particular order. `unnamed_kinds`
// counts copies with a missing kind. kTotalOverflow, kInterrupted.
Result<std::vector<model::CopyTotal>> WriteGpuTrace(const model::Trace& trace, ReportNames& report_names,
                                                    int threads, Output& output, uint64_t& unnamed_kinds);

}  // namespace rangewise::tables
