// /proc/meminfo and the files of control groups.
#include "base/free_memory.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

namespace crumple {

namespace {

/// The number behind a name in a file of lines "name number"; the first number of the file for an empty name.
std::optional<double> number_in(const std::string& file, const std::string& name = {}) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    if (!name.empty() && !(words >> word && word == name)) continue;
    if (double number = 0; words >> number) return number;
  }
  return {};
}

std::optional<double> smaller(std::optional<double> a, std::optional<double> b) {
  return a && b ? std::min(*a, *b) : a ? a : b;
}

/// What one group leaves.
std::optional<double> left_in(const std::string& folder, bool version_1) {
  const auto limit =
      number_in(folder + (version_1 ? "/memory.limit_in_bytes" : "/memory.max"));  // "max": none
  const auto used = number_in(folder + (version_1 ? "/memory.usage_in_bytes" : "/memory.current"));
  if (!limit || !used) return {};
  const auto of_files =
      number_in(folder + "/memory.stat", version_1 ? "total_inactive_file" : "inactive_file");
  return std::max(0.0, *limit - *used + of_files.value_or(0.0));
}

}  // namespace

std::optional<double> left_in_group(const std::string& root, std::string path, bool version_1) {
  std::optional<double> left;
  while (true) {
    left = smaller(left, left_in(root + path, version_1));
    const std::size_t end = path.rfind('/');
    if (path.empty() || end == path.npos) return left;
    path.resize(end);
  }
}

double available_memory() {
  std::optional<double> left = number_in("/proc/meminfo", "MemAvailable:");
  if (left) *left *= 1024.0;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // number:controllers:path
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1),
                      path = line.substr(second + 1);
    if (controllers.empty())
      left = smaller(left, left_in_group("/sys/fs/cgroup", path, false));
    else if (controllers == "memory")
      left = smaller(left, left_in_group("/sys/fs/cgroup/memory", path, true));
  }
  return left.value_or(HUGE_VAL);
}

}  // namespace crumple
