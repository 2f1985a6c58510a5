// All features, and why they are in this order.
//
// Each phase of a cycle (module.hpp) goes through the list from first to last. Forces on nodes may be added
// in any order, because their sums are fixed point. Where the order matters, a comment says so.
#include <array>

#include "constraints/fibres/fibre.hpp"
#include "constraints/joint_stiffness/joint_stiffness.hpp"
#include "constraints/joints/joint.hpp"
#include "constraints/linear/linear_constraint.hpp"
#include "constraints/prescribed_motion.hpp"
#include "constraints/relative_motion/relative_motion.hpp"
#include "constraints/rivets/rivet.hpp"
#include "constraints/single_point.hpp"
#include "constraints/stiff_links/stiff_link.hpp"
#include "constraints/stoppers/stopper.hpp"
#include "constraints/switched_parts/switch_set.hpp"
#include "constraints/tied_edges/tied_edge.hpp"
#include "constraints/tied_nodes/tied_nodes.hpp"
#include "constraints/weld_strains/weld_nodes.hpp"
#include "loads/airbag/airbag.hpp"
#include "loads/belts/belt.hpp"
#include "loads/blast/blast_load.hpp"
#include "loads/body/body_load.hpp"
#include "loads/death/element_death.hpp"
#include "loads/entity/contact_entity.hpp"
#include "loads/nodal/nodal_load.hpp"
#include "loads/non_reflecting/non_reflecting.hpp"
#include "loads/part_gravity/part_gravity.hpp"
#include "loads/preload/preload.hpp"
#include "loads/pressure/pressure_load.hpp"
#include "loads/reference/foam_reference.hpp"
#include "loads/reference/reference_node.hpp"
#include "loads/relative_damping/relative_damping.hpp"
#include "loads/rigid_body/rigid_body_load.hpp"
#include "loads/rigid_wall/rigid_wall.hpp"
#include "loads/temperature/temperature.hpp"
#include "model/discrete_beam_sections.hpp"
#include "model/feature.hpp"
#include "model/functions_tables.hpp"
#include "model/implicit_matrices.hpp"
#include "model/own_library.hpp"
#include "model/truss_chain.hpp"
#include "output/accelerometer/accelerometer.hpp"
#include "output/interface_file/interface_component.hpp"
#include "output/local_history/local_history.hpp"
#include "sensors/network.hpp"
#include "springback/initial_state.hpp"
#include "springback/request.hpp"

namespace crumple::model {

namespace {

/// A module whose input is a member of the model: readers of ties, welds and interpolations, among others,
/// ask which nodes are held or moved.
template <class Module>
class OfModel final : public Feature {
 public:
  void read(Builder&) const override {}
  bool any(const FeatureInputs&) const override { return false; }
  std::string_view not_implicit() const override { return {}; }
  void add_curves(const FeatureInputs&, std::set<LocalId>&) const override {}
  void cut(const FeatureInputs&, const decomposition::RankPart&, FeatureInputs&) const override {}
  void send(const FeatureInputs&, ByteArchive<Packer>&) const override {}
  void receive(ByteArchive<Unpacker>&, FeatureInputs&) const override {}
  std::unique_ptr<modules::Module> start(const modules::Start& start) const override {
    return Module::start(start);
  }
};
template <class Module>
const Feature& of_model() {
  static const OfModel<Module> feature;
  return feature;
}

}  // namespace

std::span<const Feature* const> features() {
  static const std::array list{
      // Values and switches of this step, which the others ask for.
      &sensors::sensor_feature(),
      // Forces on nodes.
      &loads::nodal_load_feature(), &loads::pressure_load_feature(), &loads::blast_load_feature(),
      &loads::airbag_feature(), &loads::belt_feature(), &loads::body_load_feature(),
      &loads::part_gravity_feature(), &loads::relative_damping_feature(), &loads::rigid_wall_feature(),
      &loads::wall_transducer_feature(), &loads::contact_entity_feature(),
      // Changes accelerations that forces have given, before the constraints.
      &loads::non_reflecting_feature(),
      // Without forces.
      &loads::element_death_feature(),
      // Accelerations: constraints come before prescribed motion, which replaces the remaining components.
      &of_model<constraints::SinglePoint>(), &of_model<constraints::PrescribedMotion>(),
      // Links of nodes, which ask those above what is held or moved.
      &constraints::linear_constraint_feature(), &constraints::rivet_feature(),
      &constraints::tied_nodes_feature(), &constraints::fibre_feature(), &constraints::tied_edge_feature(),
      &constraints::weld_nodes_feature(),
      // Forces between nodes, which the ends of ties and the strains at welds above end.
      &constraints::stiff_link_feature(),
      // Forces between rigid bodies and on them are summed in floating point: another order changes the last
      // bits.
      &constraints::joint_feature(), &constraints::joint_stiffness_feature(),
      &loads::rigid_body_load_feature(),
      // Takes what all others do to the velocities of nodes.
      &constraints::switched_parts_feature(), &constraints::part_switches_feature(),
      // Without a part in cycles. Expansions add to the states of elements, which initial stresses ask for.
      &loads::thermal_expansion_feature(), &loads::temperature_feature(),
      &springback::initial_stress_feature(), &springback::initial_strain_feature(),
      &springback::request_feature(), &loads::preload_feature(), &constraints::stopper_feature(),
      &constraints::relative_motion_feature(), &output::accelerometer_feature(),
      &output::local_history_feature(), &output::interface_component_feature(),
      &discrete_beam_sections_feature(), &own_library_feature(), &truss_chain_feature(),
      &loads::reference_node_feature(), &loads::foam_reference_feature(), &place_function_feature(),
      &table_of_tables_feature(), &implicit_matrices_feature()};
  return list;
}

}  // namespace crumple::model
