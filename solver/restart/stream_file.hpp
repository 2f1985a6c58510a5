// A stream of a dump, open for reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "restart/contents.hpp"

namespace crumple::restart {

class StreamFile {
 public:
  /// Opens the file and reads the table of contents. @throws Error CR-T005 if the file is missing or too
  /// short, CR-T006 if the table of contents is damaged
  StreamFile(const std::string& folder, const Stream& stream);
  StreamFile(const StreamFile&) = delete;
  StreamFile& operator=(const StreamFile&) = delete;
  ~StreamFile();

  const Contents& contents() const { return contents_; }
  std::vector<GlobalId> keys(std::int32_t set) const;
  /// @throws Error CR-T005 if the file ends before
  void read(std::int64_t offset, std::span<std::byte> bytes) const;
  /// Reads everything. @throws Error CR-T006 with the first section whose checksum differs
  void verify() const;

 private:
  void verify(std::int64_t offset, std::int64_t bytes, std::uint64_t checksum, const std::string& what) const;
  [[noreturn]] void damaged(const std::string& what) const;

  std::string path_;
  Stream stream_;
  int descriptor_ = -1;
  Contents contents_;
};

}  // namespace crumple::restart
