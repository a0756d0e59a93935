// Owns reading nvtx_pushpop_trace, the ranges on the host: one row each, nothing left out.
#pragma once

#include <atomic>
#include <vector>

#include "tables/csv_table.h"

namespace rangewise::tables {

class PushPopSink : public TableSink {
 public:
  PushPopSink(std::filesystem::path file, ReadContext& context,
              std::vector<model::HostRange>& rows);
  std::optional<format::CsvFault> Take(size_t worker, const format::CsvBatch& batch) override;
  void Expect(uint64_t records) override { rows_.Expect(records); }
  void Restart() override;

  bool ids_differ() const { return rows_.ids_differ(); }
  // Whether every name holds a ':', as all do where names carry their domain.
  bool all_names_have_colon() const { return all_names_have_colon_; }

 private:
  ReadContext& context_;
  RangeRows<model::HostRange> rows_;
  std::vector<std::vector<model::HostRange>> batches_;  // by worker
  std::atomic<bool> all_names_have_colon_ = true;
};

}  // namespace rangewise::tables
