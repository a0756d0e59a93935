#include "tables/engine_names.h"

namespace rangewise::tables {

ReportNames::ReportNames(const model::Trace& trace, model::ReportTables& tables)
    : raw_(trace.names), names_(tables.names), keys_(tables.threads), ranges_(trace.names.size(), model::kNoName) {
  // Threads of different machines can have the same numbers; the tables cannot tell them apart.
  std::map<model::ThreadKey, uint32_t> known;
  for (const int64_t global_tid : trace.threads) {
    const model::ThreadKey key{model::ProcessId(global_tid), model::ThreadId(global_tid)};
    const auto [place, added] = known.emplace(key, static_cast<uint32_t>(tables.threads.size()));
    if (added) tables.threads.push_back(key);
    threads_.push_back(place->second);
  }
}

model::NameId ReportNames::Intern(const model::RangeName& raw) {
  std::string kept;
  const model::RangeName shown = model::DisplayForm(raw, kept);
  if (shown.text.data() != raw.text.data() && not_utf8_++ == 0) not_utf8_example_ = kept;
  return names_.Intern(shown.text, shown.domain);
}

void ReportNames::InternRange(model::NameId raw) {
  ranges_[static_cast<uint32_t>(raw)] = Intern(model::SplitRangeName(raw_.At(raw)));
}

model::NameId ReportNames::Plain(std::string_view raw) { return Intern({raw}); }

model::NameId ReportNames::Uncounted(std::string_view raw) {
  std::string kept;
  return names_.Intern(model::DisplayForm({raw}, kept).text);
}

}  // namespace rangewise::tables
