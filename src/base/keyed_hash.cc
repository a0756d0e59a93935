#include "base/keyed_hash.h"

#include <nettle/hmac.h>

#include <array>
#include <cstdint>

namespace rangewise {
namespace {

const uint8_t* BytesOf(std::string_view text) {
  return reinterpret_cast<const uint8_t*>(text.data());
}

}  // namespace

std::string KeyedHashHex(std::string_view key, std::string_view bytes) {
  hmac_sha256_ctx context;
  hmac_sha256_set_key(&context, key.size(), BytesOf(key));
  hmac_sha256_update(&context, bytes.size(), BytesOf(bytes));
  std::array<uint8_t, SHA256_DIGEST_SIZE> digest{};
  hmac_sha256_digest(&context, digest.size(), digest.data());
  std::string hex;
  for (const uint8_t byte : digest) {
    constexpr const char* kDigits = "0123456789abcdef";
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

}  // namespace rangewise
