// Where HDF5 puts its bytes: a file whose metadata change all at once, and whose errors wait to be asked.
//
// HDF5 rewrites its metadata piece by piece, and (1.10) crashes when a write fails. So it gets a driver of
// ours: raw data go to the file, metadata are kept until commit(), and once a write has failed all further
// ones are dropped while HDF5 is told that all is well. A run that is killed, or whose disk is full, leaves
// the file as of the last commit.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace crumple::output::hdf5 {

class Storage {
 public:
  /// What is rewritten within one page changes at once: a kill cuts a write between two pages at most.
  static constexpr std::int64_t kPage = 4096;

  /// Starts a file, under another name until the first commit. @throws Error CR-O120
  explicit Storage(std::string path);
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;
  ~Storage();

  void write(std::int64_t offset, std::span<const std::byte> bytes);
  void defer(std::int64_t offset, std::span<const std::byte> bytes);
  /// Bytes never written read as zero.
  void read(std::int64_t offset, std::span<std::byte> bytes);
  void set_size(std::int64_t size) { wanted_size_ = size; }
  std::int64_t size() const { return size_; }

  /// Writes what was deferred: new places first, then the superblock, then the places that earlier commits
  /// have used, page by page from the last. @throws Error CR-O120 with the system's reason if anything failed
  /// since the last time
  void commit();

 private:
  using Blocks = std::map<std::int64_t, std::vector<std::byte>>;  ///< by offset

  std::string hidden() const { return path_ + ".new"; }
  void show();
  void rewrite(Blocks::iterator end);  ///< the blocks before `end`

  std::string path_;
  int descriptor_ = -1;
  int error_ = 0;  ///< errno of the first failure
  std::int64_t size_ = 0, wanted_size_ = 0, committed_size_ = 0;
  bool shown_ = false;
  Blocks deferred_;
};

/// Registers the driver. The identifier ends with H5FDunregister.
hid_t register_storage_driver();

/// Makes `access` open files on `storage`, which must outlive them. @throws Error CR-O120
void use_storage(hid_t access, hid_t driver, Storage& storage);

}  // namespace crumple::output::hdf5
