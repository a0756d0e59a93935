#include "cli/gpu_options.h"

#include <string>

#include "analysis/range_filter.h"

namespace rangewise::cli {

void AddGpuOptions(CLI::App& verb, AnalyzeRequest& request) {
  verb.add_option_function<std::string>(
          "--gpu-work", [&request](const std::string& word) { request.gpu_work = word == "on"; },
          "Whether GPU work per range is found out from the SQLite export")
      ->check(CLI::IsMember({"on", "off"}))
      ->type_name("on|off")
      ->default_str("on");
  verb.add_option("--kernels", request.kernels, "How many of the largest kernels each range names")
      ->type_name("N")
      ->check(CLI::Range(0, 1000))
      ->default_str(std::to_string(model::kDefaultKernels));
  verb.add_option_function<std::string>(
          "--gap-threshold",
          [&request](const std::string& text) {
            const std::optional<int64_t> threshold = analysis::ParseTime(text);
            if (!threshold || *threshold < 0) {
              throw CLI::ValidationError(
                  "--gap-threshold", text + " is no time; a whole number was expected, in ns or with ns, us, ms or s");
            }
            request.gap_threshold_ns = *threshold;
          },
          "From which length on an idle time of a device is a long gap")
      ->type_name("TIME")
      ->default_str("10us");
}

}  // namespace rangewise::cli
