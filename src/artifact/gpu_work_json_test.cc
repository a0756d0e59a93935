#include "artifact/gpu_work_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "artifact/analysis_json.h"
#include "artifact/analysis_reader.h"
#include "base/files.h"
#include "support/sample_document.h"
#include "support/sample_gpu_work.h"
#include "support/schema_check.h"

namespace rangewise::artifact {
namespace {

using test_support::AddGpuWork;
using test_support::AddSparseGpuWork;
using test_support::SchemaProblems;
using test_support::SmokeDocument;

std::string Written(const model::AnalysisDocument& document) {
  StringOutput out;
  WriteAnalysisJson(document, out);
  return out.text();
}

Result<model::AnalysisFile> Read(std::string_view text) {
  return ReadAnalysis(format::BytesOf(text), "analysis.json");
}

model::AnalysisDocument WithGpuWork() {
  model::AnalysisDocument document = SmokeDocument();
  auto& grouped = document.analysis.grouped.emplace();
  grouped.paths = {{model::kRootPath, grouped.names.Intern("grouped")}};
  AddGpuWork(document);
  return document;
}

TEST(GpuWorkJson, SaysWhatTheModelHolds) {
  const std::string text = Written(WithGpuWork());
  EXPECT_EQ(SchemaProblems(text), std::vector<std::string>{});
  const auto work = nlohmann::json::parse(text)["range_gpu_work"];
  const auto& outer = work["paths"][0];
  EXPECT_EQ(outer["name"], "train");
  EXPECT_EQ(outer["domain"], "");
  EXPECT_EQ(outer["operation_count"], 13);
  EXPECT_EQ(outer["kernels"]["total_ns"], 63'000);
  EXPECT_EQ(outer["own"]["kernels"]["total_ns"], 18'000);
  EXPECT_EQ(outer["busy_share_ratio"], 0.5);
  EXPECT_EQ(outer["copies"][0]["direction"], "Host-to-Device");
  EXPECT_EQ(outer["copies"][0]["throughput_bytes_per_s"], 1'048'576 * 3 * 1e9 / 9'000);
  EXPECT_TRUE(outer["copies"][1]["direction"].is_null());
  EXPECT_TRUE(outer["copies"][1]["bytes"].is_null());
  EXPECT_TRUE(outer["copies"][1]["throughput_bytes_per_s"].is_null());
  EXPECT_TRUE(outer["devices"][0]["device"].is_null());
  EXPECT_EQ(outer["devices"][0]["streams"], (nlohmann::json{nullptr, 3}));
  EXPECT_EQ(outer["devices"][1]["communication_exposed_ns"], 6'000);
  EXPECT_EQ(outer["host_calls"]["synchronising"]["total_ns"], 120'000);
  EXPECT_EQ(outer["host_calls"]["own"]["synchronising"]["total_ns"], 40'000);
  EXPECT_EQ(outer["graphs"]["records"]["instances"], 0);
  EXPECT_EQ(outer["largest_kernels"][0]["share_ratio"], 45'000 / 63'000.0);
  EXPECT_EQ(outer["queue_delay"]["delay"]["maximum_ns"], 9'001);
  EXPECT_EQ(outer["synchronisations"][0]["type"], "Stream sync");
  EXPECT_EQ(outer["synchronisations"][0]["total_ns"], 114'000);
  EXPECT_TRUE(outer["synchronisations"][1]["type"].is_null());
  const auto& inner = work["paths"][1];
  EXPECT_EQ(inner["path"], (nlohmann::json{"train", "forward"}));
  EXPECT_TRUE(inner["domain"].is_null());
  // Whole graphs ran there: how much of the span was busy is not known.
  EXPECT_TRUE(inner["busy_share_ratio"].is_null());
  EXPECT_TRUE(inner["queue_delay"]["delay"].is_null());
  EXPECT_EQ(inner["queue_delay"]["started_during_call_count"], 3);
  EXPECT_EQ(work["grouped_paths"][0]["path"], nlohmann::json{"grouped"});
  EXPECT_FALSE(work["grouped_paths"][0].contains("domain"));
  EXPECT_EQ(work["iterations"][1]["index"], 1);
  EXPECT_FALSE(work["iterations"][1].contains("path"));
  EXPECT_TRUE(work["iterations"][1]["busy_share_ratio"].is_null());
  EXPECT_EQ(work["gaps"]["threshold_ns"], 10'000);
  const auto& gap = work["gaps"]["capture_range"]["devices"][0]["largest"][0];
  EXPECT_EQ(gap["host_range"], (nlohmann::json{"profile-target", "iteration 0"}));
  EXPECT_EQ(gap["cuda_call"], "cudaDeviceSynchronize_v3020");
  EXPECT_EQ(gap["filled_by"]["host_range"], (nlohmann::json{"profile-target", "IO"}));
  EXPECT_EQ(gap["filled_by"]["host_ns"], 316'000);
  EXPECT_EQ(gap["filled_by"]["share_ratio"], 0.8);
  EXPECT_TRUE(work["gaps"]["capture_range"]["devices"][0]["largest"][1]["filled_by"].is_null());
  EXPECT_EQ(work["gaps"]["capture_range"]["window_start_ns"], 1'000'000);
  EXPECT_TRUE(work["gaps"]["iterations"][0]["window_start_ns"].is_null());
  EXPECT_EQ(work["devices"][0]["streams"][0]["process"], 700);
  EXPECT_TRUE(work["devices"][0]["streams"][1]["process"].is_null());
  EXPECT_EQ(work["gaps"]["iterations"][0]["index"], 0);
  EXPECT_EQ(work["unattributed"]["without_call"]["instances"], 2);
  EXPECT_EQ(work["overlapping_operation_count"], 5);
  EXPECT_TRUE(work["devices"][1]["name"].is_null());
  EXPECT_TRUE(work["devices"][0]["streams"][1]["context"].is_null());
}

TEST(GpuWorkJson, WhatIsUnknownIsNullWithAReason) {
  model::AnalysisDocument document;
  AddSparseGpuWork(document);
  const std::string text = Written(document);
  EXPECT_EQ(SchemaProblems(text), std::vector<std::string>{});
  const auto work = nlohmann::json::parse(text)["range_gpu_work"];
  const auto& path = work["paths"][0];
  for (const char* key : {"graphs", "host_calls", "queue_delay", "synchronisations"}) {
    EXPECT_TRUE(path[key].is_null()) << key;
  }
  EXPECT_TRUE(path["copies_total"]["bytes"].is_null());
  EXPECT_TRUE(path["largest_kernels"][0]["name"].is_null());
  EXPECT_TRUE(work["grouped_paths"].is_null());
  EXPECT_TRUE(work["gaps"]["capture_range"].is_null());
  EXPECT_EQ(work["null_reasons"].size(), 5U);
  EXPECT_EQ(work["null_reasons"]["calls"],
            "the export has no table CUPTI_ACTIVITY_KIND_RUNTIME");
}

TEST(GpuWorkJson, NodesOfGraphsAreSaidWithoutRecordsOfWholeOnes) {
  model::AnalysisDocument document;
  AddSparseGpuWork(document);
  document.analysis.gpu_work->paths[0].work.graphs.nodes.kernels = {1, {5}};
  document.analysis.gpu_work->paths[0].work.graphs.nodes.operations = 1;
  const std::string text = Written(document);
  EXPECT_EQ(SchemaProblems(text), std::vector<std::string>{});
  const auto graphs = nlohmann::json::parse(text)["range_gpu_work"]["paths"][0]["graphs"];
  EXPECT_TRUE(graphs["records"].is_null());
  EXPECT_EQ(graphs["nodes"]["operation_count"], 1);
}

TEST(GpuWorkJson, AbsentWorkHasItsReason) {
  model::AnalysisDocument document = SmokeDocument();
  document.analysis.no_gpu_work = "no export was read";
  const std::string text = Written(document);
  EXPECT_EQ(SchemaProblems(text), std::vector<std::string>{});
  const auto json = nlohmann::json::parse(text);
  EXPECT_TRUE(json["range_gpu_work"].is_null());
  EXPECT_EQ(json["range_gpu_work_reason"], "no export was read");
  const auto file = Read(text);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_FALSE(file->document.analysis.gpu_work.has_value());
  EXPECT_EQ(file->document.analysis.no_gpu_work, "no export was read");
  EXPECT_EQ(Written(file->document), text);
}

TEST(GpuWorkReader, WhatWasWrittenIsWrittenAgainAsTheSameBytes) {
  model::AnalysisDocument sparse;
  AddSparseGpuWork(sparse);
  const std::string sparse_text = Written(sparse);
  const auto sparse_file = Read(sparse_text);
  ASSERT_TRUE(sparse_file.ok()) << sparse_file.error().message;
  EXPECT_EQ(Written(sparse_file->document), sparse_text);
  const model::AnalysisDocument whole = WithGpuWork();
  const std::string text = Written(whole);
  const auto file = Read(text);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(Written(file->document), text);
  const model::RangeGpuWork& read = *file->document.analysis.gpu_work;
  const model::RangeGpuWork& written = *whole.analysis.gpu_work;
  ASSERT_EQ(read.paths.size(), written.paths.size());
  EXPECT_EQ(read.paths[0].work.total, written.paths[0].work.total);
  EXPECT_EQ(read.paths[1].work.graphs.nodes, written.paths[1].work.graphs.nodes);
  EXPECT_EQ(read.paths[0].work.calls, written.paths[0].work.calls);
  EXPECT_EQ(read.devices[0].name, "NVIDIA L4");
}

TEST(GpuWorkReader, NamesAreKeptWhateverTheyHold) {
  model::AnalysisDocument document;
  AddGpuWork(document, {.kernel = "\x1b[31m\"k\"\n",
                        .collective = std::string("nul\0byte", 8),
                        .direction = "a|b`c`",
                        .device = "\xe2\x80\xae" "4L",
                        .call = "=cmd()"});
  const std::string text = Written(document);
  EXPECT_EQ(SchemaProblems(text), std::vector<std::string>{});
  for (const char c : text) {
    ASSERT_TRUE((c >= 0x20 && c < 0x7f) || c == '\n') << static_cast<int>(c);
  }
  const auto file = Read(text);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(Written(file->document), text);
}

TEST(GpuWorkReader, AnOlderFileSaysThatNothingWasComputed) {
  nlohmann::json older = nlohmann::json::parse(Written(SmokeDocument()));
  older.erase("range_gpu_work");
  older.erase("range_gpu_work_reason");
  EXPECT_EQ(SchemaProblems(older.dump()), std::vector<std::string>{});
  const auto file = Read(older.dump());
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_FALSE(file->document.analysis.gpu_work.has_value());
  EXPECT_EQ(file->document.analysis.no_gpu_work,
            "the analysis.json was written by a version that did not compute it");
}

TEST(GpuWorkJson, ClassesWithoutCallsAreLeftOut) {
  model::AnalysisDocument document = WithGpuWork();
  model::GpuWork& work = document.analysis.gpu_work->paths[0].work;
  (*work.calls)[static_cast<size_t>(model::CallClass::kMemory)] = {};
  (*work.own_calls) = {};
  const std::string text = Written(document);
  EXPECT_EQ(SchemaProblems(text), std::vector<std::string>{});
  const auto calls = nlohmann::json::parse(text)["range_gpu_work"]["paths"][0]["host_calls"];
  EXPECT_FALSE(calls.contains("memory"));
  EXPECT_TRUE(calls.contains("launching"));
  EXPECT_EQ(calls["own"], nlohmann::json::object());
  const auto file = Read(text);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->document.analysis.gpu_work->paths[0].work.calls, work.calls);
  EXPECT_EQ(file->document.analysis.gpu_work->paths[0].work.own_calls, work.own_calls);
}

TEST(GpuWorkJson, WholeGraphsAloneHaveNoBusyTime) {
  model::AnalysisDocument document = WithGpuWork();
  model::RangeGpuWork& work = *document.analysis.gpu_work;
  work.paths[1].work.busy.reset();
  work.null_reasons["busy"] = "only whole graphs";
  const std::string text = Written(document);
  EXPECT_EQ(SchemaProblems(text), std::vector<std::string>{});
  EXPECT_TRUE(nlohmann::json::parse(text)["range_gpu_work"]["paths"][1]["busy_ns"].is_null());
  const auto file = Read(text);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_FALSE(file->document.analysis.gpu_work->paths[1].work.busy.has_value());
  EXPECT_EQ(Written(file->document), text);
}

TEST(GpuWorkReader, BusySharesStayUnknownWhereGraphsCouldNotBeRead) {
  model::AnalysisDocument document = WithGpuWork();
  model::RangeGpuWork& work = *document.analysis.gpu_work;
  for (model::PathGpuWork& row : work.paths) row.work.graphs_unreadable = true;
  work.null_reasons["graphs"] = work.null_reasons["busy_share"] = "the table has no column end";
  const std::string text = Written(document);
  EXPECT_EQ(SchemaProblems(text), std::vector<std::string>{});
  EXPECT_TRUE(
      nlohmann::json::parse(text)["range_gpu_work"]["paths"][0]["busy_share_ratio"].is_null());
  const auto file = Read(text);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_FALSE(file->document.analysis.gpu_work->paths[0].work.BusyShare().has_value());
}

// Files of before have neither what fills a gap, nor where windows begin, nor whose a stream is.
TEST(GpuWorkReader, WhatOlderFilesDoNotSayIsUnknown) {
  nlohmann::json older = nlohmann::json::parse(Written(WithGpuWork()));
  auto& window = older["range_gpu_work"]["gaps"]["capture_range"];
  window.erase("window_start_ns");
  for (auto& gap : window["devices"][0]["largest"]) gap.erase("filled_by");
  for (auto& stream : older["range_gpu_work"]["devices"][0]["streams"]) stream.erase("process");
  older["run"].erase("gpu_classes");
  EXPECT_EQ(SchemaProblems(older.dump()), std::vector<std::string>{});
  const auto file = Read(older.dump());
  ASSERT_TRUE(file.ok()) << file.error().message;
  const model::RangeGpuWork& work = *file->document.analysis.gpu_work;
  EXPECT_FALSE(work.gaps.capture->start_ns.has_value());
  EXPECT_FALSE(work.gaps.capture->devices[0].largest[0].filling.has_value());
  EXPECT_EQ(work.devices[0].streams[0].process, model::kNullInteger);
}

TEST(GpuWorkReader, KeysOfLaterVersionsArePassedOver) {
  model::AnalysisDocument document;
  AddGpuWork(document);
  const std::string text = Written(document);
  nlohmann::json later = nlohmann::json::parse(text);
  later["range_gpu_work"]["power"] = {{"joules", 5}};
  later["range_gpu_work"]["paths"][0]["clocks"] = {1, 2, nullptr};
  later["range_gpu_work"]["gaps"]["capture_range"]["devices"][0]["cause"] = "none";
  const auto file = Read(later.dump());
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(Written(file->document), text);
}

TEST(GpuWorkReader, RefusesAnotherShapeAndNamesThePlace) {
  const nlohmann::json whole = nlohmann::json::parse(Written(WithGpuWork()));
  const auto message = [&](const char* pointer, const nlohmann::json& value) {
    nlohmann::json changed = whole;
    changed[nlohmann::json::json_pointer(pointer)] = value;
    const auto file = Read(changed.dump());
    return file.ok() ? std::string("(read)") : file.error().message;
  };
  const auto expect_refused = [&](const char* pointer, const nlohmann::json& value,
                                  const char* place) {
    const std::string text = message(pointer, value);
    EXPECT_NE(text.find(place), std::string::npos) << pointer << ": " << text;
  };
  expect_refused("/range_gpu_work", 5, "range_gpu_work");
  expect_refused("/range_gpu_work/paths/0/busy_ns", "1", "range_gpu_work.paths[0].busy_ns");
  expect_refused("/range_gpu_work/paths/0/busy_ns", 1.5, "range_gpu_work.paths[0].busy_ns");
  expect_refused("/range_gpu_work/paths/1/kernels/instances", -1, "paths[1].kernels.instances");
  expect_refused("/range_gpu_work/paths/1/path", nlohmann::json::array(), "paths[1].path");
  expect_refused("/range_gpu_work/paths/1/domain", "other", "paths[1]");
  expect_refused("/range_gpu_work/paths/0/devices/1/streams/0", true, "devices[1].streams[0]");
  expect_refused("/range_gpu_work/iterations/1/index", 0, "iterations[1]");
  expect_refused("/range_gpu_work/gaps/threshold_ns", nullptr, "gaps.threshold_ns");
  expect_refused("/range_gpu_work/null_reasons/x", 3, "null_reasons.x");
  expect_refused("/range_gpu_work_reason", 3, "range_gpu_work_reason");
  nlohmann::json changed = whole;
  changed["range_gpu_work"]["paths"][0].erase("path");
  EXPECT_FALSE(Read(changed.dump()).ok());
  changed = whole;
  changed["range_gpu_work"].erase("devices");
  EXPECT_FALSE(Read(changed.dump()).ok());
}

TEST(GpuWorkReader, UnknownRecordsOfGraphsNeverBecomeZero) {
  nlohmann::json file = nlohmann::json::parse(Written(WithGpuWork()));
  file["range_gpu_work"]["paths"][1]["graphs"]["records"] = nullptr;
  const auto read = Read(file.dump());
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_TRUE(read->document.analysis.gpu_work->null_reasons.contains("graphs"));
}

TEST(GpuWorkJson, SchemaRefusesWhatIsWrong) {
  const auto whole = nlohmann::json::parse(Written(WithGpuWork()));
  const auto is_refused = [&](const char* pointer, const nlohmann::json& value) {
    nlohmann::json changed = whole;
    changed[nlohmann::json::json_pointer(pointer)] = value;
    return !SchemaProblems(changed.dump()).empty();
  };
  EXPECT_TRUE(is_refused("/range_gpu_work/paths/0/busy_ns", "1"));
  EXPECT_TRUE(is_refused("/range_gpu_work/paths/0/own", nullptr));
  EXPECT_TRUE(is_refused("/range_gpu_work/paths/0/host_calls/memory/calls", -1));
  EXPECT_TRUE(is_refused("/range_gpu_work/gaps/iterations/0/devices/0/gap_length/p95_ns", "x"));
  EXPECT_TRUE(is_refused("/range_gpu_work/unattributed/without_call", nullptr));
  EXPECT_FALSE(is_refused("/range_gpu_work/paths/0/later", 1));
}

}  // namespace
}  // namespace rangewise::artifact
