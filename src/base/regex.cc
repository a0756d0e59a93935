#include "base/regex.h"

#include <re2/re2.h>

#include "base/text.h"

namespace rangewise {

struct Regex::Impl {
  Impl(std::string_view pattern, const RE2::Options& options)
      : re(re2::StringPiece(pattern.data(), pattern.size()), options) {}
  RE2 re;
};

namespace {

// Where `piece` stands that makes `pattern` no RE2 syntax. It may stand in several places: the one
// at fault is the first with which the pattern, ended there, fails in the same way.
std::optional<size_t> PlaceOf(const std::string& piece, RE2::ErrorCode code,
                              std::string_view pattern, const RE2::Options& options) {
  const size_t first = pattern.find(piece);
  if (first == std::string_view::npos) return std::nullopt;
  constexpr int kMostTries = 64;
  size_t at = first;
  for (int tries = 0; at != std::string_view::npos && tries < kMostTries; ++tries) {
    const RE2 begun(re2::StringPiece(pattern.data(), at + piece.size()), options);
    if (begun.error_code() == code && begun.error_arg() == piece) return at;
    at = pattern.find(piece, at + 1);
  }
  if (pattern.find(piece, first + 1) == std::string_view::npos) return first;
  return std::nullopt;
}

}  // namespace

Regex::Regex(std::unique_ptr<Impl> impl, std::string pattern)
    : impl_(std::move(impl)), pattern_(std::move(pattern)) {}
Regex::Regex(Regex&&) noexcept = default;
Regex& Regex::operator=(Regex&&) noexcept = default;
Regex::~Regex() = default;

Result<Regex> Regex::Compile(std::string_view pattern) {
  RE2::Options options;
  options.set_log_errors(false);
  // Display names are UTF-8; a pattern that is not cannot match one.
  auto impl = std::make_unique<Impl>(pattern, options);
  if (!impl->re.ok()) {
    Error error{.code = Code::kBadPattern,
                .message = Format("the pattern {} is not RE2 syntax: {}", Quoted(pattern),
                                  impl->re.error())};
    const std::string piece = impl->re.error_arg();
    if (!piece.empty()) {
      error.details.push_back(Format("the piece at fault is {}", Quoted(piece)));
      if (const auto at = PlaceOf(piece, impl->re.error_code(), pattern, options)) {
        error.details.back() += Format(", at byte {} of the pattern", *at + 1);
        error.where.column = *at + 1;
      }
    }
    return error;
  }
  return Regex(std::move(impl), std::string(pattern));
}

int Regex::groups() const { return impl_->re.NumberOfCapturingGroups(); }

bool Regex::FullMatch(std::string_view text) const {
  const re2::StringPiece piece(text.data(), text.size());
  return impl_->re.Match(piece, 0, piece.size(), RE2::ANCHOR_BOTH, nullptr, 0);
}

std::optional<std::string_view> Regex::FullMatchGroup1(std::string_view text) const {
  const re2::StringPiece piece(text.data(), text.size());
  re2::StringPiece groups[2];
  const int wanted = this->groups() >= 1 ? 2 : 1;
  if (!impl_->re.Match(piece, 0, piece.size(), RE2::ANCHOR_BOTH, groups, wanted)) {
    return std::nullopt;
  }
  if (wanted < 2 || groups[1].data() == nullptr) return std::string_view{};
  return std::string_view(groups[1].data(), groups[1].size());
}

int Regex::ReplaceAll(std::string& text, std::string_view replacement) const {
  return RE2::GlobalReplace(&text, impl_->re,
                            re2::StringPiece(replacement.data(), replacement.size()));
}

std::optional<std::string> Regex::CheckReplacement(std::string_view replacement) const {
  std::string error;
  if (impl_->re.CheckRewriteString(re2::StringPiece(replacement.data(), replacement.size()),
                                   &error)) {
    return std::nullopt;
  }
  return error;
}

}  // namespace rangewise
