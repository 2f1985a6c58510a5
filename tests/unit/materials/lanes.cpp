// Vectors against scalars, single against double precision, and lanes that must not feel their neighbours.
#include "unit/every_law.hpp"
//
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

struct Case {
  std::string name;
  model::Material material;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

model::Model curves() {
  model::Model m;
  m.curves = {curve(5, {0, 0.01, 0.03, 0.08, 0.2}, {0.3, 0.36, 0.4, 0.42, 0.52}),
              curve(6, {0, 0.01, 0.2}, {0.45, 0.5, 0.6}), curve(8, {0, 10, 110}, {1, 1.2, 1.4}),
              curve(9, {0, 0.1, 0.6, 0.8}, {0, 10, 20, 80}), curve(89, {0, 0.001, 0.05}, {0, 0.21, 0.5})};
  m.curves.push_back(curve(10, {0, 0.1, 0.6, 0.8}, {0, 20, 40, 160}));
  m.curves.push_back(curve(12, {-0.5, -0.1, 0, 0.5}, {-80, -10, 0, 40}));
  m.curves.push_back(curve(11, {0, 0.5, 0.6}, {0.2, 0.4, 10.4}));
  m.curves.push_back(curve(19, {0, 1, 100}, {0.25, 0.3, 0.5}));
  m.curves.push_back(curve(40, {-1, 0, 1}, {0.5, 0.2, 0.1}));
  m.curves.push_back(curve(41, {0, 0.1}, {0, 0.5}));
  m.curves.push_back(curve(61, {0, 0.004, 0.02, 0.1}, {0, 0.02, 0.05, 0.13}));
  m.tables = {{50, {1.0, 1000.0}, {0, 1}}, {51, {0.0, 10.0}, {3, 4}}};
  return m;
}

/// A curve law with criteria of failure on stresses and strains.
model::Material eroding() {
  model::Material m = material(24, {{"LCSS", 5.0}});
  for (const auto& [name, value] :
       {std::pair{"EXCL", 0.0}, {"SIGP1", 0.45}, {"MXEPS", 0.02}, {"EPSSH", 0.02}})
    m.fields[std::string("EROSION.") + name] = value;
  return m;
}

/// A curve law that softens by damage.
model::Material damaged() {
  model::Material m = material(24, {{"LCSS", 5.0}});
  for (const auto& [name, value] :
       {std::pair{"DTYP", 1.0}, {"LCSDG", 40.0}, {"ECRIT", 0.01}, {"DMGEXP", 2.0}, {"FADEXP", 1.5}})
    m.fields[std::string("DAMAGE.") + name] = value;
  return m;
}

class Lanes : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    Laws, Lanes,
    testing::Values(
        Case{"elastic", material(1, {})},
        Case{"kinematic",
             material(3, {{"SIGY", 0.3}, {"ETAN", 10.0}, {"BETA", 0.3}, {"SRC", 40.0}, {"SRP", 5.0}})},
        Case{"null", material(9, {})}, Case{"curve", material(24, {{"LCSS", 5.0}, {"FAIL", 0.1}})},
        Case{"cowper_symonds", material(24, {{"LCSS", 5.0}, {"C", 40.0}, {"P", 5.0}})},
        Case{"scale", material(24, {{"LCSS", 5.0}, {"LCSR", 8.0}})},
        Case{"table", material(24, {{"LCSS", 50.0}})},
        Case{"viscoplastic",
             material(24, {{"LCSS", 5.0}, {"SIGY", 0.2}, {"C", 40.0}, {"P", 5.0}, {"VP", 1.0}})},
        Case{"viscoplastic_table", material(24, {{"LCSS", 50.0}, {"VP", 1.0}})},
        Case{"thinning", material(123, {{"LCSS", 5.0}, {"EPSTHIN", 0.01}, {"EPSMAJ", 0.015}})},
        Case{"eroding", eroding()}, Case{"damaged", damaged()},
        Case{"low_cost", low_cost({{"SIGY", 0.3}, {"ETAN", 5.0}})},
        Case{"damage", material(81, {{"LCSS", 5.0}, {"EPPF", 0.002}, {"EPPFR", 0.05}})},
        Case{"blatz_ko", material(7, {{"G", 10.0}})},
        Case{"rubber", material(27, {{"A", 30.0}, {"B", 3.0}, {"PR", 0.48}})},
        Case{"polymer", material(89, {{"LCSS", 89.0}})},
        Case{"viscous_foam",
             material(62, {{"E1", 10.0}, {"N1", 4.0}, {"E2", 100.0}, {"V2", 0.5}, {"N2", 0.2}, {"PR", 0.1}})},
        Case{"low_density_viscous_foam",
             material(73, {{"E", 100.0}, {"LCID", 9.0}, {"HU", 0.2}, {"GI1", 10.0}, {"BETAI1", 100.0}})},
        Case{"foam", material(57, {{"E", 100.0},
                                   {"LCID", 9.0},
                                   {"HU", 0.2},
                                   {"SHAPE", 2.0},
                                   {"BETA", 50.0},
                                   {"ED", 10.0},
                                   {"BETA1", 100.0},
                                   {"TC", 3.0},
                                   {"FAIL", 1.0}})},
        Case{"ogden", material(771, {{"MU1", 50.0},
                                     {"ALPHA1", 1.3},
                                     {"MU2", -2.0},
                                     {"ALPHA2", -2.5},
                                     {"PR", 0.48},
                                     {"GI1", 5.0},
                                     {"BETAI1", 100.0}})},
        Case{"hyperelastic", material(77, {{"C10", 20.0},
                                           {"C01", 5.0},
                                           {"C11", 1.0},
                                           {"C20", 2.0},
                                           {"C02", 0.5},
                                           {"C30", 1.0},
                                           {"PR", 0.48},
                                           {"GI1", 5.0},
                                           {"BETAI1", 100.0}})},
        Case{"viscoelastic", material(6, {{"BULK", 80.0}, {"G0", 40.0}, {"GI", 10.0}, {"BETA", 100.0}})},
        Case{"kelvin", material(61, {{"BULK", 80.0}, {"G0", 40.0}, {"GI", 10.0}, {"DC", 0.01}, {"FO", 1.0}})},
        Case{"general_viscoelastic", material(76, {{"BULK", 80.0},
                                                   {"GI1", 10.0},
                                                   {"GI2", 30.0},
                                                   {"BETAI2", 100.0},
                                                   {"GI3", 5.0},
                                                   {"BETAI3", 9.0},
                                                   {"PCF", 1.0}})},
        Case{"soil", material(5, {{"G", 40.0},
                                  {"KUN", 200.0},
                                  {"LCID", 9.0},
                                  {"A0", 0.1},
                                  {"A1", 0.2},
                                  {"A2", 0.1},
                                  {"PC", -0.5}})},
        Case{"hill_sheet", material(37, {{"HLCID", 5.0}, {"R", 2.0}})},
        Case{
            "barlat",
            material(36, {{"HR", 3.0}, {"LCID", 5.0}, {"M", 6.0}, {"R00", 1.5}, {"R45", 1.2}, {"R90", 2.0}})},
        Case{"barlat_rate", material(36, {{"HR", 2.0},
                                          {"P1", 0.6},
                                          {"P2", 0.2},
                                          {"M", 7.5},
                                          {"R00", 0.8},
                                          {"R45", 1.2},
                                          {"R90", 0.6},
                                          {"C", 40.0},
                                          {"P", 5.0}})},
        Case{"yld2000", material(133, {{"HARD", -5.0},
                                       {"A", 8.0},
                                       {"ALPHA1", 0.94},
                                       {"ALPHA2", 0.99},
                                       {"ALPHA3", 1.02},
                                       {"ALPHA4", 1.02},
                                       {"ALPHA5", 1.0},
                                       {"ALPHA6", 0.98},
                                       {"ALPHA7", 0.98},
                                       {"ALPHA8", 1.13}})},
        Case{"yld2000_voce", material(133, {{"HARD", 5.0},
                                            {"K", 0.5},
                                            {"E0", 0.2},
                                            {"N", 9.0},
                                            {"P4", 0.7},
                                            {"A", 6.0},
                                            {"ALPHA1", 0.94},
                                            {"ALPHA2", 0.99},
                                            {"ALPHA3", 1.02},
                                            {"ALPHA4", 1.02},
                                            {"ALPHA5", 1.0},
                                            {"ALPHA6", 0.98},
                                            {"ALPHA7", 0.98},
                                            {"ALPHA8", 1.13}})},
        Case{"yld2000_table", material(133, {{"HARD", -50.0},
                                             {"A", 6.0},
                                             {"ALPHA1", 0.94},
                                             {"ALPHA2", 0.99},
                                             {"ALPHA3", 1.02},
                                             {"ALPHA4", 1.02},
                                             {"ALPHA5", 1.0},
                                             {"ALPHA6", 0.98},
                                             {"ALPHA7", 0.98},
                                             {"ALPHA8", 1.13}})},
        Case{"hill_3r",
             material(122, {{"HR", 3.0}, {"LCID", 5.0}, {"R00", 1.5}, {"R45", 1.2}, {"R90", 2.0}})},
        Case{"gurson", material(120, {{"SIGY", 0.3},
                                      {"ATYP", 2.0},
                                      {"ETAN", 2.0},
                                      {"Q1", 1.5},
                                      {"Q2", 1.0},
                                      {"F0", 0.01},
                                      {"FC", 0.02},
                                      {"FF0", 0.25},
                                      {"FN", 0.04},
                                      {"EN", 0.01},
                                      {"SN", 0.01}})},
        Case{"frazer_nash", material(31, {{"C100", 30.0},
                                          {"C200", 5.0},
                                          {"C300", 1.0},
                                          {"C110", 2.0},
                                          {"C010", -10.0},
                                          {"C020", 3.0},
                                          {"PR", 0.48}})},
        Case{"shape_memory", material(30, {{"SIG_ASS", 0.3},
                                           {"SIG_ASF", 0.5},
                                           {"SIG_SAS", 0.2},
                                           {"SIG_SAF", 0.1},
                                           {"EPSL", 0.02},
                                           {"ALPHA", 0.1},
                                           {"YMRT", 100.0}})},
        Case{"concrete", material(159, {{"CONCRETE", 1.0}})},
        Case{"anisotropic", material(103, {{"SIGY", 0.3},
                                           {"QR1", 0.1},
                                           {"CR1", 20.0},
                                           {"QR2", 0.05},
                                           {"CR2", 200.0},
                                           {"R00/F", 0.4},
                                           {"R45/G", 0.6},
                                           {"R90/H", 0.5},
                                           {"L", 1.3},
                                           {"M", 1.6},
                                           {"N", 1.8}})},
        Case{"back_stresses", material(103, {{"SIGY", 0.3},
                                             {"QR1", 0.1},
                                             {"CR1", 20.0},
                                             {"QX1", 0.1},
                                             {"CX1", 30.0},
                                             {"R45/G", 0.6},
                                             {"N", 1.8}})},
        Case{"damage_2", material(105, {{"LCSS", 5.0}, {"S", 1e-3}, {"DC", 0.9}, {"EPSD", 0.001}})},
        Case{"diem", material(24, {{"SIGY", 0.3},
                                   {"ETAN", 2.0},
                                   {"DIEM.NDIEMC", 2.0},
                                   {"DIEM.1.P1", 40.0},
                                   {"DIEM.1.Q1", 1.0},
                                   {"DIEM.2.DITYP", 1.0},
                                   {"DIEM.2.P1", 40.0},
                                   {"DIEM.2.P2", 0.1},
                                   {"DIEM.2.DETYP", 1.0},
                                   {"DIEM.2.Q1", 0.1}})},
        Case{"samp", polymer_of({{"LCID-C", 6.0}, {"LCID-D", 41.0}})},
        Case{"samp_rate",
             polymer_of({{"LCID-T", 50.0}, {"LCID-S", 5.0}, {"EPFAIL", 0.01}, {"DEPRPT", 0.01}})},
        Case{"tabulated_johnson_cook", material(224, {{"LCK1", 50.0}, {"LCF", 40.0}, {"LCG", 8.0}})},
        Case{"crushable", material(63, {{"E", 100.0}, {"LCID", 11.0}, {"TSC", 0.3}})},
        Case{"modified_crushable",
             material(163, {{"E", 100.0}, {"TID", 51.0}, {"TSC", 0.3}, {"NCYCLE", 4.0}, {"SRCLMT", 1e3}})},
        Case{"deshpande_fleck", material(154, {{"ALPHA", 2.0},
                                               {"GAMMA", 0.5},
                                               {"EPSD", 1.4},
                                               {"ALPHA2", 0.3},
                                               {"BETA", 4.0},
                                               {"SIGP", 0.2},
                                               {"CFAIL", 0.01},
                                               {"PFAIL", 0.4},
                                               {"NUM", 3.0}})},
        Case{"soil_failure", material(14, {{"G", 40.0},
                                           {"KUN", 200.0},
                                           {"LCID", 9.0},
                                           {"A0", 0.1},
                                           {"A1", 0.2},
                                           {"A2", 0.1},
                                           {"PC", -0.5}})},
        Case{
            "fu_chang",
            material(
                83, {{"E", 100.0}, {"TBID", 51.0}, {"HU", 0.2}, {"SHAPE", 2.0}, {"TC", 3.0}, {"FAIL", 1.0}})},
        Case{"hill", material(177, {{"C1", 20.0}, {"B1", 4.0}, {"C2", -2.0}, {"B2", -1.5}, {"N", 0.25}})},
        Case{"simplified_rubber", material(181, {{"KM", 80.0},
                                                 {"SGL", 1.0},
                                                 {"SW", 1.0},
                                                 {"ST", 1.0},
                                                 {"LC/TBID", 12.0},
                                                 {"PR/BETA", 0.0},
                                                 {"HU", 0.3}})},
        Case{"simplified_foam", material(181, {{"KM", 80.0},
                                               {"SGL", 1.0},
                                               {"SW", 1.0},
                                               {"ST", 1.0},
                                               {"LC/TBID", 12.0},
                                               {"PR/BETA", 0.2},
                                               {"HU", 0.3}})},
        Case{"fabric", material(34, {{"EA", 0.3}, {"EB", 0.2}, {"GAB", 0.05}, {"PRBA", 0.1}, {"CSE", 1.0}})},
        Case{"glass",
             material(280, {{"FT", 0.3}, {"FC", 3.0}, {"SFSTI", 0.1}, {"SFSTR", 0.2}, {"NCYCR", 3.0}})},
        Case{"crushed_glass",
             material(280, {{"FMOD", 1.0}, {"FT", 0.4}, {"FC", 0.6}, {"CRIN", 1.0}, {"NCYCR", 4.0}})},
        Case{"glass_to_its_end", material(280, {{"FMOD", 2.0}, {"FT", 0.3}, {"FC", 3.0}, {"EPSCR", 0.008}})},
        Case{"pane", material(32, {{"EG", 210.0}, {"PRG", 0.3}, {"SYG", 0.3}, {"ETG", 2.0}, {"EFG", 0.01}})},
        Case{"orthotropic", lamina(2)},
        Case{"composite", lamina(22, {{"YT", 9.0}, {"SC", 9.0}, {"ALPH", 3.0}})},
        Case{"enhanced_composite", lamina(54, {{"DFAILT", 1.0}, {"BETA", 0.5}, {"ALPH", 3.0}})},
        Case{"faceted_fabric", lamina(58, {{"FS", -1.0},
                                           {"TAU1", 0.06},
                                           {"GAMMA1", 0.016},
                                           {"SLIMT1", 0.3},
                                           {"ERODS", 0.03},
                                           {"EPSF", 0.004},
                                           {"EPSR", 0.02}})},
        Case{"direction_of_fabric", lamina(58, {{"SLIMC2", 1.0}})},
        Case{"smooth_fabric", lamina(58, {{"FS", 1.0}})}, Case{"fracture", lamina(262)},
        Case{"plastic_fracture", lamina(262, {{"SIGY", 0.02}, {"ETAN", 1.0}, {"BETA", 0.4}, {"EFS", 0.04}})},
        Case{"pinho", lamina(261)},
        Case{"plastic_pinho", lamina(261, {{"LCSS", 61.0}, {"SIGY", 0.02}, {"BETA", 0.4}, {"EFS", 0.04}})},
        Case{"glue", glue({{"PWRT", 1.5}, {"SHT_SL", 0.2}})},
        Case{"honeycomb", comb(26, {{"LCSR", 8.0}, {"SSEF", 0.01}})},
        Case{"modified_honeycomb", comb(126, {{"LCSR", -1.0}, {"LCSRA", 19.0}, {"TSEF", 0.01}})},
        Case{"tsai_wu", lamina(54, {{"CRIT", 55.0}})}, Case{"elastic_failure", elastic_failure({})},
        Case{"elastic_fluid", elastic_failure({{"REM", 1.0}})}, Case{"gas", fluid({})},
        Case{"hydro", gruneisen(10, {{"PC", -0.5}})}, Case{"hydro_table", tabulated(10, {{"EH", 2.0}})},
        Case{"thermal", thermal({{"D1", 0.01}, {"D2", 0.02}, {"D3", -2.0}, {"D4", 0.01}, {"PC", -2.0}})},
        Case{"thermal_vp", thermal({{"VP", 1.0}, {"PC", -1.0}, {"SPALL", 3.0}})},
        Case{"thermal_shell", without_state(thermal({{"D1", 0.01}, {"D2", 0.02}, {"D3", -2.0}}))},
        Case{"heated", heated({})}, Case{"power", power_law({{"SRC", 40.0}, {"SRP", 5.0}})},
        Case{"power_vp", power_law({{"SRC", 40.0}, {"SRP", 5.0}, {"VP", 1.0}})},
        Case{"rate_dependent", material(19, {{"LC1", 19.0}, {"ETAN", 2.0}})},
        Case{"rate_dependent_vp", material(19, {{"LC1", 19.0}, {"ETAN", 2.0}, {"VP", 1.0}})},
        Case{"compression_tension",
             material(124, {{"LCIDC", 6.0}, {"LCIDT", 5.0}, {"PC", 0.3}, {"PT", 0.2}, {"LCSRC", 8.0}})},
        Case{"johnson_cook", johnson_cook({})}, Case{"johnson_cook_vp", johnson_cook({{"VP", 1.0}})}),
    [](const auto& info) { return info.param.name; });

/// Increment `k` of the path of element `element`; some elements stay elastic.
template <int N>
void path(int element, int k, double (&d)[N]) {
  std::mt19937 engine(static_cast<unsigned>(100 * (element + 100) + k / 6));
  std::normal_distribution<double> draw(0, (element + 99) % 3 == 0 ? 1e-5 : 2e-3);
  for (double& c : d) c = draw(engine);
}

/// Runs `width` elements beginning at `first` in one vector and hands every lane's final state to `sink`.
template <template <class> class Point, class V, class Sink>
void run(const Prepared& law, int first, Sink sink) {
  using P = OnePoint<Point, V>;
  P p(law);
  for (int k = 0; k < 30; ++k) {
    V d[P::n];
    for (int i = 0; i < P::n; ++i) d[i] = V(0);
    for (int l = 0; l < simd::width_v<V>; ++l) {
      double one[P::n];
      path(first + l, k, one);
      for (int i = 0; i < P::n; ++i) simd::set_lane(d[i], l, static_cast<simd::scalar_t<V>>(one[i]));
    }
    p.step(d, 1e-3);
  }
  for (int l = 0; l < simd::width_v<V>; ++l) {
    std::vector<double> state;
    for (const V& s : p.point.s) state.push_back(simd::lane(s, l));
    state.push_back(simd::lane(p.point.plastic_strain, l));
    state.push_back(simd::lane(p.point.failed, l));
    if constexpr (P::n == 6) state.push_back(simd::lane(p.point.d[2], l));
    sink(l, state);
  }
}

template <template <class> class Point>
void check_all(const Prepared& law) {
  using D = simd::Vec<double, 8>;
  using F = simd::Vec<float, 16>;
  std::vector<std::vector<double>> alone(16), single(16);
  for (int e = 0; e < 16; ++e) {
    run<Point, double>(law, e, [&](int, const auto& state) { alone[static_cast<std::size_t>(e)] = state; });
    run<Point, float>(law, e, [&](int, const auto& state) { single[static_cast<std::size_t>(e)] = state; });
  }
  for (const int first : {0, 5, 8})
    run<Point, D>(law, first, [&](int l, const auto& state) {
      EXPECT_EQ(state, alone[static_cast<std::size_t>(first + l)]) << "element " << first + l;
    });
  run<Point, F>(law, 0, [&](int l, const auto& state) {
    const auto& reference = alone[static_cast<std::size_t>(l)];
    EXPECT_EQ(state, single[static_cast<std::size_t>(l)]) << "element " << l;
    for (std::size_t i = 0; i < state.size(); ++i)
      EXPECT_NEAR(state[i], reference[i], 2e-5 * std::max(1.0, std::abs(reference[i]))) << "element " << l;
  });
}

/// States of elements 0 to 15 when the first vector begins `offset` elements before them.
template <template <class> class Point, class V>
std::vector<std::vector<double>> in_windows(const Prepared& law, int offset) {
  std::vector<std::vector<double>> all(16);
  for (int first = -offset; first < 16; first += simd::width_v<V>)
    run<Point, V>(law, first, [&](int l, const auto& state) {
      if (first + l >= 0 && first + l < 16) all[static_cast<std::size_t>(first + l)] = state;
    });
  return all;
}

template <template <class> class Point, class V>
void check_neighbours(const Prepared& law) {
  const auto reference = in_windows<Point, V>(law, 0);
  for (int offset = 1; offset < simd::width_v<V>; offset += 2)
    EXPECT_EQ((in_windows<Point, V>(law, offset)), reference) << "offset " << offset;
}

// Compiled without fused multiply-adds, scalar and vector code must agree to the last bit; and a lane's
// bits must be the same whoever its neighbours are.
TEST_P(Lanes, SolidsAgree) { check_all<SolidPoint>(prepare(curves(), GetParam().material)); }
TEST_P(Lanes, ShellsAgree) { check_all<ShellPoint>(prepare(curves(), GetParam().material)); }
TEST_P(Lanes, BeamsAgree) { check_all<BeamPoint>(prepare(curves(), GetParam().material)); }

// Also with fused multiply-adds and whatever the instruction set: see `in_windows`.
TEST_P(Lanes, NeighboursDoNotMatter) {
  const Prepared law = prepare(curves(), GetParam().material);
  check_neighbours<SolidPoint, simd::Vec<double, 8>>(law);
  check_neighbours<ShellPoint, simd::Vec<double, 4>>(law);
  check_neighbours<ShellPoint, simd::Vec<float, 16>>(law);
  check_neighbours<BeamPoint, simd::Vec<double, 8>>(law);
}

TEST(Lanes, HugeStepsStillReachTheYieldSurface) {
  // A strain increment a hundred times the yield strain, in both precisions.
  const Prepared law = prepare(curves(), material(24, {{"LCSS", 5.0}}));
  const double d[6] = {0.15, -0.08, 0, 0.1, 0.02, 0};
  const float f[6] = {0.15f, -0.08f, 0, 0.1f, 0.02f, 0};
  Shell<double> a(law);
  Shell<float> b(law);
  a.step(d);
  b.step(f);
  const model::Curve c = curves().curves[0];
  EXPECT_NEAR(mises(a.point.s), c(a.point.plastic_strain), 1e-11);
  EXPECT_NEAR(b.point.s[0], a.point.s[0], 1e-6);
  EXPECT_NEAR(b.point.plastic_strain, a.point.plastic_strain, 1e-6);
}

}  // namespace
}  // namespace crumple::materials
