// What preparation finds out about a model that the user should know.
#pragma once

#include <string>

#include "base/error.hpp"

namespace crumple::preparation {

/// A warning, or what stops the run before it starts.
struct Finding {
  std::string id, message;
  Place place;
  bool is_error = false;
};

}  // namespace crumple::preparation
