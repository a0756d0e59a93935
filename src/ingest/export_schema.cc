#include "ingest/export_schema.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

#include "base/text.h"

namespace rangewise::ingest {
namespace {

namespace fs = std::filesystem;

Error FileError(Code code, const fs::path& path, std::string message) {
  Error error{.code = code, .message = std::move(message)};
  error.where.file = path.string();
  return error;
}

uint64_t BigEndian(const unsigned char* bytes, int count) {
  uint64_t value = 0;
  for (int i = 0; i < count; ++i) value = value << 8 | bytes[i];
  return value;
}

// A descriptor that closes itself.
struct OpenFile {
  explicit OpenFile(const fs::path& path) : fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (fd >= 0) ::close(fd);
  }
  int fd;
};

// The bytes on which SQLite's writers hold their locks (https://sqlite.org/fileformat2.html, "The
// Lock-Byte Page").
constexpr off_t kLockBytes = 0x40000000;
constexpr off_t kLockByteCount = 512;

struct Requirement {
  std::string_view table;
  std::vector<std::string_view> columns;
};

constexpr std::string_view kAllTables[] = {kStringTable, kRangeTable, kCallTable,
                                           kKernelTable, kCopyTable,  kSetTable};

// Those and the secondary ones.
constexpr std::string_view kReadTables[] = {
    kStringTable,        kRangeTable,       kCallTable,
    kKernelTable,        kCopyTable,        kSetTable,
    kGraphTable,         kSyncTable,        "TARGET_INFO_GPU",
    "META_DATA_EXPORT",  "EXPORT_META_DATA", "TARGET_INFO_SESSION_START_TIME",
    "ENUM_CUDA_MEMCPY_OPER", "ENUM_CUDA_MEM_KIND", "ENUM_CUPTI_SYNC_TYPE"};

const std::vector<Requirement>& Requirements() {
  static const std::vector<Requirement> requirements = {
      {kStringTable, {"id", "value"}},
      {kRangeTable, {"start", "end", "eventType", "globalTid", "endGlobalTid", "domainId"}},
      {kCallTable, {"start", "end", "globalTid", "correlationId", "nameId"}},
      {kKernelTable,
       {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid",
        "demangledName", "registersPerThread", "gridX", "gridY", "gridZ", "blockX", "blockY",
        "blockZ", "staticSharedMemory", "dynamicSharedMemory"}},
      {kCopyTable,
       {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "bytes",
        "copyKind", "srcKind", "dstKind"}},
      {kSetTable,
       {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "bytes",
        "memKind"}},
  };
  return requirements;
}

Status CheckColumns(const ExportSchema& schema, const fs::path& path) {
  for (const Requirement& requirement : Requirements()) {
    if (!schema.Has(requirement.table)) continue;
    std::vector<std::string> missing;
    for (const std::string_view column : requirement.columns) {
      if (!schema.Has(requirement.table, column)) missing.emplace_back(column);
    }
    if (requirement.table == kRangeTable && !schema.Has(kRangeTable, "text") &&
        !schema.Has(kRangeTable, "textId")) {
      missing.emplace_back("text");
    }
    if (missing.empty()) continue;
    Error error = FileError(Code::kMissingColumn, path,
                            Format("the table has no column {}, so no report can be made from it",
                                   QuotedList(missing)));
    error.where.table = std::string(requirement.table);
    error.hint = "Export the trace anew: nsys export --type sqlite TRACE.nsys-rep";
    return error;
  }
  return Ok();
}

// What a file without our tables most likely is.
std::string LookAlike(const ExportSchema& schema) {
  if (schema.Has("CUPTI_ACTIVITY_KIND_MARKER") ||
      schema.Has("CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL") || schema.Has("StringTable")) {
    return "this is a database of nvprof, the predecessor of Nsight Systems";
  }
  if (schema.tables.empty())
    return "the database has no tables: an export that was not finished looks so";
  std::vector<std::string> names;
  for (const auto& [name, columns] : schema.tables) names.push_back(name);
  return Format(
      "the database has none of the tables of Nsight Systems (StringIds, NVTX_EVENTS, "
      "CUPTI_ACTIVITY_KIND_…); it has {}",
      QuotedList(names, 5));
}

}  // namespace

Status CheckExportFile(const fs::path& path) {
  const OpenFile file(path);
  if (file.fd < 0) {
    return FileError(Code::kReadFailed, path,
                     Format("the export cannot be opened: {}", std::strerror(errno)));
  }
  struct stat info {};
  if (::fstat(file.fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    return FileError(Code::kReadFailed, path, "this is no regular file");
  }
  std::array<unsigned char, 100> header{};
  const ssize_t got = ::pread(file.fd, header.data(), header.size(), 0);
  if (got < 0) {
    return FileError(Code::kReadFailed, path,
                     Format("the export cannot be read: {}", std::strerror(errno)));
  }
  if (got == 0) return FileError(Code::kExportIncomplete, path, "the file is empty");
  if (got < static_cast<ssize_t>(header.size()) ||
      std::memcmp(header.data(), "SQLite format 3", 16) != 0) {
    return FileError(Code::kNotAnExport, path, "this is no SQLite database");
  }
  // Offsets of the database header: page size 16, change counter 24, pages 28, the counter that
  // makes the number of pages valid 92.
  const uint64_t stored_size = BigEndian(&header[16], 2);
  const uint64_t page_size = stored_size == 1 ? 65536 : stored_size;
  const uint64_t expected = BigEndian(&header[28], 4) * page_size;
  const bool size_valid = BigEndian(&header[24], 4) == BigEndian(&header[92], 4);
  if (size_valid && expected > static_cast<uint64_t>(info.st_size)) {
    return FileError(
        Code::kExportIncomplete, path,
        Format("the file ends early: it has {} bytes, its header says {}", info.st_size, expected));
  }
  struct flock lock {};
  lock.l_type = F_RDLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = kLockBytes;
  lock.l_len = kLockByteCount;
  if (::fcntl(file.fd, F_GETLK, &lock) == 0 && lock.l_type == F_WRLCK) {
    return FileError(Code::kExportLocked, path,
                     Format("process {} is writing to the export", lock.l_pid));
  }
  for (const char* suffix : {"-journal", "-wal"}) {
    fs::path beside = path;
    beside += suffix;
    std::error_code error;
    const uintmax_t size = fs::file_size(beside, error);
    if (!error && size > 0) {
      return FileError(Code::kExportIncomplete, path,
                       Format("the export was not finished: {} lies beside it",
                              Quoted(beside.filename().string())));
    }
  }
  return Ok();
}

namespace {

// SQLite takes names in any case, and views for tables; no version of nsys writes either.
Status CheckForms(format::Database& database, const fs::path& path) {
  using Step = format::Statement::Step;
  ASSIGN_OR_RETURN(
      format::Statement rows,
      database.Prepare("SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view')"));
  Step step;
  while ((step = rows.Next()) == Step::kRow) {
    const std::string name(rows.Text(0));
    const std::string type(rows.Text(1));
    for (const std::string_view table : kReadTables) {
      if (!std::equal(name.begin(), name.end(), table.begin(), table.end(), [](char a, char b) {
            return std::toupper(static_cast<unsigned char>(a)) ==
                   std::toupper(static_cast<unsigned char>(b));
          })) {
        continue;
      }
      if (type == "table" && name == table) continue;
      return FileError(
          Code::kNotAnExport, path,
          Format("found the {} {} where the table {} was expected", type, Quoted(name), table));
    }
  }
  if (step == Step::kFailed) return database.Failure();
  return Ok();
}

// Registered names are numbers into StringIds; without it they would all be empty, and different
// ranges one.
Status CheckStrings(format::Database& database, const ExportSchema& schema, const fs::path& path) {
  using Step = format::Statement::Step;
  if (schema.Has(kStringTable)) return Ok();
  bool needed = schema.Has(kKernelTable);
  if (!needed && schema.Has(kRangeTable, "textId")) {
    ASSIGN_OR_RETURN(
        format::Statement rows,
        database.Prepare("SELECT 1 FROM NVTX_EVENTS WHERE textId IS NOT NULL LIMIT 1"));
    const Step step = rows.Next();
    if (step == Step::kFailed) return database.Failure();
    needed = step == Step::kRow;
  }
  if (!needed) return Ok();
  return FileError(
      Code::kNotAnExport, path,
      "the export has no table StringIds, which holds the names that its rows refer to");
}

}  // namespace

Result<ExportSchema> ReadExportSchema(format::Database& database, const fs::path& path) {
  using Step = format::Statement::Step;
  ExportSchema schema;
  RETURN_IF_ERROR(CheckForms(database, path));
  ASSIGN_OR_RETURN(format::Statement names,
                   database.Prepare("SELECT name FROM sqlite_schema WHERE type = 'table' "
                                    "AND sql NOT LIKE 'CREATE VIRTUAL%'"));
  Step step;
  while ((step = names.Next()) == Step::kRow) schema.tables[std::string(names.Text(0))];
  if (step == Step::kFailed) return database.Failure();
  ASSIGN_OR_RETURN(format::Statement columns,
                   database.Prepare("SELECT name FROM pragma_table_info(?1)"));
  for (auto& [table, set] : schema.tables) {
    columns.Bind(1, table);
    while ((step = columns.Next()) == Step::kRow) set.insert(std::string(columns.Text(0)));
    if (step == Step::kFailed) return database.Failure();
    columns.Reset();
  }
  bool any = false;
  for (const std::string_view table : kAllTables) any = any || schema.Has(table);
  if (!any) return FileError(Code::kNotAnExport, path, LookAlike(schema));
  RETURN_IF_ERROR(CheckColumns(schema, path));
  RETURN_IF_ERROR(CheckStrings(database, schema, path));
  return schema;
}

}  // namespace rangewise::ingest
