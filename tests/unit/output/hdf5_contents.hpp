// All datasets and attributes of an HDF5 file, to compare two files whose bytes may differ.
#pragma once

#include <hdf5.h>

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "output/vtkhdf/hdf5.hpp"

namespace crumple::output::sample {

/// Class and size of a type, extents and values as bytes.
inline std::string described(hid_t type, hid_t space, auto read) {
  std::vector<hsize_t> extents(8, 0);
  extents.resize(std::size_t(H5Sget_simple_extent_dims(space, extents.data(), nullptr)));
  std::string text = std::to_string(H5Tget_class(type)) + " " + std::to_string(H5Tget_size(type)) + " [";
  for (const hsize_t n : extents) text += std::to_string(n) + " ";
  std::string values(std::size_t(H5Sget_simple_extent_npoints(space)) * H5Tget_size(type), '\0');
  if (read(values.data()) < 0) throw std::runtime_error("cannot read a dataset or attribute");
  return text + "] " + values;
}

inline herr_t describe_attribute(hid_t object, const char* name, const H5A_info_t*, void* found) {
  const hdf5::Attribute attribute(H5Aopen(object, name, H5P_DEFAULT), name);
  const hdf5::Type type(H5Aget_type(attribute.get()), name);
  const hdf5::Space space(H5Aget_space(attribute.get()), name);
  (*static_cast<std::map<std::string, std::string>*>(found))[name] =
      described(type.get(), space.get(), [&](void* to) { return H5Aread(attribute.get(), type.get(), to); });
  return 0;
}

/// Visitor of links: datasets as "path", attributes as "path@name".
inline herr_t describe_object(hid_t file, const char* path, const H5O_info_t* info, void* contents) {
  auto& all = *static_cast<std::map<std::string, std::string>*>(contents);
  std::map<std::string, std::string> attributes;
  H5Aiterate_by_name(file, path, H5_INDEX_NAME, H5_ITER_INC, nullptr, describe_attribute, &attributes,
                     H5P_DEFAULT);
  for (const auto& [name, value] : attributes) all[std::string(path) + "@" + name] = value;
  if (info->type != H5O_TYPE_DATASET) {
    all[path] = "group";
    return 0;
  }
  const hdf5::Dataset set(H5Dopen2(file, path, H5P_DEFAULT), path);
  const hdf5::Type type(H5Dget_type(set.get()), path);
  const hdf5::Space space(H5Dget_space(set.get()), path);
  all[path] = described(type.get(), space.get(), [&](void* to) {
    return H5Dread(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, to);
  });
  return 0;
}

/// By path.
inline std::map<std::string, std::string> hdf5_contents(const std::string& path) {
  std::map<std::string, std::string> contents;
  const hdf5::FileHandle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), path);
  if (H5Ovisit(file.get(), H5_INDEX_NAME, H5_ITER_INC, describe_object, &contents) < 0)
    throw std::runtime_error("cannot visit " + path);
  return contents;
}

}  // namespace crumple::output::sample
