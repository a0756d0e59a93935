// Owns the change from the export's raw names to those of model::ReportTables: display form, the default domain's
// leading ':' dropped; and threads as (PID, TID).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/rows.h"
#include "model/trace.h"

namespace rangewise::tables {

class ReportNames {
 public:
  ReportNames(const model::Trace& trace, model::ReportTables& tables);

  // Makes the raw name ready for Range(); not safe from several threads.
  void PrepareRange(model::NameId raw) {
    if (ranges_[static_cast<uint32_t>(raw)] == model::kNoName) InternRange(raw);
  }
  model::NameId Range(model::NameId raw) const { return ranges_[static_cast<uint32_t>(raw)]; }
  // A name of anything else, in display form.
  model::NameId Plain(std::string_view raw);
  // The same for a name that was counted before, or is none of the trace's.
  model::NameId Uncounted(std::string_view raw);
  // The place of a trace's thread in ReportTables::threads.
  uint32_t Thread(uint32_t trace_thread) const { return threads_[trace_thread]; }
  const std::vector<model::ThreadKey>& threads() const { return keys_; }

  // Names so far that are not UTF-8, and one of them in display form.
  uint64_t not_utf8() const { return not_utf8_; }
  const std::string& not_utf8_example() const { return not_utf8_example_; }

 private:
  void InternRange(model::NameId raw);
  model::NameId Intern(const model::RangeName& raw);
  const model::NamePool& raw_;
  model::NamePool& names_;
  const std::vector<model::ThreadKey>& keys_;
  std::vector<model::NameId> ranges_;
  std::vector<uint32_t> threads_;
  uint64_t not_utf8_ = 0;
  std::string not_utf8_example_;
};

}  // namespace rangewise::tables
