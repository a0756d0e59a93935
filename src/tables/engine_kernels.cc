// The kernel summary: one half of engine_gpu.h.
#include <algorithm>
#include <cmath>
#include <span>

#include "base/checked.h"
#include "base/text.h"
#include "tables/engine_csv.h"
#include "tables/engine_gpu.h"

namespace rangewise::tables {
namespace {

constexpr std::string_view kHeader =
    "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n";

struct Group {
  model::NameId name = model::kNoName;
  Int128 total_ns = 0;
  int64_t instances = 0;
  int64_t minimum_ns = INT64_MAX;
  int64_t maximum_ns = INT64_MIN;
  // Welford's running mean and sum of squared deviations, in the order of the table: the same doubles as a
  // one-pass aggregate over it.
  double mean = 0;
  double squares = 0;
  size_t first_duration = 0;  // where its durations begin

  void Add(int64_t duration_ns) {
    ++instances;
    total_ns += duration_ns;
    minimum_ns = std::min(minimum_ns, duration_ns);
    maximum_ns = std::max(maximum_ns, duration_ns);
    const double value = static_cast<double>(duration_ns);
    const double deviation = value - mean;
    mean += deviation / static_cast<double>(instances);
    squares += deviation * (value - mean);
  }
};

double Median(std::span<int64_t> values) {
  const size_t middle = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(middle), values.end());
  const int64_t high = values[middle];
  if (values.size() % 2 == 1) return static_cast<double>(high);
  const int64_t low = *std::max_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(middle));
  return static_cast<double>(Int128{low} + high) / 2.0;
}

}  // namespace

Result<std::vector<model::KernelTotal>> WriteKernelSummary(const model::Trace& trace, ReportNames& report_names,
                                                           Output& output) {
  std::vector<model::KernelTotal> rows;
  if (trace.kernel_count == 0) return rows;  // nsys leaves the file empty, without a header
  const std::span<const model::GpuOperation> kernels(trace.operations.data(), trace.kernel_count);

  // Kernels without a name are a group of their own, after all names here.
  std::vector<uint32_t> group_of_name(trace.names.size() + 1, UINT32_MAX);
  std::vector<uint32_t> group_of_shape(trace.shapes.size(), UINT32_MAX);
  std::vector<Group> groups;
  for (const model::GpuOperation& kernel : kernels) {
    uint32_t& group = group_of_shape[kernel.shape];
    if (group == UINT32_MAX) {
      const model::NameId name = trace.shapes[kernel.shape].name;
      uint32_t& named = group_of_name[name == model::kNoName ? trace.names.size() : static_cast<uint32_t>(name)];
      if (named == UINT32_MAX) {
        named = static_cast<uint32_t>(groups.size());
        groups.emplace_back().name = name;
      }
      group = named;
    }
    groups[group].Add(kernel.end_ns - kernel.start_ns);
  }
  Int128 all_ns = 0;
  size_t place = 0;
  for (Group& group : groups) {
    all_ns += group.total_ns;
    group.first_duration = place;
    place += static_cast<size_t>(group.instances);
  }
  if (!Narrow(all_ns)) {
    return Error{.code = Code::kTotalOverflow, .message = "the kernels' durations sum up beyond 64 bits"};
  }
  std::vector<int64_t> durations(kernels.size());
  std::vector<size_t> next;
  for (const Group& group : groups) next.push_back(group.first_duration);
  for (const model::GpuOperation& kernel : kernels) {
    durations[next[group_of_shape[kernel.shape]]++] = kernel.end_ns - kernel.start_ns;
  }

  const auto name_of = [&](const Group& group) {
    return group.name == model::kNoName ? std::string_view() : trace.names.At(group.name);
  };
  std::sort(groups.begin(), groups.end(), [&](const Group& a, const Group& b) {
    if (a.total_ns != b.total_ns) return a.total_ns > b.total_ns;
    if (a.instances != b.instances) return a.instances < b.instances;
    if ((a.name == model::kNoName) != (b.name == model::kNoName)) return a.name == model::kNoName;
    return name_of(a) < name_of(b);
  });
  output.Write(kHeader);
  std::string row;
  for (const Group& group : groups) {
    const auto total = static_cast<int64_t>(group.total_ns);
    const double count = static_cast<double>(group.instances);
    // The product comes first, in a double: the same rounding as the query's.
    const std::string share =
        all_ns == 0 ? "" : RoundedToTenth(static_cast<double>(total) * 100.0 / static_cast<double>(all_ns));
    const double median = Median(std::span(durations).subspan(group.first_duration, static_cast<size_t>(group.instances)));
    const double deviation = group.instances < 2 ? 0.0 : std::sqrt(group.squares / (count - 1));
    row = Format("{},{},{},{},{},{},{},{},", share, total, group.instances,
                 RoundedToTenth(static_cast<double>(total) / count), RoundedToTenth(median), group.minimum_ns,
                 group.maximum_ns, RoundedToTenth(deviation));
    row += CsvField(name_of(group));
    row += '\n';
    output.Write(row);
    rows.push_back({report_names.Plain(name_of(group)), group.instances, total});
  }
  return rows;
}

}  // namespace rangewise::tables
