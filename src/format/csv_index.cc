#include "format/csv_index.h"

#include <bit>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace rangewise::format {
namespace {

// Bit i of a mask speaks of byte i of a block of 64.
struct Block {
  uint64_t comma;
  uint64_t newline;
  uint64_t quote;
};

#if defined(__SSE2__)

uint64_t Equal(const __m128i bytes[4], char wanted) {
  const __m128i pattern = _mm_set1_epi8(wanted);
  uint64_t mask = 0;
  for (int i = 0; i < 4; ++i) {
    const auto part = static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes[i], pattern)));
    mask |= static_cast<uint64_t>(part) << (16 * i);
  }
  return mask;
}

Block Classify(const char* at) {
  __m128i bytes[4];
  for (int i = 0; i < 4; ++i) {
    bytes[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 16 * i));
  }
  return {Equal(bytes, ','), Equal(bytes, '\n'), Equal(bytes, '"')};
}

uint64_t CarriageReturns(const char* at) {
  __m128i bytes[4];
  for (int i = 0; i < 4; ++i) {
    bytes[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 16 * i));
  }
  return Equal(bytes, '\r');
}

#else

// Eight bytes at a time: the exact zero-byte test (no carry between bytes), then a multiplication
// that gathers the eight top bits into one byte.
uint64_t Equal(const char* at, char wanted) {
  constexpr uint64_t kLow = 0x7f7f7f7f7f7f7f7f;
  const uint64_t pattern = 0x0101010101010101 * static_cast<unsigned char>(wanted);
  uint64_t mask = 0;
  for (int i = 0; i < 8; ++i) {
    uint64_t word = 0;
    std::memcpy(&word, at + 8 * i, 8);
    if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
    word ^= pattern;
    const uint64_t zero = ~(((word & kLow) + kLow) | word | kLow) >> 7;
    mask |= ((zero * 0x0102040810204080) >> 56) << (8 * i);
  }
  return mask;
}

Block Classify(const char* at) { return {Equal(at, ','), Equal(at, '\n'), Equal(at, '"')}; }
uint64_t CarriageReturns(const char* at) { return Equal(at, '\r'); }

#endif

// std::popcount, without the library call that x86-64 makes of it below its second level.
size_t CountBits(uint64_t bits) {
#if defined(__x86_64__) && !defined(__POPCNT__)
  bits -= (bits >> 1) & 0x5555555555555555;
  bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333);
  bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return static_cast<size_t>((bits * 0x0101010101010101) >> 56);
#else
  return static_cast<size_t>(std::popcount(bits));
#endif
}

// Bit i of the result is the exclusive-or of bits 0 to i.
uint64_t PrefixXor(uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

// What the block before hands on.
struct Carry {
  bool in_quotes = false;
  bool closed = false;   // its last byte was a closing quote
  bool return_ = false;  // its last byte was a CR after a closing quote
  bool any() const { return in_quotes || closed || return_; }
};

// Takes what lies within quotes out of `comma` and `newline`. Returns whether every quote proved to
// be regular: one that opens stands after a separator or a quote that closed (then the two are a
// doubled quote), and after one that closes comes a separator, CR LF or a quote.
bool ApplyQuotes(const char* at, bool at_begin, Block& block, Carry& carry) {
  const uint64_t inside = PrefixXor(block.quote) ^ (carry.in_quotes ? ~uint64_t{0} : 0);
  const uint64_t opening = block.quote & inside;
  const uint64_t closing = block.quote & ~inside;
  const uint64_t separators = block.comma | block.newline;

  const bool may_open_first = at_begin || at[-1] == ',' || at[-1] == '\n' || at[-1] == '"';
  const uint64_t may_open = ((separators | block.quote) << 1) | (may_open_first ? 1 : 0);
  uint64_t bad = opening & ~may_open;

  const uint64_t after_closing = (closing << 1) | (carry.closed ? 1 : 0);
  const uint64_t returns = after_closing & CarriageReturns(at);
  bad |= after_closing & ~(separators | block.quote | returns);
  const uint64_t after_return = (returns << 1) | (carry.return_ ? 1 : 0);
  bad |= after_return & ~block.newline;

  carry = {(inside >> 63) != 0, (closing >> 63) != 0, (returns >> 63) != 0};
  block.comma &= ~inside;
  block.newline &= ~inside;
  return bad == 0;
}

}  // namespace

std::optional<size_t> IndexPiece(std::string_view piece, size_t columns, uint32_t* ends) {
  const char* const base = piece.data();
  uint32_t* out = ends;
  size_t newlines = 0;
  Carry carry;
  for (size_t begin = 0; begin < piece.size(); begin += 64) {
    Block block = Classify(base + begin);
    if (block.quote != 0 || carry.any()) [[unlikely]] {
      if (!ApplyQuotes(base + begin, begin == 0, block, carry)) return std::nullopt;
    }
    newlines += CountBits(block.newline);
    uint64_t separators = block.comma | block.newline;
    uint32_t* const next = out + CountBits(separators);
    // Eight at a time without a branch for each: what is written beyond `next` is overwritten by
    // the next block.
    while (separators != 0) {
      for (int i = 0; i < 8; ++i) {
        out[i] = static_cast<uint32_t>(begin) + static_cast<uint32_t>(std::countr_zero(separators));
        separators &= separators - 1;
      }
      out += 8;
    }
    out = next;
  }

  // Every record is regular when each `columns`-th separator is a line end and there are no others.
  const auto count = static_cast<size_t>(out - ends);
  if (carry.in_quotes || count != newlines * columns) return std::nullopt;
  for (size_t record = 0; record < newlines; ++record) {
    if (base[ends[record * columns + columns - 1]] != '\n') return std::nullopt;
  }
  // With a single column a blank line looks like a record.
  if (columns == 1) {
    for (size_t record = 0; record < newlines; ++record) {
      const uint32_t begin = record == 0 ? 0 : ends[record - 1] + 1;
      const uint32_t length = ends[record] - begin;
      if (length == 0 || (length == 1 && base[begin] == '\r')) return std::nullopt;
    }
  }
  return newlines;
}

bool HasOddQuotes(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  unsigned odd = 0;
#if defined(__SSE2__)
  __m128i sum = _mm_setzero_si128();
  const __m128i pattern = _mm_set1_epi8('"');
  for (; end - at >= 64; at += 64) {
    for (int i = 0; i < 4; ++i) {
      sum = _mm_xor_si128(
          sum,
          _mm_cmpeq_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 16 * i)), pattern));
    }
  }
  odd = static_cast<unsigned>(std::popcount(static_cast<unsigned>(_mm_movemask_epi8(sum))));
#endif
  for (; at < end; ++at) odd += *at == '"' ? 1 : 0;
  return odd % 2 == 1;
}

}  // namespace rangewise::format
