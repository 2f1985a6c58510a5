// Each part of a tool is turned by a vote of its segments.
#include "preparation/turn_tools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <map>
#include <utility>

namespace crumple::preparation {

namespace {

/// Whether a segment faces the nearest of some nodes: its area times the cosine over the squared distance,
/// so that of a closed tool the wall next to the sheet decides.
double vote_of(const model::Model& whole, const model::Segment& segment, const model::Surface& sheet) {
  constexpr std::size_t samples = 2000;  // of the sheet, evenly by user id
  const std::size_t stride = sheet.nodes.size() / samples + 1;
  const auto& x = whole.nodes.x;
  const auto& n = segment.nodes;
  const Vec3 centre = 0.25 * ((x[n[0]] + x[n[1]]) + (x[n[2]] + x[n[3]]));
  Vec3 nearest;
  double least = HUGE_VAL;
  for (std::size_t k = 0; k < sheet.nodes.size(); k += stride) {
    const Vec3 d = x[sheet.nodes[k]] - centre;
    if (!(dot(d, d) < least)) continue;
    least = dot(d, d);
    nearest = d;
  }
  const Vec3 normal = 0.5 * cross(x[n[2]] - x[n[0]], x[n[3]] - x[n[1]]);
  const double distance = std::sqrt(least);
  return distance > 0.0 ? dot(normal, nearest) / (distance * std::max(least, norm(normal))) : 0.0;
}

void turn(std::array<LocalId, 4>& n) { std::swap(n[0], n[2] == n[3] ? n[1] : n[2]); }

struct DirectedEdge {
  LocalId low = 0, high = 0, part = 0;
  bool up = false;  ///< goes from the lower to the higher node
  auto operator<=>(const DirectedEdge&) const = default;
};

/// Number of edges between two segments of a part with opposite normals: both pass it in the same direction.
std::size_t opposite_neighbours(const model::Surface& tool) {
  std::vector<DirectedEdge> edges;
  for (const model::Segment& segment : tool.segments) {
    if (segment.kind == model::ElementKind::solid) continue;
    for (int k = 0; k < 4; ++k) {
      const LocalId a = segment.nodes[k], b = segment.nodes[(k + 1) & 3];
      if (a != b) edges.push_back({std::min(a, b), std::max(a, b), segment.part, a < b});
    }
  }
  std::ranges::sort(edges);
  const auto same = [](const DirectedEdge& a, const DirectedEdge& b) {
    return a.low == b.low && a.high == b.high && a.part == b.part;
  };
  std::size_t opposite = 0;
  for (std::size_t i = 0, j = 0; i < edges.size(); i = j) {
    for (j = i + 1; j < edges.size() && same(edges[i], edges[j]);) ++j;
    if (j == i + 2 && edges[i].up == edges[i + 1].up) ++opposite;
  }
  return opposite;
}

}  // namespace

void turn_tools(const model::Model& whole, model::Contact& contact, std::vector<Finding>& warnings) {
  model::Surface& tool = contact.b;
  if (const std::size_t n = opposite_neighbours(tool); n > 0)
    warnings.push_back(
        {"CR-C020",
         fmt::format("contact {}: {} pairs of neighbouring segments of its tools (side B) have opposite "
                     "normals: only the fronts of tools touch, so make the normals of a tool consistent",
                     contact.id, n),
         contact.place});
  constexpr int kAlsoSets = 2, kNever = 4;
  if (contact.orien == kNever || (contact.input_b.type == 0 && contact.orien != kAlsoSets)) return;
  std::map<LocalId, double> votes;
  const auto is_shell = [](const model::Segment& s) { return s.kind != model::ElementKind::solid; };
  for (const model::Segment& segment : tool.segments)
    if (is_shell(segment)) votes[segment.part] += vote_of(whole, segment, contact.a);
  for (model::Segment& segment : tool.segments)
    if (is_shell(segment) && votes[segment.part] < 0.0) turn(segment.nodes);
}

}  // namespace crumple::preparation
