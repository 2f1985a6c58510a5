// Dashpots on the faces of solids that take the waves which arrive there.
//
// Lysmer and Kuhlemeyer (1969, "Finite dynamic model for infinite media", J. Eng. Mech. Div. ASCE 95, eqs. 3
// and 4, with a = b = 1): on the boundary act the stresses
//
//   sigma = - rho c_d v_n        tau = - rho c_s v_t        c_d^2 = (K + 4/3 G) / rho     c_s^2 = G / rho
//
// of the velocity along the normal and in the plane, which are those of a plane wave that goes out along the
// normal; such waves pass whole, others in part. Nodes have the integrals of their shape functions over the
// faces at the start, so that a node has a constant matrix C. The dashpots act at the velocity in the middle
// of the step,
//
//   m a + C (v_{n-1/2} + a dt/2) = f
//
// which is solved at each node: they have no limit of the step.
#pragma once

#include <memory>
#include <vector>

#include "loads/non_reflecting/non_reflecting.hpp"
#include "modules/module.hpp"
#include "parallel/exact_sum.hpp"
#include "state/nodal.hpp"

namespace crumple::loads {

/// A symmetric matrix: xx, yy, zz, xy, yz, zx.
struct SymmetricMatrix {
  std::array<double, 6> c{};
  Vec3 times(const Vec3& v) const;
  /// The solution x of (by I + times this) x = b.
  Vec3 solve(double by, double times, const Vec3& b) const;
};

class Dashpots final : public modules::Module {
 public:
  explicit Dashpots(const modules::Start& start);

  /// Changes accelerations of nodes from those without dashpots.
  void slow(state::Nodal& nodal, double dt_v) const;

  // As a module (modules/module.hpp).
  static std::unique_ptr<modules::Module> start(const modules::Start& start);
  void add_held_nodes(std::vector<LocalId>& nodes) const override;
  /// After all else that gives accelerations, and before what holds nodes.
  void constrain(modules::Cycle& c) override { slow(c.nodal, c.dt_v); }
  void count_work(modules::Cycle& c) override;
  void add_work(modules::Work& work) const override { work.damped.add(energy_); }
  void archive(state::Archive& archive, const parallel::IndexMap& nodes) override;

 private:
  struct Damped {
    LocalId node = model::kNone;
    SymmetricMatrix by;
    bool counts = false;  ///< this rank owns it
  };
  std::vector<Damped> nodes_;
  parallel::ExactSum energy_;
};

}  // namespace crumple::loads
