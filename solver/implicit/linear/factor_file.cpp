// Writes and reads the file of a factor.
#include "implicit/linear/factor_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "base/error.hpp"

namespace crumple::implicit::linear {

void check_space(const std::string& folder, double bytes) {
  struct statvfs space {};
  if (::statvfs(folder.c_str(), &space) == 0 && double(space.f_bavail) * double(space.f_frsize) < bytes)
    throw Error("CR-I204",
                fmt::format("the factor needs {:.3g} bytes on disk, and {} has {:.3g} left", bytes, folder,
                            double(space.f_bavail) * double(space.f_frsize)),
                {}, Exit::system);
}

FactorFile::FactorFile(const std::string& folder, double bytes) : folder_(folder) {
  check_space(folder, bytes);
  std::string name = folder + "/factorXXXXXX";
  descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor_ < 0) failed("made", errno);
  ::unlink(name.c_str());
}

FactorFile::~FactorFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void FactorFile::failed(const char* what, int code) const {
  throw Error("CR-I204",
              fmt::format("the factor's file in {} cannot be {}: {}", folder_, what,
                          code == 0 ? "it ends too early" : std::strerror(code)),
              {}, Exit::system);
}

namespace {

/// Adds the time of a transfer, and its bytes.
class CountedTransfer {
 public:
  CountedTransfer(std::atomic<std::int64_t>& bytes, std::int64_t n, std::atomic<std::int64_t>& nanoseconds)
      : nanoseconds_(nanoseconds), start_(Clock::now()) {
    bytes += n;
  }
  CountedTransfer(const CountedTransfer&) = delete;
  CountedTransfer& operator=(const CountedTransfer&) = delete;
  ~CountedTransfer() {
    nanoseconds_ += std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::atomic<std::int64_t>& nanoseconds_;
  Clock::time_point start_;
};

}  // namespace

DiskTraffic FactorFile::traffic() const {
  return {double(written_), double(read_), 1e-9 * double(nanoseconds_)};
}

void FactorFile::write(std::int64_t offset, const std::byte* bytes, std::int64_t n) const {
  const CountedTransfer counted(written_, n, nanoseconds_);
  while (n > 0) {
    const ssize_t done = ::pwrite(descriptor_, bytes, static_cast<std::size_t>(n), offset);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) failed("written", done == 0 ? ENOSPC : errno);
    offset += done, bytes += done, n -= done;
  }
}

void FactorFile::read(std::int64_t offset, std::byte* bytes, std::int64_t n) const {
  const CountedTransfer counted(read_, n, nanoseconds_);
  while (n > 0) {
    const ssize_t done = ::pread(descriptor_, bytes, static_cast<std::size_t>(n), offset);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) failed("read", done == 0 ? 0 : errno);
    offset += done, bytes += done, n -= done;
  }
}

FactorWriter::FactorWriter(const FactorFile& file) : file_(file), thread_([this] { run(); }) {}

FactorWriter::~FactorWriter() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void FactorWriter::rethrow() const {
  if (failure_) std::rethrow_exception(failure_);
}

void FactorWriter::put(Block block, std::unique_lock<std::mutex>&) {
  rethrow();
  if (block.own.data()) ++own_waiting_;
  waiting_.push_back(std::move(block));
  changed_.notify_all();
}

void FactorWriter::write(std::int64_t offset, WorkingMemory block) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return own_waiting_ == 0 || failure_; });
  const std::byte* const bytes = block.data();
  const std::int64_t n = block.size();
  put({offset, bytes, n, std::move(block)}, lock);
}

void FactorWriter::write_from(std::int64_t offset, const std::byte* bytes, std::int64_t n) {
  std::unique_lock lock(mutex_);
  put({offset, bytes, n, {}}, lock);
}

void FactorWriter::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return (waiting_.empty() && !writing_) || failure_; });
  rethrow();
}

void FactorWriter::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return !waiting_.empty() || ending_; });
    if (waiting_.empty()) return;
    Block block = std::move(waiting_.front());
    waiting_.pop_front();
    if (block.own.data()) --own_waiting_;
    writing_ = true;
    changed_.notify_all();
    lock.unlock();
    std::exception_ptr failure;
    try {
      file_.write(block.offset, block.bytes, block.n);
    } catch (...) {
      failure = std::current_exception();
    }
    block.own = {};  // before another may take its place
    lock.lock();
    writing_ = false;
    if (failure) {
      failure_ = failure;
      waiting_.clear();
      own_waiting_ = 0;
    }
    changed_.notify_all();
  }
}

FactorReader::FactorReader(const FactorFile& file, std::vector<Extent> extents, MemoryCount& count)
    : file_(file), extents_(std::move(extents)) {
  std::int64_t largest = 0;
  for (const Extent& extent : extents_) largest = std::max(largest, extent.bytes);
  ahead_ = WorkingMemory(count, largest);
  current_ = WorkingMemory(count, largest);
  thread_ = std::thread([this] { run(); });
}

FactorReader::~FactorReader() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

const std::byte* FactorReader::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return filled_ || failure_; });
  if (failure_) std::rethrow_exception(failure_);
  ahead_.swap(current_);
  filled_ = false;
  changed_.notify_all();
  return current_.data();
}

void FactorReader::run() {
  std::unique_lock lock(mutex_);
  for (const Extent& extent : extents_) {
    changed_.wait(lock, [&] { return !filled_ || ending_; });
    if (ending_) return;
    lock.unlock();
    std::exception_ptr failure;
    try {
      file_.read(extent.offset, ahead_.data(), extent.bytes);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    filled_ = !failure;
    failure_ = failure;
    changed_.notify_all();
    if (failure) return;
  }
}

}  // namespace crumple::implicit::linear
