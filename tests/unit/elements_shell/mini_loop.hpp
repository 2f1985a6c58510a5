// A few shells integrated explicitly by the plainest central difference loop, to test kernels alone.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "elements/kernel.hpp"
#include "materials/prepare.hpp"
#include "model/model.hpp"
#include "state/nodal.hpp"
#include "unit/every_law.hpp"

namespace crumple::test {

using elements::GroupParameters;
using elements::kLanes;

/// As the reader leaves it: `nip` layers, unless the form has its own number.
inline model::Section shell_section(int elform, double thickness, int nip) {
  model::Section s;
  s.kind = model::ElementKind::shell;
  s.elform = elform;
  const int own = elements::fixed_layers(model::ElementKind::shell, elform);
  s.nip = own > 0 ? own : nip;
  s.shear_factor = 5.0 / 6.0;
  s.thickness = {thickness, thickness, thickness, thickness};
  return s;
}

/// One group of shells of one law, in precision T.
template <class T>
struct MiniLoop {
  state::Nodal nodes;
  std::vector<std::array<LocalId, 4>> elements;
  model::Section section;
  model::Control control;
  GroupParameters group;
  elements::StateLayout layout;
  const elements::Formulation* formulation = nullptr;
  elements::Kernel<T> kernel = nullptr;
  AlignedVector<std::int32_t> table;
  AlignedVector<T> state, alive, stable_step;
  AlignedVector<double> energy;
  double time = 0, dt = 0;
  std::vector<std::uint8_t> fixed;  ///< per node, bit k: freedom k (x y z, rx ry rz) is held
  std::function<void(MiniLoop&)> loads = [](MiniLoop&) {};   ///< adds to force and moment, at `time`
  std::function<void(MiniLoop&)> motion = [](MiniLoop&) {};  ///< overwrites velocities after each update

  LocalId add_node(Vec3 x) {
    const LocalId i = static_cast<LocalId>(nodes.size());
    nodes.id.push_back(i + 1);
    nodes.x0.push_back(x), nodes.x.push_back(x);
    nodes.v.push_back({}), nodes.w.push_back({});
    nodes.mass.push_back(0), nodes.inertia.push_back(0);
    fixed.push_back(0);
    return i;
  }

  std::size_t n_elements() const { return elements.size(); }
  std::size_t at(std::size_t e, int variable) const {
    return (e / kLanes * layout.n_vars + variable) * kLanes + e % kLanes;
  }
  double stress(std::size_t e, int point, int c) const {
    return state[at(e, layout.stress + point * layout.point_stride + c)];
  }
  double thickness(std::size_t e) const { return state[at(e, layout.thickness)]; }
  bool lives(std::size_t e) const { return alive[e] != 0; }
  double internal_energy() const { return sum_energy(0); }
  double hourglass_energy() const { return sum_energy(1); }
  double kinetic_energy() const {
    double k = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      k += 0.5 * nodes.mass[i] * dot(nodes.v[i], nodes.v[i]) +
           0.5 * nodes.inertia[i] * dot(nodes.w[i], nodes.w[i]);
    return k;
  }
  /// Smallest unscaled step of the elements that live.
  double smallest_step() const {
    double s = 1e30;
    for (std::size_t e = 0; e < n_elements(); ++e)
      if (lives(e)) s = std::min(s, double(stable_step[e]));
    return s;
  }

  /// Call after nodes, elements, section, control and the group's law are set.
  void prepare(elements::Kernel<T> k) {
    kernel = k;
    formulation = elements::find_formulation(model::ElementKind::shell, section.elform);
    formulation->prepare(section, control, group);
    layout = formulation->layout(group);
    const int nn = formulation->n_nodes;
    const std::size_t blocks = (n_elements() + kLanes - 1) / kLanes;
    table.resize(blocks * nn * kLanes);
    state.resize(blocks * layout.n_vars * kLanes);
    alive.assign(blocks * kLanes, T(0));
    stable_step.assign(blocks * kLanes, T(0));
    energy.assign(blocks * elements::kEnergies * kLanes, 0.0);
    std::vector<double> variables(layout.n_vars);
    for (std::size_t slot = 0; slot < blocks * kLanes; ++slot) {
      const std::size_t e = std::min(slot, n_elements() - 1);  // padding repeats the last element
      elements::ElementInput input;
      for (int a = 0; a < nn; ++a) {
        input.x[a] = nodes.x[elements[e][a]];
        input.thickness[a] = section.thickness[a];
        table[(slot / kLanes * nn + a) * kLanes + slot % kLanes] = elements[e][a];
      }
      formulation->initialise(input, group, variables);
      for (int v = 0; v < layout.n_vars; ++v) state[at(slot, v)] = T(variables[v]);
      if (slot >= n_elements()) continue;
      alive[slot] = T(1);
      const auto share = formulation->mass(input, group);
      for (int a = 0; a < nn; ++a) {
        nodes.mass[elements[e][a]] += share.mass[a];
        nodes.inertia[elements[e][a]] += share.inertia[a];
      }
    }
    const double limit = group.young * section.thickness[0] * section.thickness[0] + 1e-30;
    const double scale = std::exp2(std::floor(48 - std::log2(limit)));
    nodes.loads = parallel::zero_loads(nodes.size(), scale, scale);
  }

  void call_kernel() {
    elements::KernelArguments<T> a;
    a.x = nodes.x.data(), a.v = nodes.v.data(), a.w = nodes.w.data();
    a.loads = nodes.loads.data();
    a.nodes = table.data(), a.state = state.data(), a.alive = alive.data(), a.energy = energy.data();
    a.stable_step = stable_step.data(), a.group = &group, a.time = time, a.dt = dt;
    a.begin = 0, a.end = static_cast<std::int32_t>(alive.size() / kLanes);
    kernel(a);
  }

  /// Forces at t_n, then velocities to t_{n+1/2} and positions to t_{n+1} with step `next`.
  void step(double next) {
    for (parallel::LoadSum& sum : nodes.loads) sum.clear();
    call_kernel();
    loads(*this);
    const double mean = 0.5 * (dt + next);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const LocalId n = static_cast<LocalId>(i);
      const Vec3 f = nodes.force_at(n), m = nodes.moment_at(n);
      for (int k = 0; k < 3; ++k) {
        nodes.v[i][k] = fixed[i] >> k & 1 ? 0 : nodes.v[i][k] + mean / nodes.mass[i] * f[k];
        nodes.w[i][k] = fixed[i] >> (3 + k) & 1 ? 0 : nodes.w[i][k] + mean / nodes.inertia[i] * m[k];
      }
    }
    dt = next;
    motion(*this);
    for (std::size_t i = 0; i < nodes.size(); ++i) nodes.x[i] += dt * nodes.v[i];
    time += dt;
  }

  /// Steps of `scale` times the stable step until `end`.
  void run(double end, double scale = 0.9) {
    if (time == 0) call_kernel();
    while (time < end) step(std::min(scale * smallest_step(), std::max(end - time, 1e-12 * end)));
  }

 private:
  double sum_energy(int k) const {
    double s = 0;
    for (std::size_t e = 0; e < n_elements(); ++e)
      s += energy[(e / kLanes * elements::kEnergies + k) * kLanes + e % kLanes];
    return s;
  }
};

/// A law made ready from its card's fields.
template <class T>
void use_material(MiniLoop<T>& m, int law, double density, const std::map<std::string, double>& fields) {
  static std::vector<std::shared_ptr<const void>> kept;
  model::Material material;
  material.law = law;
  material.density = density;
  material.fields = fields;
  const materials::Prepared p = materials::prepare(model::Model{}, material);
  kept.push_back(p.parameters);
  m.group.law = p.law;
  m.group.n_history = p.n_history;
  m.group.density = density;
  m.group.young = p.elastic.young;
  m.group.poisson = p.elastic.poisson;
  m.group.shear = p.elastic.shear;
  m.group.bulk = p.elastic.bulk;
}

/// Steel-like MAT_001 in kg, mm, ms (GPa, kN) unless given otherwise.
template <class T>
void use_elastic(MiniLoop<T>& m, double density = 7.8e-6, double young = 210, double poisson = 0.3) {
  use_material(m, 1, density, {{"E", young}, {"PR", poisson}});
}

/// nx x ny quads on [0, lx] x [0, ly], node i + (nx + 1) j; `map` places them in space.
template <class T>
void add_strip(
    MiniLoop<T>& m, int nx, int ny, double lx, double ly,
    const std::function<Vec3(double, double)>& map = [](double x, double y) {
      return Vec3{x, y, 0};
    }) {
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i) m.add_node(map(lx * i / nx, ly * j / ny));
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const LocalId n = i + (nx + 1) * j;
      m.elements.push_back({n, n + 1, n + nx + 2, n + nx + 1});
    }
}

}  // namespace crumple::test
