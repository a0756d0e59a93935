#include "analysis/compare_contract.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <variant>

namespace rangewise::analysis {
namespace {

using model::ContractRow;
using model::ContractState;
using model::ContractValue;
using model::RunSummary;
using Runs = std::span<const RunSummary* const>;

const Value* Find(const ValueMap& values, std::string_view key) {
  const auto at = values.find(std::string(key));
  return at == values.end() ? nullptr : &at->second;
}

const ValueMap* AsMap(const Value* value) {
  return value == nullptr ? nullptr : std::get_if<ValueMap>(&value->data);
}

bool IsAllowed(const AllowedKeys& allowed, std::string_view key) {
  return allowed.contains(key) || allowed.contains(key.substr(0, key.find('.')));
}

// The distinct values of one side. `value_of(run)` is null where it was not recorded.
template <typename ValueOf>
std::vector<ContractValue> Distinct(Runs runs, ValueOf value_of) {
  std::vector<ContractValue> distinct;
  for (size_t i = 0; i < runs.size(); ++i) {
    const Value* value = value_of(*runs[i]);
    const auto same =
        std::find_if(distinct.begin(), distinct.end(), [&](const ContractValue& seen) {
          return value == nullptr ? !seen.value : seen.value && *seen.value == *value;
        });
    if (same != distinct.end()) {
      same->runs.push_back(i);
    } else {
      distinct.push_back({value ? std::optional(*value) : std::nullopt, {i}});
    }
  }
  return distinct;
}

ContractState StateOf(const std::vector<ContractValue>& baseline,
                      const std::vector<ContractValue>& candidate) {
  std::vector<const ContractValue*> all;
  for (const ContractValue& value : baseline) all.push_back(&value);
  for (const ContractValue& value : candidate) all.push_back(&value);
  const bool recorded =
      std::any_of(all.begin(), all.end(), [](const ContractValue* value) { return value->value; });
  if (!recorded) return ContractState::kUnknown;
  const bool one = std::all_of(all.begin(), all.end(), [&](const ContractValue* value) {
    return value->value == all.front()->value;
  });
  return one ? ContractState::kEqual : ContractState::kDifferent;
}

template <typename ValueOf>
ContractRow MakeRow(std::string key, Runs baseline, Runs candidate, const AllowedKeys& allowed,
                    ValueOf value_of) {
  ContractRow row;
  row.baseline = Distinct(baseline, value_of);
  row.candidate = Distinct(candidate, value_of);
  row.state = StateOf(row.baseline, row.candidate);
  row.allowed = row.state != ContractState::kEqual && IsAllowed(allowed, key);
  row.key = std::move(key);
  return row;
}

// The keys within `key` over all runs, when every run recorded a mapping there.
std::set<std::string> KeysWithin(std::string_view key, Runs baseline, Runs candidate) {
  std::set<std::string> keys;
  for (const Runs side : {baseline, candidate}) {
    for (const RunSummary* run : side) {
      const ValueMap* map = AsMap(Find(run->contract, key));
      if (map == nullptr) return {};
      for (const auto& [name, value] : *map) keys.insert(name);
    }
  }
  return keys;
}

}  // namespace

std::vector<ContractRow> CompareContracts(Runs baseline, Runs candidate,
                                          const AllowedKeys& allowed) {
  std::vector<ContractRow> rows;
  for (const std::string_view key : model::kContractKeys) {
    const std::set<std::string> within = KeysWithin(key, baseline, candidate);
    for (const std::string& name : within) {
      rows.push_back(MakeRow(
          std::string(key) + "." + name, baseline, candidate, allowed,
          [&](const RunSummary& run) { return Find(*AsMap(Find(run.contract, key)), name); }));
    }
    if (!within.empty()) continue;
    rows.push_back(MakeRow(std::string(key), baseline, candidate, allowed,
                           [&](const RunSummary& run) { return Find(run.contract, key); }));
  }
  return rows;
}

bool ContractHolds(std::span<const ContractRow> rows) {
  return std::all_of(rows.begin(), rows.end(), [](const ContractRow& row) {
    return row.state == ContractState::kEqual || row.allowed;
  });
}

}  // namespace rangewise::analysis
