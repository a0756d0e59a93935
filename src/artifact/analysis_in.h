// Owns what the parts of reading an analysis.json share: the reader, and the file that is filled.
#pragma once

#include "format/json_reader.h"
#include "model/analysis_file.h"

namespace rangewise::artifact {

struct AnalysisIn {
  format::JsonReader& json;
  model::AnalysisFile& file;
};

}  // namespace rangewise::artifact
