// Rigid walls in implicit runs: a penalty between each tracked node and the wall.
//
// A node at the depth d inside the wall is pushed out along the normal there by the force k d, k = 10 K h: K
// is the largest bulk modulus of the elements at the node and h the mean distance to the other nodes of
// these. A node that touches the wall, to 1e-9 h, has this stiffness already, so that what rests on a wall is
// held. What a node is inside at the start is taken out. Friction is a spring of stiffness k / 10 along the
// wall that slides at FRIC times the normal force (never with FRIC = 1); what it holds is kept when a step
// has converged. The derivatives are exact, but for that of the limit of friction.
//
// Walls move as their curve says. Explicit runs stop nodes by their velocities instead (loads/rigid_wall).
#pragma once

#include <array>
#include <vector>

#include "base/members.hpp"
#include "implicit/links/links.hpp"
#include "loads/rigid_wall/rigid_wall.hpp"

namespace crumple::implicit {

class WallLinks final : public Links {
 public:
  explicit WallLinks(const LinkInput& input);

  void append_points(std::vector<std::vector<LocalId>>& all) const override;
  void raise_unknowns(std::span<std::uint8_t> of_point) const override;
  void evaluate(const Trial& trial, bool stiffness, const Elements::Visit& visit) const override;
  void accept(const Trial& trial) override;
  void begin_at(const LinkBegin& begin) override;
  void archive(state::Archive& archive) override;

  /// Of the wall on its nodes at the end of the last step: along a plane's normal or, of other shapes, the
  /// size of the whole force; and that.
  struct State {
    double normal_force = 0;
    Vec3 force;
    double energy = 0;  ///< taken from the nodes so far
  };
  const std::vector<State>& states() const { return states_; }

 private:
  struct Tracked {
    std::int32_t wall = 0;
    LocalId node = model::kNone;
    double stiffness = 0, touch = 0;  ///< k, and the distance that is none
    double taken_out = 0;             ///< depth at the start
    bool in_front = true;             ///< at the start of the step
    Vec3 stretched;                   ///< of the spring along the wall
    Vec3 force;                       ///< on the node, at the end of the last step
  };
  /// Of a node in a trial.
  template <class T>
  struct Action {
    Vector<T> force;  ///< of the wall on the node
    Vec3 stretched;
    double outside = 0;  ///< signed distance
    bool within = true;  ///< the edges of a finite plane
  };

  const loads::RigidWall& wall_of(const Tracked& tracked) const { return (*walls_)[at(tracked.wall)]; }
  Vec3 moved(const loads::RigidWall& wall, double time) const;
  template <class T>
  Action<T> act(const Tracked& tracked, const Trial& trial) const;

  const model::Model* model_;
  const std::vector<loads::RigidWall>* walls_;
  std::vector<Tracked> tracked_;
  std::vector<State> states_;
};

CRUMPLE_MEMBERS(WallLinks::State, normal_force, force, energy)

}  // namespace crumple::implicit
