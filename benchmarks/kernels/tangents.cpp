// Stiffnesses of elements beside forces alone; compiled once per
// instruction set, as kernels are. An element a call, on meshes whose elements all yield.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <memory>
#include <vector>

#include "elements/tangent.hpp"
#include "instruction_set.hpp"
#include "yielding_mesh.hpp"

namespace crumple::bench {
namespace {

using benchmark::State;
using model::ElementKind;

constexpr int kElements = 64;

/// Elements of a yielding mesh, as a tangent wants them.
class Elements {
 public:
  explicit Elements(const Part& part)
      : mesh_(part, kElements, elements::Isa(CRUMPLE_ISA_NUMBER)),
        after_(mesh_.group().layout.n_vars * elements::kLanes) {
    const auto& group = mesh_.group();
    n_nodes_ = group.ready.formulation->n_nodes;
    for (std::int32_t e = 0; e < group.count; ++e)
      for (int n = 0; n < n_nodes_; ++n)
        for (int i = 0; i < 3; ++i) {
          const auto node = static_cast<std::size_t>(group.node(e, n));
          x_.push_back(mesh_.nodal().x[node][i]);
          v_.push_back(mesh_.nodal().v[node][i]);
          w_.push_back(mesh_.nodal().w[node][i]);
        }
  }

  elements::TangentArguments arguments(std::int32_t e, double* force, double* stiffness) {
    const auto& group = mesh_.group();
    const auto first = static_cast<std::size_t>(3 * n_nodes_ * e);
    elements::TangentArguments a;
    a.group = &group.ready.parameters;
    a.x = &x_[first];
    a.v = &v_[first];
    a.w = &w_[first];
    a.state = &group.state[group.at(e, 0, group.layout.n_vars)];
    a.dt = mesh_.dt();
    a.time = mesh_.time();
    a.state_after = after_.data();
    a.force = force;
    a.stiffness = stiffness;
    return a;
  }

 private:
  YieldingMesh<double> mesh_;
  int n_nodes_ = 0;
  std::vector<double> x_, v_, w_;
  AlignedVector<double> after_;
};

void run(State& state, const Part& part, elements::Tangent tangent, bool stiffness) {
  Elements all(part);
  double force[48], k[48 * 48];
  for (auto _ : state)
    for (std::int32_t e = 0; e < kElements; ++e) {
      elements::TangentArguments a = all.arguments(e, force, stiffness ? k : nullptr);
      tangent(a);
      benchmark::ClobberMemory();
    }
  state.SetItemsProcessed(state.iterations() * kElements);
}

void add(const char* name, ElementKind kind, int elform, int hourglass = 0) {
  const Part part{kind, elform, "024", hourglass};
  const elements::Tangent tangent = elements::find_tangent(elements::Isa(CRUMPLE_ISA_NUMBER), kind, elform);
  const auto one = [&](const std::string& what, bool stiffness) {
    benchmark::RegisterBenchmark(fmt::format("tangent/{}/{}", name, what).c_str(), run, part, tangent,
                                 stiffness);
  };
  one("forces", false);
  one("stiffness", true);
}

void register_all() {
  add("shell 2", ElementKind::shell, 2);
  add("shell 16", ElementKind::shell, 16);
  add("solid 1 hg6", ElementKind::solid, 1, 6);
  add("solid 2", ElementKind::solid, 2);
  add("beam 1", ElementKind::beam, 1);
}

const OfInstructionSet registered(elements::Isa(CRUMPLE_ISA_NUMBER), register_all);

}  // namespace
}  // namespace crumple::bench
