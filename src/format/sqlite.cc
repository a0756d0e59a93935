#include "format/sqlite.h"

#include <utility>

#include "base/text.h"

namespace rangewise::format {
namespace {

// The path as a SQLite URI: bytes that a URI gives a meaning to are escaped.
std::string ReadOnlyUri(const std::filesystem::path& path) {
  std::string uri = "file:";
  for (const char c : path.string()) {
    if (c == '%' || c == '?' || c == '#') {
      uri += Format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      uri += c;
    }
  }
  return uri + "?mode=ro&immutable=1";
}

Code CodeOf(int sqlite_code) {
  switch (sqlite_code & 0xFF) {
    case SQLITE_NOTADB: return Code::kNotAnExport;
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH: return Code::kReadFailed;
    case SQLITE_NOMEM: return Code::kOutOfMemory;
    case SQLITE_IOERR:
      // A page beyond the end of the file is the file's fault, not the disk's.
      return sqlite_code == SQLITE_IOERR_SHORT_READ ? Code::kExportDamaged : Code::kReadFailed;
    default: return Code::kExportDamaged;
  }
}

}  // namespace

Result<Database> Database::OpenReadOnly(const std::filesystem::path& path) {
  Database opened;
  opened.file_ = path.string();
  sqlite3* raw = nullptr;
  const int code =
      sqlite3_open_v2(ReadOnlyUri(std::filesystem::absolute(path)).c_str(), &raw,
                      SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  opened.database_.reset(raw);
  if (code != SQLITE_OK) {
    if (raw == nullptr) return Error{.code = Code::kOutOfMemory, .message = "no memory for a database"};
    return opened.Failure();
  }
  sqlite3_extended_result_codes(raw, 1);
  // A strange file's views, triggers and virtual tables must not run anything.
  sqlite3_db_config(raw, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_limit(raw, SQLITE_LIMIT_LENGTH, 1 << 28);
  sqlite3_create_function_v2(raw, "each_row", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, opened.sink_.get(), nullptr,
                             StepRow, [](sqlite3_context*) {}, nullptr);
  return opened;
}

Result<Statement> Database::Prepare(std::string_view sql) {
  Statement statement;
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v2(database_.get(), sql.data(), static_cast<int>(sql.size()), &raw, nullptr) !=
      SQLITE_OK) {
    return Failure();
  }
  statement.statement_.reset(raw);
  return statement;
}

void Database::StepRow(sqlite3_context* context, int, sqlite3_value** values) {
  auto* sink = static_cast<RowSink*>(sqlite3_user_data(context));
  try {
    if (sink->call(sink->context, values)) return;
  } catch (...) {
    sink->thrown = std::current_exception();
  }
  sink->stopped = true;
  sqlite3_result_error(context, "stopped", -1);
}

Status Database::RunSink(Statement& query) {
  sink_->stopped = false;
  Statement::Step step = query.Next();
  while (step == Statement::Step::kRow) step = query.Next();
  Status status = Ok();
  // A stop is the caller's own wish, and the caller knows why.
  if (step == Statement::Step::kFailed && !sink_->stopped) status = Failure();
  query.Reset();
  if (sink_->thrown) std::rethrow_exception(std::exchange(sink_->thrown, nullptr));
  return status;
}

Error Database::Failure() const {
  const int sqlite_code = sqlite3_extended_errcode(database_.get());
  const Code code = CodeOf(sqlite_code);
  Error error{.code = code, .message = Format("SQLite says: {}", sqlite3_errmsg(database_.get()))};
  error.where.file = file_;
  return error;
}

std::string QuotedIdentifier(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace rangewise::format
