#include "render/codes_text.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/files.h"

namespace rangewise::render {
namespace {

TEST(CodesText, ExplainsAWarning) {
  const CodeInfo info = {
      Code::kSingleIteration,
      "some-warning",
      Severity::kWarning,
      0,
      "What it is.",
      "What it implies, at a length that does not fit on one line of a terminal that is one "
      "hundred columns wide.",
      "Do this."};
  EXPECT_EQ(RenderCode(info),
            "some-warning (warning)\n"
            "  What it is.\n"
            "  What it implies, at a length that does not fit on one line of a terminal that is "
            "one hundred\n"
            "  columns wide.\n"
            "  What to do: Do this.\n");
}

TEST(CodesText, ExplainsAnError) {
  const CodeInfo info = {Code::kUsage, "some-error", Severity::kError, 3, "What it is.", "", ""};
  EXPECT_EQ(RenderCode(info), "some-error (error, exit code 3)\n  What it is.\n");
}

TEST(CodesText, MarkdownHasEveryCodeOnce) {
  const std::string page = RenderCodesMarkdown();
  for (const CodeInfo& info : AllCodes()) {
    const std::string heading = "\n### " + std::string(info.word) + "\n";
    const size_t at = page.find(heading);
    ASSERT_NE(at, std::string::npos) << info.word;
    EXPECT_EQ(page.find(heading, at + 1), std::string::npos) << info.word;
    EXPECT_EQ(at > page.find("\n## Errors\n"), info.severity == Severity::kError) << info.word;
  }
}

// Where this fails after a change of base/codes.cc, the page that the program would write lies in
// the folder for temporary files and replaces the old one.
TEST(CodesText, DocumentationIsInStep) {
  const Result<std::string> page = ReadFile(RANGEWISE_SOURCE_DIR "/docs/warnings.md");
  const std::string expected = RenderCodesMarkdown();
  if (page.ok() && *page == expected) return;
  const fs::path made = fs::temp_directory_path() / "rangewise-warnings.md";
  ASSERT_TRUE(WriteFileAtomically(made, expected).ok());
  FAIL() << "docs/warnings.md is not in step with base/codes.cc: cp " << made
         << " docs/warnings.md";
}

}  // namespace
}  // namespace rangewise::render
