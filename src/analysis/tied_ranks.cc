#include "analysis/tied_ranks.h"

#include <algorithm>
#include <utility>

namespace rangewise::analysis {
namespace {

constexpr size_t kMostKept = size_t{1} << 22;  // probabilities: 32 MiB

// Choices among the values seen so far: of `seen`, k are taken. Their doubled ranks add up to
// something from k (k + 1) to that plus 2 k (seen - k).
size_t Width(uint64_t seen, uint64_t k) { return static_cast<size_t>(2 * k * (seen - k) + 1); }

struct Taken {
  uint64_t fewest = 0;
  uint64_t most = 0;
};

// How many of the first `seen` values can be among the k taken of n.
Taken Among(uint64_t seen, uint64_t n, uint64_t k) {
  const uint64_t unseen = n - seen;
  return {k > unseen ? k - unseen : 0, std::min(seen, k)};
}

// Calls visit(taken, of_group) for each way to have `taken` with a group whose first value is
// behind `seen` others.
template <typename Visit>
void ForEachStepOf(uint64_t group, uint64_t seen, uint64_t n, uint64_t k, Visit visit) {
  const Taken before = Among(seen, n, k);
  const Taken after = Among(seen + group, n, k);
  for (uint64_t taken = after.fewest; taken <= after.most; ++taken) {
    for (uint64_t of_group = 0; of_group <= std::min(group, taken); ++of_group) {
      const uint64_t others = taken - of_group;
      if (others >= before.fewest && others <= before.most) visit(taken, of_group);
    }
  }
}

double Choose(uint64_t n, uint64_t k) {
  double ways = 1;
  for (uint64_t i = 1; i <= k; ++i)
    ways = ways * static_cast<double>(n - k + i) / static_cast<double>(i);
  return ways;
}

}  // namespace

std::vector<double> CountRankSums(std::span<const uint32_t> groups, uint64_t k) {
  uint64_t n = 0;
  for (const uint32_t group : groups) n += group;
  double steps = 0;
  uint64_t seen = 0;
  for (const uint32_t group : groups) {
    ForEachStepOf(group, seen, n, k, [&](uint64_t taken, uint64_t of_group) {
      steps += static_cast<double>(Width(seen, taken - of_group));
    });
    if (steps > kMostCountingSteps) return {};
    seen += group;
  }

  std::vector<std::vector<double>> ways(k + 1);
  std::vector<std::vector<double>> next(k + 1);
  ways[0] = {1};
  uint64_t counted = 0;
  for (const uint32_t group : groups) {
    const Taken after = Among(counted + group, n, k);
    for (uint64_t taken = after.fewest; taken <= after.most; ++taken)
      next[taken].assign(Width(counted + group, taken), 0);
    ForEachStepOf(group, counted, n, k, [&](uint64_t taken, uint64_t of_group) {
      // The group's doubled midrank is 2 counted + group + 1; indexes count from k (k + 1).
      const uint64_t shift = of_group * (2 * counted + group + of_group - 2 * taken);
      const double times = Choose(group, of_group);
      const std::vector<double>& from = ways[taken - of_group];
      double* to = next[taken].data() + shift;
      for (size_t i = 0; i < from.size(); ++i) to[i] += times * from[i];
    });
    counted += group;
    std::swap(ways, next);
  }
  return std::move(ways[k]);
}

TiedRanks::TiedRanks(int64_t baseline, int64_t candidate)
    : chosen_(static_cast<uint64_t>(std::min(baseline, candidate))) {}

std::optional<double> TiedRanks::TwoSided(const std::vector<uint32_t>& groups, int64_t distance) {
  auto at = at_least_.find(groups);
  if (at == at_least_.end()) {
    const std::vector<double> counts = CountRankSums(groups, chosen_);
    // From both ends to the middle, where the mean is: small counts are added first.
    std::vector<double> at_least((counts.size() + 1) / 2);
    double sum = 0;
    for (size_t i = 0; i < at_least.size(); ++i) {
      const size_t mirrored = counts.size() - 1 - i;
      sum += mirrored == i ? counts[i] : counts[i] + counts[mirrored];
      at_least[at_least.size() - 1 - i] = sum;
    }
    for (double& share : at_least) share /= sum;
    if (kept_ > kMostKept) {
      at_least_.clear();
      kept_ = 0;
    }
    kept_ += at_least.size() + groups.size();
    at = at_least_.emplace(groups, std::move(at_least)).first;
  }
  if (at->second.empty()) return std::nullopt;
  return at->second[static_cast<size_t>(distance)];
}

}  // namespace rangewise::analysis
