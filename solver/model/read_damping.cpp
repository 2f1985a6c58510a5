// *DAMPING_PART_MASS and *DAMPING_PART_STIFFNESS: damping of single parts.
#include "model/builder.hpp"

namespace crumple::model {
namespace {

/// Parts of a record: by PID, or by PSID of a set.
std::vector<LocalId> named_parts(const Builder& build, const Record& r, bool set, const std::string& label) {
  const char* const field = set ? "PSID" : "PID";
  if (set) {
    const PartSet* const found = build.find_part_set(r.integer(field), label, r.place(field));
    return found ? found->parts : std::vector<LocalId>{};
  }
  const LocalId part = build.find_part(r.integer(field), label, r.place(field));
  return part == kNone ? std::vector<LocalId>{} : std::vector{part};
}

}  // namespace

void Builder::read_part_damping() {
  for (const Keyword& k : deck.family("DAMPING_PART_MASS"))
    for (const Record& r : k.records()) {
      PartDamping damping;
      damping.parts = named_parts(*this, r, k.name() == "DAMPING_PART_MASS_SET", star(k));
      damping.curve = find_curve(r.integer("LCID"), star(k), r.place("LCID"));
      damping.scale = or_default(r.real("SF"), 1.0);
      if (r.integer("FLAG") == 1) {
        damping.translation = {r.real("STX"), r.real("STY"), r.real("STZ")};
        damping.rotation = {r.real("SRX"), r.real("SRY"), r.real("SRZ")};
      }
      if (model.control.mass_damping)
        error("CR-D310",
              star(k) + " cannot be combined with *DAMPING_GLOBAL: every part would be damped twice",
              r.place("LCID"));
      if (!damping.parts.empty() && damping.curve != kNone) model.part_damping.push_back(std::move(damping));
    }
  for (const Keyword& k : deck.family("DAMPING_PART_STIFFNESS"))
    for (const Record& r : k.records()) {
      const double coefficient = r.real("COEF");
      for (const LocalId p : named_parts(*this, r, k.name() == "DAMPING_PART_STIFFNESS_SET", star(k))) {
        Part& part = model.parts[static_cast<std::size_t>(p)];
        part.stiffness_damping = coefficient;
        if (part.kind == ElementKind::discrete && coefficient != 0)
          warn("CR-D330",
               fmt::format("{}: part {} of springs is not damped: give it a damper", star(k), part.id),
               r.place("COEF"));
      }
    }
}

}  // namespace crumple::model
