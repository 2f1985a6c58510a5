// Subtracts a shift from the diagonal and factors.
#include "implicit/eigen/pencil.hpp"

#include "base/types.hpp"

namespace crumple::implicit::eigen {

void Pencil::times_mass(std::span<const double> x, std::span<double> y) const {
  const std::size_t n = size();
  if (coupled == nullptr) {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = mass[i % n] * x[i];
    return;
  }
  coupled->multiply(x, y);
}

double Pencil::product(std::span<const double> a, std::span<const double> b) const {
  double sum = 0.0;
  if (coupled == nullptr) {
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * mass[i] * b[i];
    return sum;
  }
  std::vector<double> of_a(a.size());
  coupled->multiply(a, of_a);
  for (std::size_t i = 0; i < a.size(); ++i) sum += of_a[i] * b[i];
  return sum;
}

Shifted::Shifted(const Pencil& pencil, double shift)
    : pencil_(&pencil), shift_(shift), matrix_(*pencil.stiffness) {
  const linear::BlockPattern& pattern = *matrix_.pattern;
  for (std::size_t i = 0; pencil.coupled != nullptr && i < matrix_.values.size(); ++i)
    matrix_.values[i] -= shift * pencil.coupled->values[i];
  for (std::int32_t row = 0; pencil.coupled == nullptr && row < pattern.rows(); ++row) {
    const auto size = at(pattern.size(row)), first = at(pattern.first[at(row)]);
    if (size == 0) continue;
    const std::span<double> block = matrix_.block(row, row);
    for (std::size_t i = 0; i < size; ++i) block[i * size + i] -= shift * pencil.mass[first + i];
  }
  found_ = pencil.solver->factor(matrix_);
}

void Shifted::apply(std::span<double> x) const {
  std::vector<double> of_x(x.size());
  pencil_->times_mass(x, of_x);
  pencil_->solver->solve(of_x, x);
}

}  // namespace crumple::implicit::eigen
