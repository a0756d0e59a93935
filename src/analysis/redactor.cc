#include "analysis/redactor.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "analysis/private_texts.h"

namespace rangewise::analysis {
namespace {

using model::NameId;
using model::RedactedKind;

bool IsWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

uint32_t BucketOf(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<uint8_t>(text[i]) : 0u; };
  return byte(0) << 8 | byte(1);
}

// Below this length a name is replaced between quotes only: a range named "1" is no reason to
// replace every 1 of a sentence.
constexpr size_t kShortestWord = 4;
// Users and hosts have names, not letters.
constexpr size_t kShortestUser = 2;

bool IsNumber(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// A key such as `cores`. It tells as little in its place as a name would, but is no word to be
// looked for in sentences.
bool IsPlainWord(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

}  // namespace

Redactor::Redactor(RedactOptions options)
    : range_names_(options.range_names),
      kernel_names_(options.kernel_names),
      keyed_(!options.key.empty()),
      pseudonyms_(std::move(options.key)) {}

void Redactor::Keep(const std::optional<model::Redaction>& earlier) {
  if (!earlier) return;
  for (const model::Replaced& one : earlier->replaced) pseudonyms_.Keep(one.pseudonym);
}

void Redactor::Know(RedactedKind kind, std::string_view text, std::string_view replacement) {
  // What is no word, such as the folder `.`, would be met between any two of them.
  if (std::none_of(text.begin(), text.end(), IsWord)) return;
  if (!is_known_.emplace(text, true).second) return;
  std::vector<Known>& bucket = known_[BucketOf(text)];
  const auto at = std::find_if(bucket.begin(), bucket.end(),
                               [&](const Known& known) { return known.text.size() < text.size(); });
  bucket.insert(at, {std::string(text), std::string(replacement), kind});
  if (kind != RedactedKind::kUser && kind != RedactedKind::kHost) return;
  // Whoever writes of alice or NODE17 may write ALICE, Alice or node17.
  std::string lower(text);
  std::string upper(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  Know(kind, lower);
  Know(kind, upper);
  Know(kind, upper.substr(0, 1) + lower.substr(1));
}

void Redactor::Learn(std::string_view text) {
  FindPrivate(text, [&](RedactedKind kind, size_t begin, size_t length) {
    const std::string_view piece = text.substr(begin, length);
    if (kind != RedactedKind::kPath && piece.size() < kShortestUser) return;
    if (kind == RedactedKind::kPath) return LearnPath(piece);
    Know(kind, piece);
  });
}

// The path, whose home it is in, and its last name, by which sentences call it.
void Redactor::LearnPath(std::string_view path) {
  if (path == "-" || IsNameOfRun(path)) return;
  if (const auto user = UserOfPath(path); user && user->size() >= kShortestUser)
    Know(RedactedKind::kUser, *user);
  if (const auto name = TellingNameOf(path)) Know(RedactedKind::kPath, *name);
  Know(RedactedKind::kPath, path);
}

// Texts of `kind`, or where there is none, what they say.
void Redactor::LearnAs(std::optional<RedactedKind> kind, const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value.data)) {
    Learn(*text);
    if (kind == RedactedKind::kPath) return LearnPath(*text);
    if (kind) Know(*kind, *text);
  } else if (const auto* list = std::get_if<ValueList>(&value.data)) {
    for (const Value& item : *list) LearnAs(kind, item);
  } else if (const auto* map = std::get_if<ValueMap>(&value.data)) {
    for (const auto& [inner, item] : *map) {
      const auto own = KindOfKey(inner);
      if (kind && !own && !IsPlainWord(inner)) Know(*kind, inner);
      LearnAs(own ? own : kind, item);
    }
  }
}

void Redactor::Learn(std::string_view key, const Value& value) { LearnAs(KindOfKey(key), value); }

void Redactor::Learn(const ValueMap& values) {
  for (const auto& [key, value] : values) {
    Learn(key);
    Learn(key, value);
  }
}

void Redactor::Whole(RedactedKind kind, std::string& text) {
  if (text.empty()) return;
  if (pseudonyms_.LengthAt(text) == text.size()) return;
  Learn(text);
  if (kind == RedactedKind::kPath) {
    LearnPath(text);
  } else {
    Know(kind, text);
  }
  text = pseudonyms_.Of(kind, text);
}

void Redactor::Path(std::string& text) {
  if (text != "-" && !IsNameOfRun(text)) Whole(RedactedKind::kPath, text);
}

std::string Redactor::RangeName(std::string_view name) {
  if (!range_names_) {
    std::string text(name);
    Sentence(text);
    return text;
  }
  if (name.empty()) return {};
  // A domain and a message are apart, so that the domain alone has the pseudonym that it has here.
  const size_t colon = name.find(':');
  std::string replaced;
  if (colon == std::string_view::npos) {
    replaced = pseudonyms_.Of(RedactedKind::kRange, name);
  } else {
    const std::string_view domain = name.substr(0, colon);
    const std::string_view message = name.substr(colon + 1);
    if (!domain.empty()) replaced = pseudonyms_.Of(RedactedKind::kRange, domain);
    replaced += ':';
    if (!message.empty()) replaced += pseudonyms_.Of(RedactedKind::kRange, message);
    Know(RedactedKind::kRange, domain);
    Know(RedactedKind::kRange, message);
  }
  Know(RedactedKind::kRange, name, replaced);
  return replaced;
}

std::string Redactor::KernelName(std::string_view name) {
  std::string text(name);
  if (!kernel_names_) {
    Sentence(text);
    return text;
  }
  Whole(RedactedKind::kKernel, text);
  return text;
}

void Redactor::RangeText(std::string& text) {
  if (!range_names_) return Sentence(text);
  Whole(RedactedKind::kRange, text);
}

NameId Redactor::RangeName(model::NamePool& pool, NameId name) {
  if (name == model::kNoName) return name;
  const auto [at, fresh] = ranges_[&pool].try_emplace(static_cast<uint32_t>(name), name);
  if (!fresh) return at->second;
  const model::DomainLength domain = pool.DomainAt(name);
  const std::string old(pool.At(name));
  const std::string replaced = RangeName(old);
  // The domain ends at the first ':', as in the old text.
  const size_t colon = replaced.find(':');
  const bool has_domain = domain >= 0 && colon != std::string::npos;
  const model::DomainLength length = domain < 0   ? domain
                                     : has_domain ? static_cast<model::DomainLength>(colon)
                                                  : model::kUnknownDomain;
  return at->second = pool.Intern(replaced, replaced == old ? domain : length);
}

NameId Redactor::KernelName(model::NamePool& pool, NameId name) {
  if (name == model::kNoName) return name;
  const auto [at, fresh] = kernels_[&pool].try_emplace(static_cast<uint32_t>(name), name);
  if (!fresh) return at->second;
  return at->second = pool.Intern(KernelName(pool.At(name)), pool.DomainAt(name));
}

void Redactor::AllOf(RedactedKind kind, Value& value) {
  if (auto* text = std::get_if<std::string>(&value.data)) {
    Whole(kind, *text);
  } else if (const auto* integer = std::get_if<Integer>(&value.data)) {
    std::string digits = integer->digits;
    Whole(kind, digits);
    value.data = std::move(digits);
  } else if (auto* list = std::get_if<ValueList>(&value.data)) {
    for (Value& item : *list) AllOf(kind, item);
  } else if (auto* map = std::get_if<ValueMap>(&value.data)) {
    ValueMap replaced;
    for (auto& [key, item] : *map) {
      const auto own = KindOfKey(key);
      AllOf(own.value_or(kind), item);
      replaced.emplace(own ? key : pseudonyms_.Of(kind, key), std::move(item));
    }
    *map = std::move(replaced);
  }
}

void Redactor::OneValue(std::string_view key, Value& value) {
  if (const auto kind = KindOfKey(key)) return AllOf(*kind, value);
  if (auto* text = std::get_if<std::string>(&value.data)) {
    if (IsPath(*text)) return Whole(RedactedKind::kPath, *text);
    Sentence(*text);
  } else if (auto* list = std::get_if<ValueList>(&value.data)) {
    for (Value& item : *list) OneValue(key, item);
  } else if (auto* map = std::get_if<ValueMap>(&value.data)) {
    Values(*map);
  }
}

void Redactor::Values(ValueMap& values) {
  ValueMap replaced;
  for (auto& [key, value] : values) {
    OneValue(key, value);
    std::string shown = key;
    Sentence(shown);
    replaced.emplace(std::move(shown), std::move(value));
  }
  values = std::move(replaced);
}

std::string Redactor::ReplacedForms(std::string_view text) {
  std::string out;
  size_t done = 0;
  FindPrivate(text, [&](RedactedKind kind, size_t begin, size_t length) {
    if (begin < done) return;
    // Where it was met before, a path with spaces is known to go on behind them.
    const Known* known = KnownAt(text, begin, false);
    const bool is_longer = known != nullptr && known->text.size() > length;
    out += text.substr(done, begin - done);
    out += is_longer ? ReplacementOf(*known) : pseudonyms_.Of(kind, text.substr(begin, length));
    done = begin + (is_longer ? known->text.size() : length);
  });
  return out += text.substr(done);
}

const Redactor::Known* Redactor::KnownAt(std::string_view text, size_t at, bool short_ones) const {
  const auto bucket = known_.find(BucketOf(text.substr(at)));
  const auto single = known_.find(BucketOf(text.substr(at, 1)));
  for (const auto& found : {bucket, single}) {
    if (found == known_.end()) continue;
    for (const Known& known : found->second) {
      const bool may_be_short =
          known.kind == RedactedKind::kUser || known.kind == RedactedKind::kHost;
      const bool is_short = known.text.size() < kShortestWord && !may_be_short;
      if (!short_ones && (is_short || IsNumber(known.text))) continue;
      if (!text.substr(at).starts_with(known.text)) continue;
      const size_t end = at + known.text.size();
      if (end < text.size() && IsWord(known.text.back()) && IsWord(text[end])) continue;
      return &known;
    }
  }
  return nullptr;
}

std::string Redactor::ReplacementOf(const Known& known) {
  return known.replacement.empty() ? pseudonyms_.Of(known.kind, known.text) : known.replacement;
}

std::string Redactor::ReplacedKnown(std::string_view text, bool short_ones) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const bool begins = i == 0 || !IsWord(text[i]) || !IsWord(text[i - 1]);
    if (const size_t length = begins ? pseudonyms_.LengthAt(text.substr(i)) : 0; length > 0) {
      out += text.substr(i, length);
      i += length;
      continue;
    }
    const Known* known = begins ? KnownAt(text, i, short_ones) : nullptr;
    if (known == nullptr) {
      out += text[i++];
      continue;
    }
    out += ReplacementOf(*known);
    i += known->text.size();
  }
  return out;
}

// Whether nothing but pseudonyms and what joins the names of a path is left of a quoted text.
bool Redactor::IsAllPseudonyms(std::string_view text) const {
  for (size_t i = 0; i < text.size();) {
    if (std::string_view(". >:").find(text[i]) != std::string_view::npos) {
      ++i;
      continue;
    }
    const size_t length = pseudonyms_.LengthAt(text.substr(i));
    if (length == 0) return false;
    i += length;
  }
  return true;
}

// Between quotes stand names, and of long ones only the ends: what is not known is replaced whole.
std::string Redactor::ReplacedQuotes(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const bool opens = text[i] == '\'' && (i == 0 || !IsWord(text[i - 1]));
    size_t close = opens ? text.find('\'', i + 1) : std::string_view::npos;
    // An apostrophe within a name is followed by more of it.
    while (close != std::string_view::npos && close + 1 < text.size() && IsWord(text[close + 1])) {
      close = text.find('\'', close + 1);
    }
    if (close == std::string_view::npos) {
      out += text[i++];
      continue;
    }
    const std::string_view inside = text.substr(i + 1, close - i - 1);
    std::string replaced = ReplacedKnown(inside, true);
    const bool is_option = inside.starts_with("--");
    if (!is_option && !IsAllPseudonyms(replaced)) {
      replaced =
          pseudonyms_.Of(range_names_ ? RedactedKind::kRange : RedactedKind::kKernel, inside);
    }
    out += '\'' + replaced + '\'';
    i = close + 1;
  }
  return out;
}

void Redactor::Sentence(std::string& text) {
  if (text.empty()) return;
  if (range_names_ || kernel_names_) text = ReplacedQuotes(text);
  text = ReplacedForms(text);
  if (!known_.empty()) text = ReplacedKnown(text, false);
}

void Redactor::DoneWith(std::optional<model::Redaction>& redaction) const {
  if (!redaction) redaction.emplace();
  redaction->keyed |= keyed_;
  redaction->range_names |= range_names_;
  redaction->kernel_names |= kernel_names_;
  std::map<std::pair<RedactedKind, std::string>, int64_t> places;
  for (const model::Replaced& one : redaction->replaced)
    places[{one.kind, one.pseudonym}] += one.places;
  for (const model::Replaced& one : pseudonyms_.Replaced())
    places[{one.kind, one.pseudonym}] += one.places;
  redaction->replaced.clear();
  for (const auto& [key, count] : places)
    redaction->replaced.push_back({key.first, key.second, count});
}

}  // namespace rangewise::analysis
