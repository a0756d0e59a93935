#include "base/glob.h"

#include <gtest/gtest.h>

#include "support/run_program.h"

namespace rangewise {
namespace {

using Paths = std::vector<std::string>;

TEST(Glob, FindsByPatternInTheOrderOfBytes) {
  test_support::ScratchFolder scratch;
  const std::string folder = scratch.path().string();
  for (const char* name : {"run-b", "run-a", "run-B", ".run-c", "other", "run *"})
    test_support::Spill(scratch.path() / name, "");
  EXPECT_EQ(ExpandGlob(folder + "/run-?"),
            (Paths{folder + "/run-B", folder + "/run-a", folder + "/run-b"}));
  EXPECT_EQ(ExpandGlob(folder + "/run-[ab]"), (Paths{folder + "/run-a", folder + "/run-b"}));
  EXPECT_EQ(ExpandGlob(folder + "/run \\*"), (Paths{folder + "/run *"}));
  EXPECT_EQ(ExpandGlob(folder + "/none*"), Paths());
  EXPECT_EQ(ExpandGlob(folder + "/$(touch x)*"), Paths());
}

TEST(Glob, TellsPatternsFromNames) {
  EXPECT_TRUE(LooksLikeGlob("runs/*"));
  EXPECT_TRUE(LooksLikeGlob("run-[12]"));
  EXPECT_FALSE(LooksLikeGlob("runs/one"));
}

}  // namespace
}  // namespace rangewise
