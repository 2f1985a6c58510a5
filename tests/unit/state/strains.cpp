// Strains against closed forms: stretching, bending, shearing, turning, thinning.
#include "state/strains.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace crumple::state {
namespace {

using model::ElementKind;
using Tensor = std::array<double, 6>;
using Place = std::function<Vec3(const Vec3&)>;

constexpr double kThickness = 0.2;
// The sides that the frames of shells turn with lie along axes that a stretch does not turn.
const std::vector<Vec3> kQuad = {{0, 0, 0}, {1.1, 0, 0}, {1, 1.2, 0}, {0, 1, 0}};
const std::vector<Vec3> kTriangle = {{0, 0, 0}, {1.1, 0, 0}, {0, 1, 0}};
const std::vector<Vec3> kBrick = {{0, 0, 0}, {1, 0, 0}, {1.1, 1, 0}, {0, 1, 0.1},
                                  {0, 0, 1}, {1, 0, 1}, {1, 1.2, 1}, {0, 1, 1}};
const std::vector<Vec3> kWedge = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1.2, 0, 1}, {0, 1, 1}};
const std::vector<Vec3> kTetrahedron = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.1, 1}};

/// One element that is moved by hand, with its kernel.
struct OneElement {
  model::Model model;
  Nodal nodal;
  std::vector<ElementGroup<double>> groups;
  std::vector<Strains> strains;

  /// Triangles, wedges and tetrahedra come from their numbers of nodes.
  OneElement(ElementKind kind, const std::vector<Vec3>& x, double yield = 1e9, int nip = 3, double nloc = 0) {
    for (std::size_t n = 0; n < x.size(); ++n) model.nodes.id.push_back(GlobalId(n + 1));
    model.nodes.x = x;
    model::Section section;
    section.kind = kind;
    section.elform = kind == ElementKind::shell ? 2 : 1;
    section.nip = nip;
    section.nloc = nloc;
    section.thickness.fill(kThickness);
    model.sections = {section};
    model::Material material;
    material.law = 3;
    material.density = 1e-6;
    material.fields = {{"E", 200.0}, {"PR", 0.3}, {"SIGY", yield}, {"ETAN", 1.0}, {"BETA", 1.0}};
    model.materials = {material};
    model.parts = {model::Part{.id = 1, .section = 0, .material = 0, .kind = kind}};
    model.control.istupd = 1;
    add_element(kind, static_cast<int>(x.size()));
    groups = make_groups<double>(model, elements::best_isa());
    strains.emplace_back(model, 1);
    nodal.id = model.nodes.id;
    nodal.x.assign(x.begin(), x.end());
    nodal.v.resize(x.size()), nodal.w.resize(x.size());
    nodal.loads = parallel::zero_loads(x.size(), 1024.0, 1024.0);
  }

  void add_element(ElementKind kind, int n) {
    if (kind == ElementKind::shell) {
      model.shells.id = model.shells.order = {1};
      model.shells.part = {0};
      model.shells.nodes = {{0, 1, 2, n - 1}};
      return;
    }
    model.solids.id = model.solids.order = {1};
    model.solids.part = {0};
    model.solids.nodes = {{0, 1, 2, 3, 4, 5, 6, 7}};
    if (n == 6) model.solids.nodes = {{1, 0, 3, 4, 2, 2, 5, 5}};  // LS-DYNA's: n5 = n6, n7 = n8
    if (n == 4) model.solids.nodes = {{0, 1, 2, 3, 3, 3, 3, 3}};
  }

  const ElementGroup<double>& group() const { return groups[0]; }

  /// Nodes go where `place` puts the positions they have now, in one step of unit length.
  void move(const Place& place, const std::function<Vec3(const Vec3&)>& w = {}) {
    for (std::size_t n = 0; n < nodal.size(); ++n) {
      const Vec3 before = nodal.x[n];
      nodal.x[n] = place(before);
      nodal.v[n] = nodal.x[n] - before;
      nodal.w[n] = w ? w(before) : Vec3{};
    }
    strains[0].add(nodal, views_of(groups), 1.0);
    elements::KernelArguments<double> a;
    ElementGroup<double>& g = groups[0];
    a.x = nodal.x.data(), a.v = nodal.v.data(), a.w = nodal.w.data();
    a.loads = nodal.loads.data();
    a.nodes = g.nodes.data(), a.state = g.state.data(), a.alive = g.alive.data(), a.energy = g.energy.data();
    a.stable_step = g.step.data(), a.group = &g.ready.parameters, a.dt = 1.0, a.end = g.blocks();
    g.kernel(a);
  }

  void stretch(double ratio, int steps) {
    const double each = std::pow(ratio, 1.0 / steps);
    for (int s = 0; s < steps; ++s) move([&](const Vec3& x) { return Vec3{each * x.x, x.y, x.z}; });
  }

  /// In global axes.
  Tensor strain(Surface surface = Surface::inner) const {
    if (group().kind() == ElementKind::solid) return strains[0].solid(0);
    const Tensor local = strains[0].shell(group(), 0, surface);
    std::array<Vec3, 4> corners{};
    for (int a = 0; a < group().ready.formulation->n_nodes; ++a) corners[a] = nodal.x[group().node(0, a)];
    Tensor global{};
    group().ready.formulation->to_global(corners.data(), local.data(), global.data());
    return global;
  }
};

struct Case {
  const char* name;
  ElementKind kind;
  std::vector<Vec3> x;
};
const std::vector<Case> kCases = {{"quadrilateral", ElementKind::shell, kQuad},
                                  {"triangle", ElementKind::shell, kTriangle},
                                  {"brick", ElementKind::solid, kBrick},
                                  {"wedge", ElementKind::solid, kWedge},
                                  {"tetrahedron", ElementKind::solid, kTetrahedron}};

void expect_tensor(const Tensor& found, const Tensor& expected, double tolerance, const char* what) {
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(found[k], expected[k], tolerance) << what << ", component " << k;
}

/// Rotation by `angle` about the unit vector `axis` (Rodrigues).
Vec3 turned(const Vec3& x, const Vec3& axis, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return c * x + s * cross(axis, x) + (1 - c) * dot(axis, x) * axis;
}

Tensor turned(const Tensor& t, const Vec3& axis, double angle) {
  constexpr int row[6] = {0, 1, 2, 0, 1, 2}, column[6] = {0, 1, 2, 1, 2, 0};
  const double m[3][3] = {{t[0], t[3], t[5]}, {t[3], t[1], t[4]}, {t[5], t[4], t[2]}};
  const Vec3 e[3] = {turned(Vec3{1, 0, 0}, axis, angle), turned(Vec3{0, 1, 0}, axis, angle),
                     turned(Vec3{0, 0, 1}, axis, angle)};
  Tensor result{};
  for (int c = 0; c < 6; ++c)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) result[c] += e[i][row[c]] * m[i][j] * e[j][column[c]];
  return result;
}

/// Angular velocities are those that the straight paths of a step stand for: 2 tan(angle / 2) a step.
void rotate(OneElement& one, const Vec3& axis, double angle, int steps) {
  const double each = angle / steps;
  for (int s = 0; s < steps; ++s)
    one.move([&](const Vec3& x) { return turned(x, axis, each); },
             [&](const Vec3&) { return 2.0 * std::tan(0.5 * each) * axis; });
}

TEST(Strains, LastDigitAsks) {
  model::OutputControl output;
  EXPECT_FALSE(strains_asked(output));
  output.strflg = 10;
  EXPECT_FALSE(strains_asked(output));
  output.strflg = 11;
  EXPECT_TRUE(strains_asked(output));
}

TEST(Strains, StretchIsLogarithmic) {
  for (const Case& c : kCases) {
    OneElement one(c.kind, c.x);
    one.stretch(1.5, 1000);
    const double e = std::log(1.5), across = c.kind == ElementKind::shell ? -0.3 / 0.7 * e : 0.0;
    for (const Surface surface : {Surface::inner, Surface::outer})
      expect_tensor(one.strain(surface), {e, 0, across, 0, 0, 0}, 1e-7, c.name);
  }
}

TEST(Strains, ShearIsTheTensors) {
  for (const Case& c : kCases) {
    OneElement one(c.kind, c.x);
    one.move(
        [](const Vec3& x) {
          return Vec3{x.x + 1e-6 * x.y, x.y + 1e-6 * x.x, x.z};
        },
        [](const Vec3&) { return Vec3{}; });
    expect_tensor(one.strain(), {0, 0, 0, 1e-6, 0, 0}, 1e-11, c.name);
  }
}

TEST(Strains, TransverseShearOfShells) {
  for (const auto& x : {kQuad, kTriangle}) {
    OneElement one(ElementKind::shell, x);
    one.move([](const Vec3& p) { return Vec3{p.x, p.y, p.z + 1e-6 * p.x + 3e-6 * p.y}; });
    expect_tensor(one.strain(), {0, 0, 0, 0, 1.5e-6, 0.5e-6}, 1e-11, "plate");
  }
}

TEST(Strains, BendingIsOppositeAtTheSurfaces) {
  for (const auto& x : {kQuad, kTriangle}) {
    OneElement one(ElementKind::shell, x);
    // v = 0 and w_y = k x, with k x_mean taken off so that the plate is not sheared across.
    double mean = 0.0;
    for (const Vec3& p : x) mean += p.x / double(x.size());
    const double k = 1e-4, e = k * kThickness / 2;
    one.move([](const Vec3& p) { return p; }, [&](const Vec3& p) { return Vec3{0, k * (p.x - mean), 0}; });
    const Tensor inner = one.strain(Surface::inner), outer = one.strain(Surface::outer);
    EXPECT_NEAR(outer[0], e, 1e-12);
    EXPECT_NEAR(inner[0], -e, 1e-12);
    EXPECT_NEAR(outer[2], -0.3 / 0.7 * e, 1e-12);
    EXPECT_NEAR(inner[2], 0.3 / 0.7 * e, 1e-12);
    EXPECT_NEAR(outer[1], 0.0, 1e-12);
    EXPECT_NEAR(outer[3], 0.0, 1e-12);
  }
}

TEST(Strains, ReferenceSurfaceAtTheTop) {
  OneElement one(ElementKind::shell, kQuad, 1e9, 3, 1.0);
  const double k = 1e-4;
  one.move([](const Vec3& p) { return p; }, [&](const Vec3& p) { return Vec3{0, k * p.x, 0}; });
  EXPECT_NEAR(one.strain(Surface::outer)[0], 0.0, 1e-15);
  EXPECT_NEAR(one.strain(Surface::inner)[0], -k * kThickness, 1e-12);
}

TEST(Strains, RotationStrainsNothing) {
  const Vec3 axis = (1.0 / std::sqrt(14.0)) * Vec3{1, 2, 3};
  for (const Case& c : kCases) {
    OneElement one(c.kind, c.x);
    rotate(one, axis, 2.0, 20);
    expect_tensor(one.strain(), {}, 1e-14, c.name);
    expect_tensor(one.strain(Surface::outer), {}, 1e-14, c.name);
  }
}

TEST(Strains, StrainTurnsWithTheElement) {
  const Vec3 axis = (1.0 / std::sqrt(14.0)) * Vec3{1, 2, 3};
  for (const Case& c : kCases) {
    OneElement one(c.kind, c.x);
    one.stretch(1.2, 10);
    const Tensor before = one.strain();
    rotate(one, axis, 2.0, 20);
    expect_tensor(one.strain(), turned(before, axis, 2.0), 1e-13, c.name);
  }
}

/// With ISTUPD the kernel thins the shell by what its law found: another way to the same strain.
TEST(Strains, ThicknessStrainIsTheLaws) {
  for (const double yield : {1e9, 0.5})
    for (const int nip : {1, 2, 5})
      for (const auto& x : {kQuad, kTriangle}) {
        OneElement one(ElementKind::shell, x, yield, nip);
        one.stretch(1.1, 2000);
        const double thinning = std::log(one.group().variable(0, one.group().layout.thickness) / kThickness);
        EXPECT_NEAR(one.strain(Surface::inner)[2], thinning, 1e-5);
        EXPECT_NEAR(one.strain(Surface::outer)[2], thinning, 1e-5);
        EXPECT_LT(thinning, yield < 1 ? -0.09 : -0.04);
        EXPECT_GT(thinning, yield < 1 ? -0.0954 : -0.041);
      }
}

TEST(Strains, DeadElementsKeepTheirs) {
  for (const Case& c : kCases) {
    OneElement one(c.kind, c.x);
    one.stretch(1.1, 10);
    const Tensor before = one.strain();
    one.groups[0].alive[0] = 0.0;
    one.strains[0].add(one.nodal, views_of(one.groups), 1.0);
    EXPECT_EQ(one.strain(), before);
  }
}

}  // namespace
}  // namespace crumple::state
