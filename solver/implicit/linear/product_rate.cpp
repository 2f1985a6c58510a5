// Times products of tiles.
#include "implicit/linear/product_rate.hpp"

#include <chrono>
#include <cstddef>
#include <vector>

#include "implicit/linear/dense.hpp"
#include "implicit/linear/tiles.hpp"

namespace crumple::implicit::linear {

namespace {

template <class T>
double rate_of_products(int threads) {
  using Clock = std::chrono::steady_clock;
  constexpr double least = 0.05;  // s
  constexpr auto n = static_cast<std::int64_t>(kTile);
  std::int64_t products = 0;
  const auto start = Clock::now();
  double seconds = 0;
#pragma omp parallel num_threads(threads) reduction(+ : products) reduction(max : seconds)
  {
    const std::vector<T> a(static_cast<std::size_t>(n * n), T(0.5));
    std::vector<T> c(a);
    do {
      subtract_product(false, n, n, n, a.data(), n, a.data(), n, c.data(), n);
      ++products;
      seconds = std::chrono::duration<double>(Clock::now() - start).count();
    } while (seconds < least);
  }
  return 2.0 * double(products) * double(n * n * n) / seconds;
}

}  // namespace

double product_rate(bool single_precision, int threads) {
  return single_precision ? rate_of_products<float>(threads) : rate_of_products<double>(threads);
}

}  // namespace crumple::implicit::linear
