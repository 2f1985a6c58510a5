// VTKHDF: the cells once, then a step per plot state.
#include "output/vtkhdf/vtkhdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "output/file.hpp"
#include "output/vtkhdf/earlier_part.hpp"

namespace crumple::output {

namespace {

/// VTK's numbers of cell types.
enum CellType : std::uint8_t {
  kLine = 3,
  kTriangle = 5,
  kQuad = 9,
  kTetra = 10,
  kHexahedron = 12,
  kWedge = 13,
  kPyramid = 14
};

struct Cells {
  std::vector<std::int64_t> connectivity, offsets{0};
  std::vector<std::uint8_t> types;

  void add(CellType type, std::initializer_list<std::int32_t> nodes) {
    connectivity.insert(connectivity.end(), nodes.begin(), nodes.end());
    offsets.push_back(std::int64_t(connectivity.size()));
    types.push_back(type);
  }
};

/// Adds a brick or a degenerate form, by its repeated nodes. Wedges have a collapsed top (5 = 6, 7 = 8) or
/// two collapsed edges at one side (3 = 4, 7 = 8); the first triangle's normal points to the second, as in
/// VTK since 9.7.
void add_solid(Cells& cells, const std::array<std::int32_t, 8>& n) {
  if (n[3] == n[4] && n[4] == n[5] && n[5] == n[6] && n[6] == n[7]) {
    cells.add(kTetra, {n[0], n[1], n[2], n[3]});
  } else if (n[4] == n[5] && n[5] == n[6] && n[6] == n[7]) {
    cells.add(kPyramid, {n[0], n[1], n[2], n[3], n[4]});
  } else if (n[4] == n[5] && n[6] == n[7]) {
    cells.add(kWedge, {n[0], n[4], n[1], n[3], n[6], n[2]});
  } else if (n[2] == n[3] && n[6] == n[7]) {
    cells.add(kWedge, {n[0], n[1], n[2], n[4], n[5], n[6]});
  } else {
    cells.add(kHexahedron, {n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]});
  }
}

Cells collect_cells(const Catalogue& c) {
  Cells cells;
  for (const auto& n : c.solids.nodes) add_solid(cells, n);
  for (const auto& n : c.beams.nodes) cells.add(kLine, {n[0], n[1]});
  for (const auto& n : c.shells.nodes) {
    if (n[2] == n[3]) {
      cells.add(kTriangle, {n[0], n[1], n[2]});
    } else {
      cells.add(kQuad, {n[0], n[1], n[2], n[3]});
    }
  }
  return cells;
}

/// Von Mises stress of xx yy zz xy yz zx.
double von_mises(const double* s) {
  const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
  return std::sqrt(0.5 * (a * a + b * b + c * c) + 3.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

/// Appends, for each of `n` elements, the largest of get(0), ..., get(points - 1) of its points.
template <class Get>
void append_largest(std::vector<double>& out, std::size_t n, int points, bool present, Get get) {
  for (std::size_t i = 0; i < n; ++i) {
    double largest = 0.0;
    for (int p = 0; present && p < points; ++p) {
      const double value = get(i * std::size_t(points) + std::size_t(p));
      largest = p == 0 ? value : std::max(largest, value);
    }
    out.push_back(largest);
  }
}

std::vector<double> flatten(const std::vector<Vec3>& vectors, std::size_t size) {
  std::vector<double> flat(3 * size, 0.0);
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    for (int k = 0; k < 3; ++k) flat[3 * i + std::size_t(k)] = vectors[i][k];
  }
  return flat;
}

}  // namespace

VtkhdfWriter::VtkhdfWriter(const Catalogue& catalogue, const std::string& directory, VtkhdfOptions options)
    : catalogue_(catalogue),
      options_(std::move(options)),
      path_(directory + "/" + options_.prefix + "results.vtkhdf") {
  try {
    create_datasets();
    publish();
  } catch (...) {
    remove_file(path_);
    throw;
  }
}

VtkhdfWriter::VtkhdfWriter(const Catalogue& catalogue, const std::string& directory, VtkhdfOptions options,
                           const VtkhdfPosition& from)
    : catalogue_(catalogue),
      options_(std::move(options)),
      path_(directory + "/" + options_.prefix + "results.vtkhdf") {
  const hdf5::FileHandle earlier = open_earlier_part(path_, from);
  create_datasets();
  copy_states(earlier.get(), from.states);
}

void VtkhdfWriter::create_datasets() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are raised, not printed
  create_file();
  write_cells();
  const hid_t real = options_.double_precision ? H5T_IEEE_F64LE : H5T_IEEE_F32LE;
  points_ = hdf5::Column(root_.get(), "Points", real, 3, catalogue_.node_id.size());
  add_array(On::points, "NodeId", H5T_STD_I64LE, 1, true);
  add_array(On::points, "Displacement", real, 3, false);
  add_array(On::points, "Velocity", real, 3, false);
  add_array(On::cells, "PartId", H5T_STD_I64LE, 1, true);
  add_array(On::cells, "ElementId", H5T_STD_I64LE, 1, true);
  add_array(On::cells, "Alive", H5T_STD_U8LE, 1, false);
  for (const char* name : {"PlasticStrain", "VonMises", "Thickness"})
    add_array(On::cells, name, real, 1, false);
  std::vector<std::int64_t> parts, elements;
  const auto collect = [&](const auto& e) {
    elements.insert(elements.end(), e.id.begin(), e.id.end());
    for (const std::int32_t p : e.part) parts.push_back(catalogue_.parts[std::size_t(p)].id);
  };
  collect(catalogue_.solids), collect(catalogue_.beams), collect(catalogue_.shells);
  arrays_.at("NodeId").values.append(std::span<const std::int64_t>(catalogue_.node_id));
  arrays_.at("PartId").values.append(std::span<const std::int64_t>(parts));
  arrays_.at("ElementId").values.append(std::span<const std::int64_t>(elements));
}

void VtkhdfWriter::copy_states(hid_t earlier, std::int64_t states) {
  const auto n = static_cast<hsize_t>(states);
  for (auto& [name, column] : step_columns_) column.append_rows_of(earlier, n);
  points_.append_rows_of(earlier, n * catalogue_.node_id.size());
  for (auto& [name, array] : arrays_) {
    array.offsets.append_rows_of(earlier, n);
    const hsize_t rows = array.on == On::points ? catalogue_.node_id.size() : cells();
    if (!array.fixed) array.values.append_rows_of(earlier, n * rows);
  }
  times_.append_rows_of(earlier, n);
  written_ = states;
  hdf5::write_attribute(steps_.get(), "NSteps", written_);
}

void VtkhdfWriter::publish() {
  if (H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) < 0) hdf5::fail("cannot write " + path_);
  storage_->commit();
}

VtkhdfWriter::~VtkhdfWriter() = default;

void VtkhdfWriter::create_file() {
  const std::string what = "cannot create " + path_;
  const hdf5::Property access(H5Pcreate(H5P_FILE_ACCESS), what);
  storage_ = std::make_unique<hdf5::Storage>(path_);
  driver_ = hdf5::DriverHandle(hdf5::register_storage_driver(), what);
  hdf5::use_storage(access.get(), driver_.get(), *storage_);
  // Metadata stay in HDF5's memory until commit(), so that none is written and read again in between.
  H5AC_cache_config_t cache{};
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  if (H5Pget_mdc_config(access.get(), &cache) < 0) hdf5::fail(what);
  cache.evictions_enabled = false;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  if (H5Pset_mdc_config(access.get(), &cache) < 0) hdf5::fail(what);
  file_ = hdf5::FileHandle(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), what);
  hdf5::write_attribute(file_.get(), "Program", catalogue_.run.program());
  root_ = hdf5::create_group(file_.get(), "VTKHDF");
  const std::array<std::int64_t, 2> version = {2, 0};
  hdf5::write_attribute(root_.get(), "Version", version);
  hdf5::write_attribute(root_.get(), "Type", std::string("UnstructuredGrid"));
  steps_ = hdf5::create_group(root_.get(), "Steps");
  // Adjacent in the file, so that write() changes both at once.
  hdf5::write_attribute(steps_.get(), "NSteps", 0);
  times_ = hdf5::Column(steps_.get(), "Values", H5T_IEEE_F64LE, 1, 64);
  point_data_ = hdf5::create_group(root_.get(), "PointData");
  cell_data_ = hdf5::create_group(root_.get(), "CellData");
  point_offsets_ = hdf5::create_group(steps_.get(), "PointDataOffsets");
  cell_offsets_ = hdf5::create_group(steps_.get(), "CellDataOffsets");
}

void VtkhdfWriter::write_cells() {
  const Cells cells = collect_cells(catalogue_);
  const auto store = [&](const char* name, auto type, const auto& values) {
    hdf5::Column column(root_.get(), name, type, 1, values.size());
    column.append(std::span<const typename std::decay_t<decltype(values)>::value_type>(values));
  };
  const auto count = [&](const char* name, std::size_t n) {
    store(name, H5T_STD_I64LE, std::vector<std::int64_t>{std::int64_t(n)});
  };
  count("NumberOfPoints", catalogue_.node_id.size());
  count("NumberOfCells", cells.types.size());
  count("NumberOfConnectivityIds", cells.connectivity.size());
  store("Connectivity", H5T_STD_I64LE, cells.connectivity);
  store("Offsets", H5T_STD_I64LE, cells.offsets);
  store("Types", H5T_STD_U8LE, cells.types);
  for (const char* name :
       {"PartOffsets", "NumberOfParts", "PointOffsets", "CellOffsets", "ConnectivityIdOffsets"}) {
    step_columns_.emplace(name, hdf5::Column(steps_.get(), name, H5T_STD_I64LE, 1, 64));
  }
}

void VtkhdfWriter::add_array(On on, const std::string& name, hid_t type, hsize_t width, bool fixed) {
  const bool points = on == On::points;
  const hsize_t rows = points ? catalogue_.node_id.size() : cells();
  arrays_.emplace(
      name, Array{hdf5::Column((points ? point_data_ : cell_data_).get(), name, type, width, rows),
                  hdf5::Column((points ? point_offsets_ : cell_offsets_).get(), name, H5T_STD_I64LE, 1, 64),
                  on, fixed});
}

void VtkhdfWriter::write_array(const std::string& name, const std::vector<double>& values) {
  arrays_.at(name).values.append(std::span<const double>(values));
}

void VtkhdfWriter::write(const PlotState& plot_state) {
  check_sizes(catalogue_, options_.layout, plot_state);
  // Offsets first: they are the sizes before this state's values.
  write_offsets();
  write_points(plot_state);
  write_cell_data(plot_state);
  publish();
  // The number of steps and their times last: until they change, a reader sees the earlier states. VTK writes
  // beyond an array when there are more times than steps.
  times_.append(std::span<const double>(&plot_state.time, 1));
  hdf5::write_attribute(steps_.get(), "NSteps", ++written_);
  publish();
}

void VtkhdfWriter::write_offsets() {
  const auto add = [&](const char* name, std::int64_t value) {
    step_columns_.at(name).append(std::span<const std::int64_t>(&value, 1));
  };
  add("PartOffsets", 0), add("NumberOfParts", 1);
  add("PointOffsets", std::int64_t(points_.rows()));
  add("CellOffsets", 0), add("ConnectivityIdOffsets", 0);
  for (auto& [name, array] : arrays_) {
    const std::int64_t offset = array.fixed ? 0 : std::int64_t(array.values.rows());
    array.offsets.append(std::span<const std::int64_t>(&offset, 1));
  }
}

void VtkhdfWriter::write_points(const PlotState& s) {
  const std::size_t n = catalogue_.node_id.size();
  std::vector<Vec3> displacement(n);
  for (std::size_t i = 0; i < n; ++i) displacement[i] = s.x[i] - catalogue_.node_x[i];
  points_.append(std::span<const double>(flatten(s.x, n)));
  write_array("Displacement", flatten(displacement, n));
  write_array("Velocity", flatten(s.v, n));
}

void VtkhdfWriter::write_cell_data(const PlotState& s) {
  const Layout& l = options_.layout;
  const std::size_t solids = catalogue_.solids.size(), beams = catalogue_.beams.size(),
                    shells = catalogue_.shells.size();
  std::vector<std::uint8_t> alive;
  const auto flags = [&](const std::vector<std::uint8_t>& given, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) alive.push_back(given.empty() || given[i] ? 1 : 0);
  };
  flags(s.solids.alive, solids), flags(s.beams.alive, beams), flags(s.shells.alive, shells);
  arrays_.at("Alive").values.append(std::span<const std::uint8_t>(alive));

  const auto one = [](const std::vector<double>& values) { return [&](std::size_t p) { return values[p]; }; };
  const auto mises = [](const std::vector<double>& v) {
    return [&](std::size_t p) { return von_mises(&v[6 * p]); };
  };
  std::vector<double> values;
  values.reserve(cells());
  append_largest(values, solids, l.solid_points, !s.solids.plastic_strain.empty(),
                 one(s.solids.plastic_strain));
  append_largest(values, beams, l.beam_points, !s.beams.point.empty(),
                 [&](std::size_t p) { return s.beams.point[5 * p + 3]; });
  append_largest(values, shells, l.shell_layers, !s.shells.plastic_strain.empty(),
                 one(s.shells.plastic_strain));
  write_array("PlasticStrain", values);

  values.clear();
  append_largest(values, solids, l.solid_points, !s.solids.stress.empty(), mises(s.solids.stress));
  append_largest(values, beams, l.beam_points, !s.beams.point.empty(), [&](std::size_t p) {
    const double* b = &s.beams.point[5 * p];
    return std::sqrt(b[0] * b[0] + 3.0 * (b[1] * b[1] + b[2] * b[2]));
  });
  append_largest(values, shells, l.shell_layers, !s.shells.stress.empty(), mises(s.shells.stress));
  write_array("VonMises", values);

  values.assign(solids + beams, 0.0);
  append_largest(values, shells, 1, !s.shells.thickness.empty(), one(s.shells.thickness));
  write_array("Thickness", values);
}

void VtkhdfWriter::close() {
  arrays_.clear(), step_columns_.clear();
  points_ = hdf5::Column(), times_ = hdf5::Column();
  for (hdf5::Group* group : {&cell_offsets_, &point_offsets_, &cell_data_, &point_data_, &steps_, &root_}) {
    group->reset();
  }
  if (!file_.reset()) hdf5::fail("cannot close " + path_);
  storage_->commit();
}

}  // namespace crumple::output
