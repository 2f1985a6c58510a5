// Layout of the state of thick shells with layers in plane stress (*SECTION_TSHELL, ELFORM 1 and 2).
//
// First the variables of every solid, then those of a shell, then the stresses of the four fibers.
#pragma once

#include "elements/shell/state.hpp"
#include "elements/solid/layout.hpp"

namespace crumple::elements::layered_shell {

inline constexpr int kFibers = 4;
inline constexpr int kShell = solid::kPoints;  ///< first variable of the shell

/// First of the fibers' stresses.
inline int fibers_at(const GroupParameters& group) { return kShell + shell::shell_variables(group); }
inline int n_variables(const GroupParameters& group) { return fibers_at(group) + kFibers; }

}  // namespace crumple::elements::layered_shell
