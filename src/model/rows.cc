#include "model/rows.h"

namespace rangewise::model {

std::string_view ReportName(Report report) {
  switch (report) {
    case Report::kPushPop:
      return "nvtx_pushpop_trace";
    case Report::kGpuProjection:
      return "nvtx_gpu_proj_trace";
    case Report::kKernelSummary:
      return "cuda_gpu_kern_sum";
    case Report::kGpuTrace:
      return "cuda_gpu_trace";
  }
  return "";
}

std::string ReportFileName(Report report) {
  std::string name = "nsys_";
  name += ReportName(report);
  name += ".csv";
  return name;
}

std::string_view StyleName(Style style) {
  return style == Style::kPushPop ? "PushPop" : "StartEnd";
}

}  // namespace rangewise::model
