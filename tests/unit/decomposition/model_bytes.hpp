// A model as the bytes that a rank is sent, and back.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/byte_archive.hpp"

namespace crumple::decomposition {

inline std::vector<std::byte> to_bytes(model::Model model) {
  std::vector<std::byte> bytes;
  model::ByteArchive<Packer> archive(bytes);
  archive(model);
  return bytes;
}

inline model::Model from_bytes(std::span<const std::byte> bytes) {
  model::Model model;
  model::ByteArchive<Unpacker> archive(bytes);
  archive(model);
  return model;
}

}  // namespace crumple::decomposition
