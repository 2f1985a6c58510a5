// *DAMPING_RELATIVE.
#include "loads/relative_damping/relative_damping.hpp"
#include "model/builder.hpp"

namespace crumple::loads {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::Record;

namespace {

void read_one_relative_damping(Builder& build, const Keyword& k, const Record& r) {
  const std::string label = fmt::format("{} relative to part {}", Builder::star(k), r.integer("PIDRB"));
  RelativeDamping damping;
  damping.body = build.find_rigid_body(r.integer("PIDRB"), label, r.place("PIDRB"));
  const model::PartSet* const set = build.find_part_set(r.integer("PSID"), label, r.place("PSID"));
  if (const GlobalId id = r.integer("LCID"); id != 0)
    damping.curve = build.find_curve(id, label, r.place("LCID"));
  damping.fraction = r.real("CDAMP");
  damping.frequency = r.real("FREQ");
  if (damping.body == kNone || !set) return;
  if (damping.fraction < 0.0 || damping.frequency < 0.0)
    return build.error("CR-D310",
                       fmt::format("{}: CDAMP = {} and FREQ = {} must not be negative", label,
                                   damping.fraction, damping.frequency),
                       r.place("CDAMP"));
  damping.parts = set->parts;
  build.model.features.of<RelativeDamping>().push_back(std::move(damping));
}

}  // namespace

void read_relative_damping(Builder& build) {
  for (const Keyword& k : build.deck.all("DAMPING_RELATIVE"))
    for (const Record& r : k.records()) read_one_relative_damping(build, k, r);
}

}  // namespace crumple::loads
