// Thicknesses of solids and the springs in them.
#include "contact/interior/interior_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "state/archive.hpp"

namespace crumple::contact {

namespace {

constexpr double kStableShareOfElement = 0.5;  ///< omega^2 dt^2 of all springs of an element

// The lines between the centres of opposite faces, and the edges at each corner.
constexpr double kMiddle[3][8] = {{-.25, .25, .25, -.25, -.25, .25, .25, -.25},
                                  {-.25, -.25, .25, .25, -.25, -.25, .25, .25},
                                  {-.25, -.25, -.25, -.25, .25, .25, .25, .25}};
constexpr int kEdges[3][8] = {{1, 0, 3, 2, 5, 4, 7, 6}, {3, 2, 1, 0, 7, 6, 5, 4}, {4, 5, 6, 7, 0, 1, 2, 3}};

/// Coefficients of the edges at corner c, each in the direction of the lines between faces.
struct Corners {
  double of[8][3][8] = {};
  constexpr Corners() {
    for (int c = 0; c < 8; ++c)
      for (int i = 0; i < 3; ++i) {
        const double sense = kMiddle[i][c] < 0.0 ? 1.0 : -1.0;
        of[c][i][c] = -sense;
        of[c][i][kEdges[i][c]] = sense;
      }
  }
};
constexpr Corners kCorners;

/// A thickness, and its derivatives by the three lines.
struct Thickness {
  double value = 0.0, area = 0.0;
  std::array<Vec3, 3> by_line{};

  Thickness(const std::array<Vec3, 3>& d, int i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    Vec3 n = cross(d[j], d[k]);
    area = norm(n);
    if (!(area > 0.0)) return;
    n *= 1.0 / area;
    value = dot(d[i], n);
    const Vec3 p = (1.0 / area) * (d[i] - value * n);
    by_line[i] = n;
    by_line[j] = cross(d[k], p);
    by_line[k] = cross(p, d[j]);
  }
};

std::array<Vec3, 3> lines(const double (*of)[8], const std::array<Vec3, 8>& x) {
  std::array<Vec3, 3> d{};
  for (int i = 0; i < 3; ++i)
    for (int a = 0; a < 8; ++a) d[i] += of[i][a] * x[a];
  return d;
}

template <class Nodes>
std::array<Vec3, 8> at_nodes(const AlignedVector<Vec3>& values, const Nodes& nodes) {
  std::array<Vec3, 8> out;
  for (int a = 0; a < 8; ++a) out[a] = values[nodes[a]];
  return out;
}

bool distinct(std::array<LocalId, 8> nodes) {
  std::sort(nodes.begin(), nodes.end());
  return std::adjacent_find(nodes.begin(), nodes.end()) == nodes.end();
}

}  // namespace

/// Elements with repeated nodes have no edges at some corners: the lines between faces are used instead.
std::span<const InteriorContacts::Frame> InteriorContacts::frames(int form,
                                                                  const std::array<LocalId, 8>& nodes) {
  static const std::array<Frame, 1> middle{{{kMiddle, 1.0}}};
  static const std::array<Frame, 8> corners = [] {
    std::array<Frame, 8> all{};
    for (int c = 0; c < 8; ++c) all[c] = {kCorners.of[c], 0.125};
    return all;
  }();
  if (form == 2 && distinct(nodes)) return corners;
  return middle;
}

InteriorContacts::InteriorContacts(const model::Model& model, const state::Nodal& nodal,
                                   const parallel::Halo& halo, std::span<const PartConstants> constants)
    : model_(&model) {
  if (model.interiors.empty()) return;
  std::vector<std::int32_t> of_part(model.parts.size(), -1);
  for (std::size_t i = 0; i < model.interiors.size(); ++i)
    for (const LocalId part : model.interiors[i].parts) of_part[part] = static_cast<std::int32_t>(i);
  std::vector<std::int64_t> count(nodal.size(), 0);
  for (std::size_t e = 0; e < model.solids.size(); ++e) {
    const LocalId part = model.solids.part[e];
    const std::int32_t interior = of_part[part];
    if (interior < 0 || model.parts[part].rigid_body != model::kNone) continue;
    const double given = model.interiors[interior].modulus;
    add_element(model, nodal, static_cast<LocalId>(e), interior, given > 0.0 ? given : constants[part].young);
    for (const LocalId n : elements_.back().nodes) ++count[n];  // repeated nodes count repeatedly
  }
  const std::array<std::span<std::int64_t>, 1> sums{count};
  halo.sum(sums, 1);
  inverse_share_.assign(nodal.size(), 0.0);
  for (std::size_t n = 0; n < nodal.size(); ++n)
    if (const double m = nodal.own_mass(n); m > 0.0) inverse_share_[n] = static_cast<double>(count[n]) / m;
}

void InteriorContacts::add_element(const model::Model& model, const state::Nodal& nodal, LocalId solid,
                                   std::int32_t interior, double modulus) {
  Element& element = elements_.emplace_back();
  element.nodes = model.solids.nodes[solid];
  element.solid = solid;
  element.interior = interior;
  element.modulus = modulus;
  const model::InteriorContact& contact = model.interiors[interior];
  const Eight x = at_nodes(nodal.x, element.nodes);
  for (const Frame& frame : frames(contact.form, element.nodes)) {
    auto& first = element.first.emplace_back();
    auto& stiffness = element.stiffness.emplace_back();
    const auto d = lines(frame.of, x);
    for (int i = 0; i < 3; ++i) {
      const Thickness t(d, i);
      first[i] = t.value;
      if (const double left = contact.activation * std::abs(t.value); left > 0.0)
        stiffness[i] = frame.share * contact.scale * modulus * t.area / left;
    }
  }
}

void InteriorContacts::delete_elements(std::span<const DeletedElement> elements) {
  for (Element& element : elements_)
    for (const DeletedElement& e : elements)
      if (e.kind == model::ElementKind::solid && e.element == element.solid) element.alive = false;
}

InteriorContacts::Eight InteriorContacts::forces(const Element& element, const Eight& x, double dt) const {
  const model::InteriorContact& contact = model_->interiors[element.interior];
  const auto all = frames(contact.form, element.nodes);
  Eight force{};
  std::array<double, 8> row{};  // sums of the magnitudes of the springs' stiffness matrix
  for (std::size_t f = 0; f < all.size(); ++f) {
    const auto d = lines(all[f].of, x);
    for (int i = 0; i < 3; ++i) {
      const Thickness t(d, i);
      // Elements may be numbered inside out: a thickness keeps its initial sign.
      const double sign = std::copysign(1.0, element.first[f][i]), stiffness = element.stiffness[f][i];
      const double depth = contact.activation * std::abs(element.first[f][i]) - sign * t.value;
      if (!(depth > 0.0)) continue;
      Eight gradient{};
      double sum = 0.0;
      for (int a = 0; a < 8; ++a) {
        for (int k = 0; k < 3; ++k) gradient[a] += (sign * all[f].of[k][a]) * t.by_line[k];
        sum += norm(gradient[a]);
      }
      for (int a = 0; a < 8; ++a) {
        force[a] += (stiffness * depth) * gradient[a];
        row[a] += stiffness * norm(gradient[a]) * sum;
      }
    }
  }
  double omega2 = 0.0;  // upper bound
  for (int a = 0; a < 8; ++a) omega2 = std::max(omega2, row[a] * inverse_share_[element.nodes[a]]);
  if (const double bound = kStableShareOfElement / (dt * dt); omega2 > bound)
    for (Vec3& one : force) one *= bound / omega2;
  return force;
}

void InteriorContacts::archive(state::Archive& archive, int rank) {
  using state::Of, state::Rows;
  static_assert(field_count<Element>() == 9, "is the new member carried on?");
  if (model_->interiors.empty()) return;
  const auto here = archive.module("interior contacts");
  std::vector<GlobalId> orders;
  for (const Element& e : elements_)
    orders.push_back(model_->solids.order[static_cast<std::size_t>(e.solid)]);
  const Rows rows = Rows::own(Of::entity, orders);
  archive.member("alive", rows, std::span(elements_), &Element::alive);
  archive.member("active", rows, std::span(elements_), &Element::active);
  archive.member("force", rows, std::span(elements_), &Element::force);
  archive.global_sum("work", work_, rank);
}

void InteriorContacts::add_forces(state::Nodal& nodal, double dt, double stable_dt) {
  if (elements_.empty() || !(stable_dt > 0.0)) return;
  for (Element& element : elements_) {
    if (!element.alive) continue;
    const Eight last = element.force;
    element.force = forces(element, at_nodes(nodal.x, element.nodes), stable_dt);
    const bool active =
        std::any_of(element.force.begin(), element.force.end(), [](const Vec3& f) { return !(f == Vec3{}); });
    if (!active && !element.active) continue;
    element.active = active;
    double power = 0.0;
    for (int a = 0; a < 8; ++a) {
      nodal.add_force(element.nodes[a], element.force[a]);
      power += dot(last[a] + element.force[a], nodal.v[element.nodes[a]]);
    }
    work_ += -0.5 * dt * power;
  }
}

}  // namespace crumple::contact
