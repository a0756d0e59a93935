#include "render/units.h"

#include <cmath>
#include <span>

#include "base/checked.h"
#include "base/text.h"

namespace rangewise::render {

namespace {

struct Unit {
  uint64_t size;
  const char* name;
};
constexpr Unit kTimeUnits[] = {{1, "ns"}, {1'000, "us"}, {1'000'000, "ms"}, {1'000'000'000, "s"}};
constexpr Unit kSizeUnits[] = {{1, "B"},
                               {uint64_t{1} << 10, "KiB"},
                               {uint64_t{1} << 20, "MiB"},
                               {uint64_t{1} << 30, "GiB"},
                               {uint64_t{1} << 40, "TiB"}};

// `value` / `unit` rounded to `decimals`, in units of the last decimal.
uint64_t Rounded(uint64_t value, uint64_t unit, int decimals) {
  UInt128 scaled = value;
  for (int i = 0; i < decimals; ++i) scaled *= 10;
  return static_cast<uint64_t>((scaled + unit / 2) / unit);
}

std::string WithDecimals(uint64_t scaled, int decimals) {
  uint64_t divisor = 1;
  for (int i = 0; i < decimals; ++i) divisor *= 10;
  std::string text = Grouped(static_cast<int64_t>(scaled / divisor));
  if (decimals > 0) text += Format(".{:0{}}", scaled % divisor, decimals);
  return text;
}

// The largest unit in which the rounded value is at least 1; a value that rounds up to 1,000 of one
// unit and has a larger one is 1 of that.
std::string InUnits(uint64_t magnitude, std::span<const Unit> units, uint64_t step) {
  for (size_t i = 0;; ++i) {
    const Unit& unit = units[i];
    const bool is_last = i + 1 == units.size();
    if (i == 0) {
      if (magnitude < step) return Format("{} {}", magnitude, unit.name);
      continue;
    }
    // Four digits: 1.234, 12.34, 123.4.
    int decimals = 3;
    uint64_t scaled = Rounded(magnitude, unit.size, decimals);
    while (scaled >= 10'000 && decimals > 1) scaled = Rounded(magnitude, unit.size, --decimals);
    if (is_last || scaled < step * 10 || decimals > 1) {
      return WithDecimals(scaled, decimals) + " " + unit.name;
    }
  }
}

uint64_t Magnitude(int64_t value) {
  return value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
}

}  // namespace

std::string Duration(HostNs duration) { return DurationOfNs(duration.ns); }
std::string Duration(ProjectedNs duration) { return DurationOfNs(duration.ns); }

std::string DurationOfNs(int64_t ns) {
  return (ns < 0 ? "-" : "") + InUnits(Magnitude(ns), kTimeUnits, 1'000);
}

std::string DurationOfNs(double ns) {
  const double magnitude = std::fabs(ns);
  const char* sign = ns < 0 ? "-" : "";
  if (magnitude < 999.5) {
    const double hundredths = std::round(magnitude * 100);
    const auto whole = static_cast<uint64_t>(hundredths);
    if (whole % 100 == 0) return Format("{}{} ns", whole == 0 ? "" : sign, whole / 100);
    return sign + WithDecimals(whole, 2) + " ns";
  }
  constexpr double kLargest = 9.2e18;  // of 64 bits; beyond, only a double of no measurement
  return sign + InUnits(static_cast<uint64_t>(std::round(std::fmin(magnitude, kLargest))),
                        kTimeUnits, 1'000);
}

std::string DurationIn(int64_t ns, TimeUnit unit) {
  if (unit == TimeUnit::kAuto) return DurationOfNs(ns);
  const Unit& chosen = kTimeUnits[static_cast<size_t>(unit) - 1];
  const int decimals = unit == TimeUnit::kNs ? 0 : unit == TimeUnit::kS ? 6 : 3;
  const uint64_t scaled = Rounded(Magnitude(ns), chosen.size, decimals);
  const char* sign = ns < 0 && scaled != 0 ? "-" : "";
  return Format("{}{} {}", sign, WithDecimals(scaled, decimals), chosen.name);
}

std::string DurationIn(double ns, TimeUnit unit) {
  if (unit == TimeUnit::kAuto) return DurationOfNs(ns);
  constexpr double kLargest = 9e13;  // whose hundredths a double still tells apart
  if (unit == TimeUnit::kNs && std::fabs(ns) < kLargest) {
    const auto hundredths = static_cast<uint64_t>(std::round(std::fabs(ns) * 100));
    return Format("{}{} ns", ns < 0 && hundredths != 0 ? "-" : "", WithDecimals(hundredths, 2));
  }
  return DurationIn(static_cast<int64_t>(std::round(std::fmax(-9.2e18, std::fmin(ns, 9.2e18)))),
                    unit);
}

std::string DeviationIn(double ns, int64_t count, TimeUnit unit) {
  return count == 1 ? kUnknownOfOne : DurationIn(ns, unit);
}

std::string Bytes(int64_t bytes) {
  return (bytes < 0 ? "-" : "") + InUnits(Magnitude(bytes), kSizeUnits, 1'024);
}

std::string Counted(int64_t count, const char* singular, const char* plural) {
  return Grouped(count) + " " + (count == 1 ? singular : plural);
}

}  // namespace rangewise::render
