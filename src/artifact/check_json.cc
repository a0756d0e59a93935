#include "artifact/check_json.h"

#include "base/text.h"
#include "format/json.h"

namespace rangewise::artifact {

void WriteCheckJson(const model::CheckList& list, Output& out) {
  format::JsonWriter json(out);
  json.BeginObject();
  json.Key("items");
  json.BeginList();
  for (const model::CheckItem& item : list.items) {
    json.BeginObject();
    json.Key("code");
    if (item.code) {
      json.String(Describe(*item.code).word);
    } else {
      json.Null();
    }
    json.Key("sentence");
    json.String(Displayable(item.sentence));
    json.Key("state");
    json.String(model::CheckStateName(item.state));
    json.Key("subject");
    json.String(item.subject);
    json.EndObject();
  }
  json.EndList();
  json.Key("ready");
  json.Bool(!list.has_error());
  json.EndObject();
  json.Finish();
}

}  // namespace rangewise::artifact
