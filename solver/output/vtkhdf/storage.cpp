// The file of HDF5 and the driver (H5FD) for it.
#include "output/vtkhdf/storage.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <utility>

#include "base/error.hpp"
#include "output/vtkhdf/hdf5.hpp"

namespace crumple::output::hdf5 {

namespace {

[[noreturn]] void raise(const char* what, const std::string& path, int error) {
  throw Error("CR-O120", fmt::format("{} {}: {}", what, path, std::strerror(error)), {}, Exit::system);
}

}  // namespace

Storage::Storage(std::string path) : path_(std::move(path)) {
  descriptor_ = ::open(hidden().c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) raise("cannot create", path_, errno);
}

Storage::~Storage() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (!shown_) ::unlink(hidden().c_str());
}

void Storage::show() {
  if (error_ == 0 && std::rename(hidden().c_str(), path_.c_str()) != 0) error_ = errno;
  shown_ = error_ == 0;
}

void Storage::write(std::int64_t offset, std::span<const std::byte> bytes) {
  size_ = std::max(size_, offset + std::int64_t(bytes.size()));
  if (reserving_) {
    reserved_.emplace_back(offset, bytes.size());
    return;
  }
  for (std::size_t done = 0; error_ == 0 && done < bytes.size();) {
    const ssize_t n =
        ::pwrite(descriptor_, bytes.data() + done, bytes.size() - done, offset + std::int64_t(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      error_ = n == 0 ? ENOSPC : errno;
    } else {
      done += std::size_t(n);
    }
  }
}

std::int64_t Storage::Reserving::place(std::int64_t bytes) const {
  const auto& placed = storage_.reserved_;
  if (placed.size() == 1 && placed[0].second == bytes) return placed[0].first;
  throw Error("CR-O120",
              fmt::format("cannot write {}: HDF5 has placed {} blocks for a chunk of {} bytes",
                          storage_.path_, placed.size(), bytes),
              {}, Exit::system);
}

void Storage::defer(std::int64_t offset, std::span<const std::byte> bytes) {
  size_ = std::max(size_, offset + std::int64_t(bytes.size()));
  std::vector<std::byte>& block = deferred_[offset];
  if (block.size() < bytes.size()) block.resize(bytes.size());
  std::copy(bytes.begin(), bytes.end(), block.begin());
}

void Storage::read(std::int64_t offset, std::span<std::byte> bytes) {
  std::fill(bytes.begin(), bytes.end(), std::byte(0));
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n =
        ::pread(descriptor_, bytes.data() + done, bytes.size() - done, offset + std::int64_t(done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && error_ == 0) error_ = errno;
    if (n <= 0) break;
    done += std::size_t(n);
  }
  const std::int64_t end = offset + std::int64_t(bytes.size());
  for (const auto& [start, block] : deferred_) {
    const std::int64_t from = std::max(offset, start), to = std::min(end, start + std::int64_t(block.size()));
    if (from < to) std::copy_n(block.begin() + (from - start), to - from, bytes.begin() + (from - offset));
  }
}

void Storage::rewrite(Blocks::iterator end) {
  std::vector<std::byte> bytes;
  while (end != deferred_.begin()) {
    // From the last block of a page of the file to its first, including unchanged bytes between them.
    auto first = std::prev(end);
    const std::int64_t stop = first->first + std::int64_t(first->second.size());
    const std::int64_t page = first->first / kPage;
    while (first != deferred_.begin() && std::prev(first)->first / kPage == page) --first;
    bytes.resize(std::size_t(stop - first->first));
    read(first->first, bytes);
    write(first->first, bytes);
    end = first;
  }
}

void Storage::commit() {
  // A reader compares the file's size with the one in the first block: the file must never be shorter.
  if (error_ == 0 && wanted_size_ > committed_size_ &&
      ::ftruncate(descriptor_, std::max(size_, wanted_size_)) != 0) {
    error_ = errno;
  }
  const auto first_new = deferred_.lower_bound(committed_size_);
  for (auto block = first_new; block != deferred_.end(); ++block) write(block->first, block->second);
  // The superblock has the end of the file: readers ignore data beyond it.
  if (!deferred_.empty() && first_new != deferred_.begin()) {
    const auto superblock = deferred_.begin();
    if (superblock->first == 0) write(0, superblock->second);
    rewrite(first_new);
  }
  if (!shown_) show();
  if (error_ != 0) raise("cannot write", path_, error_);
  deferred_.clear();
  committed_size_ = size_;
}

namespace {

/// HDF5's data of an open file; the part of HDF5 comes first.
struct Driver {
  H5FD_t base{};
  Storage* storage = nullptr;
  haddr_t allocated = 0;
};

Driver& driver(H5FD_t* file) { return *reinterpret_cast<Driver*>(file); }
const Driver& driver(const H5FD_t* file) { return *reinterpret_cast<const Driver*>(file); }

H5FD_t* open_file(const char*, unsigned, hid_t access, haddr_t) {
  auto* result = new Driver;  // deleted by close_file, which HDF5 calls
  result->storage = *static_cast<Storage* const*>(H5Pget_driver_info(access));
  return &result->base;
}

herr_t close_file(H5FD_t* file) {
  delete &driver(file);
  return 0;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA |
           H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t get_allocated(const H5FD_t* file, H5FD_mem_t) { return driver(file).allocated; }

herr_t set_allocated(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  driver(file).allocated = address;
  return 0;
}

haddr_t get_end(const H5FD_t* file, H5FD_mem_t) { return haddr_t(driver(file).storage->size()); }

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) {
  driver(file).storage->read(std::int64_t(address), {static_cast<std::byte*>(buffer), size});
  return 0;
}

herr_t write(H5FD_t* file, H5FD_mem_t type, hid_t, haddr_t address, size_t size, const void* buffer) {
  Storage& storage = *driver(file).storage;
  const std::span bytes(static_cast<const std::byte*>(buffer), size);
  if (type == H5FD_MEM_DRAW) {
    storage.write(std::int64_t(address), bytes);
  } else {
    storage.defer(std::int64_t(address), bytes);
  }
  return 0;
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  driver(file).storage->set_size(std::int64_t(driver(file).allocated));
  return 0;
}

}  // namespace

hid_t register_storage_driver() {
  const H5FD_class_t driver_class = {
      .name = "crumple_storage",
      .maxaddr = HADDR_MAX / 2,
      .fc_degree = H5F_CLOSE_WEAK,
      .fapl_size = sizeof(Storage*),
      .open = open_file,
      .close = close_file,
      .query = query,
      .get_eoa = get_allocated,
      .set_eoa = set_allocated,
      .get_eof = get_end,
      .read = read,
      .write = write,
      .truncate = truncate,
      .fl_map = H5FD_FLMAP_DICHOTOMY,
  };
  return H5FDregister(&driver_class);
}

void use_storage(hid_t access, hid_t driver, Storage& storage) {
  Storage* const pointer = &storage;
  if (H5Pset_driver(access, driver, &pointer) < 0) fail("cannot set the HDF5 driver");
}

}  // namespace crumple::output::hdf5
