// External forces of a trial state, and their stiffness: nodal loads, pressures, body loads.
//
// The features' modules (loads/) add the same forces and their work once for every accepted state; iterations
// need them without memory of earlier calls.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "constraints/rotation.hpp"
#include "implicit/increment.hpp"
#include "loads/body/body_load.hpp"
#include "loads/nodal/nodal_load.hpp"
#include "loads/pressure/pressure_load.hpp"
#include "model/model.hpp"

namespace crumple::implicit {

/// Receives - d force(a) / d x(b).
using AddLoadStiffness = std::function<void(LocalId a, LocalId b, const constraints::Matrix3& block)>;

class ExternalLoads {
 public:
  /// Keeps references to `model` and `mass`.
  ExternalLoads(const model::Model& model, std::span<const double> mass);

  /// Add forces at positions x and a time.
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

  const model::Model* model_;
  std::span<const double> mass_;
  const std::vector<loads::NodalLoad>* nodal_;
  const std::vector<loads::PressureLoad>* pressures_;
  const std::vector<loads::BodyLoad>* body_;
  std::vector<char> ended_;                ///< by pressure
  std::vector<std::vector<char>> chosen_;  ///< by body load: its nodes; empty: all
};

}  // namespace crumple::implicit
