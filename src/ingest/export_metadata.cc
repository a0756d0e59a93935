#include "ingest/export_metadata.h"

#include <ctime>

#include "base/text.h"

namespace rangewise::ingest {
namespace {

using Step = format::Statement::Step;

// Seconds of the UTC clock as ISO 8601.
std::optional<std::string> IsoTime(int64_t epoch_ns) {
  const auto seconds = static_cast<std::time_t>(epoch_ns / 1000000000);
  std::tm fields{};
  if (epoch_ns <= 0 || ::gmtime_r(&seconds, &fields) == nullptr) return std::nullopt;
  return Format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", fields.tm_year + 1900, fields.tm_mon + 1,
                fields.tm_mday, fields.tm_hour, fields.tm_min, fields.tm_sec);
}

Result<std::optional<std::vector<model::KindLabel>>> ReadEnumeration(format::Database& database,
                                                                     const ExportSchema& schema,
                                                                     std::string_view table) {
  std::optional<std::vector<model::KindLabel>> labels;
  if (!schema.Has(table, "id") || !schema.Has(table, "label")) return labels;
  labels.emplace();
  ASSIGN_OR_RETURN(format::Statement rows,
                   database.Prepare("SELECT id, label FROM " + format::QuotedIdentifier(table) + " ORDER BY rowid"));
  Step step;
  while ((step = rows.Next()) == Step::kRow) {
    if (rows.IsInteger(0) && !rows.IsNull(1)) labels->push_back({rows.Integer(0), std::string(rows.Text(1))});
  }
  if (step == Step::kFailed) return database.Failure();
  return labels;
}

}  // namespace

Result<model::ExportInfo> ReadExportInfo(format::Database& database, const ExportSchema& schema) {
  model::ExportInfo info;
  // The table's older name; exports of 2020 and 2021 have neither.
  for (const char* table : {"META_DATA_EXPORT", "EXPORT_META_DATA"}) {
    if (!schema.Has(table, "name") || !schema.Has(table, "value")) continue;
    ASSIGN_OR_RETURN(format::Statement rows,
                     database.Prepare(Format("SELECT name, value FROM {}", format::QuotedIdentifier(table))));
    Step step;
    while ((step = rows.Next()) == Step::kRow) {
      const std::string_view name = rows.Text(0);
      if (name == "EXPORT_PRODUCT_VERSION") info.product_version = rows.Text(1);
      if (name == "EXPORT_SCHEMA_VERSION") info.schema_version = rows.Text(1);
    }
    if (step == Step::kFailed) return database.Failure();
    break;
  }
  constexpr std::string_view kSession = "TARGET_INFO_SESSION_START_TIME";
  if (schema.Has(kSession, "utcEpochNs")) {
    ASSIGN_OR_RETURN(format::Statement rows,
                     database.Prepare("SELECT utcEpochNs FROM TARGET_INFO_SESSION_START_TIME LIMIT 1"));
    const Step step = rows.Next();
    if (step == Step::kFailed) return database.Failure();
    if (step == Step::kRow && rows.IsInteger(0)) info.session_start = IsoTime(rows.Integer(0));
  }
  return info;
}

Status ReadLabels(format::Database& database, const ExportSchema& schema, model::Trace& trace) {
  ASSIGN_OR_RETURN(trace.copy_labels, ReadEnumeration(database, schema, "ENUM_CUDA_MEMCPY_OPER"));
  ASSIGN_OR_RETURN(trace.memory_labels, ReadEnumeration(database, schema, "ENUM_CUDA_MEM_KIND"));
  ASSIGN_OR_RETURN(trace.sync_labels, ReadEnumeration(database, schema, "ENUM_CUPTI_SYNC_TYPE"));

  // The device's number was called otherwise before 2022.4.
  constexpr std::string_view kGpus = "TARGET_INFO_GPU";
  const char* id = schema.Has(kGpus, "id") ? "id" : schema.Has(kGpus, "deviceId") ? "deviceId" : nullptr;
  trace.has_gpu_names = id != nullptr && schema.Has(kGpus, "name");
  if (trace.has_gpu_names) {
    ASSIGN_OR_RETURN(format::Statement rows,
                     database.Prepare(Format("SELECT {}, name FROM TARGET_INFO_GPU ORDER BY rowid", id)));
    Step step;
    while ((step = rows.Next()) == Step::kRow) {
      if (rows.IsInteger(0)) trace.gpus.push_back({rows.Integer(0), std::string(rows.Text(1))});
    }
    if (step == Step::kFailed) return database.Failure();
  }
  for (const std::string_view table : {kKernelTable, kCopyTable, kSetTable}) {
    if (schema.Has(table) && !schema.Has(table, "greenContextId")) trace.has_green_contexts = false;
  }
  return Ok();
}

Result<uint64_t> CountGraphRecords(format::Database& database, const ExportSchema& schema) {
  if (!schema.Has(kGraphTable)) return uint64_t{0};
  ASSIGN_OR_RETURN(format::Statement rows, database.Prepare("SELECT count(*) FROM " +
                                                            format::QuotedIdentifier(kGraphTable)));
  if (rows.Next() != Step::kRow) return database.Failure();
  return static_cast<uint64_t>(rows.Integer(0));
}

}  // namespace rangewise::ingest
