// Growing datasets, attributes and error messages over the HDF5 C interface.
#include "output/vtkhdf/hdf5.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/error.hpp"
#include "output/vtkhdf/chunks.hpp"

namespace crumple::output::hdf5 {

namespace {

/// HDF5 calls this first for the cause, then for outer functions. It keeps the first description, which has
/// the system's reason.
herr_t keep_first(unsigned, const H5E_error2_t* error, void* text) {
  std::string& reason = *static_cast<std::string*>(text);
  if (reason.empty() && error->desc) reason = error->desc;
  return 0;
}

}  // namespace

void fail(const std::string& what) {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &reason);
  throw Error("CR-O120", fmt::format("{}: {}", what, reason.empty() ? "HDF5 failed" : reason), {},
              Exit::system);
}

namespace {

void set_filters(hid_t properties, hid_t type, int compression, const std::string& what) {
  if (compression == 0) return;
  if (H5Tget_size(type) > 1 && H5Pset_shuffle(properties) < 0) fail(what);
  if (H5Pset_deflate(properties, unsigned(compression)) < 0) fail(what);
}

}  // namespace

Dataset create_chunked(hid_t group, const std::string& name, hid_t type, hsize_t width, hsize_t rows,
                       int compression) {
  const std::string what = "cannot create the HDF5 dataset " + name;
  const int rank = width == 1 ? 1 : 2;
  const std::array<hsize_t, 2> none = {0, width}, unlimited = {H5S_UNLIMITED, width}, chunk = {rows, width};
  const Space space(H5Screate_simple(rank, none.data(), unlimited.data()), what);
  const Property layout(H5Pcreate(H5P_DATASET_CREATE), what);
  if (H5Pset_chunk(layout.get(), rank, chunk.data()) < 0) fail(what);
  // With early allocation, chunks would be filled twice.
  if (H5Pset_fill_time(layout.get(), H5D_FILL_TIME_NEVER) < 0) fail(what);
  if (H5Pset_obj_track_times(layout.get(), false) < 0) fail(what);
  set_filters(layout.get(), type, compression, what);
  return Dataset(H5Dcreate2(group, name.c_str(), type, space.get(), H5P_DEFAULT, layout.get(), H5P_DEFAULT),
                 what);
}

Column::Column(hid_t group, const std::string& name, hid_t type, hsize_t width, hsize_t rows, int compression)
    : name_(name), width_(width) {
  set_ = create_chunked(group, name, type, width, std::clamp<hsize_t>(rows, 64, 65536), compression);
}

void Column::append(const void* values, hid_t type, std::size_t count) {
  if (count == 0) return;
  const std::string what = "cannot append to the HDF5 dataset " + name_;
  const int rank = width_ == 1 ? 1 : 2;
  const std::array<hsize_t, 2> start = {rows_, 0}, size = {count / width_, width_};
  const std::array<hsize_t, 2> total = {rows_ + size[0], width_};
  if (H5Dset_extent(set_.get(), total.data()) < 0) fail(what);
  const Space file(H5Dget_space(set_.get()), what);
  if (H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr) < 0)
    fail(what);
  const Space memory(H5Screate_simple(rank, size.data(), nullptr), what);
  if (H5Dwrite(set_.get(), type, memory.get(), file.get(), H5P_DEFAULT, values) < 0) fail(what);
  rows_ = total[0];
}

std::vector<double> read_numbers(hid_t file, const std::string& path, hsize_t rows) {
  const std::string what = "cannot read the HDF5 dataset " + path;
  const Dataset set(H5Dopen2(file, path.c_str(), H5P_DEFAULT), what);
  const Space space(H5Dget_space(set.get()), what);
  const hsize_t first = 0;
  std::vector<double> values(rows);
  if (rows == 0) return values;
  if (H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &first, nullptr, &rows, nullptr) < 0) fail(what);
  const Space memory(H5Screate_simple(1, &rows, nullptr), what);
  if (H5Dread(set.get(), H5T_NATIVE_DOUBLE, memory.get(), space.get(), H5P_DEFAULT, values.data()) < 0)
    fail(what);
  return values;
}

Group create_group(hid_t parent, const std::string& name) {
  // Members in the order of their creation: VTKHDF requires it where the order matters.
  const std::string what = "cannot create the HDF5 group " + name;
  const Property order(H5Pcreate(H5P_GROUP_CREATE), what);
  if (H5Pset_obj_track_times(order.get(), false) < 0) fail(what);
  if (H5Pset_link_creation_order(order.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED) < 0) fail(what);
  return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, order.get(), H5P_DEFAULT), what};
}

void write_attribute(hid_t object, const std::string& name, std::span<const std::int64_t> values) {
  const std::string what = "cannot write the HDF5 attribute " + name;
  const hsize_t size = values.size();
  const Space space(H5Screate_simple(1, &size, nullptr), what);
  const Attribute attribute(
      H5Acreate2(object, name.c_str(), H5T_NATIVE_INT64, space.get(), H5P_DEFAULT, H5P_DEFAULT), what);
  if (H5Awrite(attribute.get(), H5T_NATIVE_INT64, values.data()) < 0) fail(what);
}

void write_attribute(hid_t object, const std::string& name, std::int64_t value) {
  const std::string what = "cannot write the HDF5 attribute " + name;
  const htri_t exists = H5Aexists(object, name.c_str());
  if (exists < 0) fail(what);
  const Space space(H5Screate(H5S_SCALAR), what);
  const Attribute attribute(
      exists ? H5Aopen(object, name.c_str(), H5P_DEFAULT)
             : H5Acreate2(object, name.c_str(), H5T_NATIVE_INT64, space.get(), H5P_DEFAULT, H5P_DEFAULT),
      what);
  if (H5Awrite(attribute.get(), H5T_NATIVE_INT64, &value) < 0) fail(what);
}

std::int64_t read_attribute(hid_t file, const std::string& group, const std::string& name) {
  const std::string what = "cannot read the HDF5 attribute " + name;
  const Attribute attribute(H5Aopen_by_name(file, group.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
                            what);
  std::int64_t value = 0;
  if (H5Aread(attribute.get(), H5T_NATIVE_INT64, &value) < 0) fail(what);
  return value;
}

void write_attribute(hid_t object, const std::string& name, const std::string& text) {
  const std::string what = "cannot write the HDF5 attribute " + name;
  const Type type(H5Tcopy(H5T_C_S1), what);
  if (H5Tset_size(type.get(), text.size()) < 0 || H5Tset_strpad(type.get(), H5T_STR_NULLPAD) < 0) fail(what);
  const Space space(H5Screate(H5S_SCALAR), what);
  const Attribute attribute(
      H5Acreate2(object, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), what);
  if (H5Awrite(attribute.get(), type.get(), text.data()) < 0) fail(what);
}

}  // namespace crumple::output::hdf5
