// Owns the parts of the summary's report, one function per section or two.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "model/summary.h"
#include "render/report.h"
#include "render/units.h"

namespace rangewise::render {

// Who the run is, under which conditions it ran, what must be known before its numbers.
Section IdentitySection(const model::Summary& summary);
Section WorkloadSection(const model::Summary& summary);
Section WarningsSection(const std::vector<Warning>& warnings);

// Iterations together, some of them one by one, and what the findings say.
Section IterationsSection(const model::Summary& summary, TimeUnit unit);
Section FindingsSection(const model::Summary& summary, TimeUnit unit);
// The findings alone, or that there are none in the file.
Block FindingsBlock(const model::Summary& summary);
// By iteration, the findings that name it: "first differs (host), outlier (host, GPU)".
std::map<int64_t, std::string> FindingsByIteration(const model::Analysis& analysis);

// Ranges.
Section HostRangesSection(const model::Summary& summary, TimeUnit unit);
Section ProjectedRangesSection(const model::Summary& summary, TimeUnit unit);
Section TreeSection(const model::Summary& summary, TimeUnit unit);

// The capture as a whole.
Section CaptureGpuWorkSection(const model::Summary& summary, TimeUnit unit);
Section CoverageSection(const model::Summary& summary);

// "largest 10 of 1,234 by total"; nothing of what is shown whole but its order.
std::string OrderInWords(const model::RowSelection& selection, const char* by);

}  // namespace rangewise::render
