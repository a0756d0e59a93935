#include "model/names.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/hash.h"
#include "base/text.h"

namespace rangewise::model {
namespace {

constexpr size_t kFirstSlots = 64;  // a power of two
constexpr size_t kFirstBlock = size_t{4} << 10;
constexpr size_t kLargestBlock = size_t{1} << 20;

// The slot to start at comes from the low bits, the stored tag from the high ones, so that
// neighbours in the table still differ in their tags.
uint32_t Tag(uint64_t hash) { return static_cast<uint32_t>(hash >> 32); }

}  // namespace

NamePool::NamePool() : slots_(kFirstSlots) {}
NamePool::NamePool(NamePool&&) noexcept = default;
NamePool& NamePool::operator=(NamePool&&) noexcept = default;
NamePool::~NamePool() = default;

RangeName SplitRangeName(std::string_view full) {
  const size_t colon = full.find(':');
  if (colon == 0) return {full.substr(1), kDefaultDomain};
  if (colon > INT32_MAX) return {full, kUnknownDomain};  // also where there is none
  return {full, static_cast<DomainLength>(colon)};
}

RangeName DisplayForm(const RangeName& raw, std::string& kept) {
  if (IsUtf8(raw.text)) return raw;
  kept = Displayable(raw.text);
  RangeName shown{kept, raw.domain};
  // What stands for a byte holds no ':', so the domain still ends at the first one.
  if (raw.domain >= 0) shown.domain = SplitRangeName(kept).domain;
  return shown;
}

size_t NamePool::SlotOf(std::string_view name, DomainLength domain, uint64_t hash) const {
  const size_t mask = slots_.size() - 1;
  size_t at = hash & mask;
  for (; slots_[at].id != UINT32_MAX; at = (at + 1) & mask) {
    const uint32_t id = slots_[at].id;
    if (slots_[at].hash == Tag(hash) && names_[id] == name && domains_[id] == domain) break;
  }
  return at;
}

NameId NamePool::Intern(std::string_view name, DomainLength domain) {
  const uint64_t hash = Hash64(name);
  // A pool that was moved from has no slots left and starts anew.
  if (slots_.empty()) slots_.resize(kFirstSlots);
  const size_t slot = SlotOf(name, domain, hash);
  if (slots_[slot].id != UINT32_MAX) return NameId{slots_[slot].id};
  const auto id = static_cast<uint32_t>(names_.size());
  names_.push_back(Keep(name));
  domains_.push_back(domain);
  slots_[slot] = {Tag(hash), id};
  if (names_.size() * 4 > slots_.size() * 3) Grow();
  return NameId{id};
}

NameId NamePool::Find(std::string_view name, DomainLength domain) const {
  if (slots_.empty()) return kNoName;
  const uint32_t id = slots_[SlotOf(name, domain, Hash64(name))].id;
  return id == UINT32_MAX ? kNoName : NameId{id};
}

std::optional<std::string_view> NamePool::Domain(NameId id) const {
  const DomainLength domain = DomainAt(id);
  if (domain == kUnknownDomain) return std::nullopt;
  if (domain == kDefaultDomain) return std::string_view();
  return At(id).substr(0, static_cast<size_t>(domain));
}

void NamePool::Grow() {
  std::vector<Slot> larger(slots_.size() * 2);
  const size_t mask = larger.size() - 1;
  // The low bits of the hash are not stored, so names are hashed again: each about once over the
  // pool's life.
  for (uint32_t id = 0; id < names_.size(); ++id) {
    const uint64_t hash = Hash64(names_[id]);
    size_t at = hash & mask;
    while (larger[at].id != UINT32_MAX) at = (at + 1) & mask;
    larger[at] = {Tag(hash), id};
  }
  slots_ = std::move(larger);
}

std::string_view NamePool::Keep(std::string_view bytes) {
  if (bytes.empty()) return {};
  if (blocks_.empty()) block_size_ = block_used_ = 0;
  if (block_size_ - block_used_ < bytes.size()) {
    // Blocks double up to a limit, so that small pools stay small and large ones waste little.
    const size_t next = std::clamp(block_size_ * 2, kFirstBlock, kLargestBlock);
    if (bytes.size() > next / 4) {
      // A long name gets a block of its own, put below the current one, whose rest stays in use.
      auto own = std::make_unique_for_overwrite<char[]>(bytes.size());
      std::memcpy(own.get(), bytes.data(), bytes.size());
      const std::string_view kept(own.get(), bytes.size());
      blocks_.insert(blocks_.empty() ? blocks_.end() : blocks_.end() - 1, std::move(own));
      return kept;
    }
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(next));
    block_size_ = next;
    block_used_ = 0;
  }
  char* place = blocks_.back().get() + block_used_;
  std::memcpy(place, bytes.data(), bytes.size());
  block_used_ += bytes.size();
  return {place, bytes.size()};
}

}  // namespace rangewise::model
