// Sorting a rank's elements into groups and filling their blocks.
#include "state/groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>

#include "base/assert.hpp"
#include "base/no_limit.hpp"
#include "elements/beam/layout.hpp"
#include "elements/shell/given_reference.hpp"
#include "elements/solid/layout.hpp"
#include "loads/preload/preload.hpp"
#include "loads/reference/reference_node.hpp"
#include "loads/temperature/temperature.hpp"
#include "materials/cohesive/adhesive_fields.hpp"
#include "materials/discrete_beam/law.hpp"
#include "materials/orthotropic/axes.hpp"
#include "materials/orthotropic/fracture_size.hpp"
#include "materials/wrappers/add_damage.hpp"
#include "materials/wrappers/preload.hpp"
#include "model/discrete_beam_sections.hpp"
#include "model/element_rows.hpp"
#include "model/truss_chain.hpp"
#include "state/foam_shapes.hpp"
#include "state/initial_states.hpp"
#include "state/material_axes.hpp"
#include "state/prefetch.hpp"

namespace crumple::state {

using elements::kLanes;
using model::ElementKind;
using model::kNone;
using model::Model;

Compact compact(const Model& m, ElementKind kind, LocalId e) {
  const model::ElementRows rows = model::rows_of(m, kind);
  const auto element = static_cast<std::size_t>(e);
  const int elform = m.sections[m.parts[rows.part[element]].section].elform;
  auto corners = rows.nodes(element).first(static_cast<std::size_t>(model::info(kind).corners));
  std::array<LocalId, 10> ten;
  if (const auto middle = rows.middle(element); !middle.empty()) {
    std::ranges::copy(corners.first(4), ten.begin());
    std::ranges::copy(middle, ten.begin() + 4);
    corners = ten;
  }
  Compact c{elements::form_of(kind, elform, corners)};
  // An element to ground has its first node twice.
  std::replace(c.nodes.begin(), c.nodes.end(), kNone, c.nodes.front());
  if (kind == ElementKind::beam && !m.beams.section.empty()) c.section = m.beams.section[element];
  if (kind == ElementKind::shell && !m.shells.section.empty()) c.section = m.shells.section[element];
  return c;
}

elements::ElementInput element_input(const Model& m, ElementKind kind, LocalId e,
                                     std::span<const LocalId> nodes) {
  elements::ElementInput input;
  for (std::size_t c = 0; c < nodes.size(); ++c) input.x[c] = m.nodes.x[nodes[c]];
  if (kind == ElementKind::shell) {
    const model::Section& section = m.sections[m.parts[m.shells.part[e]].section];
    for (std::size_t c = 0; c < nodes.size(); ++c) {
      // A triangle's corner keeps the thickness that the deck gives for its place in the list of four.
      const auto& deck = m.shells.nodes[e];
      const auto corner = std::find(deck.begin(), deck.end(), nodes[c]) - deck.begin();
      const double own = m.shells.thickness.empty() ? 0.0 : m.shells.thickness[e][corner];
      input.thickness[c] = own > 0.0 ? own : section.thickness[corner];
    }
    if (!m.shells.offset.empty()) input.offset = m.shells.offset[e];
  } else if (kind == ElementKind::beam) {
    const bool given = !m.beams.direction.empty() && norm(m.beams.direction[e]) > 0;
    input.has_orientation = given || m.beams.nodes[e][2] != kNone;
    if (given)
      input.orientation = input.x[0] + m.beams.direction[e];
    else if (input.has_orientation)
      input.orientation = m.nodes.x[m.beams.nodes[e][2]];
  } else if (kind == ElementKind::sph) {
    input.scale = m.particles.mass[e];
    input.offset = m.particles.length[e];
  } else if (kind == ElementKind::discrete) {
    input.scale = m.discretes.scale[e];
    input.offset = m.discretes.offset[e];
    input.to_ground = m.discretes.nodes[e][1] == kNone;
    input.has_orientation = m.discretes.orientation[e] != kNone;
    if (input.has_orientation) input.direction = m.vectors[m.discretes.orientation[e]];
  }
  return input;
}

namespace {

/// Fraction of failed points at which elements are deleted, from numbers (> 0) or percentages (< 0).
void set_points_to_delete(ElementKind kind, const materials::Prepared& material,
                          elements::GroupParameters& g) {
  const auto fraction = [&](double n) { return std::min(n > 0 ? n / g.n_points : -n / 100, 1.0); };
  const bool shell = kind == ElementKind::shell;
  g.failed_points_to_delete = shell ? fraction(material.points_to_fail) : 0.0;
  g.eroded_points_to_delete =
      fraction(shell ? material.points_to_erode : std::max(material.points_to_erode, 1.0));
  g.damaged_points_to_delete =
      fraction(shell ? material.points_to_damage : std::max(material.points_to_damage, 1.0));
  g.damaged_layers = shell && material.points_to_damage < 0;
}

/// Throws CR-M105 for elements whose points have no damage.
void check_damage(const Model& m, const model::Part& part, const materials::Law& law) {
  if (law.damage >= 0 && part.kind != ElementKind::shell && part.kind != ElementKind::solid)
    materials::refuse(
        m.materials[part.material], "CR-M105", "",
        fmt::format("a damage model is supported in shells and solids only (part {})", part.id));
}

/// The material of a layer.
LocalId material_of(const model::Part& part, const model::Ply& ply) {
  return ply.material == kNone ? part.material : ply.material;
}

/// A layer's material with its law's parameters. Laws of two materials have that of the layer's number.
materials::Prepared prepare_ply(const Model& m, const model::Part& part, const model::Ply& ply) {
  const model::Material& material = m.materials[material_of(part, ply)];
  const materials::Row* const law = materials::find_law(material.law);
  if (!law || !law->by_layer) return materials::prepare(m, material);
  model::Material of_layer = material;
  of_layer.fields["F"] = material.field(fmt::format("F{}", ply.number));
  return materials::prepare(m, of_layer);
}

/// Throws Error CR-E106 for a law that cannot be a layer beside another law.
void check_mixed_ply(const model::Part& part, const materials::Prepared& p,
                     const materials::Prepared& first) {
  const auto refuse = [&](const char* what) {
    throw Error("CR-E106", fmt::format("part {}: a layer of *{} beside one of *{}: {}", part.id,
                                       p.law.row->keyword, first.law.row->keyword, what));
  };
  const auto checked = [&](const materials::Prepared& of) {
    const materials::Needs needs = of.law.row->needs;
    if (needs.deformation_gradient || needs.energy || needs.temperature || of.needs.temperature)
      refuse("laws that need a deformation gradient, an energy or a temperature are not mixed");
    if (needs.element_size || of.needs.element_size)
      refuse("laws that need the element's size are not mixed");
    if (of.law.row->null) refuse("a null law has no stress");
    if (of.law.criteria >= 0 || of.law.damage >= 0)
      refuse("layers of different laws have no *MAT_ADD_EROSION and no added damage");
  };
  checked(p);
  checked(first);
  if (p.points_to_fail != first.points_to_fail)
    refuse("different numbers of failed points would delete an element");
}

/// Prepares the materials of a laminate. Throws Error CR-E106 for materials that cannot be layers together.
void prepare_plies(const Model& m, const model::Part& part, const model::Section& section,
                   PartFormulation& ready) {
  double mass = 0, thickness = 0, stiffest = 0;
  int most_history = 0;
  for (const model::Ply& ply : section.plies) {
    const materials::Prepared& p = ready.plies.emplace_back(prepare_ply(m, part, ply));
    const materials::Prepared& first = ready.plies.front();
    if (p.law.row != first.law.row)
      check_mixed_ply(part, p, first);
    else if (p.n_history != first.n_history || p.law.criteria != first.law.criteria)
      throw Error(
          "CR-E106",
          fmt::format("part {}: the layers of a laminate that have one law must have the same options: "
                      "all of them, or none, with *MAT_ADD_EROSION and the like",
                      part.id));
    mass += p.density * ply.thickness;
    thickness += ply.thickness;
    most_history = std::max(most_history, p.n_history);
    const double wave = p.elastic.young / (1 - p.elastic.poisson * p.elastic.poisson);
    if (wave > stiffest) stiffest = wave, ready.material = p;
  }
  ready.material.density = mass / thickness;
  ready.material.n_history = most_history;
  for (const materials::Prepared& p : ready.plies) {
    ready.material.min_time_step = std::max(ready.material.min_time_step, p.min_time_step);
    ready.material.needs.rotation |= p.needs.rotation;
  }
}

/// Whether any layer's law keeps axes (state/material_axes.hpp).
bool any_keeps_axes(model::ElementKind kind, const elements::GroupParameters& g) {
  return keeps_axes(kind, *g.law.row) || std::ranges::any_of(g.layers, [&](const elements::Layer& layer) {
           return keeps_axes(kind, *layer.law.row);
         });
}

/// Gives each layer its law, and the rule of its axes.
void set_layers(const Model& m, const model::Part& part, const model::Section& section,
                PartFormulation& ready) {
  elements::GroupParameters& g = ready.parameters;
  g.laminated = !ready.plies.empty();
  for (std::size_t k = 0; k < ready.plies.size(); ++k) g.layers[k].law = ready.plies[k].law;
  if (!any_keeps_axes(part.kind, g)) return;
  if (ready.plies.empty()) ready.axes.push_back(model::axes_rule(m, m.materials[part.material]));
  for (const model::Ply& ply : section.plies)
    ready.axes.push_back(model::axes_rule(m, m.materials[material_of(part, ply)]));
}

/// What elements of a formulation have for laws: axes are given to all solids and shells, sizes to shells,
/// temperatures (loads/temperature) to all elements.
materials::Needs given_by(const elements::Formulation& formulation) {
  materials::Needs gives = formulation.gives;
  gives.temperature = true;
  gives.rotation = formulation.kind == ElementKind::solid || formulation.kind == ElementKind::sph;
  gives.element_size = formulation.kind == ElementKind::shell || formulation.kind == ElementKind::solid;
  gives.material_axes |= formulation.kind == ElementKind::shell || formulation.kind == ElementKind::solid;
  gives.layer_thickness = formulation.kind == ElementKind::solid;
  return gives;
}

}  // namespace

PartFormulation part_formulation(const Model& m, const model::Part& part, const Compact& compact) {
  PartFormulation ready;
  const int elform = compact.elform;
  const model::Section& section = m.sections[compact.section == kNone ? part.section : compact.section];
  ready.formulation = elements::find_formulation(part.kind, elform);
  if (!ready.formulation)
    throw Error("CR-E001", fmt::format("ELFORM {} of section {} (part {}) is not supported",
                                       model::elform_in_deck(section), section.id, part.id));
  if (section.plies.empty())
    ready.material = materials::prepare(m, m.materials[part.material]);
  else
    prepare_plies(m, part, section, ready);
  if (const model::DiscreteBeamSection* of_beam =
          model::find_discrete_beam_section(m, compact.section == kNone ? part.section : compact.section))
    ready.material = materials::with_section(ready.material, *of_beam);
  ready.material = loads::with_expansion(m, part, section, elform, std::move(ready.material));
  if (compact.preload != 0) ready.material = materials::add_preload(ready.material, compact.preload == 2);
  check_damage(m, part, ready.material.law);
  elements::GroupParameters& g = ready.parameters;
  const materials::Needs gives = given_by(*ready.formulation);
  for (const materials::Needs& needs : {ready.material.law.row->needs, ready.material.needs})
    materials::check_needs(needs, m.materials[part.material], gives, ready.formulation->name);
  for (std::size_t k = 0; k < ready.plies.size(); ++k)
    for (const materials::Needs& needs : {ready.plies[k].law.row->needs, ready.plies[k].needs})
      materials::check_needs(needs, m.materials[material_of(part, section.plies[k])], gives,
                             ready.formulation->name);
  g.law = ready.material.law;
  g.n_history = ready.material.n_history;
  g.density = ready.material.density;
  g.young = ready.material.elastic.young;
  g.poisson = ready.material.elastic.poisson;
  g.shear = ready.material.elastic.shear;
  g.bulk = ready.material.elastic.bulk;
  g.cohesive = ready.material.cohesive;
  g.shear_factor = section.shear_factor;
  g.stiffness_damping = part.stiffness_damping != 0 ? part.stiffness_damping : ready.material.damping;
  g.own_offsets = part.own_offsets;
  g.hourglass = part.hourglass;
  if (!ready.material.bulk_viscosity) g.hourglass.q1 = g.hourglass.q2 = 0;
  g.drilling = part.drilling;
  g.thickness_update = m.control.istupd > 0;
  g.bwc = m.control.bwc;
  g.nloc = section.nloc;
  g.section = &section;
  if (part.kind == ElementKind::beam && model::is_truss_chain(m, part)) elements::beam::make_chain(g);
  ready.formulation->prepare(section, m.control, g);
  set_layers(m, part, section, ready);
  set_points_to_delete(part.kind, ready.material, g);
  return ready;
}

/// Preloads by element. Keeps references.
class PreloadedElements {
 public:
  explicit PreloadedElements(const Model& m) {
    for (const loads::Preload& preload : m.features.of<loads::Preload>())
      of_[{preload.kind, preload.element}] = &preload;
  }
  /// As Compact::preload.
  int kind_of(ElementKind kind, LocalId element) const {
    const auto found = of_.find({kind, element});
    return found == of_.end() ? 0 : found->second->keeps ? 2 : 1;
  }
  /// Puts the axis of a solid's preload into the variables of its points.
  void put(ElementKind kind, LocalId element, const elements::GroupParameters& group,
           const elements::StateLayout& layout, std::span<double> variables) const {
    const auto found = of_.find({kind, element});
    if (found == of_.end()) return;
    const int first = layout.history + materials::preload_of(group.law)->law_history + 2;
    for (int p = 0; p < layout.n_points; ++p)
      for (int i = 0; i < 3; ++i)
        variables[at(first + p * layout.point_stride + i)] = found->second->normal[i];
  }

 private:
  std::map<std::pair<ElementKind, LocalId>, const loads::Preload*> of_;
};

namespace {

/// The size on which failure strains depend: the root of a shell's area, the cube root of a solid's volume.
double size_of(ElementKind kind, const elements::Formulation& formulation,
               const elements::ElementInput& input, std::span<const double> variables) {
  if (kind == ElementKind::solid) return std::cbrt(variables[elements::solid::kVolume0]);
  const Vec3* const x = input.x;
  return std::sqrt(0.5 * norm(formulation.n_nodes == 4 ? cross(x[2] - x[0], x[3] - x[1])
                                                       : cross(x[1] - x[0], x[2] - x[0])));
}

/// Puts the size of an element into a variable of its points, unless an earlier run gave it.
void put_size(double size, int variable, const elements::StateLayout& layout, std::span<double> variables) {
  for (int p = 0; p < layout.n_points; ++p) {
    double& of_point = variables[at(layout.history + variable + p * layout.point_stride)];
    if (of_point == 0) of_point = size;
  }
}

/// The reference shapes of membranes (*AIRBAG_REFERENCE_GEOMETRY).
class ReferenceShapes {
 public:
  explicit ReferenceShapes(const Model& m) {
    const auto& given = m.features.of<loads::ReferenceNode>();
    if (given.empty()) return;
    x_.assign(m.nodes.x.begin(), m.nodes.x.end());
    for (const loads::ReferenceNode& node : given) x_[static_cast<std::size_t>(node.node)] = node.x;
  }
  /// Puts that of an element into its initial variables; nodes that are not given stay where they are.
  void put(ElementKind kind, std::span<const LocalId> nodes, const elements::GroupParameters& group,
           std::span<double> variables) const {
    if (x_.empty() || kind != ElementKind::shell || !group.law.row->needs.deformation_gradient) return;
    std::array<Vec3, 4> corners;
    for (std::size_t k = 0; k < nodes.size() && k < 4; ++k)
      corners[k] = x_[static_cast<std::size_t>(nodes[k])];
    elements::shell::give_reference(corners.data(), group, variables);
  }

 private:
  std::vector<Vec3> x_;
};

/// Solids that begin deformed (foam_shapes.hpp).
class FoamStart {
 public:
  FoamStart(const Model& m, elements::Isa isa) : shapes_(m), isa_(isa) {}
  /// @returns the energy that the element begins with
  double put(ElementKind kind, LocalId part, std::span<const LocalId> nodes, const elements::Formulation& f,
             const elements::GroupParameters& group, const elements::ElementInput& input,
             std::span<double> variables) const {
    elements::ElementInput reference = input;
    if (!shapes_.put(kind, part, nodes, reference)) return 0.0;
    const auto kernel = elements::find_kernel<double>(isa_, kind, f.elform);
    return follow_from_reference(f, group, kernel, reference, input.x, variables);
  }

 private:
  FoamShapes shapes_;
  elements::Isa isa_;
};

/// The largest size of an element of a group; 0: any.
double largest_size(const Model& m, const model::Part& part, const model::Section& section,
                    const materials::Law& law) {
  if (!law.row->needs.element_size) return 0;
  double least = 0;
  const auto add = [&](LocalId material) {
    const double size = materials::largest_size(m.materials[material]);
    if (size > 0 && (least == 0 || size < least)) least = size;
  };
  const std::vector<model::Ply>& plies = section.plies;
  if (plies.empty()) add(part.material);
  for (const model::Ply& ply : plies) add(material_of(part, ply));
  return least;
}

/// Throws CR-M112 for an element above `largest`; 0: any.
void check_size(double size, double largest, const materials::Law& law) {
  if (largest > 0 && size >= largest)
    throw Error("CR-M112",
                fmt::format("its size, {:.4g}, must be below {:.4g}: it would break with more energy "
                            "than a fracture toughness of *{} gives",
                            size, largest, law.row->keyword));
}

template <class T>
void fill_block_data(const Model& m, ElementKind kind, const InitialStresses& stresses,
                     const PreloadedElements& preloads, const ReferenceShapes& shapes, const FoamStart& foams,
                     ElementGroup<T>& group) {
  const elements::Formulation& f = *group.ready.formulation;
  const model::ElementRows rows = model::rows_of(m, kind);
  const int n_vars = group.layout.n_vars;
  const std::size_t lanes = static_cast<std::size_t>(group.blocks()) * kLanes;
  group.nodes.resize(lanes * f.n_nodes);
  group.state.assign(lanes * n_vars, T(0));
  group.alive.assign(lanes, T(0));
  group.step.assign(lanes, T(kNoLimit));
  group.energy.assign(lanes * elements::kEnergies, 0.0);
  const materials::Law& law = group.ready.parameters.law;
  const double largest = largest_size(m, m.parts[group.part], *group.ready.parameters.section, law);
  std::vector<double> variables(n_vars);
  for (std::int32_t e = 0; e < static_cast<std::int32_t>(lanes); ++e) {
    const LocalId element = group.element[std::min(e, group.count - 1)];
    const Compact c = compact(m, kind, element);
    if (e < group.count) {
      std::fill(variables.begin(), variables.end(), 0.0);
      try {
        const elements::ElementInput input = element_input(m, kind, element, c.nodes);
        f.initialise(input, group.ready.parameters, variables);
        const double stored =
            foams.put(kind, group.part, c.nodes, f, group.ready.parameters, input, variables);
        shapes.put(kind, c.nodes, group.ready.parameters, variables);
        if (!group.ready.axes.empty())
          put_axes(m, kind, element, group.ready.axes, group.ready.parameters, group.layout,
                   {input.x, c.nodes.size()}, variables);
        group.energy[group.at(e, 0, elements::kEnergies)] =
            stored + stresses.put(kind, element, f, group.ready.parameters, group.layout, input, variables);
        preloads.put(kind, element, group.ready.parameters, group.layout, variables);
        for (const int variable : materials::size_variables(law)) {
          if (variable < 0) continue;
          const double size = size_of(kind, f, input, variables);
          check_size(size, largest, law);
          put_size(size, variable, group.layout, variables);
        }
        if (law.row->needs.layer_thickness) {
          const double thickness = model::thickness_of_layer(group.ready.axes.front(), m, element);
          check_size(thickness, materials::thickest_adhesive(m.materials[m.parts[group.part].material]), law);
          put_size(thickness, materials::kSolidAxes, group.layout, variables);
        }
      } catch (const Error& error) {
        throw Error(error.id(),
                    fmt::format("element {} of part {}: {}", rows.id[element], m.parts[group.part].id,
                                error.message()),
                    error.place(), error.status());
      }
      group.alive[e] = T(1);
    }
    for (int a = 0; a < f.n_nodes; ++a) group.nodes[group.at(e, a, f.n_nodes)] = c.nodes[a];
    for (int k = 0; k < n_vars; ++k) group.state[group.at(e, k, n_vars)] = static_cast<T>(variables[k]);
  }
}

}  // namespace

template <class T>
std::vector<ElementGroup<T>> make_groups(const Model& m, elements::Isa isa, std::span<const char> shared) {
  const PreloadedElements preloads(m);
  const ReferenceShapes shapes(m);
  const FoamStart foams(m, isa);
  std::map<std::tuple<LocalId, ElementKind, int, LocalId, int, bool>, std::vector<LocalId>> members;
  model::for_each_kind(m, [&](const model::ElementKindInfo& of, const model::ElementRows& rows) {
    for (LocalId e = 0; e < static_cast<LocalId>(rows.size()); ++e) {
      const LocalId part = rows.part[e];
      if (m.parts[part].rigid_body != kNone) continue;
      const Compact c = compact(m, of.kind, e);
      for (const LocalId n : c.nodes)
        CRUMPLE_ASSERT(n < static_cast<LocalId>(m.nodes.size()), n, e, model::kind_name(of.kind));
      const bool border =
          of.kind == ElementKind::sph ||  // forces of particles need the stresses of their neighbours
          (!shared.empty() && std::ranges::any_of(c.nodes, [&](LocalId n) { return shared[n] != 0; }));
      members[{part, of.kind, c.elform, c.section, preloads.kind_of(of.kind, e), border}].push_back(e);
    }
  });
  const InitialStresses stresses(m);
  std::vector<ElementGroup<T>> groups;
  for (auto& [key, elements] : members) {
    const auto [part, kind, elform, section, preload, border] = key;
    ElementGroup<T>& group = groups.emplace_back();
    group.part = part;
    group.border = border;
    group.ready = part_formulation(m, m.parts[part], {{elform, {}}, section, preload});
    group.layout = group.ready.formulation->layout(group.ready.parameters);
    group.kernel = elements::find_kernel<T>(isa, kind, elform);
    if (!group.kernel)
      throw Error("CR-E002", fmt::format("{} has no kernel for {}", group.ready.formulation->name,
                                         elements::isa_name(isa)));
    group.count = static_cast<std::int32_t>(elements.size());
    group.element = std::move(elements);
    group.element.shrink_to_fit();
    group.id.reserve(group.element.size());
    const model::ElementRows rows = model::rows_of(m, kind);
    for (const LocalId e : group.element) group.id.push_back(rows.id[e]);
    fill_block_data(m, kind, stresses, preloads, shapes, foams, group);
  }
  for (const ElementGroup<T>& group : groups) {
    CRUMPLE_ASSERT(group.count > 0 && group.id.size() == group.element.size(), group.count, group.id.size());
    [[maybe_unused]] const auto twice =
        std::ranges::adjacent_find(group.element, std::ranges::greater_equal{});
    CRUMPLE_ASSERT(twice == group.element.end(), *twice, group.part, group.count);
  }
  list_prefetch<T>(groups, m.nodes.size());
  return groups;
}

template std::vector<ElementGroup<float>> make_groups(const Model&, elements::Isa, std::span<const char>);
template std::vector<ElementGroup<double>> make_groups(const Model&, elements::Isa, std::span<const char>);

}  // namespace crumple::state
