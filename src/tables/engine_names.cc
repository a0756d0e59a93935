#include "tables/engine_names.h"

#include "base/text.h"

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

model::NameId ReportNames::Intern(std::string_view raw) {
  if (IsUtf8(raw)) return names_.Intern(raw);
  const std::string shown = Displayable(raw);
  if (not_utf8_++ == 0) not_utf8_example_ = shown;
  return names_.Intern(shown);
}

void ReportNames::InternRange(model::NameId raw) {
  std::string_view name = raw_.At(raw);
  if (name.starts_with(':')) name.remove_prefix(1);
  ranges_[static_cast<uint32_t>(raw)] = Intern(name);
}

model::NameId ReportNames::Plain(std::string_view raw) { return Intern(raw); }

}  // namespace rangewise::tables
