// The storage of HDF5's bytes: a file whose metadata change all at once, and whose errors are reported later.
//
// HDF5 rewrites its metadata piece by piece, and (1.10) crashes when a write fails. So it gets a driver of
// ours: raw data are written to the file, metadata are held until commit(). After a failed write all further
// ones are dropped, and success is reported to HDF5. A run that is killed, or whose disk is full, leaves the
// file as of the last commit.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace crumple::output::hdf5 {

class Storage {
 public:
  /// Writes within one page are atomic: a kill can interrupt a write only between two pages.
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
  /// While this lives, HDF5 places raw data here that others write.
  class Reserving {
   public:
    explicit Reserving(Storage& storage) : storage_(storage) {
      storage_.reserved_.clear();
      storage_.reserving_ = true;
    }
    Reserving(const Reserving&) = delete;
    Reserving& operator=(const Reserving&) = delete;
    ~Reserving() { storage_.reserving_ = false; }
    /// Where it has placed one block of `bytes`. @throws Error CR-O120 if that is not all it has placed
    std::int64_t place(std::int64_t bytes) const;

   private:
    Storage& storage_;
  };
  void set_size(std::int64_t size) { wanted_size_ = size; }
  std::int64_t size() const { return size_; }

  /// Writes the deferred blocks: first new places, then the superblock, then places of earlier commits, page
  /// by page from the last. @throws Error CR-O120 with the system's reason if any write has failed since the
  /// last commit
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
  bool shown_ = false, reserving_ = false;
  std::vector<std::pair<std::int64_t, std::int64_t>> reserved_;  ///< places and bytes
  Blocks deferred_;
};

/// Registers the driver. The identifier is released with H5FDunregister.
hid_t register_storage_driver();

/// Makes `access` open files on `storage`, which must outlive them. @throws Error CR-O120
void use_storage(hid_t access, hid_t driver, Storage& storage);

}  // namespace crumple::output::hdf5
