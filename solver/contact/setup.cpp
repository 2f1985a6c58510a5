// Builds a ContactSystem from the rank's model: stiffness, thickness, attachment of nodes to segments.
#include <algorithm>
#include <map>

#include "base/assert.hpp"
#include "contact/contact_parts.hpp"
#include "contact/edges/which_lines.hpp"
#include "contact/geometry/closest_point.hpp"
#include "parallel/exact_sum.hpp"

namespace crumple::contact {

namespace {

/// Volume of a brick or its degenerate forms: tetrahedra from the triangles of each face to the first node
/// (divergence theorem).
double solid_volume(const std::array<Vec3, 8>& x) {
  static constexpr int face[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                     {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  double volume = 0.0;
  for (const auto& f : face) {
    const Vec3 a = x[f[0]] - x[0], b = x[f[1]] - x[0], c = x[f[2]] - x[0], d = x[f[3]] - x[0];
    const Vec3 m = 0.25 * ((a + b) + (c + d));
    volume += dot(cross(a, b), m) + dot(cross(b, c), m) + dot(cross(c, d), m) + dot(cross(d, a), m);
  }
  return std::abs(volume) / 6.0;
}

double segment_area(const Vec3* x, int corners) {
  const Vec3 normal = corners == 4 ? cross(x[2] - x[0], x[3] - x[1]) : cross(x[1] - x[0], x[2] - x[0]);
  return 0.5 * norm(normal);
}

/// Longest diagonal; for a triangle its longest side.
double longest_diagonal(const Vec3* x, int corners) {
  if (corners == 4) return std::max(norm(x[2] - x[0]), norm(x[3] - x[1]));
  return std::max({norm(x[1] - x[0]), norm(x[2] - x[1]), norm(x[0] - x[2])});
}

/// Penalty stiffness without scales: K A^2 / V for solids, K A / longest diagonal for shells (Hallquist 2006,
/// LS-DYNA Theory Manual, eqs. 29.9 and 29.10).
class SegmentBuilder {
 public:
  SegmentBuilder(const model::Model& model, const state::Nodal& nodal,
                 std::span<const PartConstants> constants)
      : model_(model), nodal_(nodal), constants_(constants) {}

  /// @param fronts whether shells without contact thickness are touched on their front only
  SegmentRecord operator()(const model::Segment& segment, double scale, bool fronts) const {
    SegmentRecord r;
    r.order = segment.order;
    r.part = segment.part;
    r.node = segment.nodes;
    r.corners = segment.nodes[3] == segment.nodes[2] ? 3 : 4;
    r.half_thickness = 0.5 * segment.thickness;
    r.asleep = segment.asleep;
    r.twin = segment.twin;
    r.excluded.fill(kNoNode);
    std::array<Vec3, 4> x;
    for (int k = 0; k < 4; ++k) {
      CRUMPLE_ASSERT(segment.nodes[k] >= 0 && static_cast<std::size_t>(segment.nodes[k]) < nodal_.size(),
                     segment.nodes[k], nodal_.size(), segment.order);
      x[k] = nodal_.x0[segment.nodes[k]];
      r.excluded[k] = nodal_.id[segment.nodes[k]];
    }
    r.area = segment_area(x.data(), r.corners);
    double bulk = 0.0;
    if (segment.part != model::kNone) {
      r.rigid_body = model_.parts[segment.part].rigid_body;
      bulk = constants_[segment.part].bulk * model_.parts[segment.part].contact_stiffness_scale;
    }
    if (segment.kind == model::ElementKind::solid)
      solid(segment, bulk, r);
    else if (const double diagonal = longest_diagonal(x.data(), r.corners); diagonal > 0.0)
      r.stiffness = bulk * r.area / diagonal;
    r.stiffness *= scale;
    if (fronts && segment.kind != model::ElementKind::solid && !(segment.thickness > 0.0)) {
      r.one_sided = true;
      r.depth = 0.5 * std::sqrt(r.area);  // LS-DYNA has no limit; this one excludes nodes of a far side
    }
    return r;
  }

 private:
  void solid(const model::Segment& segment, double bulk, SegmentRecord& r) const {
    r.one_sided = true;
    if (segment.element == model::kNone) return;
    std::array<Vec3, 8> x;
    const auto& nodes = model_.solids.nodes[segment.element];
    int more = 4;
    for (int k = 0; k < 8; ++k) {
      x[k] = nodal_.x0[nodes[k]];
      const GlobalId id = nodal_.id[nodes[k]];
      if (std::find(r.excluded.begin(), r.excluded.end(), id) == r.excluded.end()) r.excluded[more++] = id;
    }
    const double volume = solid_volume(x);
    if (!(volume > 0.0) || !(r.area > 0.0)) return;
    r.stiffness = bulk * r.area * r.area / volume;
    r.depth = 0.5 * volume / r.area;  // a node nearer to the far face belongs to that face
  }

  const model::Model& model_;
  const state::Nodal& nodal_;
  std::span<const PartConstants> constants_;
};

/// Non-automatic contacts ignore shell thickness unless SHLTHK is set, and use the orientation of segments.
bool has_fronts(const model::Contact& contact) {
  return contact.type == model::ContactType::surface_to_surface ||
         contact.type == model::ContactType::nodes_to_surface;
}

bool is_transducer(const model::Contact& contact) {
  return contact.type == model::ContactType::force_transducer;
}

/// Message of a segment to the owner of one of its nodes.
struct Attachment {
  GlobalId node;
  std::int64_t side;
  std::int64_t asleep;
  double stiffness;
  double depth;
  std::array<std::int64_t, 3> outward;
};
CRUMPLE_MEMBERS(Attachment, node, side, asleep, stiffness, depth, outward)

Attachment attachment(const state::Nodal& nodal, const SegmentRecord& r, GlobalId node, std::size_t side) {
  return {
      node, static_cast<std::int64_t>(side), r.asleep ? 1 : 0, r.stiffness, r.depth, outward_of(nodal, r)};
}

/// Calls `visit(side, segment, corner, owner of the node there)`.
template <class Sides, class Visit>
void for_each_corner(Sides& sides, const state::Nodal& nodal, Visit visit) {
  for (std::size_t s = 0; s < sides.size(); ++s)
    for (SegmentRecord& r : sides[s].segments)
      for (int k = 0; k < r.corners; ++k) visit(s, r, k, nodal.owner[r.node[k]]);
}

}  // namespace

std::array<std::int64_t, 3> outward_of(const state::Nodal& nodal, const SegmentRecord& r) {
  constexpr double scale = 1 << 20;
  std::array<std::int64_t, 3> outward{};
  if (!r.one_sided) return outward;
  Vec3 x[4];
  for (int k = 0; k < 4; ++k) x[k] = nodal.x0[r.node[k]];
  const Vec3 normal = segment_normal(x, r.corners);
  const double length = norm(normal);
  for (int c = 0; c < 3 && length > 0.0; ++c) outward[c] = std::llround(scale * normal[c] / length);
  return outward;
}

ContactSystem::ContactSystem(const model::Model& model, const state::Nodal& nodal,
                             const parallel::Communicator& comm, std::span<const PartConstants> constants,
                             elements::Isa isa)
    : model_(model), comm_(comm), closest_pairs_(closest_pairs(isa)) {
  build_sides(model, nodal, constants);
  attach_nodes(nodal);
  if (std::any_of(model.contacts.begin(), model.contacts.end(), [](const auto& c) { return c.soft == 2; }))
    find_segment_masses(nodal);
  build_passes(nodal);
  build_lines(nodal, constants);
  // A force may act on any copy of a node, so all copies of a transducer's nodes are used.
  transducers_ = find_transducers(model, nodal, comm_, false);
  const auto sums_nodes = [](const Transducer& t) { return !t.between; };
  if (std::any_of(transducers_.begin(), transducers_.end(), sums_nodes))
    contact_loads_.assign(nodal.loads.begin(), nodal.loads.end());
  index_elements();
}

ContactSystem::~ContactSystem() = default;

void ContactSystem::Side::set_neighbours(TrackedNode& node, GlobalId one,
                                         std::span<const model::Neighbours> all) {
  node.neighbours_begin = static_cast<std::int32_t>(neighbours.size());
  for (const model::Neighbours& n : std::ranges::equal_range(all, one, {}, &model::Neighbours::one))
    neighbours.push_back(n.other);
  node.neighbours_end = static_cast<std::int32_t>(neighbours.size());
}

void ContactSystem::build_sides(const model::Model& model, const state::Nodal& nodal,
                                std::span<const PartConstants> constants) {
  std::vector<LocalId> rigid_body(nodal.size(), model::kNone);
  for (std::size_t b = 0; b < model.rigid_bodies.size(); ++b)
    for (const LocalId node : model.rigid_bodies[b].nodes) rigid_body[node] = static_cast<LocalId>(b);
  const SegmentBuilder build(model, nodal, constants);
  for (std::size_t c = 0; c < model.contacts.size(); ++c) {
    const model::Contact& contact = model.contacts[c];
    for (const bool b : {false, true}) {
      const model::Surface& surface = b ? contact.b : contact.a;
      Side side;
      side.contact = static_cast<std::int32_t>(c);
      const double scale = contact.slsfac * (b ? contact.sfb : contact.sfa);
      side.segments.reserve(surface.segments.size());
      side.nodes.reserve(surface.nodes.size());
      for (const model::Segment& segment : surface.segments)
        side.segments.push_back(build(segment, scale, has_fronts(contact)));
      for (std::size_t i = 0; i < surface.nodes.size(); ++i) {
        TrackedNode node;
        node.node = surface.nodes[i];
        node.id = nodal.id[node.node];
        node.half_thickness = surface.node_thickness.empty() ? 0.0 : 0.5 * surface.node_thickness[i];
        node.rigid_body = rigid_body[node.node];
        side.nodes.push_back(node);
      }
      std::sort(side.nodes.begin(), side.nodes.end(),
                [](const auto& l, const auto& r) { return l.id < r.id; });
      CRUMPLE_ASSERT(std::ranges::adjacent_find(side.nodes, {}, &TrackedNode::id) == side.nodes.end(),
                     contact.id, b, side.nodes.size());
      for (TrackedNode& node : side.nodes) side.set_neighbours(node, node.id, surface.node_neighbours);
      std::array<parallel::ExactSum, 2> size;
      for (const SegmentRecord& r : side.segments) {
        size[0] += std::sqrt(r.area);
        size[1] += 1.0;
      }
      parallel::ExactSum::reduce(comm_, size);
      side.mean_size = size[1].value() > 0.0 ? size[0].value() / size[1].value() : 0.0;
      sides_.push_back(std::move(side));
    }
  }
}

/// Report each segment to the owners of its nodes. A node has the stiffness of its softest segment, and is
/// tracked as long as one of its active segments exists. The owner answers with the largest depth of its
/// one-sided segments.
void ContactSystem::attach_nodes(const state::Nodal& nodal) {
  std::map<std::pair<std::int64_t, GlobalId>, double> depth;
  const auto attach = [&](const Attachment& a) {
    if (a.depth > 0.0) {
      double& most = depth[{a.side, a.node}];
      most = std::max(most, a.depth);
    }
    auto& nodes = sides_[a.side].nodes;
    const auto node = std::lower_bound(nodes.begin(), nodes.end(), a.node,
                                       [](const TrackedNode& n, GlobalId id) { return n.id < id; });
    if (node == nodes.end() || node->id != a.node) return;  // a target only: not tracked
    const bool first = node->attached + node->asleep == 0;
    node->stiffness = first ? a.stiffness : std::min(node->stiffness, a.stiffness);
    if (a.asleep != 0) {
      ++node->asleep;
      return;
    }
    for (int c = 0; c < 3; ++c) node->outward[c] += a.outward[c];
    ++node->attached;
  };
  std::vector<std::vector<Attachment>> send(comm_.size());
  for_each_corner(sides_, nodal, [&](std::size_t side, SegmentRecord& r, int k, int owner) {
    const Attachment a = attachment(nodal, r, r.excluded[k], side);
    if (owner == comm_.rank()) return attach(a);
    send[owner].push_back(a);
  });
  const std::vector<std::vector<Attachment>> received = comm_.exchange(send);
  for (const auto& of_rank : received) std::ranges::for_each(of_rank, attach);
  const auto most_at = [&](std::int64_t side, GlobalId node) {
    const auto at = depth.find({side, node});
    return at == depth.end() ? 0.0 : at->second;
  };
  for (Side& side : sides_)
    for (TrackedNode& node : side.nodes) node.alive = node.attached > 0 || node.asleep == 0;
  std::vector<std::vector<double>> answer(comm_.size());
  for (std::size_t rank = 0; rank < received.size(); ++rank)
    for (const Attachment& a : received[rank])
      answer[rank].push_back(a.depth > 0.0 ? most_at(a.side, a.node) : 0.0);
  const std::vector<std::vector<double>> answered = comm_.exchange(answer);
  std::vector<std::size_t> next(comm_.size(), 0);  // answers come in the order of the messages
  for_each_corner(sides_, nodal, [&](std::size_t side, SegmentRecord& r, int k, int owner) {
    double most = 0.0;
    if (owner == comm_.rank()) {
      if (r.depth > 0.0) most = most_at(static_cast<std::int64_t>(side), r.excluded[k]);
    } else {
      most = answered[owner][next[owner]++];
    }
    r.border_depth = std::max(r.border_depth, most);
  });
  for (std::size_t rank = 0; rank < next.size(); ++rank)
    CRUMPLE_ASSERT(next[rank] == answered[rank].size(), rank, next[rank], answered[rank].size());
}

void ContactSystem::build_passes(const state::Nodal& nodal) {
  for (std::size_t c = 0; c < model_.contacts.size(); ++c) {
    const model::Contact& contact = model_.contacts[c];
    if (is_transducer(contact)) continue;
    const auto a = static_cast<std::int32_t>(2 * c), b = a + 1;
    const auto add = [&](std::int32_t nodes, std::int32_t segments) {
      Pass pass;
      pass.contact = static_cast<std::int32_t>(c);
      pass.node_side = nodes;
      pass.segment_side = segments;
      pass.of_b = nodes == b || sides_[nodes].base == b;
      pass.law = PenaltyLaw::of(contact);
      pass.birth = contact.birth;
      pass.death = contact.death > 0.0 ? contact.death : HUGE_VAL;
      const std::size_t n = sides_[nodes].nodes.size();
      pass.count.assign(n, 0);
      pass.slots.resize(n);
      pass.work.resize(n);
      for (const TrackedNode& node : sides_[nodes].nodes)
        pass.most_half_thickness = std::max(pass.most_half_thickness, node.half_thickness);
      pass.most_half_thickness = comm_.max(pass.most_half_thickness);
      passes_.push_back(std::move(pass));
    };
    const auto add_points = [&](std::int32_t base, std::int32_t segments) {
      if (contact.soft == 2) add(add_point_side(base, nodal), segments);
    };
    switch (contact.type) {
      case model::ContactType::automatic_general:
        if (!contact.edges_only) add(a, a);
        break;
      case model::ContactType::automatic_single_surface:
        add(a, a);
        add_points(a, a);
        break;
      case model::ContactType::automatic_surface_to_surface:
      case model::ContactType::surface_to_surface:  // the same algorithm; has_fronts has the differences
        add(a, b);
        add(b, a);
        add_points(a, b);
        add_points(b, a);
        break;
      case model::ContactType::automatic_nodes_to_surface:
      case model::ContactType::nodes_to_surface:
        add(a, b);
        add_points(a, b);
        break;
      default:  // transducers only measure; ties are elsewhere
        break;
    }
  }
}

void ContactSystem::build_lines(const state::Nodal& nodal, std::span<const PartConstants> constants) {
  for (std::size_t c = 0; c < model_.contacts.size(); ++c) {
    if (!has_lines(model_.contacts[c])) continue;
    lines_.emplace_back(model_, static_cast<std::int32_t>(c), nodal, comm_, constants);
    if (!(lines_.back().mean_length() > 0.0)) lines_.pop_back();
  }
  if (!lines_.empty()) attach_beams(nodal);
}

/// Report beams to the owners of their nodes, as segments.
void ContactSystem::attach_beams(const state::Nodal& nodal) {
  std::vector<std::vector<Attachment>> send(comm_.size());
  for (const LineContact& lines : lines_)
    for (const LineRecord& line : lines.lines())
      for (int end = 0; line.beam && end < 2; ++end)
        send[nodal.owner[line.node[end]]].push_back(
            {line.id[end], 2 * lines.contact() + line.side, 0, line.stiffness, 0.0, {}});
  const auto attach = [&](const Attachment& a) {
    auto& nodes = sides_[a.side].nodes;
    const auto node = std::lower_bound(nodes.begin(), nodes.end(), a.node,
                                       [](const TrackedNode& n, GlobalId id) { return n.id < id; });
    if (node == nodes.end() || node->id != a.node) return;
    if (node->attached == 0) node->beam_end = true;
    node->stiffness = node->attached == 0 ? a.stiffness : std::min(node->stiffness, a.stiffness);
    ++node->attached;
  };
  for (const auto& of_rank : comm_.exchange(send)) std::ranges::for_each(of_rank, attach);
}

void ContactSystem::index_elements() {
  for (std::size_t s = 0; s < 2 * model_.contacts.size(); ++s) {
    const model::Contact& contact = model_.contacts[s / 2];
    const model::Surface& surface = s % 2 == 0 ? contact.a : contact.b;
    for (std::size_t k = 0; k < surface.segments.size(); ++k)
      if (surface.segments[k].element != model::kNone)
        by_element_.push_back({surface.segments[k].kind, surface.segments[k].element,
                               static_cast<std::int32_t>(s), static_cast<std::int32_t>(k)});
  }
  by_element_.shrink_to_fit();
  std::sort(by_element_.begin(), by_element_.end());
}

void ContactSystem::list_moving_nodes() {
  moving_.clear();
  for (const LineContact& lines : lines_) lines.list_moving_nodes(moving_);
  std::vector<bool> moves(model_.nodes.size(), false);
  const auto mark = [&](std::span<const LocalId> nodes) {
    for (const LocalId node : nodes) moves[node] = true;
  };
  mark(moving_);
  for (const Pass& pass : passes_) {
    const Side& tracked = sides_[pass.node_side];
    for (std::size_t i = 0; i < tracked.nodes.size(); ++i) {
      if (!tracked.nodes[i].alive) continue;
      if (tracked.has_points())
        mark(tracked.points[i].node);
      else
        mark({&tracked.nodes[i].node, 1});
    }
    for (const SegmentRecord& r : sides_[pass.segment_side].segments)
      if (r.there()) mark({r.node.data(), static_cast<std::size_t>(r.corners)});
  }
  moving_.clear();
  moving_.reserve(static_cast<std::size_t>(std::count(moves.begin(), moves.end(), true)));
  for (std::size_t n = 0; n < moves.size(); ++n)
    if (moves[n]) moving_.push_back(static_cast<LocalId>(n));
}

}  // namespace crumple::contact
