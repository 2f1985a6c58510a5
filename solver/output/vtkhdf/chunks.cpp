// Chunks whose bytes HDF5 does not see.
#include "output/vtkhdf/chunks.hpp"

#include <array>

namespace crumple::output::hdf5 {

namespace {

constexpr std::uint32_t kAllFilters = ~std::uint32_t(0);  ///< mask of filters that were not used

}  // namespace

Chunks::Chunks(hid_t group, const std::string& name, hid_t type, hsize_t width, hsize_t rows, int compression)
    : name_(name),
      chunk_(rows),
      width_(width),
      bytes_(rows * width * H5Tget_size(type)),
      compressed_(compression > 0) {
  set_ = create_chunked(group, name, type, width, rows, compression);
}

std::vector<std::int64_t> Chunks::add(std::span<const StoredSize> sizes, Storage& storage) {
  const std::string what = "cannot append to the HDF5 dataset " + name_;
  const std::array<hsize_t, 2> total = {(chunks_ + sizes.size()) * chunk_, width_};
  if (H5Dset_extent(set_.get(), total.data()) < 0) fail(what);
  const std::vector<std::byte> nothing(bytes_);  // HDF5 passes it on to the storage, which does not read it
  std::vector<std::int64_t> places;
  for (const StoredSize& size : sizes) {
    const std::array<hsize_t, 2> at = {chunks_++ * chunk_, 0};
    const std::uint32_t unused = compressed_ && !size.filtered ? kAllFilters : 0;
    const Storage::Reserving reserving(storage);
    if (H5Dwrite_chunk(set_.get(), H5P_DEFAULT, unused, at.data(), std::size_t(size.bytes), nothing.data()) <
        0)
      fail(what);
    places.push_back(reserving.place(size.bytes));
  }
  return places;
}

EarlierChunks::EarlierChunks(hid_t file, const std::string& path) : path_(path) {
  const std::string what = "cannot read the HDF5 dataset " + path;
  set_ = Dataset(H5Dopen2(file, path.c_str(), H5P_DEFAULT), what);
  const Property layout(H5Dget_create_plist(set_.get()), what);
  std::array<hsize_t, 2> chunk{};
  if (H5Pget_chunk(layout.get(), 2, chunk.data()) < 1) fail(what);
  chunk_ = chunk[0];
  const int filters = H5Pget_nfilters(layout.get());
  for (int k = 0; k < filters; ++k) {
    unsigned flags = 0, level = 0;
    std::size_t values = 1;
    if (H5Pget_filter2(layout.get(), unsigned(k), &flags, &values, &level, 0, nullptr, nullptr) ==
        H5Z_FILTER_DEFLATE)
      compression_ = int(level);
  }
}

StoredSize EarlierChunks::size(hsize_t number) const {
  const std::array<hsize_t, 2> at = {number * chunk_, 0};
  unsigned unused_filters = 0;
  haddr_t place = HADDR_UNDEF;
  hsize_t bytes = 0;
  if (H5Dget_chunk_info_by_coord(set_.get(), at.data(), &unused_filters, &place, &bytes) < 0 ||
      place == HADDR_UNDEF)
    fail("cannot read the HDF5 dataset " + path_);
  return {std::int64_t(bytes), compression_ > 0 && unused_filters == 0};
}

std::vector<std::byte> EarlierChunks::read(hsize_t number) const {
  const std::array<hsize_t, 2> at = {number * chunk_, 0};
  std::vector<std::byte> bytes(std::size_t(size(number).bytes));
  std::uint32_t unused_filters = 0;
  if (H5Dread_chunk(set_.get(), H5P_DEFAULT, at.data(), &unused_filters, bytes.data()) < 0)
    fail("cannot read the HDF5 dataset " + path_);
  return bytes;
}

}  // namespace crumple::output::hdf5
