#include "cli/program_description.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace rangewise::cli {
namespace {

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// CLI11 writes a value as PLACEHOLDER:CHECK:CHECK, where a check for a set of words is {a,b}.
void DescribeValue(const std::string& type_name, OptionDescription& option) {
  const size_t colon = std::min(type_name.find(':'), type_name.size());
  option.value = type_name.substr(0, colon);
  const std::string checks = colon < type_name.size() ? type_name.substr(colon + 1) : std::string();
  if (checks.starts_with('{') && checks.find('}') != std::string::npos) {
    option.choices = Split(checks.substr(1, checks.find('}') - 1), ',');
    option.kind = ValueKind::kChoice;
    return;
  }
  option.bounds = checks;
  if (option.value == "DIR") {
    option.kind = option.positional.empty() ? ValueKind::kFolder : ValueKind::kFile;
  } else if (option.value == "FILE" || option.value == "PATH" || option.value.starts_with("RUN")) {
    option.kind = ValueKind::kFile;
  } else {
    option.kind = ValueKind::kText;
  }
}

OptionDescription DescribeOption(const CLI::Option& declared, bool required_by_group) {
  OptionDescription option;
  for (const std::string& name : declared.get_snames()) option.names.push_back("-" + name);
  for (const std::string& name : declared.get_lnames()) option.names.push_back("--" + name);
  if (declared.get_positional()) option.positional = declared.get_name(true);
  option.text = declared.get_description();
  option.default_text = declared.get_default_str();
  option.required = declared.get_required() || required_by_group;
  const bool is_flag = declared.get_type_size() == 0 || declared.get_expected_max() == 0;
  if (!is_flag) {
    option.repeatable = declared.get_items_expected_max() > 1;
    option.takes_several = option.repeatable && declared.get_allow_extra_args();
    DescribeValue(declared.get_type_name(), option);
    if (option.value.empty()) option.value = "VALUE";
  }
  return option;
}

// The options of `app` and of its option groups, which are subcommands without a name and have a
// help flag of their own that adds nothing.
void CollectOptions(const CLI::App& app, std::vector<OptionDescription>& options) {
  const bool is_group = app.get_name().empty();
  const std::vector<const CLI::Option*> declared = app.get_options([&](const CLI::Option* option) {
    return !option->get_group().empty() && !(is_group && option == app.get_help_ptr());
  });
  const bool required = app.get_require_option_min() > 0 && declared.size() == 1;
  for (const CLI::Option* option : declared) options.push_back(DescribeOption(*option, required));
  const auto nameless = [](const CLI::App* child) { return child->get_name().empty(); };
  for (const CLI::App* group : app.get_subcommands(nameless)) CollectOptions(*group, options);
}

std::vector<OptionDescription> OptionsOf(const CLI::App& app) {
  std::vector<OptionDescription> options;
  CollectOptions(app, options);
  std::stable_partition(options.begin(), options.end(),
                        [](const OptionDescription& option) { return !option.positional.empty(); });
  return options;
}

}  // namespace

ProgramDescription DescribeProgram(const CLI::App& root) {
  ProgramDescription program{.name = root.get_name(),
                             .text = root.get_description(),
                             .options = OptionsOf(root),
                             .verbs = {}};
  const auto is_verb = [](const CLI::App* child) {
    return !child->get_name().empty() && !child->get_group().empty();
  };
  for (const CLI::App* verb : root.get_subcommands(is_verb)) {
    program.verbs.push_back(
        {.name = verb->get_name(), .text = verb->get_description(), .options = OptionsOf(*verb)});
  }
  return program;
}

std::string FirstClause(std::string_view text) {
  size_t end = text.size();
  for (const std::string_view stop : {"; ", ". ", ": ", " ("}) {
    end = std::min(end, text.find(stop));
  }
  return std::string(text.substr(0, end));
}

}  // namespace rangewise::cli
