// A file that rank 0 begins, and that all ranks write which see it as rank 0 does.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/members.hpp"
#include "output/file.hpp"
#include "parallel/communicator.hpp"

namespace crumple::output {

/// How a rank sees a file of states: whether it may write to it.
struct FileView {
  std::uint64_t machine = 0, file_system = 0, number = 0, size = 0;
  bool by_nfs = false;
  bool opened = false;

  /// Whether both are one file, which both may write. Clients of NFS do not keep each other's bytes where
  /// two of them write to the same page.
  bool same(const FileView& root) const {
    if (!opened || file_system != root.file_system || number != root.number) return false;
    // Another machine may know a smaller size, for a while; a larger one is of an older file of that name.
    return machine == root.machine || (size <= root.size && !by_nfs);
  }
};
CRUMPLE_MEMBERS(FileView, machine, file_system, number, size, by_nfs, opened)

/// @param file shared, or closed if it could not be opened
FileView view_of(const File& file);

class SharedFile {
 public:
  explicit SharedFile(const parallel::Communicator& comm) : comm_(&comm) {}

  /// Opens a file, if it is not the open one, and finds out who may write to it. Collective.
  /// @returns whether it was opened, so that the writers may be others
  /// @throws AgreedError CR-O101, CR-O103
  bool open(const std::string& path);
  /// Collective. @throws AgreedError CR-O103
  void close();
  /// Ranks that may write, ascending; rank 0 is the first.
  const std::vector<int>& writers() const { return writers_; }
  /// On ranks that write.
  File& file() { return file_; }

 private:
  const parallel::Communicator* comm_;
  File file_;
  std::vector<int> writers_;
};

}  // namespace crumple::output
