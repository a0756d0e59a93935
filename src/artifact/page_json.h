// Owns the data that the charts of a page are drawn from (docs/report-page.md): columns of numbers,
// names in the shown form of model/page_names.h, within the limits of model/page_limits.h. It can
// stand in a script element. Host times, projections and GPU times are columns of their own.
#pragma once

#include <functional>
#include <string>

#include "model/comparison.h"
#include "model/page.h"

namespace rangewise::artifact {

std::string PageJson(const model::RunPage& page);

// `title_of` names a metric in words.
std::string PageJson(const model::Comparison& comparison,
                     const std::function<std::string(model::Metric)>& title_of);

}  // namespace rangewise::artifact
