// Owns telling the processor what will be read soon, where the order of reading is known to the
// program and not to the processor: rows of many threads in the order of time, say.
#pragma once

namespace rangewise {

// `object` is read some hundreds of instructions from now. It may lie on two cache lines.
template <typename T>
void FetchAhead(const T& object) {
  const char* bytes = reinterpret_cast<const char*>(&object);
  __builtin_prefetch(bytes);
  __builtin_prefetch(bytes + sizeof(T) - 1);
}

}  // namespace rangewise
