// Principal axes of tensors, also where values coincide, and derivatives of tensor functions.
#include "materials/principal_axes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "materials/rubber/near_one.hpp"

namespace crumple::materials {
namespace {

using Dual = simd::Dual<double, 8>;

/// Tensors of any kind: distinct, two and three equal values, diagonal ones, nearly equal ones, zero.
std::vector<std::array<double, 6>> tensors() {
  std::vector<std::array<double, 6>> all{{0, 0, 0, 0, 0, 0},          {1, 1, 1, 0, 0, 0}, {2, 1, 1, 0, 0, 0},
                                         {1, 2, 1, 0, 0, 0},          {3, 1, 2, 0, 0, 0}, {0, 0, 0, 1, 1, 1},
                                         {1, 1, 1, 1e-9, 0, 0},       {2, 2, 2, 1, 1, 1}, {0, 0, 0, 1, 0, 0},
                                         {1, 1 + 1e-8, 1, 0, 0, 3e-9}};
  std::mt19937 engine(3);
  std::normal_distribution<double> draw;
  for (int k = 0; k < 200; ++k) {
    std::array<double, 6> a;
    for (double& x : a) x = draw(engine);
    all.push_back(a);
  }
  return all;
}

TEST(PrincipalAxes, GiveTheTensorBackAndAreOrthogonal) {
  for (const auto& tensor : tensors()) {
    double a[6], back[6];
    std::copy_n(tensor.begin(), 6, a);
    PrincipalAxes<double> p;
    principal_axes(a, p);
    tensor_of_axes(p, p.value, p.value, back);
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(back[k], a[k], 1e-14 * 10);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        double product = 0;
        for (int k = 0; k < 3; ++k) product += p.axis[i][k] * p.axis[j][k];
        EXPECT_NEAR(product, i == j ? 1 : 0, 1e-14);
      }
  }
}

TEST(PrincipalAxes, AreThoseOfLanes) {
  using F = simd::Vec<float, 8>;
  using D = simd::Vec<double, 4>;
  const auto all = tensors();
  for (std::size_t first = 0; first + 4 <= all.size(); first += 4) {
    D a[6];
    F single[6];
    for (int k = 0; k < 6; ++k)
      for (int l = 0; l < 4; ++l) {
        const double x = all[first + static_cast<std::size_t>(l)][static_cast<std::size_t>(k)];
        simd::set_lane(a[k], l, x);
        simd::set_lane(single[k], l, static_cast<float>(x));
        simd::set_lane(single[k], l + 4, static_cast<float>(-x));
      }
    PrincipalAxes<D> p;
    PrincipalAxes<F> q;
    principal_axes(a, p);
    principal_axes(single, q);
    D back[6];
    F single_back[6];
    tensor_of_axes(p, p.value, p.value, back);
    tensor_of_axes(q, q.value, q.value, single_back);
    for (int k = 0; k < 6; ++k)
      for (int l = 0; l < 4; ++l) {
        EXPECT_NEAR(simd::lane(back[k], l), simd::lane(a[k], l), 1e-13);
        EXPECT_NEAR(simd::lane(single_back[k], l), simd::lane(a[k], l), 1e-5);
      }
  }
}

/// a^3 by its principal values, and by products.
template <class V>
void cube_of_axes(const V (&a)[6], V (&cube)[6]) {
  PrincipalAxes<V> p;
  principal_axes(a, p);
  V f[3], slope[3];
  for (int i = 0; i < 3; ++i) {
    f[i] = p.value[i] * p.value[i] * p.value[i];
    slope[i] = V(3) * p.value[i] * p.value[i];
  }
  tensor_of_axes(p, f, slope, cube);
}
template <class V>
void cube_of_products(const V (&a)[6], V (&cube)[6]) {
  const V full[3][3] = {{a[0], a[3], a[5]}, {a[3], a[1], a[4]}, {a[5], a[4], a[2]}};
  V square[3][3], all[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      square[i][j] = full[i][0] * full[0][j] + full[i][1] * full[1][j] + full[i][2] * full[2][j];
    }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      all[i][j] = square[i][0] * full[0][j] + square[i][1] * full[1][j] + square[i][2] * full[2][j];
  constexpr int row[6] = {0, 1, 2, 0, 1, 2}, column[6] = {0, 1, 2, 1, 2, 0};
  for (int k = 0; k < 6; ++k) cube[k] = all[row[k]][column[k]];
}

TEST(PrincipalAxes, DerivativesOfATensorFunctionAreExactAlsoWhereValuesCoincide) {
  for (const auto& tensor : tensors()) {
    Dual a[6], one[6], other[6];
    double most = 1;
    for (int k = 0; k < 6; ++k) {
      simd::set_variable(a[k], tensor[static_cast<std::size_t>(k)], k);
      most = std::max(most, std::abs(a[k].value));
    }
    cube_of_axes(a, one);
    cube_of_products(a, other);
    for (int k = 0; k < 6; ++k) {
      double by_axes[8], by_products[8];
      simd::get_derivatives(one[k], by_axes);
      simd::get_derivatives(other[k], by_products);
      EXPECT_NEAR(one[k].value, other[k].value, 1e-12 * most * most * most);
      for (int j = 0; j < 6; ++j) EXPECT_NEAR(by_axes[j], by_products[j], 1e-8 * most * most);
    }
  }
}

TEST(NearOne, KeepsDigitsOfSmallNumbers) {
  for (const double x : {1e-17, 1e-9, -1e-9, 1e-4, -0.3, 0.7, 5.0, 30.0, -0.999}) {
    EXPECT_NEAR(log_near_one(x), std::log1p(x), 1e-14 * std::abs(std::log1p(x)));
    EXPECT_NEAR(exp_less_one(x), std::expm1(x), 1e-14 * std::abs(std::expm1(x)));
    EXPECT_NEAR(log_near_one(float(x)), std::log1p(float(x)), 1e-6 * std::abs(std::log1p(x)));
    EXPECT_NEAR(exp_less_one(float(x)), std::expm1(float(x)), 4e-6 * std::abs(std::expm1(x)));
  }
  EXPECT_EQ(log_near_one(0.0), 0.0);
  EXPECT_EQ(exp_less_one(0.0), 0.0);
  EXPECT_NEAR(exp_less_one(-50.0), -1.0, 1e-15);
}

}  // namespace
}  // namespace crumple::materials
