// Writes plot states as a VTKHDF file, which ParaView and pyvista open without a plug-in.
//
// Format: VTK's "VTKHDF file format" 2.x, type UnstructuredGrid with Steps: the cells are stored once,
// positions and results of each state are appended and found by offsets.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "output/file_positions.hpp"
#include "output/results.hpp"
#include "output/vtkhdf/hdf5.hpp"
#include "output/vtkhdf/storage.hpp"

namespace crumple::output {

struct VtkhdfOptions {
  Layout layout;
  bool double_precision = false;  ///< values as 8-byte floats
  std::string prefix;             ///< put before the file's name
};

/// `directory`/results.vtkhdf: deformed points with Displacement, Velocity, NodeId; cells (solids, beams,
/// shells) with PartId, ElementId, Alive, PlasticStrain and VonMises (largest over points and layers, 0 for
/// elements without them) and Thickness (0 except for shells). Not collective; serial HDF5 access.
class VtkhdfWriter {
 public:
  /// `catalogue` must outlive this. @throws Error CR-O120
  VtkhdfWriter(const Catalogue& catalogue, const std::string& directory, VtkhdfOptions options);
  /// Goes on after the first states of the file of an earlier part of the run. HDF5 rewrites its metadata, so
  /// that a file cannot be cut at a place, and a killed run may have left parts of a state in them. So the
  /// states that stay are copied to a new file, which takes the old one's place in publish(), at once: until
  /// then, and on any error, the old one is as it was. This needs room for both, and time: less than writing
  /// these states has taken (seen: 1.7 s against 2.6 s for 20 states of a million shells, 1 GB).
  /// Datasets and attributes are those of a run without interruption; the bytes of HDF5's metadata
  /// and the places of data may differ.
  /// @throws Error CR-O130 when there is no such file, or it has fewer states; CR-O120
  VtkhdfWriter(const Catalogue& catalogue, const std::string& directory, VtkhdfOptions options,
               const VtkhdfPosition& from);
  ~VtkhdfWriter();

  /// Appends a state and passes it to the system. For readers the file changes only at the end of this call:
  /// if the run is killed before, or the disk is full, earlier states remain readable.
  /// @throws Error CR-O001, CR-O120; after the latter the writer must not be used any more
  void write(const PlotState& plot_state);
  /// Shows readers the file as it is after the last state. `write` and `close` do this, too.
  void publish();
  /// After the last complete state.
  VtkhdfPosition position() const { return {written_}; }
  void close();

 private:
  enum class On { points, cells };

  std::size_t cells() const {
    return catalogue_.solids.size() + catalogue_.beams.size() + catalogue_.shells.size();
  }
  void create_datasets();
  void copy_states(hid_t earlier, std::int64_t states);
  void create_file();
  void write_cells();
  void add_array(On on, const std::string& name, hid_t type, hsize_t width, bool fixed);
  void write_array(const std::string& name, const std::vector<double>& values);
  void write_points(const PlotState& s);
  void write_cell_data(const PlotState& s);
  void write_offsets();

  struct Array {
    hdf5::Column values, offsets;
    On on = On::points;
    bool fixed = false;  ///< the same in every state, stored once
  };

  const Catalogue& catalogue_;
  VtkhdfOptions options_;
  std::string path_;
  std::unique_ptr<hdf5::Storage> storage_;
  hdf5::DriverHandle driver_;
  hdf5::FileHandle file_;
  hdf5::Group root_, steps_, point_data_, cell_data_, point_offsets_, cell_offsets_;
  hdf5::Column points_, times_;
  std::map<std::string, hdf5::Column> step_columns_;
  std::map<std::string, Array> arrays_;
  std::int64_t written_ = 0;
};

}  // namespace crumple::output
