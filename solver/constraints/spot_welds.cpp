// Motion of welded nodes, and the forces that break welds.
//
// A group gets the impulses of all its nodes, m (v* - v) with v* the velocity of a node without welds, and
// rotates like a free rigid body (citation in rigid_bodies.cpp). Its change of a node's velocity is the
// impulse of the constraints: their force is R = m (v_{n+1/2} - v*) / dt. If one weld is cut, a group without
// rings is in two parts, and all other welds act within a part. So the weld's force on the part with its
// second node is the sum of R there. In a ring, motion does not determine the forces of rigid welds, so the
// model refuses welds that can break in a ring.
//
// Filtered forces (_FILTERED_FORCE, FILTER of generalized welds): what breaks a weld is the mean of its last
// NF force vectors, of those of the last time TW if this is given (LS-DYNA keyword manual, vol. I,
// *CONSTRAINED_GENERALIZED_WELD, FILTER and WINDOW), split along the weld as it is now.
#include "constraints/spot_welds.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "base/assert.hpp"
#include "state/archive.hpp"

namespace crumple::constraints {

SpotWelds::SpotWelds(const model::Model& model, const state::Nodal& nodal, int rank, elements::Isa isa)
    : model_(&model),
      rank_(rank),
      find_turns_(find_free_turns(isa)),
      mask_(nodal.size(), 0),
      force_(model.welds.size()),
      lasting_(model.welds.size()),
      kept_(model.welds.size()),
      broken_(model.welds.size(), 0) {
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    kept_[k].first = static_cast<std::int64_t>(past_.size());
    if (model.welds[k].filter > 1)
      past_.resize(past_.size() + static_cast<std::size_t>(model.welds[k].filter));
  }
  make_groups(nodal);
}

void SpotWelds::make_groups(const state::Nodal& nodal) {
  for (const model::Weld& weld : model_->welds)
    for (const LocalId n : weld.nodes) mask_[n] = 1;
  std::vector<LocalId> all;
  for (std::size_t i = 0; i < mask_.size(); ++i)
    if (mask_[i]) all.push_back(static_cast<LocalId>(i));
  std::sort(all.begin(), all.end(), [&](LocalId a, LocalId b) { return nodal.id[a] < nodal.id[b]; });
  Group everything;
  everything.nodes = all;
  for (std::size_t k = 0; k < model_->welds.size(); ++k) {
    Tie tie;
    tie.weld = static_cast<LocalId>(k);
    everything.ties.push_back(tie);
  }
  groups_ = {std::move(everything)};
  std::vector<Group> parts;
  split(0, nodal, parts);
  groups_ = std::move(parts);
}

void SpotWelds::find_sides(Group& group, std::span<const model::Weld> welds) {
  for (Tie& tie : group.ties) {
    tie.behind.clear();
    if (!welds[tie.weld].can_break()) continue;
    std::vector<char> reached(group.nodes.size(), 0);
    std::vector<int> next{tie.ends[1]};
    reached[tie.ends[1]] = 1;
    while (!next.empty()) {
      const int at = next.back();
      next.pop_back();
      tie.behind.push_back(at);
      for (const Tie& other : group.ties) {
        if (other.weld == tie.weld || (other.ends[0] != at && other.ends[1] != at)) continue;
        const int there = other.ends[0] == at ? other.ends[1] : other.ends[0];
        if (!reached[there]) next.push_back(there);
        reached[there] = 1;
      }
    }
    std::sort(tie.behind.begin(), tie.behind.end());
    CRUMPLE_ASSERT(!std::ranges::binary_search(tie.behind, tie.ends[0]), tie.ends[0], tie.weld,
                   tie.behind.size());
  }
}

/// Split `group` into the groups that its unbroken welds connect; single nodes become free.
void SpotWelds::split(std::size_t group, const state::Nodal& nodal, std::vector<Group>& parts) {
  const Group& whole = groups_[group];
  const auto position = [&](LocalId node) {
    const auto it = std::lower_bound(whole.nodes.begin(), whole.nodes.end(), node,
                                     [&](LocalId a, LocalId b) { return nodal.id[a] < nodal.id[b]; });
    CRUMPLE_ASSERT(it != whole.nodes.end() && *it == node, node, group, whole.nodes.size());
    return static_cast<std::size_t>(it - whole.nodes.begin());
  };
  std::vector<std::size_t> lead(whole.nodes.size());
  std::iota(lead.begin(), lead.end(), 0);
  const auto root = [&](std::size_t i) {
    while (lead[i] != i) i = lead[i] = lead[lead[i]];
    return i;
  };
  for (const Tie& tie : whole.ties) {
    if (broken_[tie.weld]) continue;
    const model::Weld& weld = model_->welds[tie.weld];
    const std::size_t a = root(position(weld.nodes[0])), b = root(position(weld.nodes[1]));
    lead[std::max(a, b)] = std::min(a, b);
  }
  std::vector<int> part_of(whole.nodes.size(), -1), place(whole.nodes.size(), -1);
  std::vector<Group> found;
  for (std::size_t i = 0; i < whole.nodes.size(); ++i) {
    int& part = part_of[root(i)];
    if (part < 0) {
      part = static_cast<int>(found.size());
      found.emplace_back();
    }
    place[i] = static_cast<int>(found[part].nodes.size());
    found[part].nodes.push_back(whole.nodes[i]);
  }
  for (const Tie& tie : whole.ties) {
    if (broken_[tie.weld]) continue;
    const model::Weld& weld = model_->welds[tie.weld];
    const std::size_t a = position(weld.nodes[0]), b = position(weld.nodes[1]);
    Tie kept;
    kept.weld = tie.weld;
    kept.ends = {place[a], place[b]};
    found[part_of[root(a)]].ties.push_back(std::move(kept));
  }
  for (Group& part : found) {
    if (part.nodes.size() == 1) {
      left_.push_back(part.nodes[0]);
      continue;
    }
    find_sides(part, model_->welds);
    parts.push_back(std::move(part));
  }
}

void SpotWelds::take_velocities(Group& group, const state::Nodal& nodal) {
  group.of_node.resize(group.nodes.size());
  for (std::size_t k = 0; k < group.nodes.size(); ++k) {
    const LocalId i = group.nodes[k];
    group.of_node[k].v_last = nodal.v[i];
    group.of_node[k].w_last = nodal.w[i];
  }
}

void SpotWelds::measure(Group& group, const state::Nodal& nodal, const Vec3& w) {
  const std::size_t n = group.nodes.size();
  group.total = 0.0;
  Vec3 first, momentum;
  for (std::size_t k = 0; k < n; ++k) {
    const LocalId i = group.nodes[k];
    OfNode& of = group.of_node[k];
    of.mass = nodal.mass[i];
    of.inertia = nodal.inertia[i];
    group.total += nodal.mass[i];
    first += nodal.mass[i] * (nodal.x[i] - nodal.x[group.nodes[0]]);
    momentum += nodal.mass[i] * of.v_last;
  }
  group.centre = nodal.x[group.nodes[0]] + (1.0 / group.total) * first;
  group.v = (1.0 / group.total) * momentum;
  group.orientation = {};
  group.tensor = {};
  for (std::size_t k = 0; k < n; ++k) {
    OfNode& of = group.of_node[k];
    const Vec3 r = of.arm = nodal.x[group.nodes[k]] - group.centre;
    const double own = of.inertia + of.mass * dot(r, r);
    for (int a = 0; a < 3; ++a) {
      group.tensor[a][a] += own;
      group.tensor[a] -= (of.mass * r[a]) * r;
    }
  }
  group.inverse = pseudo_inverse(group.tensor);
  group.w_end = w;
  group.momentum = group.tensor * w;
}

void SpotWelds::initialize(state::Nodal& nodal) {
  for (Group& group : groups_) {
    take_velocities(group, nodal);
    measure(group, nodal, {});
    Vec3 momentum;
    for (const OfNode& of : group.of_node)
      momentum += cross(of.arm, of.mass * of.v_last) + of.inertia * of.w_last;
    group.w_end = group.inverse * momentum;
    group.momentum = group.tensor * group.w_end;
    for (std::size_t k = 0; k < group.nodes.size(); ++k) {
      const LocalId i = group.nodes[k];
      OfNode& of = group.of_node[k];
      nodal.v[i] = of.v_last = group.v + cross(group.w_end, of.arm);
      nodal.w[i] = of.w_last = group.w_end;
    }
  }
}

namespace {
constexpr std::size_t kTogether = 16;  ///< groups whose turns are found together

/// Prefetch the nodes of a group, which are scattered in memory.
template <class Group>
[[gnu::always_inline]] inline void ask_for(const Group& group, const state::Nodal& nodal) {
  __builtin_prefetch(group.of_node.data(), 1);
  for (const LocalId n : group.nodes) {
    __builtin_prefetch(&nodal.mass[n]), __builtin_prefetch(&nodal.inertia[n]);
    for (const auto* array : {&nodal.v, &nodal.w, &nodal.x, &nodal.a, &nodal.alpha})
      __builtin_prefetch(&(*array)[n], 1);
  }
}
}  // namespace

struct SpotWelds::Several {
  double time = 0;
  std::array<FreeTurn, kTogether> turns;
  std::vector<Vec3> reactions, x;  ///< of one group
};

void SpotWelds::move(std::span<Group> groups, state::Nodal& nodal, const MasslessNodes& massless, double dt_v,
                     double dt_x, Several& several) {
  for (const Group& group : groups) ask_for(group, nodal);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Group& group = groups[g];
    push(group, nodal, massless, dt_v);
    FreeTurn& turn = several.turns[g];
    turn.inverse = group.inverse;
    turn.momentum = group.momentum;
    turn.orientation = group.orientation;
  }
  find_turns_(several.turns.data(), static_cast<int>(groups.size()), dt_x);
  for (std::size_t g = 0; g < groups.size(); ++g)
    place(groups[g], nodal, massless, dt_v, dt_x, several.turns[g], several);
}

/// Gives a group the impulses of its nodes.
void SpotWelds::push(Group& group, const state::Nodal& nodal, const MasslessNodes& massless, double dt_v) {
  const std::size_t n = group.nodes.size();
  const auto gained_mass = [&](std::size_t k) {
    const LocalId i = group.nodes[k];
    const OfNode& of = group.of_node[k];
    return nodal.mass[i] != of.mass || nodal.inertia[i] != of.inertia;
  };
  for (std::size_t k = 0; k < n; ++k)
    if (gained_mass(k)) {
      measure(group, nodal, group.w_end);  // added mass moves with the node
      break;
    }

  const Matrix3 r_old = matrix(group.orientation);
  Vec3 impulse, twist;
  for (std::size_t k = 0; k < n; ++k) {
    const LocalId i = group.nodes[k];
    const OfNode& of = group.of_node[k];
    Vec3 j = of.mass * (nodal.v[i] - of.v_last);
    if (const MasslessNodes::Load* load = massless.load_on(i)) {
      j += dt_v * load->force;
      twist += dt_v * load->moment;
    }
    impulse += j;
    twist += cross(r_old * of.arm, j) + of.inertia * (nodal.w[i] - of.w_last);
  }
  group.v += (1.0 / group.total) * impulse;
  group.momentum += twist;
}

/// Sets the motion of a group's nodes.
void SpotWelds::place(Group& group, state::Nodal& nodal, const MasslessNodes& massless, double dt_v,
                      double dt_x, const FreeTurn& turn, Several& several) {
  if (!turn.found) {
#pragma omp critical(crumple_welds)
    runaway_ = std::min(runaway_, nodal.id[group.nodes[0]]);
  }
  const std::size_t n = group.nodes.size();
  const Vec3 w = (1.0 / dt_x) * turn.theta;
  const Matrix3 r_old = matrix(group.orientation), r_new = matrix(turn.orientation);
  group.orientation = turn.orientation;
  group.w_end = turn.w_end;
  several.reactions.resize(n);
  several.x.resize(n);
  const Vec3 centre = group.centre + dt_x * group.v;
  for (std::size_t k = 0; k < n; ++k) {
    const LocalId i = group.nodes[k];
    OfNode& of = group.of_node[k];
    const Vec3 r0 = r_old * of.arm, r1 = r_new * of.arm;
    // Cayley's map: theta x (r0 + r1) / 2 is r1 - r0, so v dt is exactly the node's displacement.
    const Vec3 v = group.v + cross(w, 0.5 * (r0 + r1));
    Vec3& reaction = several.reactions[k];
    reaction = of.mass * (v - nodal.v[i]);
    if (const MasslessNodes::Load* load = massless.load_on(i)) reaction -= dt_v * load->force;
    several.x[k] = group.centre + r0;
    nodal.a[i] = (1.0 / dt_v) * (v - of.v_last);
    nodal.alpha[i] = (1.0 / dt_v) * (w - of.w_last);
    nodal.v[i] = of.v_last = v;
    nodal.w[i] = of.w_last = w;
    nodal.x[i] = centre + r1;
  }
  group.centre = centre;
  find_forces(group, several.reactions, several.x, dt_v, several.time);
}

/// Adds a force to those of a weld; their mean.
Vec3 SpotWelds::filtered(LocalId weld, const Vec3& force, double time) {
  const model::Weld& input = model_->welds[weld];
  Kept& kept = kept_[weld];
  past_[static_cast<std::size_t>(kept.first + kept.next)] = {force, time};
  kept.next = (kept.next + 1) % input.filter;
  kept.count = std::min<std::int64_t>(kept.count + 1, input.filter);
  Vec3 sum;
  int counted = 0;
  for (std::int64_t k = 0; k < kept.count; ++k) {
    const Past& past = past_[static_cast<std::size_t>(kept.first + k)];
    if (input.window > 0.0 && past.time <= time - input.window) continue;
    sum += past.force;
    ++counted;
  }
  return (1.0 / counted) * sum;
}

namespace {
/// A weld's force on the node at the end of `along`, split.
SpotWelds::Force split_along(const Vec3& on_second, const Vec3& along) {
  const Vec3 normal = (1.0 / norm(along)) * along;
  const double tension = -dot(on_second, normal);
  return {tension, norm(on_second + tension * normal)};
}
}  // namespace

void SpotWelds::find_forces(const Group& group, std::span<const Vec3> impulses, std::span<const Vec3> x,
                            double dt_v, double time) {
  for (const Tie& tie : group.ties) {
    if (tie.behind.empty()) continue;
    Vec3 on_second;
    for (const int k : tie.behind) on_second += (1.0 / dt_v) * impulses[k];
    const Vec3 along = x[tie.ends[1]] - x[tie.ends[0]];
    force_[tie.weld] = lasting_[tie.weld] = split_along(on_second, along);
    if (model_->welds[tie.weld].filter > 1)
      lasting_[tie.weld] = split_along(filtered(tie.weld, on_second, time), along);
  }
}

/// (max(fn, 0) / SN)^n + (|fs| / SS)^m >= 1, as in the manual's *CONSTRAINED_SPOTWELD; a strength of 0 means
/// no limit.
bool SpotWelds::breaks_now(LocalId weld) const {
  const model::Weld& w = model_->welds[weld];
  const Force& f = lasting_[weld];
  double used = 0.0;
  if (w.normal_strength > 0.0 && f.normal > 0.0)
    used += std::pow(f.normal / w.normal_strength, w.normal_power);
  if (w.shear_strength > 0.0 && f.shear > 0.0) used += std::pow(f.shear / w.shear_strength, w.shear_power);
  return used >= 1.0;
}

void SpotWelds::advance(state::Nodal& nodal, const MasslessNodes& massless, double time, double dt_v,
                        double dt_x, model::Stage stage, std::span<const char> torn) {
  for (const LocalId n : left_) mask_[n] = 0;
  left_.clear();
  std::vector<Group> split_off;
  const auto let_go = [&](std::size_t g, const auto& goes, const Vec3& w) {
    bool any = false;
    for (const Tie& tie : groups_[g].ties) {
      if (!goes(tie.weld)) continue;
      any = true;
      broken_[tie.weld] = 1;
      const model::Weld& weld = model_->welds[tie.weld];
      if (nodal.owner[weld.nodes[0]] == rank_)
        breaks_.push_back({nodal.id[weld.nodes[0]], nodal.id[weld.nodes[1]], time, lasting_[tie.weld].normal,
                           lasting_[tie.weld].shear});
    }
    if (!any) return false;
    std::vector<Group> parts;
    split(g, nodal, parts);
    for (Group& part : parts) {
      take_velocities(part, nodal);
      measure(part, nodal, w);
      split_off.push_back(std::move(part));
    }
    return true;
  };
  constexpr std::size_t few = 64;  // for which starting threads takes longer than the work
#pragma omp parallel if (groups_.size() > few)
  {
    Several several;
    several.time = time;
#pragma omp for schedule(static)
    for (std::size_t g = 0; g < groups_.size(); g += kTogether)
      move(std::span(groups_).subspan(g, std::min(kTogether, groups_.size() - g)), nodal, massless, dt_v,
           dt_x, several);
  }
  const bool of_run = stage == model::Stage::transient;  // in which time starts again
  std::size_t kept = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const auto goes = [&](LocalId weld) {
      const model::Weld& w = model_->welds[weld];
      return w.can_break() && ((of_run && time + dt_x >= w.failure_time) || breaks_now(weld) ||
                               (!torn.empty() && torn[static_cast<std::size_t>(weld)]));
    };
    if (let_go(g, goes, groups_[g].w_end)) continue;
    if (kept != g) groups_[kept] = std::move(groups_[g]);
    ++kept;
  }
  groups_.resize(kept);
  for (Group& part : split_off) groups_.push_back(std::move(part));
}

void SpotWelds::begin_with(std::span<const char> broken, std::span<const Break> breaks, state::Nodal& nodal) {
  if (broken_.empty()) return;
  broken_.assign(broken.begin(), broken.end());
  breaks_.assign(breaks.begin(), breaks.end());
  std::ranges::fill(mask_, 0);
  make_groups(nodal);
  initialize(nodal);
}

void SpotWelds::archive(state::Archive& archive, const state::Nodal& nodal) {
  if (model_->welds.empty()) return;
  const auto here = archive.module("spot welds");
  archive_breaks(archive, nodal);
  if (archive.reading()) make_groups(nodal);  // of welds that are left
  archive_left(archive, nodal);
  if (!past_.empty()) archive_filters(archive, nodal);
  archive_groups(archive, nodal);
}

/// Which welds are broken, and how they did.
void SpotWelds::archive_breaks(state::Archive& archive, const state::Nodal& nodal) {
  using state::Of, state::Rows;
  std::vector<GlobalId> welds, breaks;  // user ids of both nodes, and which of several welds between them
  std::set<std::array<GlobalId, 2>> mine;
  for (const model::Weld& weld : model_->welds) {
    const std::array ids{nodal.id[weld.nodes[0]], nodal.id[weld.nodes[1]]};
    welds.insert(welds.end(), ids.begin(), ids.end());
    if (nodal.owner[weld.nodes[0]] == rank_) mine.insert(ids);
  }
  welds = state::numbered_among_equals(welds, 2);
  archive.field("broken", Rows::equal(Of::entity, welds, 3), std::span(broken_));
  for (const Break& b : breaks_) breaks.insert(breaks.end(), {b.first, b.second});
  breaks = state::numbered_among_equals(breaks, 2);
  archive.list("breaks", breaks, 3, [&](std::span<const GlobalId> key) {
    return mine.contains({key[0], key[1]});
  });
  breaks_.resize(breaks.size() / 3);
  archive.structs("break", Rows::own(Of::entity, breaks, 3), std::span(breaks_));
}

/// The last forces of welds that are filtered. Rings are as long on every rank.
void SpotWelds::archive_filters(state::Archive& archive, const state::Nodal& nodal) {
  using state::Of, state::Rows;
  std::vector<GlobalId> welds, filtered, forces;
  for (const model::Weld& weld : model_->welds)
    welds.insert(welds.end(), {nodal.id[weld.nodes[0]], nodal.id[weld.nodes[1]]});
  welds = state::numbered_among_equals(welds, 2);
  std::vector<Ring> rings;
  std::vector<Ring*> of;  // of the welds themselves
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    if (model_->welds[k].filter <= 1) continue;
    const std::array key{welds[3 * k], welds[3 * k + 1], welds[3 * k + 2]};
    filtered.insert(filtered.end(), key.begin(), key.end());
    for (std::int32_t i = 0; i < model_->welds[k].filter; ++i)
      forces.insert(forces.end(), {key[0], key[1], key[2], i});
    rings.push_back(kept_[k]);
    of.push_back(&kept_[k]);
  }
  archive.structs("past", Rows::equal(Of::entity, forces, 4), std::span(past_));
  archive.structs("ring", Rows::equal(Of::entity, filtered, 3), std::span(rings));
  for (std::size_t k = 0; k < rings.size(); ++k) *of[k] = rings[k];
}

/// Nodes that were let go in the last step.
void SpotWelds::archive_left(state::Archive& archive, const state::Nodal& nodal) {
  std::map<GlobalId, LocalId> by_id;
  for (const model::Weld& weld : model_->welds)
    for (const LocalId n : weld.nodes) by_id[nodal.id[n]] = n;
  std::vector<GlobalId> left;
  for (const LocalId n : left_) left.push_back(nodal.id[n]);
  archive.list("nodes let go", left, 1,
               [&](std::span<const GlobalId> key) { return by_id.contains(key[0]); });
  if (!archive.reading()) return;
  for (const LocalId n : left_) mask_[n] = 0;
  left_.clear();
  for (const GlobalId id : left) left_.push_back(by_id.at(id));
  for (const LocalId n : left_) mask_[n] = 1;
}

void SpotWelds::archive_groups(state::Archive& archive, const state::Nodal& nodal) {
  using state::Of, state::Rows;
  std::vector<GlobalId> first, ids;
  std::vector<Carried> carried;
  std::vector<OfNode> of_node;
  for (const Group& group : groups_) {
    first.push_back(nodal.id[group.nodes[0]]);
    carried.push_back(group);
    for (const LocalId n : group.nodes) ids.push_back(nodal.id[n]);
    of_node.insert(of_node.end(), group.of_node.begin(), group.of_node.end());
  }
  of_node.resize(ids.size());
  archive.structs("group", Rows::equal(Of::entity, first), std::span(carried));
  archive.structs("node", Rows::equal(Of::entity, ids), std::span(of_node));
  if (!archive.reading()) return;
  auto at = of_node.begin();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Group& group = groups_[g];
    const auto end = at + static_cast<std::ptrdiff_t>(group.nodes.size());
    static_cast<Carried&>(group) = carried[g];
    group.of_node.assign(at, end);
    at = end;
  }
}

}  // namespace crumple::constraints
