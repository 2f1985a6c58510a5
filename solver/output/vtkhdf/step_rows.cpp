// Rows of points and cells.
#include "output/vtkhdf/step_rows.hpp"

#include <bit>
#include <cmath>
#include <cstring>

namespace crumple::output {

static_assert(std::endian::native == std::endian::little, "the file is written in native byte order");

namespace {

/// Von Mises stress of xx yy zz xy yz zx.
double von_mises(const double* s) {
  const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
  return std::sqrt(0.5 * (a * a + b * b + c * c) + 3.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

/// The largest of get(0), ..., get(points - 1) of the points of element `i`; 0 if the array is empty.
template <class Get>
double largest(const std::vector<double>& values, std::size_t i, int points, Get get) {
  double most = 0.0;
  for (int p = 0; !values.empty() && p < points; ++p) {
    const double value = get(i * std::size_t(points) + std::size_t(p));
    most = p == 0 ? value : std::max(most, value);
  }
  return most;
}

double plastic_strain(const std::vector<double>& values, std::size_t i, int points) {
  return largest(values, i, points, [&](std::size_t p) { return values[p]; });
}

double stress(const std::vector<double>& values, std::size_t i, int points) {
  return largest(values, i, points, [&](std::size_t p) { return von_mises(&values[6 * p]); });
}

}  // namespace

std::size_t StepRows::bytes(On on) const {
  std::size_t sum = 0;
  for (const StepArray& array : arrays_on(on)) sum += array.width * value_bytes(array);
  return sum;
}

void StepRows::put_point(Words& out, const Vec3& x, const Vec3& x0, const Vec3& v) {
  const Vec3 u = x - x0;
  out.reals(std::array{x.x, x.y, x.z, u.x, u.y, u.z, v.x, v.y, v.z});
}

void StepRows::put_cell(Words& out, ElementKind kind, const PlotState& s, std::size_t i) const {
  const auto put = [&](const std::vector<std::uint8_t>& alive, double strain, double mises,
                       double thickness) {
    const std::uint8_t flag = alive.empty() || alive[i] ? 1 : 0;
    out.raw(&flag, sizeof flag);
    out.reals(std::array{strain, mises, thickness});
  };
  const Layout& l = layout_;
  if (kind == ElementKind::solid) {
    put(s.solids.alive, plastic_strain(s.solids.plastic_strain, i, l.solid_points),
        stress(s.solids.stress, i, l.solid_points), 0.0);
  } else if (kind == ElementKind::sph) {
    put(s.particles.alive, plastic_strain(s.particles.plastic_strain, i, 1), stress(s.particles.stress, i, 1),
        0.0);
  } else if (kind == ElementKind::beam) {
    const std::vector<double>& point = s.beams.point;
    const double strain = largest(point, i, l.beam_points, [&](std::size_t p) { return point[5 * p + 3]; });
    const double mises = largest(point, i, l.beam_points, [&](std::size_t p) {
      const double* b = &point[5 * p];
      return std::sqrt(b[0] * b[0] + 3.0 * (b[1] * b[1] + b[2] * b[2]));
    });
    put(s.beams.alive, strain, mises, 0.0);
  } else {
    put(s.shells.alive, plastic_strain(s.shells.plastic_strain, i, l.shell_layers),
        stress(s.shells.stress, i, l.shell_layers), s.shells.thickness.empty() ? 0.0 : s.shells.thickness[i]);
  }
}

StepChunk::StepChunk(const StepRows& rows, On on, std::size_t chunk_rows) {
  for (const StepArray& array : arrays_on(on)) {
    width_.push_back(array.width * rows.value_bytes(array));
    arrays_.emplace_back(chunk_rows * width_.back());
  }
}

void StepChunk::set(std::size_t number, const std::byte* row) {
  for (std::size_t k = 0; k < arrays_.size(); ++k) {
    std::memcpy(&arrays_[k][number * width_[k]], row, width_[k]);
    row += width_[k];
  }
}

StepCounts step_counts(std::size_t points, std::size_t solids, std::size_t beams, std::size_t shells,
                       std::size_t particles, std::size_t most) {
  const auto chunk = [&](std::size_t rows) { return std::int64_t(even_piece(rows, most)); };
  return {std::int64_t(points),
          std::int64_t(solids),
          std::int64_t(beams),
          std::int64_t(shells),
          std::int64_t(particles),
          chunk(points),
          chunk(solids + beams + shells + particles)};
}

std::vector<GlobalId> cell_order(const RankRows& rows, const StepCounts& counts) {
  std::vector<GlobalId> order;
  for (const ElementKind kind : kCellKinds)
    for (const GlobalId at : rows.elements(kind).order)
      order.push_back(GlobalId(counts.cells(kind).first) + at);
  return order;
}

}  // namespace crumple::output
