// The panels of top fronts on one rank: made, kept, and solved with, together with the other ranks.
//
// Each tile is brought up to date with the panels to its left one after the other, on whatever rank it is,
// and each entry takes what the children give in their order: results do not depend on the number of ranks. A
// panel that is ready goes to the ranks that have panels to its right; the next panel is made first, so that
// it is on its way while the others are brought up to date.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "implicit/linear/numeric_factor.hpp"
#include "implicit/linear/rank_division.hpp"
#include "implicit/linear/rank_messages.hpp"

namespace crumple::implicit::linear {

struct PanelHead;

template <class T>
class TopFactor {
 public:
  /// Keeps references.
  /// @param folder of the file of panels; empty if they stay in memory
  TopFactor(const parallel::Communicator& comm, const RankPart& part, int threads, const std::string& folder,
            MemoryCount& count);

  /// As Factor's functions, of top fronts; results are those of this rank. Collective.
  /// @param own the fronts of this rank, which are made
  /// @param scale of the pivots of all top fronts
  double cholesky(const NumericFactor<T>& own, std::span<const double> values, std::span<const double> scale,
                  double zero);
  Signs with_signs(const NumericFactor<T>& own, std::span<const double> values, std::span<const double> scale,
                   double zero);

  /// A solution's way through the top fronts, up and down. Collective.
  /// @param own after its way up through the fronts of this rank
  /// @param x pivots of top fronts that begin on this rank, in their order; (n_rhs, pivots)
  /// @param above receives the solution in the rows of the update matrices of the rank's own fronts
  using Above = std::function<void(std::int32_t own_front, std::span<const T> values)>;
  void solve(const NumericFactor<T>& own, std::span<T> x, std::int64_t n_rhs, const Above& above);

 private:
  struct Coming;
  struct Way;
  template <class Elimination>
  void make_fronts_up(const NumericFactor<T>& own, std::span<const double> values, Elimination& elimination);
  void begin_front(std::size_t t, std::span<const double> values);
  void send_own_updates(const NumericFactor<T>& own);
  void add_children(std::size_t t, const NumericFactor<T>& own);
  void send_panel(std::size_t t, std::int64_t k, const PanelHead& head);
  void ask_panel(std::size_t t, std::int64_t k, Coming& coming);
  template <class Elimination>
  void subtract(std::size_t t, std::int64_t k, const FrontMemory<T>& from,
                std::span<const std::int64_t> panels, Elimination& elimination);
  template <class Elimination>
  void eliminate(std::size_t t, Elimination& elimination);
  void end_front(std::size_t t);
  bool mine(std::size_t t, std::int64_t panel) const {
    return part_.tops[t].rank[static_cast<std::size_t>(panel)] == part_.rank;
  }
  T* panel(std::size_t t, std::int64_t panel) const;
  FrontMemory<T> view(std::size_t t, const Tiles& tiles, std::int64_t panel, T* values) const;
  void poke();
  Extent extent(std::size_t t, std::int64_t panel) const;
  std::unique_ptr<FactorReader> read(bool up) const;
  void up(std::size_t t, Way& way);
  void down(std::size_t t, Way& way);
  void forward(std::size_t t, std::int64_t k, const T* panel, std::span<T> v, std::int64_t n_rhs);
  void backward(std::size_t t, std::int64_t k, const T* panel, std::span<T> v, std::int64_t n_rhs);
  const T* factor_panel(std::size_t t, std::int64_t k, Way& way);

  const parallel::Communicator& comm_;
  const RankPart& part_;
  const int threads_;
  MemoryCount& count_;
  bool good_ = true;                                ///< all pivots so far, as far as this rank knows
  std::vector<std::vector<WorkingMemory>> panels_;  ///< of each front; those of other ranks are empty
  std::vector<Pivots> pivots_;                      ///< of each front; none of Cholesky's
  std::vector<std::vector<std::int64_t>> offsets_;  ///< of panels of pivots in the file
  Outbox outbox_;
  Outbox own_updates_;
  MPI_Request coming_[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};  ///< the next panel, and its head
  std::unique_ptr<FactorFile> file_;
  std::unique_ptr<FactorWriter> writer_;
};

}  // namespace crumple::implicit::linear
