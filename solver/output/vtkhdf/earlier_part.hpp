// Opens the results.vtkhdf of an earlier part of a run, to take its states over.
#pragma once

#include <string>

#include "output/file_positions.hpp"
#include "output/vtkhdf/chunks.hpp"
#include "output/vtkhdf/hdf5.hpp"
#include "output/vtkhdf/step_rows.hpp"

namespace crumple::output {

/// Opens a file for reading that has at least the states of a position. @throws Error CR-O130
hdf5::FileHandle open_earlier_part(const std::string& path, const VtkhdfPosition& position);

/// The arrays of its states.
std::vector<hdf5::EarlierChunks> earlier_arrays(hid_t file, On on);

/// The level of compression with which a file goes on: that of its earlier part.
/// @param asked 0: not given @throws Error CR-O131 where another one is asked for, or chunks have another
/// size
int compression_of(hid_t earlier, int asked, const StepCounts& counts);

}  // namespace crumple::output
