#include "tables/timeline.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/text.h"
#include "model/page_limits.h"
#include "support/raw_trace.h"

namespace rangewise::tables {
namespace {

using model::OperationKind;
using model::TimelineKind;
using model::TimelineLane;
using model::TimelineWindow;
using test::GlobalPid;
using test::GlobalTid;
using test::RawTrace;

class Tracer {
 public:
  Tracer& Range(int64_t id, const std::string& name, int64_t start, std::optional<int64_t> end,
                int64_t thread = 1, int64_t process = 5) {
    raw_.events.push_back({.row_id = id,
                           .start = start,
                           .end = end,
                           .text = name,
                           .global_tid = GlobalTid(process, thread)});
    return *this;
  }
  Tracer& Launch(OperationKind kind, int64_t call, int64_t start, int64_t end, int64_t stream = 7,
                 int64_t device = 0) {
    const int64_t correlation = next_++;
    raw_.calls.push_back({.start = call,
                          .end = call + 1,
                          .global_tid = GlobalTid(5, 1),
                          .correlation = correlation});
    raw_.operations.push_back({.kind = kind,
                               .start = start,
                               .end = end,
                               .correlation = correlation,
                               .global_pid = GlobalPid(5),
                               .name = "kernel " + std::to_string(correlation),
                               .stream = stream,
                               .device = device});
    return *this;
  }
  // The window of the range 2, "iteration 0".
  std::vector<TimelineWindow> Windows(int64_t length_ns, const std::string& name = "iteration 0") {
    return MakeWindows(test::ToTrace(raw_), {{.label = "first iteration (0)",
                                              .iteration = 0,
                                              .range_id = 2,
                                              .name = name,
                                              .length_ns = length_ns}});
  }

 private:
  RawTrace raw_;
  int64_t next_ = 1;
};

Tracer Iteration() {
  Tracer tracer;
  tracer.Range(1, "capture", 0, 10'000).Range(2, "iteration 0", 1'000, 2'000);
  return tracer;
}

std::vector<std::string> Texts(const TimelineWindow& window, const TimelineLane& lane) {
  std::vector<std::string> texts;
  for (const model::TimelineItem& item : lane.items) {
    texts.push_back(Format("{} {}+{} level {}{}", window.names.at(item.name), item.start_ns,
                           item.length_ns, item.level, item.is_cut ? " cut" : ""));
  }
  return texts;
}

TEST(Timeline, RangesLieWithinTheWindowAndEachOther) {
  Tracer tracer = Iteration();
  tracer.Range(3, "load", 1'100, 1'400)
      .Range(4, "read", 1'200, 1'300)
      .Range(5, "run", 1'400, 1'900);
  tracer.Range(6, "next", 2'000, 3'000);
  const auto windows = tracer.Windows(1'000);
  ASSERT_EQ(windows.size(), 1u);
  const TimelineWindow& window = windows[0];
  EXPECT_EQ(window.length_ns, 1'000);
  ASSERT_EQ(window.host.size(), 1u);
  EXPECT_EQ(window.host[0].label, "thread 1, of the iteration");
  EXPECT_EQ(window.host[0].levels, 4u);
  EXPECT_EQ(Texts(window, window.host[0]),
            (std::vector<std::string>{"capture 0+1000 level 0 cut", "iteration 0 0+1000 level 1",
                                      "load 100+300 level 2", "read 200+100 level 3",
                                      "run 400+500 level 2"}));
  EXPECT_TRUE(window.gpu.empty());
  EXPECT_EQ(window.left_out, 0);
}

TEST(Timeline, TheWindowGoesOnToTheEndOfWhatWasLaunched) {
  Tracer tracer = Iteration();
  tracer.Launch(OperationKind::kKernel, 1'500, 1'600, 2'500);
  tracer.Launch(OperationKind::kKernel, 2'100, 2'200, 2'900);  // launched after the iteration
  tracer.Launch(OperationKind::kKernel, 500, 900, 1'050);      // launched before it
  const TimelineWindow window = tracer.Windows(1'000).at(0);
  EXPECT_EQ(window.length_ns, 1'500);
  ASSERT_EQ(window.gpu.size(), 1u);
  EXPECT_EQ(window.gpu[0].label, "device 0, stream 7");
  EXPECT_EQ(Texts(window, window.gpu[0]),
            (std::vector<std::string>{"kernel 3 0+50 level 0 cut", "kernel 1 600+900 level 0",
                                      "kernel 2 1200+300 level 0 cut"}));
}

TEST(Timeline, StreamsAreLanesByDeviceAndNumber) {
  Tracer tracer = Iteration();
  tracer.Launch(OperationKind::kKernel, 1'100, 1'200, 1'300, 9, 1);
  tracer.Launch(OperationKind::kKernel, 1'110, 1'210, 1'310, 8, 0);
  tracer.Launch(OperationKind::kCopy, 1'120, 1'400, 1'500, 8, 0);
  tracer.Launch(OperationKind::kSet, 1'130, 1'600, 1'700, 8, 0);
  const TimelineWindow window = tracer.Windows(1'000).at(0);
  ASSERT_EQ(window.gpu.size(), 2u);
  EXPECT_EQ(window.gpu[0].label, "device 0, stream 8");
  EXPECT_EQ(window.gpu[1].label, "device 1, stream 9");
  ASSERT_EQ(window.gpu[0].items.size(), 3u);
  EXPECT_EQ(window.gpu[0].items[0].kind, TimelineKind::kKernel);
  EXPECT_EQ(window.gpu[0].items[1].kind, TimelineKind::kCopy);
  EXPECT_EQ(window.gpu[0].items[2].kind, TimelineKind::kSet);
  EXPECT_EQ(window.names.at(window.gpu[0].items[1].name), "[CUDA memcpy Host-to-Device]");
  EXPECT_EQ(window.names.at(window.gpu[0].items[2].name), "[CUDA memset]");
}

TEST(Timeline, TheIterationsThreadComesFirst) {
  Tracer tracer = Iteration();
  tracer.Range(3, "other", 1'100, 1'200, 0)
      .Range(4, "other", 1'300, 1'400, 0)
      .Range(5, "other", 1'500, 1'600, 0);
  const TimelineWindow window = tracer.Windows(1'000).at(0);
  ASSERT_EQ(window.host.size(), 2u);
  EXPECT_EQ(window.host[0].label, "thread 1, of the iteration");
  EXPECT_EQ(window.host[1].label, "thread 0");
  EXPECT_EQ(window.host[1].levels, 1u);
}

TEST(Timeline, ProcessesAreNamedWhereThereAreSeveral) {
  Tracer tracer = Iteration();
  tracer.Range(3, "other", 1'100, 1'200, 1, 6);
  const TimelineWindow window = tracer.Windows(1'000).at(0);
  ASSERT_EQ(window.host.size(), 2u);
  EXPECT_EQ(window.host[0].label, "process 5, thread 1, of the iteration");
  EXPECT_EQ(window.host[1].label, "process 6, thread 1");
}

TEST(Timeline, OverlappingRangesShareNoLevel) {
  Tracer tracer = Iteration();
  tracer.Range(3, "a", 1'100, 1'500).Range(4, "b", 1'300, 1'700).Range(5, "c", 1'500, 1'600);
  const TimelineWindow window = tracer.Windows(1'000).at(0);
  EXPECT_EQ(
      Texts(window, window.host[0]),
      (std::vector<std::string>{"capture 0+1000 level 0 cut", "iteration 0 0+1000 level 1",
                                "a 100+400 level 2", "b 300+400 level 3", "c 500+100 level 2"}));
}

TEST(Timeline, AnExportOfAnotherCaptureHasNoWindow) {
  EXPECT_TRUE(Iteration().Windows(999).empty());
  EXPECT_TRUE(Iteration().Windows(1'000, "iteration 1").empty());
  Tracer without;
  without.Range(1, "capture", 0, 10'000);
  EXPECT_TRUE(without.Windows(1'000).empty());
}

TEST(Timeline, TheShortestAreLeftOutAndCounted) {
  Tracer tracer;
  const auto count = static_cast<int64_t>(model::kMostTimelineItems) + 500;
  tracer.Range(1, "capture", 0, 10'000'000).Range(2, "iteration 0", 0, 9'000'000);
  for (int64_t i = 0; i < count; ++i) {
    tracer.Range(10 + i, "step", 1'000 * (i + 1), 1'000 * (i + 1) + (i < 600 ? 10 : 100));
  }
  const TimelineWindow window = tracer.Windows(9'000'000).at(0);
  EXPECT_EQ(window.host[0].items.size(), model::kMostTimelineItems);
  EXPECT_EQ(window.left_out, 502);
  EXPECT_EQ(window.names.size(), 3u);
  size_t short_ones = 0;
  for (const model::TimelineItem& item : window.host[0].items)
    short_ones += item.length_ns == 10 ? 1u : 0u;
  EXPECT_EQ(short_ones, 98u);
}

TEST(Timeline, LevelsAndLanesAreBounded) {
  Tracer tracer;
  tracer.Range(1, "capture", 0, 10'000).Range(2, "iteration 0", 0, 9'000);
  for (int64_t i = 0; i < 60; ++i) tracer.Range(10 + i, "deeper", 1 + i, 8'999 - i);
  for (int64_t i = 0; i < 60; ++i) tracer.Range(100 + i, "elsewhere", 10, 20, 2 + i);
  const TimelineWindow window = tracer.Windows(9'000).at(0);
  EXPECT_EQ(window.host.size(), model::kMostTimelineLanes);
  EXPECT_EQ(window.host[0].levels, model::kMostTimelineLevels);
  EXPECT_EQ(window.left_out, (62 - 48) + (61 - 48));
}

TEST(Timeline, NamesAreInDisplayForm) {
  Tracer tracer = Iteration();
  tracer.Range(3, "bytes \xff", 1'100, 1'200);
  const TimelineWindow window = tracer.Windows(1'000).at(0);
  EXPECT_EQ(window.names.at(window.host[0].items.at(2).name), "bytes \\xff");
}

}  // namespace
}  // namespace rangewise::tables
