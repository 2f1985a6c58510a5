// The iteration by blocks.
#include "implicit/eigen/lanczos.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "implicit/eigen/dense.hpp"

namespace crumple::implicit::eigen {

namespace {

/// Parts of a vector below this are rounding.
constexpr double kNothing = 1e-13;
/// A vector of length 1 of which less is left was rounding, scaled up.
constexpr double kMostlyRounding = 0.1;

/// factor of (first): a = b F; of (second): b = c G. Then a = c (F G), by rows of what stands left.
std::vector<double> product_of_factors(std::size_t n, const std::vector<double>& first,
                                       const std::vector<double>& second) {
  std::vector<double> both(n * n, 0.0);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) both[k * n + i] += first[k * n + j] * second[j * n + i];
  return both;
}

void add_random(Vectors& to, std::size_t columns, unsigned seed) {
  std::mt19937 generator(seed);  // its numbers are the same with every library
  while (to.columns() < columns)
    for (std::size_t i = 0; i < to.rows; ++i) to.values.push_back(generator() / 2147483648.0 - 1.0);
}

class Iteration {
 public:
  Iteration(const Pencil& pencil, const Operator& op, const Vectors& locked, const LanczosOptions& options)
      : pencil_(pencil),
        op_(op),
        locked_(locked),
        options_(options),
        n_(pencil.size()),
        basis_{n_, std::pmr::vector<double>(options.kept)} {
    basis_.values.reserve(options.most * n_);  // growing would copy it, beside itself
  }

  /// The first block, in the range of the operator: vectors have no part in what has no mass (Ericsson and
  /// Ruhe 1980, section 3).
  void begin(const Vectors& start) {
    Vectors block = start;
    block.rows = n_;
    add_random(block, std::min(options_.block, n_), options_.seed);
    block.values.resize(std::min(block.columns(), options_.block) * n_);
    op_.apply(block.values);
    next_ = block;
    last_ = {};
    orthonormalise();
  }

  /// Takes the next block into the basis and projects the operator.
  void step() {
    const std::size_t before = basis_.columns();
    basis_.append(next_.values);
    first_ = before;
    op_.apply(next_.values);
    const std::size_t m = basis_.columns(), p = m - before;
    last_.assign(m * p, 0.0);
    orthonormalise();
    std::vector<double> projected(m * m, 0.0);
    for (std::size_t j = 0; j < before; ++j)
      for (std::size_t i = 0; i < before; ++i) projected[j * m + i] = projected_[j * before + i];
    for (std::size_t j = 0; j < p; ++j)
      for (std::size_t i = 0; i < m; ++i) projected[(before + j) * m + i] = last_[j * m + i];
    projected_ = std::move(projected);
    ritz();
  }

  std::size_t size() const { return basis_.columns(); }
  bool complete() const { return next_.columns() == 0; }
  const std::vector<Ritz>& values() const { return values_; }

  LanczosResult result() const {
    LanczosResult done{values_,
                       {n_, std::pmr::vector<double>(options_.kept)},
                       {n_, std::pmr::vector<double>(options_.kept)}};
    done.next.values.reserve(n_ * options_.block);
    done.vectors.values.reserve(n_ *
                                static_cast<std::size_t>(std::ranges::count_if(values_, &Ritz::converged)));
    for (std::size_t k = 0; k < values_.size(); ++k) {
      Vectors& to = values_[k].converged ? done.vectors : done.next;
      if (!values_[k].converged && to.columns() >= options_.block) continue;
      std::vector<double> x(n_, 0.0);
      add_product(n_, 1.0, basis_.values, std::span(eigen_.vectors).subspan(order_[k] * size(), size()), x);
      to.append(x);
    }
    return done;
  }

 private:
  /// Makes `next_` orthogonal to all there is and orthonormal, without what is only rounding. Adds its parts
  /// along the basis to `last_` and its triangular factor to `factor_`. By blocks, twice (Barlow and
  /// Smoktunowicz 2013, Numer. Math. 123, 395-423): a space on a disk is read three times, not once a vector.
  void orthonormalise() {
    const std::size_t columns = next_.columns();
    std::vector<double> least(columns);
    for (std::size_t k = 0; k < columns; ++k) least[k] = kNothing * norm(next_.column(k));
    for (int twice = 0; twice < 2; ++twice) {
      remove(locked_, next_.values, nullptr);
      remove(basis_, next_.values, last_.empty() ? nullptr : last_.data());
    }
    factor_ = among_themselves(columns, least);
    remove(locked_, next_.values, nullptr);
    remove(basis_, next_.values, nullptr);
    least.assign(next_.columns(), kMostlyRounding);
    factor_ = product_of_factors(columns, factor_, among_themselves(columns, least));
  }

  /// Makes the columns of `next_` orthonormal among themselves and leaves out those of which no more than
  /// `least` remains. Returns the factor, (n, n), n as `next_` had in the first call: row k has the parts of
  /// column k along what it became.
  std::vector<double> among_themselves(std::size_t n, std::span<const double> least) {
    std::vector<double> factor(n * n, 0.0), of_x(n_);
    Vectors kept{n_, {}}, of_kept{n_, {}};  // of_kept: M times kept
    for (std::size_t k = 0; k < next_.columns(); ++k) {
      const std::span<double> x = next_.column(k);
      for (int twice = 0; twice < 2; ++twice)
        for (std::size_t j = 0; j < kept.columns(); ++j) {
          const double part = plain_product(of_kept.column(j), x);
          factor[k * n + j] += part;
          for (std::size_t i = 0; i < n_; ++i) x[i] -= part * kept.values[j * n_ + i];
        }
      pencil_.times_mass(x, of_x);
      const double rest = std::sqrt(std::max(0.0, plain_product(of_x, x)));
      if (!(rest > least[k])) continue;
      factor[k * n + kept.columns()] = rest;
      for (double& value : x) value /= rest;
      for (double& value : of_x) value /= rest;
      kept.append(x);
      of_kept.append(of_x);
    }
    next_ = std::move(kept);
    return factor;
  }

  /// x -= V V' M x; adds V' M x to `parts`.
  void remove(const Vectors& from, std::span<double> x, double* parts) {
    const std::size_t m = from.columns(), p = x.size() / n_;
    if (m == 0 || p == 0) return;
    weighted_.resize(x.size());
    pencil_.times_mass(x, weighted_);
    std::vector<double> h(m * p);
    transposed_product(n_, from.values, weighted_, h);
    add_product(n_, -1.0, from.values, h, x);
    for (std::size_t i = 0; parts != nullptr && i < h.size(); ++i) parts[i] += h[i];
  }

  /// Eigenvalues of the projected matrix. The residual of one is what the next block would add to it.
  void ritz() {
    const std::size_t m = size(), p = m - first_;
    eigen_ = dense_eigen(m, projected_);
    order_.resize(m);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(order_, [&](std::size_t a, std::size_t b) {
      return std::abs(eigen_.values[a]) > std::abs(eigen_.values[b]);
    });
    values_.clear();
    for (const std::size_t k : order_) {
      const double theta = eigen_.values[k];
      double sum = 0.0;
      for (std::size_t i = 0; i < next_.columns(); ++i) {
        double row = 0.0;
        for (std::size_t j = 0; j < p; ++j) row += factor_[j * p + i] * eigen_.vectors[k * m + first_ + j];
        sum += row * row;
      }
      values_.push_back(
          {op_.shift() + 1.0 / theta, theta != 0.0 && std::sqrt(sum) <= options_.wanted * std::abs(theta)});
    }
  }

  static double plain_product(std::span<const double> a, std::span<const double> b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }
  double norm(std::span<const double> x) const { return std::sqrt(pencil_.product(x, x)); }

  const Pencil& pencil_;
  const Operator& op_;
  const Vectors& locked_;
  const LanczosOptions& options_;
  std::size_t n_, first_ = 0;  ///< first vector of the last block
  Vectors basis_, next_{};
  std::vector<double> last_;       ///< parts of op(last block) along the basis; (basis, block)
  std::vector<double> factor_;     ///< of what is left of it: triangular
  std::vector<double> projected_;  ///< (basis, basis); its upper triangle
  std::vector<double> weighted_;
  DenseEigen eigen_;
  std::vector<std::size_t> order_;
  std::vector<Ritz> values_;
};

}  // namespace

LanczosResult lanczos(const Pencil& pencil, const Operator& op, const Vectors& locked, const Vectors& start,
                      const LanczosOptions& options,
                      const std::function<bool(const std::vector<Ritz>&)>& enough) {
  Iteration iteration(pencil, op, locked, options);
  iteration.begin(start);
  while (!iteration.complete() && (iteration.size() == 0 || iteration.size() < options.most)) {
    iteration.step();
    if (enough(iteration.values())) break;
  }
  return iteration.result();
}

}  // namespace crumple::implicit::eigen
