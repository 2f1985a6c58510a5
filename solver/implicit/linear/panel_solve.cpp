// The dense operations of a solution, panel by panel.
#include "implicit/linear/panel_solve.hpp"

#include <algorithm>
#include <vector>

#include "implicit/linear/dense.hpp"

namespace crumple::implicit::linear {

namespace {

/// Brings a tile's values in the order of its pivots, or back.
template <class T>
void reorder_tile(std::span<const std::int32_t> order, bool back, T* x, std::int64_t ldx,
                  std::int64_t n_rhs) {
  std::vector<T> old(order.size());
  for (std::int64_t r = 0; r < n_rhs; ++r, x += ldx) {
    std::copy_n(x, order.size(), old.begin());
    for (std::size_t k = 0; k < order.size(); ++k) (back ? x[order[k]] : x[k]) = old[back ? k : order[k]];
  }
}

}  // namespace

template <class T>
void solve_panel_up(const FrontShape& shape, std::int64_t c, const T* panel,
                    std::span<const std::int32_t> order, T* v, std::int64_t n_rhs) {
  const std::int64_t n = shape.order, width = std::min(kTile, shape.pivots - c), ld = n - c;
  const bool signs = !order.empty();
  if (signs) reorder_tile(order, false, v + c, n, n_rhs);
  divide_left(false, signs, width, n_rhs, panel, ld, v + c, n);
  subtract_plain_product(n - c - width, n_rhs, width, panel + width, ld, v + c, n, v + c + width, n);
}

template <class T>
void solve_panel_down(const FrontShape& shape, std::int64_t c, const T* panel,
                      std::span<const std::int32_t> order, T* v, std::int64_t n_rhs) {
  const std::int64_t n = shape.order, width = std::min(kTile, shape.pivots - c), ld = n - c;
  const bool signs = !order.empty();
  subtract_product(true, width, n_rhs, n - c - width, panel + width, ld, v + c + width, n, v + c, n);
  divide_left(true, signs, width, n_rhs, panel, ld, v + c, n);
  if (signs) reorder_tile(order, true, v + c, n, n_rhs);
}

template <class T>
void divide_by_d(std::span<const double> diagonal, std::span<const double> beside, T* x, std::int64_t ldx,
                 std::int64_t n_rhs) {
  for (std::int64_t r = 0; r < n_rhs; ++r, x += ldx)
    for (std::size_t k = 0; k < diagonal.size(); ++k) {
      const double d = diagonal[k], e = beside[k];
      if (e == 0) {
        x[k] = static_cast<T>(x[k] / d);
        continue;
      }
      const double f = diagonal[k + 1], determinant = d * f - e * e, one = x[k], two = x[k + 1];
      x[k] = static_cast<T>((f * one - e * two) / determinant);
      x[k + 1] = static_cast<T>((d * two - e * one) / determinant);
      ++k;
    }
}

template void solve_panel_up(const FrontShape&, std::int64_t, const double*, std::span<const std::int32_t>,
                             double*, std::int64_t);
template void solve_panel_up(const FrontShape&, std::int64_t, const float*, std::span<const std::int32_t>,
                             float*, std::int64_t);
template void solve_panel_down(const FrontShape&, std::int64_t, const double*, std::span<const std::int32_t>,
                               double*, std::int64_t);
template void solve_panel_down(const FrontShape&, std::int64_t, const float*, std::span<const std::int32_t>,
                               float*, std::int64_t);
template void divide_by_d(std::span<const double>, std::span<const double>, double*, std::int64_t,
                          std::int64_t);
template void divide_by_d(std::span<const double>, std::span<const double>, float*, std::int64_t,
                          std::int64_t);

}  // namespace crumple::implicit::linear
