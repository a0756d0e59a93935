#include "analysis/gpu_totals.h"

#include <algorithm>
#include <span>

namespace rangewise::analysis {
namespace {

using model::GpuActivity;
using model::Site;

// Calls add(site, change) for all that is counted; change(total, sign) adds it or takes it away.
template <typename Add>
void EachCounted(const GpuActivity& activity, const SyncTypes& sync_types, Add add) {
  for (const model::ActivityOperation& operation : activity.operations) {
    add(operation.site, [](SiteTotal& total, int sign) { total.operations += sign; });
  }
  activity.calls.Each([&](model::CallClass call_class, int64_t time, Site site) {
    const auto of_class = static_cast<size_t>(call_class);
    add(site, [=](SiteTotal& total, int sign) {
      total.calls[of_class].calls += sign;
      total.calls[of_class].total.ns += sign * time;
    });
  });
  for (const model::GraphRecord& record : activity.graph_records) {
    const int64_t time = record.end_ns - record.start_ns;
    add(record.site, [=](SiteTotal& total, int sign) {
      total.graphs.instances += sign;
      total.graphs.total.ns += sign * time;
    });
  }
  for (const model::SyncRecord& record : activity.sync_records) {
    const size_t type = sync_types.NumberOf(record.type);
    const int64_t time = record.duration_ns;
    add(record.site, [=](SiteTotal& total, int sign) {
      total.synchronisations[type].calls += sign;
      total.synchronisations[type].total.ns += sign * time;
    });
  }
}

void AddOwn(model::CallClass call_class, int64_t time_ns, model::CallTimes& own) {
  model::CallTime& time = own[static_cast<size_t>(call_class)];
  ++time.calls;
  time.total.ns += time_ns;
}

}  // namespace

SyncTypes::SyncTypes(const GpuActivity& activity, const model::NamePool& names) {
  for (const model::SyncRecord& record : activity.sync_records) {
    if (record.type != model::kNoName) types_.push_back(record.type);
  }
  std::sort(types_.begin(), types_.end());
  types_.erase(std::unique(types_.begin(), types_.end()), types_.end());
  std::sort(types_.begin(), types_.end(), [&](model::NameId a, model::NameId b) {
    return names.At(a) < names.At(b);
  });
  if (types_.size() >= kMost) types_.resize(kMost - 1);
}

size_t SyncTypes::NumberOf(model::NameId type) const {
  return static_cast<size_t>(std::find(types_.begin(), types_.end(), type) - types_.begin());
}

std::vector<model::SyncSum> SyncTypes::Named(const Sums& sums) const {
  std::vector<model::SyncSum> named;
  for (size_t i = 0; i <= types_.size(); ++i) {
    if (sums[i].calls == 0) continue;
    named.push_back(
        {i < types_.size() ? types_[i] : model::kNoName, sums[i].calls, sums[i].total});
  }
  return named;
}

SiteTotal& SiteTotal::operator+=(const SiteTotal& other) {
  operations += other.operations;
  for (size_t i = 0; i < calls.size(); ++i) {
    calls[i].calls += other.calls[i].calls;
    calls[i].total.ns += other.calls[i].total.ns;
  }
  graphs.instances += other.graphs.instances;
  graphs.total.ns += other.graphs.total.ns;
  for (size_t i = 0; i < synchronisations.size(); ++i) {
    synchronisations[i].calls += other.synchronisations[i].calls;
    synchronisations[i].total.ns += other.synchronisations[i].total.ns;
  }
  return *this;
}

bool SiteTotal::IsEmpty() const {
  return operations == 0 && graphs.instances == 0 &&
         std::all_of(calls.begin(), calls.end(),
                     [](const model::CallTime& time) { return time.calls == 0; });
}

SiteTotals TotalsByPath(const GpuActivity& activity, const SyncTypes& sync_types,
                        const GpuSites& sites, const SitePaths& paths, ScopePath capture_path) {
  const PathShape& shape = paths.shape();
  SiteTotals totals;
  totals.total.resize(shape.size());
  SiteTotal capture;  // what does not lie in its path by the path of a range
  EachCounted(activity, sync_types, [&](Site site, const auto& change) {
    bool holds = capture_path == kRootPath;
    paths.EachTerm(site, [&](ScopePath path, int sign) {
      change(totals.total[path], sign);
      holds = holds || shape.Holds(capture_path, path);
    });
    if (!holds && sites.InCapture(site)) change(capture, 1);
  });
  shape.AddUp(std::span(totals.total));
  if (capture_path != kRootPath) totals.total[capture_path] += capture;

  if (activity.calls.empty()) return totals;
  totals.own_calls.resize(shape.size());
  activity.calls.Each([&](model::CallClass call_class, int64_t time_ns, Site site) {
    paths.EachPath(site, [&](const Place& place) {
      if (place.own) AddOwn(call_class, time_ns, totals.own_calls[place.index]);
    });
  });
  return totals;
}

SiteTotals TotalsByIteration(const GpuActivity& activity, const SyncTypes& sync_types,
                             const GpuSites& sites, size_t iterations) {
  SiteTotals totals;
  totals.total.resize(iterations);
  EachCounted(activity, sync_types, [&](Site site, const auto& change) {
    sites.EachIteration(site, [&](const Place& place) { change(totals.total[place.index], 1); });
  });
  if (activity.calls.empty()) return totals;
  totals.own_calls.resize(iterations);
  activity.calls.Each([&](model::CallClass call_class, int64_t time_ns, Site site) {
    sites.EachIteration(site, [&](const Place& place) {
      if (place.own) AddOwn(call_class, time_ns, totals.own_calls[place.index]);
    });
  });
  return totals;
}

model::UnattributedWork SumUnattributed(const GpuActivity& activity, const GpuSites& sites) {
  model::UnattributedWork work;
  for (const model::ActivityOperation& operation : activity.operations) {
    bool has_range = false;
    sites.EachLeaf(operation.site, [&](const LeafRow&) { has_range = true; });
    if (has_range) continue;
    model::OperationSum& sum =
        operation.site == model::kNoCall ? work.without_call : work.outside_ranges;
    ++sum.instances;
    sum.total.ns += activity.DurationNs(operation);
  }
  return work;
}

}  // namespace rangewise::analysis
