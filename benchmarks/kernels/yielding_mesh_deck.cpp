// Writes the cards of plates, blocks and rows of elements.
#include "yielding_mesh_deck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <random>
#include <stdexcept>
#include <vector>

namespace crumple::bench {

using model::ElementKind;

namespace {

constexpr double kEdge = 4.0;         // mm
constexpr double kUnevenness = 0.01;  // mm: no element is plane, and none like its neighbour
constexpr double kThickness = 1.2;    // mm
constexpr int kPointsThroughThickness = 5;

constexpr const char* kCurve = R"(*DEFINE_CURVE
1
0.0,270.0
0.005,300.0
0.01,320.0
0.02,345.0
0.05,390.0
0.1,435.0
0.2,490.0
0.4,555.0
0.7,615.0
1.0,655.0
)";

constexpr MaterialCards kMaterials[] = {
    {"001", "*MAT_ELASTIC\n1,7.85e-9,210000.,0.3\n"},
    {"003", "*MAT_PLASTIC_KINEMATIC\n1,7.85e-9,210000.,0.3,270.,1000.,0.5\n0.,0.,0.,0.\n"},
    {"009", "*MAT_NULL\n1,7.85e-9\n"},
    {"012", "*MAT_ISOTROPIC_ELASTIC_PLASTIC\n1,7.85e-9,80769.,270.,1000.,175000.\n"},
    {"024", "*MAT_PIECEWISE_LINEAR_PLASTICITY\n1,7.85e-9,210000.,0.3,270.\n0.,0.,1\n\n\n"},
    {"024-rate", "*MAT_PIECEWISE_LINEAR_PLASTICITY\n1,7.85e-9,210000.,0.3,270.\n40.,5.,1\n\n\n"},
    {"027", "*MAT_MOONEY-RIVLIN_RUBBER\n1,1.1e-9,0.495,0.6,0.15\n\n"},
    {"081", "*MAT_PLASTICITY_WITH_DAMAGE\n1,7.85e-9,210000.,0.3,270.,0.,100.\n0.,0.,1,0,200.\n\n\n"},
    {"098", "*MAT_SIMPLIFIED_JOHNSON_COOK\n1,7.85e-9,210000.,0.3\n270.,400.,0.4,0.02\n"},
    {"123", "*MAT_MODIFIED_PIECEWISE_LINEAR_PLASTICITY\n1,7.85e-9,210000.,0.3,270.\n0.,0.,1\n\n\n"},
};

/// Nodes and elements as they are written.
struct Mesh {
  std::string nodes, elements;
  int n_elements = 0;

  void node(int id, double x, double y, double z) {
    fmt::format_to(std::back_inserter(nodes), "{},{:.9g},{:.9g},{:.9g}\n", id, x, y, z);
  }
  void element(std::span<const int> corners) {
    elements += std::to_string(++n_elements) + ",1";
    for (const int corner : corners) elements += "," + std::to_string(corner);
    elements += "\n";
  }
};

/// Quadrilaterals, or triangles along their diagonals.
Mesh plate(int elements, bool triangles) {
  const int per_cell = triangles ? 2 : 1;
  const int n = static_cast<int>(std::ceil(std::sqrt(double(elements) / per_cell)));
  std::mt19937 random(1);
  Mesh m;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) {
      const double z = kUnevenness * (2.0 * (random() % 1024) / 1023 - 1);
      m.node(i * (n + 1) + j + 1, kEdge * (i - n / 2), kEdge * (j - n / 2), z);
    }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const int a = i * (n + 1) + j + 1, b = a + n + 1, c = b + 1, d = a + 1;
      if (triangles) {
        m.element(std::array{a, b, c, c});
        m.element(std::array{a, c, d, d});
      } else {
        m.element(std::array{a, b, c, d});
      }
    }
  return m;
}

/// Hexahedra, two wedges each, or six tetrahedra each around a diagonal (Kuhn 1960).
Mesh block(int elements, int elform) {
  const int per_cell = elform == 15 ? 2 : elform == 10 || elform == 13 ? 6 : 1;
  const int n = static_cast<int>(std::ceil(std::cbrt(double(elements) / per_cell)));
  const int row = n + 1, layer = row * row;
  std::mt19937 random(1);
  const auto uneven = [&] { return kUnevenness * (2.0 * (random() % 1024) / 1023 - 1); };
  Mesh m;
  for (int k = 0; k <= n; ++k)
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i <= n; ++i) {
        const double x = uneven(), y = uneven(), z = uneven();
        m.node(k * layer + j * row + i + 1, kEdge * (i - n / 2) + x, kEdge * (j - n / 2) + y,
               kEdge * (k - n / 2) + z);
      }
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const int o = k * layer + j * row + i + 1;
        const std::array<int, 8> c{o,         o + 1,         o + row + 1,         o + row,
                                   o + layer, o + layer + 1, o + layer + row + 1, o + layer + row};
        if (per_cell == 1) {
          m.element(c);
        } else if (per_cell == 2) {
          m.element(std::array{c[0], c[3], c[7], c[4], c[1], c[1], c[5], c[5]});
          m.element(std::array{c[1], c[3], c[7], c[5], c[2], c[2], c[6], c[6]});
        } else {
          constexpr int edge[6][2] = {{1, 2}, {2, 3}, {3, 7}, {7, 4}, {4, 5}, {5, 1}};
          for (const auto& e : edge)
            m.element(std::array{c[0], c[e[0]], c[e[1]], c[6], c[6], c[6], c[6], c[6]});
        }
      }
  return m;
}

/// Beams along x in rows, whose third nodes lie above their first.
Mesh rows(int elements) {
  const int n = static_cast<int>(std::ceil(std::sqrt(double(elements))));
  Mesh m;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= n; ++i) {
      const int at = 2 * (j * (n + 1) + i) + 1;
      m.node(at, kEdge * (i - n / 2), kEdge * (j - n / 2), 0);
      m.node(at + 1, kEdge * (i - n / 2), kEdge * (j - n / 2), kEdge);
      if (i < n) m.element(std::array{at, at + 2, at + 1});
    }
  return m;
}

std::string section(const Part& part) {
  switch (part.kind) {
    case ElementKind::shell:
      return fmt::format("*SECTION_SHELL\n1,{},0.8333,{}\n{},{},{},{}\n", part.elform,
                         kPointsThroughThickness, kThickness, kThickness, kThickness, kThickness);
    case ElementKind::solid:
      return fmt::format("*SECTION_SOLID\n1,{}\n", part.elform);
    case ElementKind::beam:
      if (part.elform == 1) return "*SECTION_BEAM\n1,1,1.0,2,0\n2.,2.,2.,2.\n";
      if (part.elform == 2) return "*SECTION_BEAM\n1,2,1.0\n4.,1.33333,1.33333,2.66667,3.33333\n";
      return fmt::format("*SECTION_BEAM\n1,{}\n4.\n", part.elform);
    default:
      throw std::invalid_argument("no mesh of such elements");
  }
}

}  // namespace

std::span<const MaterialCards> materials() { return kMaterials; }

std::string mesh_deck(const Part& part, int elements) {
  const auto* material = std::find_if(std::begin(kMaterials), std::end(kMaterials),
                                      [&](const MaterialCards& m) { return part.material == m.name; });
  if (material == std::end(kMaterials)) throw std::invalid_argument("no material " + part.material);
  const bool shells = part.kind == ElementKind::shell, solids = part.kind == ElementKind::solid;
  const Mesh mesh = shells   ? plate(elements, part.elform == 4)
                    : solids ? block(elements, part.elform)
                             : rows(elements);
  const std::string hourglass =
      part.hourglass == 0 ? "" : fmt::format("*HOURGLASS\n1,{},0.1\n", part.hourglass);
  return fmt::format(
      "*KEYWORD\n*CONTROL_TERMINATION\n1.0\n*PART\npart\n1,1,1,0,{}\n{}{}{}{}*NODE\n{}*ELEMENT_{}\n{}*END\n",
      part.hourglass == 0 ? 0 : 1, hourglass, section(part), material->cards,
      std::string_view(material->cards).find(",1\n") == std::string_view::npos &&
              part.material.substr(0, 3) != "081"
          ? ""
          : kCurve,
      mesh.nodes,
      shells   ? "SHELL"
      : solids ? "SOLID"
               : "BEAM",
      mesh.elements);
}

}  // namespace crumple::bench
