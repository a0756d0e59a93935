#include "support/sample_gpu_work.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "support/sample_document.h"

namespace rangewise::test_support {

namespace {

using model::CallClass;
using model::NameId;

model::AdditiveWork Additive(int64_t kernels, int64_t kernel_ns, int64_t copies, int64_t copy_ns,
                             int64_t bytes) {
  model::AdditiveWork work;
  work.kernels = {kernels, {kernel_ns}};
  work.copies = {{copies, {copy_ns}}, bytes};
  work.sets = {{1, {320}}, 4096};
  work.operations = kernels + copies + 1;
  return work;
}

model::CallTimes Calls(int64_t scale) {
  model::CallTimes calls;
  calls[static_cast<size_t>(CallClass::kSynchronising)] = {1 * scale, {40'000 * scale}};
  calls[static_cast<size_t>(CallClass::kLaunching)] = {3 * scale, {12'000 * scale}};
  calls[static_cast<size_t>(CallClass::kMemory)] = {2 * scale, {5'500 * scale}};
  return calls;
}

template <typename Ns>
model::Statistics<Ns> OfTwo(int64_t low, int64_t high) {
  const auto difference = static_cast<double>(high - low);
  const auto base = static_cast<double>(low);
  return {.total = {low + high},
          .minimum = {low},
          .maximum = {high},
          .mean_ns = base + difference / 2,
          .stddev_ns = difference,
          .median_low = {low},
          .median_high = {high},
          .median_is_whole = false,
          .p90_ns = base + 0.9 * difference,
          .p95_ns = base + 0.95 * difference,
          .p99_ns = base + 0.99 * difference,
          .mad_ns = difference / 2};
}

struct Interned {
  NameId kernel;
  NameId collective;
  NameId direction;
  NameId sync;
};

model::DeviceWork FirstDevice(int64_t scale) {
  return {.device = 0,
          .operations = 4 * scale,
          .busy = {22'000 * scale},
          .streams = {7, 20},
          .classes = {{"communication", 1 * scale, {6'000 * scale}},
                      {"compute", 1 * scale, {15'000 * scale}},
                      {"copy", 1 * scale, {3'000 * scale}},
                      {"set", 1 * scale, {320}}},
          .communication_overlapped = {4'000 * scale},
          .communication_exposed = {2'000 * scale},
          .copy_exposed = {1'250 * scale}};
}

model::GpuWork Work(const Interned& names, int64_t scale) {
  model::GpuWork work;
  work.total = Additive(2 * scale, 21'000 * scale, 2 * scale, 3'500 * scale, 1'048'576 * scale);
  work.own = Additive(scale, 6'000 * scale, 0, 0, 0);
  work.launches = 4 * scale;
  work.copies = {{names.direction, {{scale, {3'000 * scale}}, 1'048'576 * scale}},
                 {model::kNoName, {{scale, {500 * scale}}, std::nullopt}}};
  work.largest_kernels = {{names.kernel, {scale, {15'000 * scale}}},
                          {names.collective, {scale, {6'000 * scale}}}};
  work.distinct_kernels = 2;
  work.busy = {23'000 * scale};
  work.projection = {46'000 * scale};
  work.devices = {{.device = model::kNullInteger,
                   .operations = 1,
                   .busy = {500},
                   .streams = {model::kNullInteger, 3},
                   .classes = {{"copy", 1, {500}}},
                   .communication_overlapped = {},
                   .communication_exposed = {},
                   .copy_exposed = {500}},
                  FirstDevice(scale)};
  work.calls = Calls(scale);
  work.own_calls = Calls(1);
  work.synchronisations = {{names.sync, scale, {38'000 * scale}}, {model::kNoName, 1, {50}}};
  work.queue_delay = model::QueueDelay{
      .started_during_call = 1, .statistics = OfTwo<QueueNs>(2'000, 9'001), .instances = 2};
  return work;
}

model::IdleWindow CaptureWindow(const GpuWorkNames& texts, model::NamePool& names) {
  model::IdleWindow window;
  window.length_ns = 700'839;
  window.start_ns = 1'000'000;
  window.devices = {
      {.device = 0,
       .idle = {400'000},
       .gaps = 2,
       .idle_in_long_gaps = {395'000},
       .long_gaps = 1,
       .gap_lengths = OfTwo<GpuNs>(5'000, 395'000),
       .largest = {{100'000,
                    {395'000},
                    {names.Intern("profile-target"), names.Intern("iteration 0")},
                    texts.call,
                    model::IdleGap::Filling{
                        {names.Intern("profile-target"), names.Intern("IO")}, {316'000}}},
                   {10, {5'000}, {}, ""}}},
      {.device = 1, .idle = {700'839}, .gaps = 1, .idle_in_long_gaps = {700'839}, .long_gaps = 1,
       .gap_lengths = Single<GpuNs>(700'839), .largest = {}}};
  return window;
}

}  // namespace

void AddGpuWork(model::AnalysisDocument& document, const GpuWorkNames& texts) {
  model::NamePool& names = document.tables.names;
  const Interned interned = {names.Intern(texts.kernel), names.Intern(texts.collective),
                             names.Intern(texts.direction), names.Intern("Stream sync")};
  model::RangeGpuWork work;
  const model::ScopePath outer = AddPath(document, {"train"});
  document.analysis.paths.push_back(
      {outer, names.Intern("forward", model::kUnknownDomain)});
  const auto inner = static_cast<model::ScopePath>(document.analysis.paths.size() - 1);
  work.paths = {{outer, Work(interned, 3)}, {inner, Work(interned, 1)}};
  work.paths[1].work.graphs.records = {2, {90'000}};
  work.paths[1].work.graphs.nodes = Additive(1, 700, 0, 0, 0);
  work.paths[1].work.queue_delay = model::QueueDelay{.started_during_call = 3, .statistics = {}};
  if (document.analysis.grouped) {
    work.grouped_paths = {{0, Work(interned, 3)}};
  }
  work.iterations = {{0, Work(interned, 2)}, {1, Work(interned, 1)}};
  work.iterations[1].work.projection = {};
  work.devices = {{.device = 0,
                   .name = texts.device,
                   .work = Additive(9, 70'000, 4, 8'000, 4'194'304),
                   .busy = {61'000},
                   .streams = {{7, 1, Additive(6, 50'000, 0, 0, 0), {48'000}, 700},
                               {20, model::kNullInteger, Additive(3, 20'000, 4, 8'000, 4'194'304),
                                {26'000}}}},
                  {.device = 1,
                   .name = "",
                   .work = Additive(1, 10, 0, 0, 0),
                   .busy = {330},
                   .streams = {}}};
  work.unattributed = {.without_call = {2, {800}}, .outside_ranges = {1, {50}}};
  work.gaps.capture = CaptureWindow(texts, names);
  work.gaps.iterations = {{.iteration = 0,
                           .length_ns = 92'000,
                           .devices = {{.device = 0,
                                        .idle = {46'000},
                                        .gaps = 2,
                                        .idle_in_long_gaps = {40'000},
                                        .long_gaps = 1,
                                        .gap_lengths = OfTwo<GpuNs>(6'000, 40'000),
                                        .largest = {}}}},
                          {.iteration = 1, .length_ns = 0, .devices = {}}};
  work.overlapping_operations = 5;
  document.analysis.gpu_work = std::move(work);
}

void AddSparseGpuWork(model::AnalysisDocument& document) {
  model::NamePool& names = document.tables.names;
  const Interned interned = {model::kNoName, model::kNoName, names.Intern("Device-to-Device"), model::kNoName};
  model::RangeGpuWork work;
  const model::ScopePath path = AddPath(document, {"lonely"});
  work.paths = {{path, Work(interned, 1)}};
  model::GpuWork& only = work.paths[0].work;
  only.calls.reset();
  only.own_calls.reset();
  only.queue_delay.reset();
  only.synchronisations.reset();
  only.copies.clear();
  only.total.copies.bytes.reset();
  work.null_reasons = {{"calls", "the export has no table CUPTI_ACTIVITY_KIND_RUNTIME"},
                       {"gaps", "the analysis has no capture range"},
                       {"graphs", "the export has no table CUPTI_ACTIVITY_KIND_GRAPH_TRACE"},
                       {"queue_delay", "the export has no table CUPTI_ACTIVITY_KIND_RUNTIME"},
                       {"synchronisations",
                        "the export has no table CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"}};
  document.analysis.gpu_work = std::move(work);
}

}  // namespace rangewise::test_support
