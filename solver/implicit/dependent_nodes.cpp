// Lists of dependent nodes, their motion, and the rows of T.
#include "implicit/dependent_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "constraints/linear/linear_constraint.hpp"
#include "implicit/mean_spin.hpp"

namespace crumple::implicit {

using constraints::Directions;
using constraints::identity3;
using constraints::Matrix3;
using model::kNone;

namespace {

/// r rotated by the Cayley vector theta: the r' with r' - r = theta x (r + r') / 2.
Vec3 turned_by(const Vec3& r, const Vec3& theta) {
  const Vec3 once = cross(theta, r);
  return r + (1.0 / (1.0 + 0.25 * dot(theta, theta))) * (once + 0.5 * cross(theta, once));
}

constexpr std::uint8_t kTurns = 0b111000;

}  // namespace

DependentNodes::DependentNodes(const model::Model& model, std::span<const RigidPoint> bodies,
                               std::span<const Vec3> x)
    : nodes_(x.size()), bodies_(bodies.size()), of_node_(x.size() + 2 * bodies.size(), kNone) {
  add_bodies(model, bodies);
  add_sets(model);
  add_interpolations(model);
  add_linear(model);
  add_ties(model);
  sort(model);
  mean_arms_.resize(masters_.size());
}

void DependentNodes::add(Dependent d, std::span<const Master> masters, const model::Model& model) {
  std::int32_t& of = of_node_[at(d.node)];
  if (of != kNone) {
    Dependent& old = all_[at(of)];
    if (old.kind == Kind::set && d.kind == Kind::set && masters_[at(old.first)].point == masters[0].point) {
      old.mask |= d.mask;
      if (old.death == d.death) return;
    }
    throw Error("CR-I101", fmt::format("node {} depends on other nodes in two ways (rigid bodies, ties, "
                                       "interpolations, node sets), which implicit analysis does not have",
                                       model.nodes.id[at(d.node)]));
  }
  of = static_cast<std::int32_t>(all_.size());
  d.first = static_cast<std::int32_t>(masters_.size());
  d.count = static_cast<std::int32_t>(masters.size());
  masters_.insert(masters_.end(), masters.begin(), masters.end());
  all_.push_back(d);
}

void DependentNodes::add_bodies(const model::Model& model, std::span<const RigidPoint> bodies) {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Master point{body_point(b), 1.0, 0.0};
    Dependent d;
    for (const LocalId n : bodies[b].nodes) {
      d.node = n;
      add(d, std::span(&point, 1), model);
    }
    d.node = centre(b);
    add(d, std::span(&point, 1), model);
  }
}

void DependentNodes::add_sets(const model::Model& model) {
  for (const model::NodeTie& tie : model.node_ties) {
    if (tie.nodes.empty()) continue;
    const Master leader{tie.nodes.front(), 1.0, 0.0};
    for (const LocalId n : tie.nodes) {
      if (n == leader.point) continue;
      Dependent d;
      d.node = n;
      d.kind = Kind::set;
      d.mask = tie.mask;
      d.death = tie.failure_time;
      d.turns = d.has_arm = false;
      add(d, std::span(&leader, 1), model);
    }
  }
}

void DependentNodes::add_interpolations(const model::Model& model) {
  for (const model::Interpolation& input : model.interpolations) {
    std::vector<Master> masters;
    for (std::size_t i = 0; i < input.nodes.size(); ++i)
      masters.push_back({input.nodes[i], input.weights[i], input.weights[i]});
    Dependent d;
    d.node = input.node;
    d.kind = Kind::mean;
    d.turns = (input.mask & kTurns) != 0;
    add(d, masters, model);
  }
}

namespace {

/// Constraints of one node, which is the first in each of them.
struct LinearNode {
  constraints::Directions along;
  std::map<LocalId, Matrix3> masters;
};

/// Adds a constraint: the direction that it ties, and what the other nodes give.
void add_constraint(const constraints::LinearGroup& group, std::size_t k, const model::Model& model,
                    std::map<LocalId, LinearNode>& of) {
  const auto terms = std::span(group.terms)
                         .subspan(static_cast<std::size_t>(group.first[k]),
                                  static_cast<std::size_t>(group.first[k + 1] - group.first[k]));
  const LocalId node = group.nodes[static_cast<std::size_t>(terms.front().place)];
  const auto refuse = [&](const char* why) {
    throw Error("CR-I101",
                fmt::format("linear constraint {}: {}; implicit analysis eliminates the first node, "
                            "{}",
                            group.ids[k], why, model.nodes.id[at(node)]));
  };
  Vec3 own;
  for (const constraints::LinearTerm& term : terms)
    if (term.place == terms.front().place) own += term.along;
  LinearNode& to = of[node];
  const double size = norm(own);
  if (!(size > 0.0)) refuse("its terms of one node cancel");
  if (norm(to.along.part_of(own)) > 1e-9 * size)
    refuse("another one of this node is not at right angles to it");
  const Vec3 n = (1.0 / size) * own;
  to.along.add(n);
  for (const constraints::LinearTerm& term : terms)
    if (term.place != terms.front().place) {
      Matrix3& c = to.masters[group.nodes[static_cast<std::size_t>(term.place)]];
      c = sum(c, scaled(-1.0 / size, outer(n, term.along)));
    }
}

}  // namespace

/// The first node of each constraint depends on the others, which depend on none.
void DependentNodes::add_linear(const model::Model& model) {
  std::map<LocalId, LinearNode> of;
  for (const constraints::LinearGroup& group : model.features.of<constraints::LinearGroup>())
    for (std::size_t k = 0; k < group.ids.size(); ++k) add_constraint(group, k, model, of);
  for (const auto& [node, linear] : of) {
    std::vector<Master> masters;
    for (const auto& [master, c] : linear.masters) {
      if (of.contains(master))
        throw Error("CR-I101", fmt::format("node {} is the first one of a linear constraint, which implicit "
                                           "analysis eliminates, and another constraint depends on it",
                                           model.nodes.id[at(master)]));
      masters.push_back({master, norm(c[0]) + norm(c[1]) + norm(c[2]), 0.0, c});
    }
    Dependent d;
    d.node = node;
    d.kind = Kind::linear;
    d.along = linear.along;
    d.turns = d.has_arm = false;
    add(d, masters, model);
  }
}

/// What is tied follows from `of_points`, the rest is the node's own.
Vec3 DependentNodes::partly(const Dependent& d, const Vec3& own, std::span<const Vec3> of_points) const {
  if (d.kind == Kind::linear) {
    Vec3 u = d.along.removed_from(own);
    for (const Master& m : masters(d)) u += constraints::operator*(m.linear, of_points[at(m.point)]);
    return u;
  }
  Vec3 u = own;
  const Vec3& leader = of_points[at(masters(d)[0].point)];
  for (int k = 0; k < 3; ++k)
    if (d.mask & (1u << k)) u[k] = leader[k];
  return u;
}

void DependentNodes::add_ties(const model::Model& model) {
  for (std::size_t c = 0; c < model.contacts.size(); ++c)
    for (const model::Tie& tie : model.contacts[c].ties) {
      const std::size_t corners = tie.nodes[2] == tie.nodes[3] ? 3 : 4;
      std::vector<Master> masters;
      for (std::size_t a = 0; a < corners; ++a)
        masters.push_back({tie.nodes[a], tie.weight[a], 1.0 / static_cast<double>(corners)});
      if (corners == 3) masters[2].weight += tie.weight[3];
      Dependent d;
      d.node = tie.node;
      d.kind = tie.kind != model::ElementKind::shell ? Kind::mean
               : tie.torsion                         ? Kind::shell_torsion
                                                     : Kind::shell;
      d.turns = tie.rotations;
      d.has_arm = !(tie.arm == Vec3{});
      d.contact = static_cast<std::int32_t>(c);
      d.death = model.contacts[c].death;
      d.segment = tie.kind;
      d.element = tie.element;
      add(d, masters, model);
    }
}

/// Masters first, else in the order of reading.
void DependentNodes::sort(const model::Model& model) {
  enum : char { fresh, open, done };
  std::vector<char> state(all_.size(), fresh);
  std::vector<Dependent> sorted;
  const std::function<void(std::size_t)> visit = [&](std::size_t k) {
    if (state[k] == done) return;
    if (state[k] == open)
      throw Error("CR-I101",
                  fmt::format("node {} depends on itself by way of other nodes (rigid bodies, ties, "
                              "interpolations, node sets)",
                              model.nodes.id[at(all_[k].node)]));
    state[k] = open;
    for (const Master& m : masters(all_[k]))
      if (depends(m.point)) visit(at(of_node_[at(m.point)]));
    state[k] = done;
    sorted.push_back(all_[k]);
  };
  for (std::size_t k = 0; k < all_.size(); ++k) visit(k);
  all_ = std::move(sorted);
  for (std::size_t k = 0; k < all_.size(); ++k) of_node_[at(all_[k].node)] = static_cast<std::int32_t>(k);
}

bool DependentNodes::in_one_body(std::span<const LocalId> nodes) const {
  LocalId body = kNone;
  for (const LocalId n : nodes) {
    if (!depends(n) || of(n).kind != Kind::body) return false;
    const LocalId here = masters(of(n))[0].point;
    if (body != kNone && here != body) return false;
    body = here;
  }
  return body != kNone;
}

NodeFreedoms DependentNodes::tied(LocalId node) const {
  NodeFreedoms held;
  if (!depends(node)) return held;
  const Dependent& d = of(node);
  if (d.kind == Kind::linear) {
    held.translation = d.along;
    return held;
  }
  for (int k = 0; k < 3; ++k) {
    if (d.kind != Kind::set || (d.mask & (1u << k))) held.translation.add(identity3()[at(k)]);
    if (d.turns) held.rotation.add(identity3()[at(k)]);
  }
  return held;
}

void DependentNodes::raise_unknowns(std::span<std::uint8_t> of_point) const {
  for (auto d = all_.rbegin(); d != all_.rend(); ++d)
    for (const Master& m : masters(*d)) {
      const bool turns = !d->is_partial() && d->kind != Kind::mean;
      const std::uint8_t needed = of_point[at(d->node)] == 0 ? 0 : turns ? 6 : 3;
      of_point[at(m.point)] = std::max(of_point[at(m.point)], needed);
    }
}

void DependentNodes::append_points(LocalId node, std::vector<LocalId>& points) const {
  points.push_back(node);
  if (!depends(node)) return;
  for (const Master& m : masters(of(node))) append_points(m.point, points);
}

std::vector<std::vector<LocalId>> DependentNodes::couplings() const {
  std::vector<std::vector<LocalId>> all;
  for (const Dependent& d : all_)
    if (d.count > 1 || !d.turns) append_points(d.node, all.emplace_back());
  return all;
}

/// Arms and K^-1 of the masters, `part` of the way through the step.
void DependentNodes::find_mean(Dependent& d, std::span<const Vec3> x, const Increment& trial, double part) {
  thread_local std::vector<double> weight;
  thread_local std::vector<Vec3> place;
  weight.clear(), place.clear();
  for (const Master& m : masters(d)) {
    weight.push_back(m.spin_weight);
    place.push_back(x[at(m.point)] + part * trial.u[at(m.point)]);
  }
  d.inverse = inverse_of_spread(weight, place, std::span(mean_arms_).subspan(at(d.first), at(d.count)));
  if (d.kind != Kind::shell_torsion) return;
  const std::size_t last = place.size() - 1;
  d.normal = last == 3 ? cross(place[2] - place[0], place[3] - place[1])
                       : cross(place[1] - place[0], place[2] - place[0]);
  if (const double length = norm(d.normal); length > 0.0) d.normal *= 1.0 / length;
}

/// Cayley's vector in the step. Half way through it, v = W x r holds for rigid motion.
Vec3 DependentNodes::turn_of(Dependent& d, std::span<const Vec3> x, const Increment& trial) {
  Vec3 by_nodes, around;
  for (const Master& m : masters(d)) by_nodes += m.weight * trial.turn[at(m.point)];
  if (!d.needs_mean()) return d.kind == Kind::mean ? Vec3{} : by_nodes;
  find_mean(d, x, trial, 0.5);
  for (std::size_t a = 0; a < at(d.count); ++a) {
    const Master& m = masters_[at(d.first) + a];
    around += m.spin_weight * cross(mean_arms_[at(d.first) + a], trial.u[at(m.point)]);
  }
  around = constraints::operator*(d.inverse, around);
  if (d.kind == Kind::mean) return around;
  return by_nodes + dot(d.normal, around - by_nodes) * d.normal;
}

void DependentNodes::move(std::span<const Vec3> x, Increment& trial) {
  for (Dependent& d : all_) {
    const LocalId n = d.node;
    if (d.is_partial()) {
      trial.u[at(n)] = partly(d, trial.u[at(n)], trial.u);
      continue;
    }
    const Vec3 turn = turn_of(d, x, trial);
    Vec3 u, start;
    for (const Master& m : masters(d)) {
      u += m.weight * trial.u[at(m.point)];
      start += m.weight * (x[at(m.point)] - x[at(n)]);
    }
    d.arm = {};
    if (d.has_arm) {
      d.arm = turned_by(-start, turn);
      u += d.arm + start;
    }
    trial.u[at(n)] = u;
    if (d.turns) trial.turn[at(n)] = turn;
    if (d.needs_mean()) find_mean(d, x, trial, 1.0);
  }
}

Matrix3 DependentNodes::spin_by_displacement(const Dependent& d, std::size_t master) const {
  const Master& m = masters_[at(d.first) + master];
  if (!d.needs_mean()) return {};
  const Matrix3 all =
      product(d.inverse, scaled(m.spin_weight, cross_product_matrix(mean_arms_[at(d.first) + master])));
  return d.kind == Kind::mean ? all : product(outer(d.normal, d.normal), all);
}

Matrix3 DependentNodes::spin_by_turn(const Dependent& d, std::size_t master) const {
  const double w = masters_[at(d.first) + master].weight;
  if (d.kind == Kind::mean || d.is_partial()) return {};
  const Matrix3 all = scaled(w, identity3());
  return d.kind == Kind::shell_torsion ? sum(all, scaled(-w, outer(d.normal, d.normal))) : all;
}

/// C of a master: the motion (u, spin) of the node by that of the master.
void DependentNodes::block_of(const Dependent& d, std::size_t master, double (&c)[36]) const {
  std::fill_n(c, 36, 0.0);
  const double w = masters_[at(d.first) + master].weight;
  if (d.kind == Kind::linear) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) c[6 * i + j] = masters_[at(d.first) + master].linear[at(i)][j];
    return;
  }
  for (int i = 0; i < 3; ++i)
    if (d.kind != Kind::set || (d.mask & (1u << i))) c[7 * i] = w;
  const std::array spin{spin_by_displacement(d, master), spin_by_turn(d, master)};
  const Matrix3 lever = cross_product_matrix(-d.arm);
  for (int part = 0; part < 2; ++part) {
    const Matrix3 moved = product(lever, spin[at(part)]);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        c[6 * i + 3 * part + j] += moved[at(i)][j];
        if (d.turns) c[6 * (i + 3) + 3 * part + j] = spin[at(part)][at(i)][j];
      }
  }
}

/// `to` += c times the rows of the node.
void DependentNodes::add_rows(LocalId node, const double* c, std::vector<PointRow>& to) const {
  const bool depends_wholly = depends(node) && !of(node).is_partial() && of(node).turns;
  if (!depends_wholly) {
    auto place = std::ranges::lower_bound(to, node, {}, &PointRow::point);
    if (place == to.end() || place->point != node) place = to.insert(place, PointRow{node, {}});
    for (std::size_t i = 0; i < 36; ++i) place->t[i] += c[i];
  }
  if (!depends(node)) return;
  const Dependent& d = of(node);
  double own[36], both[36];
  for (std::size_t a = 0; a < at(d.count); ++a) {
    block_of(d, a, own);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) {
        double sum = 0.0;
        for (int k = 0; k < 6; ++k) sum += c[6 * i + k] * own[6 * k + j];
        both[6 * i + j] = sum;
      }
    add_rows(masters_[at(d.first) + a].point, both, to);
  }
}

void DependentNodes::rows(LocalId node, std::vector<PointRow>& to) const {
  to.clear();
  double c[36]{};
  for (int i = 0; i < 6; ++i) c[7 * i] = 1.0;
  add_rows(node, c, to);
}

template <class Ends>
bool DependentNodes::erase(Ends ends) {
  if (std::ranges::none_of(all_, ends)) return false;
  for (const Dependent& d : all_)
    if (ends(d)) of_node_[at(d.node)] = kNone;
  std::erase_if(all_, ends);
  for (std::size_t k = 0; k < all_.size(); ++k) of_node_[at(all_[k].node)] = static_cast<std::int32_t>(k);
  return true;
}

bool DependentNodes::delete_element(model::ElementKind kind, LocalId element) {
  return erase(
      [&](const Dependent& d) { return d.element == element && d.segment == kind && d.contact != kNone; });
}

bool DependentNodes::end_at(double time, double dt) {
  constexpr double rounding = 1e-6;
  return erase([&](const Dependent& d) { return time >= d.death - rounding * dt; });
}

}  // namespace crumple::implicit
