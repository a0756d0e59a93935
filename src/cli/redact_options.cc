#include "cli/redact_options.h"

#include "base/files.h"

namespace rangewise::cli {

void AddRedactOptions(CLI::App& verb, RedactArguments& arguments) {
  verb.add_flag("--redact", arguments.redact,
                "Replace command lines, paths, host and user names, and ids of runs and records by "
                "pseudonyms, and list them (docs/redaction.md)");
  verb.add_option("--redact-names", arguments.names,
                  "The same, and the names of ranges, of kernels or of both")
      ->check(CLI::IsMember({"ranges", "kernels", "all"}))
      ->type_name("ranges|kernels|all");
  verb.add_option("--redact-key", arguments.key_file,
                  "With --redact: a file whose bytes are the key of the pseudonyms, without which "
                  "nobody can check a guess")
      ->type_name("FILE");
}

Result<std::optional<analysis::RedactOptions>> RedactOptionsOf(const RedactArguments& arguments) {
  const bool redacts = arguments.redact || !arguments.names.empty();
  if (!redacts) {
    if (arguments.key_file.empty()) return std::optional<analysis::RedactOptions>();
    return Error{.code = Code::kUsage,
                 .message = "--redact-key is of no use alone",
                 .hint = "add --redact or --redact-names"};
  }
  analysis::RedactOptions options;
  options.range_names = arguments.names == "ranges" || arguments.names == "all";
  options.kernel_names = arguments.names == "kernels" || arguments.names == "all";
  if (!arguments.key_file.empty()) {
    ASSIGN_OR_RETURN(options.key, ReadFile(arguments.key_file));
    if (options.key.empty()) {
      return Error{.code = Code::kUsage,
                   .message = "the key of the pseudonyms is empty",
                   .where = {.file = arguments.key_file},
                   .hint = "write some random bytes into it, such as 32 of /dev/urandom"};
    }
  }
  return std::optional(std::move(options));
}

}  // namespace rangewise::cli
