// Owns reading nvtx_gpu_proj_trace, the ranges that launched GPU work. The row that nsys up to
// 2024.1 writes for unattributed work, with neither name nor RangeId, is left out.
#pragma once

#include <vector>

#include "tables/csv_table.h"

namespace rangewise::tables {

class ProjectionSink : public TableSink {
 public:
  ProjectionSink(std::filesystem::path file, ReadContext& context,
                 std::vector<model::ProjectedRange>& rows);
  std::optional<format::CsvFault> Take(size_t worker, const format::CsvBatch& batch) override;
  void Expect(uint64_t records) override { rows_.Expect(records); }
  void Restart() override;

  bool ids_differ() const { return rows_.ids_differ(); }

 private:
  ReadContext& context_;
  RangeRows<model::ProjectedRange> rows_;
  std::vector<std::vector<model::ProjectedRange>> batches_;  // by worker
};

}  // namespace rangewise::tables
