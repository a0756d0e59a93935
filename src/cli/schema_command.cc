// `rangewise schema [analysis|comparison|summary]`: the JSON Schema of what we write, as it stands
// in schema/.
#include <memory>
#include <string>
#include <string_view>

#include "cli/command.h"

namespace rangewise::embedded {
extern const std::string_view analysis_schema;
extern const std::string_view comparison_schema;
extern const std::string_view summary_schema;
}

namespace rangewise::cli {

void DeclareSchema(CLI::App& root, Action& action) {
  CLI::App* verb =
      root.add_subcommand("schema", "Print the JSON Schema of a file that rangewise writes");
  auto name = std::make_shared<std::string>("analysis");
  verb->add_option("NAME", *name, "Which file: analysis, comparison or summary")
      ->check(CLI::IsMember({"analysis", "comparison", "summary"}))
      ->capture_default_str();
  verb->callback([&action, name] {
    action = [name](Console& console) {
      console.Out(*name == "comparison" ? embedded::comparison_schema
                  : *name == "summary"  ? embedded::summary_schema
                                        : embedded::analysis_schema);
      return int{kExitDone};
    };
  });
}

}  // namespace rangewise::cli
