// Owns a bench for tests of GPU work per range: tables and activity made by hand, and the analysis of
// them.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/analyze.h"
#include "analysis/range_gpu_work.h"
#include "support/activity_builder.h"
#include "support/tables_builder.h"

namespace rangewise::testing {

// Tables and activity made by hand, and what is made of them.
struct GpuWorkBench {
  GpuWorkBench() = default;
  GpuWorkBench(const GpuWorkBench&) = delete;
  GpuWorkBench& operator=(const GpuWorkBench&) = delete;

  TablesBuilder tables;
  ActivityBuilder gpu{tables.tables().names};
  const model::NamePool& names = tables.tables().names;
  analysis::GpuWorkOptions options;
  std::vector<model::NameRule> rules;
  const analysis::RangeSelection* selection = nullptr;
  std::optional<std::string> capture;
  Diagnostics diagnostics;
  std::optional<model::GpuActivity> activity;
  std::optional<model::Analysis> made;

  Status Run(int threads = 2) {
    if (!activity) activity = gpu.Build();
    model::Harness harness;
    harness.capture_range = capture;
    Result<model::Analysis> outcome = analysis::Analyze(tables.tables(), harness,
                                           {.threads = threads,
                                            .name_rules = rules,
                                            .selection = selection,
                                            .gpu_activity = &*activity,
                                            .gpu_work = options},
                                           diagnostics);
    if (!outcome.ok()) return outcome.error();
    made = std::move(outcome).value();
    return Ok();
  }
  const model::RangeGpuWork& work() const { return *made->gpu_work; }

  std::string PathText(model::ScopePath path) const {
    std::string text;
    for (; path != model::kRootPath; path = made->paths[path].parent) {
      const std::string name(names.At(made->paths[path].name));
      text = text.empty() ? name : name + ">" + text;
    }
    return text;
  }
  const model::GpuWork& Path(const std::string& wanted) const {
    for (const model::PathGpuWork& path : work().paths) {
      if (PathText(path.path) == wanted) return path.work;
    }
    ADD_FAILURE() << "no path " << wanted;
    static const model::GpuWork none;
    return none;
  }
  std::vector<std::string> Paths() const {
    std::vector<std::string> texts;
    for (const model::PathGpuWork& path : work().paths) texts.push_back(PathText(path.path));
    return texts;
  }
};

}  // namespace rangewise::testing
