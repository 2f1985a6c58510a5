// Joints between rigid bodies in implicit runs.
//
// The links of a joint are those of explicit runs (constraints/joints/joints.hpp): points that coincide, a
// point on a line, axes that stay perpendicular. Each has the energy k g^2 / 2 of its gap g, with k = RPS
// times Young's modulus times the size of the model; of an angle k times the square of the distance of the
// joint's nodes. So the relative gap is of the order of the load over E L^2. DAMP has no effect.
#pragma once

#include <array>
#include <vector>

#include "base/members.hpp"
#include "constraints/joints/joint.hpp"
#include "constraints/joints/link_load.hpp"
#include "implicit/links/links.hpp"

namespace crumple::implicit {

class JointLinks final : public Links {
 public:
  explicit JointLinks(const LinkInput& input);

  void append_points(std::vector<std::vector<LocalId>>& all) const override;
  void evaluate(const Trial& trial, bool stiffness, const Elements::Visit& visit) const override;
  void accept(const Trial& trial) override;
  void begin_at(const LinkBegin& begin) override;
  void leave(const Trial& at_rest, phases::CarriedLinks& to) const override;
  void archive(state::Archive& archive) override;

  /// Force and moment of a joint on body A, about its first node, and its energy, at the end of the last
  /// step.
  struct State {
    Vec3 force{}, moment{};
    double energy = 0;
  };
  const std::vector<State>& states() const { return states_; }

 private:
  enum class Kind : std::int8_t { point, line, perpendicular };
  struct Link {
    Kind kind{};
    std::size_t joint = 0;
    std::array<LocalId, 2> points{};    ///< of the bodies
    std::array<std::size_t, 2> body{};  ///< into bodies_
    std::array<Vec3, 2> arm;            ///< at t = 0: from the bodies' points, or unit axes
    Vec3 axis;                          ///< line: its direction at t = 0
    double cosine = 0, stiffness = 0;
    constraints::LinkStart start;  ///< what explicit cycles have left
  };
  /// What a link does to its bodies.
  template <class T>
  struct Action {
    Vector<T> on_a, moment_a, moment_b;  ///< force on A, whose negative is on B; moments about their points
    Vector<T> gap, at;                   ///< of lines and points; where the force acts
    T opening{}, resists{};              ///< of axes, and the moment against it
    T energy{};
  };

  void add(const constraints::Joint& joint, const LinkInput& input);
  void find_states(const Trial& trial);
  template <class T>
  Action<T> act(const Link& link, const Trial& trial) const;
  template <class T>
  void add_to(const Link& link, const Trial& trial, LinkTangent<6, 2>& to) const;

  std::vector<Link> links_;
  std::vector<constraints::Quaternion> orientation_;  ///< of bodies at the start of the step
  std::vector<LocalId> body_point_;
  std::vector<Vec3> first_arm_;  ///< of joints: of N1 from A's point at t = 0
  std::vector<std::size_t> first_body_;
  std::vector<State> states_;
  bool phased_;                        ///< the run has explicit parts
  std::vector<double> energy_before_;  ///< of joints, in these
};

CRUMPLE_MEMBERS(JointLinks::State, force, moment, energy)

}  // namespace crumple::implicit
