#include "format/yaml_scalar.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

namespace rangewise::format {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsDigitOrUnderscore(char c) { return IsDigit(c) || c == '_'; }
bool IsSign(char c) { return c == '-' || c == '+'; }

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string Lowered(std::string_view text) {
  std::string lowered(text);
  std::transform(lowered.begin(), lowered.end(), lowered.begin(), Lower);
  return lowered;
}

// A position in a text that is being matched; every Take moves on only where it matches.
class Matcher {
 public:
  explicit Matcher(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

  template <typename Predicate>
  size_t TakeWhile(Predicate predicate, size_t limit = std::numeric_limits<size_t>::max()) {
    size_t n = 0;
    while (n < rest_.size() && n < limit && predicate(rest_[n])) ++n;
    rest_.remove_prefix(n);
    return n;
  }
  template <typename Predicate>
  bool TakeOne(Predicate predicate) {
    return TakeWhile(predicate, 1) == 1;
  }
  bool Take(char wanted) {
    return TakeOne([wanted](char c) { return c == wanted; });
  }
  bool Take(std::string_view wanted) {
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(wanted.size());
    return true;
  }
  size_t TakeDigits(size_t limit = std::numeric_limits<size_t>::max()) {
    return TakeWhile(IsDigit, limit);
  }

  // A digit, then digits and underscores.
  bool TakeNumber() {
    if (!TakeOne(IsDigit)) return false;
    TakeWhile(IsDigitOrUnderscore);
    return true;
  }
  // ":" and a number below 60, once or more; false (and the position lost) when a group is none.
  bool TakeSexagesimalGroups() {
    bool any = false;
    while (Take(':')) {
      const bool small = !rest_.empty() && rest_.front() <= '5';
      if (TakeDigits(small ? 2 : 1) == 0) return false;
      any = true;
    }
    return any;
  }

 private:
  std::string_view rest_;
};

// "e+12"; YAML 1.1 as PyYAML reads it demands the sign, an explicit !!float does not.
bool TakeExponent(Matcher& m, bool sign_needed) {
  if (!m.TakeOne([](char c) { return c == 'e' || c == 'E'; })) return true;
  if (!m.TakeOne(IsSign) && sign_needed) return false;
  return m.TakeDigits() > 0;
}

// An unsigned integer of any size in limbs of nine decimal digits, least significant first.
class Limbs {
 public:
  // value = value * factor + addend; factor and addend at most 10^9.
  void MultiplyAdd(uint64_t factor, uint64_t addend) {
    uint64_t carry = addend;
    for (uint32_t& limb : limbs_) {
      const uint64_t product = limb * factor + carry;
      limb = static_cast<uint32_t>(product % kBase);
      carry = product / kBase;
    }
    while (carry > 0) {
      limbs_.push_back(static_cast<uint32_t>(carry % kBase));
      carry /= kBase;
    }
  }
  std::string Digits() const {
    if (limbs_.empty()) return "0";
    std::string digits = std::to_string(limbs_.back());
    for (size_t i = limbs_.size() - 1; i-- > 0;) {
      const std::string part = std::to_string(limbs_[i]);
      digits.append(9 - part.size(), '0').append(part);
    }
    return digits;
  }

 private:
  static constexpr uint64_t kBase = 1'000'000'000;
  std::vector<uint32_t> limbs_;
};

uint64_t DigitValue(char c) {
  return static_cast<uint64_t>(IsDigit(c) ? c - '0' : Lower(c) - 'a' + 10);
}

// Several digits at a time, as many as keep the factor below 10^9: the walk over the limbs is what
// costs.
void AppendDigits(Limbs& limbs, std::string_view digits, uint64_t base) {
  uint64_t factor = 1;
  uint64_t addend = 0;
  for (const char c : digits) {
    factor *= base;
    addend = addend * base + DigitValue(c);
    if (factor * base > 1'000'000'000) {
      limbs.MultiplyAdd(factor, addend);
      factor = 1;
      addend = 0;
    }
  }
  if (factor > 1) limbs.MultiplyAdd(factor, addend);
}

std::string WithoutUnderscores(std::string_view text) {
  std::string plain(text);
  std::erase(plain, '_');
  return plain;
}

std::string SexagesimalDigits(std::string_view text) {
  Limbs limbs;
  size_t colon = text.find(':');
  AppendDigits(limbs, text.substr(0, colon), 10);
  while (colon != std::string_view::npos) {
    const size_t next = text.find(':', colon + 1);
    const std::string_view group =
        text.substr(colon + 1, next == std::string_view::npos ? next : next - colon - 1);
    uint64_t value = 0;
    for (const char c : group) value = value * 10 + DigitValue(c);
    limbs.MultiplyAdd(60, value);
    colon = next;
  }
  return limbs.Digits();
}

std::optional<double> PlainDouble(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Groups of base 60 from the last to the first, as PyYAML adds them, so that roundings agree.
std::optional<double> SexagesimalDouble(std::string_view text) {
  double value = 0;
  double unit = 1;
  while (true) {
    const size_t colon = text.rfind(':');
    const std::optional<double> group =
        PlainDouble(colon == std::string_view::npos ? text : text.substr(colon + 1));
    if (!group) return std::nullopt;
    value += *group * unit;
    if (!std::isfinite(value)) return std::nullopt;
    if (colon == std::string_view::npos) return value;
    unit *= 60;
    text = text.substr(0, colon);
  }
}

}  // namespace

bool IsYamlBool(std::string_view text) {
  static constexpr std::string_view kWords[] = {"yes",  "Yes",  "YES",  "no",    "No",    "NO",
                                                "true", "True", "TRUE", "false", "False", "FALSE",
                                                "on",   "On",   "ON",   "off",   "Off",   "OFF"};
  return std::find(std::begin(kWords), std::end(kWords), text) != std::end(kWords);
}

bool IsYamlInteger(std::string_view text) {
  Matcher m(text);
  m.TakeOne(IsSign);
  if (m.Take("0b")) {
    return m.TakeWhile([](char c) { return c == '0' || c == '1' || c == '_'; }) > 0 && m.done();
  }
  if (m.Take("0x")) {
    return m.TakeWhile([](char c) {
      return IsDigitOrUnderscore(c) || (Lower(c) >= 'a' && Lower(c) <= 'f');
    }) > 0 &&
           m.done();
  }
  if (m.Take('0')) {
    m.TakeWhile([](char c) { return (c >= '0' && c <= '7') || c == '_'; });
    return m.done();
  }
  if (!m.TakeNumber()) return false;
  return m.done() || (m.TakeSexagesimalGroups() && m.done());
}

bool IsYamlFloat(std::string_view text) {
  Matcher m(text);
  const bool has_sign = m.TakeOne(IsSign);
  if (m.Take('.')) {
    const std::string_view word = m.rest();
    if (word == "inf" || word == "Inf" || word == "INF") return true;
    if (has_sign) return false;
    if (word == "nan" || word == "NaN" || word == "NAN") return true;
    return m.TakeNumber() && TakeExponent(m, true) && m.done();
  }
  if (!m.TakeNumber()) return false;
  const bool sexagesimal = !m.rest().empty() && m.rest().front() == ':';
  if (sexagesimal && !m.TakeSexagesimalGroups()) return false;
  if (!m.Take('.')) return false;
  m.TakeWhile(IsDigitOrUnderscore);
  return (sexagesimal || TakeExponent(m, true)) && m.done();
}

bool IsTaggedFloat(std::string_view text) {
  if (IsYamlFloat(text)) return true;
  Matcher m(text);
  m.TakeOne(IsSign);
  if (m.Take('.')) return m.TakeNumber() && TakeExponent(m, false) && m.done();
  if (!m.TakeNumber()) return false;
  if (!m.rest().empty() && m.rest().front() == ':') return m.TakeSexagesimalGroups() && m.done();
  if (m.Take('.')) m.TakeWhile(IsDigitOrUnderscore);
  return TakeExponent(m, false) && m.done();
}

bool IsYamlTimestamp(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  Matcher m(text);
  if (m.TakeDigits(4) != 4 || !m.Take('-')) return false;
  const size_t month = m.TakeDigits(2);
  if (month == 0 || !m.Take('-')) return false;
  const size_t day = m.TakeDigits(2);
  if (day == 0) return false;
  if (m.done()) return month == 2 && day == 2;
  if (!m.TakeOne([](char c) { return c == 'T' || c == 't'; }) && m.TakeWhile(is_blank) == 0)
    return false;
  if (m.TakeDigits(2) == 0 || !m.Take(':') || m.TakeDigits(2) != 2 || !m.Take(':') ||
      m.TakeDigits(2) != 2) {
    return false;
  }
  if (m.Take('.')) m.TakeDigits();
  if (m.done()) return true;
  m.TakeWhile(is_blank);
  if (m.Take('Z')) return m.done();
  if (!m.TakeOne(IsSign) || m.TakeDigits(2) == 0) return false;
  return m.done() || (m.Take(':') && m.TakeDigits(2) == 2 && m.done());
}

ScalarType ResolvePlain(std::string_view text) {
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL")
    return ScalarType::kNull;
  if (text == "<<") return ScalarType::kMerge;
  if (text == "=") return ScalarType::kDefault;
  const char first = text.front();
  if (IsDigit(first) || IsSign(first) || first == '.') {
    if (IsYamlFloat(text)) return ScalarType::kFloat;
    if (IsYamlInteger(text)) return ScalarType::kInteger;
    if (IsYamlTimestamp(text)) return ScalarType::kTimestamp;
    return ScalarType::kString;
  }
  return IsYamlBool(text) ? ScalarType::kBool : ScalarType::kString;
}

std::optional<bool> BoolValue(std::string_view text) {
  if (text.size() > 5) return std::nullopt;
  const std::string word = Lowered(text);
  if (word == "yes" || word == "true" || word == "on") return true;
  if (word == "no" || word == "false" || word == "off") return false;
  return std::nullopt;
}

std::optional<std::string> DecimalDigits(std::string_view text) {
  const std::string plain = WithoutUnderscores(text);
  std::string_view body = plain;
  const bool negative = body.starts_with('-');
  if (negative || body.starts_with('+')) body.remove_prefix(1);
  if (body.empty()) return std::nullopt;

  std::string digits;
  const bool sexagesimal = body.find(':') != std::string_view::npos;
  if ((body.front() == '0' && body.size() > 1) || sexagesimal) {
    if (text.size() > kConvertedIntegerLimit) return std::nullopt;
    if (sexagesimal) {
      digits = SexagesimalDigits(body);
    } else {
      const bool binary = body.starts_with("0b");
      const bool hexadecimal = body.starts_with("0x");
      body.remove_prefix(binary || hexadecimal ? 2 : 1);
      if (body.empty()) return std::nullopt;
      Limbs limbs;
      AppendDigits(limbs, body, binary ? 2 : hexadecimal ? 16 : 8);
      digits = limbs.Digits();
    }
  } else {
    digits = body;
  }
  return negative && digits != "0" ? "-" + digits : digits;
}

std::optional<double> FloatValue(std::string_view text) {
  const std::string plain = Lowered(WithoutUnderscores(text));
  std::string_view body = plain;
  const bool negative = body.starts_with('-');
  if (negative || body.starts_with('+')) body.remove_prefix(1);
  std::optional<double> value;
  if (body == ".inf") {
    value = std::numeric_limits<double>::infinity();
  } else if (body == ".nan") {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (body.find(':') != std::string_view::npos) {
    value = SexagesimalDouble(body);
  } else {
    value = PlainDouble(body);
  }
  if (value && negative) value = -*value;
  return value;
}

}  // namespace rangewise::format
