#include "artifact/page_json.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "artifact/page_scopes.h"
#include "format/script_json.h"
#include "model/page_limits.h"
#include "model/page_names.h"

namespace rangewise::artifact {
namespace {

using format::ScriptJson;

// Places in the columns of iterations that a finding calls outliers of one clock.
std::vector<int64_t> Outliers(const model::Analysis& analysis, model::FindingClock clock,
                              size_t shown) {
  std::vector<int64_t> indexes;
  for (const model::Finding& finding : analysis.findings) {
    if (finding.code != Code::kOutlierIterations || finding.clock != clock) continue;
    indexes.insert(indexes.end(), finding.iterations.begin(), finding.iterations.end());
  }
  std::sort(indexes.begin(), indexes.end());
  std::vector<int64_t> places;
  for (size_t i = 0; i < shown; ++i) {
    if (std::binary_search(indexes.begin(), indexes.end(), analysis.iterations[i].index))
      places.push_back(static_cast<int64_t>(i));
  }
  return places;
}

template <typename Ns>
void Clock(ScriptJson& json, const char* key, const std::optional<model::Statistics<Ns>>& values,
           const std::vector<int64_t>& outliers) {
  json.Key(key);
  if (!values) return json.Null();
  json.BeginObject();
  json.Key("median_ns");
  if (values->median_is_whole) {
    json.Integer(values->median_low.ns);
  } else {
    json.Double(model::MedianNs(*values));
  }
  json.Key("mad_ns");
  json.Double(values->mad_ns);
  json.Column("outliers", outliers, [&](int64_t place) { json.Integer(place); });
  json.EndObject();
}

void Iterations(ScriptJson& json, const model::Analysis& analysis) {
  const size_t shown = std::min(analysis.iterations.size(), model::kMostChartIterations);
  const std::vector<model::Iteration> iterations(
      analysis.iterations.begin(),
      analysis.iterations.begin() + static_cast<std::ptrdiff_t>(shown));
  json.Key("iterations");
  json.BeginObject();
  json.Column("index", iterations, [&](const model::Iteration& i) { json.Integer(i.index); });
  json.Column("host_inclusive_ns", iterations, [&](const model::Iteration& i) {
    i.host ? json.Integer(i.host->inclusive.ns) : json.Null();
  });
  json.Column("projected_ns", iterations, [&](const model::Iteration& i) {
    i.projection ? json.Integer(i.projection->projected.ns) : json.Null();
  });
  const model::IterationSummary& all = analysis.iteration_summary;
  Clock(json, "host", all.host_inclusive, Outliers(analysis, model::FindingClock::kHost, shown));
  Clock(json, "projection", all.projected,
        Outliers(analysis, model::FindingClock::kProjected, shown));
  json.Key("left_out");
  json.Integer(static_cast<int64_t>(analysis.iterations.size() - shown));
  json.EndObject();
}

// The names of a window that fit.
void Names(ScriptJson& json, const std::vector<std::string>& names) {
  size_t bytes = 0;
  json.Column("names", names, [&](const std::string& name) {
    ScriptJson shown;
    shown.String(model::ShownText(name, model::kMostTimelineNameCharacters));
    bytes += shown.text().size();
    if (bytes <= model::kMostTimelineNameBytes) return json.Written(shown);
    json.String("(name left out)");
  });
}

void Lanes(ScriptJson& json, const char* key, const std::vector<model::TimelineLane>& lanes,
           bool host) {
  using model::TimelineItem;
  json.Key(key);
  json.BeginList();
  for (const model::TimelineLane& lane : lanes) {
    json.BeginObject();
    json.Key("label");
    json.String(model::ShownName(lane.label));
    if (host) {
      json.Key("levels");
      json.Integer(int64_t{lane.levels});
    }
    json.Column("start_ns", lane.items, [&](const TimelineItem& i) { json.Integer(i.start_ns); });
    json.Column("length_ns", lane.items, [&](const TimelineItem& i) { json.Integer(i.length_ns); });
    if (host) {
      json.Column("level", lane.items,
                  [&](const TimelineItem& i) { json.Integer(int64_t{i.level}); });
    } else {
      json.Column("kind", lane.items,
                  [&](const TimelineItem& i) { json.Integer(static_cast<int64_t>(i.kind)); });
    }
    json.Column("name", lane.items, [&](const TimelineItem& i) { json.Integer(int64_t{i.name}); });
    // Places of the items that the window cuts.
    json.Key("cut");
    json.BeginList();
    for (size_t i = 0; i < lane.items.size(); ++i) {
      if (lane.items[i].is_cut) json.Integer(static_cast<int64_t>(i));
    }
    json.EndList();
    json.EndObject();
  }
  json.EndList();
}

void Timeline(ScriptJson& json, const model::Timeline& timeline) {
  const auto reason = [&](const char* key, const std::string& text) {
    json.Key(key);
    text.empty() ? json.Null()
                 : json.String(model::ShownText(text, model::kMostSentenceCharacters));
  };
  json.Key("timeline");
  json.BeginObject();
  reason("reason", timeline.reason);
  reason("gpu_reason", timeline.gpu_reason);
  json.Column("windows", timeline.windows, [&](const model::TimelineWindow& window) {
    json.BeginObject();
    json.Key("label");
    json.String(window.label);
    json.Key("iteration");
    json.Integer(window.iteration);
    json.Key("length_ns");
    json.Integer(window.length_ns);
    Names(json, window.names);
    Lanes(json, "host", window.host, true);
    Lanes(json, "gpu", window.gpu, false);
    json.Key("left_out");
    json.Integer(window.left_out);
    json.EndObject();
  });
  json.EndObject();
}

}  // namespace

std::string PageJson(const model::RunPage& page) {
  const model::Analysis& analysis = page.document().analysis;
  ScriptJson json;
  json.BeginObject();
  json.Key("page_version");
  json.Integer(int64_t{1});
  json.Key("kind");
  json.String("run");
  Iterations(json, analysis);
  json.Key("scopes");
  WriteScopes(json, RawScopes(page.document()), model::kMostScopeBytes);
  json.Key("grouped_scopes");
  if (analysis.grouped) {
    WriteScopes(json, GroupedScopes(page.document()), model::kMostGroupedScopeBytes);
  } else {
    json.Null();
  }
  Timeline(json, page.timeline);
  json.EndObject();
  return std::move(json.text());
}

}  // namespace rangewise::artifact
