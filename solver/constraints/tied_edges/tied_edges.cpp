// Rows of tied nodes, and which of them have failed.
#include "constraints/tied_edges/tied_edges.hpp"

#include "modules/modules.hpp"
#include "state/archive.hpp"

namespace crumple::constraints {

namespace {

/// The tied nodes of all seams, each by itself.
std::vector<MeanPlasticStrains::Around> around_tied(const std::vector<TiedEdge>& all) {
  std::vector<MeanPlasticStrains::Around> groups;
  for (const TiedEdge& edge : all)
    for (const NodeOnEdge& on : edge.tied) {
      groups.emplace_back();
      if (!edge.nodes.empty()) groups.back().nodes = {edge.nodes[static_cast<std::size_t>(on.node)]};
    }
  return groups;
}

}  // namespace

TiedEdges::TiedEdges(const modules::Start& start)
    : modules_(&start.started),
      rank_(start.comm.rank()),
      strains_(start, around_tied(start.model.features.of<TiedEdge>())) {
  std::vector<LocalId> nodes;
  for (const TiedEdge& edge : start.model.features.of<TiedEdge>()) {
    Seam& seam = seams_.emplace_back();
    seam.edge = &edge;
    seam.first = failed_.size();
    failed_.resize(failed_.size() + edge.tied.size(), 0);
  }
  strain_.assign(failed_.size(), 0.0);
  add_held_nodes(nodes);
  require_inertia(start, nodes, {});
}

std::unique_ptr<modules::Module> TiedEdges::start(const modules::Start& start) {
  if (start.model.features.of<TiedEdge>().empty()) return nullptr;  // all ranks have all seams
  return std::make_unique<TiedEdges>(start);
}

void TiedEdges::add_held_nodes(std::vector<LocalId>& nodes) const {
  for (const Seam& seam : seams_) nodes.insert(nodes.end(), seam.edge->nodes.begin(), seam.edge->nodes.end());
}

void TiedEdges::find_failed(std::span<const state::GroupView> groups) {
  strains_.find(groups, failed_, strain_);
  for (Seam& seam : seams_)
    for (std::size_t k = 0; k < seam.edge->tied.size(); ++k) {
      char& failed = failed_[seam.first + k];
      if (failed || !(strain_[seam.first + k] > seam.edge->failure_strain)) continue;
      failed = 1;
      seam.rows = {};
    }
}

/// Three rows of translations and three of rotations for each node that is tied still.
void TiedEdges::list_rows(Seam& seam, const state::Nodal& nodal) const {
  const TiedEdge& edge = *seam.edge;
  LinearGroup& rows = seam.rows;
  rows.nodes = edge.nodes;
  rows.first = {0};
  const auto turns = [&](std::int32_t place) {
    return nodal.inertia[at(edge.nodes[static_cast<std::size_t>(place)])] > 0.0;
  };
  for (std::size_t k = 0; k < edge.tied.size(); ++k) {
    if (failed_[seam.first + k]) continue;
    const NodeOnEdge& on = edge.tied[k];
    const bool all_turn = turns(on.node) && turns(on.ends[0]) && turns(on.ends[1]);
    for (std::int32_t turn = 0; turn < (all_turn ? 2 : 1); ++turn)
      for (const Vec3& axis : identity3()) {
        rows.ids.push_back(0);
        rows.terms.push_back({on.node, turn, axis});
        rows.terms.push_back({on.ends[0], turn, -(1.0 - on.share) * axis});
        rows.terms.push_back({on.ends[1], turn, -on.share * axis});
        rows.first.push_back(static_cast<std::int32_t>(rows.terms.size()));
      }
  }
  seam.mobility.clear();
}

void TiedEdges::hold(Seam& seam, modules::Cycle& cycle) {
  if (seam.rows.first.empty()) list_rows(seam, cycle.nodal);
  if (seam.rows.ids.empty()) return;
  now_.clear();
  bool holds_any = false;
  for (const LocalId n : seam.rows.nodes) {
    now_.push_back(mobility_of(n, *modules_, cycle));
    holds_any = holds_any || now_.back().is_held();
  }
  if (now_ != seam.mobility) {
    seam.mobility = now_;
    factor_rows(seam.rows, seam.mobility, seam.matrix);
  }
  motion_.begin(cycle.nodal, seam.rows.nodes);
  hold_rows(seam.rows, seam.mobility, seam.matrix, {}, multiplier_, cycle.nodal);
  motion_.finish(cycle, rank_, holds_any ? &work_ : nullptr);
}

void TiedEdges::link(modules::Cycle& cycle) {
  work_.begin_step(cycle.first);
  if (cycle.stage == model::Stage::transient) find_failed(cycle.elements);
  for (Seam& seam : seams_)
    if (!seam.edge->nodes.empty()) hold(seam, cycle);
}

void TiedEdges::archive(state::Archive& archive, const parallel::IndexMap&) {
  using state::Of, state::Rows;
  const auto here = archive.module("tied edges");
  const std::vector<GlobalId> keys = state::numbered(failed_.size());
  archive.field("failed", Rows::equal(Of::entity, keys), std::span(failed_));
  archive.field("strain", Rows::equal(Of::entity, keys), std::span(strain_));
  archive.global_sum("work", work_, rank_);
  if (archive.reading())
    for (Seam& seam : seams_) seam.rows = {};
}

}  // namespace crumple::constraints
