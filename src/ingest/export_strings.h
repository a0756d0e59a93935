// Owns the export's string table: string id to bytes. Filled once, then read by all who scan.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/int_map.h"
#include "base/result.h"
#include "format/sqlite.h"
#include "ingest/export_schema.h"
#include "model/names.h"

namespace rangewise::ingest {

class ExportStrings {
 public:
  // Reads StringIds; an export without that table has no strings.
  static Result<ExportStrings> Load(format::Database& database, const ExportSchema& schema);

  // The string's name in pool(), or kNoName for an id without a row.
  model::NameId Find(int64_t id) const {
    const auto at = static_cast<uint64_t>(id);
    if (at < dense_.size()) return dense_[at];
    const uint32_t found = sparse_.Find(id);
    return found == IntMap::kNone ? model::kNoName : model::NameId{found};
  }
  std::string_view At(model::NameId name) const { return pool_.At(name); }
  // Ids of the strings that begin with one of the names of functions that launch a CUDA graph.
  const std::vector<int64_t>& graph_launch_ids() const { return graph_launch_ids_; }

 private:
  model::NamePool pool_;
  std::vector<model::NameId> dense_;  // by id, while ids are small and close together
  IntMap sparse_;
  std::vector<int64_t> graph_launch_ids_;
};

}  // namespace rangewise::ingest
