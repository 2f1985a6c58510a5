// Chunks compressed as HDF5's filters "shuffle" and "deflate" do, outside of HDF5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/members.hpp"

namespace crumple::output::hdf5 {

/// A chunk as it is in the file.
struct StoredChunk {
  std::vector<std::byte> bytes;
  bool filtered = false;  ///< else HDF5's reader must skip the filters
};

/// Its size, for HDF5.
struct StoredSize {
  std::int64_t bytes = 0;
  bool filtered = false;
};
CRUMPLE_MEMBERS(StoredSize, bytes, filtered)

/// Sorts the bytes of numbers of `width` bytes by their place in a number, for numbers above 1 byte, and
/// compresses them with zlib. A chunk that would not become smaller stays as it is.
/// Format: The HDF Group, "HDF5 file format specification", version 3.0, IV.A.2.l (filter pipeline message);
/// P. Deutsch, J.-L. Gailly, RFC 1950 (1996).
/// @param level 1 to 9; 0: not compressed
StoredChunk compressed(std::vector<std::byte>&& chunk, std::size_t width, int level);

}  // namespace crumple::output::hdf5
