// Memory for arrays that SIMD code reads.
#include "base/aligned_memory.hpp"

#include <sys/mman.h>

#include <new>

namespace crumple {

namespace {

constexpr std::align_val_t alignment_of(std::size_t bytes) {
  return std::align_val_t{bytes >= kLargePage ? kLargePage : kCacheLine};
}

}  // namespace

void* allocate_aligned(std::size_t bytes) {
  void* memory = ::operator new(bytes + kCacheLine, alignment_of(bytes));
#ifdef MADV_HUGEPAGE
  // A kernel without large pages refuses; the memory is then used with small pages.
  if (bytes >= kLargePage) ::madvise(memory, bytes / kLargePage * kLargePage, MADV_HUGEPAGE);
#endif
  return memory;
}

void free_aligned(void* memory, std::size_t bytes) noexcept {
  ::operator delete(memory, alignment_of(bytes));
}

}  // namespace crumple
