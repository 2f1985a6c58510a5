// *INTERFACE_COMPONENT_NODE and _FILE.
#include <algorithm>

#include "model/builder.hpp"
#include "output/interface_file/interface_component.hpp"

namespace crumple::output {

using model::Builder;
using model::Keyword;
using model::Record;

namespace {

void take_segments(Builder& build, const Keyword& k, const Record& r, InterfaceComponent& in) {
  const LocalId at_set = build.find(build.segment_sets, r.integer("SSID"), "CR-D305", "segment set",
                                    Builder::star(k), r.place("SSID"));
  if (at_set == model::kNone) return;
  for (const auto& segment : build.model.sets.segments[at(at_set)].segments) {
    std::array<GlobalId, 4>& numbers = in.segments.emplace_back();
    for (std::size_t a = 0; a < 4; ++a) {
      in.nodes.push_back(segment[a]);
      numbers[a] = build.model.nodes.id[at(segment[a])];
    }
  }
  build.sort_nodes(in.nodes);
}

}  // namespace

void read_interface_components(Builder& build) {
  auto& all = build.model.features.of<InterfaceComponent>();
  for (const char* const name : {"INTERFACE_COMPONENT_NODE", "INTERFACE_COMPONENT_SEGMENT"})
    for (const Keyword& k : build.deck.all(name))
      for (const Record& r : k.records()) {
        InterfaceComponent in;
        in.id = r.id().value_or(std::ssize(all) + 1);
        if (std::ranges::any_of(all, [&](const InterfaceComponent& other) { return other.id == in.id; }))
          build.error("CR-D301", fmt::format("{}: interface {} is defined twice", Builder::star(k), in.id),
                      r.place());
        if (k.name() == "INTERFACE_COMPONENT_SEGMENT")
          take_segments(build, k, r, in);
        else if (const model::NodeSet* const set =
                     build.find_node_set(r.integer("NSID"), Builder::star(k), r.place("NSID")))
          in.nodes = set->nodes;
        all.push_back(std::move(in));
      }
}

}  // namespace crumple::output
