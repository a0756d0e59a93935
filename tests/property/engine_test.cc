// The fast engine against the reference engine, on all small traces and on many random ones; and what must hold for
// every trace whatever its tables say. Each test prints how many traces it saw.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "base/files.h"
#include "ingest/export_reader.h"
#include "support/raw_trace.h"
#include "support/reference_engine.h"
#include "tables/engine_tables.h"

namespace rangewise {
namespace {

using test::GlobalPid;
using test::GlobalTid;
using test::RawCall;
using test::RawEvent;
using test::RawOperation;
using test::RawTrace;
using test::ReferenceTables;

struct Outcome {
  ReferenceTables text;
  tables::ComputedTables computed;
};

Outcome Compute(model::Trace trace, int threads) {
  Outcome outcome;
  Diagnostics diagnostics;
  StringOutput push_pop, projection, kernels, gpu_trace;
  auto computed = tables::ComputeTables(std::move(trace), {&push_pop, &projection, &kernels, &gpu_trace},
                                        {.threads = threads, .capture_range = std::nullopt, .on_step = {}},
                                        diagnostics);
  EXPECT_TRUE(computed.ok());
  if (computed.ok()) outcome.computed = std::move(*computed);
  outcome.text = {push_pop.text(), projection.text(), kernels.text(), gpu_trace.text()};
  return outcome;
}

bool Same(const ReferenceTables& a, const ReferenceTables& b) {
  return a.push_pop == b.push_pop && a.projection == b.projection && a.kernel_summary == b.kernel_summary &&
         a.gpu_trace == b.gpu_trace;
}

std::string Show(const RawTrace& raw) {
  std::string text;
  for (const RawEvent& event : raw.events) {
    text += "event " + std::to_string(event.row_id) + " type " + std::to_string(event.type) + " [" +
            std::to_string(event.start) + "," + (event.end ? std::to_string(*event.end) : "-") + "] tid " +
            std::to_string(event.global_tid & 0xFFFFFF) + (event.end_global_tid ? " ends elsewhere" : "") + "\n";
  }
  for (const RawCall& call : raw.calls) {
    text += "call [" + std::to_string(call.start) + "," + std::to_string(call.end) + "] tid " +
            std::to_string(call.global_tid & 0xFFFFFF) + " corr " + std::to_string(call.correlation.value_or(-1)) + "\n";
  }
  return text;
}

// Fails with the trace when the engines differ; true when they agree.
bool Compare(const RawTrace& raw, int threads = 1) {
  const Outcome fast = Compute(ToTrace(raw), threads);
  const ReferenceTables slow = ComputeReference(raw);
  if (Same(fast.text, slow)) return true;
  ADD_FAILURE() << Show(raw) << "engine:\n"
                << fast.text.push_pop << fast.text.projection << fast.text.kernel_summary << fast.text.gpu_trace
                << "reference:\n"
                << slow.push_pop << slow.projection << slow.kernel_summary << slow.gpu_trace;
  return false;
}

const int64_t kThreads[] = {GlobalTid(700, 700), GlobalTid(700, 701), GlobalTid(800, 800)};

TEST(EngineAgainstReference, AllHostTracesOfUpToThreeRanges) {
  // On a clock of 6 ticks: closed intervals, and ranges that stay open.
  std::vector<RawEvent> choices;
  for (const int64_t thread : {kThreads[0], kThreads[1]}) {
    for (int64_t start = 0; start < 6; ++start) {
      for (int64_t end = start; end <= 6; ++end) {
        RawEvent event;
        event.start = start;
        if (end < 6) event.end = end;
        event.text = "r";
        event.global_tid = thread;
        choices.push_back(event);
      }
    }
  }
  ASSERT_EQ(choices.size(), 54u);
  uint64_t count = 1;
  EXPECT_TRUE(Compare({}));
  for (size_t a = 0; a < choices.size(); ++a) {
    RawTrace raw;
    const auto push = [&](size_t choice) {
      raw.events.push_back(choices[choice]);
      raw.events.back().row_id = static_cast<int64_t>(raw.events.size());
    };
    push(a);
    ASSERT_TRUE(Compare(raw));
    ++count;
    for (size_t b = 0; b < choices.size(); ++b) {
      push(b);
      ASSERT_TRUE(Compare(raw));
      ++count;
      for (size_t c = 0; c < choices.size(); ++c) {
        push(c);
        ASSERT_TRUE(Compare(raw));
        ++count;
        raw.events.pop_back();
      }
      raw.events.pop_back();
    }
  }
  EXPECT_EQ(count, 1u + 54 + 54 * 54 + 54 * 54 * 54);
  std::printf("%llu host traces\n", static_cast<unsigned long long>(count));
}

TEST(EngineAgainstReference, AllProjectionsOfUpToTwoRangesAndTwoCalls) {
  std::vector<std::pair<int64_t, int64_t>> intervals;
  for (int64_t start = 0; start < 6; ++start) {
    for (int64_t end = start; end < 6; ++end) intervals.emplace_back(start, end);
  }
  // Up to two of them. Ranges in both orders, since row ids decide ties; calls in one, since none has a number of its
  // own that could matter.
  std::vector<std::vector<std::pair<int64_t, int64_t>>> range_choices{{}};
  std::vector<std::vector<std::pair<int64_t, int64_t>>> call_choices{{}};
  for (const auto& a : intervals) {
    range_choices.push_back({a});
    call_choices.push_back({a});
    for (const auto& b : intervals) {
      range_choices.push_back({a, b});
      if (a <= b) call_choices.push_back({a, b});
    }
  }
  uint64_t count = 0;
  for (const auto& ranges : range_choices) {
    for (const auto& calls : call_choices) {
      for (const bool shared_id : {false, true}) {
        if (shared_id && calls.size() < 2) continue;
        RawTrace raw;
        for (const auto& [start, end] : ranges) {
          RawEvent event;
          event.row_id = static_cast<int64_t>(raw.events.size()) + 1;
          event.start = start;
          event.end = end;
          event.text = "r";
          event.global_tid = kThreads[0];
          raw.events.push_back(event);
        }
        for (const auto& [start, end] : calls) {
          const int64_t id = shared_id ? 1 : static_cast<int64_t>(raw.calls.size()) + 1;
          raw.calls.push_back({start, end, kThreads[0], id});
        }
        for (int64_t id = 1; id <= 2; ++id) {
          RawOperation operation;
          operation.start = 10 * id;
          operation.end = 10 * id + 5;
          operation.correlation = id;
          operation.global_pid = GlobalPid(700);
          raw.operations.push_back(operation);
        }
        ASSERT_TRUE(Compare(raw));
        ++count;
      }
    }
  }
  const uint64_t pairs = 21 * 22 / 2;
  EXPECT_EQ(count, (1 + 21 + 21 * 21) * (1 + 21 + 2 * pairs));
  std::printf("%llu projections\n", static_cast<unsigned long long>(count));
}

// Random traces on a short clock, so that ties, touches, overlaps and identical ranges are the rule.
RawTrace RandomTrace(std::mt19937_64& random) {
  const auto below = [&](uint64_t limit) { return static_cast<int64_t>(random() % limit); };
  const bool open_ends = below(3) == 0;
  const bool start_ends = below(2) == 0;
  const bool reversed = below(8) == 0;
  const int64_t clock = 4 + below(40);
  const int64_t shift = below(4) == 0 ? -20 : 0;  // times before the capture's start
  RawTrace raw;
  std::set<int64_t> row_ids;
  const auto fresh_row_id = [&] {
    int64_t id = 0;
    do {
      id = below(4) == 0 ? below(1000000) : below(60);
    } while (!row_ids.insert(id).second);
    return id;
  };
  if (below(3) == 0) {
    RawEvent creation;
    creation.row_id = fresh_row_id();
    creation.start = -below(100);
    creation.type = 75;
    creation.text = "LIB";
    creation.global_tid = kThreads[below(2)];
    creation.domain = 1;
    raw.events.push_back(creation);
  }
  const int64_t ranges = below(14);
  static const char* const kNames[] = {"step", "fwd", "k,1", "a \"b\"", "", "caf\xC3\xA9", "\xFF"};
  for (int64_t i = 0; i < ranges; ++i) {
    RawEvent event;
    event.row_id = fresh_row_id();
    if (i > 0 && below(6) == 0) {
      // The interval of another range, once more.
      event.start = raw.events.back().start;
      event.end = raw.events.back().end;
      if (raw.events.back().type == 75) event.end = event.start;
    } else {
      event.start = shift + below(static_cast<uint64_t>(clock));
      event.end = event.start + below(static_cast<uint64_t>(clock)) / (below(3) + 1);
      if (reversed && below(5) == 0) event.end = event.start - below(4);
    }
    if (open_ends && below(4) == 0) event.end.reset();
    static constexpr int64_t kTypes[] = {59, 59, 59, 70, 60, 71};
    event.type = kTypes[below(start_ends ? 6 : 4)];
    if (below(10) != 0) event.text = kNames[below(7)];
    event.registered = below(2) == 0;
    event.global_tid = kThreads[below(3) * below(2)];
    if ((event.type == 60 || event.type == 71) && below(3) == 0) event.end_global_tid = kThreads[2];
    if (below(3) == 0) event.domain = below(3);
    raw.events.push_back(event);
  }
  const int64_t operations = below(10);
  std::vector<RawOperation> by_kind[3];
  for (int64_t i = 0; i < operations; ++i) {
    RawOperation operation;
    const int64_t kind = below(4) == 0 ? 1 + below(2) : 0;
    operation.kind = static_cast<model::OperationKind>(kind);
    operation.start = below(100);
    operation.end = operation.start + below(30);
    if (below(12) != 0) operation.correlation = 1 + below(6);
    if (below(12) != 0) operation.global_pid = GlobalPid(below(3) == 0 ? 800 : 700);
    operation.name = kNames[below(5)];
    operation.bytes = below(1 << 20);
    operation.copy_kind = below(3);
    operation.source_kind = below(3);
    operation.destination_kind = below(3);
    operation.stream = below(2);
    by_kind[kind].push_back(operation);
  }
  for (const auto& kind : by_kind) raw.operations.insert(raw.operations.end(), kind.begin(), kind.end());
  const int64_t calls = below(10);
  for (int64_t i = 0; i < calls; ++i) {
    RawCall call;
    call.start = shift + below(static_cast<uint64_t>(clock));
    call.end = call.start + below(5);
    call.global_tid = kThreads[below(3) * below(2)];
    if (below(12) != 0) call.correlation = 1 + below(6);
    raw.calls.push_back(call);
  }
  return raw;
}

// What a host row says beside row ids.
using HostFacts = std::tuple<int64_t, int64_t, int64_t, int64_t, std::string, int64_t, int64_t>;
std::multiset<HostFacts> FactsOf(const model::ReportTables& tables) {
  std::multiset<HostFacts> facts;
  for (const model::HostRange& row : tables.host) {
    const model::ThreadKey& thread = tables.threads[row.thread];
    facts.emplace(row.start.ns, row.inclusive.ns, row.children.ns, row.exclusive.ns,
                  std::string(tables.names.At(row.name)), thread.process_id, thread.thread_id);
  }
  return facts;
}

void ExpectExclusiveIsInclusiveMinusChildren(const model::ReportTables& tables) {
  std::map<int64_t, int64_t> in_children;
  for (const model::HostRange& row : tables.host) {
    if (row.parent_id != model::kNoParent) in_children[row.parent_id] += row.inclusive.ns;
  }
  for (const model::HostRange& row : tables.host) {
    EXPECT_EQ(row.children.ns, in_children[row.range_id]);
    EXPECT_EQ(row.exclusive.ns, row.inclusive.ns - row.children.ns);
  }
}

void ExpectShiftChangesNoDuration(RawTrace raw, const model::ReportTables& before) {
  constexpr int64_t kShift = 1234567890123;
  for (RawEvent& event : raw.events) {
    event.start += kShift;
    if (event.end) *event.end += kShift;
  }
  for (RawCall& call : raw.calls) {
    call.start += kShift;
    call.end += kShift;
  }
  for (RawOperation& operation : raw.operations) {
    operation.start += kShift;
    operation.end += kShift;
  }
  const Outcome shifted = Compute(ToTrace(raw), 1);
  const model::ReportTables& after = shifted.computed.tables;
  ASSERT_EQ(before.host.size(), after.host.size());
  for (size_t i = 0; i < before.host.size(); ++i) {
    EXPECT_EQ(before.host[i].range_id, after.host[i].range_id);
    EXPECT_EQ(before.host[i].start.ns + kShift, after.host[i].start.ns);
    EXPECT_EQ(before.host[i].inclusive, after.host[i].inclusive);
    EXPECT_EQ(before.host[i].exclusive, after.host[i].exclusive);
  }
  ASSERT_EQ(before.projected.size(), after.projected.size());
  for (size_t i = 0; i < before.projected.size(); ++i) {
    EXPECT_EQ(before.projected[i].projected, after.projected[i].projected);
    EXPECT_EQ(before.projected[i].original, after.projected[i].original);
    EXPECT_EQ(before.projected[i].operations, after.projected[i].operations);
  }
}

void ExpectShuffleChangesOnlyRowIds(RawTrace raw, const model::ReportTables& before, std::mt19937_64& random) {
  std::vector<int64_t> row_ids;
  for (const RawEvent& event : raw.events) row_ids.push_back(event.row_id);
  std::shuffle(row_ids.begin(), row_ids.end(), random);
  for (size_t i = 0; i < row_ids.size(); ++i) raw.events[i].row_id = row_ids[i];
  std::shuffle(raw.events.begin(), raw.events.end(), random);
  std::shuffle(raw.calls.begin(), raw.calls.end(), random);
  const Outcome shuffled = Compute(ToTrace(raw), 1);
  EXPECT_EQ(FactsOf(before), FactsOf(shuffled.computed.tables));
}

void ExpectThreadsApartGiveTheSameRows(const RawTrace& raw, const model::ReportTables& together) {
  std::multiset<HostFacts> apart;
  for (const int64_t thread : kThreads) {
    RawTrace part;
    for (const RawEvent& event : raw.events) {
      if (event.type == 75 || event.global_tid == thread) part.events.push_back(event);
    }
    const Outcome outcome = Compute(ToTrace(part), 1);
    apart.merge(FactsOf(outcome.computed.tables));
  }
  EXPECT_EQ(apart, FactsOf(together));
}

TEST(EngineAgainstReference, RandomTraces) {
  constexpr int kTraces = 20000;
  constexpr uint64_t kSeed = 20241130;
  std::mt19937_64 random(kSeed);
  uint64_t rows = 0;
  uint64_t shuffled = 0;
  uint64_t apart = 0;
  uint64_t through_files = 0;
  auto folder = TemporaryFolder::Create(fs::temp_directory_path());
  ASSERT_TRUE(folder.ok());
  for (int i = 0; i < kTraces; ++i) {
    const RawTrace raw = RandomTrace(random);
    SCOPED_TRACE("trace " + std::to_string(i));
    ASSERT_TRUE(Compare(raw, i % 64 == 0 ? 3 : 1));
    const Outcome outcome = Compute(ToTrace(raw), 1);
    rows += outcome.computed.tables.host.size() + outcome.computed.tables.projected.size();
    ExpectExclusiveIsInclusiveMinusChildren(outcome.computed.tables);
    ExpectShiftChangesNoDuration(raw, outcome.computed.tables);
    if (!RowIdsMatter(raw, true)) {
      ExpectShuffleChangesOnlyRowIds(raw, outcome.computed.tables, random);
      ++shuffled;
    }
    if (std::all_of(raw.events.begin(), raw.events.end(),
                    [](const RawEvent& event) { return event.end || event.type == 75; })) {
      ExpectThreadsApartGiveTheSameRows(raw, outcome.computed.tables);
      ++apart;
    }
    if (i % 40 == 0) {
      // The same rows out of a file, read in pieces by several connections.
      const fs::path path = folder->path() / "export.sqlite";
      WriteExport(raw, path);
      Diagnostics diagnostics;
      auto loaded = ingest::LoadExport(path, {.threads = 1 + i / 40 % 4, .rows_per_task = 3}, diagnostics);
      ASSERT_TRUE(loaded.ok()) << Render(loaded.error());
      EXPECT_TRUE(Same(Compute(std::move(loaded->trace), 2).text, outcome.text)) << Show(raw);
      fs::remove(path);
      ++through_files;
    }
    if (HasFailure()) FAIL() << Show(raw);
  }
  std::printf("%d random traces (seed %llu), %llu rows; shuffled %llu, threads apart %llu, through a file %llu\n",
              kTraces, static_cast<unsigned long long>(kSeed), static_cast<unsigned long long>(rows),
              static_cast<unsigned long long>(shuffled), static_cast<unsigned long long>(apart), static_cast<unsigned long long>(through_files));
  EXPECT_GT(rows, 50000u);
}

}  // namespace
}  // namespace rangewise
