// Owns interned byte strings: each distinct name is kept once, and a NameId of 32 bits stands for
// it. Ids depend on the order of interning and mean nothing in any output: whoever sorts, sorts by
// text.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace rangewise::model {

enum class NameId : uint32_t {};
inline constexpr NameId kNoName{UINT32_MAX};

class NamePool {
 public:
  NamePool();
  NamePool(NamePool&&) noexcept;
  NamePool& operator=(NamePool&&) noexcept;
  ~NamePool();

  // The id of `name`, new or not. Amortised O(length). The bytes are copied.
  NameId Intern(std::string_view name);
  // As Intern, without adding; kNoName when it is not there.
  NameId Find(std::string_view name) const;
  // Stays valid as long as the pool, also after further Intern calls.
  std::string_view At(NameId id) const { return names_[static_cast<uint32_t>(id)]; }
  size_t size() const { return names_.size(); }

 private:
  struct Slot {
    uint32_t hash = 0;
    uint32_t id = UINT32_MAX;
  };
  void Grow();
  std::string_view Keep(std::string_view bytes);
  std::vector<std::string_view> names_;
  std::vector<Slot> slots_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  size_t block_used_ = 0;
  size_t block_size_ = 0;
};

}  // namespace rangewise::model
