#include "tables/row_matching.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace rangewise::tables {
namespace {

constexpr uint64_t kNoPartner = UINT64_MAX;

bool Same(const HashedRow& a, const HashedRow& b) { return a.key == b.key && a.values == b.values; }

bool InOrder(const HashedRow& a, const HashedRow& b) {
  return std::make_tuple(a.key, a.values, a.number()) <
         std::make_tuple(b.key, b.values, b.number());
}

bool ByNumber(const HashedRow& a, const HashedRow& b) { return a.number() < b.number(); }

// Cuts what both lists begin and end with; the number of rows cut.
uint64_t CutCommonEnds(std::span<HashedRow>& theirs, std::span<HashedRow>& ours) {
  const size_t shorter = std::min(theirs.size(), ours.size());
  size_t head = 0;
  while (head < shorter && Same(theirs[head], ours[head])) ++head;
  size_t tail = 0;
  while (tail < shorter - head &&
         Same(theirs[theirs.size() - 1 - tail], ours[ours.size() - 1 - tail])) {
    ++tail;
  }
  theirs = theirs.subspan(head, theirs.size() - head - tail);
  ours = ours.subspan(head, ours.size() - head - tail);
  return head + tail;
}

// The rows of one key at the front of `rows`, which is sorted.
std::span<HashedRow> TakeKey(std::span<HashedRow>& rows, uint64_t key) {
  size_t count = 0;
  while (count < rows.size() && rows[count].key == key) ++count;
  const auto group = rows.first(count);
  rows = rows.subspan(count);
  return group;
}

class Matcher {
 public:
  Matcher(std::span<HashedRow> theirs, std::span<HashedRow> ours)
      : first_theirs_(theirs.empty() ? 0 : theirs.front().number()),
        partner_(theirs.size(), kNoPartner) {
    std::sort(theirs.begin(), theirs.end(), InOrder);
    std::sort(ours.begin(), ours.end(), InOrder);
    while (!theirs.empty() || !ours.empty()) {
      const uint64_t key = ours.empty()     ? theirs.front().key
                           : theirs.empty() ? ours.front().key
                                            : std::min(theirs.front().key, ours.front().key);
      const std::span<HashedRow> group = TakeKey(theirs, key);
      MatchKey(group, TakeKey(ours, key));
    }
    std::sort(result_.threadless.begin(), result_.threadless.end(), ByNumber);
    std::sort(result_.added.begin(), result_.added.end());
    std::sort(result_.different.begin(), result_.different.end(),
              [](const RowPair& a, const RowPair& b) { return a.theirs < b.theirs; });
    CountDisplaced();
  }

  // `ours`: all of our rows, in any order; they tell doubled rows from missing ones.
  RowMatching Take(std::span<const HashedRow> ours) {
    std::unordered_map<uint64_t, bool> ours_has;
    for (const HashedRow& row : surplus_) ours_has[row.key] = false;
    for (size_t i = 0; i < ours.size() && !surplus_.empty(); ++i) {
      if (const auto found = ours_has.find(ours[i].key); found != ours_has.end()) {
        found->second = true;
      }
    }
    for (const HashedRow& row : surplus_) {
      if (ours_has[row.key]) {
        result_.doubled.push_back(row);
      } else {
        result_.missing.push_back(row.number());
      }
    }
    std::sort(result_.missing.begin(), result_.missing.end());
    std::sort(result_.doubled.begin(), result_.doubled.end(), ByNumber);
    return std::move(result_);
  }

 private:
  // Both sorted by values, then number.
  void MatchKey(std::span<const HashedRow> theirs, std::span<const HashedRow> ours) {
    std::vector<HashedRow> rest_theirs;
    std::vector<HashedRow> rest_ours;
    size_t t = 0;
    size_t o = 0;
    while (t < theirs.size() && o < ours.size()) {
      if (theirs[t].values < ours[o].values) {
        rest_theirs.push_back(theirs[t++]);
      } else if (ours[o].values < theirs[t].values) {
        rest_ours.push_back(ours[o++]);
      } else {
        ++result_.equal;
        Pair(theirs[t++], ours[o++]);
      }
    }
    rest_theirs.insert(rest_theirs.end(), theirs.begin() + static_cast<ptrdiff_t>(t), theirs.end());
    rest_ours.insert(rest_ours.end(), ours.begin() + static_cast<ptrdiff_t>(o), ours.end());
    std::sort(rest_theirs.begin(), rest_theirs.end(), ByNumber);
    std::sort(rest_ours.begin(), rest_ours.end(), ByNumber);
    const size_t pairs = std::min(rest_theirs.size(), rest_ours.size());
    for (size_t i = 0; i < pairs; ++i) {
      Pair(rest_theirs[i], rest_ours[i]);
      result_.different.push_back({rest_theirs[i].number(), rest_ours[i].number()});
    }
    for (size_t i = pairs; i < rest_theirs.size(); ++i) {
      if (rest_theirs[i].threadless()) {
        result_.threadless.push_back(rest_theirs[i]);
      } else {
        surplus_.push_back(rest_theirs[i]);
      }
    }
    for (size_t i = pairs; i < rest_ours.size(); ++i)
      result_.added.push_back(rest_ours[i].number());
  }

  void Pair(const HashedRow& theirs, const HashedRow& ours) {
    partner_[static_cast<size_t>(theirs.number() - first_theirs_)] = ours.number();
  }

  // All matched rows but those of a longest run that ascends in both tables: what has to move.
  void CountDisplaced() {
    std::vector<uint64_t> ends;  // of the ascending runs of each length the least last partner
    uint64_t matched = 0;
    for (const uint64_t partner : partner_) {
      if (partner == kNoPartner) continue;
      ++matched;
      if (ends.empty() || ends.back() < partner) {
        ends.push_back(partner);
      } else {
        *std::lower_bound(ends.begin(), ends.end(), partner) = partner;
      }
    }
    result_.displaced = matched - ends.size();
  }

  uint64_t first_theirs_;
  std::vector<uint64_t> partner_;   // by their row number, from first_theirs_ on
  std::vector<HashedRow> surplus_;  // theirs, without partner
  RowMatching result_;
};

}  // namespace

RowMatching MatchRows(std::vector<HashedRow> theirs, std::vector<HashedRow> ours) {
  std::span<HashedRow> middle_theirs(theirs);
  std::span<HashedRow> middle_ours(ours);
  const uint64_t common = CutCommonEnds(middle_theirs, middle_ours);
  RowMatching result = Matcher(middle_theirs, middle_ours).Take(ours);
  result.equal += common;
  return result;
}

}  // namespace rangewise::tables
