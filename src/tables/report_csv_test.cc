#include "tables/report_csv.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "tables/csv_fields.h"
#include "tables/csv_gpu_trace.h"

namespace rangewise::tables {
namespace {

using model::Report;

constexpr const char* kHostHeader =
    "Start (ns),End (ns),Duration (ns),DurChild (ns),DurNonChild "
    "(ns),Name,PID,TID,Lvl,NumChild,RangeId,ParentId,"
    "RangeStack,NameTree\n";
constexpr const char* kProjectionHeader =
    "Name,Projected Start (ns),Projected Duration (ns),Orig Start (ns),Orig Duration "
    "(ns),Style,PID,TID,NumGPUOps,Lvl,"
    "NumChild,RangeId,ParentId,RangeStack\n";
constexpr const char* kKernelHeader =
    "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n";
constexpr const char* kTraceHeader =
    "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (B),DymSMem "
    "(B),Bytes (B),"
    "Throughput (MB/s),SrcMemKd,DstMemKd,Device,Ctx,GreenCtx,Strm,Name\n";

const std::string kHostRows =
    "10,30,20,5,15,:a,1,2,0,1,7,,:7,:a\n"
    "12,17,5,0,5,\"lib:b,c\",1,2,1,0,8,7,:7:8,\"--lib:b,c\"\n";
const std::string kProjectionRows =
    ":a,40,9,10,20,PushPop,1,2,3,0,1,7,,:7\nlib:s,41,4,11,6,StartEnd,1,2,1,,0,9,7,\n";

class ReportCsv : public testing::Test {
 protected:
  ReportCsv() : folder_(std::move(TemporaryFolder::Create(testing::TempDir())).value()) {
    Put(Report::kPushPop, kHostHeader + kHostRows);
    Put(Report::kGpuProjection, kProjectionHeader + kProjectionRows);
    Put(Report::kKernelSummary,
        std::string(kKernelHeader) + "100.0,6,2,3.0,3.0,3,3,0.0,\"k<a, b>\"\n");
    Put(Report::kGpuTrace,
        std::string(kTraceHeader) +
            "1,5,1,,,,,,,,,,100,1.0,Pinned,Device,G,1,,7,[CUDA memcpy Host-to-Device]\n");
  }

  void Put(Report report, const std::string& text) {
    const fs::path path = folder_.path() / model::ReportFileName(report);
    std::ofstream(path, std::ios::binary) << text;
    request_.files[report] = path;
  }
  Result<ReadResult> Read() {
    diagnostics_ = {};
    return ReadReportTables(request_, diagnostics_);
  }
  model::ReportTables Tables() {
    Result<ReadResult> result = Read();
    EXPECT_TRUE(result.ok()) << Render(result.error());
    return result.ok() ? std::move(result->tables) : model::ReportTables();
  }
  Error ErrorOf() {
    Result<ReadResult> result = Read();
    EXPECT_FALSE(result.ok());
    return result.ok() ? Error() : result.error();
  }
  std::string Warnings() const {
    std::string text;
    for (const Warning& warning : diagnostics_.warnings()) text += warning.Text() + "\n";
    return text;
  }

  ReadRequest request_;
  Diagnostics diagnostics_;
  TemporaryFolder folder_;
};

// Host and projected rows as text, sorted: what they are apart from their order and numbering.
std::vector<std::string> Described(const model::ReportTables& tables) {
  std::vector<std::string> rows;
  for (const model::HostRange& row : tables.host) {
    const model::ThreadKey thread = tables.threads[row.thread];
    rows.push_back(Format("host {} {} {} {} {}/{} {} {} {}", row.start.ns, row.inclusive.ns,
                          row.children.ns, row.exclusive.ns, thread.process_id, thread.thread_id,
                          row.range_id, row.parent_id, tables.names.At(row.name)));
  }
  for (const model::ProjectedRange& row : tables.projected) {
    const model::ThreadKey thread = tables.threads[row.thread];
    rows.push_back(Format("projected {} {} {}/{} {} {} {} {} {} {}", row.projected.ns,
                          row.original.ns, thread.process_id, thread.thread_id, row.range_id,
                          row.parent_id, row.operations, model::StyleName(row.style), row.has_level,
                          tables.names.At(row.name)));
  }
  if (tables.kernels) {
    for (const model::KernelTotal& row : *tables.kernels) {
      rows.push_back(
          Format("kernel {} {} {}", row.instances, row.duration_ns, tables.names.At(row.name)));
    }
  }
  if (tables.copies) {
    for (const model::CopyTotal& row : *tables.copies) {
      rows.push_back(Format("copy {}>{} {} {} {}", tables.names.At(row.source),
                            tables.names.At(row.destination), row.instances, row.bytes,
                            row.duration_ns));
    }
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

TEST_F(ReportCsv, ReadsTheFourTables) {
  const model::ReportTables tables = Tables();
  EXPECT_EQ(Described(tables),
            (std::vector<std::string>{
                "copy Pinned>Device 1 100 5", "host 10 20 5 15 1/2 7 -9223372036854775808 a",
                "host 12 5 0 5 1/2 8 7 lib:b,c", "kernel 2 6 k<a, b>",
                "projected 4 6 1/2 9 7 1 StartEnd false lib:s",
                "projected 9 20 1/2 7 -9223372036854775808 3 PushPop true a"}));
  EXPECT_TRUE(tables.names_carry_domains);
  EXPECT_EQ(Warnings(), "");
}

TEST_F(ReportCsv, FingerprintsEveryFile) {
  const Result<ReadResult> result = Read();
  ASSERT_TRUE(result.ok());
  ASSERT_EQ(result->fingerprints.size(), 4U);
  for (const auto& [report, path] : request_.files) {
    EXPECT_EQ(result->fingerprints.at(report), FingerprintFile(path).value())
        << model::ReportName(report);
  }
}

TEST_F(ReportCsv, FindsColumnsInAnyOrderAmongOthers) {
  Put(Report::kPushPop,
      "banner of a wrapper\nParentId,More,Name,RangeId,TID,PID,DurNonChild (ns),DurChild "
      "(ns),Duration (ns),Start (ns)\n"
      ",x,:a,7,2,1,15,5,20,10\n7,\"y\n\",\"lib:b,c\",8,2,1,5,0,5,12\n");
  const std::vector<std::string> rows = Described(Tables());
  EXPECT_EQ(rows[1], "host 10 20 5 15 1/2 7 -9223372036854775808 a");
  EXPECT_EQ(rows[2], "host 12 5 0 5 1/2 8 7 lib:b,c");
}

TEST_F(ReportCsv, ConvertsTimesExactlyWhateverTheirUnit) {
  Put(Report::kPushPop,
      "Start (us),Duration (ms),DurChild (s),DurNonChild (sec),Name,PID,TID,RangeId,ParentId\n"
      "9007199254740993.001,0.0004,1.5,-0.0000000015,:a,1,2,7,\n"
      "0.0014,0.0000005,0.00000000049999,0.0000000014999,:b,1,2,8,\n");
  const std::vector<std::string> rows = Described(Tables());
  EXPECT_EQ(rows[1], "host 1 1 0 1 1/2 8 -9223372036854775808 b");
  EXPECT_EQ(rows[2], "host 9007199254740993001 400 1500000000 -2 1/2 7 -9223372036854775808 a");
}

TEST(ParseTime, IsExactUpToTheEndsOf64Bits) {
  int64_t value = 0;
  EXPECT_TRUE(ParseTime("9223372036.854775807", 1'000'000'000, value));
  EXPECT_EQ(value, INT64_MAX);
  EXPECT_TRUE(ParseTime("-9223372036.854775808", 1'000'000'000, value));
  EXPECT_EQ(value, INT64_MIN);
  EXPECT_FALSE(ParseTime("9223372036.8547758075", 1'000'000'000, value));
  EXPECT_FALSE(ParseTime("99999999999999999999999999999999999999999999999999999999", 1000, value));
  EXPECT_TRUE(ParseTime(".5", 1000, value));
  EXPECT_EQ(value, 500);
  EXPECT_TRUE(ParseTime("\"+7.\"", 1000, value));
  EXPECT_EQ(value, 7000);
  for (const char* text : {"", ".", "-", "1.2.3", "1e3", " 1", "1,5", "0x1", "1.2a"}) {
    EXPECT_FALSE(ParseTime(text, 1000, value)) << text;
  }
  EXPECT_FALSE(ParseTime("1.0", 1, value));
}

TEST(ParseInteger, TakesWhatFitsInto64Bits) {
  int64_t value = 0;
  const std::pair<const char*, int64_t> good[] = {{"0", 0},
                                                  {"-5", -5},
                                                  {"+5", 5},
                                                  {"\"12\"", 12},
                                                  {"000000000000000000000000001", 1},
                                                  {"123456789012345678", 123456789012345678},
                                                  {"9223372036854775807", INT64_MAX},
                                                  {"-9223372036854775808", INT64_MIN}};
  for (const auto& [text, expected] : good) {
    EXPECT_TRUE(ParseInteger(text, value)) << text;
    EXPECT_EQ(value, expected);
  }
  for (const char* text : {"", "-", "9223372036854775808", "1 ", "12a", "1.0", "\"\"", "--1"}) {
    EXPECT_FALSE(ParseInteger(text, value)) << text;
  }
}

TEST_F(ReportCsv, PointsAtAFieldThatIsNoInteger) {
  Put(Report::kPushPop,
      std::string(kHostHeader) + kHostRows + "10,30,2x,5,15,:a,1,2,0,1,10,,:7,:a\n");
  const Error error = ErrorOf();
  EXPECT_EQ(error.code, Code::kBadInteger);
  EXPECT_EQ(error.where.file, request_.files[Report::kPushPop].string());
  EXPECT_EQ(error.where.line, 4U);
  EXPECT_EQ(error.where.column, 7U);
  EXPECT_NE(error.message.find("'Duration (ns)' holds '2x'"), std::string::npos) << error.message;
}

TEST_F(ReportCsv, RefusesIntegersBeyond64Bits) {
  Put(Report::kGpuProjection,
      kProjectionHeader + std::string(":a,1,9223372036854775808,1,1,PushPop,1,2,3,0,1,7,,:7\n"));
  EXPECT_EQ(ErrorOf().code, Code::kBadInteger);
}

TEST_F(ReportCsv, NamesTheMissingColumnAndTheNearest) {
  request_.version_text = "2025.1.3";
  Put(Report::kPushPop,
      "Start (ns),Duration (ns),DurChild (ns),DurNonChild (ns),Name,PID,TID,Range Id,ParentId\n");
  const Error error = ErrorOf();
  EXPECT_EQ(error.code, Code::kMissingColumn);
  const std::string text = Render(error);
  for (const char* part :
       {"'RangeId'", "2025.1.3", "nvtx_pushpop_trace", "nearest column: 'Range Id'",
        "header found: 'Start (ns)', 'Duration (ns)'"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST_F(ReportCsv, NeverReadsAMissingColumnOfAGpuTableAsNoWork) {
  Put(Report::kGpuTrace,
      "Start (ns),Duration (ns),Bytes (B),SrcMemKd,Name\n1,2,3,Device,[CUDA memcpy D]\n");
  EXPECT_EQ(ErrorOf().code, Code::kMissingColumn);
  Put(Report::kGpuTrace, "Duration (fortnights),Bytes (B),SrcMemKd,DstMemKd,Name\n");
  EXPECT_EQ(ErrorOf().code, Code::kMissingColumn);
}

TEST_F(ReportCsv, RefusesANeededColumnGivenTwice) {
  Put(Report::kKernelSummary, "Total Time (ns),Instances,Name,Total Time (us)\n");
  const Error error = ErrorOf();
  EXPECT_EQ(error.code, Code::kDuplicateColumn);
  EXPECT_NE(error.message.find("'Total Time (us)' (number 4)"), std::string::npos) << error.message;
  Put(Report::kKernelSummary, "Total Time (ns),Instances,Name,More,More\n");
  EXPECT_TRUE(Read().ok());
}

TEST_F(ReportCsv, NeedsBothNvtxTables) {
  request_.files.erase(Report::kGpuProjection);
  EXPECT_EQ(ErrorOf().code, Code::kReportMissing);
}

TEST_F(ReportCsv, NeedsHostRanges) {
  for (const std::string text : {"", "\n \r\n", kHostHeader}) {
    Put(Report::kPushPop, text);
    EXPECT_EQ(ErrorOf().code, Code::kNoHostRanges);
  }
}

TEST_F(ReportCsv, TakesEmptyGpuTablesAsACaptureOnTheCpu) {
  for (const bool header : {false, true}) {
    Put(Report::kGpuProjection, header ? kProjectionHeader : "");
    Put(Report::kKernelSummary, header ? kKernelHeader : "");
    Put(Report::kGpuTrace, header ? kTraceHeader : "\n");
    const model::ReportTables tables = Tables();
    EXPECT_TRUE(tables.projected.empty());
    EXPECT_TRUE(tables.kernels && tables.kernels->empty());
    EXPECT_TRUE(tables.copies && tables.copies->empty());
    EXPECT_EQ(Warnings(), "");
  }
}

TEST_F(ReportCsv, WarnsOfAbsentGpuTables) {
  request_.files.erase(Report::kKernelSummary);
  request_.files.erase(Report::kGpuTrace);
  const model::ReportTables tables = Tables();
  EXPECT_FALSE(tables.kernels);
  EXPECT_FALSE(tables.copies);
  EXPECT_EQ(
      Warnings(),
      "missing-gpu-tables: cuda_gpu_kern_sum is absent; capture_gpu_work.kernels is null\n"
      "missing-gpu-tables: cuda_gpu_trace is absent; capture_gpu_work.memory_transfers is null\n");
}

TEST_F(ReportCsv, WarnsOfMemoryInAnotherUnitThanBytes) {
  Put(Report::kGpuTrace,
      "Duration (ns),Bytes (MB),SrcMemKd,DstMemKd,Name\n5,2.097,Device,Device,[CUDA memcpy D]\n");
  EXPECT_FALSE(Tables().copies);
  EXPECT_NE(Warnings().find("missing-gpu-tables: cuda_gpu_trace gives memory as 'Bytes (MB)'"),
            std::string::npos);
}

TEST_F(ReportCsv, TakesAnEmptyTraceBesideGpuRowsAsUnknown) {
  Put(Report::kGpuTrace, "");
  EXPECT_FALSE(Tables().copies);
  EXPECT_NE(Warnings().find("cuda_gpu_trace has no rows although cuda_gpu_kern_sum has"),
            std::string::npos);
  Put(Report::kKernelSummary, "");
  EXPECT_FALSE(Tables().copies);
  EXPECT_NE(Warnings().find("cuda_gpu_trace has no rows although nvtx_gpu_proj_trace has"),
            std::string::npos);
}

TEST_F(ReportCsv, SumsCopiesByKindsAndNothingElse) {
  auto row = [](int64_t duration, const std::string& bytes, const char* source,
                const char* destination, const char* name) {
    return Format("1,{},1,,,,,,,,,,{},1.0,{},{},G,1,,7,{}\n", duration, bytes, source, destination,
                  name);
  };
  Put(Report::kGpuTrace, kTraceHeader +
                             row(5, "100", "Pinned", "Device", "[CUDA memcpy Host-to-Device]") +
                             row(6, "200", "Pinned", "Device", "[CUDA memcpy HtoD]") +
                             row(7, "1", "Managed", "Device", "[CUDA Unified Memory memcpy HtoD]") +
                             row(8, "2", "", "Device", "\"[CUDA memcpy Host, to Device]\"") +
                             row(9, "3", "Device", "", "[CUDA memset]") +
                             row(9, "4", "Device", "Device", "my [CUDA memcpy kernel]") +
                             row(9, "5", "Device", "Device", "[CUDA memcpy kernel") +
                             row(9, "", "", "", "\"k[CUDA memcpy x](a, b)\""));
  std::vector<std::string> copies;
  for (const std::string& line : Described(Tables())) {
    if (line.starts_with("copy")) copies.push_back(line);
  }
  EXPECT_EQ(copies, (std::vector<std::string>{"copy >Device 1 2 8", "copy Managed>Device 1 1 7",
                                              "copy Pinned>Device 2 300 11"}));
  EXPECT_EQ(Warnings(),
            "copy-kind-missing: 1 copy has no source or destination kind of memory in "
            "cuda_gpu_trace; the kind is null\n");
}

TEST_F(ReportCsv, RefusesCopiesThatOverflow) {
  const std::string row =
      "1,1,1,,,,,,,,,,9223372036854775807,1.0,Pinned,Device,G,1,,7,[CUDA memcpy D]\n";
  Put(Report::kGpuTrace, kTraceHeader + row + row);
  EXPECT_EQ(ErrorOf().code, Code::kTotalOverflow);
}

TEST_F(ReportCsv, SkipsTheNamelessProjectionRow) {
  Put(Report::kGpuProjection,
      kProjectionHeader + std::string(",40,9,,,,1,2,3,,0,,,\n") + kProjectionRows);
  EXPECT_EQ(Tables().projected.size(), 2U);
  Put(Report::kGpuProjection, kProjectionHeader + std::string(":x,40,9,1,1,PushPop,1,2,3,,0,,,\n"));
  EXPECT_EQ(ErrorOf().code, Code::kBadInteger);
}

TEST_F(ReportCsv, RefusesAnUnknownStyle) {
  Put(Report::kGpuProjection,
      kProjectionHeader + std::string(":a,40,9,10,20,Pushed,1,2,3,0,1,7,,:7\n"));
  const Error error = ErrorOf();
  EXPECT_EQ(error.code, Code::kCsvSyntax);
  EXPECT_NE(error.message.find("'Pushed'"), std::string::npos);
}

TEST_F(ReportCsv, DropsOnlyTheColonOfTheDefaultDomain) {
  Put(Report::kPushPop, std::string(kHostHeader) +
                            "10,30,20,5,15,:aten::mul,1,2,0,1,7,,:7,\n"
                            "10,30,20,5,15,::b,1,2,0,1,8,,:7,\n10,30,20,5,15,:,1,2,0,1,9,,,\n");
  std::vector<std::string> names;
  const model::ReportTables tables = Tables();
  for (const model::HostRange& row : tables.host) names.emplace_back(tables.names.At(row.name));
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"", ":b", "aten::mul"}));
}

TEST_F(ReportCsv, KeepsTheDomainOfANameBesideIt) {
  Put(Report::kPushPop, std::string(kHostHeader) +
                            "10,30,20,5,15,:aten::mul,1,2,0,1,7,,:7,\n"
                            "10,30,20,5,15,aten::mul,1,2,0,1,8,,:8,\n");
  const model::ReportTables tables = Tables();
  ASSERT_EQ(tables.host.size(), 2U);
  const auto of = [&](int64_t id) {
    return tables.host[0].range_id == id ? tables.host[0].name : tables.host[1].name;
  };
  EXPECT_EQ(tables.names.At(of(7)), tables.names.At(of(8)));
  EXPECT_EQ(tables.names.Domain(of(7)), "");
  EXPECT_EQ(tables.names.Domain(of(8)), "aten");

  // Where names carry no domain, one text is one name.
  request_.version = model::NsysVersion{2023, 2, 3};
  const model::ReportTables old = Tables();
  EXPECT_EQ(old.host[0].name, old.host[1].name);
  EXPECT_EQ(old.names.Domain(old.host[0].name), std::nullopt);
}

TEST_F(ReportCsv, KnowsFromNamesOrVersionWhetherTheyCarryDomains) {
  Put(Report::kPushPop,
      std::string(kHostHeader) + kHostRows + "10,30,20,5,15,plain,1,2,0,1,10,,:7,\n");
  EXPECT_FALSE(Tables().names_carry_domains);
  request_.version = model::NsysVersion{2025, 1, 3};
  EXPECT_TRUE(Tables().names_carry_domains);
  Put(Report::kPushPop, kHostHeader + kHostRows);
  request_.version = model::NsysVersion{2023, 2, 3};
  EXPECT_FALSE(Tables().names_carry_domains);
}

TEST_F(ReportCsv, ShowsBytesThatAreNotUtf8AndWarnsOnce) {
  Put(Report::kPushPop,
      std::string(kHostHeader) +
          "10,30,20,5,15,:a\xff\\,1,2,0,1,7,,:7,\n"
          "10,30,20,5,15,a\xff\\,1,2,0,1,8,,:7,\n10,30,20,5,15,:b\xc3,1,2,0,1,9,,,\n");
  const model::ReportTables tables = Tables();
  EXPECT_NE(tables.names.Find(Displayable("a\xff\\")), model::kNoName);
  EXPECT_NE(Warnings().find("invalid-utf8: 2 names hold bytes that are not UTF-8"),
            std::string::npos)
      << Warnings();
}

TEST_F(ReportCsv, NamesBothRowsOfADuplicateRange) {
  Put(Report::kPushPop, std::string(kHostHeader) + kHostRows +
                            "10,30,20,5,15,\":two\nlines\",1,3,0,1,7,,:7,\n" +
                            "1,2,3,4,5,:x,1,2,0,0,8,,,\n1,2,3,4,5,:x,1,2,0,0,7,,,\n");
  const Error error = ErrorOf();
  EXPECT_EQ(error.code, Code::kDuplicateRange);
  EXPECT_NE(error.message.find("range 8 of process 1, thread 2 stands in lines 3 and 6"),
            std::string::npos)
      << error.message;
}

TEST_F(ReportCsv, TakesOneRangeIdOnTwoThreadsOrFarApart) {
  Put(Report::kPushPop, std::string(kHostHeader) + kHostRows +
                            "10,30,20,5,15,:a,1,3,0,1,7,,:7,\n10,30,20,5,15,:a,1,3,0,1,-4,,:7,\n"
                            "10,30,20,5,15,:a,1,3,0,1,9223372036854775807,,:7,\n");
  EXPECT_EQ(Tables().host.size(), 5U);
  Put(Report::kPushPop, std::string(kHostHeader) + kHostRows +
                            "1,3,2,5,1,:a,1,3,0,1,-4,,:7,\n1,3,2,5,1,:b,1,3,0,1,-4,,:7,\n");
  EXPECT_EQ(ErrorOf().code, Code::kDuplicateRange);
}

// Large tables with everything in them; rows in any order, pieces and threads of any number: the
// same rows.
TEST_F(ReportCsv, GivesTheSameRowsForAnyRowOrderPiecesAndThreads) {
  std::mt19937 random(7);
  std::vector<std::string> host;
  std::vector<std::string> trace;
  for (int id = 1; id <= 3000; ++id) {
    const char* name = id % 3 == 0 ? "\"lib:a, \"\"b\"\"\"" : id % 3 == 1 ? ":it \"x\"" : ":plain";
    host.push_back(Format("{},{},{},0,{},{},{},{},0,0,{},{},,\n", id * 10, id * 10 + 5, 5, 5, name,
                          100 + id % 3, 500 - id % 7, id,
                          id % 5 == 0 ? "" : std::to_string(id - 1)));
    trace.push_back(Format("1,{},1,,,,,,,,,,{},1.0,{},Device,G,1,,7,{}\n", id, id * 3,
                           id % 2 ? "Pinned" : "Pageable",
                           id % 4 ? "[CUDA memcpy H]" : "\"k(int, [CUDA memcpy)\""));
  }
  std::optional<std::vector<std::string>> expected;
  std::optional<std::vector<model::ThreadKey>> threads;
  for (const int count : {1, 2, 3}) {
    for (const size_t piece : {size_t{100}, size_t{5000}, size_t{1} << 20}) {
      std::shuffle(host.begin(), host.end(), random);
      std::shuffle(trace.begin(), trace.end(), random);
      std::string host_text = kHostHeader;
      std::string trace_text = kTraceHeader;
      for (const std::string& row : host) host_text += row;
      for (const std::string& row : trace) trace_text += row;
      Put(Report::kPushPop, host_text);
      Put(Report::kGpuTrace, trace_text);
      request_.threads = count;
      request_.piece_bytes = piece;
      const model::ReportTables tables = Tables();
      if (!expected) expected = Described(tables);
      if (!threads) threads = tables.threads;
      EXPECT_EQ(Described(tables), *expected);
      EXPECT_EQ(tables.threads, *threads);
    }
  }
  EXPECT_EQ(expected->size(), 3000U + 2 + 2 + 1);
}

TEST(IsCopy, WantsTheBracketedFormAsAWhole) {
  EXPECT_TRUE(IsCopy("[CUDA memcpy Host-to-Device]"));
  EXPECT_TRUE(IsCopy("[CUDA Unified Memory memcpy HtoD]"));
  EXPECT_FALSE(IsCopy("[CUDA memset]"));
  EXPECT_FALSE(IsCopy("[CUDA memcpy HtoD] "));
  EXPECT_FALSE(IsCopy("x[CUDA memcpy HtoD]"));
  EXPECT_FALSE(IsCopy("[CUDA memcpy"));
}

}  // namespace
}  // namespace rangewise::tables
