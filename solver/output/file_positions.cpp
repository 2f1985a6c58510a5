// Checks of the files of an interrupted run, before any is changed.
#include "output/file_positions.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "output/contact_surfaces/surface_files.hpp"
#include "output/file.hpp"

namespace crumple::output {

std::string d3plot_name(std::size_t member, std::string_view family) {
  return member == 0 ? std::string(family) : fmt::format("{}{:02d}", family, member);
}

void check_options(const WriterOptions& before, const WriterOptions& now) {
  const auto same = [](const char* what, bool was, bool is) {
    const auto word = [](bool value) { return value ? "yes" : "no"; };
    if (was != is)
      throw Error("CR-O131", fmt::format("the results cannot go on with other options: {}: {} before, {} now",
                                         what, word(was), word(is)));
  };
  same("double precision in binary files", before.double_precision, now.double_precision);
  same("a d3plot file for each state", before.one_state_per_file, now.one_state_per_file);
  same("results.vtkhdf", before.vtkhdf, now.vtkhdf);
}

void check_files(const FilePositions& positions, const std::string& directory, const std::string& prefix) {
  const auto check = [&](const std::string& name, std::int64_t size) {
    check_can_be_cut(directory + "/" + prefix + name, size);
  };
  for (const auto& [name, size] : positions.texts) check(name, size);
  for (std::size_t k = 0; k < positions.d3plot.sizes.size(); ++k)
    check(d3plot_name(k), positions.d3plot.sizes[k]);
  check(kBinout, positions.binout.file.size);
  for (std::size_t k = 0; k < positions.surfaces.times.size(); ++k) check(contact_surface_name(k), 1);
}

}  // namespace crumple::output
