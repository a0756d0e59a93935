#include "support/page_inputs.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "support/raw_trace.h"
#include "support/run_program.h"

namespace rangewise::test_support {
namespace {

using model::OperationKind;
using test::GlobalPid;
using test::GlobalTid;
using test::RawTrace;

constexpr int64_t kProcess = 4711;
constexpr int64_t kMainThread = 4711;
constexpr int64_t kWorkerThread = 4720;
constexpr const char* kCapture = "capture";

// An export that is written down as the program would have run.
class Recording {
 public:
  // A push/pop range of the thread.
  void Range(const std::string& name, int64_t start, int64_t end, int64_t thread = kMainThread) {
    raw_.events.push_back({.row_id = next_row_++,
                           .start = start,
                           .end = end,
                           .text = name,
                           .global_tid = GlobalTid(kProcess, thread)});
  }
  // An operation that a call of 2 us at `call` launched.
  void Launch(OperationKind kind, const std::string& name, int64_t call, int64_t start, int64_t end,
              int64_t stream = 7, int64_t device = 0, int64_t bytes = 0) {
    const int64_t correlation = next_correlation_++;
    raw_.calls.push_back({.start = call,
                          .end = call + 2'000,
                          .global_tid = GlobalTid(kProcess, kMainThread),
                          .correlation = correlation,
                          .name = kind == OperationKind::kKernel ? "cudaLaunchKernel_v7000"
                                                                 : "cudaMemcpyAsync_v3020"});
    operations_.push_back({.kind = kind,
                           .start = start,
                           .end = end,
                           .correlation = correlation,
                           .global_pid = GlobalPid(kProcess),
                           .name = name,
                           .bytes = bytes,
                           .stream = stream,
                           .device = device});
  }
  void Wait(int64_t start, int64_t end) {
    raw_.calls.push_back({.start = start,
                          .end = end,
                          .global_tid = GlobalTid(kProcess, kMainThread),
                          .name = "cudaStreamSynchronize_v3020"});
  }
  const RawTrace& raw() {
    std::stable_sort(operations_.begin(), operations_.end(),
                     [](const auto& a, const auto& b) { return a.kind < b.kind; });
    raw_.operations = operations_;
    return raw_;
  }

 private:
  RawTrace raw_;
  std::vector<test::RawOperation> operations_;
  int64_t next_row_ = 1;
  int64_t next_correlation_ = 100;
};

struct RunText {
  std::string run_id = "page";
  std::string device = "cuda:0";
  std::string workload_key = "batch";
  int iterations = 0;
  std::string more;  // further keys of the manifest
};

// YAML's double-quoted form; bytes beyond ASCII stand as they are.
std::string YamlQuoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      quoted += Format("\\x{:02x}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string ManifestOf(const RunText& run) {
  return Format(
      "capture_range: {}\ncommand_line: train --page\ncuda:\n  synchronize_each_iteration: true\n"
      "data_source:\n  name: made-up\ndevice: {}\nexpected_trace_path: runs/page/trace.nsys-rep\n"
      "git_commit: abc123\nprofile_name: page\nrecord_ids:\n- record-0\nrun_id: {}\ntarget:\n"
      "  name: page\nworkload:\n  iterations: {}\n  warmup: 1\n  {}: 32\n{}",
      kCapture, YamlQuoted(run.device), YamlQuoted(run.run_id), run.iterations,
      YamlQuoted(run.workload_key), run.more);
}

// A number that goes up and down with `i`, the same at each run.
int64_t Wobble(int64_t i, int64_t most) { return (i * 7919 + i * i * 104'729) % most; }

// Iteration `index` from `start`: load on the host, forward and backward with kernels on two
// streams, a copy on a third, and a wait. Returns its end.
int64_t GpuIteration(Recording& run, int64_t index, int64_t start) {
  const int64_t slow = index == 0 ? 400'000 : index == 17 ? 900'000 : Wobble(index, 60'000);
  const int64_t load = start + 120'000 + slow / 2;
  const int64_t forward = load + 260'000;
  const int64_t end = forward + 320'000 + slow / 2;
  run.Range(Format("iteration {}", index), start, end);
  run.Range("load", start + 5'000, load);
  run.Range("decode", start + 10'000, start + 70'000);
  run.Range("forward", load + 2'000, forward);
  for (int64_t layer = 0; layer < 6; ++layer) {
    const int64_t at = load + 5'000 + layer * 40'000;
    run.Range(Format("layer{}", layer), at, at + 36'000);
    run.Range("attention", at + 1'000, at + 20'000);
    run.Launch(OperationKind::kKernel, "flash_attention<float, 128>", at + 3'000, at + 30'000,
               at + 52'000 + Wobble(index + layer, 6'000), 7);
    run.Launch(OperationKind::kKernel, layer % 2 == 0 ? "gemm_128x64" : "gemm_256x128", at + 24'000,
               at + 56'000, at + 90'000, 7);
    if (layer % 3 == 0)
      run.Launch(OperationKind::kKernel, "nccl_all_reduce", at + 28'000, at + 60'000, at + 95'000,
                 13);
  }
  run.Range("backward", forward + 3'000, end - 2'000);
  run.Launch(OperationKind::kKernel, "backward_all", forward + 10'000, forward + 110'000,
             forward + 190'000 + slow / 4, 7);
  run.Launch(OperationKind::kCopy, "", forward + 20'000, forward + 120'000, forward + 150'000, 14,
             0, 4 << 20);
  run.Wait(forward + 30'000, end - 10'000);
  run.Range("prefetch", start + 30'000, end - 30'000, kWorkerThread);
  run.Range("read file", start + 40'000, start + 190'000, kWorkerThread);
  return end;
}

void Gpu(Recording& run, RunText& text) {
  text.iterations = 40;
  int64_t at = 1'000'000;
  const int64_t start = at;
  for (int64_t i = 0; i < text.iterations; ++i) at = GpuIteration(run, i, at + 10'000);
  run.Range(kCapture, start, at + 50'000);
  text.more = "name_rules:\n- pattern: 'layer[0-9]+'\n  replace: 'layer#'\n";
}

void CpuOnly(Recording& run, RunText& text) {
  text.iterations = 12;
  int64_t at = 1'000'000;
  const int64_t start = at;
  for (int64_t i = 0; i < text.iterations; ++i) {
    const int64_t end = at + 500'000 + Wobble(i, 90'000);
    run.Range(Format("iteration {}", i), at, end);
    run.Range("parse", at + 1'000, at + 200'000);
    run.Range("tokenise", at + 2'000, at + 120'000);
    run.Range("write", at + 210'000, end - 4'000);
    at = end + 3'000;
  }
  run.Range(kCapture, start, at);
}

void OneIteration(Recording& run, RunText& text) {
  text.iterations = 1;
  const int64_t end = GpuIteration(run, 0, 1'000'000);
  run.Range(kCapture, 900'000, end + 1'000);
}

void NoIterations(Recording& run, RunText& /*text*/) {
  run.Range(kCapture, 1'000'000, 9'000'000);
  run.Range("prepare", 1'100'000, 3'000'000);
  run.Range("solve", 3'100'000, 8'900'000);
  run.Range("step", 3'200'000, 5'000'000);
  run.Launch(OperationKind::kKernel, "relax", 3'300'000, 3'400'000, 4'900'000);
}

void ManyIterations(Recording& run, RunText& text) {
  text.iterations = 10'000;
  int64_t at = 1'000'000;
  const int64_t start = at;
  for (int64_t i = 0; i < text.iterations; ++i) {
    const int64_t end = at + 200'000 + Wobble(i, 30'000) + (i % 997 == 3 ? 400'000 : 0);
    run.Range(Format("iteration {}", i), at, end);
    run.Range("step", at + 1'000, end - 1'000);
    run.Launch(OperationKind::kKernel, "step", at + 5'000, at + 20'000,
               at + 90'000 + Wobble(i, 50'000));
    at = end + 2'000;
  }
  run.Range(kCapture, start, at);
}

// `paths` scope paths in one iteration: groups of 50 names, each with 10 below it, each with 9
// below that.
void Paths(Recording& run, RunText& text, int64_t paths) {
  text.iterations = 1;
  int64_t at = 1'010'000;
  int64_t made = 0;
  for (int64_t outer = 0; made < paths; ++outer) {
    const int64_t outer_start = at;
    for (int64_t middle = 0; middle < 10 && made < paths; ++middle) {
      const int64_t middle_start = at + 1'000;
      at += 2'000;
      for (int64_t inner = 0; inner < 9 && made < paths; ++inner, ++made) {
        run.Range(Format("operator_{}", inner), at, at + 3'000 + Wobble(made, 4'000));
        if (made % 5 == 0)
          run.Launch(OperationKind::kKernel, Format("kernel_{}", made % 300), at + 100, at + 4'000,
                     at + 9'000);
        at += 8'000;
      }
      run.Range(Format("block {}", middle), middle_start, at + 500);
      ++made;
    }
    run.Range(Format("module.{}", outer), outer_start, at + 1'000);
    ++made;
    at += 2'000;
  }
  run.Range("iteration 0", 1'005'000, at + 1'000);
  run.Range(kCapture, 1'000'000, at + 2'000);
}

void Hostile(Recording& run, RunText& text) {
  text.iterations = 2;
  const std::vector<std::string>& names = HostileNames();
  text.run_id = names[0];
  text.device = names[1];
  text.workload_key = names[2];
  int64_t at = 1'000'000;
  const int64_t start = at;
  for (int64_t i = 0; i < 2; ++i) {
    const int64_t iteration = at;
    at += 1'000;
    for (size_t name = 0; name < names.size(); ++name) {
      run.Range(names[name], at, at + 40'000);
      run.Range(names[(name + 1) % names.size()], at + 1'000, at + 20'000);
      run.Launch(OperationKind::kKernel, names[name], at + 3'000, at + 8'000, at + 30'000);
      at += 50'000;
    }
    run.Range(Format("iteration {}", i), iteration, at);
    at += 1'000;
  }
  run.Range(kCapture, start, at);
}

// Times before zero, without length, and of years; ranges 60 levels deep.
void OddTimes(Recording& run, RunText& text) {
  constexpr int64_t kYears = 300'000'000'000'000'000;
  text.iterations = 3;
  run.Range(kCapture, -9'000'000, kYears + 1'000);
  run.Range("iteration 0", -8'000'000, -7'000'000);
  run.Launch(OperationKind::kKernel, "early", -7'900'000, -7'800'000, -7'700'000);
  run.Range("iteration 1", -1'000, -1'000);
  run.Range("instant", -1'000, -1'000);
  run.Range("iteration 2", 0, kYears);
  for (int64_t level = 0; level < 60; ++level)
    run.Range(Format("level {}", level), 1'000 + level, kYears - 1'000 - level);
  run.Launch(OperationKind::kKernel, "late", 5'000, kYears - 9'000, kYears - 8'000);
  run.Launch(OperationKind::kKernel, "no time", 9'000, kYears - 7'000, kYears - 7'000);
}

void ManyThreads(Recording& run, RunText& text) {
  text.iterations = 2;
  for (int64_t i = 0; i < text.iterations; ++i) {
    const int64_t start = 1'000'000 + i * 500'000;
    run.Range(Format("iteration {}", i), start, start + 400'000);
    for (int64_t thread = 0; thread < 3'000; ++thread)
      run.Range("worker", start + thread, start + 200'000 + thread, 10'000 + thread);
  }
  run.Range(kCapture, 900'000, 3'000'000);
}

struct Maker {
  PageInput input;
  std::function<void(Recording&, RunText&)> make;
};

const std::vector<Maker>& Makers() {
  static const std::vector<Maker> makers = {
      {{"gpu", "40 iterations with kernels, copies and waits on three streams and two threads"},
       Gpu},
      {{"cpu-only", "12 iterations without GPU work"}, CpuOnly},
      {{"one-iteration", "a single iteration with GPU work"}, OneIteration},
      {{"no-iterations", "ranges in a capture range without iterations"}, NoIterations},
      {{"many-iterations", "10,000 iterations"}, ManyIterations},
      {{"many-paths", "5,000 scope paths"},
       [](Recording& run, RunText& text) { Paths(run, text, 5'000); }},
      {{"too-many-paths", "40,000 scope paths, which no page shows whole"},
       [](Recording& run, RunText& text) { Paths(run, text, 40'000); }},
      {{"odd-times", "times before zero, without length and of years, 60 levels of ranges"}, OddTimes},
      {{"many-threads", "ranges on 3,000 threads"}, ManyThreads},
      {{"hostile", "names that are markup, scripts and control characters"}, Hostile},
  };
  return makers;
}

}  // namespace

const std::vector<std::string>& HostileNames() {
  static const std::vector<std::string> names = {
      "</script><script>document.title='owned'</script>",
      "<img src=x onerror=\"document.title='owned'\">",
      "\"'`=><&amp;&#60;",
      "\\u003c/script\\u003e \\ \\\\",
      "line\xe2\x80\xa8separator\xe2\x80\xa9paragraph",
      "\x1b[31mred\x1b[0m \x07"
      "bell \x7f",
      "\xe2\x80\xae"
      "right to left\xe2\x80\xac \xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d 123 "
      "\xd8\xb3\xd9\x84\xd8\xa7\xd9\x85",
      "<!--rangewise:data--> --> ]]> </title></style></textarea>",
      "bytes \xff\xfe that are no UTF-8",
      " ",
      "javascript:alert(1) {{constructor.constructor('x')()}} ${x} $& $1",
      "=HYPERLINK(\"http://example.test/\") +1 @x",
      std::string(100'000, 'x') + "<b>end</b>",
  };
  return names;
}

const std::vector<PageInput>& PageInputs() {
  static const std::vector<PageInput> inputs = [] {
    std::vector<PageInput> list;
    for (const Maker& maker : Makers()) list.push_back(maker.input);
    return list;
  }();
  return inputs;
}

std::filesystem::path WritePageInput(const std::string& name, const std::filesystem::path& folder) {
  const auto maker = std::find_if(Makers().begin(), Makers().end(),
                                  [&](const Maker& each) { return each.input.name == name; });
  if (maker == Makers().end()) std::abort();
  Recording recording;
  RunText text;
  maker->make(recording, text);
  const std::filesystem::path run = folder / name;
  std::filesystem::create_directories(run);
  test::WriteExport(recording.raw(), run / "trace.sqlite");
  Spill(run / "manifest.yaml", ManifestOf(text));
  return run;
}

}  // namespace rangewise::test_support
