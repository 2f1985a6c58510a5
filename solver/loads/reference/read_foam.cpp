// *INITIAL_FOAM_REFERENCE_GEOMETRY, and which solids it changes.
#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "loads/reference/foam_reference.hpp"
#include "model/builder.hpp"

namespace crumple::loads {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::Record;

bool asks_for_reference(const model::Material& material) {
  // Their stress follows from the deformation alone: MAT_007, 027, 057, 077_H, 077_O, 083, 181.
  static constexpr std::array kLaws{7, 27, 57, 77, 771, 83, 181};
  return material.field("REF") == 1.0 && std::ranges::find(kLaws, material.law) != kLaws.end();
}

namespace {

/// ELFORM 13 has the volume of its neighbours, which a single element on its way does not know.
constexpr int kNodalPressure = 13;

bool asks(const model::Model& m, LocalId part) {
  const model::Part& p = m.parts[at(part)];
  return p.material != kNone && asks_for_reference(m.materials[at(p.material)]);
}

/// A part whose elements have some of the nodes, once each.
template <class Elements>
std::set<LocalId> parts_with(const Elements& elements, const std::set<LocalId>& nodes,
                             const model::Model& m) {
  std::set<LocalId> parts;
  for (std::size_t e = 0; e < elements.nodes.size(); ++e)
    if (asks(m, elements.part[e]) &&
        std::ranges::any_of(elements.nodes[e], [&](LocalId n) { return nodes.contains(n); }))
      parts.insert(elements.part[e]);
  return parts;
}

void check_foam_parts(Builder& build, const std::vector<FoamReferenceNode>& given) {
  std::set<LocalId> nodes;
  for (const FoamReferenceNode& of : given) nodes.insert(of.node);
  const model::Model& m = build.model;
  const Keyword k = build.deck.all("INITIAL_FOAM_REFERENCE_GEOMETRY").front();
  const std::set<LocalId> solids = parts_with(m.solids, nodes, m);
  for (const LocalId p : parts_with(m.shells, nodes, m))
    build.unsupported(
        fmt::format("{}: part {} is of shells; their reference shape", Builder::star(k), m.parts[at(p)].id),
        k.place());
  for (const LocalId p : solids) {
    const model::Part& part = m.parts[at(p)];
    if (part.section != kNone && m.sections[at(part.section)].elform == kNodalPressure)
      build.unsupported(fmt::format("{}: part {} has ELFORM 13, whose volume is that of its neighbours",
                                    Builder::star(k), part.id),
                        k.place());
  }
  if (solids.empty())
    build.warn("CR-D330",
               fmt::format("{}: no solid of a material with REF = 1 has these nodes, so nothing changes",
                           Builder::star(k)),
               k.place());
}

}  // namespace

void read_foam_references(Builder& build) {
  std::vector<FoamReferenceNode>& nodes = build.model.features.of<FoamReferenceNode>();
  std::set<LocalId> known;
  for (const Keyword& k : build.deck.all("INITIAL_FOAM_REFERENCE_GEOMETRY"))
    for (const Record& r : k.records()) {
      if (k.suffix("RAMP") && r.integer("NDTRRG") > 1)
        build.unsupported(fmt::format("{}: NDTRRG = {}: stresses that come in the course of steps; NDTRRG 0 "
                                      "and 1 are read, as they are there from the start",
                                      Builder::star(k), r.integer("NDTRRG")),
                          r.place("NDTRRG"));
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
  if (!nodes.empty()) check_foam_parts(build, nodes);
}

}  // namespace crumple::loads
