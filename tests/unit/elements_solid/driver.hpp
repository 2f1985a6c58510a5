// A small explicit code around one group of elements: nodes, leapfrog, energies; for tests of kernels.
#pragma once

#include <cmath>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

#include "elements/kernel.hpp"
#include "materials/discrete_beam/law.hpp"
#include "materials/prepare.hpp"
#include "materials/wrappers/preload.hpp"
#include "model/model.hpp"
#include "parallel/fixed_point.hpp"
#include "state/nodal.hpp"

namespace crumple::test {

/// MAT_001 with E, nu, rho.
inline model::Material elastic_material(double young, double poisson, double density) {
  model::Material m;
  m.id = 1;
  m.law = 1;
  m.name = "MAT_ELASTIC";
  m.density = density;
  m.fields = {{"RO", density}, {"E", young}, {"PR", poisson}};
  return m;
}

template <class T>
class Driver {
 public:
  state::Nodal nodes;
  elements::GroupParameters group;
  model::Section section;
  model::Control control;  ///< before start()
  elements::StateLayout layout;
  AlignedVector<T> state, alive, stable_step;
  AlignedVector<double> energy;
  double time = 0, external_work = 0;
  std::function<Vec3(int node, double t)> external_force;  ///< optional
  std::function<void(Driver&)> constrain;                  ///< optional; may edit v and w after the update

  /// `curves` are those that the material's fields name.
  Driver(model::ElementKind kind, int elform, const model::Material& material, double force_scale = 1e15,
         std::vector<model::Curve> curves = {})
      : formulation_(elements::find_formulation(kind, elform)),
        force_scale_(std::exp2(std::round(std::log2(force_scale)))) {
    if (formulation_ == nullptr) throw std::runtime_error("no such formulation");
    model_.curves = std::move(curves);
    prepared_ = materials::prepare(model_, material);
    section.kind = kind;
    section.elform = elform;
    group.law = prepared_.law;
    group.n_history = prepared_.n_history;
    group.density = prepared_.density;
    group.bulk = prepared_.elastic.bulk;
    group.shear = prepared_.elastic.shear;
    group.young = prepared_.elastic.young;
    group.poisson = prepared_.elastic.poisson;
    group.cohesive = prepared_.cohesive;
    for (int isa = static_cast<int>(elements::best_isa()); isa >= 0 && kernel_ == nullptr; --isa)
      use_isa(static_cast<elements::Isa>(isa));
  }
  /// Before start(): elements take a preload (materials/wrappers/preload.hpp).
  void add_preload(bool keeps) {
    prepared_ = materials::add_preload(prepared_, keeps);
    group.law = prepared_.law;
    group.n_history = prepared_.n_history;
  }
  /// Before start(): the section of discrete beams.
  void set_section(const model::DiscreteBeamSection& of_beam) {
    prepared_ = materials::with_section(prepared_, of_beam);
    group.law = prepared_.law;
  }
  /// After start(), of all elements: a stress of solids along `axis`, or a force of beams.
  void set_preload(double value, const Vec3& axis) {
    const int first = layout.history + materials::preload_of(group.law)->law_history;
    const auto n_vars = static_cast<std::size_t>(layout.n_vars), lanes = std::size_t(elements::kLanes);
    const double values[5] = {1, value, axis.x, axis.y, axis.z};
    for (std::size_t slot = 0; slot < alive.size(); ++slot)
      for (int p = 0; p < layout.n_points; ++p)
        for (int k = 0; k < 5; ++k)
          state[(slot / lanes * n_vars + std::size_t(first + p * layout.point_stride + k)) * lanes +
                slot % lanes] = static_cast<T>(values[k]);
  }
  void use_kernel(elements::Kernel<T> kernel) { kernel_ = kernel; }
  void use_isa(elements::Isa isa) {
    kernel_ = elements::find_kernel<T>(isa, formulation_->kind, formulation_->elform);
  }

  int add_node(const Vec3& x) {
    nodes.id.push_back(static_cast<GlobalId>(nodes.id.size()) + 1);
    nodes.x.push_back(x);
    nodes.x0.push_back(x);
    nodes.v.push_back({});
    nodes.w.push_back({});
    return static_cast<int>(nodes.id.size()) - 1;
  }
  void add_element(std::vector<int> element, elements::ElementInput input = {}) {
    elements_.push_back(std::move(element));
    inputs_.push_back(input);
  }
  elements::ElementInput& input(int e) { return inputs_[static_cast<std::size_t>(e)]; }

  /// Prepare the group and the blocks; the first kernel call only finds steps.
  void start() {
    group.section = &section;
    formulation_->prepare(section, control, group);
    layout = formulation_->layout(group);
    const std::size_t n = nodes.size(), n_elements = elements_.size(), lanes = elements::kLanes;
    nodes.mass.assign(n, 0);
    nodes.inertia.assign(n, 0);
    nodes.a.assign(n, {});
    nodes.alpha.assign(n, {});
    nodes.loads = parallel::zero_loads(n, force_scale_, force_scale_);
    blocks_ = static_cast<int>((n_elements + lanes - 1) / lanes);
    const std::size_t padded = static_cast<std::size_t>(blocks_) * lanes;
    const auto n_nodes = static_cast<std::size_t>(formulation_->n_nodes);
    const auto n_vars = static_cast<std::size_t>(layout.n_vars);
    connectivity_.assign(padded * n_nodes, 0);
    state.assign(padded * n_vars, T(0));
    alive.assign(padded, T(0));
    stable_step.assign(padded, T(1e30));
    energy.assign(padded * elements::kEnergies, 0);
    std::vector<double> variables(n_vars);
    for (std::size_t slot = 0; slot < padded; ++slot) {
      const std::size_t e = std::min(slot, n_elements - 1), b = slot / lanes, l = slot % lanes;
      elements::ElementInput in = inputs_[e];
      for (std::size_t a = 0; a < n_nodes; ++a) {
        connectivity_[(b * n_nodes + a) * lanes + l] = elements_[e][a];
        in.x[a] = nodes.x0[static_cast<std::size_t>(elements_[e][a])];
      }
      std::fill(variables.begin(), variables.end(), 0.0);
      formulation_->initialise(in, group, variables);
      for (std::size_t k = 0; k < n_vars; ++k)
        state[(b * n_vars + k) * lanes + l] = static_cast<T>(variables[k]);
      if (slot >= n_elements) continue;
      alive[slot] = T(1);
      const elements::NodalShare share = formulation_->mass(in, group);
      for (std::size_t a = 0; a < n_nodes; ++a) {
        nodes.mass[static_cast<std::size_t>(elements_[e][a])] += share.mass[a];
        nodes.inertia[static_cast<std::size_t>(elements_[e][a])] += share.inertia[a];
      }
    }
    call(0);
  }

  /// Kernel call for a step of dt that ended in the present x; forces are left in nodes.loads.
  void call(double dt) {
    for (parallel::LoadSum& sum : nodes.loads) sum.clear();
    elements::KernelArguments<T> args;
    args.x = nodes.x.data();
    args.v = nodes.v.data();
    args.w = nodes.w.data();
    args.loads = nodes.loads.data();
    args.nodes = connectivity_.data();
    args.state = state.data();
    args.alive = alive.data();
    args.energy = energy.data();
    args.stable_step = stable_step.data();
    args.group = &group;
    args.time = time;
    args.dt = dt;
    args.begin = 0;
    args.end = blocks_;
    kernel_(args);
  }

  /// Move every node by its velocity (and given angular velocity) for dt, then call the kernel.
  void move(double dt) {
    for (std::size_t i = 0; i < nodes.size(); ++i) nodes.x[i] += dt * nodes.v[i];
    time += dt;
    call(dt);
  }

  /// One leapfrog step: accelerations from the forces left by the last call, then move.
  void step(double dt) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const auto id = static_cast<LocalId>(i);
      const Vec3 outside = external_force ? external_force(id, time) : Vec3{};
      const Vec3 f = nodes.force_at(id) + outside;
      if (nodes.mass[i] > 0) nodes.v[i] += (dt / nodes.mass[i]) * f;
      if (nodes.inertia[i] > 0) nodes.w[i] += (dt / nodes.inertia[i]) * nodes.moment_at(id);
    }
    if (constrain) constrain(*this);
    if (external_force)
      for (std::size_t i = 0; i < nodes.size(); ++i)
        external_work += dt * dot(external_force(static_cast<int>(i), time), nodes.v[i]);
    move(dt);
  }

  double smallest_step() const {
    double smallest = 1e30;
    for (std::size_t e = 0; e < elements_.size(); ++e)
      if (alive[e] > 0) smallest = std::min(smallest, static_cast<double>(stable_step[e]));
    return smallest;
  }
  double variable(int element, int k) const {
    const std::size_t b = static_cast<std::size_t>(element) / elements::kLanes,
                      l = static_cast<std::size_t>(element) % elements::kLanes;
    return static_cast<double>(
        state[(b * static_cast<std::size_t>(layout.n_vars) + static_cast<std::size_t>(k)) * elements::kLanes +
              l]);
  }
  double stress(int element, int component, int point = 0) const {
    return variable(element, layout.stress + point * layout.point_stride + component);
  }
  double plastic_strain(int element, int point = 0) const {
    return variable(element, layout.plastic_strain + point * layout.point_stride);
  }
  /// k = 0 internal, 1 hourglass, of all elements.
  double total_energy(int k) const {
    double sum = 0;
    for (std::size_t b = 0; b < static_cast<std::size_t>(blocks_); ++b)
      for (std::size_t l = 0; l < elements::kLanes; ++l)
        sum += energy[(b * elements::kEnergies + static_cast<std::size_t>(k)) * elements::kLanes + l];
    return sum;
  }
  double kinetic_energy() const {
    double sum = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      sum += 0.5 * nodes.mass[i] * dot(nodes.v[i], nodes.v[i]) +
             0.5 * nodes.inertia[i] * dot(nodes.w[i], nodes.w[i]);
    return sum;
  }
  double total_mass() const {
    double sum = 0;
    for (const double m : nodes.mass) sum += m;
    return sum;
  }
  int n_elements() const { return static_cast<int>(elements_.size()); }
  const std::vector<int>& element(int e) const { return elements_[static_cast<std::size_t>(e)]; }
  int n_blocks() const { return blocks_; }

 private:
  const elements::Formulation* formulation_;
  double force_scale_;
  model::Model model_;
  materials::Prepared prepared_;
  elements::Kernel<T> kernel_ = nullptr;
  std::vector<std::vector<int>> elements_;
  std::vector<elements::ElementInput> inputs_;
  std::vector<std::int32_t> connectivity_;
  int blocks_ = 0;
};

/// Rotation by `angle` about the unit vector `axis` (Rodrigues).
inline Vec3 rotated(const Vec3& p, const Vec3& axis, double angle) {
  return std::cos(angle) * p + std::sin(angle) * cross(axis, p) + (1 - std::cos(angle)) * dot(axis, p) * axis;
}

/// Turn all nodes about `axis` through the origin by `turns` in `steps` equal steps, with exact positions.
template <class T>
void turn_rigidly(Driver<T>& d, const Vec3& axis, double turns, int steps, double dt) {
  const double angle = turns * 2 * M_PI / steps;
  for (int s = 0; s < steps; ++s) {
    for (std::size_t i = 0; i < d.nodes.size(); ++i) {
      const Vec3 target = rotated(d.nodes.x[i], axis, angle);
      d.nodes.v[i] = (1 / dt) * (target - d.nodes.x[i]);
      d.nodes.w[i] = (angle / dt) * axis;
    }
    d.move(dt);
  }
}

}  // namespace crumple::test
