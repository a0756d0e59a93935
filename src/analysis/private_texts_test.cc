#include "analysis/private_texts.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rangewise::analysis {
namespace {

using model::RedactedKind;

std::vector<std::string> Found(std::string_view text) {
  std::vector<std::string> found;
  FindPrivate(text, [&](RedactedKind kind, size_t begin, size_t length) {
    found.push_back(std::string(model::RedactedKindName(kind)) + " " +
                    std::string(text.substr(begin, length)));
  });
  return found;
}
using List = std::vector<std::string>;

TEST(PrivateTexts, PathsAreKnownByTheirForm) {
  for (const char* path :
       {"/home/a/x", "/data", "~/x", "~bob/x", "./run", "../run/a", "C:\\Users\\a", "d:/x/y",
        "\\\\server\\share", "file:///tmp/x", "https://example.org/a", "s3://bucket/key",
        "profiling/run/trace.nsys-rep", "src/train.py"}) {
    EXPECT_TRUE(IsPath(path)) << path;
  }
  for (const char* text :
       {"host/GPU", "n/a", "/", "a", "", "fwd/bwd/layer", "1/2", "manifest.yaml", "trace.sqlite",
        "stats/nsys_nvtx_pushpop_trace.csv", "stats/source.json", "docs/warnings.md",
        "by bob in /srv/x.txt", "aten::mul", "std::pair<int/2>", "x.py", "C:", "//"}) {
    EXPECT_FALSE(IsPath(text)) << text;
  }
}

TEST(PrivateTexts, AreFoundInSentences) {
  EXPECT_EQ(Found("read /home/a/x.bin, then '/srv/my data/y' and (~/z)."),
            (List{"path /home/a/x.bin", "path /srv/my data/y", "path ~/z"}));
  EXPECT_EQ(Found("ssh alice@gpu17.corp: done"), (List{"user alice", "host gpu17.corp"}));
  EXPECT_EQ(Found("--out=/srv/x -I/usr/include file:/tmp/y"),
            (List{"path /srv/x", "path /usr/include", "path /tmp/y"}));
  EXPECT_EQ(Found("57.7 % of the host time (1,031 of 1,787 ns) at 3 GB/s; push/pop @ 12"), List{});
  EXPECT_EQ(Found("at 10.1.2.3:22 and fe80::1, on //nas/x."),
            (List{"host 10.1.2.3:22", "host fe80::1", "path //nas/x"}));
  EXPECT_EQ(Found("nsys 2025.3.1.90, 1.2.3, 300.1.1.1, c10::add, ab::cd, a::b::c, ::1"), List{});
  EXPECT_EQ(Found(""), List{});
  EXPECT_EQ(Found("a@b@c @x y@"), List{});
}

TEST(PrivateTexts, DevicesHaveIds) {
  const std::string uuid = "5a1f0b2c-1111-2222-3333-44445555666f";
  EXPECT_EQ(Found("A100 (UUID: GPU-" + uuid + ") at 0000:3b:00.0, " + uuid),
            (List{"id GPU-" + uuid, "id 0000:3b:00.0", "id " + uuid}));
  EXPECT_EQ(Found("at 08:27:04.5, 2026-12-01T08:27:04.0, x0000:3b:00.0, " + uuid + "0"), List{});
}

TEST(PrivateTexts, QuotesTellHowFarAFileGoes) {
  EXPECT_EQ(Found("trace is 'my run/trace.nsys-rep', in 'a b/c'"),
            (List{"path my run/trace.nsys-rep"}));
}

TEST(PrivateTexts, LastNamesOfPathsTellUnlessAllPathsHaveThem) {
  EXPECT_EQ(TellingNameOf("/data/crown.bin"), "crown.bin");
  EXPECT_EQ(TellingNameOf("C:\\runs\\acme-7\\"), "acme-7");
  EXPECT_EQ(TellingNameOf("acme.nsys-rep"), "acme.nsys-rep");
  for (const char* path : {"/usr/bin/python", "/opt/cuda/12.4", "/r/trace.sqlite", "/a/b-c", "/"}) {
    EXPECT_EQ(TellingNameOf(path), std::nullopt) << path;
  }
}

TEST(PrivateTexts, NoTextIsTooOdd) {
  for (const std::string& text :
       {std::string(10'000, '/'), std::string(10'000, '@'), std::string("\xff\xfe/\x80"),
        std::string("'/unclosed quote"), std::string(1, '\0') + "/a"}) {
    Found(text);
  }
  EXPECT_EQ(Found("'/unclosed quote"), (List{"path /unclosed"}));
}

TEST(PrivateTexts, HomesNameUsers) {
  EXPECT_EQ(UserOfPath("/home/alice/x"), "alice");
  EXPECT_EQ(UserOfPath("C:\\Users\\Bob\\x"), "Bob");
  EXPECT_EQ(UserOfPath("/Users/eve"), "eve");
  EXPECT_EQ(UserOfPath("/home/"), std::nullopt);
  EXPECT_EQ(UserOfPath("/srv/data"), std::nullopt);
}

TEST(PrivateTexts, KeysSayWhatTheirValuesAre) {
  EXPECT_EQ(KindOfKey("import_path"), RedactedKind::kPath);
  EXPECT_EQ(KindOfKey("output_dir"), RedactedKind::kPath);
  EXPECT_EQ(KindOfKey("HostName"), RedactedKind::kHost);
  EXPECT_EQ(KindOfKey("user"), RedactedKind::kUser);
  EXPECT_EQ(KindOfKey("argv"), RedactedKind::kCommand);
  EXPECT_EQ(KindOfKey("record_ids"), RedactedKind::kId);
  EXPECT_EQ(KindOfKey("profile_prepare"), std::nullopt);
  EXPECT_EQ(KindOfKey("record_loading"), std::nullopt);
  EXPECT_EQ(KindOfKey("seed"), std::nullopt);
  EXPECT_EQ(KindOfKey("valid"), std::nullopt);
}

}  // namespace
}  // namespace rangewise::analysis
