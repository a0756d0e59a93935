// Owns making a GpuActivity by hand: an operation, call or graph per call of a function, at a site
// that is named by the ranges that hold its launching call.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "model/gpu_activity.h"
#include "model/names.h"

namespace rangewise::testing {

class ActivityBuilder {
 public:
  explicit ActivityBuilder(model::NamePool& names) : names_(names) {}

  // Where an operation ran; later ones run there, too.
  ActivityBuilder& On(int64_t device, int64_t stream, uint32_t process = 0) {
    device_ = device;
    stream_ = stream;
    process_ = process;
    return *this;
  }
  // Later operations are nodes of graphs.
  ActivityBuilder& FromGraph(bool from_graph = true) {
    from_graph_ = from_graph;
    return *this;
  }

  // Inside of the range `id`, the smallest that holds the call.
  static model::Site In(int64_t id) { return static_cast<model::Site>(id); }
  model::Site InAll(std::vector<model::SiteLeaf> leaves) {
    if (activity_.leaf_set_begin.empty()) activity_.leaf_set_begin.push_back(0);
    activity_.leaves.insert(activity_.leaves.end(), leaves.begin(), leaves.end());
    activity_.leaf_set_begin.push_back(static_cast<uint32_t>(activity_.leaves.size()));
    return model::GpuActivity::kLeafSets + static_cast<model::Site>(activity_.leaf_sets() - 1);
  }

  // `launch`: operations that share one have one launching call; absent: its own. `delay`: from that
  // call's end; absent: not known.
  ActivityBuilder& Kernel(std::string_view name, int64_t start, int64_t end, model::Site site,
                          std::optional<int64_t> delay = std::nullopt,
                          std::optional<int64_t> launch = std::nullopt) {
    kernels_.push_back(Operation({.kind = model::OperationKind::kKernel, .name = Name(name)}, start,
                                 end, site, delay, launch));
    return *this;
  }
  ActivityBuilder& Copy(std::string_view direction, int64_t bytes, int64_t start, int64_t end,
                        model::Site site, std::optional<int64_t> delay = std::nullopt) {
    const std::string name = "[CUDA memcpy " + std::string(direction) + "]";
    copies_.push_back(Operation({.kind = model::OperationKind::kCopy,
                                 .name = Name(name),
                                 .direction = direction.empty() ? model::kNoName : Name(direction)},
                                start, end, site, delay, std::nullopt));
    copy_bytes_.push_back(bytes);
    return *this;
  }
  ActivityBuilder& Set(int64_t bytes, int64_t start, int64_t end, model::Site site) {
    sets_.push_back(Operation({.kind = model::OperationKind::kSet, .name = Name("[CUDA memset]")},
                              start, end, site, std::nullopt, std::nullopt));
    set_bytes_.push_back(bytes);
    return *this;
  }
  ActivityBuilder& Call(model::CallClass call_class, int64_t time, model::Site site) {
    activity_.calls.Add(call_class, time, site);
    return *this;
  }
  ActivityBuilder& Graph(int64_t start, int64_t end, model::Site site) {
    activity_.graph_records.push_back(
        {.start_ns = start, .end_ns = end, .device = device_, .stream = stream_, .site = site});
    return *this;
  }
  model::GpuActivity& activity() { return activity_; }

  // Once, at the end.
  model::GpuActivity Build() {
    activity_.kernel_count = kernels_.size();
    for (const auto* part : {&kernels_, &copies_, &sets_}) {
      activity_.operations.insert(activity_.operations.end(), part->begin(), part->end());
    }
    activity_.memory_bytes = copy_bytes_;
    activity_.memory_bytes.insert(activity_.memory_bytes.end(), set_bytes_.begin(),
                                  set_bytes_.end());
    return std::move(activity_);
  }

 private:
  model::NameId Name(std::string_view text) { return names_.Intern(text); }

  model::ActivityOperation Operation(model::ActivityShape shape, int64_t start, int64_t end,
                                     model::Site site, std::optional<int64_t> delay,
                                     std::optional<int64_t> launch) {
    shape.device = device_;
    shape.stream = stream_;
    shape.context = 1;
    shape.process = process_;
    shape.from_graph = from_graph_;
    size_t index = 0;
    while (index < activity_.shapes.size() && !(activity_.shapes[index] == shape)) ++index;
    if (index == activity_.shapes.size()) activity_.shapes.push_back(shape);
    model::ActivityOperation operation;
    operation.start_ns = start;
    operation.duration = activity_.numbers.Encode(end - start);
    if (delay) operation.delay = activity_.numbers.Encode(*delay);
    operation.shape = static_cast<uint32_t>(index) & 0x7FFFFFFFu;
    const bool is_first = !launch || launches_.try_emplace(*launch, true).second;
    operation.first_of_launch = is_first && site != model::kNoCall ? 1 : 0;
    operation.site = site;
    return operation;
  }

  model::NamePool& names_;
  model::GpuActivity activity_;
  std::vector<model::ActivityOperation> kernels_;
  std::vector<model::ActivityOperation> copies_;
  std::vector<model::ActivityOperation> sets_;
  std::vector<int64_t> copy_bytes_;
  std::vector<int64_t> set_bytes_;
  std::map<int64_t, bool> launches_;
  int64_t device_ = 0;
  int64_t stream_ = 7;
  uint32_t process_ = 0;
  bool from_graph_ = false;
};

}  // namespace rangewise::testing
