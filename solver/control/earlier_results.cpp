// Finds and moves the files of an earlier run.
#include "control/earlier_results.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "model/feature.hpp"
#include "output/contact_surfaces/surface_files.hpp"
#include "restart/dump.hpp"

namespace crumple::control {

namespace fs = std::filesystem;

namespace {

/// Results with a fixed file name.
constexpr std::array kNames{"d3hsp",  "load_profile", "results.vtkhdf", "displacements", "run.json",
                            "glstat", "matsum",       "rcforc",         "rwforc",        "nodout",
                            "swforc", "secforc",      "spcforc",        "bndout",        "bndout_blocks",
                            "sleout", "ncforc",       "elout",          "deforc",        "jntforc",
                            "rbdout", "report.html",  "eigout",         "dynain",        "convergence.jsonl"};
/// Names that may be followed by digits: d3plot, d3plot01, ...; binout0000.
constexpr std::array kFamilies{"d3plot", "d3eigv", "d3eigv_", "eigout_", "binout"};

bool is_result(std::string_view name) {
  if (std::find(kNames.begin(), kNames.end(), name) != kNames.end() || restart::is_dump_file(name))
    return true;
  if (output::is_contact_surface_name(name)) return true;
  for (const model::Feature* const feature : model::features())
    if (std::ranges::find(feature->histories(), name) != feature->histories().end()) return true;
  return std::any_of(kFamilies.begin(), kFamilies.end(), [&](std::string_view stem) {
    return name.starts_with(stem) &&
           std::all_of(name.begin() + static_cast<std::ptrdiff_t>(stem.size()), name.end(),
                       [](unsigned char c) { return std::isdigit(c) || c == '%'; });
  });
}

[[noreturn]] void fail(const std::string& what, const std::error_code& error) {
  throw Error("CR-O106", fmt::format("cannot keep the earlier results: {}: {}", what, error.message()), {},
              Exit::system);
}

std::vector<fs::path> results_in(const std::string& directory, const std::string& prefix) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    std::error_code ignored;
    if (name.starts_with(prefix) && is_result(std::string_view(name).substr(prefix.size())) &&
        it->is_regular_file(ignored))
      found.push_back(it->path());
  }
  if (error && error != std::errc::no_such_file_or_directory) fail(directory, error);
  std::sort(found.begin(), found.end());
  return found;
}

/// The first free name. The folder is created at once, so that no two runs take the same name.
fs::path new_folder(const std::string& directory) {
  for (int k = 1;; ++k) {
    fs::path folder = fs::path(directory) / fmt::format("previous-{}", k);
    std::error_code error;
    if (fs::create_directory(folder, error)) return folder;
    if (error && error != std::errc::file_exists) fail(folder.string(), error);
  }
}

std::string log_of(const std::string& directory, const std::string& prefix) {
  return directory + "/" + prefix + "d3hsp";
}

}  // namespace

bool has_run(const std::string& directory, const std::string& prefix) {
  std::error_code ignored;
  return fs::exists(log_of(directory, prefix), ignored);
}

void refuse_folder_in_use(const std::string& directory, const std::string& prefix) {
  const std::string path = log_of(directory, prefix);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  const bool in_use = ::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(file);
  if (in_use)
    throw Error("CR-O105",
                fmt::format("another run is writing its results to {}: give this one a folder of its own, or "
                            "a jobid",
                            directory),
                {}, Exit::input);
}

std::string keep_earlier_results(const std::string& directory, const std::string& prefix) {
  refuse_folder_in_use(directory, prefix);
  const std::vector<fs::path> found = results_in(directory, prefix);
  if (found.empty()) return {};
  const fs::path folder = new_folder(directory);
  for (const fs::path& path : found) {
    std::error_code error;
    fs::rename(path, folder / path.filename(), error);
    if (error) fail(path.string(), error);
  }
  return folder.string();
}

FolderInUse::FolderInUse(const std::string& directory, const std::string& prefix)
    : descriptor_(::open(log_of(directory, prefix).c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ >= 0) ::flock(descriptor_, LOCK_EX | LOCK_NB);
}

FolderInUse::~FolderInUse() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace crumple::control
