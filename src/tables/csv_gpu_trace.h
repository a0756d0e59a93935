// Owns reading cuda_gpu_trace, one row per GPU operation: only its copies are kept, summed by the
// kinds of memory as they are read, so that the table needs no memory of its size.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/checked.h"
#include "tables/csv_table.h"

namespace rangewise::tables {

// Whether a row of this name is a copy: `[CUDA memcpy …]` or `[CUDA Unified Memory memcpy …]`, as a
// whole. A kernel whose name contains these words is none, nor is a memory set.
bool IsCopy(std::string_view name);

class GpuTraceSink : public TableSink {
 public:
  GpuTraceSink(std::filesystem::path file, ReadContext& context);
  std::optional<format::CsvFault> Take(size_t worker, const format::CsvBatch& batch) override;
  void Restart() override;

  // Whether memory is in bytes; where not, nothing is summed. And the heading that says so.
  bool in_bytes() const;
  const std::string& bytes_heading() const;
  // The sums, in no particular order. kTotalOverflow beyond 64 bits.
  Result<std::vector<model::CopyTotal>> Totals() const;

 private:
  struct Sum {
    int64_t instances = 0;
    Int128 bytes = 0;
    Int128 duration_ns = 0;
  };
  using Sums = std::unordered_map<uint64_t, Sum>;  // by source id << 32 | destination id

  std::filesystem::path file_;
  ReadContext& context_;
  std::vector<Sums> sums_;  // by worker
};

}  // namespace rangewise::tables
