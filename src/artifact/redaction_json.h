// Owns the key `redaction` of the JSON of summaries and comparisons, which only a redacted document
// has: what was replaced, without a word of what stood there.
#pragma once

#include "format/json.h"
#include "format/json_reader.h"
#include "model/redaction.h"

namespace rangewise::artifact {

// Key and value; nothing for a document that was not redacted.
void WriteRedaction(format::JsonWriter& json, const std::optional<model::Redaction>& redaction);
// The value. Errors stay with the reader.
model::Redaction ReadRedaction(format::JsonReader& json);

}  // namespace rangewise::artifact
