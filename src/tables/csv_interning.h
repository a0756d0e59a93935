// Owns names and threads while several workers read tables at once: shared tables under a lock, and
// in front of them a cache for each worker, so that a lock is taken once per worker and distinct
// name.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/names.h"
#include "model/rows.h"

namespace rangewise::tables {

class SharedInterning {
 public:
  struct Known {
    model::NameId id{};
    std::string_view display;  // lives as long as the pool
  };
  // The id of the display form of `raw`.
  Known Name(const model::RangeName& raw);
  uint32_t Thread(const model::ThreadKey& key);

  // After reading, from one thread.
  model::NamePool& names() { return names_; }
  bool any_invalid() const { return any_invalid_; }
  // Whether the name came from bytes that are not UTF-8.
  bool IsInvalid(model::NameId id) const { return invalid_[static_cast<uint32_t>(id)]; }
  // The threads in ascending order, and what each index of Thread() became among them.
  std::vector<model::ThreadKey> SortedThreads(std::vector<uint32_t>& renumbered) const;

 private:
  std::mutex mutex_;
  model::NamePool names_;
  std::vector<bool> invalid_;  // by id
  bool any_invalid_ = false;
  std::map<model::ThreadKey, uint32_t> threads_;
};

class WorkerInterning {
 public:
  explicit WorkerInterning(SharedInterning& shared) : shared_(shared), slots_(kFirstSlots) {}

  model::NameId Name(const model::RangeName& raw);
  // A name that is no range's.
  model::NameId Name(std::string_view raw) { return Name(model::RangeName{raw}); }
  uint32_t Thread(const model::ThreadKey& key) {
    if (key == last_key_ && has_last_) return last_thread_;
    return OtherThread(key);
  }

 private:
  static constexpr size_t kFirstSlots = 256;
  struct Slot {
    uint32_t hash = 0;
    model::NameId id = model::kNoName;
    model::RangeName raw;
  };
  struct KeyHash {
    size_t operator()(const model::ThreadKey& key) const {
      return static_cast<size_t>(key.process_id) * 0x9e3779b97f4a7c15 ^
             static_cast<size_t>(key.thread_id);
    }
  };
  uint32_t OtherThread(const model::ThreadKey& key);
  void Grow();

  SharedInterning& shared_;
  std::vector<Slot> slots_;
  size_t used_ = 0;
  std::deque<std::string> invalid_;  // raw bytes that differ from their display form
  std::unordered_map<model::ThreadKey, uint32_t, KeyHash> threads_;
  model::ThreadKey last_key_;
  uint32_t last_thread_ = 0;
  bool has_last_ = false;
};

}  // namespace rangewise::tables
