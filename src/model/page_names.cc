#include "model/page_names.h"

#include <algorithm>
#include <cstdint>

#include "base/text.h"
#include "model/page_limits.h"

namespace rangewise::model {
namespace {

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0u) == 0x80; }

// The byte behind the first `count` characters.
size_t EndOfFirst(std::string_view text, size_t count) {
  size_t at = 0;
  while (at < text.size()) {
    if (!IsContinuation(text[at]) && count-- == 0) return at;
    ++at;
  }
  return at;
}

// The byte where the last `count` characters begin.
size_t BeginOfLast(std::string_view text, size_t count) {
  size_t at = text.size();
  while (at > 0 && count > 0) {
    --at;
    if (!IsContinuation(text[at])) --count;
  }
  return at;
}

// Pieces of a name that are joined; `bytes` counts all of them.
class Ends {
 public:
  Ends(size_t most, std::string_view separator) : most_(most), separator_(separator) {}

  // `piece_at(i)` gives the i-th of `count` pieces. Only as many as the ends need are read.
  template <typename PieceAt>
  std::string Joined(size_t count, size_t bytes, PieceAt piece_at) const {
    const size_t most_bytes = most_ * 4;  // of UTF-8
    std::string head;
    size_t front = 0;
    while (front < count && head.size() <= most_bytes) {
      if (front > 0) head += separator_;
      head += piece_at(front++).substr(0, most_bytes + 4);
    }
    if (front == count && head.size() == bytes && bytes <= most_bytes)
      return ShownText(head, most_);
    std::string tail;
    size_t back = count;
    while (back > 0 && tail.size() <= most_bytes) {
      const std::string_view piece = piece_at(--back);
      std::string more(piece.substr(piece.size() - std::min(piece.size(), most_bytes + 4)));
      if (!tail.empty()) more += separator_;
      tail.insert(0, more);
    }
    return Cut(head, tail, bytes);
  }

  std::string Cut(std::string_view head, std::string_view tail, size_t bytes) const {
    // Continuation bytes whose character was cut off.
    while (!tail.empty() && IsContinuation(tail.front())) tail.remove_prefix(1);
    const size_t last = most_ / 4;
    const size_t first = most_ - last;
    const std::string safe_head = Neutralised(head.substr(0, EndOfFirst(head, first)));
    const std::string safe_tail = Neutralised(tail.substr(BeginOfLast(tail, last)));
    return Format("{}… [{} bytes in all] …{}",
                  std::string_view(safe_head).substr(0, EndOfFirst(safe_head, first)),
                  Grouped(static_cast<int64_t>(bytes)),
                  std::string_view(safe_tail).substr(BeginOfLast(safe_tail, last)));
  }

 private:
  size_t most_;
  std::string_view separator_;
};

std::string OrNoName(std::string shown) {
  return shown.find_first_not_of(' ') == std::string::npos ? "(no name)" : shown;
}

}  // namespace

std::string ShownText(std::string_view text, size_t most) {
  // In terminal form a character takes at most ten others, and none gets shorter.
  if (text.size() <= most * 4) {
    std::string safe = Neutralised(text);
    if (EndOfFirst(safe, most) == safe.size()) return safe;
  }
  return Ends(most, "").Cut(text.substr(0, most * 4),
                            text.substr(text.size() - std::min(text.size(), most * 4)),
                            text.size());
}

std::string ShownName(std::string_view name) {
  return OrNoName(ShownText(name, kMostNameCharacters));
}

std::string ShownPath(const std::vector<PathNode>& paths, const NamePool& names, ScopePath path) {
  std::vector<NameId> steps;  // from the innermost outwards
  size_t bytes = 0;
  for (; path != kRootPath; path = paths[path].parent) {
    steps.push_back(paths[path].name);
    bytes += names.At(paths[path].name).size() + 1;
  }
  return OrNoName(
      Ends(kMostNameCharacters, ".").Joined(steps.size(), bytes > 0 ? bytes - 1 : 0, [&](size_t i) {
        return names.At(steps[steps.size() - 1 - i]);
      }));
}

std::string ShownRangePath(const RangePath& path) {
  size_t bytes = 0;
  for (const std::string& name : path) bytes += name.size() + 3;
  return OrNoName(Ends(kMostNameCharacters, " > ")
                      .Joined(path.size(), bytes > 0 ? bytes - 3 : 0,
                              [&](size_t i) { return std::string_view(path[i]); }));
}

}  // namespace rangewise::model
