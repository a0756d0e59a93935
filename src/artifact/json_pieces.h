// Owns the small pieces that several parts of analysis.json are made of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/checked.h"
#include "format/json.h"
#include "model/analysis.h"

namespace rangewise::artifact {

inline void OptionalText(format::JsonWriter& json, std::string_view key,
                         const std::optional<std::string_view>& text) {
  json.Key(key);
  if (text) {
    json.String(*text);
  } else {
    json.Null();
  }
}

inline void TextList(format::JsonWriter& json, std::string_view key,
                     const std::vector<std::string>& texts) {
  json.Key(key);
  json.BeginList();
  for (const std::string& text : texts) json.String(text);
  json.EndList();
}

inline void Number(format::JsonWriter& json, std::string_view key, int64_t value) {
  json.Key(key);
  json.Integer(value);
}

inline void Number(format::JsonWriter& json, std::string_view key, double value) {
  json.Key(key);
  json.Double(value);
}

inline void Number(format::JsonWriter& json, std::string_view key, std::optional<double> value) {
  if (value) return Number(json, key, *value);
  json.Key(key);
  json.Null();
}

// The double nearest to the mean of two integers: their sum fits 128 bits, and halving is exact.
inline double MiddleOf(int64_t low, int64_t high) {
  return static_cast<double>(Int128{low} + high) / 2;
}

template <typename Ns>
void Statistics(format::JsonWriter& json, std::string_view key,
                const model::Statistics<Ns>& values) {
  json.Key(key);
  json.BeginObject();
  Number(json, "cv_ratio", model::CvRatio(values));
  Number(json, "mad_ns", values.mad_ns);
  Number(json, "maximum_ns", values.maximum.ns);
  Number(json, "mean_ns", values.mean_ns);
  if (values.median_is_whole) {
    Number(json, "median_ns", values.median_low.ns);
  } else {
    Number(json, "median_ns", MiddleOf(values.median_low.ns, values.median_high.ns));
  }
  Number(json, "minimum_ns", values.minimum.ns);
  Number(json, "p90_ns", values.p90_ns);
  Number(json, "p95_ns", values.p95_ns);
  Number(json, "p99_ns", values.p99_ns);
  Number(json, "stddev_ns", values.stddev_ns);
  Number(json, "total_ns", values.total.ns);
  json.EndObject();
}

template <typename Ns>
void OptionalStatistics(format::JsonWriter& json, std::string_view key,
                        const std::optional<model::Statistics<Ns>>& values) {
  if (values) return Statistics(json, key, *values);
  json.Key(key);
  json.Null();
}

}  // namespace rangewise::artifact
