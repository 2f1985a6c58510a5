// Where memory of arrays begins, and that large pages are asked for in large arrays.
#include "base/aligned_memory.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

namespace crumple {
namespace {

enum class Asked { no, yes, not_told };

/// Whether large pages are asked for at `place`: flag hg of its mapping (Linux, proc(5)).
Asked large_pages_at(const void* place) {
  const auto address = reinterpret_cast<std::uintptr_t>(place);
  std::ifstream maps("/proc/self/smaps");
  bool here = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t from = 0, to = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &from, &to) == 2) here = from <= address && address < to;
    if (here && line.starts_with("VmFlags:"))
      return line.find(" hg") == std::string::npos ? Asked::no : Asked::yes;
  }
  return Asked::not_told;
}

bool system_has_large_pages() { return std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled").good(); }

TEST(AlignedMemory, BeginsWithACacheLineOrALargePage) {
  for (const std::size_t bytes : {std::size_t{1}, kLargePage - 1, kLargePage, 5 * kLargePage + 7}) {
    void* memory = allocate_aligned(bytes);
    const std::size_t unit = bytes < kLargePage ? kCacheLine : kLargePage;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % unit, 0u) << bytes;
    std::memset(memory, 1, bytes + kCacheLine);  // a vector may be read beyond the end
    free_aligned(memory, bytes);
  }
}

TEST(AlignedMemory, LargePagesAreAskedForInLargeArraysOnly) {
  if (!system_has_large_pages()) GTEST_SKIP() << "the system has no large pages";
  for (const std::size_t bytes : {kLargePage / 2, 8 * kLargePage}) {
    char* memory = static_cast<char*>(allocate_aligned(bytes));
    std::memset(memory, 1, bytes);
    const Asked asked = large_pages_at(memory + bytes / 2);
    free_aligned(memory, bytes);
    if (asked == Asked::not_told) GTEST_SKIP() << "the system tells no flags of mappings";
    EXPECT_EQ(asked, bytes < kLargePage ? Asked::no : Asked::yes) << bytes;
  }
}

}  // namespace
}  // namespace crumple
