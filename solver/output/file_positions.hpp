// Where each output file of a run stands at a moment: from there a later run goes on with the same files.
//
// Plain data: a dump stores it as packed bytes (base/packing.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/members.hpp"
#include "output/results.hpp"

namespace crumple::output {

/// Options of the writers that a run cannot change in files that it has begun.
struct WriterOptions {
  bool double_precision = false;
  bool one_state_per_file = false;
  bool vtkhdf = false;
};
CRUMPLE_MEMBERS(WriterOptions, double_precision, one_state_per_file, vtkhdf)

struct D3plotPosition {
  std::vector<std::int64_t> sizes;  ///< bytes of d3plot, d3plot01, ...; a file of states ends in its end mark
  std::int64_t states = 0;
  std::int64_t state_words = 0;  ///< of one state
};
CRUMPLE_MEMBERS(D3plotPosition, sizes, states, state_words)

struct LsdaPosition {
  std::int64_t size = 0;  ///< bytes
  std::int64_t link = 0;  ///< offset of the word that will point to the next symbol table
  std::string written_directory;
};
CRUMPLE_MEMBERS(LsdaPosition, size, link, written_directory)

struct BinoutPosition {
  LsdaPosition file;
  std::map<std::string, int> states;  ///< by branch
};
CRUMPLE_MEMBERS(BinoutPosition, file, states)

/// Rows of all datasets follow from the number of states. There are no bytes: those of HDF5's metadata depend
/// on when they were written.
struct VtkhdfPosition {
  std::int64_t states = 0;
};
CRUMPLE_MEMBERS(VtkhdfPosition, states)

/// A file for each state, and their list.
struct ContactSurfacePosition {
  std::vector<double> times;  ///< of the states
};
CRUMPLE_MEMBERS(ContactSurfacePosition, times)

struct FilePositions {
  RunInfo run;  ///< of the first part: for the headers of files that begin later
  WriterOptions options;
  std::map<std::string, std::int64_t> texts;  ///< bytes of text histories and d3hsp, by name without prefix
  D3plotPosition d3plot;
  BinoutPosition binout;
  VtkhdfPosition vtkhdf;  ///< if options.vtkhdf
  ContactSurfacePosition surfaces;
};
CRUMPLE_MEMBERS(FilePositions, run, options, texts, d3plot, binout, vtkhdf, surfaces)

inline constexpr const char* kD3hsp = "d3hsp";
inline constexpr const char* kBinout = "binout0000";
/// 0: "d3plot", 1: "d3plot01", ...
std::string d3plot_name(std::size_t member, std::string_view family = "d3plot");

/// Refuses to go on with other options. @throws Error CR-O131 with both values
void check_options(const WriterOptions& before, const WriterOptions& now);

/// Refuses to go on where a file is missing or shorter than its position, or cannot be written. Changes
/// nothing. results.vtkhdf is not among them: its writer checks its states before it changes the file.
/// @throws Error CR-O130 with the file, its size and its position
void check_files(const FilePositions& positions, const std::string& directory, const std::string& prefix);

}  // namespace crumple::output
