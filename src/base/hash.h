// Owns hashing (xxHash, included nowhere else): XXH3 of 128 bits, written as 32 lower-case hex
// digits, ties results to inputs; XXH3 of 64 bits serves hash tables. Neither is a defence against
// an adversary.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace rangewise {

uint64_t Hash64(std::string_view bytes);

// XXH3-128 of `bytes` in hex (canonical big-endian form, as `xxh128sum` prints it).
std::string Hash128Hex(std::string_view bytes);

// XXH3-128 over pieces.
class Hasher128 {
 public:
  Hasher128();
  ~Hasher128();
  Hasher128(Hasher128&&) noexcept;
  Hasher128& operator=(Hasher128&&) noexcept;
  void Update(std::string_view bytes);
  std::string Hex() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// What a file held: its size and XXH3-128.
struct Fingerprint {
  uint64_t size_bytes = 0;
  std::string xxh3_128;
  bool operator==(const Fingerprint&) const = default;
};

// The fingerprint of the file at `path`, read once from start to end.
Result<Fingerprint> FingerprintFile(const std::filesystem::path& path);

}  // namespace rangewise
