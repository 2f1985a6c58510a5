// Results of all ranks gathered on rank 0 in the whole model's order, for the writers.
#pragma once

#include <span>
#include <vector>

#include "decomposition/distribution.hpp"
#include "model/history_names.hpp"
#include "output/results_view.hpp"
#include "parallel/communicator.hpp"

namespace crumple::output {

/// Data that does not change, from the whole model (rank 0) and the names in the deck's histories.
Catalogue make_catalogue(const model::Model& whole, const model::HistoryNames& names);

/// Number of values per element in plot states, from *DATABASE_EXTENT_BINARY.
Layout make_layout(const model::Model& model);

/// The positions of each rank's nodes and beams in the whole model; constant during a run.
class Gather {
 public:
  /// Collective.
  /// @param nodes whether values of nodes are gathered, for which rank 0 needs the positions of all
  Gather(const parallel::Communicator& comm, const decomposition::Subdomain& subdomain, bool nodes);

  /// `width` values per owned node, to rank 0 in global order; empty elsewhere. Collective.
  /// @pre constructed with `nodes`
  std::vector<double> nodes(std::span<const double> of_local_nodes, int width) const;
  std::vector<Vec3> nodes(std::span<const Vec3> of_local_nodes) const;
  /// `width` values for each of this rank's beams, to rank 0 in global order; empty elsewhere. The argument
  /// is moved, so that no array lives longer than necessary. Collective.
  std::vector<double> beams(std::vector<double>&& of_beams, int width) const;
  std::size_t local_beams() const { return local_beams_; }

 private:
  std::vector<double> place(std::vector<double>&& gathered, const std::vector<GlobalId>& order,
                            int width) const;
  /// The concatenated values of all ranks on rank 0; with one rank they are only moved.
  std::vector<double> collect(std::vector<double>&& mine) const;
  const parallel::Communicator* comm_;
  std::vector<LocalId> owned_;        ///< local nodes this rank owns
  std::vector<GlobalId> node_order_;  ///< rank 0: order of the gathered nodes
  std::vector<GlobalId> beam_order_;  ///< rank 0: order of the gathered beams
  std::size_t local_beams_ = 0;
};

/// Fills the element arrays of a plot_state (stresses at the layout's layers in global axes, strains,
/// thickness, flags) with elements of one kind of this rank, a range of its array. Local.
void read_elements(const Layout& layout, const ResultsView& results, model::ElementKind kind, Range of_rank,
                   PlotState& plot_state);

/// Rows of swforc on rank 0, in the order of `catalogue.welds`, which only rank 0 has. Collective.
std::vector<SwforcRow> gather_welds(const Gather& gather, const Catalogue& catalogue,
                                    const ResultsView& results);

}  // namespace crumple::output
