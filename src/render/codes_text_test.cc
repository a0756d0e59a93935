#include "render/codes_text.h"

#include <gtest/gtest.h>

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
    EXPECT_EQ(at < page.find("\n## Findings\n"), info.severity == Severity::kWarning) << info.word;
  }
}

TEST(CodesText, DocumentationIsInStep) {
  const Result<std::string> page = ReadFile(RANGEWISE_SOURCE_DIR "/docs/warnings.md");
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(*page, RenderCodesMarkdown()) << "rangewise explain --markdown > docs/warnings.md";
}

}  // namespace
}  // namespace rangewise::render
