#include "render/check_text.h"

#include "base/text.h"

namespace rangewise::render {

std::string RenderCheck(const model::CheckList& list) {
  std::string text;
  for (const model::CheckItem& item : list.items) {
    text += Format("{:<8} {}: {}", model::CheckStateName(item.state), item.subject,
                   Neutralised(item.sentence));
    if (item.code) text += Format(" [{}]", Describe(*item.code).word);
    text += "\n";
  }
  return text;
}

}  // namespace rangewise::render
