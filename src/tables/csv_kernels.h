// Owns reading cuda_gpu_kern_sum, the kernels of the capture: rows as they stand; to sum those of
// one name is the analysis' job.
#pragma once

#include <mutex>
#include <vector>

#include "tables/csv_table.h"

namespace rangewise::tables {

class KernelSink : public TableSink {
 public:
  KernelSink(std::filesystem::path file, ReadContext& context,
             std::vector<model::KernelTotal>& rows);
  std::optional<format::CsvFault> Take(size_t worker, const format::CsvBatch& batch) override;
  void Restart() override;

 private:
  ReadContext& context_;
  std::mutex mutex_;
  std::vector<model::KernelTotal>& rows_;
};

}  // namespace rangewise::tables
