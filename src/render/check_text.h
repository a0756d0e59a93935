// Owns the text form of `rangewise check`: one line an item, `state  subject: sentence [code]`.
#pragma once

#include <string>

#include "model/check.h"

namespace rangewise::render {

std::string RenderCheck(const model::CheckList& list);

}  // namespace rangewise::render
