// The iteration. M is rounded, so Polak and Ribiere's form: r_next' M (r_next - r) in place of r_next' M
// r_next (Golub and Ye 1999).
#include "implicit/linear/amg/conjugate_gradients.hpp"

#include <cmath>
#include <vector>

#include "implicit/linear/amg/part_sums.hpp"

namespace crumple::implicit::linear::amg {

Iterated conjugate_gradients(Hierarchy& hierarchy, const Ending& ending, int threads,
                             std::span<const double> b, std::span<double> x) {
  const std::size_t n = b.size();
  std::fill(x.begin(), x.end(), 0.0);
  std::vector<double> r(b.begin(), b.end()), z(n), with_room(n + kBeyond, 0.0), q(n);
  const std::span<double> p = std::span(with_room).first(n);
  Iterated done;
  const double size = std::sqrt(part_sum(b, b, threads));
  if (size == 0) return done;
  hierarchy.apply(r, size, z);
  double rz = part_sum(r, z, threads), beta = 0;
  const double first = rz;
  if (!(rz > 0)) return {Ended::negative, 0, 1.0};
  while (done.iterations < ending.iterations) {
    each_part(n, threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) p[i] = z[i] + beta * p[i];
    });
    hierarchy.multiply(with_room, q);
    const double pq = part_sum(p, q, threads);
    ++done.iterations;
    if (!(pq > 0)) return done.ended = Ended::negative, done;
    const double alpha = rz / pq;
    const double rr = sum_of_parts(n, threads, [&](std::size_t begin, std::size_t end) {
      double sum = 0;
      for (std::size_t i = begin; i < end; ++i) {
        x[i] += alpha * p[i];
        r[i] -= alpha * q[i];
        sum += r[i] * r[i];
      }
      return sum;
    });
    const double norm = std::sqrt(rr);
    done.residual = norm / size;
    if (norm == 0 || norm <= ending.absolute) return done;
    hierarchy.apply(r, norm, z);
    const double next = part_sum(r, z, threads);
    if (!(next > 0)) return done.ended = Ended::negative, done;
    if (next <= ending.relative * ending.relative * first) return done;
    beta = -alpha * part_sum(q, z, threads) / rz;
    rz = next;
  }
  done.ended = Ended::too_many;
  return done;
}

}  // namespace crumple::implicit::linear::amg
