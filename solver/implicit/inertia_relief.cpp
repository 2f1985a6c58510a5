// Which modes are rigid, and projections.
#include "implicit/inertia_relief.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/error.hpp"
#include "base/types.hpp"
#include "implicit/eigen/modes.hpp"
#include "implicit/solver.hpp"

namespace crumple::implicit {

namespace {

/// Eigenvalues of rigid modes are rounding beside elastic ones.
constexpr double kRounding = 1e-8;
constexpr int kRefinements = 3;
/// Of the first elastic eigenvalue.
constexpr double kShift = 1e-4;

double cycles(double eigenvalue) { return std::sqrt(std::abs(eigenvalue)) / (2.0 * std::numbers::pi); }

/// Rigid modes by number from 0, of modes by ascending eigenvalue.
std::vector<std::size_t> rigid_of(const std::vector<eigen::Mode>& modes,
                                  const model::InertiaRelief& control) {
  std::vector<std::size_t> rigid;
  for (const int mode : control.modes)
    if (at(mode) <= modes.size()) rigid.push_back(at(mode) - 1);
  if (!control.modes.empty()) return rigid;
  const double omega = 2.0 * std::numbers::pi * control.threshold;
  const double limit = std::max(omega * omega, kRounding * modes.back().value);
  for (std::size_t k = 0; k < modes.size(); ++k)
    if (control.count > 0 ? k < at(control.count) : modes[k].value <= limit) rigid.push_back(k);
  return rigid;
}

}  // namespace

std::size_t relief_modes(const model::InertiaRelief& control) {
  constexpr std::size_t beyond = 6;  // modes beside those of one free body
  std::size_t count = 6 + beyond;
  for (const int mode : control.modes) count = std::max(count, at(mode) + beyond);
  return std::max(count, at(control.count) + beyond);
}

InertiaRelief::InertiaRelief(const FreeVibration& of, const model::InertiaRelief& control)
    : mass_(of.mass), is_coupled_(of.coupled_mass.has_value()) {
  if (is_coupled_) coupled_ = *of.coupled_mass;
  const eigen::Modes found = eigen::find_modes(of.pencil(), {.count = relief_modes(control)});
  const std::vector<std::size_t> rigid = rigid_of(found.modes, control);
  if (rigid.empty() || rigid.size() == found.modes.size())
    throw Error("CR-I307",
                rigid.empty()
                    ? "inertia relief: no mode is rigid: the first frequency is above THRESH, or the "
                      "structure has supports"
                    : "inertia relief: all modes are below THRESH",
                {}, Exit::run);
  rigid_.rows = of_rigid_.rows = mass_.size();
  std::vector<double> of_mode(mass_.size());
  for (const std::size_t k : rigid) {
    rigid_.append(found.modes[k].shape);
    times_mass(found.modes[k].shape, of_mode);
    of_rigid_.append(of_mode);
    rigid_frequency_ = std::max(rigid_frequency_, cycles(found.modes[k].value));
  }
  double elastic = found.modes.back().value;
  for (std::size_t k = 0; k < found.modes.size(); ++k)
    if (std::ranges::find(rigid, k) == rigid.end())
      elastic = std::min(elastic, std::abs(found.modes[k].value));
  elastic_frequency_ = cycles(elastic);
  shift_ = kShift * elastic;
}

void InertiaRelief::times_mass(std::span<const double> x, std::span<double> y) const {
  if (is_coupled_) return coupled_.multiply(x, y);
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = mass_[i] * x[i];
}

void InertiaRelief::balance(std::span<double> r) const {
  for (std::size_t k = 0; k < modes(); ++k) {
    const std::span<const double> mode = rigid_.column(k), of_mode = of_rigid_.column(k);
    const double a = std::inner_product(mode.begin(), mode.end(), r.begin(), 0.0);
    for (std::size_t i = 0; i < r.size(); ++i) r[i] -= a * of_mode[i];
  }
}

void InertiaRelief::remove_rigid(std::span<double> d) const {
  for (std::size_t k = 0; k < modes(); ++k) {
    const std::span<const double> mode = rigid_.column(k), of_mode = of_rigid_.column(k);
    const double part = std::inner_product(of_mode.begin(), of_mode.end(), d.begin(), 0.0);
    for (std::size_t i = 0; i < d.size(); ++i) d[i] -= part * mode[i];
  }
}

void InertiaRelief::add_shift(linear::BlockMatrix& stiffness) const {
  if (is_coupled_) {
    for (std::size_t i = 0; i < stiffness.values.size(); ++i)
      stiffness.values[i] += shift_ * coupled_.values[i];
    return;
  }
  const linear::BlockPattern& pattern = *stiffness.pattern;
  for (std::int32_t row = 0; row < pattern.rows(); ++row) {
    const auto size = at(pattern.size(row)), first = at(pattern.first[at(row)]);
    if (size == 0) continue;
    const std::span<double> block = stiffness.block(row, row);
    for (std::size_t i = 0; i < size; ++i) block[i * size + i] += shift_ * mass_[first + i];
  }
}

/// (K + e M) d' = e M d + r has the solution of K d = r where d' = d.
linear::Solved InertiaRelief::solve(linear::Solver& solver, std::span<const double> r,
                                    std::span<double> d) const {
  std::vector<double> right(r.size()), moved(r.size());
  linear::Solved all = solver.solve(r, d);
  remove_rigid(d);
  for (int k = 0; k < kRefinements; ++k) {
    times_mass(d, moved);
    for (std::size_t i = 0; i < r.size(); ++i) right[i] = r[i] + shift_ * moved[i];
    const linear::Solved again = solver.solve(right, d);
    all.refinements += again.refinements;
    all.iterations += again.iterations;
    if (again.late) all.late = again.late;
    all.residual = std::max(all.residual, again.residual);
    remove_rigid(d);
  }
  return all;
}

}  // namespace crumple::implicit
