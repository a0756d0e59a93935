#include "artifact/redaction_json.h"

#include <string>

#include "artifact/json_object.h"
#include "artifact/json_pieces.h"

namespace rangewise::artifact {
namespace {

using format::JsonWriter;
using model::Redaction;
using model::Replaced;

struct In {
  format::JsonReader& json;
};

void Truth(JsonWriter& json, std::string_view key, bool value) {
  json.Key(key);
  json.Bool(value);
}

constexpr JsonKey<In, Replaced> kReplacedKeys[] = {
    {"kind", Presence::kRequired,
     [](In& in, Replaced& out) {
       const auto kind = model::FindRedactedKind(in.json.String());
       if (!kind) return in.json.Refuse("no kind of text that is replaced");
       out.kind = *kind;
     }},
    {"places", Presence::kRequired, [](In& in, Replaced& out) { out.places = ReadCount(in.json); }},
    {"pseudonym", Presence::kRequired,
     [](In& in, Replaced& out) { out.pseudonym = in.json.String(); }},
};

constexpr JsonKey<In, Redaction> kRedactionKeys[] = {
    {"kernel_names", Presence::kRequired,
     [](In& in, Redaction& out) { out.kernel_names = in.json.Bool(); }},
    {"keyed", Presence::kRequired, [](In& in, Redaction& out) { out.keyed = in.json.Bool(); }},
    {"range_names", Presence::kRequired,
     [](In& in, Redaction& out) { out.range_names = in.json.Bool(); }},
    {"replaced", Presence::kRequired,
     [](In& in, Redaction& out) {
       in.json.BeginList();
       while (in.json.NextItem()) ReadObject(in, kReplacedKeys, out.replaced.emplace_back());
     }},
};

}  // namespace

void WriteRedaction(JsonWriter& json, const std::optional<Redaction>& redaction) {
  if (!redaction) return;
  json.Key("redaction");
  json.BeginObject();
  Truth(json, "kernel_names", redaction->kernel_names);
  Truth(json, "keyed", redaction->keyed);
  Truth(json, "range_names", redaction->range_names);
  json.Key("replaced");
  json.BeginList();
  for (const Replaced& one : redaction->replaced) {
    json.BeginObject();
    json.Key("kind");
    json.String(model::RedactedKindName(one.kind));
    Number(json, "places", one.places);
    json.Key("pseudonym");
    json.String(one.pseudonym);
    json.EndObject();
  }
  json.EndList();
  json.EndObject();
}

Redaction ReadRedaction(format::JsonReader& json) {
  In in{json};
  Redaction redaction;
  ReadObject(in, kRedactionKeys, redaction);
  return redaction;
}

}  // namespace rangewise::artifact
