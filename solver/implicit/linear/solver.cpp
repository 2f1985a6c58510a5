// Makes solvers by the name of their method.
#include "implicit/linear/solver.hpp"

#include <fmt/format.h>

#include <map>

#include "base/error.hpp"
#include "implicit/linear/dense.hpp"
#include "implicit/linear/methods.hpp"

namespace crumple::implicit::linear {

namespace {
std::map<Method, MakeSolver>& registered_methods() {
  static std::map<Method, MakeSolver> methods;
  return methods;
}
}  // namespace

RegisteredMethod::RegisteredMethod(Method method, MakeSolver make) {
  if (!registered_methods().emplace(method, make).second)
    throw std::logic_error("a method of linear solvers is registered twice");
}

std::unique_ptr<Solver> make_solver(const SolverOptions& options) {
  const auto found = registered_methods().find(options.method);
  if (found != registered_methods().end()) {
    prepare_dense(options.threads);
    return found->second(options);
  }
  if (options.method == Method::mumps)
    throw Error(
        "CR-I201",
        "this build has no MUMPS: it is left out where the library was not found, or belongs to another "
        "MPI (that of Debian belongs to Open MPI). The multifrontal method is in every build.");
  throw Error("CR-I201", fmt::format("this build has no method of linear solvers with number {}",
                                     static_cast<int>(options.method)));
}

}  // namespace crumple::implicit::linear
