// Reads *PART_AVERAGED: orders the trusses of the part from one end to the other.
#include <algorithm>
#include <map>

#include "model/builder.hpp"
#include "model/feature.hpp"
#include "model/truss_chain.hpp"
#include "modules/module.hpp"

namespace crumple::model {

namespace {

constexpr int kTruss = 3;  // ELFORM

/// Ends of the trusses of a part.
using Ends = std::vector<std::array<LocalId, 2>>;

Ends trusses_of(const Model& m, LocalId part) {
  Ends ends;
  for (std::size_t e = 0; e < m.beams.size(); ++e)
    if (m.beams.part[e] == part) ends.push_back({m.beams.nodes[e][0], m.beams.nodes[e][1]});
  return ends;
}

/// Whether some trusses of the part have a section of their own.
bool has_own_sections(const Model& m, LocalId part) {
  for (std::size_t e = 0; e < m.beams.section.size(); ++e)
    if (m.beams.part[e] == part && m.beams.section[e] != kNone) return true;
  return false;
}

/// The nodes along the line, from the end with the smaller index; empty if the trusses are not one line.
std::vector<LocalId> along_line(const Ends& trusses) {
  std::map<LocalId, std::vector<std::size_t>> at_node;
  for (std::size_t e = 0; e < trusses.size(); ++e)
    for (const LocalId n : trusses[e]) at_node[n].push_back(e);
  LocalId end = kNone;
  for (const auto& [node, elements] : at_node) {
    if (elements.size() > 2) return {};
    if (elements.size() == 1 && end == kNone) end = node;
  }
  if (end == kNone || at_node.size() != trusses.size() + 1) return {};
  std::vector<LocalId> line{end};
  std::vector<bool> used(trusses.size(), false);
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (const std::size_t e : at_node[line.back()]) {
      if (used[e]) continue;
      used[e] = goes_on = true;
      line.push_back(trusses[e][0] == line.back() ? trusses[e][1] : trusses[e][0]);
      break;
    }
  }
  return line.size() == at_node.size() ? line : std::vector<LocalId>{};
}

class TrussChains final : public FeatureOf<TrussChain> {
 public:
  std::string_view not_implicit() const override { return "averaged parts (*PART_AVERAGED)"; }

  void read(Builder& build) const override {
    for (const Keyword& k : build.deck.all("PART"))
      if (k.suffix("AVERAGED"))
        for (const Record& r : k.records()) read_part(build, r);
  }
  /// Every rank has all of them.
  bool keep(TrussChain& chain, const decomposition::RankPart& rank) const override {
    for (std::size_t k = 0; k < chain.nodes.size(); ++k) chain.owned[k] = rank.mine(chain.nodes[k]) ? 1 : 0;
    return true;
  }
  /// Both ends of a line act on all its nodes' motion through elements only: the solver has the chains.
  std::unique_ptr<modules::Module> start(const modules::Start&) const override { return nullptr; }

 private:
  static void read_part(Builder& build, const Record& r) {
    const LocalId part = build.parts.find(r.integer("PID"));
    if (part == kNone) return;
    const Part& p = build.model.parts[static_cast<std::size_t>(part)];
    if (p.kind == ElementKind::none || p.section == kNone) return;
    const std::string label = fmt::format("*PART_AVERAGED {}", p.id);
    const Section& section = build.model.sections[static_cast<std::size_t>(p.section)];
    if (p.kind != ElementKind::beam || section.elform != kTruss)
      return build.unsupported(
          fmt::format("{}: only trusses (beams of ELFORM 3) have an average strain", label),
          r.place("SECID"));
    if (has_own_sections(build.model, part))
      return build.unsupported(
          fmt::format("{}: trusses with cross sections of their own have no one force", label),
          r.place("SECID"));
    const Ends trusses = trusses_of(build.model, part);
    if (trusses.size() < 2) return;
    std::vector<LocalId> line = along_line(trusses);
    if (line.empty())
      return build.error("CR-D310",
                         fmt::format("{}: its {} trusses are not one line without branches, from one end to "
                                     "the other",
                                     label, trusses.size()),
                         r.place("PID"));
    build.model.features.of<TrussChain>().push_back({part, line, std::vector<char>(line.size(), 1)});
  }
};

}  // namespace

bool is_truss_chain(const Model& model, const Part& part) {
  return std::ranges::any_of(model.features.of<TrussChain>(), [&](const TrussChain& chain) {
    return model.parts[static_cast<std::size_t>(chain.part)].id == part.id;
  });
}

const Feature& truss_chain_feature() {
  static const TrussChains feature;
  return feature;
}

}  // namespace crumple::model
