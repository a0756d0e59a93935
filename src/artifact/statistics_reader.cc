#include "artifact/statistics_reader.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <variant>

#include "artifact/json_object.h"

namespace rangewise::artifact {

namespace {

struct In {
  format::JsonReader& json;
};

std::optional<double> OptionalDouble(In& in) {
  if (in.json.TakeNull()) return std::nullopt;
  return in.json.Double();
}

// A double that stands for the mean of two integers as two integers with that mean, the nearest to
// each other. At 2^63, which the mean of the two largest is rounded to, the largest is what is
// nearest.
template <typename Ns>
void SetMedian(double median, model::Statistics<Ns>& out) {
  constexpr double kBeyond = 9223372036854775808.0;
  const auto whole = [&](double value) -> int64_t {
    if (value >= kBeyond) return std::numeric_limits<int64_t>::max();
    if (value <= -kBeyond) return std::numeric_limits<int64_t>::min();
    return static_cast<int64_t>(value);
  };
  out.median_low = {whole(std::floor(median))};
  out.median_high = {whole(std::ceil(median))};
  out.median_is_whole = false;
}

template <typename Ns>
constexpr JsonKey<In, model::Statistics<Ns>> kStatisticsKeys[] = {
    {"mad_ns", Presence::kOptional, [](In& in, auto& out) { out.mad_ns = OptionalDouble(in); }},
    {"maximum_ns", Presence::kRequired, [](In& in, auto& out) { out.maximum = {in.json.Int64()}; }},
    {"mean_ns", Presence::kRequired, [](In& in, auto& out) { out.mean_ns = in.json.Double(); }},
    {"median_ns", Presence::kRequired,
     [](In& in, auto& out) {
       const std::variant<int64_t, double> median = in.json.Number();
       if (const auto* whole = std::get_if<int64_t>(&median)) {
         out.median_low = out.median_high = {*whole};
         out.median_is_whole = true;
       } else {
         SetMedian(std::get<double>(median), out);
       }
     }},
    {"minimum_ns", Presence::kRequired, [](In& in, auto& out) { out.minimum = {in.json.Int64()}; }},
    {"p90_ns", Presence::kOptional, [](In& in, auto& out) { out.p90_ns = OptionalDouble(in); }},
    {"p95_ns", Presence::kOptional, [](In& in, auto& out) { out.p95_ns = OptionalDouble(in); }},
    {"p99_ns", Presence::kOptional, [](In& in, auto& out) { out.p99_ns = OptionalDouble(in); }},
    {"stddev_ns", Presence::kRequired,
     [](In& in, auto& out) {
       out.stddev_ns = in.json.Double();
       if (out.stddev_ns < 0) in.json.Refuse("a negative deviation");
     }},
    {"total_ns", Presence::kRequired, [](In& in, auto& out) { out.total = {in.json.Int64()}; }},
};

}  // namespace

template <typename Ns>
model::Statistics<Ns> ReadStatistics(format::JsonReader& json) {
  In in{json};
  model::Statistics<Ns> out;
  ReadObject(in, kStatisticsKeys<Ns>, out);
  // Of a median that is a double the two integers are no more than near to it.
  const bool is_within = out.median_is_whole
                             ? out.minimum <= out.median_low && out.median_low <= out.maximum
                             : model::MedianNs(out) >= static_cast<double>(out.minimum.ns) &&
                                   model::MedianNs(out) <= static_cast<double>(out.maximum.ns);
  if (json.ok() && !is_within) json.Refuse("a median that is not from minimum_ns to maximum_ns");
  return out;
}

template model::Statistics<HostNs> ReadStatistics<HostNs>(format::JsonReader& json);
template model::Statistics<ProjectedNs> ReadStatistics<ProjectedNs>(format::JsonReader& json);
template model::Statistics<GpuNs> ReadStatistics<GpuNs>(format::JsonReader& json);
template model::Statistics<QueueNs> ReadStatistics<QueueNs>(format::JsonReader& json);

}  // namespace rangewise::artifact
