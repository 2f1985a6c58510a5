// A result of preparation that is reported to the user.
#pragma once

#include <string>

#include "base/error.hpp"

namespace crumple::preparation {

/// A warning, or an error that stops the run before it starts.
struct Finding {
  std::string id, message;
  Place place;
  bool is_error = false;
};

}  // namespace crumple::preparation
