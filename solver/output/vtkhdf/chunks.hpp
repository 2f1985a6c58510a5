// Datasets of which HDF5 keeps the places of chunks only: their bytes are written past it, by any rank.
#pragma once

#include <string>
#include <vector>

#include "output/vtkhdf/deflate.hpp"
#include "output/vtkhdf/hdf5.hpp"
#include "output/vtkhdf/storage.hpp"

namespace crumple::output::hdf5 {

/// A dataset of rows of `width` values that grows by whole chunks.
class Chunks {
 public:
  Chunks() = default;
  /// Creates it under `group`. @param rows of a chunk @param compression of deflate, 0: none
  Chunks(hid_t group, const std::string& name, hid_t type, hsize_t width, hsize_t rows, int compression);

  /// Makes room for chunks of these sizes at its end. Their bytes are left to the caller.
  /// @returns their places in the file @throws Error CR-O120
  std::vector<std::int64_t> add(std::span<const StoredSize> sizes, Storage& storage);
  hsize_t rows() const { return chunks_ * chunk_; }
  std::size_t chunk_bytes() const { return bytes_; }

 private:
  std::string name_;
  Dataset set_;
  hsize_t chunk_ = 1, width_ = 1, chunks_ = 0;
  std::size_t bytes_ = 0;
  bool compressed_ = false;
};

/// The chunks of a dataset in the file of an earlier part of a run.
class EarlierChunks {
 public:
  /// @throws Error CR-O120
  EarlierChunks(hid_t file, const std::string& path);
  hsize_t chunk_rows() const { return chunk_; }
  /// 0: not compressed
  int compression() const { return compression_; }
  /// Size of one of them. @throws Error CR-O120, also when there is none
  StoredSize size(hsize_t number) const;
  /// Its bytes as they are stored. @throws Error CR-O120
  std::vector<std::byte> read(hsize_t number) const;

 private:
  std::string path_;
  Dataset set_;
  hsize_t chunk_ = 1;
  int compression_ = 0;
};

}  // namespace crumple::output::hdf5
