// Moments between rigid bodies by the angles between them, in implicit runs
// (*CONSTRAINED_JOINT_STIFFNESS_GENERALIZED).
//
// Angles and moments are those of explicit runs (constraints/joint_stiffness/joint_stiffnesses.hpp). Friction
// is a spring that slides from where the last step left it; the rate of an angle is its mean in the step.
#pragma once

#include <array>
#include <vector>

#include "base/members.hpp"
#include "constraints/joint_stiffness/joint_stiffness.hpp"
#include "implicit/links/links.hpp"

namespace crumple::implicit {

class JointMoments final : public Links {
 public:
  explicit JointMoments(const LinkInput& input);

  void append_points(std::vector<std::vector<LocalId>>& all) const override;
  void evaluate(const Trial& trial, bool stiffness, const Elements::Visit& visit) const override;
  void accept(const Trial& trial) override;
  void begin_at(const LinkBegin& begin) override;
  void leave(const Trial& at_rest, phases::CarriedLinks& to) const override;
  void archive(state::Archive& archive) override;

  /// At the end of the last step; as constraints::JointStiffnesses::State.
  struct State {
    std::array<double, 3> angle{}, rate{}, elastic{}, damping{};
    double energy = 0;  ///< stored and dissipated
  };
  const std::vector<State>& states() const { return states_; }

 private:
  /// What a joint has done to body B.
  template <class T>
  struct Action {
    std::array<T, 3> angle, rate, elastic, damping, friction;
    Vector<T> moment;
  };
  template <class T>
  Action<T> act(std::size_t k, const Trial& trial) const;
  template <class T>
  T elastic(const constraints::JointMoment& input, const T& angle, const T& turned, T& friction) const;

  const model::Model* model_;
  const std::vector<constraints::JointStiffness>* inputs_;
  std::vector<constraints::Quaternion> orientation_;  ///< of bodies at the start of the step
  std::vector<LocalId> body_point_;
  std::vector<State> states_;
  std::vector<std::array<double, 3>> friction_;  ///< moments at the start of the step
};

CRUMPLE_MEMBERS(JointMoments::State, angle, rate, elastic, damping, energy)

}  // namespace crumple::implicit
