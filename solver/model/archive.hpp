// Bytes of a model, so that rank 0 can send each rank its part.
#pragma once

#include <cstddef>
#include <vector>

#include "model/model.hpp"

namespace crumple::model {

/// The model as bytes of this machine's layout: for messages between ranks of one run, not for files.
std::vector<std::byte> pack(const Model& model);
Model unpack(const std::vector<std::byte>& bytes);

}  // namespace crumple::model
