// Builds a ContactSystem from the rank's model: stiffness, thickness, attachment of nodes to segments.
#include <algorithm>
#include <map>

#include "base/assert.hpp"
#include "contact/contact_parts.hpp"
#include "contact/edges/which_lines.hpp"
#include "contact/geometry/closest_point.hpp"
#include "contact/segment_builder.hpp"
#include "model/mortar_form.hpp"
#include "parallel/exact_sum.hpp"

namespace crumple::contact {

namespace {

/// Non-automatic contacts ignore shell thickness unless SHLTHK is set, and use the orientation of segments.
Fronts fronts_of(const model::Contact& contact, bool b) {
  if (contact.forming && b) return Fronts::all;
  return contact.type == model::ContactType::surface_to_surface ||
                 contact.type == model::ContactType::nodes_to_surface
             ? Fronts::thin
             : Fronts::none;
}

/// Curves are whole on every rank.
const model::Curve* curve_of(const model::Model& model, LocalId curve) {
  return curve == model::kNone ? nullptr : &model.curves[static_cast<std::size_t>(curve)];
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
  double area;  ///< the node's share of the segment
  std::array<std::int64_t, 3> outward;
};
CRUMPLE_MEMBERS(Attachment, node, side, asleep, stiffness, depth, area, outward)

Attachment attachment(const state::Nodal& nodal, const SegmentRecord& r, GlobalId node, std::size_t side) {
  return {node,
          static_cast<std::int64_t>(side),
          r.asleep ? 1 : 0,
          r.stiffness,
          r.depth,
          r.area / r.corners,
          outward_of(nodal, r)};
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
    : model_(model), comm_(comm), closest_pairs_(closest_pairs(isa)), neighbours_(isa) {
  build_sides(model, nodal, constants);
  attach_nodes(nodal);
  if (std::any_of(model.contacts.begin(), model.contacts.end(), [](const auto& c) { return c.soft == 2; }))
    find_segment_masses(nodal);
  build_passes(nodal);
  build_lines(nodal, constants);
  for (std::size_t c = 0; c < model.contacts.size(); ++c)
    if (is_mortar(model.contacts[c]))
      sides_[2 * c].mortar = std::make_unique<mortar::ExplicitMortar>(
          model, static_cast<std::int32_t>(c), nodal, comm_, constants, isa,
          std::array{sides_[2 * c].mean_size, sides_[2 * c + 1].mean_size});
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
        side.segments.push_back(build(segment, scale, fronts_of(contact, b), contact.solid_modulus));
      for (std::size_t i = 0; i < surface.nodes.size(); ++i) {
        TrackedNode node;
        node.node = surface.nodes[i];
        node.id = nodal.id[node.node];
        node.half_thickness = surface.node_thickness.empty() ? 0.0 : 0.5 * surface.node_thickness[i];
        node.rigid_body = rigid_body[node.node];
        if (!surface.node_part.empty()) node.part = surface.node_part[i];
        if (!surface.node_plane.empty()) {
          side.planes.push_back({surface.node_plane[i], surface.node_frame[i]});
          node.half_thickness += std::abs(surface.node_plane[i]);
        }
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
  std::vector<std::vector<parallel::ExactSum>> area(sides_.size());  // by node; empty where it is not needed
  for (std::size_t s = 0; s < sides_.size(); ++s)
    if (model_.contacts[static_cast<std::size_t>(sides_[s].contact)].by_curve.pressure)
      area[s].resize(sides_[s].nodes.size());
  const auto attach = [&](const Attachment& a) {
    if (a.depth > 0.0) {
      double& most = depth[{a.side, a.node}];
      most = std::max(most, a.depth);
    }
    auto& nodes = sides_[a.side].nodes;
    const auto node = std::lower_bound(nodes.begin(), nodes.end(), a.node,
                                       [](const TrackedNode& n, GlobalId id) { return n.id < id; });
    if (node == nodes.end() || node->id != a.node) return;  // a target only: not tracked
    if (auto& shares = area[static_cast<std::size_t>(a.side)]; !shares.empty())
      shares[static_cast<std::size_t>(node - nodes.begin())] += a.area;
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
  for (std::size_t s = 0; s < area.size(); ++s)
    for (std::size_t i = 0; i < area[s].size(); ++i) sides_[s].nodes[i].area = area[s][i].value();
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
    if (is_transducer(contact) || is_mortar(contact) || contact.only_ties) continue;
    const auto a = static_cast<std::int32_t>(2 * c), b = a + 1;
    const auto add = [&](std::int32_t nodes, std::int32_t segments) {
      Pass pass;
      pass.contact = static_cast<std::int32_t>(c);
      pass.node_side = nodes;
      pass.segment_side = segments;
      pass.of_b = nodes == b || sides_[nodes].base == b;
      pass.law = PenaltyLaw::of(contact);
      pass.law.curve = curve_of(model_, contact.by_curve.curve);
      pass.law.pressure = contact.by_curve.pressure;
      pass.law.damping_curve = curve_of(model_, contact.by_curve.damping);
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
      case model::ContactType::surface_to_surface:  // the same algorithm; fronts_of has the differences
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
            {line.id[end], 2 * lines.contact() + line.side, 0, line.stiffness, 0.0, 0.0, {}});
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
  for_each_mortar(sides_, [&](const auto& m) { m.list_moving_nodes(moving_); });
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
