#include "ingest/export_strings.h"

namespace rangewise::ingest {

Result<ExportStrings> ExportStrings::Load(format::Database& database, const ExportSchema& schema) {
  using Step = format::Statement::Step;
  ExportStrings strings;
  if (!schema.Has(kStringTable)) return strings;
  ASSIGN_OR_RETURN(format::Statement rows, database.Prepare("SELECT id, value FROM StringIds"));
  uint64_t row = 0;
  Step step;
  for (; (step = rows.Next()) == Step::kRow; ++row) {
    if (!rows.IsInteger(0) || rows.IsNull(1)) continue;
    const int64_t id = rows.Integer(0);
    const std::string_view text = rows.Text(1);
    const model::NameId name = strings.pool_.Intern(text);
    // Ids normally count up from 0 or 1, with gaps where strings were pruned.
    if (id >= 0 && static_cast<uint64_t>(id) < 64 + 16 * (row + 1)) {
      const auto at = static_cast<size_t>(id);
      if (at >= strings.dense_.size()) {
        // Ids below that came too early to be dense are found here from now on.
        const size_t old_size = strings.dense_.size();
        strings.dense_.resize(at + 1, model::kNoName);
        if (strings.sparse_.size() > 0) {
          for (size_t i = old_size; i < at; ++i) {
            const uint32_t found = strings.sparse_.Find(static_cast<int64_t>(i));
            if (found != IntMap::kNone) strings.dense_[i] = model::NameId{found};
          }
        }
      }
      if (strings.dense_[at] == model::kNoName) strings.dense_[at] = name;
    } else {
      strings.sparse_.FindOrAdd(id, static_cast<uint32_t>(name));
    }
    if (text.starts_with("cudaGraphLaunch") || text.starts_with("cuGraphLaunch")) {
      strings.graph_launch_ids_.push_back(id);
    }
  }
  if (step == Step::kFailed) return database.Failure();
  return strings;
}

}  // namespace rangewise::ingest
