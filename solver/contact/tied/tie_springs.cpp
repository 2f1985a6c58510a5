// Positions of tied nodes on segments, spring stiffness, forces and work.
#include "contact/tied/tie_springs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/assert.hpp"
#include "contact/tied/segment_lines.hpp"
#include "parallel/exact_sum.hpp"
#include "parallel/fixed_point.hpp"
#include "state/archive.hpp"

namespace crumple::contact {

namespace {

constexpr double kShare = 0.5, kTurningShare = 0.25;  ///< s for both kinds of springs
constexpr double kCountScale = 1LL << 40;             ///< scale of the sums C; their terms are about 1

/// Loads on each node of the segment from a unit load of a spring.
struct Reach {
  std::array<double, 4> move{};      ///< forces, of the first spring
  std::array<double, 4> spin{};      ///< moments, of the second
  std::array<double, 4> by_force{};  ///< forces that represent moments, times `length`
  double length = 1.0;               ///< of the segment

  Reach(const model::Tie& tie, double height, const state::Nodal& nodal) {
    const SegmentLines lines(gather(tie, nodal.x), corners(tie));
    const SegmentSpin segment(tie, nodal);
    if (lines.area > 0.0) length = std::sqrt(lines.area);
    move = reach_of_force(lines, tie.weight, corners(tie), height);
    for (int a = 0; a < corners(tie); ++a) {
      if (spins(tie)) spin[a] = std::abs(tie.weight[a]);
      if (!spins(tie) || tie.torsion) by_force[a] = length * segment.reach(a);
    }
  }
};

/// Sums of reaches over the springs at each node.
struct Counts {
  explicit Counts(std::size_t nodes) : move(nodes, 0), spin(nodes, 0), by_force(nodes, 0) {}
  std::vector<std::int64_t> move, spin, by_force;
};

void add_count(std::vector<std::int64_t>& sum, LocalId node, double c) {
  sum[node] += parallel::to_fixed(c, kCountScale);
}

/// c C / m, 0 for a node whose mass has been transferred.
double over_share(double c, std::int64_t sum, double mass) {
  return mass > 0.0 ? c * parallel::from_fixed(sum, kCountScale) / mass : 0.0;
}

}  // namespace

TieSprings::TieSprings(const model::Model& model, const state::Nodal& nodal,
                       const parallel::Communicator& comm, const parallel::Halo& halo)
    : model_(&model), comm_(comm) {
  for (std::size_t c = 0; c < model.contacts.size(); ++c)
    for (const model::Tie& tie : model.contacts[c].springs) {
      Spring& spring = springs_.emplace_back();
      spring.tie = tie;
      spring.contact = static_cast<std::int32_t>(c);
      CRUMPLE_ASSERT(std::ranges::find(tie.nodes, tie.node) == tie.nodes.end(), tie.node, c);
      place(spring, nodal);
    }
  any_ = comm.any(!springs_.empty());
  if (any_) share_masses(nodal, halo);
}

/// Find the weights and the height that give the node's position.
void TieSprings::place(Spring& spring, const state::Nodal& nodal) const {
  model::Tie& tie = spring.tie;
  const auto x = gather(tie, nodal.x);
  const SegmentLines lines(x, corners(tie));
  const LineCoordinates arm(lines, nodal.x[tie.node] - at_point(tie, nodal.x));
  spring.height = arm.height;
  for (int k = 0; k < corners(tie); ++k) tie.weight[k] += arm[k];
  [[maybe_unused]] const double sum = tie.weight[0] + tie.weight[1] + tie.weight[2] + tie.weight[3];
  CRUMPLE_ASSERT(std::abs(sum - 1.0) < 1e-9, sum, tie.node, arm.along[0], arm.along[1]);
}

/// Divide the mass of each node among the springs at it.
void TieSprings::share_masses(const state::Nodal& nodal, const parallel::Halo& halo) {
  Counts counts(nodal.size());
  std::vector<Reach> reaches;
  for (const Spring& spring : springs_) {
    const model::Tie& tie = spring.tie;
    const Reach& reach = reaches.emplace_back(tie, spring.height, nodal);
    add_count(counts.move, tie.node, 1.0);
    if (tie.rotations) add_count(counts.spin, tie.node, 1.0);
    for (int a = 0; a < corners(tie); ++a) {
      add_count(counts.move, tie.nodes[a], reach.move[a]);
      if (tie.rotations) add_count(counts.spin, tie.nodes[a], reach.spin[a]);
      if (tie.rotations) add_count(counts.by_force, tie.nodes[a], reach.by_force[a]);
    }
  }
  const std::array<std::span<std::int64_t>, 3> sums{counts.move, counts.spin, counts.by_force};
  halo.sum(sums, 1);
  for (std::size_t k = 0; k < springs_.size(); ++k) {
    Spring& spring = springs_[k];
    const model::Tie& tie = spring.tie;
    const Reach& reach = reaches[k];
    const double inertia = nodal.own_inertia(tie.node);
    spring.compliance = over_share(1.0, counts.move[tie.node], nodal.own_mass(tie.node));
    const bool turns = tie.rotations && inertia > 0.0;
    if (turns) spring.turning_compliance = over_share(1.0, counts.spin[tie.node], inertia);
    for (int a = 0; a < corners(tie); ++a) {
      const LocalId n = tie.nodes[a];
      const double mass = nodal.own_mass(n);
      spring.compliance += over_share(reach.move[a], counts.move[n], mass);
      if (!turns) continue;
      spring.turning_compliance +=
          over_share(reach.spin[a], counts.spin[n], nodal.own_inertia(n)) +
          over_share(reach.by_force[a], counts.by_force[n], mass * reach.length * reach.length);
    }
  }
}

void TieSprings::delete_elements(std::span<const DeletedElement> elements) {
  for (Spring& spring : springs_)
    for (const DeletedElement& e : elements)
      if (spring.tie.kind == e.kind && spring.tie.element == e.element) spring.alive = false;
}

void TieSprings::update(Spring& spring, const state::Nodal& nodal, double dt) {
  const model::Tie& tie = spring.tie;
  const auto stiffness = [&](double share, double compliance) {
    return compliance > 0.0 && longest_dt_ > 0.0 ? share / (longest_dt_ * longest_dt_ * compliance) : 0.0;
  };
  const SegmentSpin segment(tie, nodal);
  const Vec3 spin = tie.rotations ? segment(nodal.v, nodal.w) : Vec3{};
  // The work since t_{n-1} is half that of the last forces and half that of the new ones, as central
  // differences convert it to kinetic energy.
  const auto power = [&] {
    double sum = dot(spring.force, nodal.v[tie.node]);
    for (int a = 0; a < corners(tie); ++a) sum += dot(spring.loads.force[a], nodal.v[tie.nodes[a]]);
    if (tie.rotations) sum += dot(spring.moment, nodal.w[tie.node] - spin);
    return sum;
  };
  spring.moment = turned_by(spring.moment, dt * spin);
  spring.work -= 0.5 * dt * power();

  const auto x = gather(tie, nodal.x);
  const SegmentLines lines(x, corners(tie));
  const Vec3 place = at_point(tie, nodal.x) + spring.height * lines.normal;
  const Vec3 gap = nodal.x[tie.node] - place;
  TieStart& start = spring.start;
  Vec3 f = -stiffness(kShare, spring.compliance) * gap;
  if (start.taken) {
    for (int a = 0; a < corners(tie); ++a) f += start.force[a] * x[a];
    f += start.force_along_normal * lines.normal;
  }
  spring.force = f;
  spring.loads = {};
  const std::array<Vec3, 4> reaction = on_corners(lines, tie.weight, spring.height, f);
  for (int a = 0; a < corners(tie); ++a) spring.loads.force[a] = -reaction[a];
  if (start.taken) {
    const std::array<Vec3, 4> stretch = on_corners(lines, start.force, start.force_along_normal, gap);
    for (int a = 0; a < corners(tie); ++a) spring.loads.force[a] += stretch[a];
  }
  if (tie.rotations) {
    spring.turned = turned_by(spring.turned, dt * spin) + dt * (nodal.w[tie.node] - spin);
    spring.moment = -stiffness(kTurningShare, spring.turning_compliance) * spring.turned;
    if (start.taken) spring.moment += start.moment = turned_by(start.moment, dt * spin);
  }
  spring.work -= 0.5 * dt * power();
}

void TieSprings::add_forces(state::Nodal& nodal, double time, double dt, model::Stage stage) {
  if (std::exchange(no_step_yet_, false)) dt = 0.0;
  longest_dt_ = std::max(longest_dt_, dt);
  const bool of_run = stage == model::Stage::transient;  // in which time starts again: ends of ties are final
  for (Spring& spring : springs_) {
    if (spring.alive && of_run && time >= model_->contacts[spring.contact].death) spring.alive = false;
    if (!spring.alive) {
      spring.force = spring.moment = {};
      continue;
    }
    update(spring, nodal, dt);
    const model::Tie& tie = spring.tie;
    NodalLoads loads = spring.loads;
    if (tie.rotations) SegmentSpin(tie, nodal).add_moment(-spring.moment, loads);
    nodal.add_force(tie.node, spring.force);
    nodal.add_moment(tie.node, spring.moment);
    for (int a = 0; a < corners(tie); ++a) {
      nodal.add_force(tie.nodes[a], loads.force[a]);
      nodal.add_moment(tie.nodes[a], loads.moment[a]);
    }
  }
}

void TieSprings::begin_with(std::span<const TieLoad> loads, const state::Nodal& nodal) {
  no_step_yet_ = !loads.empty();
  for (std::size_t k = 0; k < loads.size(); ++k) {
    Spring& spring = springs_[k];
    const TieLoad& load = loads[k];
    spring.work = load.energy;
    spring.force = load.force;
    spring.moment = load.moment;
    spring.turned = {};
    place(spring, nodal);
    const LineCoordinates force(SegmentLines(gather(spring.tie, nodal.x), corners(spring.tie)), load.force);
    spring.start = {.taken = true, .force_along_normal = force.height, .moment = load.moment};
    for (int a = 0; a < corners(spring.tie); ++a) spring.start.force[a] = force[a];
  }
}

std::vector<TieLoad> TieSprings::loads() const {
  std::vector<TieLoad> all;
  for (const Spring& s : springs_) all.push_back({s.force, s.moment, s.work});
  return all;
}

/// A place that was taken anew is part of the state.
void TieSprings::archive_starts(state::Archive& archive, const state::Rows& rows) {
  if (!model_->control.has_phases()) return;
  for (Spring& s : springs_) s.start.weight = s.tie.weight, s.start.height = s.height;
  archive.member("start", rows, std::span(springs_), &Spring::start);
  for (Spring& s : springs_) s.tie.weight = s.start.weight, s.height = s.start.height;
}

void TieSprings::archive(state::Archive& archive) {
  using state::Of, state::Rows;
  static_assert(field_count<Spring>() == 12, "is the new member carried on?");
  if (!any_) return;
  const auto here = archive.module("tie springs");
  std::vector<GlobalId> keys;  // contact, user id of the node
  for (const Spring& spring : springs_)
    keys.insert(keys.end(), {spring.contact, model_->nodes.id[static_cast<std::size_t>(spring.tie.node)]});
  const Rows rows = Rows::own(Of::entity, keys, 2);
  archive.member("alive", rows, std::span(springs_), &Spring::alive);
  archive.member("turned", rows, std::span(springs_), &Spring::turned);
  archive.member("force", rows, std::span(springs_), &Spring::force);
  archive.member("moment", rows, std::span(springs_), &Spring::moment);
  archive.member("loads", rows, std::span(springs_), &Spring::loads);
  archive.member("work", rows, std::span(springs_), &Spring::work);
  archive_starts(archive, rows);
  archive.global("longest step", longest_dt_);
}

void TieSprings::add_results(std::span<ContactResult> results) const {
  if (!any_) return;
  constexpr std::size_t kSums = 4;
  std::vector<parallel::ExactSum> sums(kSums * results.size());
  std::vector<std::int64_t> count(results.size(), 0);
  for (const Spring& spring : springs_) {
    parallel::ExactSum* const sum = &sums[kSums * std::size_t(spring.contact)];
    for (int k = 0; k < 3; ++k) sum[k] += spring.force[k];
    sum[3] += spring.work;
    if (spring.alive) ++count[spring.contact];
  }
  parallel::ExactSum::reduce(comm_, sums);
  comm_.sum(std::span<std::int64_t>(count));
  for (std::size_t c = 0; c < results.size(); ++c) {
    const model::Contact& contact = model_->contacts[c];
    if (contact.offset != model::TiedOffset::penalty && !contact.backup) continue;
    const parallel::ExactSum* const sum = &sums[kSums * c];
    const Vec3 force{sum[0].value(), sum[1].value(), sum[2].value()};
    results[c].force_a =
        contact.backup ? results[c].force_a + force : force;  // beside that of the constraint
    results[c].force_b = -results[c].force_a;
    results[c].energy_a = sum[3].value();
    results[c].touching = contact.backup ? results[c].touching + count[c] : count[c];
  }
}

}  // namespace crumple::contact
