#include "format/csv.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/files.h"
#include "format/csv_index.h"
#include "support/csv_reference.h"

namespace rangewise::format {
namespace {

using Record = test::CsvRecord;

// Keeps all records, unquoted. The header is the record whose first cell is "head".
class KeepingSink : public CsvSink {
 public:
  Result<bool> IsHeader(std::span<const std::string> cells, uint64_t line) override {
    header_line = line;
    if (cells[0] != "head") return false;
    columns = cells.size();
    return true;
  }
  Status NoHeader(bool is_blank) override {
    blank = is_blank;
    if (blank) return Ok();
    return Error{Code::kMissingColumn, "no header"};
  }
  std::optional<CsvFault> Take(size_t, const CsvBatch& batch) override {
    std::vector<Record> more;
    std::string scratch;
    for (size_t record = 0; record < batch.records(); ++record) {
      Record fields;
      for (size_t column = 0; column < batch.columns(); ++column) {
        fields.emplace_back(CsvValue(batch.Raw(record, column), scratch));
        if (fields.back() == "fault")
          return CsvFault{record, column, Code::kBadInteger, "fault found"};
      }
      more.push_back(std::move(fields));
    }
    const std::lock_guard lock(mutex_);
    records.insert(records.end(), more.begin(), more.end());
    return std::nullopt;
  }
  void Restart() override {
    records.clear();
    restarted = true;
  }
  void Expect(uint64_t) override {}

  std::vector<Record> records;
  size_t columns = 0;
  uint64_t header_line = 0;
  bool blank = false;
  bool restarted = false;

 private:
  std::mutex mutex_;
};

class Csv : public testing::Test {
 protected:
  Csv() : folder_(std::move(TemporaryFolder::Create(testing::TempDir())).value()) {}

  std::filesystem::path Write(const std::string& text) {
    const std::filesystem::path path = folder_.path() / ("t" + std::to_string(++files_) + ".csv");
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  Result<std::vector<Fingerprint>> Read(const std::string& text, KeepingSink& sink, int threads = 1,
                                        size_t piece = 1 << 20) {
    const CsvSource source{Write(text), &sink};
    return ReadCsvFiles({&source, 1}, {threads, piece});
  }
  // Reads `text` with all sorts of pieces and threads; all must agree. Records sorted.
  std::vector<Record> Records(const std::string& text) {
    std::optional<std::vector<Record>> first;
    for (const size_t piece : {size_t{1} << 20, size_t{1}, size_t{13}, size_t{64}}) {
      for (const int threads : {1, 3}) {
        KeepingSink sink;
        const auto result = Read(text, sink, threads, piece);
        EXPECT_TRUE(result.ok()) << Render(result.error());
        std::sort(sink.records.begin(), sink.records.end());
        if (first) {
          EXPECT_EQ(sink.records, *first);
        }
        first = sink.records;
      }
    }
    return *first;
  }
  // The error of reading `text`, the same whatever the pieces and threads.
  Error ErrorOf(const std::string& text) {
    std::optional<std::string> first;
    Error error;
    for (const size_t piece : {size_t{1} << 20, size_t{1}, size_t{13}, size_t{64}}) {
      for (const int threads : {1, 3}) {
        KeepingSink sink;
        const CsvSource source{first_path_.empty() ? first_path_ = Write(text) : first_path_,
                               &sink};
        const auto result = ReadCsvFiles({&source, 1}, {threads, piece});
        EXPECT_FALSE(result.ok());
        if (result.ok()) return {};
        if (first) {
          EXPECT_EQ(Render(result.error()), *first);
        }
        first = Render(result.error());
        error = result.error();
      }
    }
    first_path_.clear();
    return error;
  }

 private:
  TemporaryFolder folder_;
  std::filesystem::path first_path_;
  int files_ = 0;
};

TEST_F(Csv, ReadsPlainRecordsAndTheirFingerprint) {
  const std::string text = "head,b\n1,2\n3,\n";
  EXPECT_EQ(Records(text), (std::vector<Record>{{"1", "2"}, {"3", ""}}));
  KeepingSink sink;
  const auto result = Read(text, sink);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ((*result)[0].size_bytes, text.size());
  EXPECT_EQ((*result)[0].xxh3_128, Hash128Hex(text));
  EXPECT_FALSE(sink.restarted);
}

TEST_F(Csv, ReadsQuotedCommasQuotesAndLineEnds) {
  EXPECT_EQ(Records("head,b\n\"a,b\",\"x \"\"y\"\"\"\n\"two\nlines\",\"\"\n\"\"\"\",\",\"\n"),
            (std::vector<Record>{{"\"", ","}, {"a,b", "x \"y\""}, {"two\nlines", ""}}));
}

TEST_F(Csv, KeepsWellFormedQuotesOnTheFastWay) {
  KeepingSink sink;
  std::string text = "head,b\r\n";
  for (int i = 0; i < 500; ++i)
    text += "\"a \"\"quoted\"\", text\n\",\"" + std::to_string(i) + "\"\r\n";
  ASSERT_TRUE(Read(text, sink, 2, 512).ok());
  EXPECT_EQ(sink.records.size(), 500U);
  EXPECT_FALSE(sink.restarted);
}

TEST_F(Csv, AcceptsCrLfAndLoneCrIsData) {
  EXPECT_EQ(Records("head,b\r\n1,2\r\n\"3\",\"4\"\r\n"),
            (std::vector<Record>{{"1", "2"}, {"3", "4"}}));
  EXPECT_EQ(Records("head,b\n1\r2,3\n4,5\r\r\n"),
            (std::vector<Record>{{"1\r2", "3"}, {"4", "5\r"}}));
  EXPECT_EQ(Records("head,b\n1,2\r"), (std::vector<Record>{{"1", "2\r"}}));
}

TEST_F(Csv, AcceptsALastLineWithoutEnd) {
  EXPECT_EQ(Records("head,b\n1,2"), (std::vector<Record>{{"1", "2"}}));
  EXPECT_EQ(Records("head,b\n1,\"2\""), (std::vector<Record>{{"1", "2"}}));
  EXPECT_EQ(Records("head,b\n1,"), (std::vector<Record>{{"1", ""}}));
  EXPECT_TRUE(Records("head,b").empty());
}

TEST_F(Csv, SkipsBlankLinesAndAByteOrderMark) {
  EXPECT_EQ(Records("\xef\xbb\xbf\n\r\nhead,b\n\n1,2\n\r\n\n3,4\n\n\r\n\n"),
            (std::vector<Record>{{"1", "2"}, {"3", "4"}}));
  EXPECT_EQ(Records("head\n1\n\n2\n"), (std::vector<Record>{{"1"}, {"2"}}));
}

TEST_F(Csv, DropsBlankLinesAtTheEndOnTheFastWay) {
  KeepingSink sink;
  ASSERT_TRUE(Read("head,b\n1,2\n\n\r\n\n", sink).ok());
  EXPECT_EQ(sink.records.size(), 1U);
  EXPECT_FALSE(sink.restarted);
}

TEST_F(Csv, TakesAQuoteWithinAnUnquotedFieldAsText) {
  EXPECT_EQ(Records("head,b\n5\" disk,1\na \"b\" c,\"x,y\"\n,\"\n\"\n"),
            (std::vector<Record>{{"", "\n"}, {"5\" disk", "1"}, {"a \"b\" c", "x,y"}}));
}

TEST_F(Csv, SkipsAPreambleWhateverItsQuotes) {
  EXPECT_EQ(Records("Processing \"x\nit's \"quoted\" \n\"open,\n\n head ,b\n1,2\n"),
            (std::vector<Record>{{"1", "2"}}));
  KeepingSink sink;
  ASSERT_TRUE(Read("one\n\n\"two\nhead,\"b\nb\"\n1,2\n", sink).ok());
  EXPECT_EQ(sink.header_line, 4U);
  EXPECT_EQ(sink.records, (std::vector<Record>{{"1", "2"}}));
}

TEST_F(Csv, TellsABlankFileFromOneWithoutHeader) {
  for (const char* text : {"", " \n\r\n\t", "\xef\xbb\xbf"}) {
    KeepingSink sink;
    const auto result = Read(text, sink, 2, 1);
    ASSERT_TRUE(result.ok());
    EXPECT_TRUE(sink.blank);
    EXPECT_EQ((*result)[0].xxh3_128, Hash128Hex(text));
  }
  EXPECT_EQ(ErrorOf("a,b\n1,2\n").code, Code::kMissingColumn);
}

TEST_F(Csv, GivesUpOnAHeaderAfterTheLinesOfAPreamble) {
  std::string text;
  for (uint64_t line = 0; line + 1 < kPreambleLines; ++line) text += "\"line\n";
  EXPECT_EQ(Records(text + "head\n1\n"), (std::vector<Record>{{"1"}}));
  EXPECT_EQ(ErrorOf(text + "\"line\nhead\n1\n").code, Code::kMissingColumn);
}

TEST_F(Csv, RefusesUtf16) {
  EXPECT_EQ(ErrorOf(std::string("\xff\xfeh\0", 4)).code, Code::kCsvEncoding);
  EXPECT_EQ(ErrorOf(std::string("\xfe\xff\0h", 4)).code, Code::kCsvEncoding);
  EXPECT_EQ(ErrorOf(std::string("h\0e\0a\0d\0,\0b\0\n\0", 14)).code, Code::kCsvEncoding);
}

TEST_F(Csv, PointsAtTextAfterAClosingQuote) {
  const Error error = ErrorOf("head,b\n1,2\n3,\"x\ny\"z\n");
  EXPECT_EQ(error.code, Code::kCsvSyntax);
  EXPECT_EQ(error.where.line, 4U);
  EXPECT_EQ(error.where.column, 3U);
  EXPECT_EQ(error.where.source_line, "y\"z");
}

TEST_F(Csv, PointsAtTheBeginningOfAnUnterminatedField) {
  const Error error = ErrorOf("head,b\n1,2\n3,\"x\ny\n4,5\n");
  EXPECT_EQ(error.code, Code::kCsvSyntax);
  EXPECT_EQ(error.where.line, 3U);
  EXPECT_EQ(error.where.column, 3U);
}

TEST_F(Csv, RefusesRowsOfAnotherWidth) {
  EXPECT_EQ(ErrorOf("head,b\n1,2\n\n3\n").where.line, 4U);
  EXPECT_EQ(ErrorOf("head,b\n1,2,\n").where.line, 2U);
  // Two wrong ones that make up for each other.
  EXPECT_EQ(ErrorOf("head,b,c\n1,2\n3,4,5,6\n").where.line, 2U);
  EXPECT_EQ(ErrorOf("head,b,c\n1,2,3\n1\n2,3\n").where.line, 3U);
}

TEST_F(Csv, ReportsTheEarliestOfSeveralErrors) {
  std::string text = "head,b\n";
  for (int i = 0; i < 200; ++i) text += "1,2\n";
  text += "fault,2\n1,2\n3\n\"a\"b,c\n1,fault\n";
  const Error error = ErrorOf(text);
  EXPECT_EQ(error.code, Code::kBadInteger);
  EXPECT_EQ(error.where.line, 202U);
  EXPECT_EQ(error.where.column, 1U);
  EXPECT_EQ(ErrorOf("head,b\n1\nfault,2\n").code, Code::kCsvSyntax);
}

TEST_F(Csv, ReportsTheErrorOfTheFirstFile) {
  for (int round = 0; round < 20; ++round) {
    KeepingSink sinks[3];
    std::string large = "head,b\n";
    for (int i = 0; i < 3000; ++i) large += "1,2\n";
    const CsvSource sources[] = {{Write(large), &sinks[0]},
                                 {Write(large + "1\n"), &sinks[1]},
                                 {Write("head\nfault\n"), &sinks[2]}};
    const auto result = ReadCsvFiles(sources, {3, 256});
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().where.file, sources[1].path.string());
    EXPECT_EQ(result.error().where.line, 3002U);
  }
}

TEST_F(Csv, ReadsAFieldOfFiftyMegabytes) {
  std::string field;
  while (field.size() < 50'000'000) field += "word, \n\"\"";
  KeepingSink sink;
  const auto result = Read("head,b\n1,\"" + field + "\"\n3,4\n", sink, 2, 1 << 16);
  ASSERT_TRUE(result.ok());
  ASSERT_EQ(sink.records.size(), 2U);
  std::sort(sink.records.begin(), sink.records.end());
  EXPECT_EQ(sink.records[0][1].size(), field.size() / 9 * 8);
  EXPECT_EQ(sink.records[1][1], "4");
  EXPECT_FALSE(sink.restarted);
}

TEST_F(Csv, SaysThatAFileShrankWhileItWasRead) {
  // The sink cuts the file when the header comes, before the rest is read.
  class CuttingSink : public KeepingSink {
   public:
    explicit CuttingSink(std::filesystem::path path) : path_(std::move(path)) {}
    Result<bool> IsHeader(std::span<const std::string> cells, uint64_t line) override {
      std::filesystem::resize_file(path_, 5000);
      return KeepingSink::IsHeader(cells, line);
    }

   private:
    std::filesystem::path path_;
  };
  std::string text = "head,b\n";
  while (text.size() < 100'000) text += "1,2\n";
  for (const int threads : {1, 3}) {
    const std::filesystem::path path = Write(text);
    CuttingSink sink(path);
    const CsvSource source{path, &sink};
    const auto result = ReadCsvFiles({&source, 1}, {threads, 4096});
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, Code::kFileShrank);
  }
}

// Random texts of the characters that matter, most of them sound tables and many broken.
TEST_F(Csv, EqualsTheObviousParserOnRandomText) {
  std::mt19937 random(20261130);
  auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  int sound = 0;
  for (int round = 0; round < 800; ++round) {
    const unsigned columns = 1 + below(4);
    const unsigned damage = below(3) == 0 ? 1 + below(40) : 0;  // per thousand fields
    const bool literal_quotes = below(3) == 0;
    const char* line_end = below(2) == 0 ? "\n" : "\r\n";
    std::string text = "head";
    for (unsigned column = 1; column < columns; ++column) text += ",h" + std::to_string(column);
    text += line_end;
    const unsigned rows = below(60);
    for (unsigned row = 0; row < rows; ++row) {
      for (unsigned column = 0; column < columns; ++column) {
        if (column > 0) text += ',';
        const unsigned length = below(10) == 0 ? below(200) : below(8);
        if (below(4) == 0) {
          text += '"';
          for (unsigned i = 0; i < length; ++i) {
            const char c = "ab,\n\r\""[below(6)];
            text += c;
            if (c == '"') text += '"';
          }
          text += '"';
        } else {
          text += 'x';
          for (unsigned i = 0; i < length; ++i) text += "abc\r \""[below(literal_quotes ? 6 : 5)];
          text += 'y';
        }
        if (below(1000) < damage) text += "\",\n\"a\r"[below(6)];
      }
      if (row + 1 < rows || below(2) == 0) text += line_end;
      if (below(50) == 0) text += line_end;
    }

    const std::optional<std::vector<Record>> expected = test::ParseCsvObviously(text);
    sound += expected ? 1 : 0;
    const std::filesystem::path path = Write(text);
    std::optional<std::string> first_error;
    for (const auto& [threads, piece] :
         {std::pair{1, size_t{1} << 20}, {1, 1}, {2, 7}, {3, 64}, {3, 200}}) {
      KeepingSink sink;
      const CsvSource source{path, &sink};
      const auto result = ReadCsvFiles({&source, 1}, {threads, piece});
      ASSERT_EQ(result.ok(), expected.has_value()) << text;
      if (!expected) {
        Error error = result.error();
        error.where.file.clear();
        if (first_error) {
          ASSERT_EQ(Render(error), *first_error) << text;
        }
        first_error = Render(error);
        continue;
      }
      std::vector<Record> wanted = *expected;
      std::sort(wanted.begin(), wanted.end());
      std::sort(sink.records.begin(), sink.records.end());
      ASSERT_EQ(sink.records, wanted) << text;
      ASSERT_EQ((*result)[0].xxh3_128, Hash128Hex(text));
    }
  }
  EXPECT_GT(sound, 300);
  EXPECT_LT(sound, 700);
}

TEST(CsvIndex, CountsQuotesOverBlocks) {
  for (size_t length = 0; length < 300; ++length) {
    std::string text(length, 'a');
    size_t quotes = 0;
    for (size_t at = 0; at < length; at += 7, ++quotes) text[at] = '"';
    EXPECT_EQ(HasOddQuotes(text), quotes % 2 == 1) << length;
  }
}

}  // namespace
}  // namespace rangewise::format
