// Searches from each node, segment and line over the mesh, up to the distance of its thickness.
#include "preparation/neighbours.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <queue>
#include <span>

#include "contact/edges/closest_lines.hpp"
#include "contact/edges/which_lines.hpp"
#include "contact/geometry/closest_point.hpp"
#include "model/mortar_form.hpp"
#include "model/solid_faces.hpp"

namespace crumple::preparation {

namespace {

using contact::closest_lines;
using contact::closest_on_line;
using contact::closest_on_segment;
using contact::ClosestLines;
using contact::lines_touch;

using model::kNone;
using model::Neighbours;

constexpr double kFold = 0.5 * std::numbers::pi;  ///< factor on the thickness: see neighbours.hpp

/// A node, a line, a triangle or a quadrilateral with its position.
struct Patch {
  std::array<LocalId, 4> node{};
  std::array<Vec3, 4> x{};
  int corners = 0;

  /// @param nodes with fewer than four the last is repeated
  Patch(const model::Model& whole, const std::array<LocalId, 4>& nodes) : node(nodes), corners(4) {
    while (corners > 1 && nodes[corners - 1] == nodes[corners - 2]) --corners;
    for (int k = 0; k < 4; ++k) x[k] = whole.nodes.x[nodes[k]];
  }
  bool has(LocalId n) const { return std::find(node.begin(), node.end(), n) != node.end(); }
  int edges() const { return corners < 3 ? corners - 1 : corners; }
};

/// Distance of a point from a patch.
double distance(const Vec3& p, const Patch& patch) {
  if (patch.corners >= 3) return std::sqrt(closest_on_segment(patch.x.data(), patch.corners, p).distance2);
  const double t = closest_on_line(patch.x[0], patch.x[1], p);
  return norm(p - ((1.0 - t) * patch.x[0] + t * patch.x[1]));
}

/// Distance of two patches that do not intersect.
double distance(const Patch& a, const Patch& b) {
  double least = HUGE_VAL;
  for (int k = 0; k < a.corners; ++k) least = std::min(least, distance(a.x[k], b));
  if (a.corners > 1)
    for (int k = 0; k < b.corners; ++k) least = std::min(least, distance(b.x[k], a));
  for (int i = 0; i < a.edges(); ++i)
    for (int j = 0; j < b.edges(); ++j) {
      const Vec3 &p = a.x[i], &q = a.x[(i + 1) % a.corners], &u = b.x[j], &v = b.x[(j + 1) % b.corners];
      const ClosestLines c = closest_lines(p, q, u, v);
      least = std::min(least, norm(((1.0 - c.s) * p + c.s * q) - ((1.0 - c.t) * u + c.t * v)));
    }
  return least;
}

/// A ball around a patch: for most pairs it is enough to show that they are far apart.
struct Ball {
  Vec3 centre;
  double radius = 0.0;

  explicit Ball(const Patch& patch) {
    for (int k = 0; k < patch.corners; ++k) centre += (1.0 / patch.corners) * patch.x[k];
    for (int k = 0; k < patch.corners; ++k) radius = std::max(radius, norm(patch.x[k] - centre));
  }
};

bool within(const Ball& a, const Ball& b, double reach) {
  const double far = reach + a.radius + b.radius;
  const Vec3 d = a.centre - b.centre;
  return dot(d, d) <= far * far * (1.0 + 1e-12);
}

/// Items at each node.
class AtNodes {
 public:
  AtNodes(std::size_t n_nodes, std::span<const std::array<LocalId, 4>> items) : begin_(n_nodes + 1, 0) {
    const auto each = [&](auto visit) {
      for (std::size_t i = 0; i < items.size(); ++i)
        for (int k = 0; k < 4; ++k)
          if (std::find(items[i].begin(), items[i].begin() + k, items[i][k]) == items[i].begin() + k)
            visit(static_cast<std::size_t>(items[i][k]), static_cast<std::int32_t>(i));
    };
    each([&](std::size_t node, std::int32_t) { ++begin_[node + 1]; });
    for (std::size_t n = 0; n < n_nodes; ++n) begin_[n + 1] += begin_[n];
    item_.resize(begin_.back());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    each([&](std::size_t node, std::int32_t item) { item_[next[node]++] = item; });
  }
  std::span<const std::int32_t> operator[](LocalId node) const {
    const auto n = static_cast<std::size_t>(node);
    return std::span(item_).subspan(begin_[n], begin_[n + 1] - begin_[n]);
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<std::int32_t> item_;
};

std::array<LocalId, 4> four(const std::array<LocalId, 2>& nodes) {
  return {nodes[0], nodes[1], nodes[1], nodes[1]};
}

/// Kinds of the links of chains, as bits.
enum : unsigned { kSheet = 1, kSolid = 2, kBeam = 4 };

/// Shells, outer faces of solids and beams; also segments without an element, and those that become exposed
/// by erosion.
struct Links {
  std::vector<std::array<LocalId, 4>> nodes;
  std::vector<unsigned char> kind;
  std::vector<Ball> ball;

  explicit Links(const model::Model& whole) : whole_(whole) {
    for (const auto& shell : whole.shells.nodes) add(shell, kSheet);
    for (const auto& beam : whole.beams.nodes) add(four({beam[0], beam[1]}), kBeam);
    for (const model::SolidFace& face : model::exterior_faces(whole)) add(face.nodes, kSolid);
    for (const model::Contact& contact : whole.contacts)
      for (const model::Surface* side : {&contact.a, &contact.b})
        for (const model::Segment& segment : side->segments)
          if (segment.kind == model::ElementKind::none || segment.asleep)
            add(segment.nodes, segment.asleep ? kSolid : kSheet);
  }

 private:
  void add(const std::array<LocalId, 4>& of, unsigned what) {
    nodes.push_back(of);
    kind.push_back(static_cast<unsigned char>(what));
    ball.emplace_back(Patch(whole_, of));
  }

  const model::Model& whole_;
};

/// By node: its kind; a sheet if there are several.
std::vector<unsigned char> kinds_of_nodes(const model::Model& whole, const Links& links) {
  std::vector<unsigned char> kind(whole.nodes.size(), 0);
  for (std::size_t l = 0; l < links.nodes.size(); ++l)
    for (const LocalId n : links.nodes[l]) kind[n] |= links.kind[l];
  for (unsigned char& k : kind) k = k == 0 || (k & kSheet) != 0 ? kSheet : (k & kSolid) != 0 ? kSolid : kBeam;
  return kind;
}

/// A node that is reached by chains of elements.
struct Reached {
  LocalId node = kNone;
  double way = 0.0;  ///< smallest value, over these chains, of a chain's greatest distance from the start
};

/// Search over the mesh from one patch. For one thread.
class Spread {
 public:
  Spread(const model::Model& whole, const Links& links, const AtNodes& at)
      : whole_(whole),
        links_(links),
        at_(at),
        seen_node_(whole.nodes.size(), 0),
        seen_(links.nodes.size(), 0) {}

  /// Nodes connected to `from` within `reach` by links of some kinds; first its own nodes.
  const std::vector<Reached>& operator()(const Patch& from, const Ball& around, double reach,
                                         unsigned kinds) {
    ++round_;
    kinds_ = kinds;
    reach_ = reach;
    reached_.clear();
    next_ = {};
    for (int k = 0; k < from.corners; ++k) arrive(from, around, from.node[k], 0.0);
    while (!next_.empty()) {
      const auto [way, link] = next_.top();
      next_.pop();
      for (const LocalId node : links_.nodes[static_cast<std::size_t>(link)]) arrive(from, around, node, way);
    }
    return reached_;
  }

 private:
  using Next = std::pair<double, std::int32_t>;

  void arrive(const Patch& from, const Ball& around, LocalId node, double way) {
    if (seen_node_[node] == round_) return;
    seen_node_[node] = round_;
    reached_.push_back({node, way});
    for (const std::int32_t link : at_[node]) {
      if (seen_[link] == round_ || (links_.kind[link] & kinds_) == 0) continue;
      seen_[link] = round_;
      if (!within(around, links_.ball[link], reach_)) continue;
      // If the patch and the start share a node, their distance is 0.
      const bool shares = way == 0.0 && from.has(node);
      const double d = shares ? 0.0 : distance(from, Patch(whole_, links_.nodes[link]));
      if (d <= reach_) next_.emplace(std::max(way, d), link);
    }
  }

  const model::Model& whole_;
  const Links& links_;
  const AtNodes& at_;
  unsigned kinds_ = 0;
  double reach_ = 0.0;
  std::vector<std::int32_t> seen_node_, seen_;  ///< the last search that reached it
  std::int32_t round_ = 0;
  std::vector<Reached> reached_;
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next_;
};

/// Items of a surface that touch others, with their half thickness.
struct Items {
  std::vector<GlobalId> key;  ///< as in Neighbours
  std::vector<std::array<LocalId, 4>> nodes;
  std::vector<double> half_thickness;
  std::vector<unsigned char> kind;

  void add(GlobalId k, const std::array<LocalId, 4>& of, double half, unsigned what) {
    key.push_back(k);
    nodes.push_back(of);
    half_thickness.push_back(half);
    kind.push_back(static_cast<unsigned char>(what));
  }
  double least_thickness() const {
    return key.empty() ? 0.0 : *std::min_element(half_thickness.begin(), half_thickness.end());
  }
  unsigned kinds() const {
    unsigned all = 0;
    for (const unsigned char k : kind) all |= k;
    return all;
  }
};

/// The mesh, and the search for neighbours in it.
class Finder {
 public:
  explicit Finder(const model::Model& whole)
      : whole_(whole),
        links_(whole),
        at_(whole.nodes.size(), links_.nodes),
        kind_(kinds_of_nodes(whole, links_)) {}

  Items nodes_of(const model::Surface& surface) const;
  Items segments_of(const model::Surface& surface) const;
  Items lines_of(const model::Surface& surface) const;

  /// All pairs, ascending.
  std::vector<Neighbours> operator()(const Items& ones, const Items& others) const {
    std::vector<Neighbours> found;
    // The thicker of the two searches for the other, so that a thin one need not search far.
    look(ones, others, false, found);
    look(others, ones, true, found);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

 private:
  /// The items that are searched for.
  struct Wanted {
    const Items& items;
    std::span<const Ball> balls;
    const AtNodes& at;
    unsigned kind;
  };

  void look(const Items& from, const Items& to, bool swapped, std::vector<Neighbours>& found) const {
    // With equal thickness the first searches.
    const double least = swapped ? to.least_thickness() : 0.0;
    if (std::none_of(from.half_thickness.begin(), from.half_thickness.end(),
                     [&](double h) { return h > least; }))
      return;
    std::vector<Ball> balls;
    for (const auto& nodes : to.nodes) balls.emplace_back(Patch(whole_, nodes));
    const AtNodes targets(whole_.nodes.size(), to.nodes);
    const unsigned kinds = to.kinds();
#pragma omp parallel
    {
      Spread spread(whole_, links_, at_);
      std::vector<Neighbours> mine;
#pragma omp for schedule(dynamic, 256) nowait
      for (std::size_t i = 0; i < from.key.size(); ++i)
        if (from.half_thickness[i] > least)
          for (const unsigned kind : {kSheet, kSolid, kBeam})
            if ((kinds & kind) != 0) look_around(from, i, {to, balls, targets, kind}, swapped, spread, mine);
#pragma omp critical(crumple_contact_neighbours)
      found.insert(found.end(), mine.begin(), mine.end());
    }
  }

  /// Chains between sheets consist of shells only: a beam or solids between two sheets may be a connection of
  /// the sheets, which may break.
  void look_around(const Items& from, std::size_t i, const Wanted& wanted, bool swapped, Spread& spread,
                   std::vector<Neighbours>& found) const {
    const Items& to = wanted.items;
    const double h = from.half_thickness[i];
    const Patch start(whole_, from.nodes[i]);
    const Ball around(start);
    const auto own = std::span(start.node).first(static_cast<std::size_t>(start.corners));
    for (const auto& [node, way] :
         spread(start, around, 2.0 * kFold * h, kSheet | wanted.kind | from.kind[i]))
      for (const std::int32_t j : wanted.at[node]) {
        const double other = to.half_thickness[j], reach = kFold * (h + other);
        if (to.kind[j] != wanted.kind || way > reach || (swapped ? other >= h : other > h)) continue;
        if (!within(around, wanted.balls[j], reach)) continue;
        const Patch target(whole_, to.nodes[j]);
        if (std::any_of(own.begin(), own.end(), [&](LocalId n) { return target.has(n); })) continue;
        if (distance(start, target) > reach) continue;
        found.push_back(swapped ? Neighbours{to.key[j], from.key[i]} : Neighbours{from.key[i], to.key[j]});
      }
  }

  const model::Model& whole_;
  Links links_;
  AtNodes at_;
  std::vector<unsigned char> kind_;  ///< of nodes
};

Items Finder::nodes_of(const model::Surface& surface) const {
  Items items;
  for (std::size_t k = 0; k < surface.nodes.size(); ++k) {
    const LocalId n = surface.nodes[k];
    const double plane = surface.node_plane.empty() ? 0.0 : std::abs(surface.node_plane[k]);
    items.add(whole_.nodes.id[n], {n, n, n, n}, 0.5 * surface.node_thickness[k] + plane, kind_[n]);
  }
  return items;
}

Items Finder::segments_of(const model::Surface& surface) const {
  Items items;
  for (const model::Segment& segment : surface.segments)
    items.add(segment.order, segment.nodes, 0.5 * segment.thickness + std::abs(segment.plane),
              segment.kind == model::ElementKind::solid ? kSolid : kSheet);
  return items;
}

Items Finder::lines_of(const model::Surface& surface) const {
  Items items;
  for (const model::ContactLine& line : surface.lines)
    items.add(line.order, four(line.nodes), line.radius,
              line.kind == model::ElementKind::beam ? kBeam : kSheet);
  return items;
}

bool touches(const model::Contact& contact) {
  return !model::is_tied(contact.type) && contact.type != model::ContactType::force_transducer;
}

/// For lines of one surface, only the one with the lower order is tested against the other.
std::vector<Neighbours> without_doubles(std::vector<Neighbours> pairs) {
  std::erase_if(pairs, [](const Neighbours& n) { return n.one >= n.other; });
  return pairs;
}

/// A pair of segments of one surface is computed where one of them is, which has to know it from either side.
std::vector<Neighbours> with_mirrored(std::vector<Neighbours> pairs) {
  for (std::size_t k = 0, n = pairs.size(); k < n; ++k) pairs.push_back({pairs[k].other, pairs[k].one});
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

/// @param segments whether segments touch each other as such
void find(const Finder& finder, model::Contact& contact, bool segments_touch) {
  const bool single = model::is_single(contact.type);
  const auto both = [&](model::Surface& surface, const model::Surface& against) {
    const Items segments = finder.segments_of(against);
    surface.node_neighbours = finder(finder.nodes_of(surface), segments);
    if (segments_touch) surface.segment_neighbours = finder(finder.segments_of(surface), segments);
  };
  both(contact.a, single ? contact.a : contact.b);
  if (!single) both(contact.b, contact.a);
  if (single && is_mortar(contact))
    contact.a.segment_neighbours = with_mirrored(std::move(contact.a.segment_neighbours));
  if (!lines_touch(contact)) return;
  const Items lines = finder.lines_of(contact.a);
  contact.a.line_neighbours =
      single ? without_doubles(finder(lines, lines)) : finder(lines, finder.lines_of(contact.b));
}

}  // namespace

void find_neighbours(model::Model& whole) {
  if (std::none_of(whole.contacts.begin(), whole.contacts.end(), touches)) return;
  const Finder finder(whole);
  for (model::Contact& contact : whole.contacts)
    if (touches(contact))
      find(finder, contact, contact.soft == 2 || is_mortar(contact) || whole.control.implicit.active);
}

}  // namespace crumple::preparation
