// Sums over unknowns, in their order.
#include "implicit/norms.hpp"

#include <algorithm>
#include <cmath>

namespace crumple::implicit {

NormRule norm_rule(double nlnorm) {
  if (nlnorm < 0.0) return {NormOf::all, -nlnorm};
  if (nlnorm == 1.0) return {NormOf::each, 1.0};
  if (nlnorm == 4.0) return {NormOf::all, 1.0};
  return {NormOf::translations, 1.0};
}

namespace {

double ratio(double a, double b) { return a == 0.0 ? 0.0 : b == 0.0 ? HUGE_VAL : a / b; }

/// Sums of terms of translations and of rotations.
template <class Term>
Norm sums(std::size_t n, std::span<const char> rotations, const NormRule& rule, double weight, Term&& term) {
  double translation = 0.0, rotation = 0.0;
  for (std::size_t i = 0; i < n; ++i) (rotations[i] ? rotation : translation) += term(i);
  switch (rule.of) {
    case NormOf::translations:
      return {translation, 0.0};
    case NormOf::each:
      return {translation, rotation};
    case NormOf::all:
      return {translation + weight * rotation, 0.0};
  }
  return {};
}

}  // namespace

double Norm::over(const Norm& of) const { return std::max(ratio(first, of.first), ratio(second, of.second)); }

void Norm::raise_to(const Norm& other) {
  first = std::max(first, other.first);
  second = std::max(second, other.second);
}

Norm norm_of(std::span<const double> q, std::span<const char> rotations, const NormRule& rule, bool forces) {
  const double scale = forces ? 1.0 / rule.length : rule.length;
  const Norm squares =
      sums(q.size(), rotations, rule, scale * scale, [&](std::size_t i) { return q[i] * q[i]; });
  return {std::sqrt(squares.first), std::sqrt(squares.second)};
}

Norm energy_of(std::span<const double> a, std::span<const double> b, std::span<const char> rotations,
               const NormRule& rule) {
  const Norm e = sums(a.size(), rotations, rule, 1.0, [&](std::size_t i) { return a[i] * b[i]; });
  return {std::abs(e.first), std::abs(e.second)};
}

}  // namespace crumple::implicit
