#include "base/hash.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/files.h"

namespace rangewise {
namespace {

std::string ToHex(XXH128_hash_t hash) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, hash);
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  hex.reserve(32);
  for (const unsigned char byte : canonical.digest) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

}  // namespace

uint64_t Hash64(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::string Hash128Hex(std::string_view bytes) {
  return ToHex(XXH3_128bits(bytes.data(), bytes.size()));
}

struct Hasher128::State {
  struct Free {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, Free> xxh{XXH3_createState()};
};

Hasher128::Hasher128() : state_(std::make_unique<State>()) {
  if (!state_->xxh) throw std::bad_alloc();
  XXH3_128bits_reset(state_->xxh.get());
}
Hasher128::~Hasher128() = default;
Hasher128::Hasher128(Hasher128&&) noexcept = default;
Hasher128& Hasher128::operator=(Hasher128&&) noexcept = default;

void Hasher128::Update(std::string_view bytes) {
  XXH3_128bits_update(state_->xxh.get(), bytes.data(), bytes.size());
}

std::string Hasher128::Hex() const { return ToHex(XXH3_128bits_digest(state_->xxh.get())); }

Result<Fingerprint> FingerprintFile(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(path));
  Hasher128 hasher;
  std::vector<char> buffer(std::min<uint64_t>(file.size(), uint64_t{1} << 20));
  for (uint64_t at = 0; at < file.size();) {
    const size_t length = static_cast<size_t>(std::min<uint64_t>(buffer.size(), file.size() - at));
    RETURN_IF_ERROR(file.ReadAt(at, buffer.data(), length));
    hasher.Update({buffer.data(), length});
    at += length;
  }
  return Fingerprint{file.size(), hasher.Hex()};
}

}  // namespace rangewise
