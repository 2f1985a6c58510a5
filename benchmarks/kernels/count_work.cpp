// Counts the operations of the kernels of docs/limits.md: for an element, all of whose points yield, and for
// an item of contact, ties and rigid bodies.
//
// Prints JSON: for each kernel its sums, products, divisions, roots and choices an item; beside elements, its
// bytes, too. What the scatter
// does in double outside of the vectors is counted by hand: speed_limits.py.
#include "counted.hpp"
// the kernels
#include <fmt/format.h>
#include <mpi.h>

#include <exception>
#include <vector>

#include "elements/explicit_driver.hpp"
#include "elements/shell/belytschko_tsay.hpp"
#include "elements/shell/fully_integrated.hpp"
#include "elements/solid/assumed_strain_hexahedron.hpp"
#include "elements/solid/full_hexahedron.hpp"
#include "elements/solid/hexahedron.hpp"
#include "materials/metal/piecewise_linear_plasticity.hpp"
#include "work_beside_elements.hpp"
#include "yielding_mesh.hpp"

namespace crumple::materials {

/// The law that is counted, which is compiled for vectors only.
template <class Point>
void update_here(const Law& law, Point& point) {
  const auto& j2 = *static_cast<const J2Law*>(law.parameters);
  if constexpr (requires { update_solid(j2, point); })
    update_solid(j2, point);
  else
    update_shell(j2, point);
}

}  // namespace crumple::materials

namespace crumple::bench {
namespace {

using model::ElementKind;
using simd::Counted;

constexpr int kElements = 64;

/// The work of one more call on a mesh that yields.
Work count(const Part& part, elements::Kernel<Counted> kernel, std::int32_t& elements) {
  YieldingMesh<double> mesh(part, kElements, elements::best_isa());
  const state::ElementGroup<double>& group = mesh.group();
  state::Nodal nodal = mesh.nodal();
  elements::KernelArguments<Counted> a;
  std::vector<Counted> state, alive, step;
  for (const double x : group.state) state.push_back(Counted(x));
  for (const double x : group.alive) alive.push_back(Counted(x));
  for (const double x : group.step) step.push_back(Counted(x));
  std::vector<double> energy(group.energy.begin(), group.energy.end());
  a.x = nodal.x.data(), a.v = nodal.v.data(), a.w = nodal.w.data();
  a.loads = nodal.loads.data();
  a.nodes = group.nodes.data(), a.state = state.data(), a.alive = alive.data(), a.energy = energy.data();
  a.stable_step = step.data(), a.group = &group.ready.parameters;
  a.time = mesh.time(), a.dt = mesh.dt(), a.begin = 0, a.end = group.blocks();
  elements = group.count;
  Counted::work = {};
  kernel(a);
  return Counted::work;
}

void print(const WorkOfItem& of, bool last = false) {
  const std::string bytes = of.bytes > 0 ? fmt::format("\"bytes\": {:.1f}, ", of.bytes) : "";
  fmt::print(
      "  \"{}\": {{{}\"sums\": {:.1f}, \"products\": {:.1f}, \"divisions\": {:.1f}, \"roots\": {:.1f}, "
      "\"choices\": {:.1f}}}{}\n",
      of.name, bytes, of.sums, of.products, of.divisions, of.roots, of.choices, last ? "" : ",");
}

void print(const char* name, const Part& part, elements::Kernel<Counted> kernel) {
  std::int32_t n = 0;
  const Work w = count(part, kernel, n);
  const auto each = [n](std::int64_t all) { return static_cast<double>(all) / n; };
  print({name, 0, each(w.sums), each(w.products), each(w.divisions), each(w.roots), each(w.choices)});
}

}  // namespace
}  // namespace crumple::bench

int main(int argc, char** argv) {
  using namespace crumple::bench;
  using crumple::model::ElementKind;
  using crumple::simd::Counted;
  namespace e = crumple::elements;
  MPI_Init(&argc, &argv);
  try {
    fmt::print("{{\n");
    print("shell 2", {ElementKind::shell, 2, "024"},
          e::explicit_kernel<e::shell::BelytschkoTsayForm, Counted>);
    print("shell 16", {ElementKind::shell, 16, "024"},
          e::explicit_kernel<e::shell::FullyIntegratedForm, Counted>);
    print("solid 1 hg6", {ElementKind::solid, 1, "024", 6}, e::explicit_kernel<e::HexahedronForm, Counted>);
    print("solid -1", {ElementKind::solid, -1, "024"},
          e::explicit_kernel<e::AssumedStrainHexahedronForm, Counted>);
    print("solid 2", {ElementKind::solid, 2, "024"}, e::explicit_kernel<e::FullHexahedronForm, Counted>);
    const std::vector<WorkOfItem> others = work_beside_elements();
    for (const WorkOfItem& other : others) print(other, &other == &others.back());
    fmt::print("}}\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    MPI_Finalize();
    return 1;
  }
  MPI_Finalize();
  return 0;
}
