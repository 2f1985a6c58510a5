// Drives one material point, or a vector of them, through strain increments.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "materials/prepare.hpp"
#include "materials/update.hpp"

namespace crumple::materials {
/// The update of the law: compiled once, as all laws are behind it. Tests with other numbers than doubles
/// include unit/every_law.hpp before this header.
void update_here(const Law& law, SolidPoint<double>& point);
void update_here(const Law& law, ShellPoint<double>& point);
void update_here(const Law& law, BeamPoint<double>& point);
}  // namespace crumple::materials

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

/// MAT_018, which yields at a strain of 0.002.
inline model::Material power_law(std::initializer_list<std::pair<const std::string, double>> fields) {
  model::Material m = material(18, {{"K", 0.6}, {"N", 0.2}, {"SIGY", 0.002}});
  for (const auto& [name, value] : fields) m.fields[name] = value;
  return m;
}

/// MAT_013 that fails at a plastic strain of 0.1 or a tension of 1.
inline model::Material elastic_failure(std::initializer_list<std::pair<const std::string, double>> fields) {
  model::Material m = material(13, {{"G", 80.0}, {"BULK", 170.0}, {"SIGY", 0.3}, {"ETAN", 2.0}});
  m.fields["EPF"] = 0.1;
  m.fields["PRF"] = -1.0;
  for (const auto& [name, value] : fields) m.fields[name] = value;
  return m;
}

using Fields = std::initializer_list<std::pair<const std::string, double>>;

inline model::Material with_fields(model::Material m, const Fields& fields) {
  for (const auto& [name, value] : fields) m.fields[name] = value;
  return m;
}

/// A lamina of carbon fibres, GPa and mm, that yields or fails early: MAT_002, 022, 054, 058, 261
/// or 262.
inline model::Material lamina(int law, Fields fields = {}) {
  return with_fields(
      material(law, {{"EA", 140.0},  {"EB", 10.0},   {"EC", 8.0},     {"PRBA", 0.02},   {"PRCA", 0.015},
                     {"PRCB", 0.3},  {"GAB", 5.0},   {"GBC", 3.0},    {"GCA", 4.0},     {"XT", 2.0},
                     {"XC", 1.5},    {"YT", 0.05},   {"YC", 0.2},     {"SC", 0.1},      {"CRIT", 54.0},
                     {"YCFAC", 2.0}, {"E11T", 0.02}, {"E11C", 0.015}, {"E22T", 0.008},  {"E22C", 0.03},
                     {"GMS", 0.04},  {"SL", 0.1},    {"GXT", 0.1},    {"GXC", 0.08},    {"GYT", 1e-3},
                     {"GYC", 0.02},  {"GSL", 0.008}, {"ENA", 0.1},    {"ENKINK", 0.08}, {"ENB", 1e-3},
                     {"ENT", 0.02},  {"ENL", 0.008}}),
      fields);
}

/// A honeycomb that yields early: MAT_026 or 126.
inline model::Material comb(int law, Fields fields = {}) {
  return with_fields(material(law, {{"SIGY", 0.5},
                                    {"VF", 0.2},
                                    {"LCA", 11.0},
                                    {"LCS", 11.0},
                                    {"EAAU", 140.0},
                                    {"EBBU", 100.0},
                                    {"ECCU", 80.0},
                                    {"GABU", 50.0},
                                    {"GBCU", 30.0},
                                    {"GCAU", 40.0}}),
                     fields);
}

/// A glue that yields early: MAT_169.
inline model::Material glue(Fields fields = {}) {
  return with_fields(material(169, {{"E", 210.0},
                                    {"PR", 0.3},
                                    {"TENMAX", 0.3},
                                    {"GCTEN", 0.1},
                                    {"SHRMAX", 0.2},
                                    {"GCSHR", 0.2},
                                    {"PWRT", 2.0},
                                    {"PWRS", 2.0},
                                    {"THKDIR", 0.0}}),
                     fields);
}

/// A polymer that yields early: MAT_187.
inline model::Material polymer_of(Fields fields = {}) {
  return with_fields(material(187, {{"EMOD", 210.0}, {"NUE", 0.3}, {"LCID-T", 5.0}, {"NUEP", 0.4}}), fields);
}

/// Laws with an equation of state: shear modulus 80, yield stress 0.3.
inline model::Material gruneisen(int law, Fields fields) {
  return with_fields(material(law, {{"G", 80.0},
                                    {"SIGY", 0.3},
                                    {"EOS.FORM", 4.0},
                                    {"EOS.C", 4000.0},
                                    {"EOS.S1", 1.5},
                                    {"EOS.GAMAO", 1.9},
                                    {"EOS.A", 0.4}}),
                     fields);
}
inline model::Material polynomial(int law, Fields fields) {
  return with_fields(material(law, {{"G", 80.0},
                                    {"SIGY", 0.3},
                                    {"EOS.FORM", 1.0},
                                    {"EOS.C0", 0.01},
                                    {"EOS.C1", 170.0},
                                    {"EOS.C2", 300.0},
                                    {"EOS.C3", 500.0},
                                    {"EOS.C5", 0.5},
                                    {"EOS.C6", 0.3}}),
                     fields);
}
inline model::Material tabulated(int law, Fields fields) {
  return with_fields(material(law, {{"G", 80.0},
                                    {"SIGY", 0.3},
                                    {"EOS.FORM", 8.0},
                                    {"EOS.GAMA", 1.7},
                                    {"EOS.EV1", 0.2},
                                    {"EOS.EV2", 0.0},
                                    {"EOS.EV3", -0.1},
                                    {"EOS.EV4", -0.3},
                                    {"EOS.C1", -30.0},
                                    {"EOS.C3", 20.0},
                                    {"EOS.C4", 80.0},
                                    {"EOS.T1", 0.8},
                                    {"EOS.T2", 1.0},
                                    {"EOS.T3", 1.2},
                                    {"EOS.T4", 1.6}}),
                     fields);
}
/// MAT_009 as an ideal gas of ratio 1.4.
inline model::Material fluid(Fields fields) {
  return with_fields(material(9, {{"EOS.FORM", 1.0}, {"EOS.C4", 0.4}, {"EOS.C5", 0.4}, {"EOS.E0", 2.5e-4}}),
                     fields);
}
/// MAT_015 of a steel, with Grueneisen's equation of state.
inline model::Material thermal(Fields fields) {
  return with_fields(with_fields(gruneisen(15, {}), {{"A", 0.3},
                                                     {"B", 0.4},
                                                     {"N", 0.35},
                                                     {"C", 0.02},
                                                     {"M", 1.1},
                                                     {"TM", 1800.0},
                                                     {"TR", 300.0},
                                                     {"EPSO", 0.001},
                                                     {"CP", 50.0},
                                                     {"EFMIN", 1e-6},
                                                     {"EOS.A", 0.4}}),
                     fields);
}
/// MAT_004 between -100 and 200; a point that nobody heats has 0.
inline model::Material heated(Fields fields) {
  return with_fields(material(4, {{"T1", -100.0},
                                  {"T2", 200.0},
                                  {"E1", 220.0},
                                  {"E2", 150.0},
                                  {"PR1", 0.3},
                                  {"PR2", 0.32},
                                  {"SIGY1", 0.4},
                                  {"SIGY2", 0.2},
                                  {"ETAN1", 5.0},
                                  {"ETAN2", 3.0}}),
                     fields);
}
/// The same without it, for shells.
inline model::Material without_state(model::Material m) {
  m.fields.erase("EOS.FORM");
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
  static constexpr bool has_volume = requires(Point<V> & p) { p.volume_ratio; };

  explicit OnePoint(const Prepared& prepared)
      : prepared_(prepared),
        volumetric_(prepared.law.row->needs.energy || prepared.law.row->number == 13),
        history_(static_cast<std::size_t>(std::max(16, prepared.n_history) * simd::width_v<V>)) {
    for (V& s : point.s) s = V(0);
    point.plastic_strain = V(0);
    if constexpr (has_volume)
      if (volumetric_) point.volume_ratio = V(1);
    point.history = {history_.data(), simd::width_v<V>};
  }

  void step(const V (&d)[n], double dt = 1) {
    for (int i = 0; i < n; ++i) point.d[i] = d[i];
    point.dt = V(dt);
    if constexpr (has_volume)
      if (volumetric_) move_volume(point.volume_ratio, V(0.5) * (d[0] + d[1] + d[2]));
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
  /// By half the trace of the strain, at the rate of the middle of the step; in double precision, as an
  /// element's volume has the error of one step.
  void move_volume(V& ratio, V half) {
    if constexpr (std::is_same_v<simd::scalar_t<V>, float>) {
      volume_.resize(static_cast<std::size_t>(simd::width_v<V>), 1.0);
      for (int l = 0; l < simd::width_v<V>; ++l) {
        const double h = simd::lane(half, l);
        double& volume = volume_[static_cast<std::size_t>(l)];
        volume *= (1 + h) / (1 - h);
        simd::set_lane(ratio, l, static_cast<float>(volume));
      }
    } else {
      ratio *= (V(1) + half) / (V(1) - half);
    }
  }

  const Prepared& prepared_;
  std::vector<double> volume_;
  bool volumetric_;  ///< the volume follows the strains; other laws need none, or tests give it
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
