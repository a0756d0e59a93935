// Owns interned byte strings: each distinct name is kept once, and a NameId of 32 bits stands for
// it. Ids depend on the order of interning and mean nothing in any output: whoever sorts, sorts by
// text, then domain. A name of an NVTX range carries its domain: two names of one text and
// different domains are two ids.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rangewise::model {

enum class NameId : uint32_t {};
inline constexpr NameId kNoName{UINT32_MAX};

// The NVTX domain of a name: how many bytes at the head of the text are the domain's name, or one of
// the two below. `aten:mul` of the domain `aten` has 4; the ':' and the rest are the message.
using DomainLength = int32_t;
inline constexpr DomainLength kDefaultDomain = -1;
inline constexpr DomainLength kUnknownDomain = -2;  // not recorded, or no range's name at all

// A range's name as nsys 2024.4 and later print it, `domain:message`, taken apart at its first ':'.
// Without a domain it begins with ':', which `text` lacks. A domain whose own name holds a ':' is
// cut there: the tables do not tell the two apart, and rows from the export shall not differ.
struct RangeName {
  std::string_view text;
  DomainLength domain = kUnknownDomain;
};
RangeName SplitRangeName(std::string_view full);
// `raw` in display form (base/text.h), whose text is then `raw`'s or lies in `kept`.
RangeName DisplayForm(const RangeName& raw, std::string& kept);

class NamePool {
 public:
  NamePool();
  NamePool(NamePool&&) noexcept;
  NamePool& operator=(NamePool&&) noexcept;
  ~NamePool();

  // The id of `name`, new or not. Amortised O(length). The bytes are copied.
  NameId Intern(std::string_view name, DomainLength domain = kUnknownDomain);
  // As Intern, without adding; kNoName when it is not there.
  NameId Find(std::string_view name, DomainLength domain = kUnknownDomain) const;
  // Stays valid as long as the pool, also after further Intern calls.
  std::string_view At(NameId id) const { return names_[static_cast<uint32_t>(id)]; }
  DomainLength DomainAt(NameId id) const { return domains_[static_cast<uint32_t>(id)]; }
  // The domain's name, empty for the default domain; nothing when it is unknown.
  std::optional<std::string_view> Domain(NameId id) const;
  size_t size() const { return names_.size(); }

 private:
  struct Slot {
    uint32_t hash = 0;
    uint32_t id = UINT32_MAX;
  };
  size_t SlotOf(std::string_view name, DomainLength domain, uint64_t hash) const;
  void Grow();
  std::string_view Keep(std::string_view bytes);
  std::vector<std::string_view> names_;
  std::vector<DomainLength> domains_;  // by id
  std::vector<Slot> slots_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  size_t block_used_ = 0;
  size_t block_size_ = 0;
};

}  // namespace rangewise::model
