// *LOAD_RIGID_BODY.
#include "loads/rigid_body/rigid_body_load.hpp"
#include "model/builder.hpp"

namespace crumple::loads {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::or_default;
using model::Record;

void read_rigid_body_loads(Builder& build) {
  for (const Keyword& k : build.deck.all("LOAD_RIGID_BODY"))
    for (const Record& r : k.records()) {
      RigidBodyLoad load;
      const auto dof = r.integer("DOF");
      load.body = build.find_rigid_body(r.integer("PID"), Builder::star(k), r.place("PID"));
      load.curve = build.find_curve(r.integer("LCID"), Builder::star(k), r.place("LCID"));
      load.scale = or_default(r.real("SF"), 1.0);
      const LocalId system = build.find_system(r.integer("CID"), Builder::star(k), r.place("CID"));
      if (dof < 1 || dof > 7 || dof == 4) continue;  // refused by the schema
      load.moment = dof > 4;
      load.direction[static_cast<int>((dof - 1) % 4)] = 1.0;
      load.direction = build.to_global(system, load.direction);
      if (load.body != kNone) build.model.features.of<RigidBodyLoad>().push_back(load);
    }
}

}  // namespace crumple::loads
