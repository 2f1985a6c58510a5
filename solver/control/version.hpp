// Version and commit of the program, for --version and for results.
#pragma once

#include <string>

namespace crumple::control {

struct Version {
  std::string number;  ///< "0.1.0"
  /// "b0729094cf12", with -dirty if files had changed since that commit; empty if not built from a checkout
  std::string revision;
};

/// Version of this program. Only the program itself has it, so that a commit does not recompile the solver's
/// objects.
Version version();

/// "crumple-solver 0.1.0 (revision b0729094cf12)"
inline std::string version_line(const Version& v) {
  return "crumple-solver " + v.number + (v.revision.empty() ? "" : " (revision " + v.revision + ")");
}

}  // namespace crumple::control
