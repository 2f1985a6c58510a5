// Arrays in files instead of memory: pages that the system writes out when memory is short.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <string>

namespace crumple::implicit::eigen {

/// Each allocation is a file without a name, mapped: it is gone with the program, however that ends.
/// Allocations throw Error CR-I204 if the folder cannot be written to or has not the space.
class FileMemory final : public std::pmr::memory_resource {
 public:
  explicit FileMemory(std::string folder) : folder_(std::move(folder)) {}

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  std::string folder_;
};

}  // namespace crumple::implicit::eigen
