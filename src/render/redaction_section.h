// Owns what the forms for people say of a redacted document: what was replaced.
#pragma once

#include "model/redaction.h"
#include "render/report.h"

namespace rangewise::render {

// A line for each kind of text: how many there were, in how many places, and their pseudonyms, of
// many the first ones.
Section RedactionSection(const model::Redaction& redaction);
// The same at the end of a comparison's text or Markdown; empty for one that was not redacted.
std::string RedactionText(const std::optional<model::Redaction>& redaction);
std::string RedactionMarkdown(const std::optional<model::Redaction>& redaction);

}  // namespace rangewise::render
