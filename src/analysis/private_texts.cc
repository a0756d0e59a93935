#include "analysis/private_texts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>

namespace rangewise::analysis {
namespace {

using model::RedactedKind;

bool IsAlnum(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool IsAlpha(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool IsSpace(char c) { return static_cast<unsigned char>(c) <= ' '; }
// Stands between words, and is no part of a path that is not quoted.
bool Separates(char c) {
  return IsSpace(c) || std::string_view("'\"`<>|,;()[]{}=").find(c) != std::string_view::npos;
}
bool IsOfAddress(char c) { return IsAlnum(c) || c == '.' || c == '_' || c == '-' || c == '+'; }

constexpr std::array<std::string_view, 30> kExtensions = {
    "bat", "bin", "c",     "cc",    "cfg", "cpp",  "cs",     "csv", "cu",       "exe",
    "go",  "h",   "ini",   "ipynb", "jl",  "json", "log",    "npz", "nsys-rep", "onnx",
    "pt",  "py",  "qdrep", "rs",    "sh",  "so",   "sqlite", "txt", "yaml",     "yml"};

bool HasExtension(std::string_view text) {
  const size_t dot = text.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return false;
  const std::string_view extension = text.substr(dot + 1);
  return std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end();
}

// `scheme://`
bool IsUrl(std::string_view text) {
  const size_t colon = text.find("://");
  return colon != std::string_view::npos && colon > 0 &&
         std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon),
                     [](char c) { return IsAlnum(c) || c == '+' || c == '-' || c == '.'; });
}

bool IsAbsolute(std::string_view text) {
  if (text.size() < 2) return false;
  if (text.starts_with("//")) return text.size() > 2 && IsAlnum(text[2]);  // a share
  if (text[0] == '/') return IsAlnum(text[1]) || text[1] == '_' || text[1] == '.' || text[1] == '~';
  if (text[0] == '~')
    return text[1] == '/' || (IsAlpha(text[1]) && text.find('/') != std::string_view::npos);
  if (text.starts_with("\\\\"))
    return text.size() > 3 && IsAlnum(text[2]) && text.find('\\', 3) != std::string_view::npos;
  return text.size() > 3 && IsAlpha(text[0]) && text[1] == ':' &&
         (text[2] == '\\' || text[2] == '/') && text[3] != '/';
}

// What ends a sentence is no part of the path before it.
std::string_view WithoutEnd(std::string_view text) {
  while (!text.empty() && std::string_view(".:!?").find(text.back()) != std::string_view::npos) {
    text.remove_suffix(1);
  }
  return text;
}

// The '@' of `user@host`.
std::optional<size_t> AtOfAddress(std::string_view text) {
  const size_t at = text.find('@');
  if (at == std::string_view::npos || at == 0 || at + 1 == text.size()) return std::nullopt;
  if (text.find('@', at + 1) != std::string_view::npos) return std::nullopt;
  return at;
}

bool IsHex(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }

// How much of `text` has the form, in which h stands for hex digits and all else for itself; 0:
// nothing.
size_t LengthOfForm(std::string_view text, std::string_view form) {
  if (text.size() < form.size()) return 0;
  for (size_t i = 0; i < form.size(); ++i) {
    if (form[i] == 'h' ? !IsHex(text[i]) : text[i] != form[i]) return 0;
  }
  const bool ends = text.size() == form.size() || !IsAlnum(text[form.size()]);
  return ends ? form.size() : 0;
}

// UUIDs, with what nvidia-smi writes before them, and PCI addresses with their domain.
bool FindDevice(std::string_view text, size_t begin, std::string_view word,
                const FoundPiece& found) {
  constexpr std::array<std::string_view, 5> kForms = {
      "GPU-hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh", "MIG-hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh",
      "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh", "hhhhhhhh:hh:hh.h", "hhhh:hh:hh.h"};
  bool any = false;
  for (size_t i = 0; i < word.size(); ++i) {
    if (!IsAlnum(word[i]) || (begin + i > 0 && IsAlnum(text[begin + i - 1]))) continue;
    for (const std::string_view form : kForms) {
      const size_t length = LengthOfForm(word.substr(i), form);
      if (length == 0) continue;
      found(RedactedKind::kId, begin + i, length);
      any = true;
      i += length - 1;
      break;
    }
  }
  return any;
}

// `10.1.2.3`, also with a port. Versions begin with a year, or have fewer numbers.
bool IsAddressOfFour(std::string_view word) {
  if (const size_t port = word.find(':'); port != std::string_view::npos)
    word = word.substr(0, port);
  int numbers = 0;
  for (size_t i = 0; i < word.size();) {
    int number = 0;
    const size_t begin = i;
    for (; i < word.size() && word[i] >= '0' && word[i] <= '9' && i - begin < 4; ++i)
      number = number * 10 + (word[i] - '0');
    if (i == begin || number > 255) return false;
    ++numbers;
    if (i == word.size()) break;
    if (word[i++] != '.' || i == word.size()) return false;
  }
  return numbers == 4;
}

// `fe80::1`. Names of C++ have letters beyond f, or no second part with a digit.
bool IsAddressOfSix(std::string_view word) {
  const bool is_hex = std::all_of(word.begin(), word.end(), [](char c) {
    return c == ':' || std::isxdigit(static_cast<unsigned char>(c)) != 0;
  });
  const auto colons = std::count(word.begin(), word.end(), ':');
  if (!is_hex || colons < 2 || (word.find("::") == std::string_view::npos && colons != 7))
    return false;
  int with_digit = 0;
  size_t length = 0;
  bool digit = false;
  for (const char c : std::string(word) + ":") {
    if (c != ':') {
      digit |= c >= '0' && c <= '9';
      if (++length > 4) return false;
      continue;
    }
    with_digit += digit ? 1 : 0;
    length = 0;
    digit = false;
  }
  return with_digit >= 2;
}

// One word of a text.
void FindInWord(std::string_view text, size_t begin, size_t end, const FoundPiece& found) {
  const std::string_view word = WithoutEnd(text.substr(begin, end - begin));
  if (IsPath(word)) return found(RedactedKind::kPath, begin, word.size());
  // A path behind a flag or a label: `-I/usr/include`, `file:/home/a`.
  for (size_t i = 1; i + 1 < word.size(); ++i) {
    const bool begins =
        (word[i] == '/' && (word[i - 1] == ':' || (word[0] == '-' && IsAlpha(word[i - 1])))) ||
        (word[i] == '~' && word[i - 1] == ':');
    if (begins && IsAbsolute(word.substr(i)))
      return found(RedactedKind::kPath, begin + i, word.size() - i);
  }
  if (FindDevice(text, begin, word, found)) return;
  if (IsAddressOfFour(word) || IsAddressOfSix(word))
    return found(RedactedKind::kHost, begin, word.size());
  const std::optional<size_t> at = AtOfAddress(word);
  if (!at) return;
  size_t first = *at;
  size_t last = *at + 1;
  while (first > 0 && IsOfAddress(word[first - 1])) --first;
  while (last < word.size() && IsOfAddress(word[last])) ++last;
  if (first == *at || last == *at + 1) return;
  found(RedactedKind::kUser, begin + first, *at - first);
  found(RedactedKind::kHost, begin + *at + 1, last - *at - 1);
}

// `my run/trace.nsys-rep`, where the quotes tell how far it goes.
bool IsQuotedFile(std::string_view inside) {
  return std::any_of(inside.begin(), inside.end(), IsSpace) && !IsAbsolute(inside) &&
         inside.find_first_of("/\\") != std::string_view::npos && HasExtension(inside);
}

}  // namespace

bool IsNameOfRun(std::string_view text) {
  constexpr std::array<std::string_view, 7> kNames = {
      "manifest.yaml", "trace.nsys-rep", "trace.sqlite",  "analysis.json",
      "source.json",   "stats",          "stats/official"};
  if (text.ends_with('/')) text.remove_suffix(1);
  if (std::find(kNames.begin(), kNames.end(), text) != kNames.end()) return true;
  const auto is_plain = [](std::string_view name) {
    return name.find_first_of("/\\") == std::string_view::npos;
  };
  if (text.starts_with("docs/")) return is_plain(text.substr(5)) && text.ends_with(".md");
  if (text.starts_with("stats/")) text.remove_prefix(6);
  if (text.starts_with("official/")) text.remove_prefix(9);
  if (text == "source.json") return true;
  constexpr std::array<std::string_view, 4> kReports = {
      "nsys_nvtx_pushpop_trace.csv", "nsys_nvtx_gpu_proj_trace.csv", "nsys_cuda_gpu_kern_sum.csv",
      "nsys_cuda_gpu_trace.csv"};
  return std::find(kReports.begin(), kReports.end(), text) != kReports.end();
}

bool IsPath(std::string_view text) {
  if (IsNameOfRun(text)) return false;
  if (IsAbsolute(text) || IsUrl(text)) return true;
  if (text.starts_with("./") || text.starts_with("../")) return text.size() > 3;
  if (std::any_of(text.begin(), text.end(), IsSpace)) return false;
  const size_t slash = text.find_first_of("/\\");
  return slash != std::string_view::npos && slash > 0 && HasExtension(text);
}

void FindPrivate(std::string_view text, const FoundPiece& found) {
  for (size_t i = 0; i < text.size();) {
    if (Separates(text[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < text.size() && !Separates(text[end])) ++end;
    // A quoted path can have spaces.
    if (i > 0 && (text[i - 1] == '\'' || text[i - 1] == '"')) {
      const size_t quote = text.find(text[i - 1], i);
      const std::string_view inside = text.substr(i, quote - i);
      if (quote != std::string_view::npos && IsQuotedFile(inside)) {
        found(RedactedKind::kPath, i, inside.size());
        i = quote;
        continue;
      }
      if (quote != std::string_view::npos && IsAbsolute(inside)) end = quote;
    }
    FindInWord(text, i, end, found);
    i = end;
  }
}

std::optional<std::string_view> UserOfPath(std::string_view path) {
  for (const std::string_view home : {"/home/", "/Users/", "\\Users\\", "/users/"}) {
    const size_t at = path.find(home);
    if (at == std::string_view::npos) continue;
    const size_t begin = at + home.size();
    const size_t end = std::min(path.find_first_of("/\\", begin), path.size());
    if (end > begin) return path.substr(begin, end - begin);
  }
  return std::nullopt;
}

std::optional<std::string_view> TellingNameOf(std::string_view path) {
  while (path.ends_with('/') || path.ends_with('\\')) path.remove_suffix(1);
  const size_t slash = path.find_last_of("/\\");
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  const auto is_letter = [](char c) { return IsAlpha(c) || static_cast<unsigned char>(c) >= 0x80; };
  const bool is_plain =
      std::all_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  if (name.size() < 4 || is_plain || std::count_if(name.begin(), name.end(), is_letter) < 3)
    return std::nullopt;
  if (IsNameOfRun(name)) return std::nullopt;
  return name;
}

std::optional<RedactedKind> KindOfKey(std::string_view key) {
  std::string lower;
  for (const char c : key) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto has = [&](std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
      return lower.find(word) != std::string::npos;
    });
  };
  if (has({"command", "cmd", "argv"}) || lower == "args") return RedactedKind::kCommand;
  if (has({"path", "folder", "directory", "filename", "uri", "url"}) || lower == "dir" ||
      lower == "file" || lower == "root" || lower.ends_with("_dir") || lower.ends_with("_file") ||
      lower.ends_with("_root")) {
    return RedactedKind::kPath;
  }
  if (has({"host", "machine"}) || lower == "ip" || lower.ends_with("_ip") || lower == "node" ||
      lower.ends_with("_node"))
    return RedactedKind::kHost;
  if (has({"user", "owner", "author", "email"})) return RedactedKind::kUser;
  if (lower == "id" || lower == "ids" || lower.ends_with("_id") || lower.ends_with("_ids") ||
      has({"uuid", "serial", "ids_digest"})) {
    return RedactedKind::kId;
  }
  return std::nullopt;
}

}  // namespace rangewise::analysis
