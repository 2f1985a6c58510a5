// Decides what is due, gathers it from the ranks and hands it to the writers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "explicit/solver.hpp"
#include "output/gather.hpp"
#include "output/results.hpp"
#include "output/series.hpp"

namespace crumple::output {

struct RecorderOptions {
  std::string directory = ".";
  std::string prefix;             ///< jobid: files are named `prefix.d3plot` ... (empty: without)
  bool double_precision = false;  ///< 8-byte words in binary files
  bool vtkhdf = false;
};

/// All results of a run. Constructed and called on every rank; files are written on rank 0.
template <class T>
class Recorder {
 public:
  /// `catalogue` is of the whole model on rank 0, empty elsewhere. Collective.
  Recorder(const parallel::Communicator& comm, const decomposition::Subdomain& subdomain, Catalogue catalogue,
           RecorderOptions options);
  ~Recorder();

  /// Whether anything may be due in a cycle that begins at `time` and is not longer than `step`, so that it
  /// must be kept.
  bool due(double time, double step) const;
  /// Write what is due in the cycle that begins at the kept moment. Collective.
  void record(explicit_dynamics::Solver<T>& solver);
  /// Write the last plot state, of the first moment at or after `end_time`, and the rows that are due at that
  /// time and were not written before. Collective.
  void record_end(explicit_dynamics::Solver<T>& solver, double end_time);
  /// Write a plot state at the kept moment, due or not. Collective.
  void record_plot(explicit_dynamics::Solver<T>& solver);
  /// Write a plot state and a row of every history at the kept moment, due or not. Collective.
  void record_all(explicit_dynamics::Solver<T>& solver);
  /// Energies last recorded, for the screen.
  const std::optional<GlobalRow>& last_row() const { return last_row_; }
  /// Nanoseconds per element and cycle, told by who keeps the time.
  void set_speed(double ns_per_zone_cycle) { speed_ = ns_per_zone_cycle; }
  /// A titled section of d3hsp, on rank 0. Local.
  void echo(const std::string& title, const std::string& text);
  /// The last words of d3hsp, on rank 0. Local.
  void end(bool normal, const std::string& text);
  void close();

 private:
  struct Files;
  void forget_mesh();
  void plot_state(explicit_dynamics::Solver<T>& solver);
  void glstat(explicit_dynamics::Solver<T>& solver);
  void matsum(explicit_dynamics::Solver<T>& solver);
  void rcforc(explicit_dynamics::Solver<T>& solver);
  void sleout(explicit_dynamics::Solver<T>& solver);
  void ncforc(explicit_dynamics::Solver<T>& solver);
  void rwforc(explicit_dynamics::Solver<T>& solver);
  void nodout(explicit_dynamics::Solver<T>& solver);
  void swforc(explicit_dynamics::Solver<T>& solver);
  void secforc(explicit_dynamics::Solver<T>& solver);
  void spcforc(explicit_dynamics::Solver<T>& solver);
  void bndout(explicit_dynamics::Solver<T>& solver);
  void elout(explicit_dynamics::Solver<T>& solver);
  void deforc(explicit_dynamics::Solver<T>& solver);
  void jntforc(explicit_dynamics::Solver<T>& solver);
  void feature_history(explicit_dynamics::Solver<T>& solver, const model::FeatureHistory& asked);
  void rbdout(explicit_dynamics::Solver<T>& solver);
  void record(explicit_dynamics::Solver<T>& solver, const Stretch& times, bool all);

  const parallel::Communicator* comm_;
  const decomposition::Subdomain* subdomain_;
  RecorderOptions options_;
  Catalogue catalogue_;
  Layout layout_;
  Gather gather_;
  std::unique_ptr<Files> files_;  ///< rank 0
  Series d3plot_, glstat_, matsum_, rcforc_, rwforc_, nodout_, swforc_, secforc_, spcforc_, bndout_, sleout_,
      ncforc_, elout_, deforc_, jntforc_, rbdout_;
  std::vector<Series> of_features_;  ///< of OutputControl::of_features
  BndoutBlock bndout_at_start_;
  std::optional<GlobalRow> last_row_;
  std::int64_t last_plot_cycle_ = -1;
  double speed_ = 0.0;
};

}  // namespace crumple::output
