// Owns the options --redact, --redact-names and --redact-key of the verbs that make documents for
// others (docs/redaction.md).
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "analysis/redactor.h"
#include "base/result.h"

namespace rangewise::cli {

struct RedactArguments {
  bool redact = false;
  std::string names;  // "ranges", "kernels" or "all"; empty: names stay
  std::string key_file;
};

// The arguments outlive the parsing.
void AddRedactOptions(CLI::App& verb, RedactArguments& arguments);

// What is to be replaced; nothing where nothing is. Reads the key's file: kReadFailed, and kUsage
// for one that is empty.
Result<std::optional<analysis::RedactOptions>> RedactOptionsOf(const RedactArguments& arguments);

}  // namespace rangewise::cli
