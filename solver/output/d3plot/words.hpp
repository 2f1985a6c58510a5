// Turns numbers into the 4- or 8-byte words of the LS-DYNA database and streams them into a file.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "output/file.hpp"

namespace crumple::output {

/// The word after the last state of a file, or the last number of its geometry.
inline constexpr double kEndMark = -999999.0;

/// Little-endian words, all floats and integers of one size, written to a file from `offset` on.
class WordStream {
 public:
  WordStream(File& file, std::int64_t offset, bool wide)
      : file_(file), offset_(offset), wide_(wide), buffer_(kChunk) {}

  void real(double value) {
    if (wide_) {
      push(&value, sizeof value);
    } else {
      const float narrow = float(value);
      push(&narrow, sizeof narrow);
    }
  }
  void reals(std::span<const double> values) {
    for (const double value : values) real(value);
  }
  /// @throws Error CR-O110 when the number does not fit a 4-byte word
  void integer(std::int64_t value);
  /// Exactly `bytes` characters: truncated, or padded with blanks.
  void text(std::string_view value, std::size_t bytes);
  /// Zero words up to a multiple of `words`, counted from the beginning of the file.
  void pad(std::int64_t words);
  /// Writes the buffer except the last `words`.
  void drain(int words);
  /// Writes the buffer. @returns the file offset after the last word
  std::int64_t finish() {
    drain(0);
    return offset_;
  }

  int word_size() const { return wide_ ? 8 : 4; }
  std::int64_t position() const { return offset_ + std::int64_t(used_); }

 private:
  static constexpr int kHeld = 2;  ///< words that drain() can always hold back
  static constexpr std::size_t kChunk = std::size_t(1) << 18;

  void push(const void* data, std::size_t bytes) {
    if (used_ + bytes > kChunk) drain(kHeld);
    std::memcpy(buffer_.data() + used_, data, bytes);
    used_ += bytes;
  }

  File& file_;
  std::int64_t offset_;
  bool wide_;
  std::vector<std::byte> buffer_;
  std::size_t used_ = 0;
};

}  // namespace crumple::output
