// Output files over POSIX descriptors, with every error reported.
#include "output/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace crumple::output {

File::File(std::string path) : path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("CR-O101", "cannot create", errno);
}

File File::cut_back(std::string path, std::int64_t size) {
  File file;
  file.path_ = std::move(path);
  file.descriptor_ = ::open(file.path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (file.descriptor_ < 0) file.fail("CR-O101", "cannot open", errno);
  file.truncate(size);
  return file;
}

File File::share(std::string path) {
  File file;
  file.path_ = std::move(path);
  file.shared_ = true;
  file.descriptor_ = ::open(file.path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (file.descriptor_ < 0) file.fail("CR-O101", "cannot open", errno);
  return file;
}

File::File(File&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      shared_(other.shared_),
      size_(other.size_) {}

File& File::operator=(File&& other) noexcept {
  if (this != &other) {
    if (descriptor_ >= 0) ::close(descriptor_);
    path_ = std::move(other.path_);
    descriptor_ = std::exchange(other.descriptor_, -1);
    shared_ = other.shared_;
    size_ = other.size_;
  }
  return *this;
}

File::~File() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void File::append(std::span<const std::byte> bytes) { write_at(size_, bytes); }

void File::write_at(std::int64_t offset, std::span<const std::byte> bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n =
        ::pwrite(descriptor_, bytes.data() + done, bytes.size() - done, offset + std::int64_t(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      const int error = n == 0 ? ENOSPC : errno;
      if (!shared_) undo(error);
      fail("CR-O102", "cannot write", error);
    }
    done += std::size_t(n);
  }
  size_ = std::max(size_, offset + std::int64_t(bytes.size()));
}

/// Removes incomplete output: the whole file if it has nothing else, else the appended part.
void File::undo(int error) {
  if (size_ == 0) {
    struct stat status {};
    if (::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode)) ::unlink(path_.c_str());
  } else if (::ftruncate(descriptor_, size_) != 0) {
    fail("CR-O102", "cannot write, nor undo a partial write to,", error);
  }
}

void File::truncate(std::int64_t size) {
  if (::ftruncate(descriptor_, size) != 0) fail("CR-O102", "cannot truncate", errno);
  size_ = size;
}

void File::flush() {
  // Pipes and /dev/null cannot be synchronized (EINVAL, EROFS), which is no loss.
  if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) fail("CR-O103", "cannot flush", errno);
}

void File::close() {
  if (descriptor_ < 0) return;
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("CR-O103", "cannot close", errno);
}

void File::fail(const char* id, const char* what, int error) {
  throw Error(id, fmt::format("{} {}: {}", what, path_, std::strerror(error)), {}, Exit::system);
}

void write_whole(const std::string& path, std::string_view text) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    return File(path).append(text);  // a pipe, /dev/stdout
  const std::string part = fmt::format("{}.{}", path, ::getpid());
  try {
    File file(part);
    file.append(text);
    file.flush();
    file.close();
    if (std::rename(part.c_str(), path.c_str()) != 0)
      throw Error("CR-O101", fmt::format("cannot create {}: {}", path, std::strerror(errno)), {},
                  Exit::system);
  } catch (...) {
    ::unlink(part.c_str());
    throw;
  }
}

void remove_file(const std::string& path) {
  std::error_code error;
  std::filesystem::remove(path, error);
  if (error)
    throw Error("CR-O104", fmt::format("cannot remove {}: {}", path, error.message()), {}, Exit::system);
}

void check_can_be_cut(const std::string& path, std::int64_t size) {
  const auto refuse = [&](const std::string& what) {
    throw Error("CR-O130",
                fmt::format("the results cannot go on: {} {}; {} bytes are expected", path, what, size), {},
                Exit::system);
  };
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) refuse(fmt::format("cannot be opened ({})", std::strerror(errno)));
  struct stat status {};
  const bool known = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  ::close(descriptor);
  if (!known) refuse("is not a file");
  if (status.st_size < size) refuse(fmt::format("has {} bytes", status.st_size));
}

void remove_family(const std::string& directory, const std::string& stem, std::span<const std::string> keep) {
  namespace fs = std::filesystem;
  std::error_code error;
  std::vector<std::string> old;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.compare(0, stem.size(), stem) != 0 || std::ranges::find(keep, name) != keep.end()) continue;
    const bool member = std::all_of(name.begin() + std::ptrdiff_t(stem.size()), name.end(),
                                    [](unsigned char c) { return std::isdigit(c) || c == '%'; });
    if (member) old.push_back(it->path().string());
  }
  if (error) {
    throw Error("CR-O104", fmt::format("cannot list {}: {}", directory, error.message()), {}, Exit::system);
  }
  for (const std::string& path : old) remove_file(path);
}

}  // namespace crumple::output
