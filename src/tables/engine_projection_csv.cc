// The table of the projection: the other half of engine_projection.h.
#include <algorithm>
#include <atomic>

#include "base/fetch_ahead.h"
#include "base/interrupt.h"
#include "base/parallel.h"
#include "base/text.h"
#include "tables/engine_chunks.h"
#include "tables/engine_projection.h"

namespace rangewise::tables {
namespace {

constexpr std::string_view kHeader =
    "Name,Projected Start (ns),Projected Duration (ns),Orig Start (ns),Orig Duration (ns),Style,PID,TID,NumGPUOps,"
    "Lvl,NumChild,RangeId,ParentId,RangeStack\n";

}  // namespace

Status WriteProjectionTable(const RangeSet& set, const RangeForest& forest, const ProjectionResult& projection,
                            const model::NamePool& names, const std::vector<bool>& quoted,
                            ReportNames& report_names, int threads, Output& output,
                            std::vector<model::ProjectedRange>& projected) {
  const std::vector<Projection>& rows = projection.rows;
  if (rows.empty()) return Ok();  // nsys leaves the file empty, without a header
  // Children are counted by the parent that containment gives, also where a loop of identical ranges leaves the
  // ParentId column empty.
  std::vector<uint32_t> children(set.ranges.size());
  for (const Projection& row : rows) {
    report_names.PrepareRange(set.ranges[row.range].name);
    if (forest.parent[row.range] != kNoRange) ++children[forest.parent[row.range]];
  }
  std::vector<std::string> thread_fields;
  for (const model::ThreadKey& thread : report_names.threads()) {
    thread_fields.push_back(Format("{},{},", thread.process_id, thread.thread_id));
  }
  const auto at = [&](size_t i) { return projection.order.empty() ? i : size_t{projection.order[i]}; };
  // As in the push/pop table.
  constexpr size_t kAhead = 48;
  const std::vector<size_t> chunks = SplitByBytes(rows.size(), [&](size_t i) {
    if (i + 2 * kAhead < rows.size()) {
      FetchAhead(rows[at(i + 2 * kAhead)]);
      FetchAhead(set.ranges[rows[at(i + kAhead)].range]);
    }
    const uint32_t range = rows[at(i)].range;
    const uint32_t level = forest.level[range];
    return 130 + 10 * size_t{level == kNoLevel ? 0 : level} + names.At(set.ranges[range].name).size();
  });
  projected.resize(rows.size());
  output.Write(kHeader);
  std::vector<StackText> stacks(static_cast<size_t>(threads), StackText(set, forest));
  WriteInOrder(threads, chunks.size() - 1, output, [&](int worker, size_t task, std::string& buffer) {
    if (!CheckInterrupt().ok()) return;
    StackText& stack = stacks[static_cast<size_t>(worker)];
    RowWriter row(buffer);
    for (size_t i = chunks[task]; i < chunks[task + 1]; ++i) {
      if (i + 2 * kAhead < rows.size()) {
        FetchAhead(rows[at(i + 2 * kAhead)]);
        FetchAhead(projected[at(i + kAhead)]);
        const uint32_t ahead = rows[at(i + kAhead)].range;
        FetchAhead(set.ranges[ahead]);
        FetchAhead(forest.level[ahead]);
        FetchAhead(forest.parent[ahead]);
        FetchAhead(children[ahead]);
      }
      const Projection& work = rows[at(i)];
      const model::TraceRange& range = set.ranges[work.range];
      const uint32_t level = forest.level[work.range];
      const bool has_level = level != kNoLevel;
      const uint32_t parent = has_level ? forest.parent[work.range] : kNoRange;
      const int64_t parent_id = parent == kNoRange ? model::kNoParent : set.ranges[parent].row_id;
      const std::string_view stack_text = has_level ? stack.Of(work.range) : std::string_view();
      const std::string_view name = names.At(range.name);
      const std::string& thread = thread_fields[report_names.Thread(range.thread)];
      row.Room(12 * (RowWriter::kIntegerBytes + 1) + 16 + thread.size() + 2 * name.size() + stack_text.size());
      if (quoted[static_cast<uint32_t>(range.name)]) {
        row.Bytes(CsvField(name));
      } else {
        row.Bytes(name);
      }
      row.Char(',');
      row.Integer(work.first_start_ns);
      row.Char(',');
      row.Integer(work.last_end_ns - work.first_start_ns);
      row.Char(',');
      row.Integer(range.start_ns);
      row.Char(',');
      row.Integer(range.end_ns - range.start_ns);
      row.Char(',');
      row.Bytes(model::StyleName(range.style()));
      row.Char(',');
      row.Bytes(thread);
      row.Integer(work.operations);
      row.Char(',');
      if (has_level) row.Integer(level);
      row.Char(',');
      row.Integer(children[work.range]);
      row.Char(',');
      row.Integer(range.row_id);
      row.Char(',');
      if (parent != kNoRange) row.Integer(parent_id);
      row.Char(',');
      row.Bytes(stack_text);
      row.Char('\n');
      model::ProjectedRange& made = projected[at(i)];
      made.projected = {work.last_end_ns - work.first_start_ns};
      made.original = {range.end_ns - range.start_ns};
      made.range_id = range.row_id;
      made.parent_id = parent_id;
      made.operations = work.operations;
      made.name = report_names.Range(range.name);
      made.thread = report_names.Thread(range.thread) & (model::kMostThreads - 1);
      made.style = range.style();
      made.has_level = has_level;
    }
  });
  return CheckInterrupt();
}

}  // namespace rangewise::tables
