#include "ingest/cuda_calls.h"

#include <algorithm>
#include <array>

namespace rangewise::ingest {
namespace {

bool Contains(std::string_view name, std::string_view part) { return name.find(part) != std::string_view::npos; }

// Beginnings of a call's name after `cuda` or `cu`.
constexpr std::array<std::string_view, 22> kMemoryCalls = {
    "Malloc",     "Free",          "HostAlloc",  "HostRegister", "HostUnregister",    "HostFree",
    "MemAlloc",   "MemFree",       "MemHost",    "MemCreate",    "MemRelease",        "MemMap",
    "MemUnmap",   "MemAddress",    "MemSetAccess", "MemPool",    "MemExport",         "MemImport",
    "ArrayCreate", "ArrayDestroy", "ArrayAlloc", "IpcOpenMem"};

}  // namespace

model::CallClass ClassifyCall(std::string_view name) {
  using model::CallClass;
  if (!name.starts_with("cu")) return CallClass::kOther;
  if (Contains(name, "Synchronize")) return CallClass::kSynchronising;
  name.remove_prefix(name.starts_with("cuda") ? 4 : 2);
  const bool copies = name.starts_with("Memcpy");
  if (copies && !Contains(name, "Async")) return CallClass::kSynchronising;
  if (copies || name.starts_with("Memset") || name.starts_with("MemPrefetch") || name.starts_with("Launch") ||
      name.starts_with("GraphLaunch")) {
    return CallClass::kLaunching;
  }
  const bool memory = std::any_of(kMemoryCalls.begin(), kMemoryCalls.end(),
                                  [&](std::string_view start) { return name.starts_with(start); });
  return memory ? CallClass::kMemory : CallClass::kOther;
}

}  // namespace rangewise::ingest
