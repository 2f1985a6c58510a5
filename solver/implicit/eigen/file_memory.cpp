// Makes, maps and unmaps the files.
#include "implicit/eigen/file_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/error.hpp"

namespace crumple::implicit::eigen {

namespace {

/// The descriptor of a file without a name; what is mapped stays when it is closed.
class NamelessFile {
 public:
  explicit NamelessFile(const std::string& folder) : folder_(folder) {
    std::string name = folder + "/vectorsXXXXXX";
    descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor_ < 0) failed("made", errno);
    ::unlink(name.c_str());
  }
  NamelessFile(const NamelessFile&) = delete;
  NamelessFile& operator=(const NamelessFile&) = delete;
  ~NamelessFile() { ::close(descriptor_); }

  /// With room on the disk for all: a mapped page without room would end the program by a signal.
  void* mapped(std::size_t bytes) const {
    if (const int code = ::posix_fallocate(descriptor_, 0, static_cast<off_t>(bytes))) failed("made", code);
    void* const p = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    if (p == MAP_FAILED) failed("mapped", errno);
    return p;
  }

 private:
  [[noreturn]] void failed(const char* what, int code) const {
    throw Error("CR-I204",
                fmt::format("a file for vectors in {} cannot be {}: {}", folder_, what, std::strerror(code)),
                {}, Exit::system);
  }

  const std::string& folder_;
  int descriptor_ = -1;
};

}  // namespace

void* FileMemory::do_allocate(std::size_t bytes, std::size_t) { return NamelessFile(folder_).mapped(bytes); }

void FileMemory::do_deallocate(void* p, std::size_t bytes, std::size_t) { ::munmap(p, bytes); }

}  // namespace crumple::implicit::eigen
