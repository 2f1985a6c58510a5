// Small models for contact tests and a bare central difference loop without elements.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "contact/contact_system.hpp"
#include "contact/one_rank.hpp"
#include "model/model.hpp"
#include "parallel/communicator.hpp"
#include "preparation/build_surfaces.hpp"
#include "state/nodal.hpp"

namespace crumple::contact::test {

using preparation::build_surfaces;

/// MPI for test programs whose main does not start it.
struct MpiSession {
  MpiSession() {
    int started = 0;
    MPI_Initialized(&started);
    if (started) return;
    MPI_Init(nullptr, nullptr);
    std::atexit([] { MPI_Finalize(); });
  }
};

inline constexpr double kScale = 1099511627776.0;  // 2^40

/// A model put together by hand; element bulk modulus is the same for all parts.
struct Bench {
  model::Model model;
  double bulk = 1000.0;
  double density = 1.0;

  LocalId add_part(model::ElementKind kind, double thickness = 0.0) {
    model::Section section;
    section.kind = kind;
    section.thickness.fill(thickness);
    model.sections.push_back(section);
    model::Part part;
    part.id = static_cast<GlobalId>(model.parts.size() + 1);
    part.section = static_cast<LocalId>(model.sections.size() - 1);
    part.kind = kind;
    model.parts.push_back(part);
    return static_cast<LocalId>(model.parts.size() - 1);
  }

  LocalId add_node(const Vec3& x) {
    model.nodes.x.push_back(x);
    model.nodes.id.push_back(static_cast<GlobalId>(model.nodes.size() + 1));
    return static_cast<LocalId>(model.nodes.size() - 1);
  }

  void add_shell(LocalId part, std::array<LocalId, 4> nodes) {
    auto& s = model.shells;
    s.id.push_back(static_cast<GlobalId>(s.size() + 1));
    s.order.push_back(static_cast<GlobalId>(s.order.size()));
    s.part.push_back(part);
    s.nodes.push_back(nodes);
  }

  void add_solid(LocalId part, std::array<LocalId, 8> nodes) {
    auto& s = model.solids;
    s.id.push_back(static_cast<GlobalId>(s.size() + 1));
    s.order.push_back(static_cast<GlobalId>(s.order.size()));
    s.part.push_back(part);
    s.nodes.push_back(nodes);
  }

  /// nx x ny shells spanned by `a` and `b` from `origin`; returns the new part.
  LocalId add_plate(const Vec3& origin, const Vec3& a, const Vec3& b, int nx, int ny, double thickness) {
    const LocalId part = add_part(model::ElementKind::shell, thickness);
    const auto first = static_cast<LocalId>(model.nodes.size());
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i) add_node(origin + (double(i) / nx) * a + (double(j) / ny) * b);
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        const LocalId n = first + j * (nx + 1) + i;
        add_shell(part, {n, n + 1, n + nx + 2, n + nx + 1});
      }
    return part;
  }

  /// n[0] x n[1] x n[2] bricks filling a box.
  LocalId add_block(const Vec3& origin, const Vec3& size, std::array<int, 3> n) {
    const LocalId part = add_part(model::ElementKind::solid);
    const auto first = static_cast<LocalId>(model.nodes.size());
    for (int k = 0; k <= n[2]; ++k)
      for (int j = 0; j <= n[1]; ++j)
        for (int i = 0; i <= n[0]; ++i)
          add_node(origin + Vec3{size.x * i / n[0], size.y * j / n[1], size.z * k / n[2]});
    const int row = n[0] + 1, layer = row * (n[1] + 1);
    for (int k = 0; k < n[2]; ++k)
      for (int j = 0; j < n[1]; ++j)
        for (int i = 0; i < n[0]; ++i) {
          const LocalId c = first + k * layer + j * row + i;
          add_solid(part, {c, c + 1, c + row + 1, c + row, c + layer, c + layer + 1, c + layer + row + 1,
                           c + layer + row});
        }
    return part;
  }

  /// A contact between parts (user ids), or of everything.
  model::Contact& add_contact(model::ContactType type, GlobalId part_a = 0, GlobalId part_b = 0) {
    model::Contact contact;
    contact.id = static_cast<GlobalId>(model.contacts.size() + 1);
    contact.type = type;
    contact.input_a = {part_a == 0 ? 5 : 3, part_a, model::kNone};
    contact.input_b = {part_b == 0 ? 5 : 3, part_b, model::kNone};
    model.contacts.push_back(contact);
    return model.contacts.back();
  }

  std::vector<PartConstants> constants() const {
    return std::vector<PartConstants>(model.parts.size(), PartConstants{bulk, bulk, density});
  }

  state::Nodal nodal(double mass = 1.0) const {
    state::Nodal n = nodes_on_one_rank(model);
    n.a.resize(n.size());
    n.mass.assign(n.size(), mass);
    n.loads = parallel::zero_loads(n.size(), kScale);
    return n;
  }
};

/// One rank's contacts of a bench, driven by hand or by central differences.
struct ContactRun {
  MpiSession mpi;
  Bench bench;
  state::Nodal nodal;
  ContactSystem system;
  double time = 0.0;

  explicit ContactRun(Bench b, double mass = 1.0)
      : bench(prepared(std::move(b))),
        nodal(bench.nodal(mass)),
        system(bench.model, nodal, parallel::Communicator(MPI_COMM_SELF), bench.constants()) {}

  static Bench prepared(Bench b) {
    build_surfaces(b.model);
    return b;
  }

  /// Contact forces at the present positions; `dt` is the step that led here.
  void forces(double dt = 0.0) {
    for (parallel::LoadSum& sum : nodal.loads) sum.clear();
    if (agrees)
      system.prepare_cycle(nodal, dt);
    else
      system.measure_and_prepare(nodal);
    system.add_forces(nodal, time, dt);
    double speed = 0.0;
    for (const Vec3& v : nodal.v) speed = std::max(speed, norm(v));
    if (agrees) system.take_motion(system.motion(nodal, last_way, speed));
  }
  Vec3 force(LocalId node) const { return nodal.force_at(node); }
  Vec3 total_force() const {
    Vec3 sum;
    for (std::size_t i = 0; i < nodal.size(); ++i) sum += nodal.force_at(static_cast<LocalId>(i));
    return sum;
  }
  /// About the origin.
  Vec3 total_moment() const {
    Vec3 sum;
    for (std::size_t i = 0; i < nodal.size(); ++i)
      sum += cross(nodal.x[i], nodal.force_at(static_cast<LocalId>(i)));
    return sum;
  }
  /// Move `node` by `u` in one step of `dt` and find the forces there.
  void move(LocalId node, const Vec3& u, double dt) {
    nodal.v[node] = (1.0 / dt) * u;
    nodal.x[node] += u;
    time += dt;
    forces(dt);
  }
  /// One cycle of central differences; `external(i)` adds to the contact force. Nodes with infinite mass
  /// stay. Kinetic energy at t_n is left in `kinetic`: the product of both half steps' velocities, whose
  /// change is the trapezoidal work of the forces exactly.
  template <class External>
  void step(double dt, bool first, External external) {
    forces(first ? 0.0 : dt);
    kinetic = 0.0;
    for (std::size_t i = 0; i < nodal.size(); ++i) {
      const auto node = static_cast<LocalId>(i);
      if (!std::isfinite(nodal.mass[i])) continue;
      const Vec3 a = (1.0 / nodal.mass[i]) * (nodal.force_at(node) + external(node));
      const Vec3 before = nodal.v[i];
      nodal.v[i] += dt * a;
      kinetic += 0.5 * nodal.mass[i] * dot(before, nodal.v[i]);
    }
    double fastest = 0.0;
    for (std::size_t i = 0; i < nodal.size(); ++i) {
      nodal.x[i] += dt * nodal.v[i];
      fastest = std::max(fastest, norm(nodal.v[i]));
    }
    last_way = 1.000001 * dt * fastest;
    time += dt;
  }
  double kinetic = 0.0;
  double last_way = 0.0;  ///< of the fastest node in the last step
  bool agrees = false;    ///< on how nodes move, as a solver does; else it is measured in every cycle
};

inline constexpr double kUnmovable = HUGE_VAL;

}  // namespace crumple::contact::test
