// Owns reading the list of findings of an analysis.json back.
#pragma once

#include <vector>

#include "format/json_reader.h"
#include "model/finding.h"

namespace rangewise::artifact {

// The list; codes of later versions are kept by their words. An error stays with the reader.
std::vector<model::Finding> ReadFindings(format::JsonReader& json);

}  // namespace rangewise::artifact
