// Opens the results.vtkhdf of an earlier part of a run, to take its states over.
#pragma once

#include <string>

#include "output/file_positions.hpp"
#include "output/vtkhdf/hdf5.hpp"

namespace crumple::output {

/// Opens a file for reading that has at least the states of a position. @throws Error CR-O130
hdf5::FileHandle open_earlier_part(const std::string& path, const VtkhdfPosition& position);

}  // namespace crumple::output
