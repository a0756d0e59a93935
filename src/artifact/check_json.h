// Owns the JSON form of `rangewise check`: {"items": [{"code", "sentence", "state", "subject"}],
// "ready"}.
#pragma once

#include "base/files.h"
#include "model/check.h"

namespace rangewise::artifact {

// "code" is null where nothing is wrong; "ready" is false when an item is an error.
void WriteCheckJson(const model::CheckList& list, Output& out);

}  // namespace rangewise::artifact
