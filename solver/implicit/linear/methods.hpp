// The list of methods that solve linear equations: each registers itself in its file.
#pragma once

#include <memory>

#include "implicit/linear/solver.hpp"

namespace crumple::implicit::linear {

using MakeSolver = std::unique_ptr<Solver> (*)(const SolverOptions&);

/// Registers a method; a static object of the method's file.
struct RegisteredMethod {
  RegisteredMethod(Method method, MakeSolver make);
};

}  // namespace crumple::implicit::linear
