// A time step loop over a handful of nodes, in the order of the solver's own, for tests of constraints and
// loads.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "constraints/prescribed_motion.hpp"
#include "constraints/rigid_bodies.hpp"
#include "constraints/single_point.hpp"
#include "loads/body/body_loads.hpp"
#include "loads/nodal/nodal_loads.hpp"
#include "loads/pressure/pressure_loads.hpp"
#include "loads/rigid_wall/walls.hpp"
#include "model/model.hpp"
#include "parallel/communicator.hpp"
#include "parallel/halo.hpp"
#include "state/nodal.hpp"

namespace crumple::test {

struct World {
  model::Model model;
  state::Nodal nodal;

  LocalId add_node(const Vec3& x, const Vec3& v = {}, double mass = 1.0, double inertia = 0.0,
                   GlobalId id = 0, int owner = 0) {
    const auto i = static_cast<LocalId>(nodal.size());
    model.nodes.id.push_back(id > 0 ? id : i + 1);
    model.nodes.x.push_back(x);
    nodal.id.push_back(id > 0 ? id : i + 1);
    nodal.owner.push_back(owner);
    nodal.x0.push_back(x);
    nodal.x.push_back(x);
    nodal.v.push_back(v);
    nodal.w.push_back({});
    nodal.a.push_back({});
    nodal.alpha.push_back({});
    nodal.mass.push_back(mass);
    nodal.inertia.push_back(inertia);
    nodal.loads.push_back({{{}, 0x1p36}, {{}, 0x1p36}});
    return i;
  }
  LocalId add_curve(std::vector<double> x, std::vector<double> y) {
    model::Curve c;
    c.id = GlobalId(model.curves.size()) + 1;
    c.x = std::move(x), c.y = std::move(y);
    model.curves.push_back(c);
    return LocalId(model.curves.size()) - 1;
  }
  LocalId constant(double value) { return add_curve({0.0, 1e6}, {value, value}); }

  loads::RigidWall& add_wall(const Vec3& point, const Vec3& normal) {
    std::vector<loads::RigidWall>& walls = model.features.of<loads::RigidWall>();
    loads::RigidWall wall;
    wall.id = GlobalId(walls.size()) + 1;
    wall.shape = loads::WallShape::plane;
    wall.point = point, wall.normal = (1.0 / norm(normal)) * normal;
    for (std::size_t i = 0; i < nodal.size(); ++i) wall.nodes.push_back(LocalId(i));
    walls.push_back(wall);
    return walls.back();
  }
  /// A body of all nodes so far that belong to none.
  model::RigidBody& add_body() {
    model::RigidBody body;
    body.part_id = GlobalId(model.rigid_bodies.size()) + 1;
    std::vector<char> taken(nodal.size(), 0);
    for (const auto& other : model.rigid_bodies)
      for (const LocalId i : other.nodes) taken[i] = 1;
    for (std::size_t i = 0; i < nodal.size(); ++i)
      if (!taken[i]) body.nodes.push_back(LocalId(i));
    model.rigid_bodies.push_back(body);
    return model.rigid_bodies.back();
  }
};

class Simulation {
 public:
  explicit Simulation(World& world, const parallel::Communicator& comm, parallel::Halo halo)
      : comm(comm),
        halo(std::move(halo)),
        world(world),
        nodal(world.nodal),
        held(world.model, comm.rank()),
        motion(world.model, comm.rank()),
        bodies(world.model, world.nodal, comm),
        nodal_loads(world.model),
        pressures(world.model),
        body_loads(world.model, world.nodal, this->halo, comm.rank()),
        walls(world.model, world.nodal, comm) {
    bodies.initialize(nodal);
    v_before = nodal.v;
  }

  void step(double dt) {
    for (parallel::LoadSum& sum : nodal.loads) sum.clear();
    if (extra_forces) extra_forces(nodal, time);
    nodal_loads.add(nodal, time, last_dt, stage);
    pressures.add(nodal, time, stage);
    walls.add_penalty_forces(nodal, bodies, time, last_dt);
    const auto sums = parallel::sums_of(nodal.loads);
    halo.begin_sum(sums);
    halo.finish_sum(sums);
    body_loads.pull(nodal, bodies, time, last_dt, stage);

    const double dt_v = 0.5 * (last_dt + dt);
    v_before = nodal.v;
    for (std::size_t i = 0; i < nodal.size(); ++i) {
      const auto n = static_cast<LocalId>(i);
      nodal.a[i] = (1.0 / nodal.mass[i]) * nodal.force_at(n);
      nodal.alpha[i] = nodal.inertia[i] > 0 ? (1.0 / nodal.inertia[i]) * nodal.moment_at(n) : Vec3{};
    }
    body_loads.accelerate(nodal, bodies);
    motion.apply(nodal, time, dt_v, dt, stage);
    held.apply(nodal, time);
    for (std::size_t i = 0; i < nodal.size(); ++i) {
      if (bodies.is_rigid(LocalId(i))) continue;
      nodal.v[i] += dt_v * nodal.a[i];
      nodal.w[i] += dt_v * nodal.alpha[i];
    }
    if (walls.size() > 0) forget_accelerations(dt);
    if (walls.apply(nodal, time, dt_v, dt, {travelled, dt * fastest(), no_welds}, stage))
      near = walls.near_nodes();
    std::vector<std::int64_t> resultants(bodies.n_resultants());
    bodies.find_resultants(nodal, resultants);
    comm.sum(std::span(resultants));
    bodies.advance(nodal, resultants, time, dt_v, dt, stage);
    walls.count_impacts(nodal, dt_v, dt);
    for (std::size_t i = 0; i < nodal.size(); ++i)
      if (!bodies.is_rigid(LocalId(i))) nodal.x[i] += dt * nodal.v[i];
    travelled += dt * fastest();
    time += dt;
    last_dt = dt;
  }
  void run(double dt, int steps) {
    for (int k = 0; k < steps; ++k) step(dt);
  }
  /// The solver stores none where walls say that they will not look: nothing may depend on them.
  void forget_accelerations(double dt) {
    const double reach = walls.speed_to_reach(time, travelled, dt);
    for (std::size_t i = 0; i < nodal.size(); ++i)
      if (!(norm(nodal.v[i]) > reach) && std::ranges::find(near, static_cast<LocalId>(i)) == near.end())
        nodal.a[i] = {std::nan(""), std::nan(""), std::nan("")};
  }
  double fastest() const {
    double speed = 0.0;
    for (std::size_t i = 0; i < nodal.size(); ++i)
      if (!bodies.is_rigid(LocalId(i))) speed = std::max(speed, norm(nodal.v[i]));
    return speed;
  }
  /// Kinetic energy of nodes outside bodies that this rank owns, at the start of the last step, as the
  /// product of the velocities on both sides: what work at half steps adds up to exactly.
  double nodal_energy() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < nodal.size(); ++i)
      if (!bodies.is_rigid(LocalId(i)) && nodal.owner[i] == comm.rank())
        sum += 0.5 * nodal.mass[i] * dot(v_before[i], time > last_dt ? nodal.v[i] : v_before[i]);
    return sum;
  }

  const parallel::Communicator& comm;
  parallel::Halo halo;
  World& world;
  state::Nodal& nodal;
  std::vector<LocalId> near;  ///< of walls
  constraints::SinglePoint held;
  constraints::PrescribedMotion motion;
  constraints::RigidBodies bodies;
  loads::NodalLoads nodal_loads;
  loads::PressureLoads pressures;
  loads::BodyLoads body_loads;
  loads::RigidWalls walls;
  std::function<void(state::Nodal&, double)> extra_forces;
  AlignedVector<Vec3> v_before;
  std::vector<char> no_welds = std::vector<char>(nodal.size(), 0);
  model::Stage stage = model::Stage::transient;
  double time = 0.0, last_dt = 0.0, travelled = 0.0;
};

/// The communicator of one rank, in tests that run on one rank or where each rank runs the whole alone.
inline const parallel::Communicator& alone() {
  static const parallel::Communicator comm(MPI_COMM_SELF);
  return comm;
}

}  // namespace crumple::test
