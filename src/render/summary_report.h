// Owns the report of `rangewise summary`: what is said of an analysis, in which order. Warnings come
// before any number, a sentence under each table says what its numbers mean, host time and GPU
// projection stand side by side and are never combined.
#pragma once

#include "model/summary.h"
#include "render/report.h"
#include "render/units.h"

namespace rangewise::render {

// O(rows that are shown).
Report MakeSummaryReport(const model::Summary& summary, TimeUnit unit);

}  // namespace rangewise::render
