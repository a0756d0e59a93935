// The export reader and the engine on damaged and hostile databases. The first byte picks what happens to a small valid
// export: its pages are overwritten, or rows and schema are changed by SQL made from the input, or the input is the
// file itself. Whatever comes out, tables must be the same at one thread and at three.
#include <sqlite3.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "analysis/analyze.h"
#include "ingest/export_reader.h"
#include "tables/engine_tables.h"

namespace {

namespace rw = rangewise;

void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

constexpr const char* kSeedSql =
    "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
    "INSERT INTO StringIds VALUES (1,'step'),(2,'gemm(float, int)'),(3,'cudaGraphLaunch_v10000');"
    "CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);"
    "INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_VERSION','2025.3.1.90');"
    "CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER);"
    "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1741793819042497997);"
    "CREATE TABLE TARGET_INFO_GPU (vmId INTEGER, id INTEGER, name TEXT); INSERT INTO TARGET_INFO_GPU VALUES (0,0,'X');"
    "CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid INTEGER, "
    "endGlobalTid INTEGER, textId INTEGER, domainId INTEGER);"
    "INSERT INTO NVTX_EVENTS VALUES (5,NULL,75,'LIB',281486720664252,NULL,NULL,1),"
    "(100,1000,59,NULL,281486720664252,NULL,1,0),(150,400,59,'a,b',281486720664252,NULL,NULL,1),"
    "(150,400,59,'same',281486720664252,NULL,NULL,0),(500,NULL,59,'open',281486720664252,NULL,NULL,0),"
    "(120,900,60,'se',281486720664252,NULL,NULL,0),(130,950,60,'other',281486720664252,281486720664253,NULL,0);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER, "
    "nameId INTEGER);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (170,180,281486720664252,1,1),(310,320,281486720664252,2,1),"
    "(520,540,281486720664252,2,1),(600,610,281486720664252,9,3);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, "
    "greenContextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, "
    "registersPerThread INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ "
    "INTEGER, staticSharedMemory INTEGER, dynamicSharedMemory INTEGER);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000,1500,0,1,0,7,1,281486720663552,2,32,80,1,1,256,1,1,0,1024),"
    "(2000,2100,0,1,0,7,2,281486720663552,2,32,80,1,1,256,1,1,0,0);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, "
    "greenContextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, bytes INTEGER, copyKind "
    "INTEGER, srcKind INTEGER, dstKind INTEGER);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1600,1700,0,1,0,7,2,281486720663552,2097152,1,1,2);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, "
    "greenContextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, bytes INTEGER, memKind INTEGER);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (1800,1801,0,1,0,7,3,281486720663552,64,2);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER, "
    "correlationId INTEGER, globalPid INTEGER);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (1900,1990,0,7,9,281486720663552);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER, "
    "correlationId INTEGER, globalPid INTEGER, syncType INTEGER);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (700,720,0,7,1,281486720663552,3);";

constexpr std::array<const char*, 7> kTables = {
    "NVTX_EVENTS",                "CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_KERNEL",
    "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET",  "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
    "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"};
constexpr std::array<const char*, 14> kColumns = {
    "start",         "end",       "eventType", "text",  "globalTid", "endGlobalTid", "textId",
    "domainId",      "streamId",  "globalPid", "bytes", "copyKind",  "nameId",       "correlationId"};

std::string MakeSeed(const std::filesystem::path& path) {
  std::filesystem::remove(path);
  sqlite3* database = nullptr;
  sqlite3_open(path.c_str(), &database);
  char* message = nullptr;
  Require(sqlite3_exec(database, kSeedSql, nullptr, nullptr, &message) == SQLITE_OK, "the seed cannot be made");
  sqlite3_close(database);
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Reads numbers off the input; zeros after its end.
class Bytes {
 public:
  Bytes(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  bool empty() const { return size_ == 0; }
  uint8_t Byte() {
    if (size_ == 0) return 0;
    --size_;
    return *data_++;
  }
  uint64_t Number(int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; ++i) value = value << 8 | Byte();
    return value;
  }

 private:
  const uint8_t* data_;
  size_t size_;
};

// A value as SQL: small and huge integers, and things that are no integers.
std::string Value(Bytes& bytes) {
  switch (bytes.Byte() % 8) {
    case 0: return "NULL";
    case 1: return "'text'";
    case 2: return "1.5";
    case 3: return "x'FF00FE'";
    case 4: return std::to_string(static_cast<int64_t>(bytes.Number(8)));
    case 5: return std::to_string(281486720664252 + static_cast<int64_t>(bytes.Byte() % 4));
    default: return std::to_string(static_cast<int64_t>(bytes.Number(2)) - 300);
  }
}

void ChangeBySql(const std::filesystem::path& path, Bytes bytes) {
  sqlite3* database = nullptr;
  sqlite3_open(path.c_str(), &database);
  for (int i = 0; i < 24 && !bytes.empty(); ++i) {
    const std::string table = kTables[bytes.Byte() % kTables.size()];
    const std::string column = kColumns[bytes.Byte() % kColumns.size()];
    std::string sql;
    switch (bytes.Byte() % 16) {
      case 0: sql = "ALTER TABLE " + table + " DROP COLUMN " + column; break;
      case 1: sql = "DROP TABLE " + table; break;
      case 2: sql = "ALTER TABLE " + table + " RENAME TO gone"; break;
      case 3: sql = "DELETE FROM " + table + " WHERE rowid = " + Value(bytes); break;
      case 4: sql = "UPDATE " + table + " SET rowid = " + Value(bytes) + " WHERE rowid = 2"; break;
      case 5: sql = "DROP TABLE " + table + "; CREATE VIEW " + table + " AS SELECT * FROM StringIds"; break;
      case 6: case 7: case 8: sql = "INSERT INTO " + table + " SELECT * FROM " + table + " LIMIT 20"; break;
      default:
        sql = "UPDATE " + table + " SET " + column + " = " + Value(bytes) + " WHERE rowid % 4 = " +
              std::to_string(bytes.Byte() % 4);
    }
    sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr);
  }
  sqlite3_close(database);
}

// What an analysis says of GPU work, as far as a few figures of each row tell it.
std::string WorkOf(const rw::model::RangeGpuWork& work) {
  std::string text;
  const auto add = [&text](const rw::model::GpuWork& row) {
    Require(!row.busy || row.busy->ns <= row.total.kernels.total.ns + row.total.copies.sum.total.ns + row.total.sets.sum.total.ns ||
                row.total.operations == 0 || row.projection.ns < 0,
            "busy time is longer than the durations summed");
    for (const int64_t value : {row.total.operations, row.own.operations, row.launches, row.busy ? row.busy->ns : -1, row.projection.ns}) {
      text += std::to_string(value) + " ";
    }
    text += "\n";
  };
  for (const auto& row : work.paths) add(row.work);
  for (const auto& row : work.iterations) add(row.work);
  return text;
}

// Tables and GPU work of the file as one text, or the error. A damaged tree gives other rows to other queries, so the pieces in which
// a table is read are part of the question; the thread count is not.
std::string TablesOf(const std::filesystem::path& path, int threads, uint64_t rows_per_task) {
  rw::Diagnostics diagnostics;
  auto loaded = rw::ingest::LoadExport(path, {.threads = threads, .rows_per_task = rows_per_task, .gpu_work = true}, diagnostics);
  if (!loaded.ok()) {
    Require(!rw::Render(loaded.error()).empty(), "an error without words");
    return "error";
  }
  rw::StringOutput outputs[4];
  rw::tables::ComputeOptions options;
  options.threads = threads;
  options.capture_range = "step";
  options.gpu_work = true;
  auto computed = rw::tables::ComputeTables(std::move(loaded->trace), {&outputs[0], &outputs[1], &outputs[2], &outputs[3]},
                                            options, diagnostics);
  if (!computed.ok()) return "error";
  std::string text;
  for (rw::StringOutput& output : outputs) text += output.text() + "\f";
  const auto analysis = rw::analysis::Analyze(
      computed->tables, {},
      {.threads = threads, .gpu_activity = computed->activity ? &*computed->activity : nullptr}, diagnostics);
  if (analysis.ok() && analysis->gpu_work) text += WorkOf(*analysis->gpu_work);
  for (const rw::Warning& warning : diagnostics.warnings()) text += warning.Text() + "\n";
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("rangewise-export-fuzz-" + std::to_string(getpid()) + ".sqlite");
  static const std::string seed = MakeSeed(path);
  if (size == 0 || size > 65536) return 0;
  Bytes bytes(data, size);
  std::string file = seed;
  switch (bytes.Byte() % 4) {
    case 0:
      file.assign(reinterpret_cast<const char*>(data) + 1, size - 1);
      break;
    case 1:
      while (!bytes.empty()) {
        const size_t at = bytes.Number(3) % file.size();
        file[at] = static_cast<char>(bytes.Byte());
      }
      break;
    default: break;
  }
  {
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out.write(file.data(), static_cast<std::streamsize>(file.size()));
  }
  if (data[0] % 4 >= 2) ChangeBySql(path, Bytes(data + 1, size - 1));
  const std::string one = TablesOf(path, 1, data[0] % 4 >= 2 ? 65536 : 2);
  const std::string three = TablesOf(path, 3, 2);
  Require(one == three, "the tables depend on the thread count");
  std::filesystem::remove(path);
  return 0;
}
