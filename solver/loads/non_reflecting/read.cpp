// *BOUNDARY_NON_REFLECTING.
#include <algorithm>
#include <map>
#include <vector>

#include "loads/non_reflecting/non_reflecting.hpp"
#include "model/builder.hpp"
#include "model/solid_faces.hpp"

namespace crumple::loads {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::Record;

namespace {

/// Exterior faces of solids by their nodes.
std::map<std::array<LocalId, 4>, LocalId> faces_by_nodes(const model::Model& model) {
  std::map<std::array<LocalId, 4>, LocalId> solids;
  for (const model::SolidFace& face : model::exterior_faces(model))
    solids[model::face_key(face.nodes)] = face.solid;
  return solids;
}

bool is_of_rigid_body(const model::Model& model, LocalId part) {
  return std::ranges::any_of(model.rigid_bodies, [&](const model::RigidBody& body) {
    return std::ranges::find(body.parts, part) != body.parts.end();
  });
}

}  // namespace

void read_non_reflecting(Builder& build) {
  const std::vector<Keyword> keywords = build.deck.all("BOUNDARY_NON_REFLECTING");
  if (keywords.empty()) return;
  const auto solids = faces_by_nodes(build.model);
  for (const Keyword& k : keywords)
    for (const Record& r : k.records()) {
      const LocalId at = build.find(build.segment_sets, r.integer("SSID"), "CR-D305", "segment set",
                                    Builder::star(k), r.place("SSID"));
      NonReflectingFace face;
      face.dilatation = r.real("AD") == 0.0;
      face.shear = r.real("AS") == 0.0;
      if (at == kNone) continue;
      std::size_t without = 0;
      for (const auto& nodes : build.model.sets.segments[static_cast<std::size_t>(at)].segments) {
        const auto found = solids.find(model::face_key(nodes));
        if (found == solids.end() || model::is_cohesive(build.model, found->second) ||
            is_of_rigid_body(build.model, build.model.solids.part[static_cast<std::size_t>(found->second)])) {
          ++without;
          continue;
        }
        face.nodes = nodes;
        face.solid = found->second;
        build.model.features.of<NonReflectingFace>().push_back(face);
      }
      if (without > 0)
        build.error("CR-D310",
                    fmt::format("{}: {} segments of set {} are no outer faces of deformable solids",
                                Builder::star(k), without, r.integer("SSID")),
                    r.place("SSID"));
    }
}

}  // namespace crumple::loads
