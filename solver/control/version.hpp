// Version and commit of the program, as it was built: what --version prints and results carry.
#pragma once

#include <string>

namespace crumple::control {

struct Version {
  std::string number;    ///< "0.1.0"
  std::string revision;  ///< "b0729094cf12", with -dirty where files had changed since that commit; empty
                         ///< where it was not built from a checkout
};

/// Of this program. Only the program itself has it: the solver's objects are not compiled anew for a commit.
Version version();

/// "crumple-solver 0.1.0 (revision b0729094cf12)"
inline std::string version_line(const Version& v) {
  return "crumple-solver " + v.number + (v.revision.empty() ? "" : " (revision " + v.revision + ")");
}

}  // namespace crumple::control
