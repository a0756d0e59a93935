#include "support/random_gpu_trace.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/text.h"

namespace rangewise::test {
namespace {

constexpr int64_t kCaptureStart =
    -5;  // before everything else, so that nothing contains the capture range
const int64_t kThreads[] = {GlobalTid(700, 700), GlobalTid(700, 701), GlobalTid(800, 800)};

bool IsRange(const RawEvent& event) { return event.type != 75; }

class Generator {
 public:
  Generator(std::mt19937_64& random, const GpuTraceShape& shape) : random_(random), shape_(shape) {}

  RawTrace Make() {
    clock_ = 12 + Below(50);
    if (shape_.harness) AddHarness();
    if (Below(3) == 0) AddDomain();
    AddRanges();
    AddCalls();
    AddOperations();
    AddRecords();
    Shuffle();
    return std::move(raw_);
  }

 private:
  int64_t Below(int64_t limit) {
    return static_cast<int64_t>(random_() % static_cast<uint64_t>(limit));
  }
  bool OneIn(int64_t number) { return Below(number) == 0; }
  // Mostly the first thread. One draw a statement, here and below: compilers order operands as they like.
  int64_t Thread() {
    const int64_t number = Below(3);
    return kThreads[OneIn(2) ? 0 : number];
  }
  int64_t FreshRowId() {
    int64_t id = 0;
    do {
      id = OneIn(4) ? Below(1000000) : Below(80);
    } while (!row_ids_.insert(id).second);
    return id;
  }

  RawEvent& Add(int64_t start, std::optional<int64_t> end, const std::string& text,
                int64_t thread) {
    RawEvent event;
    event.row_id = FreshRowId();
    event.start = start;
    event.end = end;
    event.text = text;
    event.global_tid = thread;
    event.registered = OneIn(2);
    raw_.events.push_back(event);
    return raw_.events.back();
  }

  void AddHarness() {
    const int64_t iterations = Below(4);
    Add(kCaptureStart, clock_ + Below(10), "capture", kThreads[0]);
    int64_t at = 0;
    for (int64_t i = 0; i < iterations && at < clock_ - 2; ++i) {
      const int64_t end = std::min(clock_, at + 2 + Below(clock_ / 2));
      Add(at, end, "iteration " + std::to_string(i + Below(2) * 10), kThreads[0]);
      at = end + 1 + Below(3);
    }
  }

  void AddDomain() {
    const int64_t start = -Below(100);
    RawEvent& creation = Add(start, std::nullopt, "LIB", kThreads[Below(2)]);
    creation.type = 75;
    creation.domain = 1;
  }

  bool Nests(int64_t thread, int64_t start, int64_t end) const {
    return std::all_of(raw_.events.begin(), raw_.events.end(), [&](const RawEvent& other) {
      if (!IsRange(other) || other.global_tid != thread) return true;
      if (other.start == start && *other.end == end) return false;
      return *other.end < start || end < other.start ||
             (other.start <= start && end <= *other.end) ||
             (start <= other.start && *other.end <= end);
    });
  }

  // The capture range must be the only one of its name at the top.
  void AvoidSecondCapture(RawEvent& event) const {
    if (!shape_.harness || event.text != "capture") return;
    const bool inside =
        event.global_tid == kThreads[0] && event.end && *event.end <= *raw_.events.front().end;
    if (!inside) event.text = "step";
  }

  void AddRanges() {
    static const char* const kNames[] = {"step", "fwd 1", "fwd 2", "bwd", "capture", "k,1"};
    const int64_t number = Below(14);
    for (int64_t i = 0; i < number; ++i) {
      int64_t start = Below(clock_);
      const int64_t longest = Below(clock_);
      int64_t end = start + longest / (Below(3) + 1);
      const int64_t thread = Thread();
      if (shape_.only_nested && !Nests(thread, start, end)) continue;
      const bool again = !shape_.only_nested && i > 0 && OneIn(7) && IsRange(raw_.events.back());
      if (again && raw_.events.back().start >= 0 && raw_.events.back().end) {
        start = raw_.events.back().start;
        end = *raw_.events.back().end;
      }
      RawEvent& event = Add(start, end, kNames[Below(6)], thread);
      if (OneIn(4)) event.domain = Below(3);
      if (shape_.only_nested) {
        AvoidSecondCapture(event);
        continue;
      }
      if (shape_.open_ranges && OneIn(8)) event.end.reset();
      static constexpr int64_t kTypes[] = {59, 59, 59, 59, 70, 60, 71};
      event.type = kTypes[Below(7)];
      const bool start_end = event.type == 60 || event.type == 71;
      if (start_end && OneIn(4)) event.end_global_tid = kThreads[2];
      AvoidSecondCapture(event);
    }
  }

  void AddCalls() {
    static const char* const kNames[] = {
        "cudaLaunchKernel_v7000",      "cudaLaunchKernel_v7000", "cudaMemcpyAsync_v3020",
        "cudaDeviceSynchronize_v3020", "cudaMemcpy_v3020",       "cudaMalloc_v3020",
        "cudaEventQuery_v3020",        "cudaGraphLaunch_v10000", "cuLaunchKernel"};
    const int64_t number = Below(12);
    std::set<std::tuple<int64_t, int64_t, int64_t>> known;
    for (int64_t i = 0; i < number; ++i) {
      RawCall call;
      call.start = Below(clock_ + 6) - 2;
      call.end = call.start + 1 + Below(OneIn(4) ? 12 : 3);
      call.global_tid = Thread();
      if (!OneIn(12)) call.correlation = 1 + Below(8);
      call.name = kNames[Below(9)];
      if (known.insert({call.global_tid, call.start, call.end}).second) raw_.calls.push_back(call);
    }
  }

  void AddOperations() {
    static const char* const kNames[] = {"gemm", "gemm(float, int)", "ncclDevKernel_AllReduce_Sum",
                                         "mine_1", "mine_2"};
    const int64_t number = Below(14);
    for (int64_t i = 0; i < number; ++i) {
      RawOperation operation;
      operation.kind = static_cast<model::OperationKind>(OneIn(3) ? 1 + Below(2) : 0);
      operation.start = Below(2 * clock_);
      operation.end = operation.start + (OneIn(6) ? 0 : Below(20));
      if (!OneIn(12)) operation.correlation = 1 + Below(8);
      if (!OneIn(12)) operation.global_pid = GlobalPid(OneIn(3) ? 800 : 700);
      operation.name = kNames[Below(5)];
      operation.bytes = Below(1 << 20);
      operation.unknown_bytes = OneIn(8);
      operation.copy_kind = Below(3);
      operation.unknown_copy_kind = OneIn(10);
      operation.source_kind = Below(3);
      operation.destination_kind = Below(3);
      operation.device = OneIn(3) ? 1 : 0;
      operation.context = operation.device + 1;
      operation.stream = 7 + Below(3);
      if (OneIn(5)) operation.graph_node = 1000 + i;
      raw_.operations.push_back(operation);
    }
  }

  void AddRecords() {
    const int64_t graphs = OneIn(3) ? Below(4) : 0;
    for (int64_t i = 0; i < graphs; ++i) {
      const int64_t start = Below(2 * clock_);
      raw_.graphs.push_back(
          {start, start + Below(30), 1 + Below(8), GlobalPid(OneIn(3) ? 800 : 700), 7, Below(2)});
      if (OneIn(6)) raw_.graphs.back().correlation.reset();
    }
    const int64_t synchronisations = OneIn(3) ? Below(5) : 0;
    for (int64_t i = 0; i < synchronisations; ++i) {
      const int64_t start = Below(2 * clock_);
      raw_.synchronisations.push_back({start, start + Below(30), 1 + Below(8),
                                       GlobalPid(OneIn(3) ? 800 : 700), OneIn(2) ? 3 : 4});
    }
  }

  void Shuffle() {
    std::shuffle(raw_.calls.begin(), raw_.calls.end(), random_);
    std::stable_sort(raw_.operations.begin(), raw_.operations.end(),
                     [](const RawOperation& a, const RawOperation& b) { return a.kind < b.kind; });
  }

  std::mt19937_64& random_;
  GpuTraceShape shape_;
  RawTrace raw_;
  std::set<int64_t> row_ids_;
  int64_t clock_ = 0;
};

}  // namespace

RawTrace RandomGpuTrace(std::mt19937_64& random, const GpuTraceShape& shape) {
  return Generator(random, shape).Make();
}

std::string Show(const RawTrace& raw) {
  const auto number = [](const std::optional<int64_t>& value) {
    return value ? std::to_string(*value) : "-";
  };
  std::string text;
  for (const RawEvent& event : raw.events) {
    text += Format("{} {} type {} [{},{}] thread {}{} domain {}\n", event.row_id,
                   event.text.value_or("-"), event.type, event.start, number(event.end),
                   event.global_tid & 0xFFFFFF, event.end_global_tid ? " ends elsewhere" : "",
                   number(event.domain));
  }
  for (const RawCall& call : raw.calls) {
    text += Format("{} [{},{}] thread {} id {}\n", call.name, call.start, call.end,
                   call.global_tid & 0xFFFFFF, number(call.correlation));
  }
  for (const RawOperation& operation : raw.operations) {
    text += Format(
        "kind {} {} [{},{}] id {} process {} device {} stream {} bytes {} copy {} {} to {} node "
        "{}\n",
        static_cast<int>(operation.kind), operation.name, operation.start, operation.end,
        number(operation.correlation),
        operation.global_pid ? number(*operation.global_pid >> 24 & 0xFFFFFF) : "-",
        operation.device, operation.stream, operation.unknown_bytes ? -1 : operation.bytes,
        operation.unknown_copy_kind ? -1 : operation.copy_kind, operation.source_kind,
        operation.destination_kind, number(operation.graph_node));
  }
  for (const RawGraph& graph : raw.graphs) {
    text += Format("graph [{},{}] id {} process {}\n", graph.start, graph.end,
                   number(graph.correlation),
                   graph.global_pid ? number(*graph.global_pid >> 24 & 0xFFFFFF) : "-");
  }
  for (const RawSynchronisation& one : raw.synchronisations) {
    text += Format("synchronisation {} [{},{}] id {}\n", one.type, one.start, one.end,
                   number(one.correlation));
  }
  return text;
}

}  // namespace rangewise::test
