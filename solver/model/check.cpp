// Counts, masses and smallest steps of a model.
#include "model/check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <tuple>

#include "materials/row.hpp"
#include "model/element_rows.hpp"
#include "model/feature.hpp"
#include "model/geometry.hpp"

namespace crumple::model {
namespace {

/// Sums of mass and first moment.
struct MassSum {
  double mass = 0;
  Vec3 moment;
  void add(double m, const Vec3& x) {
    mass += m;
    moment += m * x;
  }
};

class Checker {
 public:
  explicit Checker(const Model& model) : m_(model) {}

  ModelCheck run() {
    count();
    for (const Part& p : m_.parts) out_.parts.push_back(row(p));
    shells();
    solids();
    beams();
    for (std::size_t e = 0; e < m_.discretes.size(); ++e) ++out_.parts[at(m_.discretes.part[e])].elements;
    for (std::size_t e = 0; e < m_.particles.size(); ++e)
      put(m_.particles.part[e], m_.particles.mass[e], m_.nodes.x[at(m_.particles.nodes[e][0])]);
    for (PartCheck& p : out_.parts)
      if (p.elements > 0) p.thickness /= static_cast<double>(p.elements);
    for (std::size_t i = 0; i < m_.masses.size(); ++i) {
      out_.lumped_mass += m_.masses.mass[i];
      sum_.add(m_.masses.mass[i], m_.nodes.x[at(m_.masses.node[i])]);
    }
    for (const RigidBody& b : m_.rigid_bodies) {
      if (b.inertia_given) sum_.add(b.mass, b.centre);
      for (const LumpedInertia& lump : b.lumps) {
        out_.lumped_mass += lump.mass;
        sum_.add(lump.mass, lump.point);
      }
    }
    out_.mass = sum_.mass;
    if (sum_.mass > 0.0) out_.centre = sum_.moment * (1.0 / sum_.mass);
    unreferenced();
    return std::move(out_);
  }

 private:
  const Section* section(const Part& p) const {
    return p.section == kNone ? nullptr : &m_.sections[at(p.section)];
  }
  /// Whether the density of a cohesive law is a mass per area.
  bool per_area(const Part& p) const {
    return p.material != kNone && m_.materials[at(p.material)].field("ROFLG") == 1.0;
  }
  /// Of a laminate the mean of its layers.
  double density(const Part& p) const {
    double mass = 0.0, thickness = 0.0;
    if (const Section* const s = section(p))
      for (const Ply& ply : s->plies) {
        const LocalId of = ply.material == kNone ? p.material : ply.material;
        mass += (of == kNone ? 0.0 : m_.materials[at(of)].density) * ply.thickness;
        thickness += ply.thickness;
      }
    if (thickness > 0.0) return mass / thickness;
    return p.material == kNone ? 0.0 : m_.materials[at(p.material)].density;
  }

  PartCheck row(const Part& p) const {
    PartCheck r;
    r.id = p.id;
    r.title = p.title;
    r.kind = p.kind;
    r.rigid = p.rigid_body != kNone;
    if (const Section* s = section(p))
      r.section = s->id, r.elform = elform_in_deck(*s), r.thick_shell = is_thick_shell(*s);
    if (p.material != kNone)
      r.material = m_.materials[at(p.material)].id, r.law = m_.materials[at(p.material)].law;
    return r;
  }

  void count() {
    out_.nodes = m_.nodes.size();
    out_.beams = m_.beams.size();
    out_.discretes = m_.discretes.size();
    out_.particles = m_.particles.size();
    out_.lumped_masses = m_.masses.size();
    out_.rigid_bodies = m_.rigid_bodies.size();
    out_.contacts = m_.contacts.size();
    for (const Feature* const feature : features())
      if (const auto [name, count] = feature->count(m_.features); !name.empty())
        out_.features.emplace_back(name, count);
  }

  // A body with a given mass counts with that mass: the masses of its elements are only listed.
  void put(LocalId part, double mass, const Vec3& centre) {
    PartCheck& p = out_.parts[at(part)];
    ++p.elements;
    p.mass += mass;
    const LocalId body = m_.parts[at(part)].rigid_body;
    if (body == kNone || !m_.rigid_bodies[at(body)].inertia_given) sum_.add(mass, centre);
  }

  void shells() {
    for (std::size_t e = 0; e < m_.shells.size(); ++e) {
      const auto& n = m_.shells.nodes[e];
      ++(n[2] == n[3] ? out_.triangles : out_.quadrilaterals);
      const Part& p = m_.parts[at(m_.shells.part[e])];
      const Section* const s = section(p);
      double t = 0.0;
      for (std::size_t a = 0; a < 4; ++a) {
        const double own = m_.shells.thickness.empty() ? 0.0 : m_.shells.thickness[e][a];
        t += 0.25 * (own != 0.0 ? own : s ? s->thickness[a] : 0.0);
      }
      out_.parts[at(m_.shells.part[e])].thickness += t;
      const QuadShape q = quad_shape(
          {m_.nodes.x[at(n[0])], m_.nodes.x[at(n[1])], m_.nodes.x[at(n[2])], m_.nodes.x[at(n[3])]});
      put(m_.shells.part[e], q.area * (density(p) * t + (s ? s->marea : 0.0)), q.centre);
    }
  }

  void solids() {
    for (std::size_t e = 0; e < m_.solids.size(); ++e) {
      const auto& n = m_.solids.nodes[e];
      std::array<Vec3, 8> x;
      for (std::size_t a = 0; a < 8; ++a) x[a] = m_.nodes.x[at(n[a])];
      const std::set<LocalId> distinct(n.begin(), n.end());
      ++(distinct.size() == 8 ? out_.bricks : out_.other_solids);
      const Part& p = m_.parts[at(m_.solids.part[e])];
      const Section* const s = section(p);
      if (s && is_cohesive(*s) && per_area(p)) {
        const QuadShape lower = quad_shape({x[0], x[1], x[2], x[3]});
        put(m_.solids.part[e], density(p) * lower.area, lower.centre);
        continue;
      }
      const VolumeAndCentre v = solid_volume(x);
      put(m_.solids.part[e], density(p) * v.volume, v.centre);
    }
  }

  void beams() {
    for (std::size_t e = 0; e < m_.beams.size(); ++e) {
      const Part& p = m_.parts[at(m_.beams.part[e])];
      const Vec3 &a = m_.nodes.x[at(m_.beams.nodes[e][0])], &b = m_.nodes.x[at(m_.beams.nodes[e][1])];
      const Section* const s = section(p);
      const double per_length = s ? density(p) * beam_area(*s) + s->nsm : 0.0;
      put(m_.beams.part[e], per_length * norm(b - a), 0.5 * (a + b));
    }
  }

  void unreferenced();
  void mark_nodes(std::vector<bool>& used) const;
  std::set<LocalId> used_curves() const;

  const Model& m_;
  ModelCheck out_;
  MassSum sum_;
};

void Checker::mark_nodes(std::vector<bool>& used) const {
  const auto mark = [&](LocalId n) {
    if (n != kNone) used[at(n)] = true;
  };
  for_each_kind(m_, [&](const ElementKindInfo&, const ElementRows& rows) {
    for (std::size_t e = 0; e < rows.size(); ++e) rows.each_node(e, mark);
  });
  for (const LocalId n : m_.masses.node) mark(n);
  for (const RigidBody& b : m_.rigid_bodies)
    for (const LocalId n : b.nodes) mark(n);
  for (const Weld& weld : m_.welds)
    for (const LocalId n : weld.nodes) mark(n);
  for (const Interpolation& i : m_.interpolations) mark(i.node);
}

std::set<LocalId> Checker::used_curves() const {
  std::set<LocalId> used;
  for (const auto& x : m_.motions) used.insert(x.curve);
  for (const Feature* const feature : features()) feature->add_curves(m_.features, used);
  for (const auto& t : m_.tables) used.insert(t.curve.begin(), t.curve.end());
  used.insert({m_.control.dt_curve, m_.control.damping_curve, m_.control.implicit.dynamics.share,
               m_.control.implicit.switching.curve});
  for (const Material& material : m_.materials)
    for (const auto& [name, value] : material.fields)
      if (name.starts_with("LC")) used.insert(m_.curve_index(static_cast<GlobalId>(value)));
  return used;
}

void Checker::unreferenced() {
  Unreferenced& u = out_.unreferenced;
  std::vector<bool> node_used(m_.nodes.size(), false);
  mark_nodes(node_used);
  for (std::size_t n = 0; n < node_used.size(); ++n)
    if (!node_used[n]) u.nodes.push_back(m_.nodes.id[n]);
  std::set<LocalId> sections, materials;
  for (const PartCheck& p : out_.parts)
    if (p.elements == 0) u.parts.push_back(p.id);
  for (const Part& p : m_.parts) sections.insert(p.section), materials.insert(p.material);
  const auto rest = [](const auto& items, const std::set<LocalId>& used, std::vector<GlobalId>& out) {
    for (std::size_t i = 0; i < items.size(); ++i)
      if (!used.contains(static_cast<LocalId>(i))) out.push_back(items[i].id);
  };
  rest(m_.sections, sections, u.sections);
  rest(m_.materials, materials, u.materials);
  rest(m_.curves, used_curves(), u.curves);
  for (auto* list : {&u.nodes, &u.parts, &u.sections, &u.materials, &u.curves})
    std::sort(list->begin(), list->end());
}

// --- steps -------------------------------------------------------------------------------------------------

struct Moduli {
  double e = 0, nu = 0, rho = 0;
};

Moduli moduli(const Material& m) { return {materials::young(m), m.field("PR"), m.density}; }

class StepFinder {
 public:
  explicit StepFinder(const Model& model) : m_(model) {}

  std::vector<StepEstimate> smallest(std::size_t count) {
    for (std::size_t e = 0; e < m_.shells.size(); ++e) shell(e);
    for (std::size_t e = 0; e < m_.solids.size(); ++e) solid(e);
    for (std::size_t e = 0; e < m_.beams.size(); ++e) beam(e);
    const auto less = [](const StepEstimate& a, const StepEstimate& b) {
      return std::tuple(a.dt, a.kind, a.element) < std::tuple(b.dt, b.kind, b.element);
    };
    const std::size_t n = std::min(count, found_.size());
    std::partial_sort(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(n), found_.end(), less);
    found_.resize(n);
    return std::move(found_);
  }

 private:
  // Speed of sound of a deformable part; 0 if it does not limit the step.
  double speed(LocalId part, ElementKind kind) const {
    const Part& p = m_.parts[at(part)];
    if (p.rigid_body != kNone || p.material == kNone) return 0.0;
    const Moduli m = moduli(m_.materials[at(p.material)]);
    if (m.e <= 0.0 || m.rho <= 0.0) return 0.0;
    if (kind == ElementKind::beam) return std::sqrt(m.e / m.rho);
    if (kind == ElementKind::shell) return std::sqrt(m.e / (m.rho * (1.0 - m.nu * m.nu)));
    return std::sqrt(m.e * (1.0 - m.nu) / (m.rho * (1.0 + m.nu) * (1.0 - 2.0 * m.nu)));
  }

  void put(GlobalId element, LocalId part, ElementKind kind, double length) {
    if (const double c = speed(part, kind); c > 0.0)
      found_.push_back({element, m_.parts[at(part)].id, kind, length / c});
  }

  void shell(std::size_t e) {
    const auto& n = m_.shells.nodes[e];
    const QuadShape q =
        quad_shape({m_.nodes.x[at(n[0])], m_.nodes.x[at(n[1])], m_.nodes.x[at(n[2])], m_.nodes.x[at(n[3])]});
    const double factor = n[2] == n[3] ? 2.0 : 1.0;
    put(m_.shells.id[e], m_.shells.part[e], ElementKind::shell, factor * q.area / q.longest_side);
  }

  void solid(std::size_t e) {
    std::array<Vec3, 8> x;
    for (std::size_t a = 0; a < 8; ++a) x[a] = m_.nodes.x[at(m_.solids.nodes[e][a])];
    const std::set<LocalId> distinct(m_.solids.nodes[e].begin(), m_.solids.nodes[e].end());
    // The height of a tetrahedron is three times volume over base, of which ten nodes leave about a quarter.
    const double factor = m_.solids.has_middle(e) ? 0.75 : distinct.size() == 4 ? 3.0 : 1.0;
    put(m_.solids.id[e], m_.solids.part[e], ElementKind::solid,
        factor * solid_volume(x).volume / largest_face(x));
  }

  void beam(std::size_t e) {
    const auto& n = m_.beams.nodes[e];
    put(m_.beams.id[e], m_.beams.part[e], ElementKind::beam,
        norm(m_.nodes.x[at(n[1])] - m_.nodes.x[at(n[0])]));
  }

  const Model& m_;
  std::vector<StepEstimate> found_;
};

}  // namespace

ModelCheck check_model(const Model& model) { return Checker(model).run(); }

std::vector<StepEstimate> geometric_steps(const Model& model, std::size_t count) {
  return StepFinder(model).smallest(count);
}

double beam_area(const Section& s) {
  if (s.area > 0.0) return s.area;
  const double ts = 0.5 * (s.ts[0] + s.ts[1]), tt = 0.5 * (s.tt[0] + s.tt[1]);
  // CST 1: tubes, TS the outer and TT the inner diameter.
  return s.cross_section == 1 ? 0.25 * std::numbers::pi * (ts * ts - tt * tt) : ts * tt;
}

}  // namespace crumple::model
