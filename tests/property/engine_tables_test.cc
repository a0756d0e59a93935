#include "tables/engine_tables.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "ingest/export_reader.h"
#include "support/export_files.h"

namespace rangewise::tables {
namespace {

using model::Report;

struct Computed {
  std::map<Report, std::string> text;
  ComputedTables tables;
  model::ExportInfo info;
  Diagnostics diagnostics;
};

Computed Compute(const fs::path& path, int threads, uint64_t rows_per_task = 65536,
                 std::optional<std::string> capture_range = std::nullopt) {
  Computed computed;
  auto loaded = ingest::LoadExport(path, {.threads = threads, .rows_per_task = rows_per_task}, computed.diagnostics);
  if (!loaded.ok()) {
    ADD_FAILURE() << Render(loaded.error());
    return computed;
  }
  computed.info = loaded->info;
  StringOutput push_pop, projection, kernels, trace;
  auto tables = ComputeTables(std::move(loaded->trace), {&push_pop, &projection, &kernels, &trace},
                              {.threads = threads, .capture_range = std::move(capture_range), .on_step = {}},
                              computed.diagnostics);
  if (!tables.ok()) {
    ADD_FAILURE() << Render(tables.error());
    return computed;
  }
  computed.tables = std::move(*tables);
  computed.text = {{Report::kPushPop, std::move(push_pop.text())},
                   {Report::kGpuProjection, std::move(projection.text())},
                   {Report::kKernelSummary, std::move(kernels.text())},
                   {Report::kGpuTrace, std::move(trace.text())}};
  return computed;
}

class RealExport : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    auto folder = TemporaryFolder::Create(fs::temp_directory_path());
    ASSERT_TRUE(folder.ok());
    folder_.emplace(std::move(*folder));
    path_ = test::UnpackExport(GetParam(), folder_->path());
  }
  std::optional<TemporaryFolder> folder_;
  fs::path path_;
};

TEST_P(RealExport, GivesTheOfficialTablesByteForByte) {
  const Computed computed = Compute(path_, 2);
  for (const Report report : model::kReports) {
    const std::optional<std::string> expected = test::ExpectedTable(GetParam(), report);
    const std::string& text = computed.text.at(report);
    if (expected) {
      // No EXPECT_EQ: a difference would print megabytes.
      EXPECT_TRUE(text == *expected) << model::ReportName(report) << " differs: " << text.size() << " and "
                                     << expected->size() << " bytes";
    } else if (computed.tables.empty.contains(report)) {
      EXPECT_EQ(text, "");
    } else {
      // A documented difference: this export has no table of GPUs, so nsys makes no trace, and we do.
      EXPECT_EQ(report, Report::kGpuTrace);
      EXPECT_TRUE(computed.diagnostics.Has(Code::kExportTableMissing));
      EXPECT_NE(text, "");
    }
  }
}

TEST_P(RealExport, GivesTheSameBytesAtAnyThreadCount) {
  const Computed one = Compute(path_, 1);
  for (const int threads : {2, 64}) {
    const Computed many = Compute(path_, threads, 1999);
    EXPECT_TRUE(one.text == many.text) << threads;
    EXPECT_EQ(one.diagnostics.warnings(), many.diagnostics.warnings()) << threads;
    EXPECT_EQ(one.tables.tables.host.size(), many.tables.tables.host.size());
  }
}

INSTANTIATE_TEST_SUITE_P(All, RealExport, testing::ValuesIn(test::ExportNames()), [](const auto& instance) {
  std::string name = instance.param;
  for (char& c : name) {
    if (c == '.') c = '_';
  }
  return name;
});

class PowerIteration : public testing::Test {
 protected:
  static Computed Make(std::optional<std::string> capture_range) {
    auto folder = TemporaryFolder::Create(fs::temp_directory_path());
    return Compute(test::UnpackExport("power_iteration_2025.3.1", folder->path()), 2, 65536,
                   std::move(capture_range));
  }
};

TEST_F(PowerIteration, CountsCoverage) {
  const model::Coverage coverage = Make("Loop").tables.coverage;
  EXPECT_EQ(coverage.gpu_operations, 3778u);
  EXPECT_EQ(coverage.with_api_call, 3778u);
  EXPECT_EQ(coverage.in_ranges, 3770u);
  EXPECT_EQ(coverage.in_capture_range, 3765u);
  EXPECT_EQ(coverage.open_ranges_in_capture, 0u);
  EXPECT_FALSE(Make(std::nullopt).tables.coverage.open_ranges_in_capture.has_value());
  EXPECT_FALSE(Make(std::nullopt).tables.coverage.in_capture_range.has_value());
  EXPECT_FALSE(Make("no such range").tables.coverage.in_capture_range.has_value());
}

TEST_F(PowerIteration, FillsRowsForTheAnalysis) {
  const Computed computed = Make(std::nullopt);
  const model::ReportTables& tables = computed.tables.tables;
  EXPECT_EQ(tables.host.size(), 786u);
  ASSERT_TRUE(tables.kernels.has_value());
  int64_t kernels = 0;
  for (const model::KernelTotal& kernel : *tables.kernels) kernels += kernel.instances;
  EXPECT_EQ(kernels, 3689);
  ASSERT_TRUE(tables.copies.has_value());
  int64_t copies = 0;
  for (const model::CopyTotal& copy : *tables.copies) copies += copy.instances;
  EXPECT_EQ(copies, 89);
  ASSERT_EQ(tables.threads.size(), 1u);
  EXPECT_EQ(computed.info.product_version, "2025.3.1.90");
  EXPECT_EQ(computed.info.session_start, "2025-08-04T16:29:32Z");
}

TEST(Vectors, WarnOfTheOpenRange) {
  auto folder = TemporaryFolder::Create(fs::temp_directory_path());
  const Computed computed = Compute(test::UnpackExport("vectors", folder->path()), 1);
  EXPECT_TRUE(computed.diagnostics.Has(Code::kOpenRanges));
  EXPECT_TRUE(computed.diagnostics.Has(Code::kUnattributedGpuWork));
}

}  // namespace
}  // namespace rangewise::tables
