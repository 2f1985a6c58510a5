// Registers the thick shells with layers in plane stress (*SECTION_TSHELL, ELFORM 1 and 2).
//
// Error ids: CR-E211 a law that these layers do not take.
#include <fmt/format.h>

#include "base/error.hpp"
#include "elements/shell/state.hpp"
#include "elements/solid/prepare.hpp"
#include "elements/thick_shell/layered_shell_layout.hpp"
#include "model/section.hpp"

namespace crumple::elements::thick_shell {
namespace {

/// Layers have the laws of shells, and what solids have for laws: no axes of shells, no rotation of them.
void check_layers(const model::Section& section, const GroupParameters& group) {
  const materials::Row& row = *group.law.row;
  const materials::Needs& needs = row.needs;
  const bool own = row.number >= 41 && row.number <= 50;
  const bool more = group.law.criteria >= 0 || group.law.damage >= 0;
  if (!row.supports.shell || row.null || own || more || needs.material_axes || needs.deformation_gradient ||
      needs.rotation || needs.energy)
    throw Error("CR-E211",
                fmt::format("thick shells of ELFORM {} take isotropic laws of shells only, without "
                            "*MAT_ADD_...; *{} needs ELFORM 3, 5 or 7",
                            model::elform_in_deck(section), row.keyword));
}

template <int columns>
void prepare_layers(const model::Section& section, const model::Control& control, GroupParameters& group) {
  solid::prepare_solid(section, group);
  check_layers(section, group);
  if (section.nip < 2)
    throw Error("CR-E101",
                "a thick shell needs two points through the thickness or more: one has no bending stiffness");
  shell::prepare_shell(section, control, columns, group);
  group.thickness_update = false;
  group.drilling = 0;
  group.nloc = 0;
  group.own_offsets = false;
}

StateLayout layers_layout(const GroupParameters& group) {
  StateLayout l = shell::shell_layout(group);
  l.n_vars = layered_shell::n_variables(group);
  l.stress += layered_shell::kShell;
  l.plastic_strain += layered_shell::kShell;
  l.history += layered_shell::kShell;
  l.thickness = -1;
  return l;
}

NodalShare layers_mass(const ElementInput& input, const GroupParameters& group) {
  return solid::equal_mass(solid::hexahedron_volume(input), 8, group);
}

Vec3 middle_of(const Vec3* x, int n) { return 0.5 * (x[n] + x[n + 4]); }

void initialise_layers(const ElementInput& input, const GroupParameters& group, std::span<double> variables) {
  const double volume = solid::hexahedron_volume(input);
  solid::initialise_solid(volume, variables);
  ElementInput middle;
  for (int n = 0; n < 4; ++n) middle.x[n] = middle_of(input.x, n);
  const double area = 0.5 * norm(cross(middle.x[2] - middle.x[0], middle.x[3] - middle.x[1]));
  if (!(area > 0)) throw Error("CR-E103", "the middle surface of a thick shell has no area");
  for (double& t : middle.thickness) t = volume / area;
  const auto first = static_cast<std::size_t>(layered_shell::kShell);
  shell::initialise_shell(middle, group, 4,
                          variables.subspan(first, static_cast<std::size_t>(shell::shell_variables(group))));
}

void layers_to_global(const Vec3* x, const double* local6, double* global6) {
  Vec3 middle[4];
  for (int n = 0; n < 4; ++n) middle[n] = middle_of(x, n);
  shell::quad_to_global(middle, local6, global6);
}

template <int columns>
Formulation layers_formulation(const char* name, int elform, double cost) {
  return {.name = name,
          .kind = model::ElementKind::solid,
          .elform = model::kThickShells + elform,
          .n_nodes = 8,
          .rotations = false,
          .cost = cost,
          .prepare = prepare_layers<columns>,
          .layout = layers_layout,
          .mass = layers_mass,
          .initialise = initialise_layers,
          .to_global = layers_to_global};
}

const detail::RegisterFormulation one_point_layers(
    layers_formulation<1>("one-point thick shell in plane stress", 1, 1.4));
const detail::RegisterFormulation selective_layers(layers_formulation<4>("S/R thick shell in plane stress", 2,
                                                                         3.3));

}  // namespace
}  // namespace crumple::elements::thick_shell
