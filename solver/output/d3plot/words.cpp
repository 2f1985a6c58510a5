// Words of the LS-DYNA database: integers, text, padding.
#include "output/d3plot/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "base/error.hpp"

namespace crumple::output {

static_assert(std::endian::native == std::endian::little, "the plot files are written in native byte order");

void WordStream::integer(std::int64_t value) {
  if (words_.wide()) {
    words_.raw(&value, sizeof value);
    return drain_full();
  }
  if (value > std::numeric_limits<std::int32_t>::max() || value < std::numeric_limits<std::int32_t>::min()) {
    throw Error("CR-O110",
                fmt::format("number {} does not fit the 4-byte words of {}; write it in double precision",
                            value, file_.path()),
                {}, Exit::input);
  }
  const std::int32_t narrow = std::int32_t(value);
  words_.raw(&narrow, sizeof narrow);
  drain_full();
}

void WordStream::text(std::string_view value, std::size_t bytes) {
  std::string padded(value.substr(0, bytes));
  padded.resize(bytes, ' ');
  words_.raw(padded.data(), padded.size());
  drain_full();
}

void WordStream::pad(std::int64_t words) {
  const std::int64_t block = words * word_size();
  while (position() % block != 0) integer(0);
}

void WordStream::drain(int words) {
  const std::span<const std::byte> all = words_.bytes();
  const std::size_t held = std::min(all.size(), std::size_t(words * word_size()));
  const std::size_t written = all.size() - held;
  file_.write_at(offset_, all.first(written));
  offset_ += std::int64_t(written);
  words_.drop(written);
}

}  // namespace crumple::output
