#include "base/memory.h"

#include <malloc.h>

namespace rangewise {

void ReturnFreedArrays() {
  // Above the buffers of rows in work, below the pieces of a large trace.
  constexpr int kLarge = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, kLarge);
}

}  // namespace rangewise
