// Orthonormal bases by Gram and Schmidt's method, done twice.
#include "implicit/linear/amg/rigid_modes.hpp"

#include <algorithm>
#include <cmath>

#include "implicit/linear/parallel_loop.hpp"

namespace crumple::implicit::linear::amg {

namespace {

/// Rows of each aggregate, ascending.
struct RowsOfAggregates {
  std::vector<std::int32_t> start, row;
};

RowsOfAggregates rows_of(std::span<const std::int32_t> node, const Aggregates& aggregates) {
  RowsOfAggregates of;
  of.start.assign(static_cast<std::size_t>(aggregates.count) + 1, 0);
  of.row.resize(node.size());
  for (const std::int32_t n : node) ++of.start[aggregates.of[n] + 1];
  for (std::int32_t a = 0; a < aggregates.count; ++a) of.start[a + 1] += of.start[a];
  std::vector<std::int32_t> next(of.start.begin(), of.start.end() - 1);
  for (std::size_t r = 0; r < node.size(); ++r)
    of.row[next[aggregates.of[node[r]]]++] = static_cast<std::int32_t>(r);
  return of;
}

/// Modes about another point: a turn about `centre` moves what is `arm` from it by turn x arm.
void move_centre(const double* about_node, const Vec3& arm, double* about_centre) {
  const double* u = about_node;
  for (int k = 0; k < kModes; ++k) about_centre[k] = u[k];
  about_centre[3] += u[2] * arm.y - u[1] * arm.z;
  about_centre[4] += u[0] * arm.z - u[2] * arm.x;
  about_centre[5] += u[1] * arm.x - u[0] * arm.y;
}

/// Columns of B, one after another, become those of Q; R (6, 6), row by row. Columns that depend on earlier
/// ones become zero, and their row of R.
/// @param reach of the aggregate: a turn that moves it by less than rounding of this is none
void orthonormalise(std::vector<double>& columns, std::size_t n, double reach, double (&r)[kModes * kModes]) {
  constexpr double dependent = 1e-10;
  std::fill_n(r, kModes * kModes, 0.0);
  const auto product = [&](const double* a, const double* b) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
  };
  double largest_move = 0;
  for (std::size_t k = 0; k < kModes; ++k) {
    double* const column = columns.data() + k * n;
    const double before = std::sqrt(product(column, column));
    if (k < 3) largest_move = std::max(largest_move, before);
    const double size = k < 3 ? largest_move : std::max(before, reach * largest_move);
    for (int twice = 0; twice < 2; ++twice)
      for (std::size_t j = 0; j < k; ++j) {
        const double* const earlier = columns.data() + j * n;
        const double part = product(earlier, column);
        r[j * kModes + k] += part;
        for (std::size_t i = 0; i < n; ++i) column[i] -= part * earlier[i];
      }
    const double rest = std::sqrt(product(column, column));
    const bool gone = !(rest > dependent * size);
    r[k * kModes + k] = gone ? 0.0 : rest;
    for (std::size_t i = 0; i < n; ++i) column[i] = gone ? 0.0 : column[i] / rest;
  }
}

}  // namespace

RigidModes fine_modes(const FineRows& rows, std::span<const Vec3> positions,
                      std::span<const Motion> motions) {
  RigidModes modes;
  for (const std::int32_t point : rows.point)
    modes.centre.push_back(positions[static_cast<std::size_t>(point)]);
  modes.value.assign(rows.size() * kModes, 0.0);
  for (std::size_t r = 0; r < rows.node.size(); ++r)
    for (int i = 0; i < rows.count[r]; ++i) {
      double* const of = modes.value.data() + (r * kFineBlock + static_cast<std::size_t>(i)) * kModes;
      Motion motion;
      if (motions.empty()) {
        motion.turn = rows.before[r] > 0;
        motion.axis[i] = 1.0;
      } else {
        motion = motions[static_cast<std::size_t>(rows.first[r]) + static_cast<std::size_t>(i)];
      }
      for (int k = 0; k < 3; ++k) of[k + (motion.turn ? 3 : 0)] = motion.axis[k];
    }
  return modes;
}

AggregatedModes aggregate_modes(const RigidModes& of, int block, std::span<const std::int32_t> node,
                                const Aggregates& aggregates, int threads) {
  AggregatedModes made;
  const RowsOfAggregates rows = rows_of(node, aggregates);
  made.base.resize(of.value.size());
  made.next.centre.resize(static_cast<std::size_t>(aggregates.count));
  made.next.value.resize(static_cast<std::size_t>(aggregates.count) * kModes * kModes);
  const auto values_of_row = static_cast<std::size_t>(block) * static_cast<std::size_t>(kModes);
  parallel_loop(parts_of(aggregates.count, kCoarseRowsOfPart), threads, [&](std::int64_t part) {
    std::vector<double> columns;
    const auto first = static_cast<std::int32_t>(part * kCoarseRowsOfPart);
    for (std::int32_t a = first; a < std::min(aggregates.count, first + kCoarseRowsOfPart); ++a) {
      const std::int32_t begin = rows.start[a], end = rows.start[a + 1];
      Vec3 centre;
      for (std::int32_t p = begin; p < end; ++p) centre += of.centre[node[rows.row[p]]];
      centre = (1.0 / (end - begin)) * centre;
      const auto n = static_cast<std::size_t>(end - begin) * static_cast<std::size_t>(block);
      columns.resize(n * kModes);
      double reach = 0;
      for (std::int32_t p = begin; p < end; ++p) {
        const auto row = static_cast<std::size_t>(rows.row[p]);
        const Vec3 arm = of.centre[node[row]] - centre;
        reach = std::max(reach, norm(arm));
        for (int i = 0; i < block; ++i) {
          double about_centre[kModes];
          move_centre(of.value.data() + row * values_of_row + static_cast<std::size_t>(i * kModes), arm,
                      about_centre);
          const auto at = static_cast<std::size_t>(p - begin) * static_cast<std::size_t>(block) +
                          static_cast<std::size_t>(i);
          for (std::size_t k = 0; k < kModes; ++k) columns[k * n + at] = about_centre[k];
        }
      }
      double r[kModes * kModes];
      orthonormalise(columns, n, reach, r);
      for (std::int32_t p = begin; p < end; ++p)
        for (std::size_t i = 0; i < static_cast<std::size_t>(block); ++i)
          for (std::size_t k = 0; k < kModes; ++k)
            made.base[static_cast<std::size_t>(rows.row[p]) * values_of_row + i * kModes + k] =
                columns[k * n + static_cast<std::size_t>(p - begin) * static_cast<std::size_t>(block) + i];
      made.next.centre[static_cast<std::size_t>(a)] = centre;
      std::copy_n(r, kModes * kModes, made.next.value.data() + static_cast<std::size_t>(a) * kModes * kModes);
    }
  });
  return made;
}

}  // namespace crumple::implicit::linear::amg
