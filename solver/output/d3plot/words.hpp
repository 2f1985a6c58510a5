// Streams numbers into a file as the 4- or 8-byte words of the LS-DYNA database.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "output/file.hpp"
#include "output/words.hpp"

namespace crumple::output {

/// The word after the last state of a file, or the last number of its geometry.
inline constexpr double kEndMark = -999999.0;

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
