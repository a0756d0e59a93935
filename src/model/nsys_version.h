// Owns the version of Nsight Systems and what follows from it: which families our facts rest on,
// and whether names in its tables carry their domain.
#pragma once

#include <compare>
#include <optional>
#include <string_view>

namespace rangewise::model {

struct NsysVersion {
  int year = 0;
  int minor = 0;
  int patch = 0;
  auto operator<=>(const NsysVersion&) const = default;

  // 2023.2 to 2026.3: the versions whose output our description of the reports rests on.
  bool validated() const;
  // From 2024.4 on, tables speak the newer dialect: names are "domain:name".
  bool names_carry_domains() const;
};

// The first `YYYY.N[.P]` in what `nsys --version` prints or in an export's metadata
// ("NVIDIA Nsight Systems version 2025.1.3.140-251335620677v0").
std::optional<NsysVersion> ParseNsysVersion(std::string_view text);

}  // namespace rangewise::model
