#include "tables/csv_interning.h"

#include <new>
#include <utility>

#include "base/hash.h"

namespace rangewise::tables {

SharedInterning::Known SharedInterning::Name(const model::RangeName& raw) {
  std::string kept;
  const model::RangeName shown = model::DisplayForm(raw, kept);
  const bool is_invalid = shown.text.data() != raw.text.data();
  const std::lock_guard lock(mutex_);
  const model::NameId id = names_.Intern(shown.text, shown.domain);
  if (invalid_.size() < names_.size()) invalid_.resize(names_.size());
  if (is_invalid) {
    invalid_[static_cast<uint32_t>(id)] = true;
    any_invalid_ = true;
  }
  return {id, names_.At(id)};
}

uint32_t SharedInterning::Thread(const model::ThreadKey& key) {
  const std::lock_guard lock(mutex_);
  if (threads_.size() >= model::kMostThreads) throw std::bad_alloc();
  return threads_.try_emplace(key, static_cast<uint32_t>(threads_.size())).first->second;
}

std::vector<model::ThreadKey> SharedInterning::SortedThreads(
    std::vector<uint32_t>& renumbered) const {
  std::vector<model::ThreadKey> sorted;
  renumbered.assign(threads_.size(), 0);
  for (const auto& [key, index] : threads_) {
    renumbered[index] = static_cast<uint32_t>(sorted.size());
    sorted.push_back(key);
  }
  return sorted;
}

model::NameId WorkerInterning::Name(const model::RangeName& raw) {
  const uint64_t hash = Hash64(raw.text);
  const auto tag = static_cast<uint32_t>(hash >> 32);
  const size_t mask = slots_.size() - 1;
  size_t at = hash & mask;
  for (; slots_[at].id != model::kNoName; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.hash == tag && slot.raw.text == raw.text && slot.raw.domain == raw.domain)
      return slot.id;
  }
  const SharedInterning::Known known = shared_.Name(raw);
  std::string_view kept = known.display;
  if (kept != raw.text) kept = invalid_.emplace_back(raw.text);
  slots_[at] = {tag, known.id, {kept, raw.domain}};
  if (++used_ * 4 > slots_.size() * 3) Grow();
  return known.id;
}

void WorkerInterning::Grow() {
  std::vector<Slot> larger(slots_.size() * 2);
  const size_t mask = larger.size() - 1;
  for (const Slot& slot : slots_) {
    if (slot.id == model::kNoName) continue;
    size_t at = Hash64(slot.raw.text) & mask;
    while (larger[at].id != model::kNoName) at = (at + 1) & mask;
    larger[at] = slot;
  }
  slots_ = std::move(larger);
}

uint32_t WorkerInterning::OtherThread(const model::ThreadKey& key) {
  auto [place, is_new] = threads_.try_emplace(key, 0);
  if (is_new) place->second = shared_.Thread(key);
  last_key_ = key;
  last_thread_ = place->second;
  has_last_ = true;
  return last_thread_;
}

}  // namespace rangewise::tables
