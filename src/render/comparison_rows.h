// Owns which rows of a comparison people are shown, in which order, and their cells as text, for
// every form alike. Names from inputs stand in them as they are: whoever lays them out makes them
// safe. Host metrics and projections stay separate tables.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/comparison.h"

namespace rangewise::render {

// The numbers of a row as they are.
struct RowNumbers {
  std::optional<double> log_ratio;
  std::optional<model::LogInterval> interval;
  std::optional<double> probability;
  std::optional<double> baseline_ns;
  std::optional<double> candidate_ns;
};

// A number that does not exist is "-".
struct ShownRow {
  std::string verdict;
  std::string reason;       // its word; empty: none
  std::string ratio;        // "1.083"
  std::string interval;     // "1.071 to 1.095"
  std::string probability;  // q; of the primary metric p
  std::string baseline;     // median of the runs' values
  std::string candidate;
  std::string range;  // path and style; of iterations "iterations"
  std::string metric;  // of a gate's rows: its word, "gpu-projection"
  // "nested": a range around it has a row; "holds others"; both; or "". The time of a row with a
  // place counts in another one, too.
  std::string place;
  RowNumbers numbers = {};
};

struct ShownTable {
  model::Metric metric = model::Metric::kHostIterations;
  bool grouped = false;
  std::vector<ShownRow> rows;  // at most as many as asked for
  size_t rows_total = 0;
  std::string counts;  // "2 regressed, 30 no-change"
  std::string leaves;  // the geometric mean over leaves as a sentence; empty without one
};

// Tables that have rows, each with `most_rows` rows at most, in the order of model/comparison_order.h.
std::vector<ShownTable> ShownTables(const model::Comparison& comparison, size_t most_rows);

// The rows that kept the gate from passing, in its order, `most_rows` at most. Of one that no run
// has, only its name and verdict are known. Empty without a gate.
std::vector<ShownRow> ShownGateRows(const model::Comparison& comparison, size_t most_rows);

// One run's value in the primary metric.
struct ShownValue {
  std::string value;       // "-": the run does not have it
  std::string within_run;  // "1.000 ms to 1.200 ms (10)": of 10 values
};
// By run; empty when no run of either side has the primary metric.
struct ShownPrimary {
  std::vector<ShownValue> baseline;
  std::vector<ShownValue> candidate;
};
ShownPrimary ShownPrimaryValues(const model::Comparison& comparison);

}  // namespace rangewise::render
