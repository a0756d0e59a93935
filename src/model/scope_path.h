// Owns the form of scope paths: a tree of names in which each path is kept once.
#pragma once

#include <cstdint>

#include "model/names.h"

namespace rangewise::model {

using ScopePath = uint32_t;  // index into a list of PathNode

// Scope paths as a tree: each node is a name below a parent path; the root is kRootPath. A path as
// a list of names is read by walking to the root.
inline constexpr ScopePath kRootPath = UINT32_MAX;
struct PathNode {
  ScopePath parent = kRootPath;
  NameId name{};
};

}  // namespace rangewise::model
