// Body forces on the masses of parts (*LOAD_GRAVITY_PART).
//
// A load acts on the mass that a node has from the elements of its parts. At a node that other parts share,
// the acceleration is that of this fraction of the node's mass; lumped masses (*ELEMENT_MASS) belong to no
// part. Mass that is added by mass scaling is loaded like the rest of its node, so that scaled parts fall
// like others.
//
// Deformable nodes get accelerations, not forces: a weight is small beside the forces of elements, to which
// the fixed-point sums are scaled, and would be rounded to about six digits. Nodes of rigid bodies get
// forces, so that a loaded part of a merged body turns it. If the mass properties of a body were given, the
// masses of its nodes have no meaning: its centre is accelerated by the loaded parts' fraction of the mass of
// its parts.
#pragma once

#include <span>
#include <vector>

#include "constraints/rigid_bodies.hpp"
#include "loads/part_gravity/part_gravity.hpp"
#include "model/model.hpp"
#include "model/stage.hpp"
#include "parallel/communicator.hpp"
#include "parallel/exact_sum.hpp"
#include "parallel/halo.hpp"
#include "parallel/index_map.hpp"
#include "state/assembly.hpp"
#include "state/nodal.hpp"

namespace crumple::state {
class Archive;
}

namespace crumple::loads {

class PartGravities {
 public:
  /// Where nodes of loaded parts are tied, the nodes of the segments have their mass. Keeps a reference to
  /// `model`. Collective.
  /// @param own masses of the nodes before ties moved them with `transfer`
  PartGravities(const model::Model& model, const state::Nodal& nodal, const std::vector<double>& own,
                const state::Transfer& transfer, const parallel::Halo& halo,
                const parallel::Communicator& comm);

  /// Compute accelerations at `time` (t_n), add forces to nodes of rigid bodies, and count the work.
  /// @param dt_last the step that led to t_n, 0 in the first cycle
  void pull(state::Nodal& nodal, constraints::RigidBodies& bodies, double time, double dt_last,
            model::Stage stage);
  /// Add the accelerations of `pull` to those of nodes outside bodies.
  void accelerate(state::Nodal& nodal, const constraints::RigidBodies& bodies) const;

  /// The loaded nodes.
  std::span<const LocalId> nodes() const { return nodes_; }
  /// External work except that on bodies with given mass properties, which count theirs; to be reduced.
  const parallel::ExactSum& work() const { return work_; }

  void archive(state::Archive& archive, const parallel::IndexMap& nodes);

 private:
  /// A loaded node, and the loaded fraction of its mass.
  struct Share {
    LocalId node;
    double mass;
  };
  double share_of(const model::RigidBody& body, const PartGravity& load,
                  const std::vector<double>& part_masses) const;
  void find_accelerations(double time, model::Stage stage);

  const model::Model& model_;
  const std::vector<PartGravity>& inputs_;
  int rank_;
  std::vector<std::vector<Share>> shares_;        ///< of each load
  std::vector<std::vector<double>> body_shares_;  ///< of each load, for bodies with given mass properties
  std::vector<LocalId> nodes_;
  AlignedVector<Vec3> now_, last_;  ///< accelerations of nodes in this cycle and in the last
  std::vector<Vec3> of_bodies_;     ///< the same in this cycle
  parallel::ExactSum work_;
};

}  // namespace crumple::loads
