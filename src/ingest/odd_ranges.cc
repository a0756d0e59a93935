#include "ingest/odd_ranges.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "base/interrupt.h"
#include "base/text.h"
#include "format/sqlite.h"
#include "ingest/export_schema.h"
#include "ingest/export_strings.h"
#include "model/trace.h"

namespace rangewise::ingest {
namespace {

using Step = format::Statement::Step;
using DomainKey = std::pair<int64_t, int64_t>;  // domain id, process id

enum : int { kRowId, kStart, kEnd, kType, kThread, kDomain, kTextId, kText };

class OddRangeReader {
 public:
  OddRangeReader(format::Database& database, const ExportSchema& schema,
                 const ExportStrings& strings)
      : database_(database), schema_(schema), strings_(strings) {}

  Result<model::OddRanges> Read() {
    RETURN_IF_ERROR(ReadDomains());
    RETURN_IF_ERROR(ReadRanges());
    return std::move(found_);
  }

 private:
  Result<format::Statement> Query(std::string_view types) {
    const bool registered = schema_.Has(kRangeTable, "textId");
    const bool in_line = schema_.Has(kRangeTable, "text");
    return database_.Prepare(
        Format("SELECT rowid, start, \"end\", eventType, globalTid, domainId, {}, {} FROM {} "
               "WHERE eventType IN ({})",
               registered ? "textId" : "NULL", in_line ? "text" : "NULL", kRangeTable, types));
  }

  // A registered string wins over inline text, as in ScanWorker::ScanRanges.
  std::string TextOf(const format::Statement& row) const {
    if (!row.IsNull(kTextId)) {
      const model::NameId name = strings_.Find(row.Integer(kTextId));
      if (name != model::kNoName) return std::string(strings_.At(name));
    }
    return std::string(row.Text(kText));
  }

  Status ReadDomains() {
    struct Creation {
      int64_t start_ns = 0;
      std::string name;
    };
    std::map<DomainKey, std::map<int64_t, Creation>> creations;  // by creating thread
    ASSIGN_OR_RETURN(format::Statement rows, Query("75"));
    Step step;
    while ((step = rows.Next()) == Step::kRow) {
      if (rows.IsNull(kThread) || rows.IsNull(kDomain)) continue;
      const int64_t thread = rows.Integer(kThread);
      const int64_t start = rows.Integer(kStart);
      auto& of_domain = creations[{rows.Integer(kDomain), model::ProcessId(thread)}];
      const auto [known, added] = of_domain.try_emplace(thread);
      if (added || start < known->second.start_ns) known->second = {start, TextOf(rows)};
    }
    if (step == Step::kFailed) return database_.Failure();
    for (auto& [key, by_thread] : creations) {
      if (by_thread.size() < 2) continue;
      std::vector<std::tuple<int64_t, int64_t, std::string>> in_order;
      for (auto& [thread, creation] : by_thread) {
        in_order.emplace_back(creation.start_ns, thread, std::move(creation.name));
      }
      std::sort(in_order.begin(), in_order.end());
      doubled_[key] = static_cast<uint32_t>(found_.domain_names.size());
      std::vector<std::string>& names = found_.domain_names.emplace_back();
      for (auto& [start, thread, name] : in_order) names.push_back(std::move(name));
    }
    return Ok();
  }

  Status ReadRanges() {
    ASSIGN_OR_RETURN(format::Statement rows, Query("59, 60, 70, 71"));
    int64_t horizon = INT64_MIN;
    std::vector<size_t> open;
    uint64_t count = 0;
    Step step;
    while ((step = rows.Next()) == Step::kRow) {
      if (count++ % 65536 == 0) RETURN_IF_ERROR(CheckInterrupt());
      const int64_t type = rows.Integer(kType);
      const bool push_pop = type == 59 || type == 70;
      const int64_t start = rows.Integer(kStart);
      const bool ends = !rows.IsNull(kEnd);
      if (push_pop) horizon = std::max({horizon, start, ends ? rows.Integer(kEnd) : start});
      if (!rows.IsNull(kThread)) {
        const int64_t thread = rows.Integer(kThread);
        if (rows.IsNull(kDomain)) continue;
        const auto domain = doubled_.find({rows.Integer(kDomain), model::ProcessId(thread)});
        if (domain == doubled_.end()) continue;
        found_.doubled.push_back({model::ProcessId(thread), model::ThreadId(thread),
                                  rows.Integer(kRowId), domain->second});
      } else if (push_pop) {
        if (!ends) open.push_back(found_.threadless.size());
        // Without a thread there is no process, and so no domain.
        found_.threadless.push_back(
            {rows.Integer(kRowId), start, ends ? rows.Integer(kEnd) : start, ":" + TextOf(rows)});
      }
    }
    if (step == Step::kFailed) return database_.Failure();
    for (const size_t i : open) found_.threadless[i].end_ns = horizon;
    return Ok();
  }

  format::Database& database_;
  const ExportSchema& schema_;
  const ExportStrings& strings_;
  std::map<DomainKey, uint32_t> doubled_;  // index into domain_names
  model::OddRanges found_;
};

}  // namespace

Result<model::OddRanges> ReadOddRanges(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(format::Database database, format::Database::OpenReadOnly(path));
  ASSIGN_OR_RETURN(const ExportSchema schema, ReadExportSchema(database, path));
  if (!schema.Has(kRangeTable)) return model::OddRanges{};
  ASSIGN_OR_RETURN(const ExportStrings strings, ExportStrings::Load(database, schema));
  return OddRangeReader(database, schema, strings).Read();
}

}  // namespace rangewise::ingest
