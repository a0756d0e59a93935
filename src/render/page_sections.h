// Owns the parts of the page of a run, one function per section or two. Each gives whole
// `<section>` elements.
#pragma once

#include <string>
#include <string_view>

#include "model/page.h"
#include "render/page_table.h"

namespace rangewise::render {

// What is missing and why, where an input does not say it.
inline constexpr std::string_view kNotInThisFile = "not in this analysis";
inline constexpr std::string_view kNoNumberOfOne = "unknown of one value";
inline constexpr std::string_view kNothingProjected = "nothing was projected, or whole graphs ran";

// The place of a chart, its title, and what its numbers mean and where they stand without scripts;
// all three are our own words.
std::string Figure(std::string_view chart, std::string_view caption, std::string_view meaning);

// Warnings before notices before what is for information, each with its clock.
std::string FindingsSectionOfPage(const model::RunPage& page);
std::string IterationsSections(const model::RunPage& page, TablesRoom& room);
std::string ScopeSections(const model::RunPage& page);
std::string TimelineSection(const model::Timeline& timeline, TablesRoom& room);
std::string HostRangesTables(const model::RunPage& page, TablesRoom& room);
std::string ProjectionTables(const model::RunPage& page, TablesRoom& room);
std::string GpuRangesTables(const model::RunPage& page, TablesRoom& room);
std::string WaitsTables(const model::RunPage& page, TablesRoom& room);
std::string KernelsTables(const model::RunPage& page, TablesRoom& room);
std::string CopiesTables(const model::RunPage& page, TablesRoom& room);
std::string GapsTables(const model::RunPage& page, TablesRoom& room);

}  // namespace rangewise::render
