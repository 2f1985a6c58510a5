// Results of all ranks gathered on rank 0 in the whole model's order, as the writers want them.
#pragma once

#include <span>
#include <vector>

#include "decomposition/distribution.hpp"
#include "output/results.hpp"
#include "parallel/communicator.hpp"
#include "state/groups.hpp"
#include "state/nodal.hpp"
#include "state/strains.hpp"

namespace crumple::output {

/// What does not change, from the whole model (rank 0).
Catalogue make_catalogue(const model::Model& whole);

/// How much each element has in plot states, from *DATABASE_EXTENT_BINARY.
Layout make_layout(const model::Model& model);

/// Where the entities of every rank belong in the whole model; fixed during a run.
class Gather {
 public:
  /// Collective.
  Gather(const parallel::Communicator& comm, const decomposition::Share& share);

  /// `width` values per owned node, to rank 0 in global order; empty elsewhere. Collective.
  std::vector<double> nodes(std::span<const double> of_local_nodes, int width) const;
  std::vector<Vec3> nodes(std::span<const Vec3> of_local_nodes) const;
  /// `width` values per element of a kind (rank's order), to rank 0 in global order. They are taken, so that
  /// no array is there longer than it must. Collective.
  std::vector<double> elements(model::ElementKind kind, std::vector<double>&& of_elements, int width) const;
  std::size_t local_count(model::ElementKind kind) const { return local_[static_cast<int>(kind)]; }

 private:
  std::vector<double> place(std::vector<double>&& gathered, const std::vector<GlobalId>& order,
                            int width) const;
  /// The values of all ranks one after the other on rank 0; of one rank they stay where they are.
  std::vector<double> collect(std::vector<double>&& mine) const;
  const parallel::Communicator* comm_;
  std::vector<LocalId> owned_;              ///< local nodes this rank owns
  std::vector<GlobalId> node_order_;        ///< rank 0: of the gathered nodes
  std::vector<GlobalId> element_order_[5];  ///< rank 0: by kind
  std::size_t local_[5] = {};
};

/// Fills the element arrays of a snapshot (stresses at the layout's layers in global axes, strains,
/// thickness, flags) on rank 0. `x` are positions at t_n; `strains` is null where the layout has none.
/// Collective.
template <class T>
void gather_elements(const Gather& gather, const model::Model& local, const Layout& layout,
                     std::span<const Vec3> x, std::span<const state::ElementGroup<T>> groups,
                     const state::Strains* strains, Snapshot& snapshot);

/// Rows of swforc on rank 0, in the order of `catalogue.welds`, which only rank 0 has. Collective.
template <class T>
std::vector<SwforcRow> gather_welds(const Gather& gather, const Catalogue& catalogue, std::span<const Vec3> x,
                                    std::span<const state::ElementGroup<T>> groups);

}  // namespace crumple::output
