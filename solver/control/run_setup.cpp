// The parts of the start that the explicit and the implicit run share.
#include "control/run_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <span>
#include <vector>

#include "base/resources_used.hpp"
#include "control/earlier_results.hpp"
#include "output/file.hpp"
#include "restart/dump.hpp"

namespace crumple::control {

namespace {

constexpr std::size_t kRanksListed = 8;

/// Data for the headers of results.
output::RunInfo run_info(const Version& version, bool single_precision) {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  return {fmt::format("crumple {} {}", version.number, single_precision ? "s" : "d"), version.revision,
          fmt::format("{:02d}/{:02d}/{}", utc.tm_mon + 1, utc.tm_mday, utc.tm_year + 1900), now};
}

}  // namespace

elements::Isa choose_isa(const parallel::Communicator& comm, const std::string& asked) {
  elements::Isa limit = elements::Isa::avx512;
  if (asked == "baseline") limit = elements::Isa::baseline;
  if (asked == "avx2") limit = elements::Isa::avx2;
  const elements::Isa best = elements::best_isa(limit);
  return static_cast<elements::Isa>(comm.min(static_cast<std::int64_t>(best)));
}

output::RecorderOptions recorder_options(const Options& options, const Version& version,
                                         const Restarted* restarted) {
  output::RecorderOptions asked{options.directory,          options.prefix(),
                                options.double_files,       options.vtkhdf,
                                options.vtkhdf_compression, run_info(version, options.single_precision)};
  if (restarted != nullptr) asked.go_on = restarted->index.files;
  asked.live = options.live;
  return asked;
}

std::string make_room(const Options& options, const parallel::Communicator& comm,
                      const Restarted* restarted) {
  if (!comm.root()) return {};
  const std::string prefix = options.prefix();
  if (restarted != nullptr) {
    refuse_folder_in_use(options.directory, prefix);
    restart::remove_unfinished(options.directory, prefix);
    remove_later_dumps(*restarted, prefix);
    return {};
  }
  if (!options.overwrite) return keep_earlier_results(options.directory, prefix);
  refuse_folder_in_use(options.directory, prefix);
  for (const std::string& file : restart::dump_files_in(options.directory, prefix)) output::remove_file(file);
  return {};
}

std::string moved_text(const std::string& folder) {
  if (folder.empty()) return {};
  return fmt::format(" results of an earlier run were moved to {} (--overwrite replaces them)\n", folder);
}

TimeLimit limits_of_run(const Options& options, const model::Control& control,
                        TimeLimit::Clock::time_point began) {
  TimeLimit limit(began);
  if (options.walltime) limit.limit_elapsed(*options.walltime, "the limit of --walltime");
  if (const auto left = left_of_slurm_job())
    limit.limit_elapsed(*left, "the end of the Slurm job", TimeLimit::Clock::now());
  if (control.cpu_limit > 0.0) limit.limit_processor(control.cpu_limit, "CPUTIM of *CONTROL_CPU");
  return limit;
}

std::string peak_memory_text(const parallel::Communicator& comm) {
  const double mine = peak_memory();
  return peak_memory_text(comm.gather<double>(std::span(&mine, 1)));
}

std::string peak_memory_text(const std::vector<double>& all) {
  std::string text = "peak memory:";
  for (std::size_t r = 0; r < all.size(); ++r)
    if (r == 0 || all.size() <= kRanksListed)
      text += fmt::format("{} {:.1f} MB on rank {}", r == 0 ? "" : ",", 1e-6 * all[r], r);
  if (all.size() > kRanksListed)
    text += fmt::format(", up to {:.1f} MB on others", 1e-6 * *std::max_element(all.begin() + 1, all.end()));
  return text;
}

std::string without_text(std::size_t dropped) {
  if (dropped == 0) return {};
  return fmt::format(
      " without physics that the deck asks for (--allow-unsupported): {} place{}, listed under "
      "\"left out\" in d3hsp\n",
      dropped, dropped == 1 ? "" : "s");
}

}  // namespace crumple::control
