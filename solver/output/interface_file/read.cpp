// *INTERFACE_COMPONENT_NODE and _FILE.
#include <algorithm>

#include "model/builder.hpp"
#include "output/interface_file/interface_component.hpp"

namespace crumple::output {

using model::Builder;
using model::Keyword;
using model::Record;

void read_interface_components(Builder& build) {
  auto& all = build.model.features.of<InterfaceComponent>();
  for (const Keyword& k : build.deck.all("INTERFACE_COMPONENT_NODE"))
    for (const Record& r : k.records()) {
      InterfaceComponent in;
      in.id = r.id().value_or(std::ssize(all) + 1);
      if (std::ranges::any_of(all, [&](const InterfaceComponent& other) { return other.id == in.id; }))
        build.error("CR-D301", fmt::format("{}: interface {} is defined twice", Builder::star(k), in.id),
                    r.place());
      if (const model::NodeSet* const set =
              build.find_node_set(r.integer("NSID"), Builder::star(k), r.place("NSID")))
        in.nodes = set->nodes;
      all.push_back(std::move(in));
    }
}

}  // namespace crumple::output
