// Owns reading the lists of ranges of an analysis.json back, row by row.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "format/json_reader.h"
#include "model/analysis.h"

namespace rangewise::artifact {

// Scope paths as they are read, each once: lists of names become nodes of a tree.
class PathTree {
 public:
  PathTree(model::NamePool& names, std::vector<model::PathNode>& nodes)
      : names_(names), nodes_(nodes) {}

  model::ScopePath Below(model::ScopePath parent, std::string_view name,
                         model::DomainLength domain = model::kUnknownDomain);
  // The path with its innermost name in `domain`, empty: the default one; nothing where the name
  // does not begin with it.
  std::optional<model::ScopePath> InDomain(model::ScopePath path, std::string_view domain);
  // A list of names. It is not empty; else an error that stays with the reader.
  model::ScopePath ReadPath(format::JsonReader& json);

 private:
  model::NamePool& names_;
  std::vector<model::PathNode>& nodes_;
  std::unordered_map<uint64_t, model::ScopePath> known_;  // by parent and name
};

// Each reads one list. A row without `path`, as older files have them, has its name as a path of one
// step. Of a path only the innermost name's domain is in the file; those of its parents are unknown
// here. Rows are kept as they stand, also where two have one path.
void ReadHostRanges(format::JsonReader& json, PathTree& paths, std::vector<model::HostGroup>& out);
void ReadProjectedRanges(format::JsonReader& json, PathTree& paths,
                         std::vector<model::ProjectedGroup>& out);
// Rows of grouped ranges: their own paths, and those of their examples in `raw_paths`.
void ReadGroupedHostRanges(format::JsonReader& json, PathTree& paths, PathTree& raw_paths,
                           std::vector<model::GroupedHostRange>& out);
void ReadGroupedProjectedRanges(format::JsonReader& json, PathTree& paths, PathTree& raw_paths,
                                std::vector<model::GroupedProjectedRange>& out);

}  // namespace rangewise::artifact
