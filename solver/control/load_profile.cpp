// Gathers the timers of all ranks.
#include "control/load_profile.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "base/error.hpp"
#include "output/file.hpp"

namespace crumple::control {

std::string load_profile(const parallel::Communicator& comm, const Timers& timers) {
  std::vector<double> mine;
  for (int p = 0; p < static_cast<int>(Phase::count); ++p)
    mine.push_back(timers.seconds(static_cast<Phase>(p)));
  const std::vector<double> all = comm.gather<double>(mine);
  if (!comm.root()) return {};
  std::string text = fmt::format("{:>6}", "rank");
  for (const char* name : kPhaseNames) text += fmt::format("{:>13}", name);
  for (int r = 0; r < comm.size(); ++r) {
    text += fmt::format("\n{:6d}", r);
    for (std::size_t p = 0; p < mine.size(); ++p)
      text += fmt::format("{:11.3f} s", all[static_cast<std::size_t>(r) * mine.size() + p]);
  }
  return text + "\n";
}

void replace_load_profile(const std::string& path, const std::string& table) {
  const std::string part = fmt::format("{}.{}", path, ::getpid());
  output::File file(part);
  file.append(table);
  file.close();
  if (std::rename(part.c_str(), path.c_str()) != 0)
    throw Error("CR-O101", fmt::format("cannot create {}: {}", path, std::strerror(errno)), {}, Exit::system);
}

}  // namespace crumple::control
