// Belts and their devices in one step: sensors, pretensioners, retractors, slip rings, forces of elements.
//
// Retractors and rings change unstretched lengths L of elements, so that tensions are those that the devices
// allow (Hallquist 2006, LS-DYNA Theory Manual, section on seatbelt elements):
//
// * A retractor feeds its mouth element. Unlocked, to the tension of the first point of its curve, at most a
//   hundredth of the fed length in a step. Locked, to the tension of the curve at the length that came out.
// * At a ring with friction mu and angle theta between the directions of the belt before and behind it,
//   material passes to the side of the larger tension T2 until T2 = T1 exp(mu theta).
// * An element whose unstretched length falls below LMIN passes to the other side of the ring, or into the
//   retractor: its neighbour gets its length, and it gets 1.1 LMIN of the element on the other side, whose
//   strain it has. An element leaves the retractor with 1.1 LMIN when the fed length is reached.
#pragma once

#include <span>
#include <vector>

#include "loads/belts/belt.hpp"
#include "loads/belts/belt_state.hpp"
#include "loads/belts/node_step.hpp"
#include "model/stage.hpp"
#include "state/archive.hpp"

namespace crumple::loads {

class BeltSystem {
 public:
  /// Keeps references. `x` are positions of Belts::nodes at the start.
  /// Throws CR-L106 if belt nodes of devices are not at them.
  BeltSystem(const model::Model& model, const Belts& in, std::span<const Vec3> x);

  /// Motion of Belts::nodes; `step` changes that of nodes that leave a device or enter it.
  struct Motion {
    std::span<Vec3> x, v;
    std::span<const Vec3> a;  ///< mean accelerations over the last step
    double time = 0, dt = 0;  ///< t_n, the step that led to it: 0 at the start
    model::Stage stage = model::Stage::transient;
  };
  /// States at t_n, and forces.
  void step(Motion motion);
  /// A switch has fired a pretensioner, or locks a retractor, at `time`: as if a sensor had triggered then.
  void fire(std::size_t pretensioner, double time) { fired_[pretensioner] = time; }
  void lock(std::size_t retractor, double time) { locked_[retractor] = time; }
  /// Time starts again: what has happened was at its beginning.
  void begin_stage();

  /// Force along an element, of its first node towards the second; in a row of a belt of shells, of a whole
  /// belt.
  std::span<const BeltElementState> elements() const { return elements_; }
  std::span<const RetractorState> retractors() const { return retractors_; }
  std::span<const SlipRingState> rings() const { return rings_; }
  std::span<const BeltSensorState> sensors() const { return sensors_; }
  double tension(const RetractorState& retractor) const { return elements_[at(retractor.mouth)].force; }
  /// Of the belt's width, at a row's device.
  double share(std::int64_t element) const { return in_->elements[at(element)].share; }
  /// Shells that are inside a retractor, all or in part, or at its mouth and shorter than 1.25 LMIN: places
  /// in Belts::shells.
  std::vector<std::size_t> shells_inside() const;
  const Belts& in() const { return *in_; }

  /// A belt node that is carried by the node of a device.
  struct Carried {
    std::int64_t node = 0, by = 0;
  };
  const std::vector<Carried>& carried() const { return carried_; }
  /// Nodes that the last step has moved.
  const std::vector<std::int64_t>& moved() const { return moved_; }
  /// Of all nodes, at these positions.
  std::vector<NodeStep> stable_steps(std::span<const Vec3> x) const;
  /// Work of the forces on nodes so far.
  double work() const { return work_; }

  void archive(state::Archive& archive);

 private:
  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
  const BeltMaterial& material(std::int64_t element) const {
    return in_->materials[at(in_->elements[at(element)].material)];
  }
  const model::Curve& curve(LocalId id) const { return model_->curves[at(id)]; }
  double force_of(std::int64_t element, double length) const;
  double target_length(std::int64_t element, double force) const;

  // the start
  void place_elements(std::span<const Vec3> x);
  void fill_retractors(std::span<const Vec3> x);
  void thread_rings(std::span<const Vec3> x);
  std::int64_t take_end(std::int64_t element, std::int64_t device, std::span<const Vec3> x, GlobalId id);

  // a step
  void measure(const Motion& m);
  void read_sensors(const Motion& m);
  bool exceeded(const BeltSensor& sensor, const Motion& m) const;
  void run_retractor(std::size_t r, Motion& m);
  bool pretension(std::size_t r, const Motion& m, double& fed);
  bool pull_in(const Pretensioner& in, PretensionerState& p, std::size_t r, const Motion& m, double& fed);
  void lock_at_tension(std::size_t r);
  void count_to_lock(std::size_t r, const Motion& m);
  double unlocked_feed(std::size_t r) const;
  double locked_feed(std::size_t r) const;
  double retractor_tension(std::size_t r, double out) const;
  double shortest_feed(std::size_t r) const;
  void let_out(std::size_t r, Motion& m);
  void take_in(std::size_t r, Motion& m);
  void slip(std::size_t r, Motion& m);
  void pass(std::size_t r, bool from_first, Motion& m);
  void find_forces(const Motion& m);
  void list_carried();
  double angle(std::size_t r, const Motion& m) const;

  // topology
  std::int64_t& end_at(std::int64_t element, std::int64_t node);
  std::int64_t other_end(std::int64_t element, std::int64_t node) const;
  bool at_device(std::int64_t element) const;
  /// The only other element at a belt node, outside retractors and not at a device with its far end; -1:
  /// none.
  std::int64_t next(std::int64_t element, std::int64_t node) const;
  void put(std::int64_t node, const Vec3& x, const Vec3& v, Motion& m);
  void put_between(std::int64_t node, std::int64_t from, std::int64_t to, double share, Motion& m);

  const model::Model* model_;
  const Belts* in_;
  std::vector<BeltElementState> elements_;
  std::vector<BeltSensorState> sensors_;
  std::vector<RetractorState> retractors_;
  std::vector<PretensionerState> pretensioners_;
  std::vector<SlipRingState> rings_;
  std::vector<double> fired_, locked_;  ///< by pretensioner and retractor: when a switch has acted
  std::vector<double> rate_, way_;  ///< of the distance of each element's ends, and its change in the step
  std::vector<Carried> carried_;
  std::vector<std::int64_t> moved_;
  double work_ = 0;
};

}  // namespace crumple::loads
