// Numbers as 4- or 8-byte words in memory.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace crumple::output {

/// Little-endian words in memory, all floats and integers of one size.
class Words {
 public:
  explicit Words(bool wide, std::size_t reserved_bytes = 0) : wide_(wide), buffer_(reserved_bytes) {}

  void real(double value) { reals({&value, 1}); }
  void reals(std::span<const double> values) {
    std::byte* to = grow(values.size() * std::size_t(word_size()));
    if (wide_) {
      if (!values.empty()) std::memcpy(to, values.data(), values.size_bytes());
      return;
    }
    for (const double value : values) {
      const float narrow = float(value);
      std::memcpy(to, &narrow, sizeof narrow);
      to += sizeof narrow;
    }
  }
  void zeros(std::size_t count) {
    const std::size_t bytes = count * std::size_t(word_size());
    if (bytes > 0) std::memset(grow(bytes), 0, bytes);
  }
  /// Not inlined: GCC 12 then warns of sizes that cannot be.
  [[gnu::noinline]] void raw(const void* data, std::size_t bytes) {
    if (bytes > 0) std::memcpy(grow(bytes), data, bytes);
  }
  /// Removes the first `bytes`.
  void drop(std::size_t bytes) {
    used_ -= bytes;
    std::memmove(buffer_.data(), buffer_.data() + bytes, used_);
  }
  /// All bytes so far; nothing is left.
  std::vector<std::byte> take() {
    buffer_.resize(std::exchange(used_, 0));
    return std::exchange(buffer_, {});
  }

  bool wide() const { return wide_; }
  int word_size() const { return wide_ ? 8 : 4; }
  std::span<const std::byte> bytes() const { return std::span(buffer_).first(used_); }

 private:
  std::byte* grow(std::size_t bytes) {
    if (used_ + bytes > buffer_.size()) buffer_.resize(2 * buffer_.size() + bytes);
    return buffer_.data() + std::exchange(used_, used_ + bytes);
  }

  bool wide_;
  std::vector<std::byte> buffer_;
  std::size_t used_ = 0;
};

}  // namespace crumple::output
