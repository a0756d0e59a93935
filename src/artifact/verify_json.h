// Owns the JSON form of `rangewise verify` (docs/verify.md).
#pragma once

#include "base/files.h"
#include "model/table_diff.h"

namespace rangewise::artifact {

void WriteVerifyJson(const model::Verification& verification, Output& out);

}  // namespace rangewise::artifact
