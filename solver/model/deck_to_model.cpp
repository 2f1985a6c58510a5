// The order in which the parts of a model are read: each step uses the tables of numbers of earlier steps.
#include "model/deck_to_model.hpp"

#include "model/builder.hpp"
#include "model/feature.hpp"

namespace crumple::model {

Model build_model(const deck::Deck& deck, const BuildOptions& options) {
  Builder build(deck, options);
  build.read_nodes();
  build.read_frames_and_boxes();
  build.read_control();
  build.read_curves();
  build.read_materials();
  build.read_failure();
  build.read_sections();
  build.read_hourglass();
  build.read_parts();
  build.read_shells();
  build.read_solids();
  build.read_beams();
  build.read_discretes();
  build.read_sets();
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
  build.check_parts();
  build.report_missing();
  return std::move(build.model);
}

}  // namespace crumple::model
