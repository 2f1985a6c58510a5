// *AIRBAG_REFERENCE_GEOMETRY.
#include <algorithm>
#include <set>
#include <vector>

#include "loads/reference/reference_node.hpp"
#include "model/builder.hpp"

namespace crumple::loads {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::or_default;
using model::Record;

namespace {

struct ReferenceScale {
  Vec3 by{1, 1, 1};
  bool any() const { return by.x != 1.0 || by.y != 1.0 || by.z != 1.0; }
};

/// Of _ID, about the node NIDO.
ReferenceScale reference_scale_of(const Keyword& k, const Record& r) {
  if (!k.suffix("ID")) return {};
  return {{or_default(r.real("SX"), 1.0), or_default(r.real("SY"), 1.0), or_default(r.real("SZ"), 1.0)}};
}

/// Only fabrics whose stress follows from the deformation have a reference.
void refuse_other_laws(Builder& build, const std::vector<ReferenceNode>& nodes) {
  constexpr int kFabric = 34;
  std::set<LocalId> moved, refused;
  for (const ReferenceNode& of : nodes)
    if (norm(of.x - build.model.nodes.x[static_cast<std::size_t>(of.node)]) > 0.0) moved.insert(of.node);
  const model::Model& m = build.model;
  for (std::size_t e = 0; e < m.shells.nodes.size(); ++e) {
    if (std::ranges::none_of(m.shells.nodes[e], [&](LocalId n) { return moved.contains(n); })) continue;
    const model::Part& part = m.parts[static_cast<std::size_t>(m.shells.part[e])];
    if (part.material == kNone || refused.contains(part.material)) continue;
    const model::Material& law = m.materials[static_cast<std::size_t>(part.material)];
    if (law.law == kFabric && law.field("FORM") != 0.0) continue;
    refused.insert(part.material);
    build.unsupported(
        fmt::format("*AIRBAG_REFERENCE_GEOMETRY: part {} is not of *MAT_FABRIC with FORM 4 or 14; "
                    "a reference shape of other laws",
                    part.id),
        build.deck.all("AIRBAG_REFERENCE_GEOMETRY").front().place());
  }
  for (const Keyword& k : build.deck.all("MAT_FABRIC"))
    for (const Record& r : k.records())
      if (r.real("RGBRTH") > 0.0)
        build.unsupported(fmt::format("{}: RGBRTH = {}: the birth of a reference shape", Builder::star(k),
                                      r.real("RGBRTH")),
                          r.place("RGBRTH"));
}

}  // namespace

void read_reference_nodes(Builder& build) {
  std::vector<ReferenceNode>& nodes = build.model.features.of<ReferenceNode>();
  std::set<LocalId> known;
  for (const Keyword& k : build.deck.all("AIRBAG_REFERENCE_GEOMETRY"))
    for (const Record& r : k.records()) {
      if (reference_scale_of(k, r).any())
        build.unsupported(fmt::format("{}: SX, SY and SZ other than 1", Builder::star(k)), r.place());
      if (k.suffix("BIRTH") && r.real("BIRTH") > 0.0)
        build.unsupported(fmt::format("{}: BIRTH = {}; the fabric has its reference shape from the start",
                                      Builder::star(k), r.real("BIRTH")),
                          r.place("BIRTH"));
      for (std::size_t i = 0; i < r.rows(); ++i) {
        const LocalId n = build.find_node(r.integer(i, 0), Builder::star(k), r.row_place(i));
        if (n == kNone) continue;
        if (!known.insert(n).second) {
          build.error("CR-D301", fmt::format("{}: node {} is there twice", Builder::star(k), r.integer(i, 0)),
                      r.row_place(i));
          continue;
        }
        nodes.push_back({n, {r.real(i, 1), r.real(i, 2), r.real(i, 3)}});
      }
    }
  if (!nodes.empty()) refuse_other_laws(build, nodes);
}

}  // namespace crumple::loads
