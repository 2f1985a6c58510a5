// Writes plot states as a VTKHDF file, which ParaView and pyvista open without a plug-in.
//
// Format: VTK's "VTKHDF file format" 2.x, type UnstructuredGrid with Steps: the cells are stored once,
// positions and results of each state are appended and found by offsets. Each state has chunks of its own, so
// that any rank can write them (SharedSteps): after its rows the last one may have rows of zeros, at which no
// offset points.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "output/file_positions.hpp"
#include "output/results.hpp"
#include "output/vtkhdf/chunks.hpp"
#include "output/vtkhdf/hdf5.hpp"
#include "output/vtkhdf/step_rows.hpp"
#include "output/vtkhdf/storage.hpp"

namespace crumple::output {

struct VtkhdfOptions {
  Layout layout;
  bool double_precision = false;  ///< values as 8-byte floats
  std::string prefix;             ///< put before the file's name
  /// Level of deflate, 1 to 9; 0: none. A file goes on with that of its earlier part.
  int compression = 0;
  std::size_t piece = kPiece;  ///< rows of a chunk at most
};

/// `directory`/results.vtkhdf: deformed points with Displacement, Velocity, NodeId; cells (solids, beams,
/// shells) with PartId, ElementId, Alive, PlasticStrain and VonMises (largest over points and layers, 0 for
/// elements without them) and Thickness (0 except for shells). Not collective: only rank 0 has one.
class VtkhdfWriter {
 public:
  /// `catalogue` must outlive this. @throws Error CR-O120
  VtkhdfWriter(const Catalogue& catalogue, const std::string& directory, VtkhdfOptions options);
  /// Goes on after the first states of the file of an earlier part of the run. HDF5 rewrites its metadata, so
  /// that a file cannot be cut at a place, and a killed run may have left parts of a state in them. So the
  /// states that stay are copied to a new file, chunk by chunk as they are stored. It takes the old one's
  /// place in publish(), at once: until then, and on any error, the old one is as it was. This needs room for
  /// both. The bytes are those of a run without interruption.
  /// @throws Error CR-O130 when there is no such file, or it has fewer states; CR-O131 when it has another
  /// compression than asked for, or chunks of another size; CR-O120
  VtkhdfWriter(const Catalogue& catalogue, const std::string& directory, VtkhdfOptions options,
               const VtkhdfPosition& from);
  ~VtkhdfWriter();

  /// Appends a state and passes it to the system. For readers the file changes only at the end of this call:
  /// if the run is killed before, or the disk is full, earlier states remain readable.
  /// @throws Error CR-O001, CR-O120; after the latter the writer must not be used any more
  void write(const PlotState& plot_state);

  /// Places of chunks in the file, by their number and then by array, as in `arrays_on`.
  using Places = std::vector<std::int64_t>;
  /// A state whose rows of points and cells others write (SharedSteps).
  struct Begun {
    std::string path;
    StepCounts counts;
    int compression = 0;
    std::array<Places, 2> places;  ///< on points and on cells, if they are not compressed
  };
  /// @throws Error CR-O120, as write() does
  Begun begin_step();
  /// Makes room for compressed chunks: first on points, then on cells. @throws Error CR-O120
  /// @param sizes by the number of the chunk, and then by array
  Places reserve(On on, std::span<const hdf5::StoredSize> sizes);
  /// Ends a state whose chunks are all written. @throws Error CR-O120
  void end_step(double time);

  /// Shows readers the file as it is after the last state. `write` and `close` do this, too.
  void publish();
  /// After the last complete state.
  VtkhdfPosition position() const { return {written_}; }
  void close();

 private:
  /// An array of a step, and in which row each step begins.
  struct Array {
    hdf5::Chunks values;
    hdf5::Column offsets;
  };

  void create_datasets();
  void copy_states(hid_t earlier, std::int64_t states);
  void create_file();
  void write_cells();
  void write_numbers();
  void add_arrays(On on);
  void add_fixed(On on, const char* name, const std::vector<std::int64_t>& values);
  void write_offsets();
  StepChunk chunk(On on, Range piece, const PlotState& s) const;
  void add_time(double time);
  void flush();
  std::vector<Array>& arrays(On on) { return arrays_[std::size_t(on)]; }

  const Catalogue& catalogue_;
  VtkhdfOptions options_;
  StepRows rows_;
  StepCounts counts_;
  std::string path_;
  std::unique_ptr<hdf5::Storage> storage_;
  hdf5::DriverHandle driver_;
  hdf5::FileHandle file_;
  hdf5::Group root_, steps_, point_data_, cell_data_, point_offsets_, cell_offsets_;
  hdf5::Column times_, parts_;
  std::vector<hdf5::Column> zeros_;  ///< offsets of what is stored once
  std::array<std::vector<Array>, 2> arrays_;
  std::int64_t written_ = 0;
};

}  // namespace crumple::output
