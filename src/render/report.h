// Owns a report as people read it, before it is text or Markdown: sections of facts, sentences,
// items and tables. Names from inputs are in it as they are; each output form makes them safe.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "render/text_table.h"

namespace rangewise::render {

// A sentence or more.
struct Paragraph {
  std::string text;
};

// Label and value, a line each. A label or value that is a name from an input is marked as one.
struct Facts {
  struct Fact {
    std::string label;
    std::string value;
    bool is_name = false;
    bool label_is_name = false;
  };
  std::vector<Fact> facts;
};

// Short texts, a line each, of which `lead` is a code of ours.
struct Items {
  struct Item {
    std::string lead;
    std::string text;
  };
  std::vector<Item> items;
};

struct ReportColumn {
  std::string header;
  Align align = Align::kRight;
  bool is_name = false;       // cells are names from inputs
  bool only_in_full = false;  // left out of the text, which has 100 columns
  size_t max_width = 0;       // in text, whose last column gives way by itself; 0: no limit
  int gives_way = 0;          // above 0: left out of narrow text, the highest first
  bool wraps = false;         // of the last column: goes on in further lines of the text
};

struct ReportTable {
  std::vector<ReportColumn> columns;
  std::vector<std::vector<std::string>> rows;  // a cell per column
};

using Block = std::variant<Paragraph, Facts, Items, ReportTable>;

struct Section {
  std::string title;
  std::vector<Block> blocks = {};
  bool is_alarming = false;  // shown as a warning where colours are
};

struct Report {
  std::string title;
  std::vector<Section> sections;
};

struct TextStyle {
  size_t width = kLineWidth;
  bool colours = false;
};

// Plain text: names shortened in their middle where a line would pass the width, nothing in them
// that a terminal acts upon. Colours are those of ECMA-48.
std::string RenderText(const Report& report, const TextStyle& style);

// GitHub's Markdown: all columns, names whole; nothing in a name is taken for markup.
std::string RenderMarkdown(const Report& report);

}  // namespace rangewise::render
