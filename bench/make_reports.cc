// Writes a run directory with the four report tables of a large made-up recording: manifest.yaml
// and stats/*.csv. The same arguments give the same bytes. The shape is that of a training loop
// under the harness: a capture range `profile-target` with children `iteration N`, below each a
// step with phases, layers and operations, three to four deep, on one or more threads; kernel names
// are quoted and hold commas, as C++ signatures do.
//
//   make_reports FOLDER HOST_RANGES PROJECTED_RANGES GPU_OPERATIONS [SCOPE_PATHS=1000] [THREADS=1]
//
// Every host range that is also projected bears the same RangeId. SCOPE_PATHS is about how many
// distinct paths of names the host table has below the iterations; at most one for each host range.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/text.h"
#include "model/rows.h"

namespace {

using rangewise::model::Report;

// A small generator of our own (SplitMix64's step), so that the bytes do not depend on a library.
class Random {
 public:
  uint64_t Next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  int64_t Below(int64_t n) { return static_cast<int64_t>(Next() % static_cast<uint64_t>(n)); }

 private:
  uint64_t state_ = 20261130;
};

struct Range {
  int64_t start = 0;
  int64_t duration = 0;
  int64_t children = 0;
  int64_t parent = -1;  // index
  int64_t child_count = 0;
  int level = 0;
  int thread = 0;
  std::string name;
};

// Quoted as nsys quotes: where there is a comma.
std::string Field(const std::string& text) {
  return text.find(',') == std::string::npos ? text : '"' + text + '"';
}

// Appends a range below `parent` that takes `duration` from `start`.
size_t Add(std::vector<Range>& ranges, int64_t parent, int64_t start, int64_t duration,
           std::string name) {
  Range range;
  range.start = start;
  range.duration = duration;
  range.parent = parent;
  range.name = std::move(name);
  if (parent >= 0) {
    Range& above = ranges[static_cast<size_t>(parent)];
    above.children += duration;
    ++above.child_count;
    range.level = above.level + 1;
    range.thread = above.thread;
  }
  ranges.push_back(std::move(range));
  return ranges.size() - 1;
}

// One capture range; iterations of a fixed number of leaves; a leaf takes some microseconds.
std::vector<Range> MakeRanges(int64_t count, int64_t paths, int threads, Random& random) {
  static const char* const kPhases[] = {"forward", "backward", "optimizer"};
  static const char* const kOperations[] = {"aten::addmm", "aten::layer_norm", "attention, causal",
                                            "lib:gelu",    "aten::copy_",      "all_reduce"};
  std::vector<Range> ranges;
  ranges.reserve(static_cast<size_t>(count) + 64);
  const size_t capture = Add(ranges, -1, 1'000'000'000, 0, ":profile-target");
  int64_t now = 1'000'001'000;
  int64_t iteration = 0;
  int64_t path = 0;
  auto full = [&] { return static_cast<int64_t>(ranges.size()) >= count; };
  while (!full()) {
    const auto top = static_cast<int64_t>(Add(ranges, static_cast<int64_t>(capture), now, 0,
                                              ":iteration " + std::to_string(iteration++)));
    ranges.back().thread = static_cast<int>(iteration % threads);
    if (threads > 1 && iteration % threads != 0) {
      // Work of another thread: a top level of its own, as helper threads have.
      ranges.back().parent = -1;
      ranges.back().level = 0;
      ranges.back().name = ":worker";
      --ranges[capture].child_count;
    }
    for (const char* phase : kPhases) {
      if (full()) break;
      const auto step =
          static_cast<int64_t>(Add(ranges, top, now += 500, 0, std::string(":") + phase));
      for (int layer = 0; layer < 16 && !full(); ++layer) {
        const auto block = static_cast<int64_t>(
            Add(ranges, step, now += 300, 0, ":layer " + std::to_string(layer)));
        for (int operation = 0; operation < 6 && !full(); ++operation) {
          // Names by a counter once the usual ones are used up, so that there are `paths` distinct
          // paths.
          const int64_t variant = path++ % std::max<int64_t>(1, paths - 50) / 288;
          std::string name = kOperations[operation];
          if (name.find(':') == std::string::npos || name[0] == 'a') name.insert(0, 1, ':');
          if (variant > 0) name += " #" + std::to_string(variant);
          const int64_t duration = 2'000 + random.Below(40'000);
          Add(ranges, block, now, duration, std::move(name));
          now += duration + 200;
        }
        Range& closed = ranges[static_cast<size_t>(block)];
        closed.duration = now - closed.start;
        ranges[static_cast<size_t>(step)].children += closed.duration;
      }
      Range& closed = ranges[static_cast<size_t>(step)];
      closed.duration = now - closed.start;
      ranges[static_cast<size_t>(top)].children += closed.duration;
    }
    Range& closed = ranges[static_cast<size_t>(top)];
    closed.duration = now - closed.start;
    if (closed.parent >= 0) ranges[capture].children += closed.duration;
    now += 1000;
  }
  ranges[capture].duration = now - ranges[capture].start;
  return ranges;
}

std::string RangeStack(const std::vector<Range>& ranges, size_t index) {
  std::vector<size_t> stack;
  for (auto at = static_cast<int64_t>(index); at >= 0;
       at = ranges[static_cast<size_t>(at)].parent) {
    stack.push_back(static_cast<size_t>(at));
  }
  std::string text;
  for (auto at = stack.rbegin(); at != stack.rend(); ++at) text += ':' + std::to_string(*at + 1);
  return text;
}

std::string ParentId(const Range& range) {
  return range.parent < 0 ? std::string() : std::to_string(range.parent + 1);
}

void WriteHost(const std::vector<Range>& ranges, std::ofstream& out) {
  out << "Start (ns),End (ns),Duration (ns),DurChild (ns),DurNonChild "
         "(ns),Name,PID,TID,Lvl,NumChild,RangeId,"
         "ParentId,RangeStack,NameTree\n";
  for (size_t index = 0; index < ranges.size(); ++index) {
    const Range& range = ranges[index];
    std::string tree;
    for (int level = 0; level < range.level; ++level) tree += "--";
    out << rangewise::Format("{},{},{},{},{},{},4242,{},{},{},{},{},{},{}\n", range.start,
                             range.start + range.duration, range.duration, range.children,
                             range.duration - range.children, Field(range.name),
                             4242 + range.thread, range.level, range.child_count, index + 1,
                             ParentId(range), RangeStack(ranges, index), Field(tree + range.name));
  }
}

void WriteProjection(const std::vector<Range>& ranges, int64_t count, Random& random,
                     std::ofstream& out) {
  out << "Name,Projected Start (ns),Projected Duration (ns),Orig Start (ns),Orig Duration "
         "(ns),Style,PID,TID,"
         "NumGPUOps,Lvl,NumChild,RangeId,ParentId,RangeStack\n";
  for (size_t index = 0; index < ranges.size() && static_cast<int64_t>(index) < count; ++index) {
    const Range& range = ranges[index];
    out << rangewise::Format(
        "{},{},{},{},{},PushPop,4242,{},{},{},{},{},{},{}\n", Field(range.name),
        range.start + 20'000, range.duration / 2 + random.Below(1000), range.start, range.duration,
        4242 + range.thread, 1 + random.Below(20), range.level, range.child_count, index + 1,
        ParentId(range), RangeStack(ranges, index));
  }
}

std::vector<std::string> KernelNames() {
  std::vector<std::string> names;
  for (int tile = 0; tile < 40; ++tile) {
    names.push_back(
        rangewise::Format("void "
                          "cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_{}x128_"
                          "64x3_tn_align8>(T1::Params)",
                          64 + 8 * tile));
    names.push_back(
        rangewise::Format("void at::native::vectorized_elementwise_kernel<(int){}, "
                          "at::native::CUDAFunctor_add<float>, "
                          "std::array<char *, (unsigned long)3>>(int, T2, T3)",
                          1 + tile));
  }
  return names;
}

void WriteKernels(const std::vector<std::string>& names, int64_t operations, Random& random,
                  std::ofstream& out) {
  out << "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev "
         "(ns),Name\n";
  for (const std::string& name : names) {
    const int64_t instances = operations / static_cast<int64_t>(names.size());
    const int64_t average = 2'000 + random.Below(50'000);
    out << rangewise::Format("1.2,{},{},{}.0,{}.0,{},{},12.5,{}\n", instances * average, instances,
                             average, average, average - 500, average + 900, Field(name));
  }
}

void WriteTrace(const std::vector<std::string>& names, int64_t operations, Random& random,
                std::ofstream& out) {
  out << "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem "
         "(B),DymSMem (B),Bytes (B),"
         "Throughput (MB/s),SrcMemKd,DstMemKd,Device,Ctx,GreenCtx,Strm,Name\n";
  int64_t now = 1'000'050'000;
  for (int64_t operation = 0; operation < operations; ++operation) {
    const int64_t duration = 1'000 + random.Below(60'000);
    if (operation % 15 == 0) {
      const bool up = random.Below(2) == 0;
      out << rangewise::Format(
          "{},{},{},,,,,,,,,,{},25400.705,{},{},NVIDIA L4 (0),1,,7,[CUDA memcpy {}]\n", now,
          duration, operation + 100, 4096 * (1 + random.Below(1000)), up ? "Pinned" : "Device",
          up ? "Device" : "Pageable", up ? "Host-to-Device" : "Device-to-Host");
    } else {
      const std::string& name =
          names[static_cast<size_t>(random.Below(static_cast<int64_t>(names.size())))];
      out << rangewise::Format("{},{},{},{},1,1,128,1,1,{},0,16384,,,,,NVIDIA L4 (0),1,,7,{}\n",
                               now, duration, operation + 100, 1 + random.Below(4096),
                               16 + random.Below(200), Field(name));
    }
    now += duration + random.Below(3000);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr,
                 "usage: make_reports FOLDER HOST_RANGES PROJECTED_RANGES GPU_OPERATIONS "
                 "[SCOPE_PATHS] [THREADS]\n");
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  const int64_t host = std::atoll(argv[2]);
  const int64_t projected = std::atoll(argv[3]);
  const int64_t operations = std::atoll(argv[4]);
  const int64_t paths = argc > 5 ? std::atoll(argv[5]) : 1000;
  const int threads = argc > 6 ? std::max(1, std::atoi(argv[6])) : 1;

  std::filesystem::create_directories(folder / "stats");
  bool written = true;
  auto write = [&](const std::filesystem::path& path, const auto& content) {
    std::ofstream out(path, std::ios::binary);
    content(out);
    out.close();
    written = written && out.good();
  };
  auto table = [&](Report report) {
    return folder / "stats" / rangewise::model::ReportFileName(report);
  };

  Random random;
  const std::vector<Range> ranges =
      MakeRanges(std::max<int64_t>(host, projected), paths, threads, random);
  const std::vector<Range> on_host(
      ranges.begin(),
      ranges.begin() + std::min<int64_t>(host, static_cast<int64_t>(ranges.size())));
  const std::vector<std::string> names = KernelNames();
  write(table(Report::kPushPop), [&](std::ofstream& out) { WriteHost(on_host, out); });
  write(table(Report::kGpuProjection),
        [&](std::ofstream& out) { WriteProjection(ranges, projected, random, out); });
  write(table(Report::kKernelSummary),
        [&](std::ofstream& out) { WriteKernels(names, operations, random, out); });
  write(table(Report::kGpuTrace),
        [&](std::ofstream& out) { WriteTrace(names, operations, random, out); });
  int64_t iterations = 0;
  for (const Range& range : on_host) iterations += range.name.starts_with(":iteration ") ? 1 : 0;
  write(folder / "manifest.yaml", [&](std::ofstream& out) {
    out << "profile_name: benchmark\nrun_id: fixed-seed\ncapture_range: "
           "profile-target\nrecord_ids: []\n"
        << "workload:\n  iterations: " << iterations << "\n";
  });
  if (!written) std::perror("make_reports");
  return written ? 0 : 1;
}
