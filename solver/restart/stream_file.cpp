// Reads parts of a stream, and checks it.
#include "restart/stream_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "base/packing.hpp"
#include "restart/checksum.hpp"

namespace crumple::restart {

namespace {
constexpr std::int64_t kVerified = std::int64_t(4) << 20;
}

StreamFile::StreamFile(const std::string& folder, const Stream& stream)
    : path_(folder + "/" + stream.file),
      stream_(stream),
      descriptor_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0)
    throw Error("CR-T005", fmt::format("the dump is not whole: {}: {}", path_, std::strerror(errno)));
  struct stat status {};
  const std::int64_t wanted = stream.offset + stream.bytes;
  if (::fstat(descriptor_, &status) == 0 && status.st_size < wanted)
    throw Error("CR-T005",
                fmt::format("the dump is not whole: {} has {} bytes, not {}", path_, status.st_size, wanted));
  std::vector<std::byte> bytes(static_cast<std::size_t>(stream.bytes - stream.contents_at));
  read(stream.contents_at, bytes);
  if (checksum_of(bytes) != stream.checksum) damaged("its table of contents");
  contents_ = Unpacker(bytes).take<Contents>();
}

StreamFile::~StreamFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void StreamFile::read(std::int64_t offset, std::span<std::byte> bytes) const {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::pread(descriptor_, bytes.data() + done, bytes.size() - done,
                              stream_.offset + offset + static_cast<std::int64_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0)
      throw Error(
          "CR-T005",
          fmt::format("cannot read {}: {}", path_, n == 0 ? "it ends too early" : std::strerror(errno)), {},
          n == 0 ? Exit::input : Exit::system);
    done += static_cast<std::size_t>(n);
  }
}

std::vector<GlobalId> StreamFile::keys(std::int32_t set) const {
  const KeySet& of = contents_.keys.at(static_cast<std::size_t>(set));
  std::vector<GlobalId> keys(static_cast<std::size_t>(of.rows * of.width));
  read(of.offset, std::as_writable_bytes(std::span(keys)));
  return keys;
}

void StreamFile::damaged(const std::string& what) const {
  throw Error("CR-T006", fmt::format("the dump is damaged: {} of {} has another checksum", what, path_));
}

void StreamFile::verify(std::int64_t offset, std::int64_t bytes, std::uint64_t checksum,
                        const std::string& what) const {
  Checksum found;
  std::vector<std::byte> piece(static_cast<std::size_t>(std::min(bytes, kVerified)));
  for (std::int64_t done = 0; done < bytes;) {
    const auto n = static_cast<std::size_t>(std::min(bytes - done, kVerified));
    read(offset + done, std::span(piece).first(n));
    found.add(std::span(piece).first(n));
    done += static_cast<std::int64_t>(n);
  }
  if (found.value() != checksum) damaged(what);
}

void StreamFile::verify() const {
  for (const KeySet& keys : contents_.keys)
    verify(keys.offset, keys.bytes(), keys.checksum,
           fmt::format("keys at byte {}", stream_.offset + keys.offset));
  for (const Section& section : contents_.sections)
    if (!section.list)
      verify(section.offset, section.bytes(), section.checksum,
             fmt::format("field '{}' at byte {}", section.name, stream_.offset + section.offset));
}

}  // namespace crumple::restart
