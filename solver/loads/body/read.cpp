// *LOAD_BODY.
#include "loads/body/body_load.hpp"
#include "model/builder.hpp"

namespace crumple::loads {

using model::Builder;
using model::Keyword;
using model::or_default;
using model::Record;

void read_body_loads(Builder& build) {
  static constexpr std::array<const char*, 6> names{"LOAD_BODY_X",  "LOAD_BODY_Y",  "LOAD_BODY_Z",
                                                    "LOAD_BODY_RX", "LOAD_BODY_RY", "LOAD_BODY_RZ"};
  std::vector<LocalId> parts;
  for (const Keyword& k : build.deck.all("LOAD_BODY_PARTS"))
    for (const Record& r : k.records())
      if (const model::PartSet* const set =
              build.find_part_set(r.integer("PSID"), Builder::star(k), r.place("PSID")))
        parts = set->parts;
  for (std::size_t axis = 0; axis < names.size(); ++axis)
    for (const Keyword& k : build.deck.all(names[axis]))
      for (const Record& r : k.records()) {
        BodyLoad load;
        load.axis = static_cast<int>(axis);
        load.curve = build.find_curve(r.integer("LCID"), Builder::star(k), r.place("LCID"));
        if (const GlobalId id = r.integer("LCIDDR"); id != 0)
          load.relaxation_curve = build.find_curve(id, Builder::star(k), r.place("LCIDDR"));
        load.scale = or_default(r.real("SF"), 1.0);
        load.centre = {r.real("XC"), r.real("YC"), r.real("ZC")};
        load.parts = parts;
        build.model.features.of<BodyLoad>().push_back(std::move(load));
      }
}

}  // namespace crumple::loads
