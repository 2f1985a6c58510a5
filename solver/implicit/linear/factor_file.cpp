// Writes and reads the file of a factor.
#include "implicit/linear/factor_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/error.hpp"

namespace crumple::implicit::linear {

FactorFile::FactorFile(const std::string& folder, double bytes) : folder_(folder) {
  struct statvfs space {};
  if (::statvfs(folder.c_str(), &space) == 0 && double(space.f_bavail) * double(space.f_frsize) < bytes)
    throw Error("CR-I204",
                fmt::format("the factor needs {:.3g} bytes on disk, and {} has {:.3g} left", bytes, folder,
                            double(space.f_bavail) * double(space.f_frsize)),
                {}, Exit::system);
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

void FactorFile::write(std::int64_t offset, const std::byte* bytes, std::int64_t n) const {
  while (n > 0) {
    const ssize_t done = ::pwrite(descriptor_, bytes, static_cast<std::size_t>(n), offset);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) failed("written", done == 0 ? ENOSPC : errno);
    offset += done, bytes += done, n -= done;
  }
}

void FactorFile::read(std::int64_t offset, std::byte* bytes, std::int64_t n) const {
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

void FactorWriter::write(std::int64_t offset, Bytes block) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_.empty() || failure_; });
  rethrow();
  waiting_.push_back({offset, std::move(block)});
  changed_.notify_all();
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
    const Block block = std::move(waiting_.front());
    waiting_.pop_front();
    writing_ = true;
    changed_.notify_all();
    lock.unlock();
    std::exception_ptr failure;
    try {
      file_.write(block.offset, block.bytes.data(), static_cast<std::int64_t>(block.bytes.size()));
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    writing_ = false;
    if (failure) {
      failure_ = failure;
      waiting_.clear();
    }
    changed_.notify_all();
  }
}

FactorReader::FactorReader(const FactorFile& file, std::vector<Extent> extents)
    : file_(file), extents_(std::move(extents)) {
  std::int64_t largest = 0;
  for (const Extent& extent : extents_) largest = std::max(largest, extent.bytes);
  ahead_.reserve(static_cast<std::size_t>(largest));
  current_.reserve(static_cast<std::size_t>(largest));
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
  std::swap(ahead_, current_);
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
      ahead_.resize(static_cast<std::size_t>(extent.bytes));
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
