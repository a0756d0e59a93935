// Owns a keyed hash (libnettle, included nowhere else): HMAC-SHA256 (RFC 2104, FIPS 180-4), from
// which nobody without the key tells what was hashed, or whether a guess is right.
#pragma once

#include <string>
#include <string_view>

namespace rangewise {

// The 64 lower-case hex digits of HMAC-SHA256 of `bytes`. With an empty key, which everybody has,
// guesses can be tried.
std::string KeyedHashHex(std::string_view key, std::string_view bytes);

}  // namespace rangewise
