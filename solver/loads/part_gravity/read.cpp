// *LOAD_GRAVITY_PART.
#include "loads/part_gravity/part_gravity.hpp"
#include "model/builder.hpp"

namespace crumple::loads {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::Record;

namespace {

std::vector<LocalId> loaded_parts(const Builder& build, const Keyword& k, const Record& r) {
  if (k.name() == "LOAD_GRAVITY_PART_SET") {
    const model::PartSet* const set = build.find_part_set(r.integer("PID"), Builder::star(k), r.place("PID"));
    return set ? set->parts : std::vector<LocalId>{};
  }
  const LocalId part = build.find_part(r.integer("PID"), Builder::star(k), r.place("PID"));
  return part == kNone ? std::vector<LocalId>{} : std::vector{part};
}

void read_gravity(Builder& build, const Keyword& k, const Record& r) {
  const std::string label = Builder::star(k);
  PartGravity load;
  load.parts = loaded_parts(build, k, r);
  const GlobalId dof = r.integer("DOF");
  if (dof < 1 || dof > 3)
    build.error("CR-D310", fmt::format("{}: DOF = {} is none of 1 to 3", label, dof), r.place("DOF"));
  load.axis = static_cast<int>(dof) - 1;
  if (const GlobalId id = r.integer("LC"); id != 0)
    load.curve = build.find_curve(id, label, r.place("LC"));
  else  // LS-DYNA then takes the load from the stages of construction
    build.error("CR-D310", label + ": LC is missing, and stages of construction are not supported",
                r.place("LC"));
  if (const GlobalId id = r.integer("LCDR"); id != 0)
    load.relaxation_curve = build.find_curve(id, label, r.place("LCDR"));
  load.acceleration = r.real("ACCEL");
  if (load.acceleration == 0.0)
    build.warn("CR-D330", label + ": ACCEL is 0, so the load has no effect", r.place("ACCEL"));
  for (const LocalId p : load.parts)
    if (const model::Part& part = build.model.parts[static_cast<std::size_t>(p)];
        part.kind == model::ElementKind::discrete)
      build.warn(
          "CR-D330",
          fmt::format("{}: part {} of springs has no mass, so the load has no effect on it", label, part.id),
          r.place("ACCEL"));
  build.model.features.of<PartGravity>().push_back(std::move(load));
}

}  // namespace

void read_part_gravity(Builder& build) {
  for (const char* const name : {"LOAD_GRAVITY_PART", "LOAD_GRAVITY_PART_SET"})
    for (const Keyword& k : build.deck.all(name))
      for (const Record& r : k.records()) read_gravity(build, k, r);
}

}  // namespace crumple::loads
