// The order in which the parts of a model are read: each step uses the tables of numbers of earlier steps.
#include "model/deck_to_model.hpp"

#include "model/builder.hpp"
#include "model/feature.hpp"
#include "sensors/network.hpp"

namespace crumple::model {

void Builder::read_mesh_and_sets() {
  read_nodes();
  read_frames_and_boxes();
  read_control();
  read_curves();
  find_shell_belts();
  read_materials();
  read_failure();
  read_sections();
  read_hourglass();
  read_parts();
  read_shells();
  read_solids();
  read_beams();
  read_discretes();
  read_particles();
  read_sets();
}

Model build_model(const deck::Deck& deck, const BuildOptions& options) {
  Builder build(deck, options);
  build.find_node_changes();
  build.read_mesh_and_sets();
  build.read_drilling();
  build.adapt_to_implicit();
  build.read_part_damping();
  build.read_masses();
  build.read_part_masses();
  build.read_rigid_bodies();
  build.read_constraints();
  build.read_motions();
  build.read_welds();
  build.read_interpolations();
  build.read_velocities();
  build.read_cross_sections();
  for (const Feature* const feature : features()) feature->read(build);
  build.read_contacts();
  build.read_output();
  sensors::find_named(build);
  build.check_parts();
  build.report_missing();
  return std::move(build.model);
}

}  // namespace crumple::model
