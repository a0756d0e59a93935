// Owns the questions of `rangewise check`: is this run directory analysable, with what, and is the
// analysis that is there the analysis of these tables. Writes nothing.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "model/check.h"

namespace rangewise::cli {

struct CheckRequest {
  std::string run;
  std::optional<std::string> output_folder;
  std::optional<std::string> nsys;
};

// kRunMissing when there is no such directory; everything else is an item.
Result<model::CheckList> CheckRun(const CheckRequest& request);

}  // namespace rangewise::cli
