// Writes a file for one pair of eyes.
#include "output/live/watch_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.hpp"
#include "output/file.hpp"

namespace crumple::output {

void write_watch_file(const std::string& path, const ListeningAt& at) {
  const std::string part = fmt::format("{}.{}", path, ::getpid());
  remove_file(part);
  const int file = ::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0)
    throw Error("CR-O101", fmt::format("cannot create {}: {}", part, std::strerror(errno)), {}, Exit::system);
  // None of these has a character that JSON would not take as it is.
  const std::string text =
      fmt::format("{{\"host\": \"{}\", \"address\": \"{}\", \"port\": {}, \"token\": \"{}\"}}\n", at.host,
                  at.address, at.port, at.token);
  const bool whole = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  int why = errno;
  ::close(file);
  const bool placed = whole && std::rename(part.c_str(), path.c_str()) == 0;  // a reader finds all or nothing
  if (whole && !placed) why = errno;
  if (!placed)
    throw Error("CR-O102", fmt::format("cannot write {}: {}", path, std::strerror(why)), {}, Exit::system);
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace crumple::output
