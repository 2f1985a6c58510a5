// Shuffles and compresses a chunk.
#include "output/vtkhdf/deflate.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <utility>

#include "base/error.hpp"

namespace crumple::output::hdf5 {

namespace {

/// First the first bytes of all numbers, then all second ones, ... Neighbours have similar exponents.
std::vector<std::byte> shuffled(std::span<const std::byte> numbers, std::size_t width) {
  std::vector<std::byte> sorted(numbers.size());
  const std::size_t count = numbers.size() / width;
  for (std::size_t byte = 0; byte < width; ++byte)
    for (std::size_t i = 0; i < count; ++i) sorted[byte * count + i] = numbers[i * width + byte];
  return sorted;
}

}  // namespace

StoredChunk compressed(std::vector<std::byte>&& chunk, std::size_t width, int level) {
  if (level == 0) return {std::move(chunk), false};
  std::vector<std::byte> sorted;
  if (width > 1) sorted = shuffled(chunk, width);
  const std::span<const std::byte> from = width > 1 ? sorted : chunk;
  uLongf size = compressBound(uLong(from.size()));
  std::vector<std::byte> to(size);
  const int done = compress2(reinterpret_cast<Bytef*>(to.data()), &size,
                             reinterpret_cast<const Bytef*>(from.data()), uLong(from.size()), level);
  if (done != Z_OK)
    throw Error("CR-O120", fmt::format("zlib cannot compress {} bytes (error {})", from.size(), done), {},
                Exit::system);
  if (size >= chunk.size()) return {std::move(chunk), false};
  to.resize(size);
  to.shrink_to_fit();
  return {std::move(to), true};
}

}  // namespace crumple::output::hdf5
