#include "tables/odd_rows.h"

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/text.h"

namespace rangewise::tables {
namespace {

uint64_t KeyOf(const model::DoubledRange& range) {
  const std::string pid = Format("{}", range.pid);
  const std::string tid = Format("{}", range.tid);
  const std::string range_id = Format("{}", range.range_id);
  const std::string_view key[] = {pid, tid, range_id};
  return HashOfValues(key);
}

// Keeps the rows that `passes` and gives the numbers of the others.
template <typename Passes>
void Split(std::vector<HashedRow>& rows, std::vector<uint64_t>& others, const Passes& passes) {
  size_t kept = 0;
  for (const HashedRow& row : rows) {
    if (passes(row)) {
      rows[kept++] = row;
    } else {
      others.push_back(row.number());
    }
  }
  rows.resize(kept);
}

// What a row of a doubled range can be.
struct Copies {
  uint32_t domain = 0;
  std::set<uint64_t> values;
  size_t left = 0;  // how often
};

// The hashes of our row under each of the domain's names.
std::set<uint64_t> UnderEachName(const std::vector<std::string>& names, const TableHead& ours,
                                 std::span<const size_t> columns,
                                 std::span<const std::string> fields) {
  std::set<uint64_t> hashes;
  const size_t name_column = ours.Find("Name");
  const size_t tree_column = ours.Find("NameTree");
  const std::string& name = fields[name_column];
  for (const std::string& domain : names) {
    std::string renamed = name;
    std::string tree = tree_column == SIZE_MAX ? std::string() : fields[tree_column];
    if (name.starts_with(names.front() + ":")) {
      renamed = domain + name.substr(names.front().size());
      if (tree.ends_with(name)) tree.replace(tree.size() - name.size(), name.size(), renamed);
    }
    std::vector<std::string_view> values;
    for (const size_t column : columns) {
      values.push_back(column == name_column   ? std::string_view(renamed)
                       : column == tree_column ? std::string_view(tree)
                                               : std::string_view(fields[column]));
    }
    hashes.insert(HashOfValues(values));
  }
  return hashes;
}

// What the official host table shows of a range without a thread: no other range contains it.
std::string ValueOf(const model::ThreadlessRange& range, std::string_view heading) {
  const int64_t duration = range.end_ns - range.start_ns;
  if (heading == "Start (ns)") return Format("{}", range.start_ns);
  if (heading == "End (ns)") return Format("{}", range.end_ns);
  if (heading == "Duration (ns)" || heading == "DurNonChild (ns)") return Format("{}", duration);
  if (heading == "Name" || heading == "NameTree") return range.name;
  if (heading == "RangeId") return Format("{}", range.range_id);
  if (heading == "RangeStack") return Format(":{}", range.range_id);
  if (heading == "DurChild (ns)" || heading == "Lvl" || heading == "NumChild") return "0";
  return "";  // PID, TID, ParentId
}

}  // namespace

Status SplitDoubled(const model::OddRanges& odd, const TableHead& ours,
                    const ComparedColumns& columns, std::vector<HashedRow>& rows,
                    std::vector<uint64_t>& others) {
  if (rows.empty()) return Ok();
  std::unordered_set<uint64_t> candidates;
  for (const HashedRow& row : rows) candidates.insert(row.key);
  std::unordered_map<uint64_t, Copies> copies;
  std::unordered_set<uint64_t> wanted;
  for (const model::DoubledRange& range : odd.doubled) {
    const uint64_t key = KeyOf(range);
    if (candidates.find(key) == candidates.end()) continue;
    wanted.insert(key);
    copies[key] = {range.domain, {}, odd.domain_names[range.domain].size() - 1};
  }
  if (!wanted.empty()) {
    RETURN_IF_ERROR(VisitRows(
        ours, columns.keys, wanted, [&](uint64_t key, std::span<const std::string> fields) {
          Copies& of_range = copies[key];
          of_range.values =
              UnderEachName(odd.domain_names[of_range.domain], ours, columns.values, fields);
        }));
  }
  Split(rows, others, [&](const HashedRow& row) {
    const auto found = copies.find(row.key);
    if (found == copies.end() || found->second.left == 0) return false;
    if (found->second.values.count(row.values) == 0) return false;
    --found->second.left;
    return true;
  });
  return Ok();
}

void SplitThreadless(const model::OddRanges& odd, const TableHead& ours,
                     const ComparedColumns& columns, std::vector<HashedRow>& rows,
                     std::vector<uint64_t>& others) {
  if (rows.empty()) return;
  std::unordered_set<uint64_t> left;
  for (const model::ThreadlessRange& range : odd.threadless) {
    std::vector<std::string> values;
    for (const size_t column : columns.values) {
      values.push_back(ValueOf(range, ours.headings[column]));
    }
    left.insert(HashOfValues(std::vector<std::string_view>(values.begin(), values.end())));
  }
  Split(rows, others, [&](const HashedRow& row) { return left.erase(row.values) == 1; });
}

}  // namespace rangewise::tables
