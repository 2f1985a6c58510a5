// Impulses of free nodes on their bodies, and the bodies' motion on the nodes.
#include "constraints/switched_parts/rigid_groups.hpp"

#include "base/assert.hpp"
#include "state/archive.hpp"

namespace crumple::constraints {

namespace {

constexpr std::size_t kSums = 6;  ///< of a body: impulse and its moment about the centre

Matrix3 product_with_transpose(const Matrix3& a, const Matrix3& b) {
  Matrix3 c{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) c[i][static_cast<int>(j)] = dot(a[i], b[j]);
  return c;
}

}  // namespace

void RigidGroups::dissolve() {
  bodies_.reset();
  world_.reset();
  nodes_.clear();
  body_of_.clear();
  turned_.clear();
}

void RigidGroups::form(const std::vector<RigidGroup>& groups, const state::Nodal& nodal) {
  build(groups, nodal, {nodal.x, nodal.mass, nodal.inertia});
}

void RigidGroups::build(const std::vector<RigidGroup>& groups, const state::Nodal& nodal,
                        const Lumps& lumps) {
  dissolve();
  if (groups.empty()) return;
  world_ = std::make_unique<World>();
  body_of_.assign(nodal.size(), model::kNone);
  state::Nodal& own = world_->nodal;
  for (const RigidGroup& group : groups) {
    model::RigidBody body;
    body.part_id = group.id;
    for (const LocalId n : group.nodes) {
      body.nodes.push_back(static_cast<LocalId>(nodes_.size()));
      nodes_.push_back(n);
      body_of_[static_cast<std::size_t>(n)] = static_cast<LocalId>(world_->model.rigid_bodies.size());
      own.id.push_back(nodal.id[n]);
      own.owner.push_back(nodal.owner[n]);
      const auto at = static_cast<std::size_t>(n);
      own.x0.push_back(lumps.x[at]);
      own.x.push_back(lumps.x[at]);
      own.v.push_back(nodal.v[n]);
      own.w.push_back(nodal.inertia[n] > 0.0 ? nodal.w[n] : Vec3{});
      own.mass.push_back(lumps.mass[at]);
      own.inertia.push_back(lumps.inertia[at]);
      own.loads.push_back(nodal.loads[n]);
      own.loads.back().clear();
    }
    world_->model.rigid_bodies.push_back(std::move(body));
  }
  own.a.assign(nodes_.size(), Vec3{});
  own.alpha.assign(nodes_.size(), Vec3{});
  bodies_ = std::make_unique<RigidBodies>(world_->model, own, *comm_);
  turned_.assign(size(), identity3());
}

/// The nodes' impulses beyond their rigid motion, over the step. Collective.
void RigidGroups::add_impulses(const state::Nodal& nodal, double dt_v) {
  std::vector<parallel::ExactSum> sums(kSums * size());
  std::vector<Vec3> centre;
  for (int b = 0; b < bodies_->size(); ++b) centre.push_back(bodies_->motion(b).centre);
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    const LocalId n = nodes_[k];
    if (nodal.owner[n] != comm_->rank()) continue;
    const auto b = static_cast<std::size_t>(bodies_->body_of(static_cast<LocalId>(k)));
    const Vec3 impulse = nodal.mass[n] * (nodal.v[n] - world_->nodal.v[k]);
    const Vec3 turning = nodal.inertia[n] * (nodal.w[n] - world_->nodal.w[k]);
    const Vec3 moment = cross(nodal.x[n] - centre[b], impulse) + turning;
    for (int i = 0; i < 3; ++i) {
      sums[kSums * b + static_cast<std::size_t>(i)] += impulse[i];
      sums[kSums * b + static_cast<std::size_t>(i) + 3] += moment[i];
    }
  }
  parallel::ExactSum::reduce(*comm_, sums);
  for (std::size_t b = 0; b < size(); ++b) {
    const auto at = [&](std::size_t i) { return sums[kSums * b + i].value() / dt_v; };
    bodies_->add_load(static_cast<int>(b), {at(0), at(1), at(2)}, {at(3), at(4), at(5)});
  }
}

void RigidGroups::move(state::Nodal& nodal, double time, double dt_v, double dt_x, bool formed,
                       parallel::ExactSum& lost) {
  CRUMPLE_ASSERT(bodies_ != nullptr, time);
  if (!formed) add_impulses(nodal, dt_v);
  const std::vector<std::int64_t> none(bodies_->n_resultants(), 0);
  bodies_->advance(world_->nodal, none, time, dt_v, dt_x, model::Stage::transient);
  if (const std::int64_t failed =
          comm_->min(bodies_->failed() == model::kNone ? std::int64_t{bodies_->size()}
                                                       : std::int64_t{bodies_->failed()});
      failed < bodies_->size())
    bodies_->stop(static_cast<LocalId>(failed));
  for (std::size_t b = 0; b < size(); ++b)
    if (bodies_->moves(static_cast<int>(b)))
      turned_[b] = product_with_transpose(bodies_->state(static_cast<int>(b)).direction,
                                          bodies_->kept_state(static_cast<int>(b)).direction);
  give(nodal, dt_v, formed, lost);
}

/// Velocities of the nodes, and accelerations accordingly; and the work J . (v_free + v) / 2 of the impulses
/// J that make them rigid.
void RigidGroups::give(state::Nodal& nodal, double dt_v, bool formed, parallel::ExactSum& lost) const {
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    const LocalId n = nodes_[k];
    const Vec3 v = world_->nodal.v[k], w = nodal.inertia[n] > 0.0 ? world_->nodal.w[k] : nodal.w[n];
    if (formed && nodal.owner[n] == comm_->rank()) {
      lost += 0.5 * nodal.mass[n] * dot(nodal.v[n] - v, nodal.v[n] + v);
      lost += 0.5 * nodal.inertia[n] * dot(nodal.w[n] - w, nodal.w[n] + w);
    }
    nodal.a[n] += (1.0 / dt_v) * (v - nodal.v[n]);
    nodal.alpha[n] += (1.0 / dt_v) * (w - nodal.w[n]);
    nodal.v[n] = v;
    nodal.w[n] = w;
  }
}

void RigidGroups::archive(state::Archive& archive, const std::vector<RigidGroup>& groups,
                          const state::Nodal& nodal, const parallel::IndexMap& nodes) {
  std::vector<Vec3> x(nodal.size(), Vec3{});
  std::vector<double> mass(nodal.size(), 0.0), inertia(nodal.size(), 0.0);
  for (std::size_t k = 0; k < nodes_.size() && !archive.reading(); ++k) {
    const auto n = static_cast<std::size_t>(nodes_[k]);
    x[n] = world_->nodal.x0[k];
    mass[n] = world_->nodal.mass[k];
    inertia[n] = world_->nodal.inertia[k];
  }
  const auto rows = state::Rows::nodes(nodes.global(), nodes.owners(), comm_->rank());
  archive.field("formed at", rows, std::span(x));
  archive.field("mass", rows, std::span(mass));
  archive.field("inertia", rows, std::span(inertia));
  if (archive.reading()) build(groups, nodal, {x, mass, inertia});
  bodies_->archive(archive);
  std::vector<GlobalId> keys;
  std::vector<Matrix3> turned;
  for (std::size_t b = 0; b < size(); ++b)
    if (bodies_->moves(static_cast<int>(b))) {
      keys.push_back(static_cast<GlobalId>(b));
      turned.push_back(turned_[b]);
    }
  archive.field("turned", state::Rows::equal(state::Of::entity, keys), std::span(turned));
  for (std::size_t k = 0; k < keys.size(); ++k) turned_[static_cast<std::size_t>(keys[k])] = turned[k];
}

}  // namespace crumple::constraints
