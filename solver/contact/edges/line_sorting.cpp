// How a LineContact searches for the lines that each line may touch.
#include <algorithm>
#include <limits>

#include "contact/edges/closest_lines.hpp"
#include "contact/edges/line_contact.hpp"
#include "contact/search/bucket_grid.hpp"
#include "contact/search/safe_gap.hpp"
#include "contact/search/segment_courier.hpp"

namespace crumple::contact {

/// A line as a message.
struct LineMessage {
  LineRecord record;
  std::array<Vec3, 2> x{};
  std::array<double, kLineNodes> mass{}, force_scale{};
};
CRUMPLE_MEMBERS(LineMessage, record, x, mass, force_scale)

struct LineContact::Found {
  const LineRecord* record = nullptr;
  std::array<Vec3, 2> x{};
  std::int32_t home = 0, message = -1;  ///< rank; copies: position among its messages
};

namespace {

Box box_of(const std::array<Vec3, 2>& x) {
  Box box;
  for (const Vec3& p : x) box.add(p);
  return box;
}

Vec3 middle(const std::array<Vec3, 2>& x) { return 0.5 * (x[0] + x[1]); }

double distance(const std::array<Vec3, 2>& a, const std::array<Vec3, 2>& b) {
  const ClosestLines c = closest_lines(a[0], a[1], b[0], b[1]);
  return norm(((1.0 - c.s) * a[0] + c.s * a[1]) - ((1.0 - c.t) * b[0] + c.t * b[1]));
}

}  // namespace

/// Lines that share a node, or meet a common line, belong to the border of one sheet or to one chain: they do
/// not touch. Neighbours do not touch either.
bool LineContact::may_touch(const LineRecord& first, const LineRecord& second) const {
  if (two_surfaces_ ? first.side != 0 || second.side != 1 : !(first.order < second.order)) return false;
  if (first.rigid_body >= 0 && first.rigid_body == second.rigid_body) return false;
  for (const GlobalId id : first.id)
    if (id != kNoNode && (id == second.id[0] || id == second.id[1])) return false;
  for (int k = 2; k < kLineNodes; ++k)
    if (second.id[k] != kNoNode && (second.id[k] == first.id[0] || second.id[k] == first.id[1])) return false;
  return !std::ranges::binary_search(neighbours_, model::Neighbours{first.order, second.order});
}

/// Send each line that is not deleted to the ranks that have lines near it. Collective.
std::vector<std::vector<LineContact::Message>> LineContact::bring_copies(const state::Nodal& nodal,
                                                                         double reach) const {
  std::vector<std::vector<Message>> send(comm_.size());
  if (comm_.size() == 1) return send;
  std::vector<Vec3> points;
  for (const LineRecord& r : lines_)
    if (r.alive) points.push_back(middle({nodal.x[r.node[0]], nodal.x[r.node[1]]}));
  const NodeMap map(comm_, points);
  std::vector<int> ranks;
  for (const LineRecord& r : lines_) {
    if (!r.alive) continue;
    Message message;
    message.record = r;
    message.x = {nodal.x[r.node[0]], nodal.x[r.node[1]]};
    map.ranks_near(box_of(message.x).grown(r.radius + reach), ranks);
    if (ranks.empty()) continue;
    for (int k = 0; k < kLineNodes; ++k) {
      if (r.node[k] == model::kNone) continue;
      message.mass[k] = nodal.own_mass(r.node[k]);
      message.force_scale[k] = nodal.loads[r.node[k]].force.scale;
    }
    for (const int rank : ranks) send[rank].push_back(message);
  }
  return comm_.exchange(send);
}

void LineContact::sort(const state::Nodal& nodal, double margin) {
  if (!touches_) return;
  std::array<double, 2> most{0.0, 0.0};  // radius, half length
  for (const LineRecord& r : lines_) {
    if (!r.alive) continue;
    most[0] = std::max(most[0], r.radius);
    most[1] = std::max(most[1], 0.5 * norm(nodal.x[r.node[1]] - nodal.x[r.node[0]]));
  }
  comm_.max(std::span<double>(most));
  const double reach = most[0] + most[1] * (1.0 + 1e-9) + margin;  // from the middle of a line
  const auto messages = bring_copies(nodal, reach);
  std::vector<Found> found;
  for (const LineRecord& r : lines_)
    if (r.alive) found.push_back({&r, {nodal.x[r.node[0]], nodal.x[r.node[1]]}, comm_.rank(), -1});
  for (int r = 0; r < comm_.size(); ++r)
    for (std::size_t m = 0; m < messages[r].size(); ++m)
      found.push_back({&messages[r][m].record, messages[r][m].x, r, static_cast<std::int32_t>(m)});
  find_pairs(found, reach, margin);
  number_used_nodes(nodal, found, messages);
}

/// Pairs of this rank's lines with all found ones. Pairs and first_candidate_ still refer to `found`.
void LineContact::find_pairs(std::span<const Found> found, double reach, double margin) {
  std::vector<Vec3> points;
  for (const Found& f : found) points.push_back(middle(f.x));
  BucketGrid grid;
  grid.build(points, mean_length_);
  first_.clear();
  first_candidate_.clear();
  begin_.assign(1, 0);
  pair_.clear();
  for (std::size_t i = 0; i < found.size() && found[i].message < 0; ++i) {
    const LineRecord& first = *found[i].record;
    const auto line = static_cast<std::int32_t>(&first - lines_.data());
    const std::size_t before = pair_.size();
    const Box box = box_of(found[i].x);
    grid.for_each_near(box.grown(first.radius + reach), [&](std::int32_t j, const Vec3&) {
      const LineRecord& second = *found[j].record;
      const double near = first.radius + second.radius;
      if (!box.grown(near + margin).overlaps(box_of(found[j].x)) || !may_touch(first, second)) return;
      const double gap = distance(found[i].x, found[j].x) - near;
      if (gap <= margin) pair_.push_back({j, safe_gap(gap, norm(box.high - box.low) + reach)});
    });
    if (pair_.size() == before) {
      touching_[line].clear();
      continue;
    }
    std::sort(pair_.begin() + static_cast<std::ptrdiff_t>(before), pair_.end(),
              [&](const Pair& a, const Pair& b) {
                return found[a.segment].record->order < found[b.segment].record->order;
              });
    first_.push_back(line);
    first_candidate_.push_back(static_cast<std::int32_t>(i));
    begin_.push_back(static_cast<std::int32_t>(pair_.size()));
  }
}

/// Keep only lines of pairs, number their nodes and request their motion from the home ranks.
void LineContact::number_used_nodes(const state::Nodal& nodal, std::span<const Found> found,
                                    std::span<const std::vector<Message>> messages) {
  std::vector<std::int32_t> kept(found.size(), -1);
  for (const std::int32_t f : first_candidate_) kept[f] = 0;
  for (const Pair& p : pair_) kept[p.segment] = 0;
  WantedNodes wanted(comm_.size()), own(1);
  for (std::size_t f = 0; f < found.size(); ++f)
    if (kept[f] >= 0)
      for (const LocalId node : found[f].record->node) {
        if (node == model::kNone) continue;
        if (found[f].home == comm_.rank())
          own.add(0, node);
        else
          wanted.add(found[f].home, node);
      }
  own.number();
  used_ = {};
  x_sorted_.clear();
  used_.local = own.by_rank()[0];
  used_.add_copies(wanted.number());
  candidate_.clear();
  for (std::size_t f = 0; f < found.size(); ++f) {
    if (kept[f] < 0) continue;
    kept[f] = static_cast<std::int32_t>(candidate_.size());
    const LineRecord& r = *found[f].record;
    CandidateLine& to = candidate_.emplace_back();
    to.order = r.order;
    to.radius = r.radius;
    to.stiffness = r.stiffness;
    to.part = r.part;
    to.rigid = r.rigid_body >= 0;
    for (int k = 0; k < kLineNodes; ++k) {
      to.node[k] = -1;
      if (r.node[k] == model::kNone) continue;
      const int home = found[f].home;
      const bool copy = found[f].message >= 0;
      const std::size_t at = copy ? wanted(home, r.node[k]) : own(0, r.node[k]);
      to.node[k] = static_cast<std::int32_t>(copy ? used_.n_local() + at : at);
      used_.id[to.node[k]] = r.id[k];
      used_.mass[to.node[k]] = copy ? messages[home][found[f].message].mass[k] : nodal.own_mass(r.node[k]);
      if (copy) used_.force[at].scale = messages[home][found[f].message].force_scale[k];
    }
  }
  for (std::int32_t& f : first_candidate_) f = kept[f];
  for (Pair& p : pair_) p.segment = kept[p.segment];
  exchange_.connect(comm_, wanted, masses_change_);
}

}  // namespace crumple::contact
