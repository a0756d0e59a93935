// Owns a small hash table from 64-bit integers to 32-bit indexes, for ids that come from inputs. Open
// addressing, no removal. Not a defence against chosen keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rangewise {

class IntMap {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  // The index stored for `key`, or kNone.
  uint32_t Find(int64_t key) const {
    if (slots_.empty()) return kNone;
    for (size_t at = Start(key);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].index == kNone || slots_[at].key == key) return slots_[at].index;
    }
  }

  // The index stored for `key`; `fresh` is stored first when there is none.
  uint32_t FindOrAdd(int64_t key, uint32_t fresh) {
    if ((used_ + 1) * 4 > slots_.size() * 3) Grow();
    size_t at = Start(key);
    while (slots_[at].index != kNone && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    if (slots_[at].index == kNone) {
      slots_[at] = {key, fresh};
      ++used_;
    }
    return slots_[at].index;
  }

  size_t size() const { return used_; }

 private:
  struct Slot {
    int64_t key = 0;
    uint32_t index = kNone;
  };
  // Fibonacci hashing: the high bits of the product depend on all bits of the key.
  size_t Start(int64_t key) const {
    return (static_cast<uint64_t>(key) * 0x9E3779B97F4A7C15u >> 32) & (slots_.size() - 1);
  }
  void Grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.index == kNone) continue;
      size_t at = Start(slot.key);
      while (slots_[at].index != kNone) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }
  std::vector<Slot> slots_;
  size_t used_ = 0;
};

}  // namespace rangewise
