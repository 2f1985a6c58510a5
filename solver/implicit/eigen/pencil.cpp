// Subtracts a shift from the diagonal and factors.
#include "implicit/eigen/pencil.hpp"

#include "base/types.hpp"

namespace crumple::implicit::eigen {

Shifted::Shifted(const Pencil& pencil, double shift)
    : pencil_(&pencil), shift_(shift), matrix_(*pencil.stiffness) {
  const linear::BlockPattern& pattern = *matrix_.pattern;
  for (std::int32_t row = 0; row < pattern.rows(); ++row) {
    const auto size = at(pattern.size(row)), first = at(pattern.first[at(row)]);
    if (size == 0) continue;
    const std::span<double> block = matrix_.block(row, row);
    for (std::size_t i = 0; i < size; ++i) block[i * size + i] -= shift * pencil.mass[first + i];
  }
  found_ = pencil.solver->factor(matrix_);
}

void Shifted::apply(std::span<double> x) const {
  const std::size_t n = pencil_->size();
  for (std::size_t i = 0; i < x.size(); ++i) x[i] *= pencil_->mass[i % n];
  pencil_->solver->solve(x, x);
}

}  // namespace crumple::implicit::eigen
