// What --version prints: of the program, as it was built.
#pragma once

#include <string>

namespace crumple::control {

/// "crumple-solver 0.1.0 (revision b0729094cf12)": with -dirty where files had changed since that commit,
/// without a revision where it was not built from a checkout.
std::string version_line();

}  // namespace crumple::control
