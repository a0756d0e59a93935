#include "analysis/range_filter.h"

#include <algorithm>
#include <limits>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "analysis/range_index.h"
#include "base/checked.h"
#include "base/regex.h"
#include "base/text.h"

namespace rangewise::analysis {

namespace {

using model::HostRange;
using model::NameId;
using model::ProjectedRange;
using model::ReportTables;

constexpr size_t kNearNames = 5;
constexpr size_t kMostCandidates = 20'000;  // of which the nearest are looked for

int64_t EndOf(const HostRange& range) {
  return CheckedAdd(range.start.ns, range.inclusive.ns)
      .value_or(std::numeric_limits<int64_t>::max());
}

bool Overlaps(const HostRange& range, const TimeWindow& window) {
  const int64_t a = window.from.value_or(std::numeric_limits<int64_t>::min());
  const int64_t b = window.to.value_or(std::numeric_limits<int64_t>::max());
  const int64_t start = range.start.ns;
  const int64_t end = EndOf(range);
  return (a <= start && start < b) || (a <= end && end < b) || (start < a && end >= b);
}

// The name as nsys users write it: the message, and `@domain` where it is in one.
std::string NsysName(const model::NamePool& names, NameId id) {
  const std::string_view text = names.At(id);
  const model::DomainLength domain = names.DomainAt(id);
  if (domain < 0) return std::string(text);
  const auto length = static_cast<size_t>(domain);
  return Format("{}@{}", text.substr(length + 1), text.substr(0, length));
}

// The names of host ranges, each once, with their text in `text_of(id)`.
template <typename TextOf>
std::vector<std::string> HostNames(const ReportTables& tables, TextOf text_of) {
  std::vector<bool> met(tables.names.size());
  std::set<std::string> names;
  for (const HostRange& range : tables.host) {
    const auto id = static_cast<size_t>(range.name);
    if (met[id]) continue;
    met[id] = true;
    if (names.size() < kMostCandidates) names.insert(text_of(range.name));
  }
  return {names.begin(), names.end()};
}

Error NothingSelected(std::string message, std::vector<std::string> details) {
  return {.code = Code::kNothingSelected,
          .message = std::move(message),
          .details = std::move(details)};
}

// The numbers of the ranges of `name`.
std::vector<uint32_t> RowsNamed(const ReportTables& tables, std::string_view name) {
  std::vector<bool> bears(tables.names.size());
  for (size_t i = 0; i < bears.size(); ++i) {
    const NameId id{static_cast<uint32_t>(i)};
    bears[i] = tables.names.At(id) == name || NsysName(tables.names, id) == name;
  }
  std::vector<uint32_t> rows;
  for (uint32_t i = 0; i < tables.host.size(); ++i) {
    if (bears[static_cast<size_t>(tables.host[i].name)]) rows.push_back(i);
  }
  return rows;
}

// The one of `rows` that is at `index` by start.
uint32_t Nth(const ReportTables& tables, std::vector<uint32_t> rows, size_t index) {
  const auto order = [&](uint32_t row) {
    const HostRange& range = tables.host[row];
    return std::tuple(range.start, tables.threads[range.thread], range.range_id);
  };
  const auto nth = rows.begin() + static_cast<std::ptrdiff_t>(index);
  std::nth_element(rows.begin(), nth, rows.end(),
                   [&](uint32_t a, uint32_t b) { return order(a) < order(b); });
  return *nth;
}

// The range that NAME[@DOMAIN][/INDEX] names.
Result<uint32_t> FindNvtx(const ReportTables& tables, const std::string& text) {
  if (auto rows = RowsNamed(tables, text); !rows.empty()) return Nth(tables, std::move(rows), 0);
  std::string name = text;
  const size_t slash = text.rfind('/');
  if (slash != std::string::npos && slash + 1 < text.size() &&
      text.find_first_not_of("0123456789", slash + 1) == std::string::npos) {
    name = text.substr(0, slash);
    std::vector<uint32_t> rows = RowsNamed(tables, name);
    const std::string digits = text.substr(slash + 1);
    const auto index = ParseInt64(digits);
    if (index && static_cast<uint64_t>(*index) < rows.size()) {
      return Nth(tables, std::move(rows), static_cast<size_t>(*index));
    }
    if (!rows.empty()) {
      Error error = NothingSelected(
          rows.size() == 1
              ? Format("--filter-nvtx: there is 1 range named {}, so the index is 0 and not {}",
                       Quoted(name), digits)
              : Format("--filter-nvtx: there are {} ranges named {}, so the index is 0 to {} and "
                       "not {}",
                       rows.size(), Quoted(name), rows.size() - 1, digits),
          {});
      error.hint = "give an index of these; 0 is the range that starts first";
      return error;
    }
  }
  std::vector<std::string> nearest = NearestFirst(
      name, HostNames(tables, [&](NameId id) { return NsysName(tables.names, id); }));
  nearest.resize(std::min(nearest.size(), kNearNames));
  return NothingSelected(Format("--filter-nvtx: no push/pop range is named {}", Quoted(name)),
                         {"the nearest names are " + QuotedList(nearest)});
}

// What a range itself tells: its name and thread.
class OwnFilter {
 public:
  static Result<OwnFilter> Make(const ReportTables& tables, const RangeFilters& filters) {
    OwnFilter filter;
    std::vector<Regex> excluded;
    for (const std::string& pattern : filters.exclude) {
      ASSIGN_OR_RETURN(Regex regex, Regex::Compile(pattern));
      excluded.push_back(std::move(regex));
    }
    const model::NamePool& names = tables.names;
    filter.names_.resize(names.size());
    for (size_t i = 0; i < names.size(); ++i) {
      const NameId id{static_cast<uint32_t>(i)};
      const auto matches = [&](const Regex& regex) { return regex.FullMatch(names.At(id)); };
      const auto domain = names.Domain(id);
      filter.names_[i] =
          std::none_of(excluded.begin(), excluded.end(), matches) &&
          (filters.domains.empty() ||
           (domain && std::find(filters.domains.begin(), filters.domains.end(), *domain) !=
                          filters.domains.end()));
    }
    const auto among = [](const std::vector<int64_t>& wanted, int64_t id) {
      return wanted.empty() || std::find(wanted.begin(), wanted.end(), id) != wanted.end();
    };
    for (const model::ThreadKey& thread : tables.threads) {
      filter.threads_.push_back(among(filters.threads, thread.thread_id) &&
                                among(filters.processes, thread.process_id));
    }
    return filter;
  }

  void KeepOnly(const ReportTables& tables, const HostRange& named) {
    const model::ThreadKey& key = tables.threads[named.thread];
    const bool one_thread = key.process_id != key.thread_id;
    for (size_t i = 0; i < threads_.size(); ++i) {
      const model::ThreadKey& thread = tables.threads[i];
      if (one_thread ? thread != key : thread.process_id != key.process_id) threads_[i] = false;
    }
  }

  bool Keeps(NameId name, uint32_t thread) const {
    return names_[static_cast<size_t>(name)] && threads_[thread];
  }

 private:
  std::vector<bool> names_;
  std::vector<bool> threads_;
};

// What there is to choose from, for an error.
std::vector<std::string> Choices(const ReportTables& tables, const RangeFilters& filters) {
  std::vector<std::string> details;
  const auto add = [&](const char* what, const std::set<std::string>& choices) {
    details.push_back(Format("{} are {}", what, QuotedList(std::vector<std::string>(
                                                    choices.begin(), choices.end()))));
  };
  std::set<std::string> domains;
  std::set<std::string> threads;
  std::set<std::string> processes;
  for (const HostRange& range : tables.host) {
    if (const auto domain = tables.names.Domain(range.name)) {
      if (domains.size() < kMostCandidates) domains.emplace(*domain);
    }
  }
  for (const model::ThreadKey& thread : tables.threads) {
    threads.insert(Format("{}", thread.thread_id));
    processes.insert(Format("{}", thread.process_id));
  }
  if (!filters.domains.empty()) {
    if (domains.empty()) {
      details.emplace_back("tables of nsys before 2024.4 do not tell domains");
    } else {
      add("the domains", domains);
    }
  }
  if (!filters.threads.empty()) add("the threads", threads);
  if (!filters.processes.empty()) add("the processes", processes);
  if (details.empty()) {
    std::vector<std::string> names = HostNames(
        tables, [&](NameId id) { return std::string(tables.names.At(id)); });
    if (!filters.exclude.empty()) names = NearestFirst(filters.exclude[0], std::move(names));
    names.resize(std::min(names.size(), kNearNames));
    details.push_back("names of ranges are " + QuotedList(names));
  }
  return details;
}

}  // namespace

bool RangeFilters::empty() const {
  return !nvtx && !time && domains.empty() && threads.empty() && processes.empty() &&
         exclude.empty();
}

std::optional<int64_t> ParseTime(std::string_view text) {
  constexpr std::pair<std::string_view, int64_t> kUnits[] = {
      {"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}};
  int64_t factor = 1;
  for (const auto& [unit, size] : kUnits) {
    if (!text.ends_with(unit)) continue;
    text.remove_suffix(unit.size());
    factor = size;
    break;
  }
  const std::optional<int64_t> number = ParseInt64(text);
  return number ? CheckedMul(*number, factor) : std::nullopt;
}

std::optional<TimeWindow> ParseTimeWindow(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  TimeWindow window;
  const std::string_view from = text.substr(0, slash);
  const std::string_view to = text.substr(slash + 1);
  if (!from.empty() && !(window.from = ParseTime(from))) return std::nullopt;
  if (!to.empty() && !(window.to = ParseTime(to))) return std::nullopt;
  if (!window.from && !window.to) return std::nullopt;
  if (window.from && window.to && *window.from >= *window.to) return std::nullopt;
  return window;
}

Result<RangeSelection> SelectRanges(const ReportTables& tables, const RangeFilters& filters) {
  ASSIGN_OR_RETURN(OwnFilter own, OwnFilter::Make(tables, filters));
  std::optional<TimeWindow> of_named;
  std::optional<uint32_t> named;  // overlaps itself, though it may have no length
  if (filters.nvtx) {
    ASSIGN_OR_RETURN(named, FindNvtx(tables, *filters.nvtx));
    const HostRange& range = tables.host[*named];
    of_named = {range.start.ns, EndOf(range)};
    own.KeepOnly(tables, range);
  }
  RangeSelection selection;
  bool any = false;
  selection.host.reserve(tables.host.size());
  for (uint32_t row = 0; row < tables.host.size(); ++row) {
    const HostRange& range = tables.host[row];
    const bool keep = own.Keeps(range.name, range.thread) &&
                      (!filters.time || Overlaps(range, *filters.time)) &&
                      (!of_named || row == named || Overlaps(range, *of_named));
    selection.host.push_back(keep);
    any = any || keep;
  }
  const RangeIndex<HostRange> index{std::span<const HostRange>(tables.host)};
  selection.projected.reserve(tables.projected.size());
  for (const ProjectedRange& range : tables.projected) {
    const uint32_t host = index.Find(range.thread, range.range_id);
    const bool keep = host != kNoRow ? selection.host[host]
                                     : !filters.time && !of_named &&
                                           own.Keeps(range.name, range.thread);
    selection.projected.push_back(keep);
    any = any || keep;
  }
  if (!any) {
    return NothingSelected("no range passes all filters", Choices(tables, filters));
  }
  return selection;
}

}  // namespace rangewise::analysis
