// Finds what sensors and controls name among joints, walls, contacts, cross sections and belts.
#include <algorithm>
#include <string>
#include <vector>

#include "constraints/joint_stiffness/joint_stiffness.hpp"
#include "constraints/joints/joint.hpp"
#include "loads/belts/belt.hpp"
#include "loads/rigid_wall/rigid_wall.hpp"
#include "model/builder.hpp"
#include "model/mortar_form.hpp"
#include "sensors/network.hpp"
#include "state/strains.hpp"

namespace crumple::sensors {

namespace {

/// A sensor or control, for messages.
struct Named {
  std::string by;
  GlobalId id = 0;
  const Place* place = nullptr;
};

class Names {
 public:
  explicit Names(model::Builder& build) : build_(build), model_(build.model) {}

  std::int32_t find(Kind kind, const Named& name) {
    switch (kind) {
      case Kind::contact:
        return contact(name, false);
      case Kind::joint:
        return among(model_.features.of<constraints::Joint>(), "joint", name);
      case Kind::joint_angle:
        return stiffness(name, true);
      case Kind::wall:
        return among(model_.features.of<loads::RigidWall>(), "rigid wall", name);
      case Kind::section:
        return among(model_.cross_sections, "cross section", name);
      case Kind::belt:
        return among(belts().elements, "belt element", name);
      default:
        return among(belts().retractors, "retractor", name);
    }
  }

  std::int32_t find(Controlled kind, const Named& name) {
    switch (kind) {
      case Controlled::joint:
        return find(Kind::joint, name);
      case Controlled::stiffness:
        return stiffness(name, false);
      case Controlled::contact:
        return contact(name, true);
      case Controlled::motion:
        return among(model_.motions, "prescribed motion", name);
      case Controlled::wall:
        return find(Kind::wall, name);
      case Controlled::pretensioner:
        return among(belts().pretensioners, "pretensioner", name);
      default:
        return find(Kind::retractor, name);
    }
  }

 private:
  template <class T>
  std::int32_t among(const std::vector<T>& list, const char* what, const Named& name) {
    const auto at = std::ranges::find(list, name.id, &T::id);
    if (at != list.end()) return static_cast<std::int32_t>(at - list.begin());
    build_.missing("CR-D304", what, fmt::format("{}: {} {} does not exist", name.by, what, name.id),
                   *name.place);
    return -1;
  }

  std::int32_t stiffness(const Named& name, bool by_angles) {
    const auto& all = model_.features.of<constraints::JointStiffness>();
    const std::int32_t index = among(all, "joint stiffness", name);
    if (index < 0 || !by_angles ||
        all[static_cast<std::size_t>(index)].kind == constraints::StiffnessKind::generalized)
      return index;
    build_.error("CR-D310", fmt::format("{}: joint stiffness {} is not generalized", name.by, name.id),
                 *name.place);
    return -1;
  }

  /// Forces of ties are not measured in each step, and their ends are final.
  std::int32_t contact(const Named& name, bool switched) {
    const std::int32_t index = among(model_.contacts, "contact", name);
    if (index < 0) return index;
    const model::Contact& c = model_.contacts[static_cast<std::size_t>(index)];
    if (model::is_tied(c.type) || c.measures_ties)
      build_.unsupported(fmt::format("{}: contact {} is tied: sensors neither measure nor switch its forces",
                                     name.by, name.id),
                         *name.place);
    else if (switched && model::is_mortar(c))
      build_.unsupported(
          fmt::format("{}: contact {} is a mortar contact, which is not switched", name.by, name.id),
          *name.place);
    else
      return index;
    return -1;
  }

  const loads::Belts& belts() const {
    static const loads::Belts none;
    const auto& all = model_.features.of<loads::Belts>();
    return all.empty() ? none : all.front();
  }

  model::Builder& build_;
  const model::Model& model_;
};

}  // namespace

/// With --allow-unsupported a sensor that cannot be is 0, and such a control is left out.
void find_named(model::Builder& build) {
  Names names(build);
  for (Network& network : build.model.features.of<Network>()) {
    for (std::size_t k = 0; k < network.sensors.size(); ++k) {
      Sensor& s = network.sensors[k];
      if (s.kind == Kind::element && s.element_value == ElementValue::strain &&
          !state::strains_asked(build.model.output)) {
        build.unsupported(
            fmt::format("sensor {}: strains are known only with STRFLG = 1 of *DATABASE_EXTENT_BINARY", s.id),
            network.places[k]);
        s.kind = Kind::left_out;
      }
      if (!is_measured(s.kind) || s.kind == Kind::element) continue;
      s.index = names.find(s.kind, {fmt::format("sensor {}", s.id), s.entity, &network.places[k]});
      if (s.index < 0) s.kind = Kind::left_out;
    }
    for (Control& c : network.controls)
      if (c.names_by_index())
        c.index = names.find(c.kind, {fmt::format("*SENSOR_CONTROL {}", c.id), c.entity, &c.place});
    std::erase_if(network.controls, [](const Control& c) { return c.names_by_index() && c.index < 0; });
  }
}

}  // namespace crumple::sensors
