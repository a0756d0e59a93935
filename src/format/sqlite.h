// Owns reading SQLite databases (sqlite3, included nowhere else): opened read-only and immutable, so that nothing
// is locked, written or created beside them, and with everything off that a hostile schema could use. Values are
// read in place.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/result.h"

namespace rangewise::format {

class Database;

// A row's values, valid while it is looked at. Columns count from 0.
class RowView {
 public:
  explicit RowView(sqlite3_value** values) : values_(values) {}
  bool IsNull(int column) const { return sqlite3_value_type(values_[column]) == SQLITE_NULL; }
  bool IsInteger(int column) const { return sqlite3_value_type(values_[column]) == SQLITE_INTEGER; }
  int64_t Integer(int column) const { return sqlite3_value_int64(values_[column]); }
  // The integer at `column`. A value of another type sets the column's bit in `bad` and gives some number.
  int64_t RequiredInteger(int column, uint64_t& bad) const {
    bad |= uint64_t{!IsInteger(column)} << column;
    return Integer(column);
  }
  // As RequiredInteger, but NULL is fine and gives `null`.
  int64_t OptionalInteger(int column, int64_t null, uint64_t& bad) const {
    const int type = sqlite3_value_type(values_[column]);
    if (type == SQLITE_INTEGER) return Integer(column);
    bad |= uint64_t{type != SQLITE_NULL} << column;
    return null;
  }
  std::string_view Text(int column) const {
    const unsigned char* text = sqlite3_value_text(values_[column]);
    if (text == nullptr) return {};
    return {reinterpret_cast<const char*>(text),
            static_cast<size_t>(sqlite3_value_bytes(values_[column]))};
  }

 private:
  sqlite3_value** values_;
};

// A prepared query and its current row.
class Statement {
 public:
  enum class Step : uint8_t { kRow, kDone, kFailed };

  // Advances; after kFailed, Database::Failure() says why.
  Step Next() {
    const int code = sqlite3_step(statement_.get());
    return code == SQLITE_ROW ? Step::kRow : code == SQLITE_DONE ? Step::kDone : Step::kFailed;
  }
  void Bind(int parameter, int64_t value) { sqlite3_bind_int64(statement_.get(), parameter, value); }
  void Bind(int parameter, std::string_view value) {
    sqlite3_bind_text(statement_.get(), parameter, value.data(), static_cast<int>(value.size()),
                      SQLITE_TRANSIENT);
  }
  // Makes it ready to run anew.
  void Reset() { sqlite3_reset(statement_.get()); }

  // Columns of the current row, from 0. Views stay valid until the next step.
  bool IsNull(int column) const { return Type(column) == SQLITE_NULL; }
  bool IsInteger(int column) const { return Type(column) == SQLITE_INTEGER; }
  int64_t Integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
  std::string_view Text(int column) const {
    const unsigned char* text = sqlite3_column_text(statement_.get(), column);
    if (text == nullptr) return {};
    return {reinterpret_cast<const char*>(text),
            static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column))};
  }

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  int Type(int column) const { return sqlite3_column_type(statement_.get(), column); }
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
 public:
  // Opens the file. kReadFailed when it cannot be read, kNotAnExport when it is no SQLite database.
  static Result<Database> OpenReadOnly(const std::filesystem::path& path);

  // kExportDamaged when the schema does not bear the query, for instance.
  Result<Statement> Prepare(std::string_view sql);
  // For millions of rows: runs `SELECT each_row(…) FROM …`, a query whose only result column is the aggregate
  // each_row() over the wanted columns, and calls on_row(RowView) for each row until it returns false. An aggregate
  // gets its arguments as they lie in SQLite's registers, which saves a call per row and one per column.
  template <typename OnRow>
  Status EachRow(Statement& query, OnRow&& on_row) {
    using Callback = std::remove_reference_t<OnRow>;
    sink_->context = &on_row;
    sink_->call = [](void* context, sqlite3_value** values) {
      return (*static_cast<Callback*>(context))(RowView(values));
    };
    return RunSink(query);
  }
  // The error of the last call that failed: kExportDamaged, kNotAnExport, kReadFailed, kOutOfMemory.
  Error Failure() const;

 private:
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
  };
  // What each_row() calls. Its place does not change when the database moves.
  struct RowSink {
    void* context = nullptr;
    bool (*call)(void*, sqlite3_value**) = nullptr;
    bool stopped = false;
    std::exception_ptr thrown;  // must not pass through SQLite's frames
  };
  static void StepRow(sqlite3_context* context, int count, sqlite3_value** values);
  Status RunSink(Statement& query);

  std::unique_ptr<RowSink> sink_ = std::make_unique<RowSink>();
  std::unique_ptr<sqlite3, Close> database_;
  std::string file_;
};

// `name` as an SQL identifier in double quotes.
std::string QuotedIdentifier(std::string_view name);

}  // namespace rangewise::format
