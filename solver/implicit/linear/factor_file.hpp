// The file of a factor that does not stay in memory, and of update matrices on their way to the parent: a
// thread writes blocks, and another reads ahead.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "implicit/linear/solver.hpp"
#include "implicit/linear/working_memory.hpp"

namespace crumple::implicit::linear {

/// Throws Error CR-I204 if the folder is on a disk with less than `bytes` left.
void check_space(const std::string& folder, double bytes);

/// A file without a name: it is gone with the program, however that ends.
class FactorFile {
 public:
  /// Throws Error if the folder cannot be written to or has less than `bytes` left.
  FactorFile(const std::string& folder, double bytes);
  FactorFile(const FactorFile&) = delete;
  FactorFile& operator=(const FactorFile&) = delete;
  ~FactorFile();

  /// Throw Error.
  void write(std::int64_t offset, const std::byte* bytes, std::int64_t n) const;
  void read(std::int64_t offset, std::byte* bytes, std::int64_t n) const;
  DiskTraffic traffic() const;

 private:
  [[noreturn]] void failed(const char* what, int code) const;
  std::string folder_;
  int descriptor_ = -1;
  mutable std::atomic<std::int64_t> written_ = 0, read_ = 0, nanoseconds_ = 0;
};

/// Writes in the background, one block after the other. At most one block waits beside the one that is
/// written, but for those that stay where they are.
class FactorWriter {
 public:
  explicit FactorWriter(const FactorFile& file);
  FactorWriter(const FactorWriter&) = delete;
  FactorWriter& operator=(const FactorWriter&) = delete;
  ~FactorWriter();

  /// Waits while another block waits. Throws what writing threw.
  void write(std::int64_t offset, WorkingMemory block);
  /// Writes from memory that stays as it is until `finish`. Throws what writing threw.
  void write_from(std::int64_t offset, const std::byte* bytes, std::int64_t n);
  /// Waits for all. Throws what writing threw.
  void finish();

 private:
  struct Block {
    std::int64_t offset;
    const std::byte* bytes;
    std::int64_t n;
    WorkingMemory own;  ///< none of blocks that stay where they are
  };
  void run();
  void put(Block block, std::unique_lock<std::mutex>& lock);
  void rethrow() const;

  const FactorFile& file_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Block> waiting_;
  int own_waiting_ = 0;
  bool writing_ = false, ending_ = false;
  std::exception_ptr failure_;
  std::thread thread_;  // last: it uses all others
};

/// Where in the file something is.
struct Extent {
  std::int64_t offset = 0, bytes = 0;
};

/// Reads extents in the order given, one ahead of the one in use.
class FactorReader {
 public:
  FactorReader(const FactorFile& file, std::vector<Extent> extents, MemoryCount& count);
  FactorReader(const FactorReader&) = delete;
  FactorReader& operator=(const FactorReader&) = delete;
  ~FactorReader();

  /// The next extent; valid until the next call. Throws what reading threw.
  const std::byte* next();

 private:
  void run();

  const FactorFile& file_;
  const std::vector<Extent> extents_;
  std::mutex mutex_;
  std::condition_variable changed_;
  WorkingMemory ahead_, current_;
  bool filled_ = false, ending_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace crumple::implicit::linear
