// All features, and why they are in this order.
//
// Each phase of a cycle (module.hpp) goes through the list from first to last. Forces on nodes may be added
// in any order, because their sums are fixed point. Where the order matters, a comment says so.
#include <array>

#include "constraints/joint_stiffness.hpp"
#include "constraints/joints.hpp"
#include "constraints/prescribed_motion.hpp"
#include "constraints/single_point.hpp"
#include "loads/airbag/airbag.hpp"
#include "loads/body_loads.hpp"
#include "loads/nodal_loads.hpp"
#include "loads/pressure_loads.hpp"
#include "loads/rigid_body_loads.hpp"
#include "loads/rigid_wall/rigid_wall.hpp"
#include "model/feature.hpp"

namespace crumple::model {

namespace {

/// A module whose input is still a member of the model, which reads and cuts it.
template <class Module>
class OfModel final : public Feature {
 public:
  void read(Builder&) const override {}
  void add_curves(const FeatureInputs&, std::set<LocalId>&) const override {}
  void cut(const FeatureInputs&, const decomposition::RankPart&, FeatureInputs&) const override {}
  void send(const FeatureInputs&, ByteArchive<Packer>&) const override {}
  void receive(ByteArchive<Unpacker>&, FeatureInputs&) const override {}
  std::unique_ptr<modules::Module> start(const modules::Start& start) const override {
    return Module::start(start);
  }
};
template <class Module>
const Feature& of_model() {
  static const OfModel<Module> feature;
  return feature;
}

}  // namespace

std::span<const Feature* const> features() {
  static const std::array list{
      // Forces on nodes.
      &of_model<loads::NodalLoads>(), &of_model<loads::PressureLoads>(), &loads::airbag_feature(),
      &of_model<loads::BodyLoads>(), &loads::rigid_wall_feature(),
      // Accelerations: constraints come before prescribed motion, which replaces the remaining components.
      &of_model<constraints::SinglePoint>(), &of_model<constraints::PrescribedMotion>(),
      // Forces between rigid bodies and on them are summed in floating point: another order changes the last
      // bits.
      &of_model<constraints::Joints>(), &of_model<constraints::JointStiffnesses>(),
      &of_model<loads::RigidBodyLoads>()};
  return list;
}

}  // namespace crumple::model
