// Drives one material point, or a vector of them, through strain increments.
#pragma once

#include "unit/every_law.hpp"
//
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "materials/prepare.hpp"

namespace crumple::materials::testing_ {

/// A steel-like material in GPa, mm, ms, kg unless fields say otherwise.
inline model::Material material(int law, std::initializer_list<std::pair<const std::string, double>> fields) {
  model::Material m;
  m.id = 7;
  m.law = law;
  m.name = "MAT_TEST";
  m.density = 7.8e-6;
  m.fields = {{"E", 210.0}, {"PR", 0.3}};
  for (const auto& [name, value] : fields) m.fields[name] = value;
  m.place = {"deck.k", 12, "1", ""};
  return m;
}

/// MAT_012 with the elastic constants of the rest.
inline model::Material low_cost(std::initializer_list<std::pair<const std::string, double>> fields) {
  model::Material m = material(12, fields);
  m.fields["G"] = 210.0 / 2.6;
  m.fields["BULK"] = 210.0 / 1.2;
  return m;
}

/// MAT_098 of a mild steel (GPa, 1/ms).
inline model::Material johnson_cook(std::initializer_list<std::pair<const std::string, double>> fields) {
  model::Material m =
      material(98, {{"A", 0.3}, {"B", 0.4}, {"N", 0.35}, {"C", 0.02}, {"EPSO", 0.001}, {"SIGSAT", 0.6}});
  for (const auto& [name, value] : fields) m.fields[name] = value;
  return m;
}

inline model::Curve curve(GlobalId id, std::vector<double> x, std::vector<double> y) {
  model::Curve c;
  c.id = id;
  c.x = std::move(x);
  c.y = std::move(y);
  return c;
}

/// A point of kind SolidPoint, ShellPoint or BeamPoint with its history, moved by `step`.
template <template <class> class Point, class V>
class OnePoint {
 public:
  static constexpr int n = sizeof(Point<double>::s) / sizeof(double);

  explicit OnePoint(const Prepared& prepared) : prepared_(prepared), history_(16 * simd::width_v<V>) {
    for (V& s : point.s) s = V(0);
    point.plastic_strain = V(0);
    point.history = {history_.data(), simd::width_v<V>};
  }

  void step(const V (&d)[n], double dt = 1) {
    for (int i = 0; i < n; ++i) point.d[i] = d[i];
    point.dt = V(dt);
    update_here(prepared_.law, point);
  }

  /// `count` equal steps that make up the total strain `d`.
  void steps(int count, const V (&d)[n], double total_time = 1) {
    V part[n];
    for (int i = 0; i < n; ++i) part[i] = d[i] * V(1.0 / count);
    for (int k = 0; k < count; ++k) step(part, total_time / count);
  }

  void copy_history(const OnePoint& from) { history_ = from.history_; }

  Point<V> point{};

 private:
  const Prepared& prepared_;
  std::vector<simd::scalar_t<V>> history_;
};

template <class V>
using Solid = OnePoint<SolidPoint, V>;
template <class V>
using Shell = OnePoint<ShellPoint, V>;
template <class V>
using Beam = OnePoint<BeamPoint, V>;

/// Equivalent stress of a full or plane stress (xx yy zz xy yz zx).
inline double mises(const double (&s)[6]) {
  const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
  return std::sqrt(0.5 * (a * a + b * b + c * c) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

}  // namespace crumple::materials::testing_
