// External forces of a trial state, and their stiffness: nodal loads, pressures, body loads, loads on rigid
// bodies.
//
// The features' modules (loads/) add the same forces and their work once for every accepted state; iterations
// need them without memory of earlier calls.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "constraints/rotation.hpp"
#include "implicit/increment.hpp"
#include "implicit/rigid_points.hpp"
#include "loads/body/body_load.hpp"
#include "loads/nodal/nodal_load.hpp"
#include "loads/part_gravity/part_gravity.hpp"
#include "loads/pressure/pressure_load.hpp"
#include "loads/rigid_body/rigid_body_load.hpp"
#include "model/model.hpp"
#include "parallel/halo.hpp"

namespace crumple::implicit {

/// Receives - d force(a) / d x(b).
using AddLoadStiffness = std::function<void(LocalId a, LocalId b, const constraints::Matrix3& block)>;

class ExternalLoads {
 public:
  /// Keeps references to all.
  /// @param mass of nodes
  /// @param bodies their centres are points behind the nodes and the bodies' points (DependentNodes::centre)
  /// @param stage whose loads act
  /// @param halo for the masses of parts; null: the model has no gravity of parts
  ExternalLoads(const model::Model& model, std::span<const double> mass,
                std::span<const RigidPoint> bodies = {}, model::Stage stage = model::Stage::transient,
                const parallel::Halo* halo = nullptr);

  /// Add forces at positions x of points and a time.
  void add(std::span<const Vec3> x, double time, NodalForces& to) const;
  /// The stiffness of pressures, which follow their segments (Belytschko, Liu, Moran 2000, section 6.4.7),
  /// and of spin. Not of nodal follower loads.
  void add_stiffness(std::span<const Vec3> x, double time, const AddLoadStiffness& add) const;
  /// Nodes of each segment under pressure: these join the stiffness of their unknowns.
  std::vector<std::vector<LocalId>> segments() const;
  /// The pressure on a deleted shell ends. Local.
  void delete_shell(LocalId shell);

 private:
  double pressure(const loads::PressureLoad& load, double time) const;
  double size_of(const loads::BodyLoad& load, double time) const;  ///< of the curve
  void choose(const loads::BodyLoad& load);
  void choose(const loads::PartGravity& load, const parallel::Halo& halo);
  LocalId centre(std::size_t body) const {
    return static_cast<LocalId>(mass_.size() + bodies_.size() + body);
  }

  const model::Model* model_;
  std::span<const double> mass_;
  const std::vector<loads::NodalLoad>* nodal_;
  const std::vector<loads::PressureLoad>* pressures_;
  const std::vector<loads::BodyLoad>* body_;
  const std::vector<loads::PartGravity>* gravity_;
  const std::vector<loads::RigidBodyLoad>* on_bodies_;
  std::span<const RigidPoint> bodies_;
  model::Stage stage_;
  std::vector<char> ended_;  ///< by pressure
  /// By body load: the mass of each node and, at its centre, of each rigid body with parts on which it acts.
  std::vector<std::vector<double>> pulled_;
  std::vector<std::vector<double>> of_parts_;  ///< the same by gravity of parts
};

}  // namespace crumple::implicit
