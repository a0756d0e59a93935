#include <algorithm>
#include <set>
#include <vector>

#include "support/gpu_reference.h"
#include "support/gpu_sheet.h"

namespace rangewise::test {
namespace {

using model::AdditiveWork;
using model::NameId;

class Sheets {
 public:
  explicit Sheets(const model::NamePool& names) : names_(names) {}

  std::string Name(NameId name) const {
    return name == model::kNoName ? "" : std::string(names_.At(name));
  }
  // As the export has it, "domain:text".
  std::string FullName(NameId name) const {
    return (names_.DomainAt(name) == model::kDefaultDomain ? ":" : "") + Name(name);
  }

  std::string WorkText(const model::GpuWork& work) const {
    std::string text = "total " + Text(work.total) + "\nown " + Text(work.own) +
                       Format("\nlaunches {}", work.launches);
    for (const model::CopySum& copies : work.copies) {
      text += "\ncopies " +
              (copies.direction == model::kNoName ? "~unknown" : Name(copies.direction)) + " " +
              Text(copies.memory);
    }
    text += Format("\n{} kernels", work.distinct_kernels);
    for (const model::KernelSum& kernel : work.largest_kernels)
      text += "\nkernel " + Name(kernel.name) + " " + Text(kernel.sum);
    text += Format("\nbusy {} of projections {}", work.busy ? std::to_string(work.busy->ns) : "unknown",
                   work.projection.ns);
    for (const model::DeviceWork& device : work.devices) text += DeviceText(device);
    text += "\ngraphs " + Text(work.graphs.records) + "; nodes " + Text(work.graphs.nodes);
    text += "\ncalls" + CallText(work.calls) + "\nown calls" + CallText(work.own_calls);
    if (!work.synchronisations) text += "\nsynchronisations unknown";
    if (work.synchronisations) {
      for (const model::SyncSum& sum : *work.synchronisations) {
        text += "\n" + Name(sum.type) + " " + SumLine(sum.instances, sum.total.ns);
      }
    }
    if (!work.queue_delay) return text + "\nqueue 0 during the call";
    text += Format("\nqueue {} during the call", work.queue_delay->started_during_call);
    if (work.queue_delay->statistics) {
      text += Format(", {} after: {}", work.queue_delay->instances,
                     Text(*work.queue_delay->statistics));
    }
    return text;
  }

  static std::string Text(const model::OperationSum& sum) {
    return SumLine(sum.instances, sum.total.ns);
  }
  static std::string Text(const model::MemorySum& memory) {
    return MemoryLine(memory.sum.instances, memory.sum.total.ns, memory.bytes);
  }
  static std::string Text(const AdditiveWork& work) {
    return Format("{} operations; kernels {}; copies {}; sets {}", work.operations,
                  Text(work.kernels), Text(work.copies), Text(work.sets));
  }
  template <typename Ns>
  static std::string Text(const model::Statistics<Ns>& statistics) {
    StatisticsLine line;
    line.total = statistics.total.ns;
    line.minimum = statistics.minimum.ns;
    line.maximum = statistics.maximum.ns;
    line.mean = statistics.mean_ns;
    line.deviation = statistics.stddev_ns;
    line.median = MedianNs(statistics);
    line.p90 = statistics.p90_ns.value();
    line.p95 = statistics.p95_ns.value();
    line.p99 = statistics.p99_ns.value();
    line.mad = statistics.mad_ns.value();
    return line.Text();
  }

  static std::string DeviceText(const model::DeviceWork& device) {
    std::string text = Format("\ndevice {}: {} operations, busy {}, streams",
                              NumberText(device.device), device.operations, device.busy.ns);
    for (const int64_t stream : device.streams) text += " " + NumberText(stream);
    for (const model::ClassTime& one : device.classes) {
      text += Format("; {} {} busy {}", one.name, one.operations, one.busy.ns);
    }
    return text + Format("; communication overlapped {} exposed {}; copies exposed {}",
                         device.communication_overlapped.ns, device.communication_exposed.ns,
                         device.copy_exposed.ns);
  }

  static std::string CallText(const std::optional<model::CallTimes>& calls) {
    if (!calls) return " unknown";
    std::string text;
    for (size_t i = 0; i < model::kCallClasses; ++i) {
      text += "; " + std::string(CallClassName(static_cast<model::CallClass>(i))) + " " +
              SumLine((*calls)[i].calls, (*calls)[i].total.ns);
    }
    return text;
  }

  std::string DeviceText(const model::DeviceTotal& device) const {
    std::string text = Format("{}, busy {}", Text(device.work), device.busy.ns);
    std::multiset<std::string> lines;
    for (const model::StreamWork& stream : device.streams) {
      lines.insert(Format("\nstream {} of context {}: {}, busy {}", NumberText(stream.stream),
                          NumberText(stream.context), Text(stream.work), stream.busy.ns));
    }
    for (const std::string& line : lines) text += line;
    return text;
  }

  std::string GapText(const model::IdleWindow& window) const {
    std::string text = Format("window of {} ns", window.length_ns);
    for (const model::DeviceIdle& device : window.devices) {
      text +=
          Format("\ndevice {}: idle {} in {} gaps, {} in {} long ones", NumberText(device.device),
                 device.idle.ns, device.gaps, device.idle_in_long_gaps.ns, device.long_gaps);
      if (device.gap_lengths) text += "; " + Text(*device.gap_lengths);
      for (const model::IdleGap& gap : device.largest) {
        std::string ranges;
        for (const NameId name : gap.host_range)
          ranges += (ranges.empty() ? "" : "/") + FullName(name);
        std::string filling;
        if (gap.filling) {
          for (const NameId name : gap.filling->range)
            filling += (filling.empty() ? "" : "/") + FullName(name);
        }
        text +=
            Format("\ngap at {} of {} in {} during {}, mostly in {}", gap.start_ns, gap.length.ns,
                   ranges.empty() ? "nothing" : ranges, gap.call.empty() ? "no call" : gap.call,
                   filling.empty() ? "nothing" : Format("{} for {}", filling, gap.filling->time.ns));
      }
    }
    return text;
  }

 private:
  const model::NamePool& names_;
};

std::string PathText(const std::vector<model::PathNode>& nodes, model::ScopePath path,
                     const auto& name_of) {
  std::string text;
  for (; path != model::kRootPath; path = nodes[path].parent) {
    text = name_of(nodes[path].name) + (text.empty() ? "" : "/" + text);
  }
  return text;
}

bool HasWork(const model::GpuWork& work) {
  if (work.total.operations > 0 || work.graphs.records.instances > 0) return true;
  return work.calls && std::any_of(work.calls->begin(), work.calls->end(),
                                   [](const model::CallTime& time) { return time.calls > 0; });
}

}  // namespace

GpuSheets SheetsOf(const model::Analysis& analysis, const model::NamePool& names) {
  GpuSheets sheets;
  const model::RangeGpuWork& work = analysis.gpu_work.value();
  const Sheets text(names);
  for (const model::PathGpuWork& path : work.paths) {
    sheets["path " + PathText(analysis.paths, path.path, [&](NameId name) {
             return text.FullName(name);
           })] = text.WorkText(path.work);
  }
  if (work.grouped_paths) {
    for (const model::PathGpuWork& path : *work.grouped_paths) {
      const auto name_of = [&](NameId name) {
        return std::string(analysis.grouped->names.At(name));
      };
      sheets["grouped " + PathText(analysis.grouped->paths, path.path, name_of)] =
          text.WorkText(path.work);
    }
  }
  for (const model::IterationGpuWork& iteration : work.iterations) {
    if (HasWork(iteration.work))
      sheets[Format("iteration {}", iteration.index)] = text.WorkText(iteration.work);
  }
  for (const model::DeviceTotal& device : work.devices) {
    sheets["device " + NumberText(device.device)] = text.DeviceText(device);
  }
  sheets["unattributed"] =
      Format("without call {}; outside ranges {}", Sheets::Text(work.unattributed.without_call),
             Sheets::Text(work.unattributed.outside_ranges));
  sheets["overlapping"] = std::to_string(work.overlapping_operations);
  if (work.gaps.capture) sheets["gaps of the capture"] = text.GapText(*work.gaps.capture);
  for (const model::IdleWindow& window : work.gaps.iterations) {
    sheets[Format("gaps of iteration {}", window.iteration.value())] = text.GapText(window);
  }
  return sheets;
}

std::string DifferenceOf(const GpuSheets& pipeline, const GpuSheets& reference) {
  std::string text;
  std::set<std::string> keys;
  for (const auto& [key, sheet] : pipeline) keys.insert(key);
  for (const auto& [key, sheet] : reference) keys.insert(key);
  size_t shown = 0;
  for (const std::string& key : keys) {
    const auto a = pipeline.find(key);
    const auto b = reference.find(key);
    if (a != pipeline.end() && b != reference.end() && a->second == b->second) continue;
    if (++shown > 4) continue;  // enough to see what differs
    text += "== " + key + "\n-- pipeline\n" + (a == pipeline.end() ? "(nothing)" : a->second) +
            "\n-- reference\n" + (b == reference.end() ? "(nothing)" : b->second) + "\n";
  }
  if (shown > 4) text += Format("and {} more\n", shown - 4);
  return text;
}

}  // namespace rangewise::test
