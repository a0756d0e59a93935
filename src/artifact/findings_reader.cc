#include "artifact/findings_reader.h"

#include <string>
#include <string_view>
#include <utility>

#include "artifact/json_object.h"

namespace rangewise::artifact {

namespace {

struct In {
  format::JsonReader& json;
};

void ReadClock(In& in, model::Finding& out) {
  if (in.json.TakeNull()) return;
  const std::string_view name = in.json.String();
  for (const auto clock : {model::FindingClock::kHost, model::FindingClock::kProjected}) {
    if (name != model::FindingClockName(clock)) continue;
    out.clock = clock;
    return;
  }
  in.json.Refuse(Format("{} is no clock", Quoted(name)));
}

void ReadCode(In& in, model::Finding& out) {
  const std::string_view word = in.json.String();
  const CodeInfo* known = FindCode(word);
  if (known != nullptr && known->severity == Severity::kFinding) {
    out.code = known->code;
  } else {
    out.later_word = word;
  }
}

void ReadNumbers(In& in, model::Finding& out) {
  std::string_view key;
  in.json.BeginObject();
  while (in.json.NextKey(key)) {
    std::string name(key);
    const model::FindingNumber number = in.json.Number();
    if (!out.numbers.emplace(std::move(name), number).second) {
      return in.json.Refuse("the key stands here twice");
    }
  }
}

constexpr JsonKey<In, model::Finding> kRowKeys[] = {
    {"iteration", Presence::kOptional,
     [](In& in, model::Finding& out) { out.iterations.push_back(in.json.Int64()); }},
    {"path", Presence::kOptional,
     [](In& in, model::Finding& out) {
       std::vector<std::string>& path = out.paths.emplace_back();
       in.json.BeginList();
       while (in.json.NextItem()) path.emplace_back(in.json.String());
     }},
};

void ReadSeverity(In& in, model::Finding& out) {
  const std::string_view name = in.json.String();
  for (const auto severity : {model::FindingSeverity::kInfo, model::FindingSeverity::kNotice,
                              model::FindingSeverity::kWarning}) {
    if (name != model::FindingSeverityName(severity)) continue;
    out.severity = severity;
    return;
  }
  in.json.Refuse(Format("{} is no severity", Quoted(name)));
}

constexpr JsonKey<In, model::Finding> kFindingKeys[] = {
    {"clock", Presence::kRequired, ReadClock},
    {"code", Presence::kRequired, ReadCode},
    {"computed", Presence::kRequired,
     [](In& in, model::Finding& out) { out.computed = in.json.Bool(); }},
    {"numbers", Presence::kRequired, ReadNumbers},
    {"rows", Presence::kRequired,
     [](In& in, model::Finding& out) {
       in.json.BeginList();
       while (in.json.NextItem()) ReadObject(in, kRowKeys, out);
     }},
    {"rows_total", Presence::kRequired,
     [](In& in, model::Finding& out) { out.rows_total = ReadCount(in.json); }},
    {"sentence", Presence::kRequired,
     [](In& in, model::Finding& out) { out.sentence = in.json.String(); }},
    {"severity", Presence::kRequired, ReadSeverity},
};

}  // namespace

std::vector<model::Finding> ReadFindings(format::JsonReader& json) {
  In in{json};
  std::vector<model::Finding> findings;
  json.BeginList();
  while (json.NextItem()) ReadObject(in, kFindingKeys, findings.emplace_back());
  return findings;
}

}  // namespace rangewise::artifact
