#include "artifact/ranges_reader.h"

#include <optional>
#include <utility>

#include "artifact/json_object.h"
#include "artifact/statistics_reader.h"

namespace rangewise::artifact {

namespace {

using model::ScopePath;

struct In {
  format::JsonReader& json;
  PathTree& paths;
  PathTree& raw_paths;
};

// A row as it is read: the keys of both kinds, and what only grouped rows have.
template <typename Group>
struct Row {
  Group group;
  std::string name;
  std::optional<std::string> domain;  // of the innermost range
  model::Collapsed raw;
};
using HostRow = Row<model::HostGroup>;
using ProjectedRow = Row<model::ProjectedGroup>;

template <typename Group>
void ReadExamples(In& in, Row<Group>& row) {
  in.json.BeginList();
  while (in.json.NextItem()) row.raw.examples.push_back(in.raw_paths.ReadPath(in.json));
}

void ReadStyle(In& in, ProjectedRow& row) {
  const std::string_view name = in.json.String();
  for (const model::Style style : {model::Style::kPushPop, model::Style::kStartEnd}) {
    if (name != model::StyleName(style)) continue;
    row.group.style = style;
    return;
  }
  in.json.Refuse(Format("{} is no style of ranges", Quoted(name)));
}

constexpr JsonKey<In, HostRow> kHostKeys[] = {
    {"child_total_ns", Presence::kRequired,
     [](In& in, HostRow& row) { row.group.child_total = {in.json.Int64()}; }},
    {"distinct_names", Presence::kOptional,
     [](In& in, HostRow& row) { row.raw.distinct_names = ReadCount(in.json); }},
    {"domain", Presence::kOptional,
     [](In& in, HostRow& row) { row.domain = ReadOptionalText(in.json); }},
    {"examples", Presence::kOptional, ReadExamples<model::HostGroup>},
    {"exclusive", Presence::kRequired,
     [](In& in, HostRow& row) { row.group.exclusive = ReadStatistics<HostNs>(in.json); }},
    {"inclusive", Presence::kRequired,
     [](In& in, HostRow& row) { row.group.inclusive = ReadStatistics<HostNs>(in.json); }},
    {"instances", Presence::kRequired,
     [](In& in, HostRow& row) { row.group.instances = ReadCount(in.json); }},
    {"name", Presence::kRequired, [](In& in, HostRow& row) { row.name = in.json.String(); }},
    {"path", Presence::kOptional,
     [](In& in, HostRow& row) { row.group.path = in.paths.ReadPath(in.json); }},
};

constexpr JsonKey<In, ProjectedRow> kProjectedKeys[] = {
    {"distinct_names", Presence::kOptional,
     [](In& in, ProjectedRow& row) { row.raw.distinct_names = ReadCount(in.json); }},
    {"domain", Presence::kOptional,
     [](In& in, ProjectedRow& row) { row.domain = ReadOptionalText(in.json); }},
    {"examples", Presence::kOptional, ReadExamples<model::ProjectedGroup>},
    {"gpu_operation_count", Presence::kRequired,
     [](In& in, ProjectedRow& row) { row.group.operations = ReadCount(in.json); }},
    {"host_total_ns", Presence::kRequired,
     [](In& in, ProjectedRow& row) { row.group.host_total = {in.json.Int64()}; }},
    {"instances", Presence::kRequired,
     [](In& in, ProjectedRow& row) { row.group.instances = ReadCount(in.json); }},
    {"name", Presence::kRequired, [](In& in, ProjectedRow& row) { row.name = in.json.String(); }},
    {"path", Presence::kOptional,
     [](In& in, ProjectedRow& row) { row.group.path = in.paths.ReadPath(in.json); }},
    {"projected", Presence::kRequired,
     [](In& in, ProjectedRow& row) { row.group.projected = ReadStatistics<ProjectedNs>(in.json); }},
    {"style", Presence::kRequired, ReadStyle},
};

// The place of a row: the innermost name of its path has the row's domain.
template <typename Group>
void SetPlace(In& in, Row<Group>& row) {
  ScopePath& path = row.group.path;
  if (path == model::kRootPath) path = in.paths.Below(model::kRootPath, row.name);
  if (!row.domain) return;
  const std::optional<ScopePath> placed = in.paths.InDomain(path, *row.domain);
  if (!placed) return in.json.Refuse(Format("no name of the domain {}", Quoted(*row.domain)));
  path = *placed;
}

// Reads a list of rows and hands each to `take`.
template <typename Group, size_t kCount, typename Take>
void ReadRows(In in, const JsonKey<In, Row<Group>> (&keys)[kCount], Take take) {
  in.json.BeginList();
  while (in.json.NextItem()) {
    Row<Group> row;
    ReadObject(in, keys, row);
    if (!in.json.ok()) return;
    if (row.group.instances == 0) return in.json.Refuse("statistics of no instance");
    SetPlace(in, row);
    take(std::move(row));
  }
}

}  // namespace

model::ScopePath PathTree::Below(model::ScopePath parent, std::string_view name,
                                 model::DomainLength domain) {
  const model::NameId id = names_.Intern(name, domain);
  const uint64_t key = uint64_t{parent} << 32 | static_cast<uint32_t>(id);
  const auto [entry, is_new] =
      known_.try_emplace(key, static_cast<model::ScopePath>(nodes_.size()));
  if (is_new) nodes_.push_back({parent, id});
  return entry->second;
}

std::optional<model::ScopePath> PathTree::InDomain(model::ScopePath path, std::string_view domain) {
  const model::PathNode node = nodes_[path];
  const std::string_view name = names_.At(node.name);
  if (domain.empty()) return Below(node.parent, name, model::kDefaultDomain);
  if (!name.starts_with(domain) || name.size() == domain.size() || name[domain.size()] != ':' ||
      domain.size() > INT32_MAX) {
    return std::nullopt;
  }
  return Below(node.parent, name, static_cast<model::DomainLength>(domain.size()));
}

model::ScopePath PathTree::ReadPath(format::JsonReader& json) {
  model::ScopePath path = model::kRootPath;
  json.BeginList();
  while (json.NextItem()) {
    const std::string_view name = json.String();
    if (json.ok()) path = Below(path, name);
  }
  if (path == model::kRootPath) json.Refuse("a path without names");
  return path;
}

void ReadHostRanges(format::JsonReader& json, PathTree& paths, std::vector<model::HostGroup>& out) {
  ReadRows<model::HostGroup>({json, paths, paths}, kHostKeys,
                             [&](HostRow row) { out.push_back(row.group); });
}

void ReadProjectedRanges(format::JsonReader& json, PathTree& paths,
                         std::vector<model::ProjectedGroup>& out) {
  ReadRows<model::ProjectedGroup>({json, paths, paths}, kProjectedKeys,
                                  [&](ProjectedRow row) { out.push_back(row.group); });
}

void ReadGroupedHostRanges(format::JsonReader& json, PathTree& paths, PathTree& raw_paths,
                           std::vector<model::GroupedHostRange>& out) {
  ReadRows<model::HostGroup>({json, paths, raw_paths}, kHostKeys, [&](HostRow row) {
    out.push_back({row.group, std::move(row.raw)});
  });
}

void ReadGroupedProjectedRanges(format::JsonReader& json, PathTree& paths, PathTree& raw_paths,
                                std::vector<model::GroupedProjectedRange>& out) {
  ReadRows<model::ProjectedGroup>({json, paths, raw_paths}, kProjectedKeys, [&](ProjectedRow row) {
    out.push_back({row.group, std::move(row.raw)});
  });
}

}  // namespace rangewise::artifact
