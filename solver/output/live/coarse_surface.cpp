// Faces, triangles, and clusters of nodes.
#include "output/live/coarse_surface.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace crumple::output {

namespace {

constexpr std::array<std::array<std::size_t, 4>, 6> kSidesOfSolid{
    {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};
constexpr std::uint8_t kAllEdges = 7;

struct SurfaceFace {
  std::array<std::int32_t, 4> nodes{};
  std::int32_t part = 0, element = 0;
};

/// A triangle of a face, by nodes of the model.
struct SurfaceTriangle {
  std::array<std::int32_t, 3> nodes{};
  std::int32_t part = 0, element = 0;
  std::uint8_t edges = kAllEdges;
};

/// Sides that occur once.
void add_outer_sides(const Elements<8>& solids, std::vector<SurfaceFace>& faces) {
  struct Side {
    std::array<std::int32_t, 4> sorted{};
    std::int64_t number = 0;
  };
  std::vector<Side> sides;
  sides.reserve(kSidesOfSolid.size() * solids.size());
  const auto nodes_of = [&](std::int64_t number) {
    const auto& of_solid = solids.nodes[std::size_t(number) / kSidesOfSolid.size()];
    std::array<std::int32_t, 4> nodes{};
    for (std::size_t c = 0; c < 4; ++c)
      nodes[c] = of_solid[kSidesOfSolid[std::size_t(number) % kSidesOfSolid.size()][c]];
    return nodes;
  };
  for (std::int64_t s = 0; s < std::int64_t(kSidesOfSolid.size() * solids.size()); ++s) {
    sides.push_back({nodes_of(s), s});
    std::ranges::sort(sides.back().sorted);
  }
  std::ranges::sort(sides, [](const Side& a, const Side& b) {
    return a.sorted != b.sorted ? a.sorted < b.sorted : a.number < b.number;
  });
  std::vector<std::int64_t> outer;
  for (std::size_t i = 0; i < sides.size(); ++i)
    if ((i == 0 || sides[i - 1].sorted != sides[i].sorted) &&
        (i + 1 == sides.size() || sides[i + 1].sorted != sides[i].sorted))
      outer.push_back(sides[i].number);
  std::ranges::sort(outer);
  for (const std::int64_t s : outer) {
    const auto solid = static_cast<std::int32_t>(s / std::int64_t(kSidesOfSolid.size()));
    faces.push_back({nodes_of(s), solids.part[std::size_t(solid)], solid});
  }
}

std::vector<SurfaceTriangle> triangles_of_surface(const Catalogue& catalogue) {
  std::vector<SurfaceFace> faces;
  add_outer_sides(catalogue.solids, faces);
  const auto n_solids = static_cast<std::int32_t>(catalogue.solids.size());
  for (std::size_t e = 0; e < catalogue.shells.size(); ++e)
    faces.push_back(
        {catalogue.shells.nodes[e], catalogue.shells.part[e], n_solids + static_cast<std::int32_t>(e)});
  std::vector<SurfaceTriangle> triangles;
  const auto add = [&](const SurfaceFace& f, std::int32_t a, std::int32_t b, std::int32_t c, int edges) {
    if (a != b && b != c && c != a)
      triangles.push_back({{a, b, c}, f.part, f.element, static_cast<std::uint8_t>(edges)});
  };
  for (const SurfaceFace& f : faces) {
    const auto& n = f.nodes;
    const bool one = n[2] == n[3];
    add(f, n[0], n[1], n[2], one ? kAllEdges : 3);
    if (!one) add(f, n[0], n[2], n[3], 6);
  }
  return triangles;
}

/// The node of a part in a cube of the undeformed model.
struct NodeInCube {
  std::array<std::int64_t, 4> cube{};  ///< part, then along each axis
  std::int32_t node = 0;
};

/// Of the nodes of one cube, the one that is nearest to their middle.
std::int32_t nearest_to_middle(std::span<const NodeInCube> members, const std::vector<Vec3>& x) {
  Vec3 middle;
  for (const NodeInCube& m : members) middle += x[std::size_t(m.node)];
  middle *= 1.0 / static_cast<double>(members.size());
  const auto far = [&](const NodeInCube& m) { return norm(x[std::size_t(m.node)] - middle); };
  return std::ranges::min_element(members, {}, far)->node;
}

/// For each node the one that stands for it.
std::vector<std::int32_t> stand_ins(const std::vector<SurfaceTriangle>& triangles, const std::vector<Vec3>& x,
                                    double size) {
  std::vector<std::int32_t> part(x.size(), -1);
  for (const SurfaceTriangle& t : triangles)
    for (const std::int32_t n : t.nodes) part[std::size_t(n)] = t.part;
  std::vector<NodeInCube> nodes;
  for (std::size_t n = 0; n < x.size(); ++n) {
    if (part[n] < 0) continue;
    NodeInCube at{{part[n]}, static_cast<std::int32_t>(n)};
    for (int k = 0; k < 3; ++k)
      at.cube[std::size_t(k) + 1] = static_cast<std::int64_t>(std::floor(x[n][k] / size));
    nodes.push_back(at);
  }
  std::ranges::sort(nodes, [](const NodeInCube& a, const NodeInCube& b) {
    return a.cube != b.cube ? a.cube < b.cube : a.node < b.node;
  });
  std::vector<std::int32_t> moved(x.size());
  std::iota(moved.begin(), moved.end(), 0);
  for (std::size_t first = 0, last = 0; first < nodes.size(); first = last) {
    while (last < nodes.size() && nodes[last].cube == nodes[first].cube) ++last;
    const std::int32_t nearest = nearest_to_middle({&nodes[first], last - first}, x);
    for (std::size_t i = first; i < last; ++i) moved[std::size_t(nodes[i].node)] = nearest;
  }
  return moved;
}

/// The triangles between stand-ins: those with the same nodes are next to each other, those without an area
/// are gone. @returns how many differ
std::size_t move_triangles(std::vector<SurfaceTriangle>& triangles, const std::vector<std::int32_t>& moved) {
  for (SurfaceTriangle& t : triangles) {
    for (std::int32_t& n : t.nodes) n = moved[std::size_t(n)];
    std::ranges::sort(t.nodes);
    t.edges = kAllEdges;
  }
  std::erase_if(triangles, [](const SurfaceTriangle& t) {
    return t.nodes[0] == t.nodes[1] || t.nodes[1] == t.nodes[2];
  });
  std::ranges::stable_sort(triangles, {}, &SurfaceTriangle::nodes);
  std::size_t different = 0;
  for (std::size_t i = 0; i < triangles.size(); ++i)
    different += i == 0 || triangles[i].nodes != triangles[i - 1].nodes;
  return different;
}

/// An edge of usual length; 1 where there is none.
double usual_edge(const std::vector<SurfaceTriangle>& triangles, const std::vector<Vec3>& x) {
  std::vector<double> lengths;
  for (const SurfaceTriangle& t : triangles)
    lengths.push_back(norm(x[std::size_t(t.nodes[0])] - x[std::size_t(t.nodes[1])]));
  if (lengths.empty()) return 1.0;
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return *middle > 0.0 ? *middle : 1.0;
}

/// Simplifies to at most `most` triangles.
void simplify(std::vector<SurfaceTriangle>& triangles, const std::vector<Vec3>& x, std::size_t most) {
  constexpr double kLarger = 1.2;
  const double share = static_cast<double>(triangles.size()) / static_cast<double>(most);
  double size = usual_edge(triangles, x) * std::sqrt(share);
  for (;; size *= kLarger) {
    std::vector<SurfaceTriangle> fewer = triangles;
    if (move_triangles(fewer, stand_ins(triangles, x, size)) > most) continue;
    triangles = std::move(fewer);
    return;
  }
}

}  // namespace

CoarseSurface coarse_surface(const Catalogue& catalogue, std::size_t most) {
  std::vector<SurfaceTriangle> triangles = triangles_of_surface(catalogue);
  CoarseSurface surface;
  surface.whole = triangles.size();
  const bool simplified = triangles.size() > most;
  if (simplified) simplify(triangles, catalogue.node_x, most);
  std::vector<std::int32_t> point(catalogue.node_x.size(), -1);
  for (const SurfaceTriangle& t : triangles)
    for (const std::int32_t n : t.nodes) point[std::size_t(n)] = 0;
  for (std::size_t n = 0; n < point.size(); ++n) {
    if (point[n] < 0) continue;
    point[n] = static_cast<std::int32_t>(surface.nodes.size());
    surface.nodes.push_back(static_cast<std::int32_t>(n));
  }
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const SurfaceTriangle& t = triangles[i];
    if (!simplified || i == 0 || t.nodes != triangles[i - 1].nodes) {
      std::array<std::int32_t, 3> corners{};
      for (std::size_t c = 0; c < 3; ++c) corners[c] = point[std::size_t(t.nodes[c])];
      surface.triangles.push_back(corners);
      surface.part.push_back(t.part);
      surface.edges.push_back(t.edges);
    }
    surface.uses.push_back({t.element, static_cast<std::int32_t>(surface.triangles.size() - 1)});
  }
  std::ranges::stable_sort(surface.uses, {}, &CoarseSurface::Use::element);
  return surface;
}

}  // namespace crumple::output
