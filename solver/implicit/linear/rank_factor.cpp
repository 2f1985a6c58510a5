// A rank's own fronts first, then those above.
#include "implicit/linear/rank_factor.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace crumple::implicit::linear {

namespace {

/// Equation of the whole matrix, in order of elimination.
std::int64_t whole_equation(const RankPart& part, std::int64_t own) {
  for (const IndexRange& range : part.equations) {
    if (own < range.end - range.begin) return range.begin + own;
    own -= range.end - range.begin;
  }
  return -1;
}

}  // namespace

template <class T>
RankFactor<T>::RankFactor(const parallel::Communicator& comm, const RankPart& part, const Plan& plan,
                          const std::string& folder)
    : comm_(comm),
      part_(part),
      n_own_(part.own_equations()),
      own_(part.own, plan, folder, &count_),
      top_(comm, part, plan.threads, folder, count_) {}

template <class T>
double RankFactor<T>::cholesky(std::span<const double> values, std::span<const double> scale, double zero) {
  double least = comm_.min(own_.cholesky(values, own_scale(scale), zero));
  if (least > zero) least = std::min(least, comm_.min(top_.cholesky(own_, values, top_scale(scale), zero)));
  own_.release_updates();
  return least;
}

template <class T>
Signs RankFactor<T>::with_signs(std::span<const double> values, std::span<const double> scale, double zero) {
  const Signs own = own_.with_signs(values, own_scale(scale), zero);
  const Signs top = top_.with_signs(own_, values, top_scale(scale), zero);
  own_.release_updates();
  std::int64_t counts[2] = {own.negative + top.negative, own.zero + top.zero};
  comm_.sum(counts);
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  std::int64_t first = top.first_zero >= 0 ? top.first_zero : none;
  if (own.first_zero >= 0) first = std::min(first, whole_equation(part_, own.first_zero));
  first = comm_.min(first);
  Signs all;
  all.negative = static_cast<std::int32_t>(counts[0]);
  all.zero = static_cast<std::int32_t>(counts[1]);
  all.first_zero = first == none ? -1 : first;
  return all;
}

template <class T>
void RankFactor<T>::solve(std::span<T> x, std::int64_t n_rhs) {
  const Fronts& fronts = part_.own.fronts;
  const std::int64_t n = fronts.equation.back();  // with rows of top fronts
  const std::int64_t here = part_.all_equations(), of_tops = here - n_own_;
  std::vector<T> own(static_cast<std::size_t>(n * n_rhs), T(0)),
      tops(static_cast<std::size_t>(of_tops * n_rhs));
  for (std::int64_t r = 0; r < n_rhs; ++r) {
    std::copy_n(x.data() + r * here, n_own_, own.data() + r * n);
    std::copy_n(x.data() + r * here + n_own_, of_tops, tops.data() + r * of_tops);
  }
  own_.solve_up(own, n_rhs);
  top_.solve(own_, tops, n_rhs, [&](std::int32_t front, std::span<const T> values) {
    const std::int64_t updated = fronts.shape[front].updated();
    for (std::int64_t r = 0; r < n_rhs; ++r) {
      const T* from = values.data() + r * updated;
      for (const std::int32_t k : fronts.updates_of(front))
        for (std::int32_t e = fronts.equation[k]; e < fronts.equation[k + 1]; ++e)
          own[static_cast<std::size_t>(r * n + e)] = *from++;
    }
  });
  own_.solve_down(own, n_rhs);
  for (std::int64_t r = 0; r < n_rhs; ++r) {
    std::copy_n(own.data() + r * n, n_own_, x.data() + r * here);
    std::copy_n(tops.data() + r * of_tops, of_tops, x.data() + r * here + n_own_);
  }
}

template class RankFactor<double>;
template class RankFactor<float>;

}  // namespace crumple::implicit::linear
