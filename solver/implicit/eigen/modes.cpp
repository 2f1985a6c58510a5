// The search from a shift, its repetition for what is missing, and the Sturm count.
#include "implicit/eigen/modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "base/error.hpp"
#include "base/types.hpp"
#include "implicit/eigen/dense.hpp"
#include "implicit/eigen/file_memory.hpp"

namespace crumple::implicit::eigen {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr std::size_t kBlock = 8;
/// Vectors that show where the lowest modes are, if their neighbours below the shift are many.
constexpr std::size_t kFirstLook = 6 * kBlock;
/// Eigenvalues within this part of the distance to the shift are not told apart by the count.
constexpr double kMargin = 1e-4;
/// The same of their size.
constexpr double kCloseTo = 1e-6;

/// Vectors of the space from which so many modes are taken, before the search begins again with the best of
/// what has not converged.
std::size_t space_for(std::size_t modes) { return 2 * modes + 8 * kBlock; }

/// The diagonals of K and M compared, of equations that have both.
struct Scale {
  double lowest = 0, largest = 0;
  std::size_t with_mass = 0;
};

Scale scale_of(const Pencil& pencil) {
  const linear::BlockPattern& pattern = *pencil.stiffness->pattern;
  Scale scale;
  double sum = 0.0;
  for (std::int32_t row = 0; row < pattern.rows(); ++row) {
    const auto size = at(pattern.size(row)), first = at(pattern.first[at(row)]);
    if (size == 0) continue;
    // The diagonal block of a row is its first.
    const double* const block = pencil.stiffness->values.data() + pattern.value[at(pattern.start[at(row)])];
    for (std::size_t i = 0; i < size; ++i) {
      const double k = block[i * size + i], m = pencil.mass[first + i];
      if (!(m > 0.0)) continue;
      ++scale.with_mass;
      if (!(k > 0.0)) continue;
      sum += m / k;
      scale.largest = std::max(scale.largest, k / m);
    }
  }
  scale.lowest = sum > 0.0 ? 1.0 / sum : 1.0;
  return scale;
}

class Search {
 public:
  Search(const Pencil& pencil, const ModesWanted& wanted)
      : pencil_(pencil),
        wanted_(wanted),
        scale_(scale_of(pencil)),
        left_(wanted.left.value_or(-kInfinite)),
        right_(wanted.right.value_or(kInfinite)),
        files_(wanted.folder),
        kept_(wanted.folder.empty() ? std::pmr::get_default_resource() : &files_),
        found_(none()) {
    if (scale_.with_mass == 0)
      throw Error("CR-I301", "no free node has mass: there is no free vibration", {}, Exit::run);
    count_ = std::min(wanted.count, scale_.with_mass);
    found_.values.reserve(count_ * found_.rows);
  }

  Modes operator()() {
    // What lies left of the right end bounds how many there are to be found.
    if (wanted_.right) below_right_ = count_below(right_);
    if (wanted_.left) below_left_ = count_below(left_);
    if (wanted_.right) count_ = std::min(count_, above(below_right_, below_left_));
    choose_shift();
    find(count_, left_, right_);
    for (int again = 0; again < 3; ++again) {
      check();
      if (result_.check.counted <= result_.check.found) break;
      // Those that the count has and the search has not.
      place_shift(op_at_);
      find(result_.check.counted - result_.check.found, std::max(left_, low()), std::min(right_, high()));
    }
    op_.reset();
    finish();
    return std::move(result_);
  }

 private:
  void tell(const std::string& line) const {
    if (wanted_.tell) wanted_.tell(line);
  }

  Vectors none() const { return {pencil_.size(), std::pmr::vector<double>(kept_)}; }

  static std::size_t above(std::size_t more, std::size_t less) { return more > less ? more - less : 0; }

  void place_shift(double shift) {
    op_.reset();
    op_ = std::make_unique<Shifted>(pencil_, shift);
    ++result_.factors;
    op_at_ = shift;
    tell(fmt::format(" factor {} of K - s M, s = {:.4e}: {} eigenvalues below\n", result_.factors, shift,
                     op_->below()));
  }

  std::size_t count_below(double shift) {
    // A shift on an eigenvalue counts it on neither side.
    for (int k = 0; k < 8; ++k) {
      place_shift(shift + (k == 0 ? 0.0 : std::ldexp(1e-9, 4 * k) * std::max(std::abs(shift), floor())));
      if (!op_->singular()) break;
    }
    return at(op_->below());
  }

  /// Rounding leaves eigenvalues of zero at about 1e-16 times the largest.
  double floor() const { return 1e-11 * scale_.largest; }

  void choose_shift() {
    if (begins_at_left_end()) return;  // the factor is there already
    if (wanted_.centre) {
      count_below(*wanted_.centre);
      return;
    }
    double size = std::max(wanted_.lowest.value_or(scale_.lowest), floor());
    place_definite(size);
    for (int k = 0; k < 4 && !wanted_.lowest; ++k) {
      const double first = first_elastic();
      const double better = std::max(first, floor());
      if (!(first > 0.0) || (better < 100.0 * size && size < 100.0 * better)) break;
      size = better;
      place_definite(size);
    }
  }

  void place_definite(double& size) {
    for (;; size *= 10.0) {
      place_shift(-size);
      if (op_->below() == 0 && !op_->singular()) return;
      if (size > 10.0 * scale_.largest)
        throw Error("CR-I302", "the stiffness has eigenvalues that no shift makes positive", {}, Exit::run);
    }
  }

  /// About the lowest eigenvalue that is not zero beside the shift, from above; 0: none was seen.
  double first_elastic() {
    LanczosOptions options;
    options.block = kBlock;
    options.most = 4 * kBlock;
    options.kept = kept_;
    const LanczosResult seen =
        lanczos(pencil_, *op_, found_, {}, options, [](const std::vector<Ritz>&) { return false; });
    result_.solves += options.most + kBlock;
    double first = kInfinite;
    for (const Ritz& ritz : seen.ritz)
      if (ritz.value > 1e-6 * std::abs(op_at_)) first = std::min(first, ritz.value);
    return first < kInfinite ? first : 0.0;
  }

  /// Adds modes of [from, to], those nearest to the centre first, else the lowest, until there are `more`.
  void find(std::size_t more, double from, double to) {
    if (more == 0) return;
    const auto inside = [&](double value) { return value >= from && value <= to; };
    Vectors start;
    std::size_t have = 0;
    for (int restart = 0; restart < 30; ++restart) {
      LanczosOptions options;
      options.block = kBlock;
      options.most = restart == 0 && crowded(more) ? kFirstLook : space_for(more - have);
      options.kept = kept_;
      options.seed = ++seed_;
      std::size_t tried = 0;
      const LanczosResult got =
          lanczos(pencil_, *op_, found_, start, options, [&](const std::vector<Ritz>& ritz) {
            ++tried;
            tell(fmt::format(" {} vectors, {} of {} modes\n", ritz.size(), have + converged(ritz, inside),
                             more));
            return nearest_converged(ritz, inside, more - have);
          });
      result_.solves += (tried + 1) * kBlock;
      std::vector<std::size_t> taken;  // columns
      for (std::size_t k = 0, column = 0; k < got.ritz.size(); ++k) {
        if (!got.ritz[k].converged) continue;
        const double value = got.ritz[k].value;
        const bool first_ones = have < more || wanted_.centre;
        if (inside(value)) ++have;
        if (first_ones || inside(value)) {
          taken.push_back(column);
          values_.push_back(value);
        }
        ++column;
      }
      take(got.vectors, taken);
      if (have >= more || got.ritz.empty()) return;
      start = got.next;  // none if the block's space was exhausted: then with other vectors
      move_shift(got.ritz, inside);
    }
    throw Error("CR-I302", fmt::format("{} of {} modes have not converged", more - have, more), {},
                Exit::run);
  }

  bool begins_at_left_end() const { return wanted_.left && !wanted_.centre; }

  /// Whether more lie below a left end than a space of vectors could tell apart.
  bool crowded(std::size_t more) const { return begins_at_left_end() && below_left_ > space_for(more); }

  /// Whether the first `more` of those inside have converged: nearest to the centre, else the lowest.
  template <class Inside>
  bool nearest_converged(std::vector<Ritz> ritz, const Inside& inside, std::size_t more) const {
    std::erase_if(ritz, [&](const Ritz& r) { return !inside(r.value); });
    if (ritz.size() < more) return false;
    std::ranges::stable_sort(ritz, {}, [&](const Ritz& r) { return distance(r.value); });
    return std::ranges::all_of(std::span(ritz).first(more), &Ritz::converged);
  }

  /// Eigenvalues below a left end are as near to a shift at that end as those that are looked for. A shift
  /// between the two lowest that have not converged is further away from them (shifts that move: Grimes,
  /// Lewis and Simon 1994). At a value that has nearly converged the matrix would be singular.
  template <class Inside>
  void move_shift(const std::vector<Ritz>& ritz, const Inside& inside) {
    if (!begins_at_left_end()) return;
    std::vector<double> missing;
    for (const Ritz& r : ritz)
      if (!r.converged && inside(r.value)) missing.push_back(r.value);
    if (missing.size() < 2) return;
    std::ranges::sort(missing);
    count_below(0.5 * (missing[0] + missing[1]));
  }

  template <class Inside>
  static std::size_t converged(const std::vector<Ritz>& ritz, const Inside& inside) {
    return static_cast<std::size_t>(
        std::ranges::count_if(ritz, [&](const Ritz& r) { return r.converged && inside(r.value); }));
  }

  /// Keeps vectors, once more through the operator, which removes parts along what has no mass (Nour-Omid,
  /// Parlett, Ericsson and Jensen 1987, Math. Comp. 48, 663-673). By blocks: each reads the factor once.
  void take(const Vectors& vectors, std::span<const std::size_t> columns) {
    for (std::size_t first = 0; first < columns.size(); first += kBlock) {
      const std::size_t last = std::min(first + kBlock, columns.size());
      Vectors block{pencil_.size(), {}};
      for (std::size_t k = first; k < last; ++k) block.append(vectors.column(columns[k]));
      op_->apply(block.values);
      result_.solves += block.columns();
      for (std::size_t k = 0; k < block.columns(); ++k) {
        const std::span<double> x = block.column(k);
        const double size = std::sqrt(pencil_.product(x, x));
        for (double& component : x) component /= size;
      }
      found_.append(block.values);
    }
  }

  /// What values are sorted by: the distance from the centre, else themselves.
  double distance(double value) const { return wanted_.centre ? std::abs(value - *wanted_.centre) : value; }

  /// The values that were asked for: nearest to the centre, else the lowest.
  std::vector<std::size_t> chosen() const {
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < values_.size(); ++k)
      if (values_[k] >= left_ && values_[k] <= right_) order.push_back(k);
    std::ranges::stable_sort(order, {}, [&](std::size_t k) { return distance(values_[k]); });
    if (order.size() > count_) order.resize(count_);
    return order;
  }

  double low() const { return result_.check.from_below ? -kInfinite : result_.check.from; }
  double high() const { return result_.check.to; }

  /// Counts the eigenvalues of the interval of all that were chosen.
  void check() {
    const double shift = op_at_;
    const std::vector<std::size_t> of = chosen();
    SturmCount& is = result_.check;
    is = {};
    double lowest = shift, highest = shift;
    for (const std::size_t k : of)
      lowest = std::min(lowest, values_[k]), highest = std::max(highest, values_[k]);
    const double size = std::max(std::abs(lowest), std::abs(highest));
    const double margin = std::max({kMargin * (highest - lowest), kCloseTo * size, 100.0 * floor()});
    is.from_below = !wanted_.centre && !wanted_.left;
    is.from = std::max(left_, wanted_.centre ? lowest - margin : -kInfinite);
    is.to = std::min(right_, highest + margin);
    const std::size_t more = is.to == right_ ? below_right_ : count_below(is.to);
    const std::size_t less = is.from_below ? 0 : is.from == left_ ? below_left_ : count_below(is.from);
    is.counted = above(more, less);
    is.found = static_cast<std::size_t>(std::ranges::count_if(
        values_, [&](double value) { return (is.from_below || value >= is.from) && value <= is.to; }));
    op_at_ = shift;
  }

  /// A last Rayleigh-Ritz step with K itself on what was chosen (Parlett 1998, chapter 11).
  void finish() {
    const std::vector<std::size_t> of = chosen();
    const std::size_t n = pencil_.size(), m = of.size();
    Vectors x = none(), kx = none();
    x.values.reserve(n * m);
    for (const std::size_t k : of) x.append(found_.column(k));
    orthonormalise(x);
    kx.values.resize(n * m);
    for (std::size_t k = 0; k < m; ++k) pencil_.stiffness->multiply(x.column(k), kx.column(k));
    std::vector<double> projected(m * m);
    if (m > 0) transposed_product(n, x.values, kx.values, projected);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < i; ++j)
        projected[i * m + j] = projected[j * m + i] = 0.5 * (projected[i * m + j] + projected[j * m + i]);
    const DenseEigen e = dense_eigen(m, projected);
    for (std::size_t k = 0; k < m; ++k) {
      Mode mode{e.values[k], std::vector<double>(n, 0.0), 0.0};
      const std::span<const double> of_k = std::span(e.vectors).subspan(k * m, m);
      add_product(n, 1.0, x.values, of_k, mode.shape);
      set_sign(mode.shape);
      mode.residual = residual(mode);
      if (mode.value < -floor()) ++result_.unstable;
      result_.modes.push_back(std::move(mode));
    }
    result_.shift = op_at_;
  }

  void orthonormalise(Vectors& x) const {
    const std::size_t n = x.rows;
    Vectors of_x = none();  // M x
    of_x.values.reserve(x.values.size());
    std::vector<double> of_v(n);
    for (std::size_t k = 0; k < x.columns(); ++k) {
      const std::span<double> v = x.column(k);
      for (int twice = 0; twice < 2; ++twice)
        for (std::size_t j = 0; j < k; ++j) {
          const std::span<const double> u = std::as_const(x).column(j), of_u = std::as_const(of_x).column(j);
          double part = 0.0;
          for (std::size_t i = 0; i < n; ++i) part += of_u[i] * v[i];
          for (std::size_t i = 0; i < n; ++i) v[i] -= part * u[i];
        }
      const double size = std::sqrt(pencil_.product(v, v));
      for (double& component : v) component /= size;
      pencil_.times_mass(v, of_v);
      of_x.append(of_v);
    }
  }

  /// The sign of a mode is free: its largest component is positive, the first of nearly equal ones.
  static void set_sign(std::vector<double>& shape) {
    double largest = 0.0;
    for (const double s : shape) largest = std::max(largest, std::abs(s));
    const auto first =
        std::ranges::find_if(shape, [&](double s) { return std::abs(s) > (1.0 - 1e-6) * largest; });
    if (first != shape.end() && *first < 0.0)
      for (double& s : shape) s = -s;
  }

  double residual(const Mode& mode) const {
    std::vector<double> kx(mode.shape.size()), mx(mode.shape.size());
    pencil_.stiffness->multiply(mode.shape, kx);
    pencil_.times_mass(mode.shape, mx);
    double sum = 0.0, size = 0.0;
    for (std::size_t i = 0; i < kx.size(); ++i) {
      const double r = kx[i] - mode.value * mx[i];
      sum += r * r;
      size += mx[i] * mx[i];
    }
    const double distance = std::max(std::abs(mode.value - op_at_), floor());
    return size > 0.0 ? std::sqrt(sum / size) / distance : 0.0;
  }

  const Pencil& pencil_;
  const ModesWanted& wanted_;
  Scale scale_;
  double left_, right_;
  std::size_t count_ = 0;
  std::size_t below_left_ = 0, below_right_ = 0;  ///< eigenvalues below the ends that were asked for
  FileMemory files_;
  std::pmr::memory_resource* kept_;  ///< of `found_` and of spaces
  std::unique_ptr<Shifted> op_;
  double op_at_ = 0;  ///< the shift from which modes are looked for
  Vectors found_;
  std::vector<double> values_;  ///< of `found_`
  unsigned seed_ = 0;
  Modes result_;
};

}  // namespace

/// In the search: beside the space those found before, and blocks of what is being made orthogonal. At its
/// end: what was found, what is chosen of it, M and K times these, and the modes. The blocks, and the modes
/// with a few vectors beside, are in use.
KeptVectors vectors_kept(std::size_t count) {
  return {std::max(space_for(count) + count + 5 * kBlock, 5 * count), std::max(5 * kBlock, count + 4)};
}

Modes find_modes(const Pencil& pencil, const ModesWanted& wanted) {
  if (pencil.size() == 0)
    throw Error("CR-I301", "no node is free to move: there is no free vibration", {}, Exit::run);
  return Search(pencil, wanted)();
}

}  // namespace crumple::implicit::eigen
