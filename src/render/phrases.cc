#include "render/phrases.h"

#include <limits>
#include <string_view>
#include <variant>

#include "base/checked.h"
#include "base/text.h"
#include "render/units.h"

namespace rangewise::render {

namespace {

struct SynchronisationPoint {
  const char* key;
  const char* words;
};
constexpr SynchronisationPoint kSynchronisationPoints[] = {
    {"synchronize_before_warmup", "before the warm-up"},
    {"synchronize_after_warmup", "after the warm-up"},
    {"synchronize_before_capture", "before the capture"},
    {"synchronize_each_iteration", "at each iteration"},
    {"synchronize_after_capture", "after the capture"},
};

void Append(std::string& list, const char* item) {
  if (!list.empty()) list += ", ";
  list += item;
}

}  // namespace

const char* SourceInWords(model::ReportSource source) {
  switch (source) {
    case model::ReportSource::kNsys:
      return "made by nsys in this analysis";
    case model::ReportSource::kCsv:
      return "CSV files that were there already";
    case model::ReportSource::kSqlite:
      return "made by rangewise from the SQLite export";
  }
  return "";
}

std::string SynchronisationInWords(const ValueMap& cuda) {
  std::string yes;
  std::string no;
  std::string unknown;
  for (const SynchronisationPoint& point : kSynchronisationPoints) {
    const auto entry = cuda.find(point.key);
    const bool* given =
        entry == cuda.end() ? nullptr : std::get_if<bool>(&entry->second.data);
    Append(given == nullptr ? unknown : *given ? yes : no, point.words);
  }
  std::string text;
  const auto add = [&](const char* what, const std::string& points) {
    if (points.empty()) return;
    if (!text.empty()) text += "; ";
    text += what;
    text += points;
  };
  add("", yes);
  add("not ", no);
  add("not recorded: ", unknown);
  return text;
}

std::string ValueInWords(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value.data)) return *flag ? "yes" : "no";
  if (const auto* integer = std::get_if<Integer>(&value.data)) return integer->digits;
  if (const auto* number = std::get_if<double>(&value.data)) return ShortestDecimal(*number);
  if (const auto* text = std::get_if<std::string>(&value.data)) return *text;
  if (const auto* list = std::get_if<ValueList>(&value.data)) {
    return Counted(static_cast<int64_t>(list->size()), "item", "items");
  }
  if (const auto* map = std::get_if<ValueMap>(&value.data)) {
    return Counted(static_cast<int64_t>(map->size()), "key", "keys");
  }
  return "none";
}

int64_t CappedSum(int64_t a, int64_t b) {
  return CheckedAdd(a, b).value_or(std::numeric_limits<int64_t>::max());
}

}  // namespace rangewise::render
