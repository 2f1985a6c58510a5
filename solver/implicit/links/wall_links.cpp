// Distances to walls of every shape, with derivatives, and the forces that follow.
#include "implicit/links/wall_links.hpp"

#include <algorithm>
#include <cmath>

#include "contact/part_constants.hpp"
#include "model/curve.hpp"

namespace crumple::implicit {

using loads::RigidWall;
using loads::WallShape;

namespace {

constexpr double kWallStiffness = 10.0, kWallShear = 0.1, kTouch = 1e-9;

/// Signed distance from a wall, negative inside, and the outward normal.
template <class T>
struct Distance {
  T size{};
  Vector<T> normal;
};

/// @param y from the wall's point
template <class T>
Distance<T> distance(const RigidWall& wall, const Vector<T>& y) {
  using std::sqrt;
  const Vector<T> axis = wall.normal;
  const T height = dot(y, axis);
  const auto radial = [&](const Vector<T>& r) {
    const T length = sqrt(dot(r, r));
    if (!(value_of(length) > 0.0)) return Distance<T>{T(-wall.length1), axis};
    return Distance<T>{length - T(wall.length1), (T(1.0) / length) * r};
  };
  Distance<T> best;
  bool any = false;
  const auto consider = [&](const Distance<T>& d) {
    if (!any || value_of(d.size) > value_of(best.size)) best = d;
    any = true;
  };
  switch (wall.shape) {
    case WallShape::plane:
    case WallShape::finite_plane:
      return {height, axis};
    case WallShape::sphere:
      return radial(y);
    case WallShape::cylinder:
      consider(radial(y - height * axis));
      if (wall.length2 > 0.0) {
        consider({-height, -axis});
        consider({height - T(wall.length2), axis});
      }
      return best;
    case WallShape::prism: {
      const Vector<T> edge1 = wall.edge1, edge2 = wall.edge2;
      const auto slab = [&](const T& along_edge, const Vector<T>& edge, double length) {
        if (!(length > 0.0)) return;
        consider({-along_edge, -edge});
        consider({along_edge - T(length), edge});
      };
      consider({height, axis});
      if (wall.length3 > 0.0) consider({-height - T(wall.length3), -axis});
      slab(dot(y, edge1), edge1, wall.length1);
      slab(dot(y, edge2), edge2, wall.length2);
      return best;
    }
  }
  return best;
}

bool within_edges(const RigidWall& wall, const Vec3& y) {
  if (wall.shape != WallShape::finite_plane) return true;
  const double along1 = dot(y, wall.edge1), along2 = dot(y, wall.edge2);
  return (wall.length1 <= 0.0 || (along1 >= 0.0 && along1 <= wall.length1)) &&
         (wall.length2 <= 0.0 || (along2 >= 0.0 && along2 <= wall.length2));
}

/// By node: the largest bulk modulus of its elements, and the mean distance to their other nodes.
struct Surroundings {
  std::vector<double> bulk, distance;

  Surroundings(const model::Model& model, const state::Nodal& nodal)
      : bulk(nodal.size(), 0.0), distance(nodal.size(), 0.0), count_(nodal.size(), 0) {
    const std::vector<contact::PartConstants> constants = contact::part_constants(model);
    add(model.shells, 4, constants, nodal);
    add(model.solids, 8, constants, nodal);
    add(model.beams, 2, constants, nodal);
    for (std::size_t n = 0; n < distance.size(); ++n)
      if (count_[n] > 0) distance[n] /= static_cast<double>(count_[n]);
  }

 private:
  template <class Elements>
  void add(const Elements& elements, std::size_t corners,
           const std::vector<contact::PartConstants>& constants, const state::Nodal& nodal) {
    for (std::size_t e = 0; e < elements.size(); ++e)
      model::each_node(elements, e, corners, [&](LocalId node) {
        const std::size_t n = at(node);
        bulk[n] = std::max(bulk[n], constants[at(elements.part[e])].bulk);
        model::each_node(elements, e, corners, [&](LocalId other) {
          const double d = norm(nodal.x[at(other)] - nodal.x[n]);
          if (d > 0.0) distance[n] += d, ++count_[n];
        });
      });
  }
  std::vector<std::int64_t> count_;
};

/// The integral of a curve from 0 to `time`; zero beyond its ends.
double integral(const model::Curve& curve, double time) {
  double sum = 0.0;
  for (std::size_t k = 1; k < curve.x.size(); ++k) {
    const double from = std::clamp(0.0, curve.x[k - 1], curve.x[k]);
    const double to = std::clamp(time, curve.x[k - 1], curve.x[k]);
    if (to > from) sum += (to - from) * 0.5 * (curve(from) + curve(to));
  }
  return sum;
}

}  // namespace

WallLinks::WallLinks(const LinkInput& input)
    : model_(&input.model), walls_(&input.model.features.of<RigidWall>()), states_(walls_->size()) {
  const Surroundings around(input.model, input.nodal);
  for (std::size_t w = 0; w < walls_->size(); ++w)
    for (const LocalId n : (*walls_)[w].nodes) {
      if (!(around.bulk[at(n)] > 0.0)) continue;  // nothing there that could be stopped
      Tracked t;
      t.wall = static_cast<std::int32_t>(w);
      t.node = n;
      t.stiffness = kWallStiffness * around.bulk[at(n)] * around.distance[at(n)];
      t.touch = kTouch * around.distance[at(n)];
      const double size = distance<double>((*walls_)[w], input.nodal.x[at(n)] - (*walls_)[w].point).size;
      t.taken_out = std::max(0.0, -size);
      t.in_front = size >= -t.touch;
      tracked_.push_back(t);
    }
}

void WallLinks::append_points(std::vector<std::vector<LocalId>>& all) const {
  for (const Tracked& t : tracked_) all.push_back({t.node});
}

void WallLinks::raise_unknowns(std::span<std::uint8_t> of_point) const {
  for (const Tracked& t : tracked_) of_point[at(t.node)] = std::max(of_point[at(t.node)], std::uint8_t{3});
}

Vec3 WallLinks::moved(const RigidWall& wall, double time) const {
  if (wall.motion_curve == model::kNone) return {};
  const model::Curve& curve = model_->curves[at(wall.motion_curve)];
  return (wall.motion_kind == 1 ? curve(time) : integral(curve, time)) * wall.motion_direction;
}

template <class T>
WallLinks::Action<T> WallLinks::act(const Tracked& tracked, const Trial& trial) const {
  const RigidWall& wall = wall_of(tracked);
  const std::size_t n = at(tracked.node);
  const Vec3 end = moved(wall, trial.end), start = moved(wall, trial.end - trial.dt);
  const Vector<T> u = variables<T>(trial.increment.u[n], 0);
  const Vector<T> y = Vector<T>(trial.x0[n] - wall.point - end) + u;
  const Distance<T> d = distance(wall, y);
  Action<T> result;
  result.outside = value_of(d.size);
  result.within = within_edges(wall, value_of(y));
  // A finite plane has a back side: what has gone round its edge is not pulled through.
  const bool behind = wall.shape == WallShape::finite_plane && !tracked.in_front;
  const T depth = T(tracked.touch - tracked.taken_out) - d.size;
  if (!result.within || behind || !(value_of(depth) > 0.0)) return result;
  const T k(tracked.stiffness), pressed = k * depth;
  result.force = pressed * d.normal;
  if (wall.friction == 0.0) return result;
  const Vector<T>& normal = d.normal;
  const auto flat = [&normal](const Vector<T>& v) { return v - dot(v, normal) * normal; };
  Vector<T> stretch = flat(Vector<T>(tracked.stretched) + u - Vector<T>(end - start));
  const T shear = T(kWallShear) * k;
  if (wall.friction != 1.0) {
    using std::sqrt;
    const T size = shear * sqrt(dot(stretch, stretch));
    const double limit = wall.friction * value_of(pressed);
    if (value_of(size) > limit) stretch = (T(limit) / size) * stretch;
  }
  result.stretched = value_of(stretch);
  result.force -= shear * stretch;
  return result;
}

void WallLinks::evaluate(const Trial& trial, bool stiffness, const Elements::Visit& visit) const {
  for (const Tracked& t : tracked_) {
    const RigidWall& wall = wall_of(t);
    if (!(wall.birth <= trial.end && trial.end < wall.death)) continue;
    LinkTangent<3, 1> tangent;
    tangent.points[0] = t.node;
    const auto put = [&](const auto& action) {
      for (int i = 0; i < 3; ++i) tangent.put(i, -action.force[i]);
      return norm(value_of(action.force)) > 0.0;
    };
    if (stiffness ? put(act<Number<3>>(t, trial)) : put(act<double>(t, trial)))
      visit(tangent.view(stiffness));
  }
}

void WallLinks::begin_at(const LinkBegin& begin) {
  for (Tracked& t : tracked_) {
    const RigidWall& wall = wall_of(t);
    const double size =
        distance<double>(wall, begin.points[at(t.node)] - wall.point - moved(wall, begin.time)).size;
    t.taken_out = std::max(0.0, -size);
    t.in_front = size >= -t.touch;
    t.force = t.stretched = {};
  }
}

void WallLinks::accept(const Trial& trial) {
  for (State& s : states_) s.force = {};
  for (Tracked& t : tracked_) {
    const RigidWall& wall = wall_of(t);
    State& state = states_[at(t.wall)];
    if (!(wall.birth <= trial.end && trial.end < wall.death)) {
      t.force = t.stretched = {};
      continue;
    }
    const Action<double> now = act<double>(t, trial);
    const Vec3 force = value_of(now.force);
    state.force += force;
    state.energy -= 0.5 * dot(t.force + force, trial.increment.u[at(t.node)]);
    t.force = force;
    t.stretched = now.stretched;
    t.in_front = now.outside >= 0.0 || norm(force) > 0.0;
  }
  for (std::size_t w = 0; w < states_.size(); ++w) {
    const RigidWall& wall = (*walls_)[w];
    const bool plane = wall.shape == WallShape::plane || wall.shape == WallShape::finite_plane;
    states_[w].normal_force = plane ? dot(states_[w].force, wall.normal) : norm(states_[w].force);
  }
}

}  // namespace crumple::implicit
