// Opens a file on all ranks, and compares how they see it.
#include "output/shared_file.hpp"

#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <functional>
#include <optional>

#include "parallel/agreed_error.hpp"

namespace crumple::output {

namespace {

std::uint64_t this_machine() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return std::hash<std::string>{}(name.data());
}

}  // namespace

FileView view_of(const File& file) {
  FileView view;
  struct stat status {};
  struct statfs system {};
  if (!file.is_open() || ::fstat(file.descriptor(), &status) != 0) return view;
  if (::fstatfs(file.descriptor(), &system) != 0) return view;
  static_assert(sizeof system.f_fsid == sizeof view.file_system);
  std::memcpy(&view.file_system, &system.f_fsid, sizeof view.file_system);
  view.machine = this_machine();
  view.number = status.st_ino;
  view.size = std::uint64_t(status.st_size);
  constexpr auto kNfs = 0x6969;
  view.by_nfs = system.f_type == kNfs;
  view.opened = true;
  return view;
}

bool SharedFile::open(const std::string& path) {
  const bool same = file_.is_open() && file_.path() == path;
  if (!comm_->any(!same)) return false;
  close();
  const std::optional<Error> error = parallel::error_of([&] { file_ = File::share(path); });
  parallel::agree_on_error(*comm_, comm_->root() ? error : std::nullopt);
  const std::vector<FileView> views = comm_->all_gather<FileView>(std::array{view_of(file_)});
  writers_.clear();
  for (std::size_t r = 0; r < views.size(); ++r)
    if (r == 0 || views[r].same(views[0])) writers_.push_back(int(r));
  return true;
}

void SharedFile::close() {
  parallel::agree_on_error(*comm_, parallel::error_of([&] { file_.close(); }));
}

}  // namespace crumple::output
