// Owns numbers with units for people: durations and sizes in the unit that suits their magnitude.
// Host and projected durations have the same form; what they are is for the text around them to
// say.
#pragma once

#include <cstdint>
#include <string>

#include "base/time.h"

namespace rangewise::render {

// Four significant digits in ns, us, ms or s, rounded half away from zero: "999 ns", "700.8 us",
// "2.500 ms",
// "-1.000 s", "12,345.0 s". Whole nanoseconds have no fraction.
std::string Duration(HostNs duration);
std::string Duration(ProjectedNs duration);
// A duration that is not of one clock (a kernel's run time); in nanoseconds.
std::string DurationOfNs(int64_t ns);
// As above, of a mean or deviation; a fraction below 1 us is shown: "0.5 ns", "12.25 ns".
std::string DurationOfNs(double ns);

// The unit that durations are shown in.
enum class TimeUnit : uint8_t { kAuto, kNs, kUs, kMs, kS };

// A duration of either clock, in nanoseconds. kAuto: as DurationOfNs; else in that unit with
// thousands grouped, us and ms with three decimals, s with six, rounded half away from zero:
// "1,234.568 us".
std::string DurationIn(int64_t ns, TimeUnit unit);
// Of a mean, deviation or percentile; ns has two decimals then, below 9e13 ns.
std::string DurationIn(double ns, TimeUnit unit);

// What a deviation of one value is to a reader; as a number it would be 0.
inline constexpr const char* kUnknownOfOne = "unknown (1 value)";

// The standard deviation of `count` values.
std::string DeviationIn(double ns, int64_t count, TimeUnit unit);

// Bytes in B, KiB, MiB, GiB or TiB, four significant digits: "512 B", "1.000 MiB".
std::string Bytes(int64_t bytes);

// "1 range", "1,234 ranges".
std::string Counted(int64_t count, const char* singular, const char* plural);

}  // namespace rangewise::render
