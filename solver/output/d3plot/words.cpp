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
  if (wide_) {
    push(&value, sizeof value);
    return;
  }
  if (value > std::numeric_limits<std::int32_t>::max() || value < std::numeric_limits<std::int32_t>::min()) {
    throw Error("CR-O110",
                fmt::format("number {} does not fit the 4-byte words of {}; write it in double precision",
                            value, file_.path()),
                {}, Exit::input);
  }
  const std::int32_t narrow = std::int32_t(value);
  push(&narrow, sizeof narrow);
}

void WordStream::text(std::string_view value, std::size_t bytes) {
  std::string padded(value.substr(0, bytes));
  padded.resize(bytes, ' ');
  push(padded.data(), padded.size());
}

void WordStream::pad(std::int64_t words) {
  const std::int64_t block = words * word_size();
  while (position() % block != 0) integer(0);
}

void WordStream::drain(int words) {
  const std::size_t held = std::min(used_, std::size_t(words * word_size())), written = used_ - held;
  file_.write_at(offset_, std::span<const std::byte>(buffer_).first(written));
  offset_ += std::int64_t(written);
  std::memmove(buffer_.data(), buffer_.data() + written, held);
  used_ = held;
}

}  // namespace crumple::output
