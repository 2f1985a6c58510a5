// The part of HDF5 that the VTKHDF writer uses, with handles that close themselves and errors as exceptions.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace crumple::output::hdf5 {

/// Raises CR-O120 (Exit::system) with the messages of HDF5 and the system for the last failed call.
[[noreturn]] void fail(const std::string& what);

/// An HDF5 identifier, closed by `Close` in the destructor.
template <herr_t (*Close)(hid_t)>
class Handle {
 public:
  Handle() = default;
  /// @throws Error CR-O120 when `id` is that of a failed call
  Handle(hid_t id, const std::string& what) : id_(id) {
    if (id < 0) fail(what);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Handle() { reset(); }
  hid_t get() const { return id_; }
  bool is_open() const { return id_ >= 0; }
  /// @returns whether closing succeeded
  bool reset() { return id_ < 0 || Close(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_ = -1;
};

using FileHandle = Handle<H5Fclose>;
using Group = Handle<H5Gclose>;
using Dataset = Handle<H5Dclose>;
using Space = Handle<H5Sclose>;
using Property = Handle<H5Pclose>;
using Attribute = Handle<H5Aclose>;
using Type = Handle<H5Tclose>;
using DriverHandle = Handle<H5FDunregister>;

inline hid_t native(const float*) { return H5T_NATIVE_FLOAT; }
inline hid_t native(const double*) { return H5T_NATIVE_DOUBLE; }
inline hid_t native(const std::int64_t*) { return H5T_NATIVE_INT64; }
inline hid_t native(const std::uint8_t*) { return H5T_NATIVE_UINT8; }

/// Makes a dataset of rows of `width` values (a plain list for width 1) that can grow, in chunks of `rows`.
Dataset create_chunked(hid_t group, const std::string& name, hid_t type, hsize_t width, hsize_t rows,
                       int compression);

/// A dataset of rows of `width` values (a plain list for width 1) that grows at its end.
class Column {
 public:
  Column() = default;
  /// Creates it under `group`. `rows` is the number of rows added at a time: the size of its chunks, within
  /// limits. @param compression of deflate, 0: none
  Column(hid_t group, const std::string& name, hid_t type, hsize_t width, hsize_t rows, int compression = 0);

  /// @throws Error CR-O120
  template <class T>
  void append(std::span<const T> values) {
    append(values.data(), native(values.data()), values.size());
  }
  hsize_t rows() const { return rows_; }

 private:
  void append(const void* values, hid_t type, std::size_t count);

  std::string name_;
  Dataset set_;
  hsize_t width_ = 1, rows_ = 0;
};

/// The first `rows` numbers of a plain list. @throws Error CR-O120, also when it has fewer
std::vector<double> read_numbers(hid_t file, const std::string& path, hsize_t rows);

Group create_group(hid_t parent, const std::string& name);
void write_attribute(hid_t object, const std::string& name, std::span<const std::int64_t> values);
void write_attribute(hid_t object, const std::string& name, std::int64_t value);  ///< a scalar; may exist
std::int64_t read_attribute(hid_t file, const std::string& group, const std::string& name);  ///< a scalar
void write_attribute(hid_t object, const std::string& name, const std::string& text);

}  // namespace crumple::output::hdf5
