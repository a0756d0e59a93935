#include "support/gpu_pipeline.h"

#include <gtest/gtest.h>

#include "analysis/analyze.h"
#include "base/files.h"
#include "ingest/export_reader.h"

namespace rangewise::test {

GpuOutcome RunGpuPipeline(const std::filesystem::path& path, const GpuReferenceOptions& options,
                          int threads) {
  GpuOutcome outcome;
  auto loaded =
      ingest::LoadExport(path, {.threads = threads, .gpu_work = true}, outcome.diagnostics);
  if (!loaded.ok()) {
    ADD_FAILURE() << Render(loaded.error());
    return outcome;
  }
  StringOutput push_pop, projection, kernels, gpu_trace;
  auto computed = tables::ComputeTables(
      std::move(loaded->trace), {&push_pop, &projection, &kernels, &gpu_trace},
      {.threads = threads, .capture_range = options.capture_range, .gpu_work = true, .on_step = {}},
      outcome.diagnostics);
  if (!computed.ok()) {
    ADD_FAILURE() << Render(computed.error());
    return outcome;
  }
  outcome.computed = std::move(*computed);

  model::Harness harness;
  harness.capture_range = options.capture_range;
  harness.iteration_pattern = options.iteration_pattern;
  analysis::AnalyzeOptions analyze;
  analyze.threads = threads;
  analyze.mask_numbers = options.mask_numbers;
  if (outcome.computed.activity) analyze.gpu_activity = &*outcome.computed.activity;
  analyze.gpu_work.kernels = options.kernels;
  analyze.gpu_work.gap_threshold_ns = options.gap_threshold_ns;
  for (const auto& [pattern, name] : options.classes)
    analyze.gpu_work.classes.push_back({pattern, name});
  auto analysis = analysis::Analyze(outcome.computed.tables, harness, analyze, outcome.diagnostics);
  if (!analysis.ok() && analysis.error().code == Code::kNoHostRanges) return outcome;
  if (!analysis.ok()) {
    ADD_FAILURE() << Render(analysis.error());
    return outcome;
  }
  outcome.analysis = std::move(*analysis);
  return outcome;
}

GpuOutcome RunGpuPipeline(const RawTrace& raw, const std::filesystem::path& folder,
                          const GpuReferenceOptions& options, int threads,
                          const std::string& extra_sql) {
  const fs::path path = folder / "export.sqlite";
  WriteExport(raw, path, extra_sql);
  GpuOutcome outcome = RunGpuPipeline(path, options, threads);
  fs::remove(path);
  return outcome;
}

}  // namespace rangewise::test
