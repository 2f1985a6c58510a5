// Mass matrices of single solids against closed forms.
#include "implicit/consistent_mass.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace crumple::implicit {
namespace {

/// Turned and stretched, so that no axis is special: shares do not depend on it.
Vec3 placed(double x, double y, double z) {
  return {1.0 + 2.0 * x + 0.3 * y, -2.0 + 0.5 * y - 0.4 * z, 3.0 + 1.5 * z + 0.2 * x};
}

double share(const std::vector<double>& of, std::size_t a, std::size_t b) {
  const auto n = static_cast<std::size_t>(std::lround(std::sqrt(double(of.size()))));
  return of[a * n + b];
}

/// Of linear functions along an edge: 1/3 with itself, 1/6 with the other.
double along_edge(bool same) { return same ? 1.0 / 3.0 : 1.0 / 6.0; }

TEST(ConsistentMass, OfABrickIsAProductOfThatOfItsEdges) {
  constexpr int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  std::vector<Vec3> x;
  for (const auto& c : corner) x.push_back(placed(c[0], c[1], c[2]));
  const std::vector<double> shares = mass_shares(x);
  for (std::size_t a = 0; a < 8; ++a)
    for (std::size_t b = 0; b < 8; ++b) {
      double exact = 1.0;
      for (int i = 0; i < 3; ++i) exact *= along_edge(corner[a][i] == corner[b][i]);
      EXPECT_NEAR(share(shares, a, b), exact, 1e-15);
    }
}

TEST(ConsistentMass, OfAWedgeIsAProductOfThatOfTriangleAndEdge) {
  std::vector<Vec3> x;
  for (const double z : {0.0, 1.0})
    for (const auto& [r, s] : {std::pair{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}}) x.push_back(placed(r, s, z));
  const std::vector<double> shares = mass_shares(x);
  for (std::size_t a = 0; a < 6; ++a)
    for (std::size_t b = 0; b < 6; ++b)
      EXPECT_NEAR(share(shares, a, b), (a % 3 == b % 3 ? 2.0 : 1.0) / 12.0 * along_edge(a / 3 == b / 3),
                  1e-15);
}

/// Zienkiewicz, Taylor and Zhu (2013), "The Finite Element Method", section 4.7: int of products of volume
/// coordinates, 6 V a! b! c! d! / (a + b + c + d + 3)!.
TEST(ConsistentMass, OfTetrahedraByVolumeCoordinates) {
  std::vector<Vec3> x{placed(0, 0, 0), placed(1, 0, 0), placed(0, 1, 0), placed(0, 0, 1)};
  const std::vector<double> linear = mass_shares(x);
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = 0; b < 4; ++b) EXPECT_NEAR(share(linear, a, b), (a == b ? 2.0 : 1.0) / 20.0, 1e-15);
  constexpr std::size_t edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  for (const auto& [b, c] : edge) x.push_back(0.5 * (x[b] + x[c]));
  const std::vector<double> quadratic = mass_shares(x);
  const auto is_at = [&](std::size_t corner, std::size_t k) {
    return edge[k][0] == corner || edge[k][1] == corner;
  };
  for (std::size_t a = 0; a < 10; ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      double exact = a == b ? 6.0 : 1.0;  // corners
      if (a >= 4 && b < 4) exact = is_at(b, a - 4) ? -4.0 : -6.0;
      if (b >= 4) {
        const bool meet = is_at(edge[b - 4][0], a - 4) || is_at(edge[b - 4][1], a - 4);
        exact = a == b ? 32.0 : meet ? 16.0 : 8.0;
      }
      EXPECT_NEAR(share(quadratic, a, b), exact / 420.0, 1e-15);
      EXPECT_NEAR(share(quadratic, b, a), exact / 420.0, 1e-15);
    }
}

/// A frustum, whose Jacobian is not constant: its square side is 2 - z, so that int z^k dV has a closed form.
TEST(ConsistentMass, OfABrickThatIsNoParallelepipedHasExactMoments) {
  std::vector<Vec3> x;
  for (const double z : {0.0, 1.0}) {
    const double half = 0.5 * (2.0 - z);
    for (const auto& [r, s] : {std::pair{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}})
      x.push_back({half * r, half * s, z});
  }
  const std::vector<double> shares = mass_shares(x);
  double whole = 0.0, first = 0.0, second = 0.0;
  for (std::size_t a = 0; a < 8; ++a)
    for (std::size_t b = 0; b < 8; ++b) {
      whole += share(shares, a, b);
      first += share(shares, a, b) * x[b].z;
      second += share(shares, a, b) * x[a].z * x[b].z;
    }
  const double volume = 4.0 - 2.0 + 1.0 / 3.0;  // int (2 - z)^2
  EXPECT_NEAR(whole, 1.0, 1e-14);
  EXPECT_NEAR(first, (2.0 - 4.0 / 3.0 + 0.25) / volume, 1e-14);
  EXPECT_NEAR(second, (4.0 / 3.0 - 1.0 + 0.2) / volume, 1e-14);
}

}  // namespace
}  // namespace crumple::implicit
