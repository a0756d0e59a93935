// Owns what the pages of runs and of comparisons have in common: their head with links to the
// sections, the glossary, and keeping all tables together within their limit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "render/page_table.h"

namespace rangewise::render {

struct PageLink {
  std::string_view id;  // of a section; our own words
  std::string_view text;
};

// The heading and the links; `title` is in a shown form.
std::string PageHead(std::string_view title, std::span<const PageLink> links);

enum class PageKind { kRun, kComparison };
std::string GlossarySection(PageKind kind);

// What `sections` makes; where its tables come to more than kMostTablesBytes, made again with less
// room for each of them until they do not.
template <typename Sections>
std::string WithinRoom(Sections sections) {
  TablesRoom room;
  while (true) {
    room.used = 0;
    std::string html = sections(room);
    if (room.used <= model::kMostTablesBytes) return html;
    const size_t scaled = room.bytes_each * (model::kMostTablesBytes / 1'000) / (room.used / 1'000);
    room.bytes_each = std::min(room.bytes_each - room.bytes_each / 5, scaled);
  }
}

}  // namespace rangewise::render
