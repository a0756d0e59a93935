// Owns how a scope path stands in JSON: the keys `domain`, `name` and `path` of a row.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "artifact/json_pieces.h"
#include "format/json.h"
#include "model/names.h"
#include "model/scope_path.h"

namespace rangewise::artifact {

// Reads scope paths; keeps its memory from path to path.
class PathReader {
 public:
  PathReader(const std::vector<model::PathNode>& nodes, const model::NamePool& names)
      : nodes_(nodes), names_(names) {}

  // Makes `path` the one that WriteName and WriteSteps write.
  void ReadPath(model::ScopePath path) {
    steps_.clear();
    for (model::ScopePath at = path; at != model::kRootPath; at = nodes_[at].parent) {
      steps_.push_back(names_.At(nodes_[at].name));
    }
    joined_.clear();
    for (size_t i = steps_.size(); i > 0; --i) {
      joined_ += steps_[i - 1];
      if (i > 1) joined_ += '.';
    }
  }

  // The domain of the innermost range's name; null where the tables do not tell it.
  void WriteDomain(format::JsonWriter& json, model::ScopePath path) const {
    OptionalText(json, "domain", names_.Domain(nodes_[path].name));
  }

  void WriteName(format::JsonWriter& json) const {
    json.Key("name");
    json.String(joined_);
  }

  void WritePath(format::JsonWriter& json) const {
    json.Key("path");
    WriteSteps(json);
  }

  void WriteSteps(format::JsonWriter& json) const {
    json.BeginList();
    for (size_t i = steps_.size(); i > 0; --i) json.String(steps_[i - 1]);
    json.EndList();
  }

 private:
  const std::vector<model::PathNode>& nodes_;
  const model::NamePool& names_;
  std::vector<std::string_view> steps_;  // from the innermost outwards
  std::string joined_;
};

}  // namespace rangewise::artifact
