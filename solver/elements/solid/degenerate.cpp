// Recognises degenerate bricks by comparing their nodes with every collapse of parallel edges.
#include "elements/solid/degenerate.hpp"

#include <algorithm>
#include <set>

namespace crumple::elements::solid {
namespace {

using Nodes = std::array<LocalId, 8>;

/// Two edges whose collapse makes a wedge, and the corners in the order of a wedge.
struct Collapse {
  int a, b, c, d;  ///< nodes[a] == nodes[b] and nodes[c] == nodes[d]
  std::array<int, 6> corners;
};

// One collapse for every face and each of its two directions. The triangles are the faces that hold one
// of the collapsed edges each.
constexpr Collapse kCollapses[] = {
    {4, 5, 6, 7, {0, 4, 1, 3, 7, 2}},                                    // top face: LS-DYNA's own form
    {4, 7, 5, 6, {0, 3, 4, 1, 2, 5}},                                    // top face, the other way
    {0, 1, 2, 3, {0, 4, 5, 3, 7, 6}},                                    // bottom
    {0, 3, 1, 2, {0, 7, 4, 1, 6, 5}}, {0, 4, 1, 5, {0, 3, 7, 1, 2, 6}},  // front: nodes 1 2 6 5
    {0, 1, 4, 5, {0, 2, 3, 4, 6, 7}}, {3, 7, 2, 6, {0, 3, 4, 1, 2, 5}},  // back: 4 3 7 8
    {2, 3, 6, 7, {0, 1, 2, 4, 5, 6}}, {0, 4, 3, 7, {0, 5, 1, 3, 6, 2}},  // left: 1 4 8 5
    {0, 3, 4, 7, {0, 1, 2, 4, 5, 6}}, {1, 5, 2, 6, {0, 4, 1, 3, 7, 2}},  // right: 2 3 7 6
    {1, 2, 5, 6, {0, 1, 3, 4, 5, 7}},
};

int distinct(const Nodes& n) { return static_cast<int>(std::set<LocalId>(n.begin(), n.end()).size()); }

bool tetrahedron(const Nodes& n, Nodes& out) {
  const bool apex = n[4] == n[5] && n[5] == n[6] && n[6] == n[7];
  if (distinct(n) != 4 || !apex) return false;
  if (n[3] == n[4] || n[2] == n[3]) {  // 1 2 3 4 4 4 4 4, or 1 2 3 3 5 5 5 5
    out = {n[0], n[1], n[2], n[4], n[4], n[4], n[4], n[4]};
    return true;
  }
  return false;
}

bool wedge(const Nodes& n, Nodes& out) {
  if (distinct(n) != 6) return false;
  for (const Collapse& c : kCollapses) {
    if (n[c.a] != n[c.b] || n[c.c] != n[c.d]) continue;
    for (int k = 0; k < 8; ++k) out[k] = n[c.corners[k < 6 ? k : 5]];
    return true;
  }
  return false;
}

/// The form, computed by `brick` or `tetrahedron` where it is one.
Form solid_form(std::span<const LocalId> corners, int brick, int tetrahedron) {
  Nodes given{}, nodes{};
  std::copy_n(corners.begin(), given.size(), given.begin());
  const int form = natural_form(given, nodes);
  const int count = form == 10 ? 4 : form == 15 ? 6 : 8;
  return {form == 10 ? tetrahedron : form == 15 ? 15 : brick, {nodes.begin(), nodes.begin() + count}};
}

}  // namespace

int natural_form(const Nodes& nodes, Nodes& reordered) {
  if (tetrahedron(nodes, reordered)) return 10;
  if (wedge(nodes, reordered)) return 15;
  reordered = nodes;
  return 1;
}

Form brick_form(std::span<const LocalId> corners, int elform) { return solid_form(corners, elform, 10); }
Form tetrahedron_form(std::span<const LocalId> corners, int elform) { return solid_form(corners, 1, elform); }
Form wedge_form(std::span<const LocalId> corners, int) { return solid_form(corners, 1, 10); }

}  // namespace crumple::elements::solid
