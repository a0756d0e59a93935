#include "cli/group_option.h"

#include <utility>

#include "cli/analyze_run.h"

namespace rangewise::cli {

void AddGroupOption(CLI::App& verb, std::vector<model::NameRule>& rules, const std::string& help) {
  verb.add_option_function<std::vector<std::string>>(
          "--group",
          [&rules](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) {
              // analysis.json holds the rules a line each.
              if (text.find('\n') != std::string::npos) {
                throw CLI::ValidationError(
                    "--group", "takes a rule on one line; \\n in the pattern is a line break");
              }
              auto rule = ParseGroupRule(text);
              if (!rule) {
                throw CLI::ValidationError("--group",
                                           "takes PATTERN=>TEXT, with => between the two");
              }
              rules.push_back(std::move(*rule));
            }
          },
          help)
      ->type_name("PATTERN=>TEXT")
      ->allow_extra_args(false);
}

}  // namespace rangewise::cli
