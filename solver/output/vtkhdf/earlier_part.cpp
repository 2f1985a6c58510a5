// The check of the file to go on from.
#include "output/vtkhdf/earlier_part.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace crumple::output {

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

}  // namespace crumple::output
