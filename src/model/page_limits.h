// Owns how much a page of `rangewise report` holds at most, so that it stays below 5 MB whatever it
// is made of: what is beyond a limit is folded and counted. Of a run's page the limits in bytes sum
// up to 4.3 MB; the scripts and styles of the template take the rest.
#pragma once

#include <cstddef>

namespace rangewise::model {

// Names and texts. Where each of its characters is escaped a name takes six times as many bytes,
// which is what the limits in bytes below are for.
inline constexpr size_t kMostNameCharacters = 400;
inline constexpr size_t kMostTimelineNameCharacters = 160;
inline constexpr size_t kMostSentenceCharacters = 2'000;

// What is shown as text.
inline constexpr size_t kMostTableRows = 1'000;
inline constexpr size_t kMostIterationRows = 600;
inline constexpr size_t kMostTableBytes = 240'000;     // of the rows of one table
inline constexpr size_t kMostTablesBytes = 1'700'000;  // of the rows of all tables
inline constexpr size_t kMostFacts = 200;              // keys of the workload, files, options
inline constexpr size_t kMostItems = 200;              // warnings, findings, runs that are left out
inline constexpr size_t kMostListBytes = 60'000;       // of one list of facts or items

// What the charts are drawn from.
inline constexpr size_t kMostChartIterations = 12'000;
inline constexpr size_t kMostScopes = 6'000;
inline constexpr size_t kMostScopeBytes = 700'000;  // of the names and numbers of the scope tree
inline constexpr size_t kMostGroupedScopeBytes = 250'000;
inline constexpr size_t kMostForestRows = 200;      // of one metric of a comparison
inline constexpr size_t kMostMetricBytes = 90'000;  // of the rows of one metric
inline constexpr size_t kMostLabelBytes = 100'000;  // of the runs of one side

// The timeline, of each of its windows.
inline constexpr size_t kMostTimelineItems = 2'500;
inline constexpr size_t kMostTimelineLanes = 48;  // of each kind
inline constexpr size_t kMostTimelineLevels = 48;
inline constexpr size_t kMostTimelineNameBytes = 60'000;

}  // namespace rangewise::model
