// The cycle of a LineContact, and answers to queries.
#include "contact/edges/line_contact.hpp"

#include <omp.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "contact/edges/which_lines.hpp"
#include "contact/force/add_fixed.hpp"

namespace crumple::contact {

namespace {

constexpr std::size_t kLinesForThreads = 512;

/// Penalty stiffness without scales: for an edge of a shell that of the shell (setup.cpp), for a beam E A /
/// L.
double line_stiffness(const model::Model& model, model::ElementKind kind, LocalId element, double radius,
                      const state::Nodal& nodal, const PartConstants& part) {
  if (kind == model::ElementKind::beam) {
    const auto& ends = model.beams.nodes[element];
    const double length = norm(nodal.x0[ends[1]] - nodal.x0[ends[0]]);
    return length > 0.0 ? part.young * 3.141592653589793 * radius * radius / length : 0.0;
  }
  const auto& n = model.shells.nodes[element];
  const Vec3 ac = nodal.x0[n[2]] - nodal.x0[n[0]], bd = nodal.x0[n[3]] - nodal.x0[n[1]];
  const Vec3 ab = nodal.x0[n[1]] - nodal.x0[n[0]];
  const double longest = std::max({norm(ac), norm(bd), n[2] == n[3] ? norm(ab) : 0.0});
  return longest > 0.0 ? part.bulk * 0.5 * norm(cross(ac, bd)) / longest : 0.0;
}

}  // namespace

LineContact::LineContact(const model::Model& model, std::int32_t contact, const state::Nodal& nodal,
                         const parallel::Communicator& comm, std::span<const PartConstants> constants)
    : model_(model), contact_(contact), comm_(comm) {
  const model::Contact& from = model.contacts[contact];
  law_ = PenaltyLaw::of(from);
  birth_ = from.birth;
  death_ = from.death > 0.0 ? from.death : HUGE_VAL;
  two_surfaces_ = !is_single(from.type);
  touches_ = lines_touch(from);
  add_lines(from.a, 0, from.slsfac * from.sfa, nodal, constants);
  add_lines(from.b, 1, from.slsfac * from.sfb, nodal, constants);
  std::ranges::sort(by_element_, {}, &Element::key);
  for (const model::Neighbours& n : from.a.line_neighbours)
    neighbours_.push_back({2 * n.one, 2 * n.other + (two_surfaces_ ? 1 : 0)});
  touching_.resize(lines_.size());
  work_.resize(lines_.size());
  std::array<parallel::ExactSum, 2> length;
  for (const LineRecord& line : lines_) {
    length[0] += norm(nodal.x0[line.node[1]] - nodal.x0[line.node[0]]);
    length[1] += 1.0;
  }
  parallel::ExactSum::reduce(comm_, length);
  mean_length_ = length[1].value() > 0.0 ? length[0].value() / length[1].value() : 0.0;
}

/// Lines of both surfaces have common numbers: twice their order, plus 1 for surface b.
void LineContact::add_lines(const model::Surface& surface, std::int8_t side, double scale,
                            const state::Nodal& nodal, std::span<const PartConstants> constants) {
  const auto nature = [&](model::ElementKind kind, LocalId element, LocalId part, double radius) {
    if (part == model::kNone) return LineNature{radius};
    const model::Part& of = model_.parts[part];
    const double k = line_stiffness(model_, kind, element, radius, nodal, constants[part]);
    return LineNature{radius, scale * of.contact_stiffness_scale * k, of.rigid_body};
  };
  for (const model::ContactLine& from : surface.lines) {
    LineRecord line{nature(from.kind, from.element, from.part, from.radius)};
    line.order = 2 * from.order + side;
    line.part = from.part;
    line.side = side;
    line.beam = from.kind == model::ElementKind::beam;
    line.id.fill(kNoNode);
    line.node.fill(model::kNone);
    line.beyond.fill(-1);
    const auto set = [&](int at, LocalId node, GlobalId beyond) {
      line.node[at] = node;
      line.id[at] = nodal.id[node];
      line.beyond[at] = beyond;
    };
    for (int end = 0; end < 2; ++end) {
      set(end, from.nodes[end], -1);
      for (int k = 0; k < model::kLineNeighbours; ++k)
        if (from.beyond[end][k] != model::kNone)
          set(2 + end * model::kLineNeighbours + k, from.beyond[end][k],
              2 * from.beyond_order[end][k] + side);
    }
    if (!from.shared) by_element_.push_back({line, from.kind, from.element, line.order});
    lines_.push_back(line);
  }
  for (const model::LineSharer& s : surface.sharers)
    by_element_.push_back(
        {nature(s.kind, s.element, s.part, s.radius), s.kind, s.element, 2 * s.line + side, s.place});
}

void LineContact::list_moving_nodes(std::vector<LocalId>& nodes) const {
  for (const LineRecord& line : lines_)
    if (touches_ && line.alive) nodes.insert(nodes.end(), line.node.begin(), line.node.begin() + 2);
}

LineView LineContact::view(std::int32_t candidate, const state::Nodal& nodal) const {
  LineView view;
  view.line = &candidate_[candidate];
  view.used = &used_;
  const auto n = static_cast<std::int32_t>(used_.n_local());
  for (int k = 0; k < 2; ++k) {
    const std::int32_t node = view.line->node[k];
    view.x[k] = used_.x[node];
    view.v[k] = node < n ? nodal.v[used_.local[node]] : used_.v[node - n];
    view.mass[k] = used_.mass[node];
  }
  return view;
}

template <bool kAtomic>
void LineContact::scatter(const LineContactState& state, std::int32_t first,
                          std::span<parallel::LoadSum> loads) {
  const auto n_local = static_cast<std::int32_t>(used_.n_local());
  for (int k = 0; k < 4; ++k) {
    const std::int32_t node = candidate_[k < 2 ? first : state.second].node[k & 1];
    if (node < n_local) {
      const std::size_t local = used_.local[node];
      add_fixed<kAtomic>(loads[local].force, state.force[k]);
    } else {
      const std::size_t copy = node - n_local;
      add_fixed<kAtomic>(used_.force[copy], state.force[k]);
    }
  }
}

template <bool kAtomic>
void LineContact::evaluate(const state::Nodal& nodal, double dt, double soft_dt, double moved,
                           std::span<parallel::LoadSum> loads) {
#pragma omp parallel if (kAtomic)
  {
    std::vector<LineContactState> before;
#pragma omp for schedule(dynamic, 64)
    for (std::size_t f = 0; f < first_.size(); ++f) {
      const std::int32_t line = first_[f];
      before.swap(touching_[line]);
      auto& now = touching_[line];
      now.clear();
      const LineView first = view(first_candidate_[f], nodal);
      std::size_t next = 0;  // both lists are ascending in the second line's order
      for (std::int32_t p = begin_[f]; p < begin_[f + 1]; ++p) {
        const std::int32_t second = pair_[p].segment;
        const GlobalId order = candidate_[second].order;
        while (next < before.size() && before[next].other < order) ++next;
        const bool held = next < before.size() && before[next].other == order;
        if (!held && static_cast<double>(pair_[p].gap) > moved) continue;
        LineContactState state;
        if (!touch(law_, first, view(second, nodal), dt, soft_dt, !started_, held ? &before[next] : nullptr,
                   state, work_[line]))
          continue;
        state.other = order;
        state.second = second;
        for (int k = 0; k < 2; ++k) state.second_id[k] = used_.id[candidate_[second].node[k]];
        scatter<kAtomic>(state, first_candidate_[f], loads);
        now.push_back(state);
      }
      before.clear();
    }
  }
}

void LineContact::gather_used(const state::Nodal& nodal) {
  for (std::size_t k = 0; k < used_.n_local(); ++k) used_.x[k] = nodal.x[used_.local[k]];
  exchange_.finish(used_);
  for (std::size_t k = 0; masses_change_ && k < used_.n_local(); ++k)
    used_.mass[k] = nodal.own_mass(used_.local[k]);
  for (parallel::FixedVector& f : used_.force) f.sum = {};
}

/// Relative motion of the used nodes since the sort.
double LineContact::relative_motion() {
  if (x_sorted_.empty()) x_sorted_ = used_.x;
  Box box;
  for (std::size_t k = 0; k < x_sorted_.size(); ++k) box.add(used_.x[k] - x_sorted_[k]);
  return box.empty() ? 0.0 : norm(box.high - box.low) * (1.0 + 1e-12);
}

void LineContact::add_forces(const state::Nodal& nodal, double time, double dt, double soft_dt,
                             std::span<parallel::LoadSum> loads) {
  if (!touches_) return;
  gather_used(nodal);
  const double moved = relative_motion();
  if (time < birth_ || time >= death_ || off_) {
    for (auto& states : touching_) states.clear();
  } else {
    if (omp_get_max_threads() > 1 && first_.size() > kLinesForThreads)
      evaluate<true>(nodal, dt, soft_dt, moved, loads);
    else
      evaluate<false>(nodal, dt, soft_dt, moved, loads);
    started_ = true;
  }
  exchange_.return_forces(used_, loads);
}

void LineContact::delete_elements(std::span<const DeletedElement> elements) {
  for (const DeletedElement& e : elements)
    for (auto at = std::ranges::lower_bound(by_element_, std::tuple(e.kind, e.element, GlobalId{-1}), {},
                                            &Element::key);
         at != by_element_.end() && at->kind == e.kind && at->element == e.element; ++at) {
      if (!at->gone) lost_.push_back(at->line);
      at->gone = true;
    }
}

/// Elements of some lines that are not deleted, of all ranks, by line and place. Collective.
std::vector<LineContact::Element> LineContact::elements_left(std::span<const GlobalId> lines) const {
  std::vector<Element> mine;
  for (const Element& e : by_element_)
    if (!e.gone && std::ranges::binary_search(lines, e.line)) mine.push_back(e);
  auto all = comm_.all_gather(std::span<const Element>(mine));
  std::ranges::sort(all, {}, [](const Element& e) { return std::pair(e.line, e.place); });
  return all;
}

/// Collective. A line's elements may be on several ranks. Its home rank receives the deletions and the
/// remaining elements. Until then the line does not change on any rank, so that results do not depend on
/// which rank has which element.
std::vector<ChangedLine> LineContact::count_losses() {
  auto lost = comm_.all_gather(std::span<const GlobalId>(lost_));
  lost_.clear();
  std::vector<ChangedLine> changed;
  if (lost.empty()) return changed;
  std::ranges::sort(lost);
  const std::vector<Element> left = elements_left(lost);
  for (std::size_t l = 0; l < lines_.size(); ++l) {
    LineRecord& line = lines_[l];
    if (!std::ranges::binary_search(lost, line.order)) continue;
    const auto of_line = std::ranges::equal_range(left, line.order, {}, &Element::line);
    ChangedLine change{line.order, !of_line.empty(), -1, {line.id[0], line.id[1]}};
    if (change.alive) {
      LineNature now = of_line.front(), &nature = line;
      for (const Element& e : of_line) now.radius = std::max(now.radius, e.radius);
      if (nature == now) continue;
      nature = now;
    } else {
      line.alive = false;
      touching_[l].clear();
      if (line.beam) change.beam_side = line.side;
    }
    changed.push_back(change);
  }
  return changed;
}

/// Removes a deleted line from the neighbours of other lines.
std::vector<ChangedLine> LineContact::exchange_deletions() {
  const std::vector<ChangedLine> changed = count_losses();
  auto all = comm_.all_gather(std::span<const ChangedLine>(changed));
  std::vector<GlobalId> deleted;
  for (const ChangedLine& change : all)
    if (!change.alive) deleted.push_back(change.order);
  std::ranges::sort(deleted);
  if (!deleted.empty())
    for (LineRecord& line : lines_)
      for (int k = 2; k < kLineNodes; ++k)
        if (line.beyond[k] >= 0 && std::ranges::binary_search(deleted, line.beyond[k])) {
          line.beyond[k] = -1;
          line.node[k] = model::kNone;
          line.id[k] = kNoNode;
        }
  return all;
}

void LineContact::add_to(LineSums& sums) const {
  for (std::size_t l = 0; l < lines_.size(); ++l) {
    sums.energy += work_[l].total;
    sums.friction += work_[l].friction;
    for (const LineContactState& state : touching_[l]) {
      ++sums.touching;
      sums.max_penetration = std::max(sums.max_penetration, state.penetration);
      const Vec3 on_first = state.force[0] + state.force[1];
      for (int c = 0; c < 3; ++c) {
        sums.force[c] += on_first[c];
        sums.minus_force[c] += -on_first[c];
      }
    }
  }
}

std::vector<TouchingLines> LineContact::touching() const {
  std::vector<TouchingLines> all;
  for (std::size_t l = 0; l < lines_.size(); ++l)
    for (const LineContactState& state : touching_[l]) {
      const LineRecord& first = lines_[l];
      all.push_back({{first.side, static_cast<std::int32_t>(state.other % 2)},
                     {first.id[0], first.id[1], state.second_id[0], state.second_id[1]},
                     state.force});
    }
  return all;
}

}  // namespace crumple::contact
