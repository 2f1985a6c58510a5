// The stiffness of every element with every law that it takes, against central differences of its forces.
//
// A distorted element is led through some steps, so that its state is not zero; then the stiffness of one
// more step, loading or unloading, is compared. Differences are Richardson's of two central ones, whose error
// is of the fourth power of the increment.
#include <gtest/gtest.h>

#include <optional>
#include <random>

#include "../elements_solid/driver.hpp"
#include "base/error.hpp"
#include "elements/tangent.hpp"

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
};

/// Steel-like, in GPa, mm, ms, kg; rubber where it is one.
const Law kLaws[] = {
    {"elastic", 1, {}},
    {"kinematic", 3, {{"SIGY", 0.3}, {"ETAN", 10.0}, {"BETA", 0.3}}},
    {"isotropic_rate", 3, {{"SIGY", 0.3}, {"ETAN", 10.0}, {"BETA", 1.0}, {"SRC", 40.0}, {"SRP", 5.0}}},
    {"low_cost", 12, {{"SIGY", 0.3}, {"ETAN", 5.0}, {"G", 210.0 / 2.6}, {"BULK", 210.0 / 1.2}}},
    {"bilinear", 24, {{"SIGY", 0.3}, {"ETAN", 10.0}}},
    {"curve", 24, {{"LCSS", 5.0}}},
    {"curve_rate", 24, {{"LCSS", 5.0}, {"C", 40.0}, {"P", 5.0}}},
    {"viscoplastic", 24, {{"LCSS", 5.0}, {"SIGY", 0.2}, {"C", 40.0}, {"P", 5.0}, {"VP", 1.0}}},
    {"blatz_ko", 7, {{"G", 30.0}}},
    {"rubber", 27, {{"A", 30.0}, {"B", 3.0}, {"PR", 0.48}}},
    {"damage", 81, {{"LCSS", 5.0}, {"EPPF", 0.001}, {"EPPFR", 0.5}}},
    {"johnson_cook",
     98,
     {{"A", 0.3}, {"B", 0.4}, {"N", 0.35}, {"C", 0.02}, {"EPSO", 0.001}, {"SIGSAT", 0.6}}},
    {"johnson_cook_vp",
     98,
     {{"A", 0.3}, {"B", 0.4}, {"N", 0.35}, {"C", 0.02}, {"EPSO", 0.001}, {"SIGSAT", 0.6}, {"VP", 1.0}}},
    {"spot_weld", 100, {{"SIGY", 0.3}, {"EH", 5.0}}},
    {"major_strain", 123, {{"LCSS", 5.0}, {"EPSMAJ", 0.5}}},
    {"erosion", 24, {{"LCSS", 5.0}, {"EROSION.MXEPS", 0.5}}},
    {"spring", 1001, {{"K", 50.0}}},
    {"damper", 1002, {{"DC", 8.0}}},
    {"elastoplastic_spring", 1003, {{"K", 50.0}, {"KT", 5.0}, {"FY", 0.01}}},
    {"nonlinear_spring", 1004, {{"LCD", 7.0}, {"LCR", 8.0}}},
    {"nonlinear_damper", 1005, {{"LCDR", 7.0}}},
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
          curve(7, {-1, 0.0, 1e-3, 1.0}, {-20, 0, 0.03, 30}), curve(8, {-10, 0, 10}, {1, 1.2, 3})};
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
                           const char* kind = info.param.kind == ElementKind::solid   ? "solid"
                                              : info.param.kind == ElementKind::shell ? "shell"
                                              : info.param.kind == ElementKind::beam  ? "beam"
                                                                                      : "discrete";
                           const int n = info.param.elform;
                           return std::string(kind) + (n < 0 ? "_minus" : "_") + std::to_string(std::abs(n));
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
  } else {
    all.push_back({.damping = 0.1});
  }
  const bool beam = f.kind == ElementKind::beam && (f.elform == 1 || f.elform == 9);
  if (f.kind == ElementKind::solid || beam)
    for (const int preload : {1, 2}) all.push_back({.preload = preload});
  return all;
}

bool takes(ElementKind kind, const Law& law) {
  using materials::Supports;
  const auto elements = kind == ElementKind::solid   ? &Supports::solid
                        : kind == ElementKind::shell ? &Supports::shell
                        : kind == ElementKind::beam  ? &Supports::beam
                                                     : &Supports::discrete;
  return materials::supports(law.number, elements);
}

TEST_P(Tangent, IsThatOfDifferences) {
  const elements::Formulation& f = GetParam();
  int taken = 0;
  for (const Law& law : kLaws)
    for (const Options& options : options_of(f))
      for (const double size : {2e-5, 2e-3})  // elastic, plastic
        for (const bool back : {false, true}) {
          if (!takes(f.kind, law)) continue;  // refused where the model is read
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
