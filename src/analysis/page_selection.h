// Owns which rows of an analysis a page shows.
#pragma once

#include "model/page.h"

namespace rangewise::analysis {

// Fills the selections of `page` by the limits of model/page_limits.h. O(rows log rows).
void SelectPageRows(model::RunPage& page);

}  // namespace rangewise::analysis
