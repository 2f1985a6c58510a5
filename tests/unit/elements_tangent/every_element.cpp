// The stiffness of every element with every law that it takes, against central differences of its forces.
//
// A distorted element is led through some steps, so that its state is not zero; then the stiffness of one
// more step, loading or unloading, is compared. Differences are Richardson's of two central ones, whose error
// is of the fourth power of the increment.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>

#include "../elements_solid/driver.hpp"
#include "base/error.hpp"
#include "elements/tangent.hpp"
#include "materials/muscle/muscle.hpp"

namespace crumple::test {
namespace {

using elements::Isa;
using elements::kLanes;
using elements::TangentArguments;
using model::ElementKind;

constexpr double kWithin = 1e-7;  ///< of the largest entry of the stiffness

using Fields = std::map<std::string, double>;

struct Law {
  const char* name;
  int number;
  Fields fields;
  bool corner_at_rest =
      false;  ///< a table has a corner at no strain, which differences of small strains cross
};

/// Steel-like, in GPa, mm, ms, kg; rubber where it is one.
const Law kLaws[] = {
    {"elastic", 1, {}},
    {"kinematic", 3, {{"SIGY", 0.3}, {"ETAN", 10.0}, {"BETA", 0.3}}},
    {"heated",
     4,
     {{"T1", -100.0},
      {"T2", 200.0},
      {"E1", 220.0},
      {"E2", 150.0},
      {"PR1", 0.3},
      {"PR2", 0.32},
      {"SIGY1", 0.4},
      {"SIGY2", 0.2},
      {"ETAN1", 5.0},
      {"ETAN2", 3.0}}},
    {"isotropic_rate", 3, {{"SIGY", 0.3}, {"ETAN", 10.0}, {"BETA", 1.0}, {"SRC", 40.0}, {"SRP", 5.0}}},
    {"low_cost", 12, {{"SIGY", 0.3}, {"ETAN", 5.0}, {"G", 210.0 / 2.6}, {"BULK", 210.0 / 1.2}}},
    {"bilinear", 24, {{"SIGY", 0.3}, {"ETAN", 10.0}}},
    {"curve", 24, {{"LCSS", 5.0}}},
    {"curve_rate", 24, {{"LCSS", 5.0}, {"C", 40.0}, {"P", 5.0}}},
    {"viscoplastic", 24, {{"LCSS", 5.0}, {"SIGY", 0.2}, {"C", 40.0}, {"P", 5.0}, {"VP", 1.0}}},
    {"blatz_ko", 7, {{"G", 30.0}}},
    {"orthotropic",
     2,
     {{"EA", 240.0},
      {"EB", 80.0},
      {"EC", 60.0},
      {"PRBA", 0.1},
      {"PRCA", 0.08},
      {"PRCB", 0.3},
      {"GAB", 50.0},
      {"GBC", 30.0},
      {"GCA", 40.0}}},
    {"glass", 280, {{"FT", 0.3}, {"FC", 9.0}, {"SFSTI", 0.1}, {"SFSTR", 0.2}, {"NCYCR", 3.0}}},
    {"pane", 32, {{"EG", 210.0}, {"PRG", 0.3}, {"SYG", 0.3}, {"ETG", 5.0}, {"EFG", 0.9}}},
    {"fabric_58",
     58,
     {{"EA", 240.0},
      {"EB", 80.0},
      {"EC", 60.0},
      {"PRBA", 0.1},
      {"PRCA", 0.08},
      {"PRCB", 0.3},
      {"GAB", 50.0},
      {"GBC", 30.0},
      {"GCA", 40.0},
      {"XT", 1.0},
      {"XC", 0.8},
      {"YT", 0.3},
      {"YC", 0.5},
      {"SC", 0.25},
      {"E11T", 0.006},
      {"E11C", 0.005},
      {"E22T", 0.005},
      {"E22C", 0.009},
      {"GMS", 0.01}}},
    {"fracture", 262, {{"EA", 240.0},  {"EB", 80.0},  {"EC", 60.0},  {"PRBA", 0.1}, {"PRCA", 0.08},
                       {"PRCB", 0.3},  {"GAB", 50.0}, {"GBC", 30.0}, {"GCA", 40.0}, {"XT", 1.0},
                       {"XC", 0.8},    {"YT", 0.3},   {"YC", 0.5},   {"SL", 0.25},  {"SIGY", 0.1},
                       {"ETAN", 10.0}, {"BETA", 0.5}, {"GXT", 0.1},  {"GXC", 0.08}, {"GYT", 0.01},
                       {"GYC", 0.02},  {"GSL", 0.02}}},
    {"pinho",
     261,
     {{"EA", 240.0},
      {"EB", 80.0},
      {"EC", 60.0},
      {"PRBA", 0.1},
      {"PRCA", 0.08},
      {"PRCB", 0.3},
      {"GAB", 50.0},
      {"GBC", 30.0},
      {"GCA", 40.0},
      {"XT", 1.0},
      {"XC", 0.8},
      {"YT", 0.3},
      {"YC", 0.5},
      {"SL", 0.25},
      {"ENA", 0.1},
      {"ENKINK", 0.08},
      {"ENB", 0.01},
      {"ENT", 0.02},
      {"ENL", 0.02}}},
    {"honeycomb",
     26,
     {{"SIGY", 0.5},
      {"VF", 0.2},
      {"LCA", 11.0},
      {"EAAU", 140.0},
      {"EBBU", 100.0},
      {"ECCU", 80.0},
      {"GABU", 50.0},
      {"GBCU", 30.0},
      {"GCAU", 40.0}}},
    {"modified_honeycomb",
     126,
     {{"SIGY", 0.5},
      {"VF", 0.2},
      {"LCA", 11.0},
      {"LCSR", 19.0},
      {"EAAU", 140.0},
      {"EBBU", 100.0},
      {"ECCU", 80.0},
      {"GABU", 50.0},
      {"GBCU", 30.0},
      {"GCAU", 40.0}}},
    {"cohesive_elastic", 184, {{"ET", 800.0}, {"EN", 1000.0}}},
    {"cohesive_th",
     185,
     {{"SIGMAX", 0.3},
      {"NLS", 0.05},
      {"TLS", 0.08},
      {"LAMDA1", 0.02},
      {"LAMDA2", 0.05},
      {"LAMDAF", 1.0},
      {"STFSF", 1.5}}},
    {"cohesive_power_law",
     138,
     {{"EN", 1000.0}, {"ET", 800.0}, {"T", 0.3}, {"S", 0.4}, {"GIC", 0.0075}, {"GIIC", 0.02}, {"XMU", 1.5}}},
    {"cohesive_benzeggagh",
     138,
     {{"EN", 1000.0},
      {"ET", 800.0},
      {"T", 0.3},
      {"S", 0.4},
      {"GIC", 0.0075},
      {"GIIC", 0.02},
      {"XMU", -1.4},
      {"GAMMA", 2.0}}},
    {"cohesive_elastoplastic",
     240,
     {{"EMOD", 200.0},
      {"GMOD", 160.0},
      {"THICK", 0.2},
      {"T0", 0.3},
      {"S0", 0.4},
      {"G1C_0", 0.0075},
      {"G2C_0", 0.02},
      {"FG1", 0.3},
      {"FG2", 0.4}}},
    {"cohesive_general",
     186,
     {{"TSLC", 33.0}, {"T", 0.3}, {"S", 0.4}, {"GIC", 0.0075}, {"GIIC", 0.02}, {"XMU", 1.5}, {"TES", 1.0}}},
    {"cohesive_dimensionless",
     186,
     {{"TSLC", 33.0}, {"T", 0.3}, {"S", 0.4}, {"GIC", 0.0075}, {"GIIC", 0.02}, {"TES", 2.0}, {"STFSF", 1.0}}},
    {"rubber", 27, {{"A", 30.0}, {"B", 3.0}, {"PR", 0.48}}},
    {"viscoelastic", 6, {{"BULK", 80.0}, {"G0", 40.0}, {"GI", 10.0}, {"BETA", 100.0}}},
    // Unloading with HU has corners at no strain, which differences cross at one point or another of eight:
    // tests/unit/materials/tangent.cpp has it.
    {"foam", 57, {{"E", 100.0}, {"LCID", 9.0}, {"ED", 10.0}, {"BETA1", 100.0}}},
    {"viscous_foam", 62, {{"E1", 100.0}, {"N1", 2.0}, {"PR", 0.1}}},
    {"polymer", 89, {{"LCSS", 89.0}}},
    {"low_density_viscous_foam", 73, {{"E", 100.0}, {"LCID", 9.0}, {"GI1", 10.0}, {"BETAI1", 100.0}}},
    {"kelvin_maxwell", 61, {{"BULK", 80.0}, {"G0", 40.0}, {"GI", 10.0}, {"DC", 100.0}}},
    {"general_viscoelastic", 76, {{"BULK", 80.0}, {"GI1", 10.0}, {"GI2", 30.0}, {"BETAI2", 100.0}}},
    {"hyperelastic",
     77,
     {{"C10", 20.0},
      {"C01", 5.0},
      {"C11", 1.0},
      {"C20", 2.0},
      {"C30", 1.0},
      {"PR", 0.48},
      {"GI1", 5.0},
      {"BETAI1", 100.0}}},
    {"ogden",
     771,
     {{"MU1", 50.0},
      {"ALPHA1", 1.3},
      {"MU2", -2.0},
      {"ALPHA2", -2.5},
      {"PR", 0.48},
      {"GI1", 5.0},
      {"BETAI1", 100.0}}},
    {"soil", 5, {{"G", 40.0}, {"KUN", 200.0}, {"LCID", 11.0}, {"A0", 0.1}, {"A1", 0.2}, {"PC", -5.0}}},
    {"hill_sheet", 37, {{"SIGY", 0.3}, {"ETAN", 5.0}, {"R", 2.0}}},
    {"barlat",
     36,
     {{"HR", 1.0}, {"P1", 5.0}, {"P2", 0.3}, {"M", 6.0}, {"R00", 1.5}, {"R45", 1.2}, {"R90", 2.0}}},
    {"yld2000",
     133,
     {{"HARD", -5.0},
      {"A", 8.0},
      {"ALPHA1", 0.94},
      {"ALPHA2", 0.99},
      {"ALPHA3", 1.02},
      {"ALPHA4", 1.02},
      {"ALPHA5", 1.0},
      {"ALPHA6", 0.98},
      {"ALPHA7", 0.98},
      {"ALPHA8", 1.13}}},
    {"hill_3r", 122, {{"HR", 1.0}, {"P1", 5.0}, {"P2", 0.3}, {"R00", 1.5}, {"R45", 1.2}, {"R90", 2.0}}},
    {"gurson",
     120,
     {{"SIGY", 0.3},
      {"ATYP", 2.0},
      {"ETAN", 2.0},
      {"Q1", 1.5},
      {"Q2", 1.0},
      {"F0", 0.01},
      {"FC", 0.1},
      {"FF0", 0.25},
      {"FN", 0.04},
      {"EN", 0.01},
      {"SN", 0.01}}},
    {"concrete", 159, {{"G", 11.5},       {"K", 12.6},      {"ALPHA", 0.29}, {"THETA", 0.2965},
                       {"LAMDA", 0.21},   {"BETA", 0.96},   {"NH", 1.0},     {"ALPHA1", 0.74735},
                       {"THETA1", 0.058}, {"LAMDA1", 0.17}, {"BETA1", 3.5},  {"ALPHA2", 0.66},
                       {"THETA2", 0.069}, {"LAMDA2", 0.16}, {"BETA2", 3.6},  {"R", 5.0},
                       {"X0", 1.8},       {"W", 0.05},      {"D1", 0.0125},  {"D2", 0.00087},
                       {"B", 100.0},      {"GFC", 0.01},    {"D", 0.1},      {"GFT", 0.01},
                       {"GFS", 0.01},     {"PWRC", 5.0},    {"PWRT", 1.0}}},
    {"frazer_nash",
     31,
     {{"C100", 30.0},
      {"C200", 5.0},
      {"C300", 1.0},
      {"C110", 2.0},
      {"C010", -10.0},
      {"C020", 3.0},
      {"PR", 0.48}}},
    {"shape_memory",
     30,
     {{"SIG_ASS", 0.3},
      {"SIG_ASF", 0.5},
      {"SIG_SAS", 0.2},
      {"SIG_SAF", 0.1},
      {"EPSL", 0.02},
      {"ALPHA", 0.1},
      {"YMRT", 100.0}}},
    {"anisotropic",
     103,
     {{"SIGY", 0.3},
      {"QR1", 0.1},
      {"CR1", 20.0},
      {"QR2", 0.05},
      {"CR2", 200.0},
      {"R00/F", 0.4},
      {"R45/G", 0.6},
      {"R90/H", 0.5},
      {"L", 1.3},
      {"M", 1.6},
      {"N", 1.8}}},
    {"damage_2", 105, {{"LCSS", 5.0}, {"S", 1e-2}, {"DC", 0.9}}},
    {"samp", 187, {{"EMOD", 210.0}, {"NUE", 0.3}, {"LCID-T", 20.0}, {"LCID-C", 5.0}, {"NUEP", 0.4}}},
    {"tabulated_johnson_cook", 224, {{"LCK1", 5.0}, {"LCF", 32.0}}},
    {"crushable", 63, {{"E", 100.0}, {"LCID", 11.0}, {"TSC", 0.3}}},
    {"modified_crushable", 163, {{"E", 100.0}, {"TID", 11.0}, {"TSC", 0.3}}},
    {"deshpande_fleck",
     154,
     {{"ALPHA", 2.0}, {"GAMMA", 5.0}, {"EPSD", 1.4}, {"ALPHA2", 0.3}, {"BETA", 4.0}, {"SIGP", 0.3}}},
    {"soil_failure",
     14,
     {{"G", 40.0}, {"KUN", 200.0}, {"LCID", 11.0}, {"A0", 0.1}, {"A1", 0.2}, {"PC", -5.0}}},
    {"fu_chang", 83, {{"E", 100.0}, {"TBID", 9.0}}},
    {"hill", 177, {{"C1", 20.0}, {"B1", 4.0}, {"C2", -2.0}, {"B2", -1.5}, {"N", 0.25}}},
    {"simplified_rubber",
     181,
     {{"KM", 80.0}, {"SGL", 1.0}, {"SW", 1.0}, {"ST", 1.0}, {"LC/TBID", 12.0}, {"PR/BETA", 0.2}},
     true},
    {"damage", 81, {{"LCSS", 5.0}, {"EPPF", 0.001}, {"EPPFR", 0.5}}},
    {"johnson_cook",
     98,
     {{"A", 0.3}, {"B", 0.4}, {"N", 0.35}, {"C", 0.02}, {"EPSO", 0.001}, {"SIGSAT", 0.6}}},
    {"johnson_cook_vp",
     98,
     {{"A", 0.3}, {"B", 0.4}, {"N", 0.35}, {"C", 0.02}, {"EPSO", 0.001}, {"SIGSAT", 0.6}, {"VP", 1.0}}},
    {"elastic_failure",
     13,
     {{"G", 80.0}, {"BULK", 170.0}, {"SIGY", 0.3}, {"ETAN", 5.0}, {"EPF", 0.5}, {"PRF", -90.0}}},
    {"power_law", 18, {{"K", 0.6}, {"N", 0.2}, {"SIGY", 0.002}, {"SRC", 40.0}, {"SRP", 5.0}}},
    {"power_law_vp", 18, {{"K", 0.6}, {"N", 0.2}, {"SIGY", 0.002}, {"SRC", 40.0}, {"SRP", 5.0}, {"VP", 1.0}}},
    {"rate_dependent", 19, {{"LC1", 19.0}, {"ETAN", 5.0}}},
    {"compression_tension", 124, {{"LCIDC", 5.0}, {"LCIDT", 20.0}, {"PC", 90.0}, {"PT", 90.0}}},
    {"gas", 9, {{"EOS.FORM", 1.0}, {"EOS.C1", 2.2}, {"EOS.C4", 0.4}, {"EOS.E0", 0.1}, {"PC", -9.0}}},
    {"hydro",
     10,
     {{"G", 80.0},
      {"SIGY", 0.3},
      {"EH", 5.0},
      {"EOS.FORM", 4.0},
      {"EOS.C", 4000.0},
      {"EOS.S1", 1.5},
      {"EOS.GAMAO", 2.0}}},
    {"johnson_cook_hydro",
     15,
     {{"G", 80.0},
      {"A", 0.3},
      {"B", 0.4},
      {"N", 0.35},
      {"C", 0.02},
      {"EPSO", 0.001},
      {"M", 1.0},
      {"TM", 1800.0},
      {"CP", 50.0},
      {"EOS.FORM", 4.0},
      {"EOS.C", 4000.0},
      {"EOS.S1", 1.5},
      {"EOS.GAMAO", 2.0}}},
    {"johnson_cook_shell",
     15,
     {{"A", 0.3},
      {"B", 0.4},
      {"N", 0.35},
      {"C", 0.02},
      {"EPSO", 0.001},
      {"M", 1.0},
      {"TM", 1800.0},
      {"CP", 50.0}}},
    {"spot_weld", 100, {{"SIGY", 0.3}, {"EH", 5.0}}},
    {"major_strain", 123, {{"LCSS", 5.0}, {"EPSMAJ", 0.5}}},
    {"erosion", 24, {{"LCSS", 5.0}, {"EROSION.MXEPS", 0.5}}},
    {"damage",
     24,
     {{"LCSS", 5.0},
      {"DAMAGE.DTYP", 1.0},
      {"DAMAGE.LCSDG", 32.0},
      {"DAMAGE.ECRIT", 1e-5},
      {"DAMAGE.DMGEXP", 2.0},
      {"DAMAGE.FADEXP", 1.5}}},
    {"spring", 1001, {{"K", 50.0}}},
    {"damper", 1002, {{"DC", 8.0}}},
    {"elastoplastic_spring", 1003, {{"K", 50.0}, {"KT", 5.0}, {"FY", 0.01}}},
    {"nonlinear_spring", 1004, {{"LCD", 7.0}, {"LCR", 8.0}}},
    {"nonlinear_damper", 1005, {{"LCDR", 7.0}}},
    {"maxwell_spring", 1007, {{"K0", 50.0}, {"KI", 20.0}, {"BETA", 100.0}}},
    {"muscle_spring",
     1015,
     {{"L0", 0.5}, {"VMAX", 9.0}, {"A", 0.7}, {"FMAX", 3.0}, {"TV", -8.0}, {"KSH", 3.0}, {"LMAX", 2.0}},
     true},  // the curve of the rate begins at 0
    {"muscle",
     156,
     {{"SNO", 1.1},
      {"SRM", 9.0},
      {"PIS", 3.0},
      {"SSM", 0.5},
      {"CER", 4.0},
      {"DMP", 0.01},
      {"ALM", 0.7},
      {"SVR", -8.0}}},
    {"inelastic_spring", 1008, {{"LCFD", 31.0}, {"KU", 60.0}, {"CTF", -1.0}}},
    {"discrete_linear",
     66,
     {{"TKR", 5.0},
      {"TKS", 3.0},
      {"TKT", 4.0},
      {"RKR", 1.0},
      {"RKS", 2.0},
      {"RKT", 3.0},
      {"TDR", 0.1},
      {"FOT", 0.5}}},
    {"cable", 71, {{"F0", 0.5}}},
    {"discrete_unloading",
     119,
     {{"IUNLD", 2.0},
      {"KT", 30.0},
      {"LCIDTR", 29.0},
      {"LCIDTUR", 30.0},
      {"LCIDRS", 29.0},
      {"LCIDTDS", 29.0}}},
};

model::Curve curve(GlobalId id, std::vector<double> x, std::vector<double> y) {
  model::Curve c;
  c.id = id;
  c.x = std::move(x);
  c.y = std::move(y);
  return c;
}
std::vector<model::Curve> curves() {
  return {curve(5, {0, 0.01, 0.03, 0.08, 0.2}, {0.3, 0.36, 0.4, 0.42, 0.52}),
          curve(7, {-1, 0.0, 1e-3, 1.0}, {-20, 0, 0.03, 30}),
          curve(8, {-10, 0, 10}, {1, 1.2, 3}),
          curve(9, {0, 0.1, 0.6, 0.8}, {0, 10, 20, 80}),
          curve(89, {0, 0.001, 0.05}, {0, 0.21, 0.5}),
          curve(12, {-0.5, -0.1, 0.1, 0.98}, {-80, -10, 10, 80}),
          curve(11, {0, 0.5, 0.6}, {0.2, 0.4, 10.4}),
          curve(19, {0, 1000}, {0.25, 0.5}),
          curve(20, {0, 0.2}, {0.25, 0.4}),
          curve(29, {-1, 1}, {-20, 20}),
          curve(30, {-1, 1}, {-5, 5}),
          curve(31, {0, 1}, {0, 20}),
          curve(32, {-2, 2}, {0.2, 0.1}),
          curve(33, {0, 0.02, 1}, {0, 1, 0})};
}
model::Material material_of(const Law& law) {
  model::Material m;
  m.id = 7;
  m.law = law.number;
  m.name = "MAT_TEST";
  m.density = 7.8e-6;
  m.fields = {{"E", 210.0}, {"PR", 0.3}};
  for (const auto& [name, value] : law.fields) m.fields[name] = value;
  m.place = {"deck.k", 12, "1", ""};
  return m;
}

/// What a group asks of its elements beyond their law.
struct Options {
  int hourglass = 0;
  double damping = 0, drilling = 0, nloc = 0;
  bool thinning = false, rotational = false, ground = false;
  int scoor = 0;    ///< of discrete beams
  int preload = 0;  ///< 1, or 2 where shear or moments stay (materials/wrappers/preload.hpp)
};

/// Corners of elements of size 1, by number of nodes; moved at random.
std::vector<Vec3> corners(ElementKind kind, int n, std::mt19937& engine) {
  std::vector<Vec3> x;
  if (kind == ElementKind::shell && n == 4) x = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  if (kind == ElementKind::shell && n == 3) x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  if (n == 2) x = {{0, 0, 0}, {1, 0, 0}};
  if (n == 8) x = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  if (n == 6) x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  if (kind == ElementKind::solid && n == 4) x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  if (n == 10)
    x = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 0, 0},
         {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  std::uniform_real_distribution<double> move(-0.12, 0.12);
  for (Vec3& corner : x) corner += Vec3{move(engine), move(engine), move(engine)};
  return x;
}

/// One element with its state.
struct Element {
  Driver<double> driver;
  elements::Tangent tangent;
  int n_nodes, n_dof;
  bool rotations;
  std::vector<double> x, v, w, state;
  double dt = 1e-3, time = 0;
};

std::optional<Element> make(const elements::Formulation& f, const Law& law, const Options& o, Isa isa) {
  const auto tangent = elements::find_tangent(isa, f.kind, f.elform);
  if (!tangent) throw std::runtime_error("no tangent of " + f.name);
  try {
    Element e{Driver<double>(f.kind, f.elform, material_of(law), 1e12, curves()),
              tangent,
              f.n_nodes,
              f.n_nodes * (f.rotations ? 6 : 3),
              f.rotations,
              {},
              {},
              {},
              {}};
    Driver<double>& d = e.driver;
    if (!materials::missing(d.group.law.row->needs, f.gives).empty()) return std::nullopt;
    d.control.implicit.active = d.control.implicit.whole = true;
    d.section.thickness = {0.3, 0.3, 0.3, 0.3};
    d.section.nip = f.kind == ElementKind::beam ? 2 : f.layers > 0 ? f.layers : 3;
    d.section.shear_factor = 5.0 / 6.0;
    d.section.ts = {0.3, 0.3};
    d.section.tt = {0.4, 0.4};
    d.section.area = 0.12;
    d.section.iss = 0.3 * 0.4 * 0.4 * 0.4 / 12;
    d.section.itt = 0.4 * 0.3 * 0.3 * 0.3 / 12;
    d.section.j = d.section.iss + d.section.itt;
    d.section.shear_area = 0.1;
    d.section.rotational = o.rotational;
    if (o.hourglass) d.group.hourglass.type = o.hourglass;
    d.group.stiffness_damping = o.damping;
    d.group.drilling = o.drilling;
    // The viscous pressure that an element gives to such a law has no derivative; implicit steps have none.
    if (d.group.law.row->needs.energy) d.group.hourglass.q1 = d.group.hourglass.q2 = 0;
    // Nor has bulk viscosity where expansion becomes compression; the volume of this element changes so
    // little in the smallest step back that differences cross that corner.
    if (f.n_nodes == 10) d.group.hourglass.q1 = d.group.hourglass.q2 = 0;
    std::mt19937 engine(17);
    for (const Vec3& x : corners(f.kind, f.n_nodes, engine)) d.add_node(x);
    elements::ElementInput input;
    input.thickness[0] = input.thickness[1] = input.thickness[2] = input.thickness[3] = 0.3;
    input.has_orientation = f.kind == ElementKind::beam;
    input.orientation = {0.1, 5, 2};
    input.to_ground = o.ground;
    std::vector<int> nodes(static_cast<std::size_t>(f.n_nodes));
    for (int n = 0; n < f.n_nodes; ++n) nodes[static_cast<std::size_t>(n)] = o.ground ? 0 : n;
    d.add_element(nodes, input);
    if (f.kind == ElementKind::beam && f.elform == 6)
      d.set_section({.volume = 2, .inertia = 0.5, .cable_area = 0.12, .scoor = o.scoor});
    if (o.preload) d.add_preload(o.preload == 2);
    d.start();
    if (o.preload) d.set_preload(f.kind == ElementKind::beam ? 0.01 : 0.1, {0.6, 0.0, 0.8});
    d.group.nloc = o.nloc;
    d.group.thickness_update = o.thinning;
    for (const int node : nodes)
      for (int i = 0; i < 3; ++i) e.x.push_back(d.nodes.x[static_cast<std::size_t>(node)][i]);
    e.v.assign(e.x.size(), 0.0);
    e.w.assign(e.x.size(), 0.0);
    e.state.assign(d.state.begin(), d.state.end());
    return std::optional<Element>(std::move(e));
  } catch (const Error&) {
    return std::nullopt;  // the element does not take the law
  }
}

/// The element's answer for the motion of `e` and an increment of size h along degree of freedom `dof`.
TangentArguments ask(Element& e, const std::vector<double>& x, const std::vector<double>& v,
                     const std::vector<double>& w, std::vector<double>& after, std::vector<double>& force,
                     std::vector<double>* stiffness) {
  after.resize(e.state.size());
  force.resize(static_cast<std::size_t>(e.n_dof));
  e.driver.group.section = &e.driver.section;
  TangentArguments a;
  a.group = &e.driver.group;
  a.x = x.data();
  a.v = v.data();
  a.w = w.data();
  a.state = e.state.data();
  a.dt = e.dt;
  a.time = e.time;
  a.state_after = after.data();
  a.force = force.data();
  if (stiffness) {
    stiffness->resize(static_cast<std::size_t>(e.n_dof * e.n_dof));
    a.stiffness = stiffness->data();
  }
  e.tangent(a);
  return a;
}

std::vector<double> moved_force(Element& e, int dof, double h) {
  const int per_node = e.rotations ? 6 : 3, node = dof / per_node, i = dof % per_node;
  std::vector<double> x = e.x, v = e.v, w = e.w, after, force;
  const auto at = static_cast<std::size_t>(3 * node + i % 3);
  if (i < 3)
    x[at] += h, v[at] += h / e.dt;
  else
    w[at] += h / e.dt;
  ask(e, x, v, w, after, force, nullptr);
  return force;
}

/// The largest difference of a stiffness from that of differences, of its largest entry.
double worst(Element& e, const std::vector<double>& stiffness) {
  const double h = 5e-7;
  double largest = 0, error = 0;
  for (const double k : stiffness) largest = std::max(largest, std::abs(k));
  for (int j = 0; j < e.n_dof; ++j) {
    const auto up = moved_force(e, j, h), down = moved_force(e, j, -h), up2 = moved_force(e, j, 2 * h),
               down2 = moved_force(e, j, -2 * h);
    for (int i = 0; i < e.n_dof; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const double one = (up[k] - down[k]) / (2 * h), two = (up2[k] - down2[k]) / (4 * h);
      const double slope = (4 * one - two) / 3;
      error = std::max(error, std::abs(stiffness[static_cast<std::size_t>(i * e.n_dof + j)] - slope));
    }
  }
  return error / largest;
}

/// Lead the element through steps of strain `size` and compare the stiffness of the last, which goes on or
/// turns back.
void check(Element& e, double size, bool back, const std::string& what) {
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> draw(-1, 1);
  std::vector<double> drift(e.x.size()), turn(e.x.size());
  for (double& d : drift) d = draw(engine);
  for (double& t : turn) t = draw(engine);
  std::vector<double> after, force, stiffness;
  constexpr int kSteps = 4;
  for (int step = 0; step < kSteps; ++step) {
    const double sign = back && step == kSteps - 1 ? -0.3 : 1;
    for (std::size_t k = 0; k < e.x.size(); ++k) {
      e.v[k] = size / e.dt * (sign * drift[k] + 0.2 * draw(engine));
      e.w[k] = size / e.dt * (sign * turn[k] + 0.2 * draw(engine));
      e.x[k] += e.dt * e.v[k];
    }
    e.time += e.dt;
    if (step == kSteps - 1) break;
    ask(e, e.x, e.v, e.w, after, force, nullptr);
    for (std::size_t k = 0; k < after.size(); k += kLanes) e.state[k] = after[k];
  }
  const TangentArguments a = ask(e, e.x, e.v, e.w, after, force, &stiffness);
  EXPECT_TRUE(a.survives) << what;
  std::vector<double> plain;
  ask(e, e.x, e.v, e.w, after, plain, nullptr);
  double most = 0;
  for (const double f : plain) most = std::max(most, std::abs(f));
  for (std::size_t k = 0; k < plain.size(); ++k) EXPECT_NEAR(force[k], plain[k], 1e-9 * most) << what;
  const double error = worst(e, stiffness);
  EXPECT_LE(error, kWithin) << what;
}

class Tangent : public testing::TestWithParam<elements::Formulation> {};
INSTANTIATE_TEST_SUITE_P(Every, Tangent,
                         testing::ValuesIn(elements::formulations().begin(), elements::formulations().end()),
                         [](const auto& info) {
                           std::string kind = model::kind_name(info.param.kind);
                           std::ranges::replace(kind, ' ', '_');
                           const int n = info.param.elform;
                           return kind + (n < 0 ? "_minus" : "_") + std::to_string(std::abs(n));
                         });

std::vector<Options> options_of(const elements::Formulation& f) {
  std::vector<Options> all{{}};
  if (f.kind == ElementKind::shell) {
    all.push_back({.hourglass = 4, .drilling = 1, .nloc = 1, .thinning = true});
    all.push_back({.hourglass = 8, .damping = 0.1});
  } else if (f.kind == ElementKind::solid && f.elform == 1) {
    for (const int type : {1, 2, 4, 6}) all.push_back({.hourglass = type});
    all.push_back({.hourglass = 6, .damping = -1e-4});
  } else if (f.kind == ElementKind::discrete) {
    all.push_back({.rotational = true});
    all.push_back({.ground = true});
  } else if (f.kind == ElementKind::beam && f.elform == 6) {
    for (const int scoor : {-1, 2, 3}) all.push_back({.scoor = scoor});
  } else {
    all.push_back({.damping = 0.1});
  }
  const bool beam = f.kind == ElementKind::beam && (f.elform == 1 || f.elform == 9);
  if ((f.kind == ElementKind::solid && f.elform < model::kThickShells) || beam)
    for (const int preload : {1, 2}) all.push_back({.preload = preload});
  return all;
}

bool takes(const elements::Formulation& f, const Law& law) {
  const ElementKind kind = f.kind;
  using materials::Supports;
  const bool cohesive = kind == ElementKind::solid && f.elform >= 19 && f.elform < model::kThickShells;
  if (f.elform == model::kThickShells + 1 || f.elform == model::kThickShells + 2)
    return materials::supports(law.number, &Supports::shell) && law.number != 9;
  if (cohesive) return materials::supports(law.number, &Supports::cohesive);
  const auto elements = kind == ElementKind::solid   ? &Supports::solid
                        : kind == ElementKind::shell ? &Supports::shell
                        : kind == ElementKind::beam  ? &Supports::beam
                                                     : &Supports::discrete;
  if (law.fields.contains("EOS.FORM")) return kind == ElementKind::solid;
  if (law.fields.contains("DAMAGE.LCSDG")) return kind == ElementKind::solid || kind == ElementKind::shell;
  const bool discrete_beam = materials::is_discrete_beam(*materials::find_law(law.number));
  const bool muscle = materials::is_muscle(*materials::find_law(law.number));
  if (muscle) return kind == ElementKind::beam && f.elform == 3;
  return materials::supports(law.number, elements) || (kind == ElementKind::beam && discrete_beam);
}

TEST_P(Tangent, IsThatOfDifferences) {
  const elements::Formulation& f = GetParam();
  // Refused in implicit runs: points of thick shells are one step behind where they yield.
  if (f.elform > model::kThickShells + 2 || f.kind == model::ElementKind::sph) {
    EXPECT_EQ(elements::find_tangent(elements::best_isa(), f.kind, f.elform), nullptr);
    return;
  }
  int taken = 0;
  for (const Law& law : kLaws)
    for (const Options& options : options_of(f))
      for (const double size : {2e-5, 2e-3})  // elastic, plastic
        for (const bool back : {false, true}) {
          if (!takes(f, law)) continue;  // refused where the model is read
          if (law.corner_at_rest && size < 1e-3) continue;
          if (options.preload && !materials::find_law(law.number)->elastic_fields) continue;
          std::optional<Element> e = make(f, law, options, elements::best_isa());
          if (!e) continue;
          ++taken;
          check(*e, size, back,
                f.name + ", " + law.name + ", hourglass " + std::to_string(options.hourglass) + ", damping " +
                    std::to_string(options.damping) + ", strain " + std::to_string(size) +
                    (back ? ", back" : "") + ", preload " + std::to_string(options.preload));
        }
  EXPECT_GT(taken, 0);
}

}  // namespace
}  // namespace crumple::test
