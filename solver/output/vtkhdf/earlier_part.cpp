// The check of the file to go on from.
#include "output/vtkhdf/earlier_part.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace crumple::output {

namespace {

std::string path_of(On on, const StepArray& array) {
  return fmt::format("VTKHDF/{}", path_in_root(on, array));
}

}  // namespace

hdf5::FileHandle open_earlier_part(const std::string& path, const VtkhdfPosition& position) {
  const auto refuse = [&](const std::string& what) {
    throw Error(
        "CR-O130",
        fmt::format("the results cannot go on: {} {}; {} states are expected", path, what, position.states),
        {}, Exit::system);
  };
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are raised, not printed
  hdf5::FileHandle file;
  std::int64_t states = 0;
  try {
    const hdf5::Property access(H5Pcreate(H5P_FILE_ACCESS), "cannot be opened");
    H5Pset_file_locking(access.get(), false, true);  // not every file system has locks
    file = hdf5::FileHandle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), "cannot be opened");
    states = hdf5::read_attribute(file.get(), "VTKHDF/Steps", "NSteps");
  } catch (const Error& error) {
    refuse(error.message());
  }
  if (states < position.states) refuse(fmt::format("has {} states", states));
  return file;
}

std::vector<hdf5::EarlierChunks> earlier_arrays(hid_t file, On on) {
  std::vector<hdf5::EarlierChunks> arrays;
  for (const StepArray& array : arrays_on(on)) arrays.emplace_back(file, path_of(on, array));
  return arrays;
}

int compression_of(hid_t earlier, int asked, const StepCounts& counts) {
  const auto refuse = [](const char* what, auto before, auto now) {
    throw Error("CR-O131", fmt::format("the results cannot go on with other options: {} of results.vtkhdf: "
                                       "{} before, {} now",
                                       what, before, now));
  };
  int found = 0;
  for (const On on : kOnBoth) {
    if (counts.rows(on) == 0) continue;
    const hdf5::EarlierChunks array(earlier, path_of(on, arrays_on(on)[0]));
    if (array.chunk_rows() != counts.chunk(on))
      refuse("rows in a chunk", array.chunk_rows(), hsize_t(counts.chunk(on)));
    found = array.compression();
  }
  if (asked > 0 && asked != found) refuse("compression", found, asked);
  return found;
}

}  // namespace crumple::output
