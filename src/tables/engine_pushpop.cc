#include "tables/engine_pushpop.h"

#include <algorithm>
#include <atomic>

#include "base/checked.h"
#include "base/fetch_ahead.h"
#include "base/interrupt.h"
#include "base/parallel.h"
#include "base/text.h"
#include "tables/engine_chunks.h"

namespace rangewise::tables {
namespace {

using model::TraceRange;

constexpr std::string_view kHeader =
    "Start (ns),End (ns),Duration (ns),DurChild (ns),DurNonChild (ns),Name,PID,TID,Lvl,NumChild,RangeId,ParentId,"
    "RangeStack,NameTree\n";

// The place in a row that is not made yet where its children are counted.
int64_t& ChildCount(model::HostRange& row) { return row.range_id; }

// Sums up each range's direct children and counts them, in the rows that become the table's, numbered as `set` is:
// arrays apart would stand at the engine's peak, and are further from each other where threads take turns in the
// table. The index of a range whose sum overflows, else kNoRange.
uint32_t SumChildren(const RangeSet& set, const RangeForest& forest, int threads,
                     std::vector<model::HostRange>& rows) {
  std::atomic<uint32_t> overflow{kNoRange};
  ParallelFor(threads, set.threads(), [&](int, size_t thread) {
    for (size_t i = set.begin[thread]; i < set.begin[thread + 1]; ++i) {
      const uint32_t parent = forest.parent[i];
      if (parent == kNoRange || forest.level[i] == kNoLevel) continue;
      ++ChildCount(rows[parent]);
      HostNs& children = rows[parent].children;
      const auto sum = CheckedAdd(children.ns, set.ranges[i].end_ns - set.ranges[i].start_ns);
      if (!sum) {
        overflow.store(parent);
        return;
      }
      children.ns = *sum;
    }
  });
  return overflow.load();
}

// Of two ranges with one start and duration, which lie on different threads: the forest's breadth-first order, so
// level first and then the roots' row ids.
bool EarlierInForest(uint32_t a, uint32_t b, const RangeSet& set, const RangeForest& forest) {
  if (forest.level[a] != forest.level[b]) return forest.level[a] < forest.level[b];
  while (forest.parent[a] != kNoRange) a = forest.parent[a];
  while (forest.parent[b] != kNoRange) b = forest.parent[b];
  return set.ranges[a].row_id < set.ranges[b].row_id;
}

// A run of the order: the ranges of one thread, or a piece of them.
struct OrderRun {
  size_t begin = 0;
  size_t end = 0;
};

// Merges runs, each in the table's order, to `out`: a heap of the runs' heads, whose top is replaced in place.
class RunMerge {
 public:
  RunMerge(const RangeSet& set, const RangeForest& forest, const std::vector<uint32_t>& order)
      : set_(set), forest_(forest), order_(order) {}

  void Merge(const std::vector<OrderRun>& runs, uint32_t* out) {
    heads_.clear();
    for (const OrderRun& run : runs) {
      if (run.begin < run.end) heads_.push_back(HeadAt(run.begin, run.end));
    }
    const auto after = [this](const Head& a, const Head& b) { return Before(b, a); };
    std::make_heap(heads_.begin(), heads_.end(), after);
    while (!heads_.empty()) {
      const Head top = heads_.front();
      *out++ = order_[top.at];
      if (top.at + 1 < top.end) {
        SiftDown(HeadAt(top.at + 1, top.end));
      } else {
        std::pop_heap(heads_.begin(), heads_.end(), after);
        heads_.pop_back();
      }
    }
  }

 private:
  struct Head {
    int64_t start_ns;
    int64_t duration_ns;
    size_t at;
    size_t end;
  };
  Head HeadAt(size_t at, size_t end) const {
    const TraceRange& range = set_.ranges[order_[at]];
    return {range.start_ns, range.end_ns - range.start_ns, at, end};
  }
  bool Before(const Head& a, const Head& b) const {
    if (a.start_ns != b.start_ns) return a.start_ns < b.start_ns;
    if (a.duration_ns != b.duration_ns) return a.duration_ns < b.duration_ns;
    return EarlierInForest(order_[a.at], order_[b.at], set_, forest_);
  }
  // Puts `head` in the top's place.
  void SiftDown(const Head& head) {
    size_t hole = 0;
    for (size_t child = 1; child < heads_.size(); child = 2 * hole + 1) {
      if (child + 1 < heads_.size() && Before(heads_[child + 1], heads_[child])) ++child;
      if (!Before(heads_[child], head)) break;
      heads_[hole] = heads_[child];
      hole = child;
    }
    heads_[hole] = head;
  }

  const RangeSet& set_;
  const RangeForest& forest_;
  const std::vector<uint32_t>& order_;
  std::vector<Head> heads_;
};

// Ranges that have a level, by start, then duration. Within a thread, sweep order needs only runs of one start
// turned around; threads are then merged, in pieces of time.
std::vector<uint32_t> TableOrder(const RangeSet& set, const RangeForest& forest, int threads) {
  std::vector<uint32_t> order;
  order.reserve(set.ranges.size());
  std::vector<OrderRun> runs;
  for (size_t thread = 0; thread < set.threads(); ++thread) {
    const size_t end = set.begin[thread + 1];
    if (set.begin[thread] == end) continue;
    const size_t run_begin = order.size();
    for (size_t first = set.begin[thread]; first < end;) {
      size_t last = first + 1;
      while (last < end && set.ranges[last].start_ns == set.ranges[first].start_ns) ++last;
      for (size_t i = last; i > first; --i) {
        if (forest.level[i - 1] != kNoLevel) order.push_back(static_cast<uint32_t>(i - 1));
      }
      first = last;
    }
    if (order.size() > run_begin) runs.push_back({run_begin, order.size()});
  }
  if (runs.size() <= 1) return order;

  // Pieces between starts of the longest run; ranges of one start are all in one piece.
  const auto start_at = [&](size_t at) { return set.ranges[order[at]].start_ns; };
  const OrderRun longest = *std::max_element(runs.begin(), runs.end(), [](const OrderRun& a, const OrderRun& b) {
    return a.end - a.begin < b.end - b.begin;
  });
  const size_t wanted = order.size() < 65536 ? 1 : static_cast<size_t>(threads) * 4;
  const auto begin_of_piece = [&](size_t piece, const OrderRun& run) {
    if (piece == 0) return run.begin;
    if (piece == wanted) return run.end;
    const int64_t split_ns = start_at(longest.begin + (longest.end - longest.begin) * piece / wanted);
    const auto first = std::partition_point(
        order.begin() + static_cast<std::ptrdiff_t>(run.begin), order.begin() + static_cast<std::ptrdiff_t>(run.end),
        [&](uint32_t index) { return set.ranges[index].start_ns < split_ns; });
    return static_cast<size_t>(first - order.begin());
  };
  std::vector<std::vector<OrderRun>> pieces(wanted);
  std::vector<size_t> offsets(wanted + 1, 0);
  for (size_t piece = 0; piece < wanted; ++piece) {
    offsets[piece + 1] = offsets[piece];
    for (const OrderRun& run : runs) {
      const OrderRun part{begin_of_piece(piece, run), begin_of_piece(piece + 1, run)};
      pieces[piece].push_back(part);
      offsets[piece + 1] += part.end - part.begin;
    }
  }
  std::vector<uint32_t> merged(order.size());
  ParallelFor(threads, wanted, [&](int, size_t piece) {
    RunMerge(set, forest, order).Merge(pieces[piece], merged.data() + offsets[piece]);
  });
  return merged;
}

}  // namespace

Status WritePushPopTable(const RangeSet& set, const RangeForest& forest, const model::NamePool& names,
                         const std::vector<bool>& quoted, ReportNames& report_names, int threads,
                         Output& output, std::vector<model::HostRange>& host) {
  // Rows by index of `set`; those without a level are taken out at the end. Their order means nothing.
  host.resize(set.ranges.size());
  if (const uint32_t overflow = SumChildren(set, forest, threads, host); overflow != kNoRange) {
    Error error{.code = Code::kTotalOverflow, .message = "the children of a range sum up beyond 64 bits"};
    error.where.table = "NVTX_EVENTS";
    error.where.row = set.ranges[overflow].row_id;
    return error;
  }
  const std::vector<uint32_t> order = TableOrder(set, forest, threads);
  if (order.empty()) {  // nsys leaves the file empty, without a header
    host.clear();
    return Ok();
  }
  std::vector<std::string> thread_fields;
  for (const model::ThreadKey& thread : report_names.threads()) {
    thread_fields.push_back(Format(",{},{},", thread.process_id, thread.thread_id));
  }
  // Threads take turns in the table, and are more streams of rows than a processor fetches by itself.
  constexpr size_t kAhead = 48;
  const std::vector<size_t> chunks = SplitByBytes(order.size(), [&](size_t i) {
    if (i + kAhead < order.size()) {
      FetchAhead(set.ranges[order[i + kAhead]]);
      FetchAhead(forest.level[order[i + kAhead]]);
    }
    const model::NameId name = set.ranges[order[i]].name;
    report_names.PrepareRange(name);
    return 120 + 12 * size_t{forest.level[order[i]]} + 2 * names.At(name).size();
  });
  output.Write(kHeader);
  std::vector<StackText> stacks(static_cast<size_t>(threads), StackText(set, forest));
  std::atomic<bool> interrupted{false};
  std::atomic<uint32_t> overflow{kNoRange};
  WriteInOrder(threads, chunks.size() - 1, output, [&](int worker, size_t task, std::string& buffer) {
    if (!CheckInterrupt().ok()) interrupted.store(true);
    if (interrupted.load()) return;
    StackText& stack = stacks[static_cast<size_t>(worker)];
    RowWriter row(buffer);
    for (size_t i = chunks[task]; i < chunks[task + 1]; ++i) {
      if (i + kAhead < order.size()) {
        const uint32_t ahead = order[i + kAhead];
        FetchAhead(set.ranges[ahead]);
        FetchAhead(forest.level[ahead]);
        FetchAhead(forest.parent[ahead]);
        FetchAhead(host[ahead]);
      }
      const uint32_t index = order[i];
      const TraceRange& range = set.ranges[index];
      const int64_t duration = range.end_ns - range.start_ns;
      const int64_t in_children = host[index].children.ns;
      const auto exclusive = CheckedSub(duration, in_children);
      if (!exclusive) {
        overflow.store(index);
        return;
      }
      const uint32_t level = forest.level[index];
      const uint32_t parent = forest.parent[index];
      const std::string_view name = names.At(range.name);
      const std::string_view stack_text = stack.Of(index);
      const std::string& thread = thread_fields[report_names.Thread(range.thread)];
      row.Room(12 * (RowWriter::kIntegerBytes + 1) + thread.size() + 4 * name.size() + 8 + stack_text.size() +
               2 * size_t{level});
      row.Integer(range.start_ns);
      row.Char(',');
      row.Integer(range.end_ns);
      row.Char(',');
      row.Integer(duration);
      row.Char(',');
      row.Integer(in_children);
      row.Char(',');
      row.Integer(*exclusive);
      row.Char(',');
      const bool in_quotes = quoted[static_cast<uint32_t>(range.name)];
      const std::string field = in_quotes ? CsvField(name) : std::string();
      row.Bytes(in_quotes ? std::string_view(field) : name);
      row.Bytes(thread);
      row.Integer(level);
      row.Char(',');
      row.Integer(ChildCount(host[index]));
      row.Char(',');
      row.Integer(range.row_id);
      row.Char(',');
      const int64_t parent_id = parent == kNoRange ? model::kNoParent : set.ranges[parent].row_id;
      if (parent != kNoRange) row.Integer(parent_id);
      row.Char(',');
      row.Bytes(stack_text);
      row.Char(',');
      // NameTree: the opening quote, if any, stands before the dashes.
      if (in_quotes) row.Char('"');
      row.Fill(2 * size_t{level}, '-');
      row.Bytes(in_quotes ? std::string_view(field).substr(1) : name);
      row.Char('\n');
      host[index] = {.start = {range.start_ns},
                    .inclusive = {duration},
                    .children = {in_children},
                    .exclusive = {*exclusive},
                    .range_id = range.row_id,
                    .parent_id = parent_id,
                    .name = report_names.Range(range.name),
                    .thread = report_names.Thread(range.thread)};
    }
  });
  if (overflow.load() != kNoRange) {
    return Error{.code = Code::kTotalOverflow, .message = "a range's exclusive time is beyond 64 bits"};
  }
  if (order.size() < set.ranges.size()) {
    size_t kept = 0;
    for (size_t i = 0; i < set.ranges.size(); ++i) {
      if (forest.level[i] != kNoLevel) host[kept++] = host[i];
    }
    host.resize(kept);
  }
  return CheckInterrupt();
}

}  // namespace rangewise::tables
