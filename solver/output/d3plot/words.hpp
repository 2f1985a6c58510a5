// Turns numbers into the 4- or 8-byte words of the LS-DYNA database, in memory or streamed into a file.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "output/file.hpp"

namespace crumple::output {

/// The word after the last state of a file, or the last number of its geometry.
inline constexpr double kEndMark = -999999.0;

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
  void raw(const void* data, std::size_t bytes) {
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

/// Words written to a file from `offset` on.
class WordStream {
 public:
  WordStream(File& file, std::int64_t offset, bool wide)
      : file_(file), offset_(offset), words_(wide, kChunk) {}

  void real(double value) {
    words_.real(value);
    drain_full();
  }
  /// @throws Error CR-O110 when the number does not fit a 4-byte word
  void integer(std::int64_t value);
  /// Exactly `bytes` characters: truncated, or padded with blanks.
  void text(std::string_view value, std::size_t bytes);
  /// Zero words up to a multiple of `words`, counted from the beginning of the file.
  void pad(std::int64_t words);
  /// `put(words)` adds a row of words.
  template <class Put>
  void row(Put&& put) {
    put(words_);
    drain_full();
  }
  /// Writes the buffer except the last `words`, at most kHeld.
  void drain(int words);
  /// Words that are not yet written.
  std::span<const std::byte> held() const { return words_.bytes(); }
  /// Writes the buffer. @returns the file offset after the last word
  std::int64_t finish() {
    drain(0);
    return offset_;
  }

  int word_size() const { return words_.word_size(); }
  std::int64_t position() const { return offset_ + std::int64_t(words_.bytes().size()); }

 private:
  static constexpr int kHeld = 1;  ///< words that drain() can always hold back
  static constexpr std::size_t kChunk = std::size_t(1) << 18;

  void drain_full() {
    if (words_.bytes().size() >= kChunk) drain(kHeld);
  }

  File& file_;
  std::int64_t offset_;
  Words words_;
};

}  // namespace crumple::output
