// Distance to walls, plastic impact with friction, and momentum of free walls.
#include "loads/rigid_wall/walls.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "base/error.hpp"
#include "loads/load_curve.hpp"
#include "modules/modules.hpp"
#include "sensors/sensors.hpp"
#include "state/archive.hpp"

namespace crumple::loads {

namespace {

constexpr double kPenaltyFactor = 0.1;  // of m / dt^2
constexpr double kNoSliding = 1e300;

void check(const RigidWall& wall) {
  const std::string name = "rigid wall " + std::to_string(wall.id);
  const auto refuse = [&](const char* what) { throw Error("CR-L103", name + " " + what); };
  if (wall.shape != WallShape::sphere && std::abs(norm(wall.normal) - 1.0) > 1e-6)
    refuse("has no direction: its tail and head are the same point");
  if ((wall.shape == WallShape::sphere || wall.shape == WallShape::cylinder) && !(wall.length1 > 0.0))
    refuse("needs a radius above zero");
  if (wall.moving && !(wall.mass > 0.0)) refuse("moves freely and needs a mass above zero");
  if (wall.friction < 0.0) refuse("has a negative friction coefficient");
}

/// Coulomb's coefficient from FRIC.
double friction_of(const RigidWall& wall) {
  if (wall.friction == 1.0 || wall.friction == 3.0) return kNoSliding;
  return wall.friction == 2.0 ? 0.0 : wall.friction;
}

bool welds(const RigidWall& wall) { return wall.friction == 2.0 || wall.friction == 3.0; }

/// Some unit vector normal to `n`.
Vec3 any_normal_to(const Vec3& n) {
  const Vec3 other = std::abs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 c = cross(n, other);
  return (1.0 / norm(c)) * c;
}

}  // namespace

RigidWalls::RigidWalls(const model::Model& model, const state::Nodal& nodal,
                       const parallel::Communicator& comm)
    : model_(&model), comm_(&comm), walls_(model.features.of<RigidWall>().size()) {
  std::vector<char> rigid(nodal.size(), 0);
  for (const model::RigidBody& body : model.rigid_bodies)
    for (const LocalId i : body.nodes) rigid[i] = 1;
  for (std::size_t k = 0; k < walls_.size(); ++k) {
    const RigidWall& input = model.features.of<RigidWall>()[k];
    check(input);
    walls_[k].input = &input;
    if (input.moving) walls_[k].velocity = input.v0 * input.normal;
    walls_[k].tracked.reserve(input.nodes.size());
    for (const LocalId i : input.nodes) {
      Tracked tracked;
      tracked.node = i;
      tracked.touching = in_front(walls_[k], nodal.x[i]);
      if (rigid[i]) {
        tracked.push = static_cast<std::int32_t>(walls_[k].pushes.size());
        walls_[k].pushes.push_back({{}, nodal.x[i]});
      }
      walls_[k].tracked.push_back(tracked);
    }
  }
  build_meters();
}

void RigidWalls::build_meters() {
  for (const WallTransducer& input : model_->features.of<WallTransducer>()) {
    Meter& meter = meters_.emplace_back();
    meter.input = &input;
    meter.nodes = input.nodes;
    std::ranges::sort(meter.nodes);
    walls_[static_cast<std::size_t>(input.wall)].meters.push_back(
        static_cast<std::int32_t>(meters_.size() - 1));
  }
}

/// Calls `add(meter)` for the transducers of a wall that have the node.
template <class Add>
void RigidWalls::measure(const Wall& wall, LocalId node, Add add) {
  for (const std::int32_t m : wall.meters)
    if (Meter& meter = meters_[static_cast<std::size_t>(m)]; std::ranges::binary_search(meter.nodes, node))
      add(meter);
}

RigidWalls::Gap RigidWalls::gap(const RigidWall& wall, const Vec3& y) {
  const double height = dot(y, wall.normal);
  Gap best{-1e300, {}};
  const auto consider = [&best](double size, const Vec3& normal) {
    if (size > best.size) best = {size, normal};
  };
  switch (wall.shape) {
    case WallShape::plane:
    case WallShape::finite_plane:
      return {height, wall.normal};
    case WallShape::sphere: {
      const double r = norm(y);
      return {r - wall.length1, r > 0.0 ? (1.0 / r) * y : Vec3{0, 0, 1}};
    }
    case WallShape::cylinder: {
      const Vec3 radial = y - height * wall.normal;
      const double r = norm(radial);
      consider(r - wall.length1, r > 0.0 ? (1.0 / r) * radial : any_normal_to(wall.normal));
      if (wall.length2 > 0.0) {
        consider(-height, -wall.normal);
        consider(height - wall.length2, wall.normal);
      }
      return best;
    }
    case WallShape::prism: {
      consider(height, wall.normal);
      if (wall.length3 > 0.0) consider(-height - wall.length3, -wall.normal);
      const double along1 = dot(y, wall.edge1), along2 = dot(y, wall.edge2);
      if (wall.length1 > 0.0) {
        consider(-along1, -wall.edge1);
        consider(along1 - wall.length1, wall.edge1);
      }
      if (wall.length2 > 0.0) {
        consider(-along2, -wall.edge2);
        consider(along2 - wall.length2, wall.edge2);
      }
      return best;
    }
  }
  return best;
}

/// Whether a node that has not touched the wall yet may do so: it is not behind the wall, except for
/// rounding.
bool RigidWalls::in_front(const Wall& wall, const Vec3& x) {
  const Vec3 point = wall.input->point + wall.displacement;
  return gap(*wall.input, x - point).size >= -1e-12 * (norm(x) + norm(point));
}

bool RigidWalls::within_edges(const RigidWall& wall, const Vec3& y) {
  if (wall.shape != WallShape::finite_plane) return true;
  const double along1 = dot(y, wall.edge1), along2 = dot(y, wall.edge2);
  return (wall.length1 <= 0.0 || (along1 >= 0.0 && along1 <= wall.length1)) &&
         (wall.length2 <= 0.0 || (along2 >= 0.0 && along2 <= wall.length2));
}

RigidWalls::Approach RigidWalls::approach(const Wall& wall, const Tracked& tracked, const Vec3& x,
                                          const Vec3& v, const Vec3& wall_velocity, double dt) {
  const RigidWall& input = *wall.input;
  const Vec3 y = x - (input.point + wall.displacement);
  const Vec3 y_end = y + dt * (v - wall_velocity);
  Approach result;
  result.start = gap(input, y);
  // A finite plane has a back side: a node that has passed around its edge is not pulled through.
  const bool behind = input.shape == WallShape::finite_plane && result.start.size < 0.0 && !tracked.touching;
  // A node on the surface gets the wall's velocity; a distant node the velocity that just takes it to the
  // surface.
  result.normal_velocity = -std::max(result.start.size, 0.0) / dt;
  result.enters = !behind && gap(input, y_end).size < 0.0 && within_edges(input, y_end) &&
                  dot(v - wall_velocity, result.start.normal) < result.normal_velocity;
  return result;
}

/// Velocity of a wall with mass such that momentum along its normal is conserved: the root of M (W - V) + P +
/// sum of m_i (W - u_i) over u_i < W, where u_i is the velocity at which node i just reaches the wall and P
/// the impulse on rigid bodies. It is convex and piecewise linear, so Newton's iteration ends at the exact
/// set of nodes; sets for different W are nested, so equal counts mean equal sets.
void RigidWalls::choose_velocity(Wall& wall, const state::Nodal& nodal, double time, double dt_v,
                                 double dt_x) {
  const RigidWall& input = *wall.input;
  const bool active = acts(wall, time);
  const double before = dot(wall.velocity, input.normal);
  double now = before, last_count = -1.0;
  for (int iteration = 0; iteration < 100; ++iteration) {
    std::array<parallel::ExactSum, 4> sums;  // mass, momentum, impulse on bodies, count
    for (const Tracked& t : wall.tracked) {
      const LocalId i = t.node;
      if (!active || nodal.owner[i] != comm_->rank()) continue;
      if (t.is_rigid()) {
        sums[2] += dt_v * dot(wall.pushes[t.push].force, input.normal);
        continue;
      }
      const Approach a = approach(wall, t, nodal.x[i], nodal.v[i], now * input.normal, dt_x);
      if (!a.enters && !t.welded) continue;
      const double reach = dot(nodal.v[i], input.normal) - (t.welded ? 0.0 : a.normal_velocity);
      sums[0] += nodal.mass[i];
      sums[1] += nodal.mass[i] * reach;
      sums[3] += 1.0;
    }
    parallel::ExactSum::reduce(*comm_, sums);
    const double count = sums[3].value();
    if (count == last_count) break;
    last_count = count;
    now = (input.mass * before - sums[2].value() + sums[1].value()) / (input.mass + sums[0].value());
  }
  wall.velocity = now * input.normal;
}

void RigidWalls::push(Wall& wall, Tracked& tracked, state::Nodal& nodal, double dt_v, double dt_x) {
  const RigidWall& input = *wall.input;
  const LocalId i = tracked.node;
  const Approach a = approach(wall, tracked, nodal.x[i], nodal.v[i], wall.velocity, dt_x);
  tracked.touching = a.enters || a.start.size >= 0.0;
  if (!a.enters && !tracked.welded) return;

  const Vec3& n = a.start.normal;
  const Vec3 relative = nodal.v[i] - wall.velocity;
  const double along = dot(relative, n);
  const double target = tracked.welded ? 0.0 : a.normal_velocity;
  if (welds(input) && -along > input.critical_velocity) tracked.welded = true;
  Vec3 sliding = relative - along * n;
  const double speed = norm(sliding), grip = friction_of(input) * std::abs(target - along);
  sliding *= speed > grip ? 1.0 - grip / speed : 0.0;
  const Vec3 change = (sliding + target * n) - relative;

  if (nodal.owner[i] == comm_->rank()) {
    const Vec3 impulse = nodal.mass[i] * change;
    wall.impulses.push_back({i, impulse});
    for (int k = 0; k < 3; ++k) {
      wall.force[k] += impulse[k] / dt_v;
      wall.impulse[k] += impulse[k];
    }
    measure(wall, i, [&](Meter& meter) {
      for (int k = 0; k < 3; ++k) {
        meter.force[k] += impulse[k] / dt_v;
        meter.impulse[k] += impulse[k];
      }
    });
  }
  nodal.v[i] += change;
  nodal.a[i] += (1.0 / dt_v) * change;
}

/// Keep the nodes that can reach the wall while node and wall together move the distance of `kSteps` present
/// steps. The others are in front of the wall.
void RigidWalls::find_near(Wall& wall, const state::Nodal& nodal, const Travel& travel, double reach) const {
  constexpr double kSteps = 300.0;
  const Vec3 point = wall.input->point + wall.displacement;
  const double margin = kSteps * reach;
  wall.near.clear();
  for (std::size_t k = 0; k < wall.tracked.size(); ++k) {
    Tracked& tracked = wall.tracked[k];
    const LocalId i = tracked.node;
    const bool far = !tracked.is_rigid() && !travel.erratic[i] && !tracked.welded &&
                     gap(*wall.input, nodal.x[i] - point).size > margin;
    if (far)
      tracked.touching = true;
    else
      wall.near.push_back(static_cast<std::int32_t>(k));
  }
  wall.near_until = travel.so_far + wall.path + margin;
}

std::vector<LocalId> RigidWalls::near_nodes() const {
  std::vector<LocalId> nodes;
  for (const Wall& wall : walls_)
    for (const std::int32_t k : wall.near)
      if (!wall.tracked[k].is_rigid()) nodes.push_back(wall.tracked[k].node);
  return nodes;
}

double RigidWalls::speed_to_reach(double time, double so_far, double dt) const {
  constexpr double rounding = 1e-9;  // an upper bound of the rounding of paths
  double least = HUGE_VAL;
  for (const Wall& wall : walls_) {
    if (!acts(wall, time)) continue;
    if (wall.input->moving || wall.input->motion_curve != model::kNone) return -1.0;
    least = std::min(least, ((1.0 - rounding) * wall.near_until - so_far - wall.path) / dt);
  }
  return least;
}

void RigidWalls::push_near(Wall& wall, state::Nodal& nodal, double dt_v, double dt_x) {
  for (const std::int32_t k : wall.near) {
    Tracked& tracked = wall.tracked[k];
    if (!tracked.is_rigid()) {
      push(wall, tracked, nodal, dt_v, dt_x);
    } else if (nodal.owner[tracked.node] == comm_->rank()) {
      const Vec3& force = wall.pushes[tracked.push].force;
      for (int i = 0; i < 3; ++i) wall.impulse[i] += dt_v * force[i];
      measure(wall, tracked.node, [&](Meter& meter) {
        for (int i = 0; i < 3; ++i) meter.impulse[i] += dt_v * force[i];
      });
    }
  }
}

bool RigidWalls::apply(state::Nodal& nodal, double time, double dt_v, double dt_x, Travel travel,
                       model::Stage stage) {
  bool others_near = false;
  for (Wall& wall : walls_) {
    wall.impulses.clear();
    const RigidWall& input = *wall.input;
    if (input.motion_curve != model::kNone) {
      const model::Curve& curve = model_->curves[input.motion_curve];  // displacements: constant beyond it
      const double speed = input.motion_kind != 1
                               ? load_value(*model_, input.motion_curve, time + 0.5 * dt_x, stage)
                           : curve.acts(stage) ? (curve(time + dt_x) - curve(time)) / dt_x
                                               : 0.0;
      wall.velocity = speed * input.motion_direction;
    } else if (input.moving) {
      choose_velocity(wall, nodal, time, dt_v, dt_x);
    }
    wall.force = {};
    for (const std::int32_t m : wall.meters) meters_[static_cast<std::size_t>(m)].force = {};
    if (time < input.birth || wall.off || wall.ended)
      for (Tracked& tracked : wall.tracked) tracked.touching = in_front(wall, nodal.x[tracked.node]);
    const double step = dt_x * norm(wall.velocity), reach = travel.next + step;
    if (acts(wall, time)) {
      if (!(travel.so_far + wall.path + reach < wall.near_until)) {
        find_near(wall, nodal, travel, reach);
        others_near = true;
      }
      push_near(wall, nodal, dt_v, dt_x);
    }
    wall.displacement += dt_x * wall.velocity;
    wall.path += step;
    travel.next += 2 * step;  // relative to the wall, nodes that it hit are no faster than before
  }
  return others_near;
}

void RigidWalls::count_impacts(const state::Nodal& nodal, double dt_v, double dt_x) {
  for (Wall& wall : walls_) {
    wall.impacts.begin_step(2 * dt_v <= dt_x);
    for (const Impulse& j : wall.impulses)
      wall.impacts.add(dot(j.value, nodal.v[j.node] - dt_v * nodal.a[j.node]), dot(j.value, nodal.v[j.node]));
  }
}

void RigidWalls::add_penalty_forces(state::Nodal& nodal, const constraints::RigidBodies& bodies, double time,
                                    double dt) {
  for (Wall& wall : walls_) {
    const RigidWall& input = *wall.input;
    const bool active = acts(wall, time) && dt > 0.0;
    if (!wall.meets_bodies()) continue;
    wall.body_force = {};
    for (const std::int32_t m : wall.meters) meters_[static_cast<std::size_t>(m)].body_force = {};
    for (Tracked& t : wall.tracked) {
      const LocalId i = t.node;
      if (!t.is_rigid()) continue;
      Push& last = wall.pushes[t.push];
      const Vec3 y = nodal.x[i] - (input.point + wall.displacement);
      const Gap g = gap(input, y);
      const bool behind = input.shape == WallShape::finite_plane && !t.touching;  // in the last step
      Vec3 force;
      if (active && g.size < 0.0 && !behind && within_edges(input, y)) {
        const double mass = kPenaltyFactor * bodies.nodal_mass_factor(bodies.body_of(i)) * nodal.mass[i];
        const double pressing = mass * -g.size / (dt * dt);
        const Vec3 relative = nodal.v[i] - wall.velocity;
        const Vec3 sliding = relative - dot(relative, g.normal) * g.normal;
        const double speed = norm(sliding);
        const double drag = std::min(friction_of(input) * pressing, mass * speed / dt);
        force = pressing * g.normal - (speed > 0.0 ? drag / speed : 0.0) * sliding;
      }
      t.touching = g.size >= 0.0 || !(force == Vec3{});
      if (nodal.owner[i] == comm_->rank()) {
        nodal.add_force(i, force);
        wall.penalty_work += 0.5 * dot(last.force + force, nodal.x[i] - last.x);
        for (int k = 0; k < 3; ++k) wall.body_force[k] += force[k];
        measure(wall, i, [&](Meter& meter) {
          for (int k = 0; k < 3; ++k) meter.body_force[k] += force[k];
        });
      }
      last = {force, nodal.x[i]};
    }
  }
}

std::vector<RigidWalls::Row> RigidWalls::rows() const {
  std::vector<parallel::ExactSum> sums;
  const auto add = [&](const auto& of) {
    for (int k = 0; k < 3; ++k) {
      sums.push_back(of.force[k]);
      sums.back().add(of.body_force[k]);
      sums.push_back(of.impulse[k]);
    }
  };
  std::ranges::for_each(walls_, add);
  std::ranges::for_each(meters_, add);
  parallel::ExactSum::reduce(*comm_, sums);
  std::vector<Row> rows;
  const auto read = [&](GlobalId id, const Wall& wall) {
    const std::size_t w = rows.size();
    Row row;
    row.id = id;
    for (int k = 0; k < 3; ++k) {
      row.force[k] = sums[6 * w + 2 * k].value();
      row.impulse[k] = sums[6 * w + 2 * k + 1].value();
    }
    const RigidWall& input = *wall.input;
    const bool plane = input.shape == WallShape::plane || input.shape == WallShape::finite_plane;
    row.normal_force = plane ? dot(row.force, input.normal) : norm(row.force);
    row.displacement = wall.displacement;
    row.velocity = wall.velocity;
    rows.push_back(row);
  };
  for (const Wall& wall : walls_) read(wall.input->id, wall);
  for (const Meter& meter : meters_)
    read(meter.input->id, walls_[static_cast<std::size_t>(meter.input->wall)]);
  return rows;
}

std::vector<double> RigidWalls::absorbed_energies() const {
  std::vector<parallel::ExactSum> work;
  for (const Wall& wall : walls_) work.emplace_back(wall.impacts.done()).add(wall.penalty_work);
  parallel::ExactSum::reduce(*comm_, work);
  std::vector<double> energies;
  for (const parallel::ExactSum& of_wall : work) energies.push_back(-of_wall.value());
  return energies;
}

/// Which nodes are near is found anew; forces and impulses are of one step; switches of parts say anew in
/// each cycle whether walls have ended.
void RigidWalls::archive(state::Archive& archive, const parallel::IndexMap&) {
  using state::Of, state::Rows;
  static_assert(field_count<Wall>() == 17 && field_count<Meter>() == 5 && field_count<Tracked>() == 4 &&
                    field_count<Push>() == 2,
                "is the new member carried on?");
  const auto here = archive.module("rigid walls");
  const std::vector<GlobalId> numbers = state::numbered(walls_.size());
  const Rows equal = Rows::equal(Of::entity, numbers), sums = Rows::sums(Of::entity, numbers, comm_->rank());
  archive.member("displacement", equal, std::span(walls_), &Wall::displacement);
  archive.member("velocity", equal, std::span(walls_), &Wall::velocity);
  archive.member("impulse", sums, std::span(walls_), &Wall::impulse);
  archive.member("impacts", sums, std::span(walls_), &Wall::impacts);
  archive.member("penalty work", sums, std::span(walls_), &Wall::penalty_work);
  if (!meters_.empty())
    archive.member("impulse of transducers",
                   Rows::sums(Of::entity, state::numbered(meters_.size()), comm_->rank()), std::span(meters_),
                   &Meter::impulse);
  for (std::size_t w = 0; w < walls_.size(); ++w) {
    Wall& wall = walls_[w];
    std::vector<GlobalId> tracked, pushed;  // number of the wall, user id of the node
    for (const Tracked& t : wall.tracked) {
      const GlobalId id = model_->nodes.id[static_cast<std::size_t>(t.node)];
      tracked.insert(tracked.end(), {numbers[w], id});
      if (t.is_rigid()) pushed.insert(pushed.end(), {numbers[w], id});
    }
    const Rows of_nodes = Rows::equal(Of::entity, tracked, 2), of_pushes = Rows::equal(Of::entity, pushed, 2);
    archive.member("touching", of_nodes, std::span(wall.tracked), &Tracked::touching);
    archive.member("welded", of_nodes, std::span(wall.tracked), &Tracked::welded);
    archive.member("push", of_pushes, std::span(wall.pushes), &Push::force);
    archive.member("pushed at", of_pushes, std::span(wall.pushes), &Push::x);
    if (archive.reading()) wall.near_until = 0.0;
  }
}

std::unique_ptr<modules::Module> RigidWalls::start(const modules::Start& start) {
  if (start.model.features.of<RigidWall>().empty()) return nullptr;
  auto walls = std::make_unique<RigidWalls>(start.model, start.nodal, start.comm);
  walls->sensors_ = start.started.find<sensors::Sensors>();
  return walls;
}

void RigidWalls::switch_walls() {
  if (sensors_ == nullptr) return;
  sensors_->each(sensors::Controlled::wall,
                 [&](std::int32_t wall, bool on) { walls_[static_cast<std::size_t>(wall)].off = !on; });
}

}  // namespace crumple::loads
