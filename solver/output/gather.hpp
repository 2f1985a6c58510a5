// Results of all ranks gathered on rank 0 in the whole model's order, as the writers want them.
#pragma once

#include <span>
#include <vector>

#include "decomposition/distribution.hpp"
#include "model/history_names.hpp"
#include "output/results_view.hpp"
#include "parallel/communicator.hpp"

namespace crumple::output {

/// What does not change, from the whole model (rank 0) and the names that the deck gives in histories.
Catalogue make_catalogue(const model::Model& whole, const model::HistoryNames& names);

/// How much each element has in plot states, from *DATABASE_EXTENT_BINARY.
Layout make_layout(const model::Model& model);

/// Where the entities of every rank belong in the whole model; fixed during a run.
class Gather {
 public:
  /// Collective.
  Gather(const parallel::Communicator& comm, const decomposition::Subdomain& subdomain);

  /// `width` values per owned node, to rank 0 in global order; empty elsewhere. Collective.
  std::vector<double> nodes(std::span<const double> of_local_nodes, int width) const;
  std::vector<Vec3> nodes(std::span<const Vec3> of_local_nodes) const;
  /// Elements [first, last) of a kind in the order of the whole model, as places in this rank's array.
  Range local(model::ElementKind kind, Range whole) const;
  /// `width` values for each of this rank's elements of a piece, to rank 0 in global order. They are taken,
  /// so that no array is there longer than it must. Collective.
  std::vector<double> elements(model::ElementKind kind, Range whole, std::vector<double>&& of_elements,
                               int width) const;
  /// All elements of a kind, in the whole model and here.
  Range all(model::ElementKind kind) const { return {0, of_[kind].total}; }
  std::size_t local_count(model::ElementKind kind) const { return of_[kind].order.size(); }

 private:
  std::vector<double> place(std::vector<double>&& gathered, const std::vector<GlobalId>& order,
                            int width) const;
  /// The values of all ranks one after the other on rank 0; of one rank they stay where they are.
  std::vector<double> collect(std::vector<double>&& mine) const;
  const parallel::Communicator* comm_;
  std::vector<LocalId> owned_;        ///< local nodes this rank owns
  std::vector<GlobalId> node_order_;  ///< rank 0: of the gathered nodes
  /// Of the elements of one kind.
  struct Places {
    std::span<const GlobalId> order;                   ///< places in the whole model, ascending
    std::size_t total = 0;                             ///< over all ranks
    std::vector<std::vector<GlobalId>> order_of_rank;  ///< rank 0, where there are others: theirs
  };
  model::PerKind<Places> of_;
};

/// Fills the element arrays of a plot_state (stresses at the layout's layers in global axes, strains,
/// thickness, flags) on rank 0 with a piece of the elements of one kind. Collective.
void gather_elements(const Gather& gather, const Layout& layout, const ResultsView& results,
                     model::ElementKind kind, Range piece, PlotState& plot_state);

/// Rows of swforc on rank 0, in the order of `catalogue.welds`, which only rank 0 has. Collective.
std::vector<SwforcRow> gather_welds(const Gather& gather, const Catalogue& catalogue,
                                    const ResultsView& results);

}  // namespace crumple::output
