// *CONSTRAINED_JOINT_STIFFNESS_GENERALIZED.
#include <cmath>
#include <numbers>

#include "constraints/joint_stiffness/joint_stiffness.hpp"
#include "model/builder.hpp"

namespace crumple::constraints {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::or_default;
using model::Record;

namespace {

class StiffnessReader {
 public:
  explicit StiffnessReader(Builder& build) : build_(build) {}

  void read(const Keyword& k, const Record& r) {
    JointStiffness s;
    s.id = r.integer("JSID");
    label_ = fmt::format("{} {}", Builder::star(k), s.id);
    s.bodies = {build_.find_rigid_body(r.integer("PIDA"), label_, r.place("PIDA")),
                build_.find_rigid_body(r.integer("PIDB"), label_, r.place("PIDB"))};
    const GlobalId of_a = r.integer("CIDA"), of_b = or_default(r.integer("CIDB"), of_a);
    s.axes = {axes(of_a, r, "CIDA"), axes(of_b, r, "CIDB")};
    constexpr std::array<const char*, 3> names{"PH", "T", "PS"};
    for (std::size_t i = 0; i < 3; ++i) s.moments[i] = moment(r, names[i]);
    if (s.bodies[0] != kNone && s.bodies[1] != kNone) build_.model.features.of<JointStiffness>().push_back(s);
  }

 private:
  std::array<Vec3, 3> axes(GlobalId id, const Record& r, const char* field) {
    const LocalId at = build_.find_system(id, label_, r.place(field), Builder::Use::at_start);
    if (at == kNone) return {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
    return build_.model.systems[static_cast<std::size_t>(at)].axis;
  }

  JointMoment moment(const Record& r, const std::string& angle) {
    const auto curve = [&](const std::string& field) {
      const GlobalId id = r.integer(field);
      return id == 0 ? kNone : build_.find_curve(id, label_, r.place(field));
    };
    JointMoment m;
    m.curve = curve("LCID" + angle);
    m.damping_curve = curve("DLCID" + angle);
    m.stiffness = r.real("ES" + angle);
    const double friction = r.real("FM" + angle);
    if (friction < 0.0)
      m.friction_curve = build_.find_curve(std::llround(-friction), label_, r.place("FM" + angle));
    else
      m.friction = friction;
    m.lower_stop = r.real("NSA" + angle) * (std::numbers::pi / 180.0);
    m.upper_stop = r.real("PSA" + angle) * (std::numbers::pi / 180.0);
    if (m.stiffness < 0.0 || m.lower_stop > 0.0 || m.upper_stop < 0.0)
      build_.error("CR-D310",
                   fmt::format("{}: ES{} must not be negative, NSA{} not positive and PSA{} not negative",
                               label_, angle, angle, angle),
                   r.place("ES" + angle));
    return m;
  }

  Builder& build_;
  std::string label_;
};

}  // namespace

void read_joint_stiffnesses(Builder& build) {
  StiffnessReader reader(build);
  for (const Keyword& k : build.deck.all("CONSTRAINED_JOINT_STIFFNESS_GENERALIZED"))
    for (const Record& r : k.records()) reader.read(k, r);
}

}  // namespace crumple::constraints
