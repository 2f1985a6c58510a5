// The file of a factor that does not stay in memory: a thread writes chunks of fronts, and another reads
// ahead.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/types.hpp"

namespace crumple::implicit::linear {

using Bytes = AlignedVector<std::byte>;

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

 private:
  [[noreturn]] void failed(const char* what, int code) const;
  std::string folder_;
  int descriptor_ = -1;
};

/// Writes in the background. At most one block waits beside the one that is being written.
class FactorWriter {
 public:
  explicit FactorWriter(const FactorFile& file);
  FactorWriter(const FactorWriter&) = delete;
  FactorWriter& operator=(const FactorWriter&) = delete;
  ~FactorWriter();

  /// Waits while another block waits. Throws what writing threw.
  void write(std::int64_t offset, Bytes block);
  /// Waits for all. Throws what writing threw.
  void finish();

 private:
  struct Block {
    std::int64_t offset;
    Bytes bytes;
  };
  void run();
  void rethrow() const;

  const FactorFile& file_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Block> waiting_;
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
  FactorReader(const FactorFile& file, std::vector<Extent> extents);
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
  Bytes ahead_, current_;
  bool filled_ = false, ending_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace crumple::implicit::linear
