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

/// Of what whole arrays are gathered, other than values of beams. Each takes memory of rank 0.
struct Gathered {
  bool nodes = true, elements = true;
};

/// The positions of each rank's entities in the whole model; constant during a run.
class Gather {
 public:
  /// Collective.
  Gather(const parallel::Communicator& comm, const decomposition::Subdomain& subdomain, Gathered of);

  /// `width` values per owned node, to rank 0 in global order; empty elsewhere. Collective.
  /// @pre Gathered::nodes
  std::vector<double> nodes(std::span<const double> of_local_nodes, int width) const;
  std::vector<Vec3> nodes(std::span<const Vec3> of_local_nodes) const;
  /// Elements [first, last) of a kind in the order of the whole model, as a range in this rank's array.
  Range local(model::ElementKind kind, Range whole) const;
  /// `width` values for each of this rank's elements of a piece, to rank 0 in global order. The argument is
  /// moved, so that no array lives longer than necessary. Collective.
  /// @pre Gathered::elements, or beams
  std::vector<double> elements(model::ElementKind kind, Range whole, std::vector<double>&& of_elements,
                               int width) const;
  /// All elements of a kind, in the whole model and on this rank.
  Range all(model::ElementKind kind) const { return {0, of_[kind].total}; }
  std::size_t local_count(model::ElementKind kind) const { return of_[kind].order.size(); }

 private:
  std::vector<double> place(std::vector<double>&& gathered, const std::vector<GlobalId>& order,
                            int width) const;
  /// The concatenated values of all ranks on rank 0; with one rank they are only moved.
  std::vector<double> collect(std::vector<double>&& mine) const;
  const parallel::Communicator* comm_;
  std::vector<LocalId> owned_;        ///< local nodes this rank owns
  std::vector<GlobalId> node_order_;  ///< rank 0: order of the gathered nodes
  /// Positions of the elements of one kind.
  struct Places {
    std::span<const GlobalId> order;                   ///< positions in the whole model, ascending
    std::size_t total = 0;                             ///< over all ranks
    std::vector<std::vector<GlobalId>> order_of_rank;  ///< rank 0: the orders of each rank
  };
  model::PerKind<Places> of_;
};

/// Fills the element arrays of a plot_state (stresses at the layout's layers in global axes, strains,
/// thickness, flags) with elements of one kind of this rank, a range of its array. Local.
void read_elements(const Layout& layout, const ResultsView& results, model::ElementKind kind, Range of_rank,
                   PlotState& plot_state);

/// The same on rank 0 with all elements of the kind. Collective.
void gather_elements(const Gather& gather, const Layout& layout, const ResultsView& results,
                     model::ElementKind kind, PlotState& plot_state);

/// Rows of swforc on rank 0, in the order of `catalogue.welds`, which only rank 0 has. Collective.
std::vector<SwforcRow> gather_welds(const Gather& gather, const Catalogue& catalogue,
                                    const ResultsView& results);

}  // namespace crumple::output
