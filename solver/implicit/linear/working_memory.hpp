// Memory of a factorisation: fronts, update matrices and blocks on their way to or from the file. It is
// counted, so that what was predicted can be compared with what was used.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/aligned_memory.hpp"

namespace crumple::implicit::linear {

/// Bytes in use, and the most so far; of several threads.
class MemoryCount {
 public:
  void add(std::int64_t bytes) {
    const std::int64_t now = now_.fetch_add(bytes) + bytes;
    std::int64_t most = most_.load();
    while (now > most && !most_.compare_exchange_weak(most, now)) {
    }
  }
  void remove(std::int64_t bytes) { now_ -= bytes; }
  std::int64_t most() const { return most_; }

 private:
  std::atomic<std::int64_t> now_ = 0, most_ = 0;
};

/// Bytes that are not set to anything.
class WorkingMemory {
 public:
  WorkingMemory() = default;
  /// Throws std::bad_alloc.
  WorkingMemory(MemoryCount& count, std::int64_t bytes)
      : count_(&count),
        data_(static_cast<std::byte*>(allocate_aligned(static_cast<std::size_t>(bytes)))),
        size_(bytes) {
    count_->add(size_);
  }
  WorkingMemory(WorkingMemory&& other) noexcept { swap(other); }
  WorkingMemory& operator=(WorkingMemory&& other) noexcept {
    WorkingMemory(std::move(other)).swap(*this);
    return *this;
  }
  ~WorkingMemory() {
    if (!data_) return;
    free_aligned(data_, static_cast<std::size_t>(size_));
    count_->remove(size_);
  }

  std::byte* data() const { return data_; }
  std::int64_t size() const { return size_; }
  void swap(WorkingMemory& other) noexcept {
    std::swap(count_, other.count_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

 private:
  MemoryCount* count_ = nullptr;
  std::byte* data_ = nullptr;
  std::int64_t size_ = 0;
};

}  // namespace crumple::implicit::linear
