// *CONSTRAINED_JOINT_STIFFNESS_GENERALIZED, _FLEXION-TORSION and _TRANSLATIONAL.
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

constexpr double kDegree = std::numbers::pi / 180.0;

struct StiffnessName {
  const char* keyword;
  StiffnessKind kind;
};
constexpr std::array<StiffnessName, 3> kStiffnesses{
    {{"CONSTRAINED_JOINT_STIFFNESS_GENERALIZED", StiffnessKind::generalized},
     {"CONSTRAINED_JOINT_STIFFNESS_FLEXION-TORSION", StiffnessKind::flexion_torsion},
     {"CONSTRAINED_JOINT_STIFFNESS_TRANSLATIONAL", StiffnessKind::translational}}};

/// Names of the fields of a moment or force.
struct FieldNames {
  std::string curve, damping_curve, stiffness, friction, lower_stop, upper_stop;
};

/// How the names of the fields of friction and of both stops are made of that of an axis.
struct NamePatterns {
  const char *friction, *lower_stop, *upper_stop;
};
constexpr NamePatterns kOfAngles{"FM{}", "NSA{}", "PSA{}"}, kOfDisplacements{"FF{}", "NSD{}", "PSD{}"};

FieldNames names_of(const std::string& axis, const NamePatterns& of) {
  const auto name = [&](const char* pattern) { return fmt::format(fmt::runtime(pattern), axis); };
  return {"LCID" + axis,     "DLCID" + axis,      "ES" + axis,
          name(of.friction), name(of.lower_stop), name(of.upper_stop)};
}

class StiffnessReader {
 public:
  explicit StiffnessReader(Builder& build) : build_(build) {}

  void read(const StiffnessName& name, const Keyword& k, const Record& r) {
    JointStiffness s;
    s.id = r.integer("JSID");
    s.kind = name.kind;
    label_ = fmt::format("{} {}", Builder::star(k), s.id);
    s.bodies = {build_.find_rigid_body(r.integer("PIDA"), label_, r.place("PIDA")),
                build_.find_rigid_body(r.integer("PIDB"), label_, r.place("PIDB"))};
    const GlobalId of_a = r.integer("CIDA"), of_b = or_default(r.integer("CIDB"), of_a);
    if (of_a == 0 && name.kind == StiffnessKind::translational)
      build_.error("CR-D310", fmt::format("{}: CIDA is 0, but displacements need an origin", label_),
                   r.place("CIDA"));
    place_system(0, of_a, r, "CIDA", s);
    place_system(1, of_b, r, "CIDB", s);
    switch (name.kind) {
      case StiffnessKind::generalized:
        three(r, {"PH", "T", "PS"}, kOfAngles, kDegree, s);
        break;
      case StiffnessKind::flexion_torsion:
        flexion_torsion(r, s);
        break;
      case StiffnessKind::translational:
        three(r, {"X", "Y", "Z"}, kOfDisplacements, 1.0, s);
    }
    if (s.bodies[0] != kNone && s.bodies[1] != kNone) build_.model.features.of<JointStiffness>().push_back(s);
  }

 private:
  void place_system(std::size_t side, GlobalId id, const Record& r, const char* field, JointStiffness& s) {
    const LocalId at = build_.find_system(id, label_, r.place(field), Builder::Use::at_start);
    s.axes[side] = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
    if (at == kNone) return;
    s.axes[side] = build_.model.systems[static_cast<std::size_t>(at)].axis;
    s.origins[side] = build_.model.systems[static_cast<std::size_t>(at)].origin;
  }

  LocalId curve(const Record& r, const std::string& field) {
    const GlobalId id = r.integer(field);
    return id == 0 ? kNone : build_.find_curve(id, label_, r.place(field));
  }

  void three(const Record& r, const std::array<const char*, 3>& axes, const NamePatterns& of, double unit,
             JointStiffness& s) {
    for (std::size_t i = 0; i < 3; ++i) s.moments[i] = moment(r, names_of(axes[i], of), unit);
  }

  void flexion_torsion(const Record& r, JointStiffness& s) {
    FieldNames flexion = names_of("AL", kOfAngles);
    flexion.lower_stop.clear();
    flexion.upper_stop = "SAAL";
    s.moments[0] = moment(r, flexion, kDegree);
    s.moments[2] = moment(r, names_of("BT", kOfAngles), kDegree);
    s.scale_curve = curve(r, "LCIDG");
    s.damping_scale_curve = curve(r, "DLCIDG");
    if (s.moments[0].curve == kNone ||
        build_.model.curves[static_cast<std::size_t>(s.moments[0].curve)](0.0) == 0.0)
      return;
    build_.warn("CR-D330",
                fmt::format("{}: the moment of LCIDAL at alpha = 0, where flexion has no direction, is not 0",
                            label_),
                r.place("LCIDAL"));
  }

  JointMoment moment(const Record& r, const FieldNames& names, double unit) {
    JointMoment m;
    m.curve = curve(r, names.curve);
    m.damping_curve = curve(r, names.damping_curve);
    m.stiffness = r.real(names.stiffness);
    const double friction = r.real(names.friction);
    if (friction < 0.0)
      m.friction_curve = build_.find_curve(std::llround(-friction), label_, r.place(names.friction));
    else
      m.friction = friction;
    if (!names.lower_stop.empty()) m.lower_stop = r.real(names.lower_stop) * unit;
    m.upper_stop = r.real(names.upper_stop) * unit;
    if (m.stiffness < 0.0 || m.lower_stop > 0.0 || m.upper_stop < 0.0)
      build_.error(
          "CR-D310",
          names.lower_stop.empty()
              ? fmt::format("{}: {} and {} must not be negative", label_, names.stiffness, names.upper_stop)
              : fmt::format("{}: {} must not be negative, {} not positive and {} not negative", label_,
                            names.stiffness, names.lower_stop, names.upper_stop),
          r.place(names.stiffness));
    return m;
  }

  Builder& build_;
  std::string label_;
};

}  // namespace

void read_joint_stiffnesses(Builder& build) {
  StiffnessReader reader(build);
  for (const StiffnessName& name : kStiffnesses)
    for (const Keyword& k : build.deck.all(name.keyword))
      for (const Record& r : k.records()) reader.read(name, k, r);
}

}  // namespace crumple::constraints
