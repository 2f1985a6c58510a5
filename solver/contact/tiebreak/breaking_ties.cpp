// Places, stiffness, forces, failure and work of breaking ties, and which nodes they hold.
#include "contact/tiebreak/breaking_ties.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "contact/tiebreak/breaking_law.hpp"
#include "contact/tied/segment_lines.hpp"
#include "parallel/exact_sum.hpp"
#include "parallel/fixed_point.hpp"
#include "state/archive.hpp"

namespace crumple::contact {

namespace {

constexpr double kBreakingShare = 0.5;     ///< s of tie_springs.hpp
constexpr double kReachScale = 1LL << 40;  ///< scale of the sums C; their terms are about 1

double over_mass(double c, std::int64_t sum, double mass) {
  return mass > 0.0 ? c * parallel::from_fixed(sum, kReachScale) / mass : 0.0;
}

}  // namespace

BreakingTies::BreakingTies(const model::Model& model, const state::Nodal& nodal,
                           const parallel::Communicator& comm, const parallel::Halo& halo)
    : model_(&model), comm_(comm) {
  for (std::size_t c = 0; c < model.contacts.size(); ++c)
    for (const model::BreakingTie& input : model.contacts[c].breaking) {
      Spring& spring = springs_.emplace_back();
      spring.input = input;
      spring.contact = static_cast<std::int32_t>(c);
      place(spring, nodal);
    }
  any_ = comm.any(!springs_.empty());
  if (any_) share_masses(nodal, halo);
}

/// Weights and height of the point where the surfaces meet, and the arm of the node to it.
void BreakingTies::place(Spring& spring, const state::Nodal& nodal) const {
  model::Tie& tie = spring.input.tie;
  const auto x = gather(tie, nodal.x);
  const SegmentLines lines(x, corners(tie));
  const Vec3 whole = nodal.x[tie.node] - at_point(tie, nodal.x);
  const double height = dot(whole, lines.normal);
  // Faces of solids have their normals outside; a shell has the side on which the node is.
  spring.side = tie.kind == model::ElementKind::shell && height < 0.0 ? -1.0 : 1.0;
  const bool turns = nodal.own_inertia(tie.node) > 0.0;
  spring.arm = (turns ? -spring.input.node_share * height : 0.0) * lines.normal;
  const LineCoordinates of(lines, whole + spring.arm);
  spring.height = of.height;
  for (int k = 0; k < corners(tie); ++k) tie.weight[k] += of[k];
}

/// Divide the mass and inertia of each node among the ties at it.
void BreakingTies::share_masses(const state::Nodal& nodal, const parallel::Halo& halo) {
  std::vector<std::int64_t> move(nodal.size(), 0), turn(nodal.size(), 0);
  const auto add = [](std::vector<std::int64_t>& sum, LocalId n, double c) {
    sum[n] += parallel::to_fixed(c, kReachScale);
  };
  std::vector<std::array<double, 4>> reaches;
  for (const Spring& s : springs_) {
    const model::Tie& tie = s.input.tie;
    const auto& reach = reaches.emplace_back(
        reach_of_force(SegmentLines(gather(tie, nodal.x), corners(tie)), tie.weight, corners(tie), s.height));
    add(move, tie.node, 1.0);
    if (norm(s.arm) > 0.0) add(turn, tie.node, 1.0);
    for (int a = 0; a < corners(tie); ++a) add(move, tie.nodes[a], reach[a]);
  }
  const std::array<std::span<std::int64_t>, 2> sums{move, turn};
  halo.sum(sums, 1);
  for (std::size_t k = 0; k < springs_.size(); ++k) {
    Spring& s = springs_[k];
    const model::Tie& tie = s.input.tie;
    s.compliance = over_mass(1.0, move[tie.node], nodal.own_mass(tie.node));
    if (const double arm = norm(s.arm); arm > 0.0)
      s.compliance += over_mass(arm * arm, turn[tie.node], nodal.own_inertia(tie.node));
    for (int a = 0; a < corners(tie); ++a)
      s.compliance += over_mass(reaches[k][a], move[tie.nodes[a]], nodal.own_mass(tie.nodes[a]));
  }
}

void BreakingTies::end(Spring& spring) {
  spring.alive = false;
  ended_ = true;
}

void BreakingTies::delete_elements(std::span<const DeletedElement> elements) {
  for (Spring& s : springs_)
    for (const DeletedElement& e : elements)
      if (s.alive && s.input.tie.kind == e.kind && s.input.tie.element == e.element) end(s);
}

void BreakingTies::hold(ContactSystem& contact, const parallel::Halo& halo, std::size_t n_nodes) {
  if (!any_ || !comm_.any(std::exchange(ended_, false))) return;
  std::vector<std::int64_t> ties(n_nodes);
  for (std::size_t c = 0; c < model_->contacts.size(); ++c) {
    const model::Tiebreak& law = model_->contacts[c].tiebreak;
    if (law.failure == model::TieFailure::none || law.failure == model::TieFailure::normal) continue;
    std::fill(ties.begin(), ties.end(), 0);
    for (const Spring& s : springs_) {
      if (!s.alive || s.contact != static_cast<std::int32_t>(c)) continue;
      ++ties[s.input.tie.node];
      for (int a = 0; a < corners(s.input.tie); ++a) ++ties[s.input.tie.nodes[a]];
    }
    const std::array<std::span<std::int64_t>, 1> sums{ties};
    halo.sum(sums, 1);
    contact.hold(static_cast<std::int32_t>(c), ties);
  }
}

void BreakingTies::update(Spring& s, const state::Nodal& nodal, double dt) {
  const model::Tie& tie = s.input.tie;
  const model::Tiebreak& law = model_->contacts[s.contact].tiebreak;
  const Vec3 spin = nodal.w[tie.node];
  // The work since t_{n-1} is half that of the last forces and half that of the new ones.
  const auto power = [&] {
    double sum = dot(s.force, nodal.v[tie.node]) + dot(s.moment, spin);
    for (int a = 0; a < corners(tie); ++a) sum += dot(s.loads.force[a], nodal.v[tie.nodes[a]]);
    return sum;
  };
  s.work -= 0.5 * dt * power();
  s.arm = turned_by(s.arm, dt * spin);

  const auto x = gather(tie, nodal.x);
  const SegmentLines lines(x, corners(tie));
  const Vec3 n = s.side * lines.normal;
  const Vec3 gap = nodal.x[tie.node] + s.arm - at_point(tie, nodal.x) - s.height * lines.normal;
  const double opening = dot(gap, n);
  const Vec3 slid = gap - opening * n;

  const bool slides = law.failure == model::TieFailure::normal;
  double k = s.compliance > 0.0 && longest_dt_ > 0.0
                 ? kBreakingShare / (longest_dt_ * longest_dt_ * s.compliance * std::max(1.0, law.ratio))
                 : 0.0;
  if (law.stiffness > 0.0) k = std::min(k, law.stiffness * s.input.area);
  const double kt = slides ? 0.0 : law.ratio * k;
  const double per = law.failure == model::TieFailure::force ? 1.0 : 1.0 / s.input.area;
  s.damage = k > 0.0 ? damage_after(law, {opening, norm(slid), k * per, kt * per}, s.damage) : s.damage;
  if (s.damage >= 1.0) end(s);
  const double left = s.alive ? 1.0 - s.damage : 0.0;
  const double normal = opening > 0.0 ? left * k : s.alive && !slides ? k : 0.0, shear = left * kt;

  s.force = -(normal * opening) * n - shear * slid;
  s.moment = cross(s.arm, s.force);
  s.loads = {};
  const std::array<Vec3, 4> reaction = on_corners(lines, tie.weight, s.height, s.force);
  const std::array<Vec3, 4> turning = on_corners(lines, {}, 1.0, (s.side * (normal - shear) * opening) * gap);
  for (int a = 0; a < corners(tie); ++a) s.loads.force[a] = -reaction[a] - turning[a];
  s.work -= 0.5 * dt * power();
}

void BreakingTies::add_forces(state::Nodal& nodal, double time, double dt, model::Stage stage) {
  longest_dt_ = std::max(longest_dt_, dt);
  const bool of_run = stage == model::Stage::transient;  // in which time starts again: ends of ties are final
  for (Spring& s : springs_) {
    if (s.alive && of_run && time >= model_->contacts[s.contact].death) end(s);
    if (!s.alive) {
      s.force = s.moment = {};
      s.loads = {};
      continue;
    }
    update(s, nodal, dt);
    const model::Tie& tie = s.input.tie;
    nodal.add_force(tie.node, s.force);
    if (norm(s.arm) > 0.0) nodal.add_moment(tie.node, s.moment);
    for (int a = 0; a < corners(tie); ++a) nodal.add_force(tie.nodes[a], s.loads.force[a]);
  }
}

void BreakingTies::archive(state::Archive& archive) {
  using state::Of, state::Rows;
  static_assert(field_count<Spring>() == 12, "is the new member carried on?");
  if (!any_) return;
  const auto here = archive.module("breaking ties");
  std::vector<GlobalId> keys;  // contact, user id of the node
  for (const Spring& s : springs_)
    keys.insert(keys.end(), {s.contact, model_->nodes.id[static_cast<std::size_t>(s.input.tie.node)]});
  const Rows rows = Rows::own(Of::entity, keys, 2);
  archive.member("alive", rows, std::span(springs_), &Spring::alive);
  archive.member("damage", rows, std::span(springs_), &Spring::damage);
  archive.member("arm", rows, std::span(springs_), &Spring::arm);
  archive.member("force", rows, std::span(springs_), &Spring::force);
  archive.member("moment", rows, std::span(springs_), &Spring::moment);
  archive.member("loads", rows, std::span(springs_), &Spring::loads);
  archive.member("work", rows, std::span(springs_), &Spring::work);
  archive.global("longest step", longest_dt_);
  if (archive.reading()) ended_ = true;
}

void BreakingTies::add_results(std::span<ContactResult> results) const {
  if (!any_) return;
  constexpr std::size_t kSums = 4;
  std::vector<parallel::ExactSum> sums(kSums * results.size());
  std::vector<std::int64_t> count(results.size(), 0);
  for (const Spring& s : springs_) {
    parallel::ExactSum* const sum = &sums[kSums * std::size_t(s.contact)];
    for (int k = 0; k < 3; ++k) sum[k] += s.force[k];
    sum[3] += s.work;
    if (s.alive) ++count[s.contact];
  }
  parallel::ExactSum::reduce(comm_, sums);
  comm_.sum(std::span<std::int64_t>(count));
  for (std::size_t c = 0; c < results.size(); ++c) {
    if (model_->contacts[c].tiebreak.failure == model::TieFailure::none) continue;
    const parallel::ExactSum* const sum = &sums[kSums * c];
    const Vec3 force{sum[0].value(), sum[1].value(), sum[2].value()};
    results[c].force_a += force;
    results[c].force_b += -force;
    results[c].energy_a += sum[3].value();
    results[c].touching += count[c];
  }
}

}  // namespace crumple::contact
