// The physical model: immutable once built, free of any file format.
//
// `build_model` (deck_to_model.hpp) makes the whole model on rank 0; `extract` (decomposition/) cuts the part
// of a rank, which is also a Model: nodes and elements are filtered and renumbered, small arrays (parts,
// sections, materials, curves) are complete on every rank. References are indices (LocalId) into the arrays
// here; user numbers are kept beside them for messages, results and to break ties.
#pragma once

#include <vector>

#include "model/constraints.hpp"
#include "model/contact.hpp"
#include "model/control.hpp"
#include "model/coordinate_system.hpp"
#include "model/curve.hpp"
#include "model/feature_inputs.hpp"
#include "model/index.hpp"
#include "model/material.hpp"
#include "model/mesh.hpp"
#include "model/output_control.hpp"
#include "model/part.hpp"
#include "model/rigid_bodies.hpp"
#include "model/section.hpp"
#include "model/sets.hpp"
#include "model/surface.hpp"

namespace crumple::model {

struct Model {
  FeatureInputs features;  ///< inputs of features (model/feature.hpp)
  Nodes nodes;
  Shells shells;
  Solids solids;
  Beams beams;
  Discretes discretes;
  SphParticles particles;
  Masses masses;
  std::vector<PartMass> part_masses;  ///< on rank 0, until they are distributed to nodes
  std::vector<Part> parts;
  std::vector<PartDamping> part_damping;
  std::vector<Section> sections;
  std::vector<Material> materials;
  std::vector<Curve> curves;
  std::vector<Table> tables;
  std::vector<CoordinateSystem> systems;
  std::vector<Vec3> vectors;  ///< orientation vectors of discrete elements, unit length
  std::vector<NodeConstraint> constraints;
  std::vector<PrescribedMotion> motions;
  std::vector<InitialVelocity> initial_velocities;  ///< one per node at most, later input wins
  std::vector<RigidBody> rigid_bodies;
  std::vector<Support> supports;
  std::vector<Weld> welds;
  std::vector<NodeTie> node_ties;
  std::vector<Interpolation> interpolations;
  std::vector<Contact> contacts;
  std::vector<CrossSection> cross_sections;
  std::vector<InteriorContact> interiors;
  OutputControl output;
  Control control;
  Sets sets;

  LocalId curve_index(
      GlobalId id) const;  ///< of a material; kNone if there is none, or a formula of the time
  LocalId table_index(GlobalId id) const;
};

}  // namespace crumple::model
