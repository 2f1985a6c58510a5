// VTKHDF: the cells once, then a step per plot state.
#include "output/vtkhdf/vtkhdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.hpp"
#include "output/file.hpp"
#include "output/vtkhdf/earlier_part.hpp"

namespace crumple::output {

namespace {

/// VTK's numbers of cell types.
enum CellType : std::uint8_t {
  kVertex = 1,
  kLine = 3,
  kTriangle = 5,
  kQuad = 9,
  kTetra = 10,
  kHexahedron = 12,
  kWedge = 13,
  kPyramid = 14,
  kQuadraticTetra = 24
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

/// The nodes in the middle of a solid's edges, which VTK has in the same order; null without any.
const MiddleOfEdges* middle_of(const Catalogue& c, std::size_t e) {
  return c.solid_middle.empty() || c.solid_middle[e][0] < 0 ? nullptr : &c.solid_middle[e];
}

Cells collect_cells(const Catalogue& c) {
  Cells cells;
  for (std::size_t e = 0; e < c.solids.size(); ++e) {
    const auto& n = c.solids.nodes[e];
    if (const MiddleOfEdges* const m = middle_of(c, e))
      cells.add(kQuadraticTetra,
                {n[0], n[1], n[2], n[3], (*m)[0], (*m)[1], (*m)[2], (*m)[3], (*m)[4], (*m)[5]});
    else
      add_solid(cells, n);
  }
  for (const auto& n : c.beams.nodes) cells.add(kLine, {n[0], n[1]});
  for (const auto& n : c.shells.nodes) {
    if (n[2] == n[3]) {
      cells.add(kTriangle, {n[0], n[1], n[2]});
    } else {
      cells.add(kQuad, {n[0], n[1], n[2], n[3]});
    }
  }
  for (const auto& n : c.particles.nodes) cells.add(kVertex, {n[0]});
  return cells;
}

}  // namespace

VtkhdfWriter::VtkhdfWriter(const Catalogue& catalogue, const std::string& directory, VtkhdfOptions options)
    : catalogue_(catalogue),
      options_(std::move(options)),
      rows_(options_.layout, options_.double_precision),
      counts_(step_counts(catalogue.node_id.size(), catalogue.solids.size(), catalogue.beams.size(),
                          catalogue.shells.size(), catalogue.particles.size(), options_.piece)),
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
      rows_(options_.layout, options_.double_precision),
      counts_(step_counts(catalogue.node_id.size(), catalogue.solids.size(), catalogue.beams.size(),
                          catalogue.shells.size(), catalogue.particles.size(), options_.piece)),
      path_(directory + "/" + options_.prefix + "results.vtkhdf") {
  const hdf5::FileHandle earlier = open_earlier_part(path_, from);
  options_.compression = compression_of(earlier.get(), options_.compression, counts_);
  create_datasets();
  flush();
  copy_states(earlier.get(), from.states);
}

void VtkhdfWriter::create_datasets() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are raised, not printed
  create_file();
  write_cells();
  for (const On on : kOnBoth) add_arrays(on);
  write_numbers();
}

/// With the calls of the run before, so that HDF5 places everything as it did then.
void VtkhdfWriter::copy_states(hid_t earlier, std::int64_t states) {
  const std::vector<double> times =
      hdf5::read_numbers(earlier, "VTKHDF/Steps/Values", static_cast<hsize_t>(states));
  std::array<std::vector<hdf5::EarlierChunks>, 2> from;
  for (const On on : kOnBoth) from[std::size_t(on)] = earlier_arrays(earlier, on);
  for (std::size_t step = 0; step < times.size(); ++step) {
    const Begun begun = begin_step();
    for (const On on : kOnBoth) {
      const std::vector<hdf5::EarlierChunks>& arrays = from[std::size_t(on)];
      const std::size_t chunks = counts_.chunks(on), first = step * chunks;
      std::vector<hdf5::StoredSize> sizes;
      for (std::size_t k = 0; k < chunks; ++k)
        for (const hdf5::EarlierChunks& array : arrays) sizes.push_back(array.size(first + k));
      const Places places = options_.compression > 0 ? reserve(on, sizes) : begun.places[std::size_t(on)];
      for (std::size_t k = 0; k < places.size(); ++k)
        storage_->write(places[k], arrays[k % arrays.size()].read(first + k / arrays.size()));
    }
    flush();
    add_time(times[step]);
    flush();
  }
}

void VtkhdfWriter::flush() {
  if (H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) < 0) hdf5::fail("cannot write " + path_);
}

void VtkhdfWriter::publish() {
  flush();
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
  const hdf5::Property creation(H5Pcreate(H5P_FILE_CREATE), what);
  if (H5Pset_obj_track_times(creation.get(), false) < 0) hdf5::fail(what);  // the same bytes at any time
  file_ = hdf5::FileHandle(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), what);
  hdf5::write_attribute(file_.get(), "Program", catalogue_.run.program());
  root_ = hdf5::create_group(file_.get(), "VTKHDF");
  const std::array<std::int64_t, 2> version = {2, 0};
  hdf5::write_attribute(root_.get(), "Version", version);
  hdf5::write_attribute(root_.get(), "Type", std::string("UnstructuredGrid"));
  steps_ = hdf5::create_group(root_.get(), "Steps");
  // Adjacent in the file, so that add_time() changes both at once.
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
    const int compression = values.size() > 1 ? options_.compression : 0;
    hdf5::Column column(root_.get(), name, type, 1, values.size(), compression);
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
  for (const char* name : {"PartOffsets", "CellOffsets", "ConnectivityIdOffsets"})
    zeros_.emplace_back(steps_.get(), name, H5T_STD_I64LE, 1, 64);
  parts_ = hdf5::Column(steps_.get(), "NumberOfParts", H5T_STD_I64LE, 1, 64);
}

void VtkhdfWriter::add_arrays(On on) {
  const hid_t real = options_.double_precision ? H5T_IEEE_F64LE : H5T_IEEE_F32LE;
  const bool points = on == On::points;
  for (const StepArray& array : arrays_on(on)) {
    const std::string path = path_in_root(on, array);
    const bool in_root = path == array.name;
    const hid_t offsets = (in_root ? steps_ : points ? point_offsets_ : cell_offsets_).get();
    arrays(on).push_back(
        {hdf5::Chunks(root_.get(), path, array.is_flag ? H5T_STD_U8LE : real, array.width, counts_.chunk(on),
                      options_.compression),
         hdf5::Column(offsets, in_root ? "PointOffsets" : array.name, H5T_STD_I64LE, 1, 64)});
  }
}

/// An array that is the same in every state, and stored once.
void VtkhdfWriter::add_fixed(On on, const char* name, const std::vector<std::int64_t>& values) {
  const bool points = on == On::points;
  hdf5::Column column((points ? point_data_ : cell_data_).get(), name, H5T_STD_I64LE, 1, values.size(),
                      options_.compression);
  column.append(std::span<const std::int64_t>(values));
  zeros_.emplace_back((points ? point_offsets_ : cell_offsets_).get(), name, H5T_STD_I64LE, 1, 64);
}

/// User numbers of nodes, elements and their parts.
void VtkhdfWriter::write_numbers() {
  std::vector<std::int64_t> parts, elements;
  const auto collect = [&](const auto& e) {
    elements.insert(elements.end(), e.id.begin(), e.id.end());
    for (const std::int32_t p : e.part) parts.push_back(catalogue_.parts[std::size_t(p)].id);
  };
  collect(catalogue_.solids), collect(catalogue_.beams), collect(catalogue_.shells);
  collect(catalogue_.particles);
  add_fixed(On::points, "NodeId", {catalogue_.node_id.begin(), catalogue_.node_id.end()});
  add_fixed(On::cells, "PartId", parts);
  add_fixed(On::cells, "ElementId", elements);
}

void VtkhdfWriter::write(const PlotState& plot_state) {
  check_sizes(catalogue_, options_.layout, plot_state);
  const Begun begun = begin_step();
  for (const On on : kOnBoth) {
    std::vector<hdf5::StoredChunk> stored;
    std::vector<hdf5::StoredSize> sizes;
    for (const Range& piece : pieces_of(counts_.rows(on), counts_.chunk(on))) {
      StepChunk all = chunk(on, piece, plot_state);
      for (std::size_t k = 0; k < all.arrays().size(); ++k) {
        stored.push_back(hdf5::compressed(std::move(all.arrays()[k]), rows_.value_bytes(arrays_on(on)[k]),
                                          options_.compression));
        sizes.push_back({std::ssize(stored.back().bytes), stored.back().filtered});
      }
    }
    const Places places = options_.compression > 0 ? reserve(on, sizes) : begun.places[std::size_t(on)];
    for (std::size_t k = 0; k < places.size(); ++k) storage_->write(places[k], stored[k].bytes);
  }
  end_step(plot_state.time);
}

StepChunk VtkhdfWriter::chunk(On on, Range piece, const PlotState& s) const {
  StepChunk chunk(rows_, on, counts_.chunk(on));
  std::size_t number = 0;
  const auto add = [&](auto&& put) {
    Words row(rows_.wide(), rows_.bytes(on));
    put(row);
    chunk.set(number++, row.bytes().data());
  };
  for (std::size_t i = piece.first; on == On::points && i < piece.last; ++i)
    add([&](Words& row) {
      StepRows::put_point(row, s.x[i], catalogue_.node_x[i], s.v.empty() ? Vec3{} : s.v[i]);
    });
  for (const ElementKind kind : kCellKinds) {
    if (on == On::points) break;
    const Range here = of_kind(piece, counts_.cells(kind));
    for (std::size_t i = here.first; i < here.last; ++i)
      add([&](Words& row) { rows_.put_cell(row, kind, s, i); });
  }
  return chunk;
}

VtkhdfWriter::Begun VtkhdfWriter::begin_step() {
  write_offsets();
  Begun begun{path_, counts_, options_.compression, {}};
  if (options_.compression > 0) return begun;
  for (const On on : kOnBoth) {
    std::vector<hdf5::StoredSize> sizes;
    for (std::size_t k = 0; k < counts_.chunks(on); ++k)
      for (const Array& array : arrays(on))
        sizes.push_back({std::int64_t(array.values.chunk_bytes()), false});
    begun.places[std::size_t(on)] = reserve(on, sizes);
  }
  return begun;
}

VtkhdfWriter::Places VtkhdfWriter::reserve(On on, std::span<const hdf5::StoredSize> sizes) {
  const std::size_t count = arrays(on).size();
  Places places(sizes.size());
  // Array by array: who reads one of them reads consecutive bytes.
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<hdf5::StoredSize> of_array;
    for (std::size_t at = k; at < sizes.size(); at += count) of_array.push_back(sizes[at]);
    std::size_t at = k;
    for (const std::int64_t place : arrays(on)[k].values.add(of_array, *storage_)) {
      places[at] = place;
      at += count;
    }
  }
  return places;
}

void VtkhdfWriter::end_step(double time) {
  publish();
  // The number of steps and their times last: until they change, a reader sees the earlier states. VTK writes
  // beyond an array when there are more times than steps.
  add_time(time);
  publish();
}

void VtkhdfWriter::add_time(double time) {
  times_.append(std::span<const double>(&time, 1));
  hdf5::write_attribute(steps_.get(), "NSteps", ++written_);
}

/// They are the sizes before the state's values.
void VtkhdfWriter::write_offsets() {
  const auto add = [&](hdf5::Column& column, std::int64_t value) {
    column.append(std::span<const std::int64_t>(&value, 1));
  };
  for (hdf5::Column& column : zeros_) add(column, 0);
  add(parts_, 1);
  for (const On on : kOnBoth)
    for (Array& array : arrays(on)) add(array.offsets, std::int64_t(array.values.rows()));
}

void VtkhdfWriter::close() {
  for (const On on : kOnBoth) arrays(on).clear();
  zeros_.clear();
  times_ = hdf5::Column(), parts_ = hdf5::Column();
  for (hdf5::Group* group : {&cell_offsets_, &point_offsets_, &cell_data_, &point_data_, &steps_, &root_}) {
    group->reset();
  }
  if (!file_.reset()) hdf5::fail("cannot close " + path_);
  storage_->commit();
}

}  // namespace crumple::output
