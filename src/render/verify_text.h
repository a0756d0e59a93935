// Owns the text form of `rangewise verify`: a line of counts per report, documented differences by
// their words, then the first other differences side by side, and the verdict.
#pragma once

#include <string>

#include "model/table_diff.h"

namespace rangewise::render {

std::string RenderVerification(const model::Verification& verification);

}  // namespace rangewise::render
