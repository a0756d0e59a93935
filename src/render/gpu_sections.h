// Owns the parts of the report of GPU work, one function per section or two.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/checked.h"
#include "model/gpu_view.h"
#include "render/report.h"
#include "render/units.h"

namespace rangewise::render {

inline constexpr const char* kNotKnown = "not known";

// Paths or iterations that are shown, with what they are called.
struct GpuRows {
  struct Row {
    std::string label;
    const model::GpuWork* work;
  };
  std::vector<Row> rows;
  std::string header;     // of the column of labels
  bool are_names = true;  // labels are names from inputs
};

// What was launched, and how long devices were busy.
Section GpuWorkSection(const model::GpuView& view, const GpuRows& rows, TimeUnit unit);
// Host time in CUDA calls, and queue delay.
Section GpuWaitsSection(const GpuRows& rows, TimeUnit unit);
// Communication and copies beside computing.
Section GpuOverlapSection(const GpuRows& rows, TimeUnit unit);
Section GpuCopiesSection(const model::GpuView& view, const GpuRows& rows, TimeUnit unit);
Section GpuKernelsSection(const model::GpuView& view, const GpuRows& rows, TimeUnit unit);
// Empty title: no graph was seen.
Section GpuGraphsSection(const model::GpuView& view, const GpuRows& rows, TimeUnit unit);

// Whole devices, streams and kernels.
Section DevicesSection(const model::GpuView& view, TimeUnit unit);
Section StreamsSection(const model::GpuView& view, TimeUnit unit);
Section AllKernelsSection(const model::GpuView& view, TimeUnit unit);
// Of all devices, whatever rows are shown.
Section AllDevicesSection(const model::RangeGpuWork& work, TimeUnit unit);

// Idle times within the capture range, and within the iterations that are shown.
Section CaptureGapsSection(const model::GpuView& view, TimeUnit unit);
Section IterationGapsSection(const model::GpuView& view, TimeUnit unit);

// "not known" of what the export does not give.
std::string NumberOrUnknown(int64_t number);
// A share from 0 to 1 in percent.
std::string Percent(const std::optional<double>& share);
// The largest number stands for all beyond 64 bits.
std::string SummedIn(Int128 ns, TimeUnit unit);
// "First 10 of 1,234 paths by busy time."
std::string GpuOrder(const model::GpuView& view, const char* what);

}  // namespace rangewise::render
