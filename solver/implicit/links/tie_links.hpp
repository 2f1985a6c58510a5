// Tied contacts by springs (_OFFSET) in implicit runs.
//
// A node is held at its position p relative to a segment, with the energy k |x - p|^2 / 2, as in explicit
// runs (contact/tied/tie_springs.hpp): rigid motions give no force, and forces are in balance. A tie of
// rotations has a second spring between the turn of the node and that of the segment: its relative rotation
// turns with the segment. The turn of a segment of shells is the mean of its nodes', that of solids, and
// about a shell's normal with torsion, the mean rotation of their positions half way through the step.
//
// k = 1000 SLSFAC SFS K h, with K the larger bulk modulus of the parts at the node and the segment and h the
// root of the segment's area: with SLSFAC = 0.1 a hundred times what a cube of the material has there. The
// second spring has k h^2.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "contact/contact_system.hpp"
#include "contact/tied/tie_load.hpp"
#include "implicit/links/links.hpp"

namespace crumple::implicit {

class TieLinks final : public Links {
 public:
  explicit TieLinks(const LinkInput& input);

  void append_points(std::vector<std::vector<LocalId>>& all) const override;
  void raise_unknowns(std::span<std::uint8_t> of_point) const override;
  void evaluate(const Trial& trial, bool stiffness, const Elements::Visit& visit) const override;
  void accept(const Trial& trial) override;
  void begin_at(const LinkBegin& begin) override;
  void leave(const Trial& at_rest, phases::CarriedLinks& to) const override;
  void archive(state::Archive& archive) override;
  bool delete_element(model::ElementKind kind, LocalId element) override;

  /// Puts force and energy of these ties into those of their contacts.
  void add_results(std::span<contact::ContactResult> results) const;
  double energy() const;

 private:
  struct Spring {
    model::Tie tie;  ///< weights of p
    std::int32_t contact = 0;
    double death = 0;
    bool alive = true;
    double height = 0;  ///< of p over the segment
    double stiffness = 0, turning = 0;
    Vec3 turned;                    ///< of the node, relative to the segment, at the start of the step
    Vec3 force;                     ///< on the node, at the end of the last step
    double energy = 0, stored = 0;  ///< work done against it so far; what it would give back
    contact::TieStart start;        ///< what explicit cycles have left

    int corners() const { return tie.nodes[2] == tie.nodes[3] ? 3 : 4; }
    bool acts(const Trial& trial) const {
      constexpr double rounding = 1e-6;  // of a step: it begins before the end of the tie
      return alive && trial.end - trial.dt < death - rounding * trial.dt;
    }
  };
  /// Forces and moments on node and corners.
  template <class T>
  struct Action {
    std::array<Vector<T>, 5> force, moment;
    Vector<T> turned, moment_before;  ///< that of Spring::start turns with the segment
    T energy{};
  };

  static void place(Spring& spring, std::span<const Vec3> x);
  template <class T>
  static Action<T> act(const Spring& spring, const Trial& trial);
  template <int kDofs, int kPoints>
  static void visit_one(const Spring& spring, const Trial& trial, bool stiffness,
                        const Elements::Visit& visit);

  std::vector<Spring> springs_;
  bool phased_;  ///< the run has explicit parts
};

}  // namespace crumple::implicit
