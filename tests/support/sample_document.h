// Owns ready-made analysis documents for tests of what is written and rendered from them.
#pragma once

#include <initializer_list>
#include <string_view>

#include "model/provenance.h"

namespace rangewise::test_support {

// A run with two iterations, projections, kernels and copies, with the numbers of the sample
// smoke-local.
model::AnalysisDocument SmokeDocument();

// The scope path of `names`, from the outermost inwards, added to the document.
model::ScopePath AddPath(model::AnalysisDocument& document,
                         std::initializer_list<std::string_view> names);

// Statistics of a single value.
template <typename Ns>
model::Statistics<Ns> Single(int64_t ns) {
  return {.total = {ns},
          .minimum = {ns},
          .maximum = {ns},
          .mean_ns = static_cast<double>(ns),
          .stddev_ns = 0,
          .median_low = {ns},
          .median_high = {ns},
          .median_is_whole = true,
          .p90_ns = static_cast<double>(ns),
          .p95_ns = static_cast<double>(ns),
          .p99_ns = static_cast<double>(ns),
          .mad_ns = 0};
}

}  // namespace rangewise::test_support
