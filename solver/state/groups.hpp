// Element blocks: elements of one part and one formulation, laid out for SIMD.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "base/types.hpp"
#include "elements/kernel.hpp"
#include "materials/prepare.hpp"
#include "model/material_axes.hpp"
#include "model/model.hpp"
#include "state/nodal.hpp"

namespace crumple::state {

/// A formulation with the material and parameters of one part.
struct PartFormulation {
  const elements::Formulation* formulation = nullptr;
  materials::Prepared material;            ///< of a laminate: the stiffest one, with the mean density
  std::vector<materials::Prepared> plies;  ///< of a laminate
  std::vector<model::AxesRule> axes;       ///< by layer of a laminate, else one; none where not needed
  elements::GroupParameters parameters;
};

/// Index of item k of element e in an array with `width` items per element.
inline std::size_t item_at(std::int32_t e, int k, int width) {
  const std::size_t b = e / elements::kLanes, l = e % elements::kLanes;
  return (b * width + k) * elements::kLanes + l;
}

/// Elements of one part and one formulation on this rank, ascending. Arrays are laid out as
/// elements/kernel.hpp says; T is the precision of element work.
template <class T>
struct ElementGroup {
  LocalId part = model::kNone;
  bool border = false;  ///< all elements are at nodes that other ranks have, too; else none is
  PartFormulation ready;
  elements::StateLayout layout;
  elements::Kernel<T> kernel = nullptr;

  std::int32_t count = 0;             ///< elements; lanes beyond are padding
  std::vector<GlobalId> id;           ///< user ids of the elements
  std::vector<LocalId> element;       ///< index in the rank's model array of the kind
  AlignedVector<std::int32_t> nodes;  ///< [(b * n_nodes + a) * kLanes + l]
  /// Nodes to prefetch for block b: rows [first_prefetch[b]] to [first_prefetch[b + 1]] of kLanes.
  AlignedVector<std::int32_t> prefetch, first_prefetch;
  AlignedVector<T> state;        ///< [(b * n_vars + k) * kLanes + l]
  AlignedVector<T> alive;        ///< [b * kLanes + l]
  AlignedVector<T> step;         ///< stable time step, [b * kLanes + l]
  AlignedVector<double> energy;  ///< [(b * kEnergies + k) * kLanes + l]

  model::ElementKind kind() const { return ready.formulation->kind; }
  std::int32_t blocks() const { return (count + elements::kLanes - 1) / elements::kLanes; }
  static std::size_t at(std::int32_t e, int k, int width) { return item_at(e, k, width); }
  LocalId node(std::int32_t e, int corner) const { return nodes[at(e, corner, ready.formulation->n_nodes)]; }
  double variable(std::int32_t e, int k) const { return state[at(e, k, layout.n_vars)]; }
  double element_energy(std::int32_t e, int k) const { return energy[at(e, k, elements::kEnergies)]; }
  bool is_alive(std::int32_t e) const { return alive[e] != T(0); }

  /// Run the kernel on blocks [begin, end): subtracts internal forces at `time` (t_n) from `loads`, one per
  /// node; `dt` is the step that led to t_n.
  void run(const Nodal& nodal, parallel::LoadSum* loads, double time, double dt, std::int32_t begin,
           std::int32_t end) {
    elements::KernelArguments<T> a;
    a.x = nodal.x.data();
    a.v = nodal.v.data();
    a.w = nodal.w.data();
    a.loads = loads;
    a.nodes = nodes.data();
    a.prefetch = prefetch.data();
    a.first_prefetch = first_prefetch.data();
    a.state = state.data();
    a.alive = alive.data();
    a.energy = energy.data();
    a.stable_step = step.data();
    a.group = &ready.parameters;
    a.time = time;
    a.dt = dt;
    a.begin = begin;
    a.end = end;
    kernel(a);
  }
};

/// Initial geometry and input of one element; `nodes` are those of its formulation (`compact`).
elements::ElementInput element_input(const model::Model& model, model::ElementKind kind, LocalId element,
                                     std::span<const LocalId> nodes);

/// An element's formulation and nodes, and its section.
struct Compact : elements::Form {
  LocalId section = model::kNone;  ///< the element's own in place of the part's
  /// Whether it is preloaded, 1, and keeps its shear or moments then, 2 (loads/preload); else 0.
  int preload = 0;
  /// Elements of a part with the same value are prepared once.
  std::pair<int, LocalId> form() const { return {elform, section}; }
};
Compact compact(const model::Model& model, model::ElementKind kind, LocalId element);

/// The formulation of an element's form (its nodes do not matter) with the parameters of `part`. Throws Error
/// CR-E001 for a formulation that is not supported, and the errors of the material and the formulation.
PartFormulation part_formulation(const model::Model& model, const model::Part& part, const Compact& compact);

/// Groups of all deformable elements of the rank, in the order of parts, with kernels for `isa`.
///
/// @param shared by node: whether other ranks have it, too; empty: none. Elements at such nodes are in groups
/// of their own.
///
/// Errors of single elements name the element and its part.
template <class T>
std::vector<ElementGroup<T>> make_groups(const model::Model& model, elements::Isa isa,
                                         std::span<const char> shared = {});

}  // namespace crumple::state
