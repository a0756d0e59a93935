// Owns the CSV of `rangewise gpu`: one header and the rows that were chosen, for spreadsheets and
// data frames; docs/gpu-work.md lists the columns, which stay.
#pragma once

#include "base/files.h"
#include "model/gpu_view.h"

namespace rangewise::artifact {

// RFC 4180: CR LF at the end of each line, quotes where a field needs them, and around every text
// that a spreadsheet could take for a formula. A number that is not known is an empty field. Names
// are in terminal form (base/text.h), so that a record is one line. O(rows that are shown).
void WriteGpuCsv(const model::GpuView& view, Output& out);

}  // namespace rangewise::artifact
