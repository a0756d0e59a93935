// Writes a SQLite export of a large made-up recording, with the columns that Nsight Systems 2025 writes. The same
// arguments give the same rows.
//
//   make_export FILE SHAPE RANGES [KERNELS=RANGES*3/4] [THREADS=1]
//
// SHAPE:
//   loop      a training loop: Loop > Step N to N+1 > phases > layers > operations, at most 1,000 scope paths
//   deep      64 levels of ranges, over and over
//   flat      one range after another
//   overlap   every range overlaps its neighbours, none holds another
//   names     as loop, but nearly all names differ ("aten::mul, op_id = 91")
// Each kernel is launched by an API call of its own inside the innermost range of its time; one operation in sixteen is
// a memory copy.
#include <sqlite3.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace {

constexpr int64_t kProcess = (int64_t{1} << 48) + (int64_t{4711} << 24);

void Check(sqlite3* database, int code) {
  if (code == SQLITE_OK || code == SQLITE_DONE) return;
  std::fprintf(stderr, "make_export: %s\n", sqlite3_errmsg(database));
  std::exit(1);
}

// Our own generator (SplitMix64's step), so that rows do not depend on a library.
class Random {
 public:
  uint64_t Next() {
    uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  int64_t Below(int64_t limit) { return static_cast<int64_t>(Next() % static_cast<uint64_t>(limit)); }

 private:
  uint64_t state_ = 20241130;
};

struct Range {
  int64_t start;
  int64_t end;
  int32_t name;    // string id, or of `names`: the number of its own text
  int32_t thread;
};

class Writer {
 public:
  explicit Writer(const char* path) {
    std::remove(path);
    Check(database_, sqlite3_open(path, &database_));
    Run("PRAGMA journal_mode = OFF");
    Run("PRAGMA synchronous = OFF");
    Run("BEGIN");
    Run("CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)");
    Run("CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT)");
    Run("INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_VERSION', '2025.3.1.90'), "
        "('EXPORT_SCHEMA_VERSION', '3.20.3')");
    Run("CREATE TABLE TARGET_INFO_GPU (vmId INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT)");
    Run("INSERT INTO TARGET_INFO_GPU VALUES (0, 0, 'NVIDIA L4')");
    Run("CREATE TABLE ENUM_CUDA_MEMCPY_OPER (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT)");
    Run("INSERT INTO ENUM_CUDA_MEMCPY_OPER VALUES (1, 'CUDA_MEMCPY_KIND_HTOD', 'Host-to-Device'), "
        "(2, 'CUDA_MEMCPY_KIND_DTOH', 'Device-to-Host')");
    Run("CREATE TABLE ENUM_CUDA_MEM_KIND (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT)");
    Run("INSERT INTO ENUM_CUDA_MEM_KIND VALUES (1, 'CUDA_MEMOPR_MEMORY_KIND_PINNED', 'Pinned'), "
        "(2, 'CUDA_MEMOPR_MEMORY_KIND_DEVICE', 'Device')");
    Run("CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER, "
        "category INTEGER, color INTEGER, text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId "
        "INTEGER, uint64Value INTEGER, int64Value INTEGER, doubleValue REAL, uint32Value INTEGER, int32Value INTEGER, "
        "floatValue REAL, jsonTextId INTEGER, jsonText TEXT, binaryData TEXT)");
    Run("CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT "
        "NULL, globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, "
        "callchainId INTEGER)");
    Run("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT "
        "NULL, contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, "
        "globalPid INTEGER, demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, mangledName INTEGER, launchType "
        "INTEGER, cacheConfig INTEGER, registersPerThread INTEGER NOT NULL, gridX INTEGER NOT NULL, gridY INTEGER NOT "
        "NULL, gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL, "
        "staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER NOT NULL, localMemoryPerThread INTEGER NOT "
        "NULL, localMemoryTotal INTEGER NOT NULL, gridId INTEGER NOT NULL, sharedMemoryExecuted INTEGER, graphNodeId "
        "INTEGER, sharedMemoryLimitConfig INTEGER)");
    Run("CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT "
        "NULL, contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, "
        "globalPid INTEGER, bytes INTEGER NOT NULL, copyKind INTEGER NOT NULL, deprecatedSrcId INTEGER, srcKind INTEGER, "
        "dstKind INTEGER, srcDeviceId INTEGER, srcContextId INTEGER, dstDeviceId INTEGER, dstContextId INTEGER, "
        "migrationCause INTEGER, graphNodeId INTEGER, virtualAddress INTEGER)");
    string_ = Prepare("INSERT INTO StringIds VALUES (?, ?)");
    range_ = Prepare("INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, textId, domainId) "
                     "VALUES (?, ?, 59, ?, ?, ?, 0)");
    call_ = Prepare("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?, ?, 0, ?, ?, ?, 0, NULL)");
    kernel_ = Prepare("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?, ?, 0, 1, 0, 7, ?, ?, ?, ?, ?, 1, 0, 64, ?, 1, 1, "
                      "256, 1, 1, 0, 1024, 0, 0, ?, 16384, NULL, 0)");
    copy_ = Prepare("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (?, ?, 0, 1, 0, 7, ?, ?, ?, 1, NULL, 1, 2, NULL, NULL, "
                    "NULL, NULL, NULL, NULL, NULL)");
  }

  int32_t String(const std::string& text) {
    const auto [known, added] = strings_.emplace(text, static_cast<int32_t>(strings_.size()) + 1);
    if (added) {
      sqlite3_bind_text(string_, 2, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
      Insert(string_, {known->second});
    }
    return known->second;
  }
  void AddRange(const Range& range, const std::string* text) {
    if (text != nullptr) {
      sqlite3_bind_text(range_, 3, text->data(), static_cast<int>(text->size()), SQLITE_STATIC);
      sqlite3_bind_null(range_, 5);
    } else {
      sqlite3_bind_null(range_, 3);
      sqlite3_bind_int64(range_, 5, range.name);
    }
    sqlite3_bind_int64(range_, 4, kProcess + range.thread);
    Insert(range_, {range.start, range.end});
  }
  void AddCall(int64_t start, int64_t thread, int64_t correlation, int64_t name) {
    Insert(call_, {start, start + 2, kProcess + thread, correlation, name});
  }
  void AddKernel(int64_t start, int64_t end, int64_t correlation, int64_t name, int64_t grid) {
    Insert(kernel_, {start, end, correlation, kProcess, name, name, name, grid, correlation});
  }
  void AddCopy(int64_t start, int64_t end, int64_t correlation, int64_t bytes) {
    Insert(copy_, {start, end, correlation, kProcess, bytes});
  }
  void Close() {
    for (sqlite3_stmt* statement : {string_, range_, call_, kernel_, copy_}) sqlite3_finalize(statement);
    Run("COMMIT");
    Check(database_, sqlite3_close(database_));
  }

 private:
  void Run(const char* sql) { Check(database_, sqlite3_exec(database_, sql, nullptr, nullptr, nullptr)); }
  sqlite3_stmt* Prepare(const char* sql) {
    sqlite3_stmt* statement = nullptr;
    Check(database_, sqlite3_prepare_v2(database_, sql, -1, &statement, nullptr));
    return statement;
  }
  void Insert(sqlite3_stmt* statement, std::initializer_list<int64_t> values) {
    int at = 0;
    for (const int64_t value : values) sqlite3_bind_int64(statement, ++at, value);
    Check(database_, sqlite3_step(statement));
    Check(database_, sqlite3_reset(statement));
  }
  sqlite3* database_ = nullptr;
  sqlite3_stmt* string_ = nullptr;
  sqlite3_stmt* range_ = nullptr;
  sqlite3_stmt* call_ = nullptr;
  sqlite3_stmt* kernel_ = nullptr;
  sqlite3_stmt* copy_ = nullptr;
  std::map<std::string, int32_t> strings_;
};

// Ranges of one thread, and the middle of each range without children: where calls go.
struct ThreadRows {
  std::vector<Range> ranges;
  std::vector<int64_t> quiet;
};

constexpr int64_t kLeaf = 1000;  // ns

// Appends a range of `shape[level]` children per level; no recursion, since shapes can be deep.
void AddTree(const std::vector<int>& children, const std::vector<std::vector<int32_t>>& names, int32_t thread,
             size_t limit, int64_t& clock, Random& random, ThreadRows& rows) {
  struct Frame {
    size_t range;
    int left;
  };
  std::vector<Frame> open;
  const auto push = [&] {
    const size_t level = open.size();
    const auto& choice = names[std::min(level, names.size() - 1)];
    rows.ranges.push_back({clock, 0, choice[static_cast<size_t>(random.Below(static_cast<int64_t>(choice.size())))],
                           thread});
    open.push_back({rows.ranges.size() - 1, level < children.size() ? children[level] : 0});
    clock += 1 + random.Below(50);
  };
  push();
  while (!open.empty()) {
    Frame& top = open.back();
    if (top.left > 0 && rows.ranges.size() < limit) {
      --top.left;
      push();
      continue;
    }
    if (top.range + 1 == rows.ranges.size()) {
      rows.quiet.push_back(clock);
      clock += kLeaf + random.Below(kLeaf);
    }
    rows.ranges[top.range].end = clock;
    clock += 1 + random.Below(50);
    open.pop_back();
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: make_export FILE loop|deep|flat|overlap|names RANGES [KERNELS] [THREADS]\n");
    return 2;
  }
  const std::string shape = argv[2];
  const auto ranges = static_cast<size_t>(std::strtoull(argv[3], nullptr, 10));
  const size_t kernels = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : ranges * 3 / 4;
  const int threads = argc > 5 ? std::atoi(argv[5]) : 1;
  Writer writer(argv[1]);
  Random random;

  std::vector<std::vector<int32_t>> names;
  const auto name_list = [&](const std::string& prefix, int count) {
    std::vector<int32_t> ids;
    for (int i = 0; i < count; ++i) ids.push_back(writer.String(prefix + (count > 1 ? std::to_string(i) : "")));
    return ids;
  };
  // loop: 4 phases x 12 layers x 19 operations: under 1,000 scope paths. On several threads no Loop is the only one, and so
  // none the capture range: steps are part of the paths, and of one name.
  names = {name_list("Step ", 1), name_list("phase_", 4), name_list("layer_", 12), name_list("aten::op_", 19)};

  if (shape == "deep") {  // 15 stacks of 64 names
    names = {name_list("Stack ", 15)};
    for (int level = 1; level < 64; ++level) names.push_back(name_list("level " + std::to_string(level), 1));
  }
  std::vector<ThreadRows> rows(static_cast<size_t>(threads));
  for (int thread = 0; thread < threads; ++thread) {
    ThreadRows& mine = rows[static_cast<size_t>(thread)];
    const size_t limit = ranges / static_cast<size_t>(threads) + (thread == 0 ? ranges % static_cast<size_t>(threads) : 0);
    mine.ranges.reserve(limit);
    int64_t clock = 1000000 + thread;
    const int32_t id = 4711 + thread;
    if (shape == "loop" || shape == "names") {
      mine.ranges.push_back({clock, 0, writer.String("Loop"), id});
      for (int64_t step = 0; mine.ranges.size() < limit; ++step) {
        names[0] = {writer.String(threads > 1 ? "Step" : "Step " + std::to_string(step % 1000) + " to " + std::to_string(step % 1000 + 1))};
        AddTree({4, 12, 5}, names, id, limit, clock, random, mine);
      }
      mine.ranges.front().end = clock;
    } else if (shape == "deep") {
      while (mine.ranges.size() < limit) AddTree(std::vector<int>(63, 1), names, id, limit, clock, random, mine);
    } else if (shape == "flat") {
      while (mine.ranges.size() < limit) AddTree({}, names, id, limit, clock, random, mine);
    } else if (shape == "overlap") {
      // Each lasts over the next hundred; lengths grow slowly, so no candidate is ever out of the race.
      for (size_t i = 0; i < limit; ++i) {
        mine.ranges.push_back({clock, clock + 100 * kLeaf + static_cast<int64_t>(i), names[1][i % 4], id});
        mine.quiet.push_back(clock + 10);
        clock += kLeaf;
      }
    } else {
      std::fprintf(stderr, "make_export: no shape %s\n", shape.c_str());
      return 2;
    }
  }

  // Rows come in order of start, as Nsight Systems writes them, threads mixed.
  std::vector<Range> all;
  for (ThreadRows& mine : rows) {
    all.insert(all.end(), mine.ranges.begin(), mine.ranges.end());
    std::vector<Range>().swap(mine.ranges);
  }
  std::stable_sort(all.begin(), all.end(), [](const Range& a, const Range& b) { return a.start < b.start; });
  for (size_t i = 0; i < all.size(); ++i) {
    const std::string own = "aten::mul, op_id = " + std::to_string(i);
    writer.AddRange(all[i], shape == "names" && i % 50 != 0 ? &own : nullptr);
  }

  std::vector<int64_t> kernel_names;
  for (int i = 0; i < 60; ++i) {
    kernel_names.push_back(writer.String("void at::native::elementwise_kernel_" + std::to_string(i) +
                                         "<128, 4>(int, at::native::gpu_kernel_impl<float>, long)"));
  }
  const int64_t launch = writer.String("cudaLaunchKernel_v7000");
  const int64_t copy = writer.String("cudaMemcpyAsync_v3020");
  struct Call {
    int64_t start;
    int64_t thread;
  };
  std::vector<Call> calls;
  for (size_t i = 0; i < kernels; ++i) {
    const size_t thread = i % rows.size();
    const auto& quiet = rows[thread].quiet;
    const size_t per_thread = std::max<size_t>(1, kernels / rows.size());
    const size_t place = std::min(quiet.size() - 1, (i / rows.size()) * quiet.size() / per_thread);
    calls.push_back({quiet[place] + static_cast<int64_t>(i % 37) * 10, static_cast<int64_t>(4711 + thread)});
  }
  std::stable_sort(calls.begin(), calls.end(), [](const Call& a, const Call& b) { return a.start < b.start; });
  int64_t gpu = 2000000;
  for (size_t i = 0; i < calls.size(); ++i) {
    // Some other calls lie between, so ids have gaps.
    const auto id = static_cast<int64_t>(100 + i + i / 3);
    const bool is_copy = i % 16 == 15;
    writer.AddCall(calls[i].start, calls[i].thread, id, is_copy ? copy : launch);
    gpu = std::max(gpu + 1, calls[i].start + 5);
    const int64_t end = gpu + 200 + random.Below(400);
    if (is_copy) {
      writer.AddCopy(gpu, end, id, 4096 * (1 + random.Below(256)));
    } else {
      writer.AddKernel(gpu, end, id, kernel_names[static_cast<size_t>(random.Below(60))], 1 + random.Below(16) * 8);
    }
    gpu = end;
  }
  writer.Close();
  return 0;
}
