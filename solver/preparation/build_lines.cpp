// Finds exterior edges, and lines that meet.
#include "preparation/build_lines.hpp"

#include <algorithm>
#include <numbers>

#include "contact/edges/which_lines.hpp"
#include "materials/row.hpp"

namespace crumple::preparation {

namespace {

using contact::has_beams;
using contact::has_lines;
using contact::lines_touch;

using model::ContactLine;
using model::ElementKind;
using model::kLineNeighbours;
using model::kNone;

struct Edge {
  std::array<LocalId, 2> key{};  ///< nodes, ascending
  std::int32_t segment = 0, side = 0;
  auto operator<=>(const Edge&) const = default;
};

/// Edges of the surface's shells; those of one line are consecutive.
std::vector<Edge> edges_of(const model::Surface& surface) {
  std::vector<Edge> edges;
  for (std::size_t s = 0; s < surface.segments.size(); ++s) {
    const model::Segment& segment = surface.segments[s];
    if (segment.kind != ElementKind::shell) continue;
    for (std::int32_t k = 0; k < 4; ++k) {
      const LocalId a = segment.nodes[k], b = segment.nodes[(k + 1) & 3];
      if (a != b) edges.push_back({{std::min(a, b), std::max(a, b)}, static_cast<std::int32_t>(s), k});
    }
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

void add_edges(model::Surface& surface, bool interior) {
  const std::vector<Edge> edges = edges_of(surface);
  for (std::size_t i = 0, j = 0; i < edges.size(); i = j) {
    double thickness = 0.0;
    for (j = i; j < edges.size() && edges[j].key == edges[i].key; ++j)
      thickness = std::max(thickness, surface.segments[edges[j].segment].thickness);
    if ((j > i + 1 && !interior) || !(thickness > 0.0)) continue;
    const model::Segment& segment = surface.segments[edges[i].segment];  // the first: it is sorted
    ContactLine line;
    line.nodes = {segment.nodes[edges[i].side], segment.nodes[(edges[i].side + 1) & 3]};
    line.part = segment.part;
    line.kind = segment.kind;
    line.element = segment.element;
    line.shared = j > i + 1;
    line.radius = 0.5 * thickness;
    for (std::size_t k = i; k < j && line.shared; ++k) {
      const model::Segment& of = surface.segments[edges[k].segment];
      surface.sharers.push_back({static_cast<GlobalId>(surface.lines.size()), of.kind, of.element, of.part,
                                 static_cast<std::int32_t>(k - i), 0.5 * of.thickness});
    }
    surface.lines.push_back(line);
  }
}

void add_beams(const model::Model& whole, std::span<const LocalId> beams, double given, double scale,
               model::Surface& surface) {
  for (const LocalId e : beams) {
    ContactLine line;
    line.nodes = {whole.beams.nodes[e][0], whole.beams.nodes[e][1]};
    line.part = whole.beams.part[e];
    line.kind = ElementKind::beam;
    line.element = e;
    line.radius = 0.5 * beam_contact_thickness(whole, e, given, scale);
    surface.lines.push_back(line);
  }
}

/// A beam's own section, or its part's.
LocalId section_of(const model::Model& whole, std::size_t beam) {
  const LocalId own = whole.beams.section.empty() ? kNone : whole.beams.section[beam];
  return own != kNone ? own : whole.parts[whole.beams.part[beam]].section;
}

/// Set for each line the others that continue at its ends. If more than four lines meet, only the first three
/// others.
void join(model::Surface& surface) {
  std::vector<std::pair<LocalId, std::int32_t>> at;  // node, line
  for (std::size_t l = 0; l < surface.lines.size(); ++l)
    for (const LocalId node : surface.lines[l].nodes) at.emplace_back(node, static_cast<std::int32_t>(l));
  std::sort(at.begin(), at.end());
  for (std::size_t l = 0; l < surface.lines.size(); ++l)
    for (int end = 0; end < 2; ++end) {
      ContactLine& line = surface.lines[l];
      const LocalId node = line.nodes[end];
      int n = 0;
      for (auto it = std::lower_bound(at.begin(), at.end(), std::pair(node, std::int32_t{-1}));
           it != at.end() && it->first == node && n < kLineNeighbours; ++it) {
        if (it->second == static_cast<std::int32_t>(l)) continue;
        const ContactLine& other = surface.lines[it->second];
        line.beyond[end][n] = other.nodes[other.nodes[0] == node ? 1 : 0];
        line.beyond_order[end][n++] = it->second;
      }
    }
}

}  // namespace

double beam_thickness(const model::Section& section) {
  const double given = std::max({section.ts[0], section.ts[1], section.tt[0], section.tt[1]});
  return given > 0.0 ? given : 2.0 * std::sqrt(section.area / std::numbers::pi);
}

double beam_contact_thickness(const model::Model& whole, std::size_t beam, double given, double scale) {
  const model::Part& part = whole.parts[whole.beams.part[beam]];
  if (part.contact_thickness_given) return part.contact_thickness;
  if (given > 0.0) return given;
  const LocalId section = section_of(whole, beam);
  const double own = section == kNone ? 0.0 : beam_thickness(whole.sections[section]);
  return own * scale * part.contact_thickness_scale;
}

bool beam_takes_part(const model::Model& whole, std::size_t beam) {
  constexpr int kSpotWeldForm = 9, kDiscreteForm = 6;
  const model::Part& part = whole.parts[whole.beams.part[beam]];
  if (part.section == kNone || whole.beams.nodes[beam][0] == whole.beams.nodes[beam][1]) return false;
  const model::Section& section = whole.sections[section_of(whole, beam)];
  if (section.elform == kSpotWeldForm || section.elform == kDiscreteForm) return false;
  if (part.material != kNone && materials::is_spot_weld(whole.materials[part.material].law)) return false;
  return beam_thickness(section) > 0.0;
}

void build_lines(const model::Model& whole, const model::Contact& contact, std::span<const LocalId> beams,
                 double given, double scale, model::Surface& surface) {
  if (!has_lines(contact)) return;
  const bool general = contact.type == model::ContactType::automatic_general;
  if (lines_touch(contact)) add_edges(surface, !general || contact.interior_edges);
  if (has_beams(contact)) add_beams(whole, beams, given, scale, surface);
  for (std::size_t l = 0; l < surface.lines.size(); ++l) surface.lines[l].order = static_cast<GlobalId>(l);
  join(surface);
}

}  // namespace crumple::preparation
