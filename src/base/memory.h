// Owns freeing large arrays, and how their memory goes back to the system.
#pragma once

#include <vector>

namespace rangewise {

// Frees the array, too, where clear() keeps it.
template <typename T>
void Free(std::vector<T>& values) {
  std::vector<T>().swap(values);
}

// Makes large arrays go back to the system as soon as they are freed. Left alone, glibc keeps what
// is freed once arrays of that size have come and gone (mallopt(3), M_MMAP_THRESHOLD), and a
// program that works in phases then peaks at the sum of them. Call it before any thread begins.
void ReturnFreedArrays();

}  // namespace rangewise
