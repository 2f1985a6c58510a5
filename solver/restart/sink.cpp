// Sinks over POSIX files and MPI-IO.
#include "restart/sink.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "output/file.hpp"

namespace crumple::restart {

namespace {

constexpr std::size_t kCollected = std::size_t(4) << 20;

/// Collects bytes; a derived class writes them.
class Collected : public Sink {
 public:
  void write(std::span<const std::byte> bytes) override {
    if (bytes.size() >= kCollected) {
      drain();
      return put(bytes);
    }
    if (held_.size() + bytes.size() > kCollected) drain();
    held_.insert(held_.end(), bytes.begin(), bytes.end());
  }

 protected:
  virtual void put(std::span<const std::byte> bytes) = 0;
  void drain() {
    if (!held_.empty()) put(held_);
    held_.clear();
  }

 private:
  std::vector<std::byte> held_;
};

class FileSink final : public Collected {
 public:
  explicit FileSink(const std::string& path) : file_(path) {}
  void finish() override {
    drain();
    file_.flush();
    file_.close();
  }

 private:
  void put(std::span<const std::byte> bytes) override { file_.append(bytes); }
  output::File file_;
};

class SharedSink final : public Collected {
 public:
  SharedSink(const parallel::Communicator& comm, std::string path, std::int64_t offset)
      : path_(std::move(path)), offset_(offset) {
    opened_ =
        MPI_File_open(comm.mpi(), path_.c_str(), MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file_);
    if (opened_ == MPI_SUCCESS) opened_ = MPI_File_set_size(file_, 0);
  }
  ~SharedSink() override {
    if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
  }
  void finish() override {
    drain();
    check(MPI_File_sync(file_), "cannot flush");
    check(MPI_File_close(&file_), "cannot close");
  }

 private:
  void put(std::span<const std::byte> bytes) override {
    check(opened_, "cannot create");
    for (std::size_t done = 0; done < bytes.size();) {
      const std::size_t n = std::min<std::size_t>(bytes.size() - done, std::size_t(1) << 30);
      MPI_Status status{};
      check(MPI_File_write_at(file_, offset_, bytes.data() + done, static_cast<int>(n), MPI_BYTE, &status),
            "cannot write");
      int written = 0;
      MPI_Get_count(&status, MPI_BYTE, &written);
      if (written != static_cast<int>(n)) fail("cannot write all bytes to", "the disk may be full");
      done += n;
      offset_ += static_cast<std::int64_t>(n);
    }
  }
  void check(int code, const char* what) const {
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    fail(what, std::string(text, static_cast<std::size_t>(length)));
  }
  [[noreturn]] void fail(const char* what, const std::string& why) const {
    throw Error("CR-O102", fmt::format("{} {}: {}", what, path_, why), {}, Exit::system);
  }

  std::string path_;
  std::int64_t offset_;
  MPI_File file_ = MPI_FILE_NULL;
  int opened_ = MPI_SUCCESS;
};

}  // namespace

std::unique_ptr<Sink> make_file_sink(const std::string& path) { return std::make_unique<FileSink>(path); }

std::unique_ptr<Sink> make_shared_sink(const parallel::Communicator& comm, const std::string& path,
                                       std::int64_t offset) {
  return std::make_unique<SharedSink>(comm, path, offset);
}

}  // namespace crumple::restart
