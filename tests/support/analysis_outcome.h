// Owns analysing hand-made tables in tests and reading the result by text: paths with their names
// joined by '>'.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/analyze.h"
#include "support/tables_builder.h"

namespace rangewise::testing {

using model::Analysis;
using model::Harness;
using model::kRootPath;
using model::ReportTables;

inline Harness HarnessOf(std::string capture, std::optional<int64_t> expected = std::nullopt) {
  Harness harness;
  harness.capture_range = std::move(capture);
  harness.expected_iterations = expected;
  return harness;
}

// An analysis with its tables and warnings.
struct Outcome {
  const ReportTables& tables;
  Diagnostics diagnostics;
  Result<Analysis> result;

  const Analysis& analysis() const { return result.value(); }
  // Names joined by '>': a name may hold a '.'.
  std::string Path(model::ScopePath path) const {
    std::string text;
    for (; path != kRootPath; path = analysis().paths[path].parent) {
      std::string name(tables.names.At(analysis().paths[path].name));
      text = text.empty() ? name : name + ">" + text;
    }
    return text;
  }
  std::vector<std::string> HostPaths() const {
    std::vector<std::string> paths;
    for (const auto& group : analysis().host_groups) paths.push_back(Path(group.path));
    return paths;
  }
  std::vector<std::string> ProjectedPaths() const {
    std::vector<std::string> paths;
    for (const auto& group : analysis().projected_groups) {
      paths.push_back(Path(group.path) + "|" +
                      std::string(group.style == model::Style::kPushPop ? "PushPop" : "StartEnd"));
    }
    return paths;
  }
  const model::HostGroup& Host(const std::string& path) const {
    for (const auto& group : analysis().host_groups) {
      if (Path(group.path) == path) return group;
    }
    ADD_FAILURE() << "no host group " << path;
    return analysis().host_groups.at(0);
  }
  std::vector<std::string> Codes() const {
    std::vector<std::string> codes;
    for (const Warning& warning : diagnostics.warnings())
      codes.emplace_back(Describe(warning.code).word);
    return codes;
  }
  std::string Sentence(Code code) const {
    for (const Warning& warning : diagnostics.warnings()) {
      if (warning.code == code) return warning.sentence;
    }
    return "(no such warning)";
  }
};

inline Outcome AnalyseTables(TablesBuilder& builder, const Harness& harness) {
  Diagnostics diagnostics;
  Result<Analysis> result =
      analysis::Analyze(builder.tables(), harness, {.threads = 2}, diagnostics);
  return {builder.tables(), std::move(diagnostics), std::move(result)};
}

}  // namespace rangewise::testing
