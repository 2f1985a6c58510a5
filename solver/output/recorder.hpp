// Decides which results are due, gathers them from the ranks and passes them to the writers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "decomposition/distribution.hpp"
#include "output/d3plot/shared_states.hpp"
#include "output/file_positions.hpp"
#include "output/gather.hpp"
#include "output/live/live_options.hpp"
#include "output/results_view.hpp"
#include "output/series.hpp"
#include "output/vtkhdf/shared_steps.hpp"

namespace crumple::state {
class Archive;
}

namespace crumple::output {

struct RecorderOptions {
  std::string directory = ".";
  std::string prefix;             ///< jobid: files are named `prefix.d3plot` ... (empty: no prefix)
  bool double_precision = false;  ///< 8-byte words in binary files
  bool vtkhdf = false;
  int vtkhdf_compression = 0;  ///< level of deflate; 0: none, or as in the earlier part
  RunInfo run;                 ///< data for headers
  /// Where an earlier part of the run stood: its files are cut back to there and go on. Only rank 0 needs it.
  std::optional<FilePositions> go_on;
  std::optional<LiveOptions> live;  ///< shows the run to `crumple watch` over a socket
};

class LiveView;

/// All results of a run. Constructed and called on every rank. Files are written on rank 0, plot states on
/// all ranks.
class Recorder {
 public:
  /// `catalogue` is of the whole model on rank 0, empty elsewhere. With RecorderOptions::go_on all files are
  /// checked before any is changed; RecorderOptions::run is then that of the first part. Collective.
  /// @throws Error CR-O130 or CR-O131 where the files do not fit (nothing was changed); CR-O1xx
  Recorder(const parallel::Communicator& comm, const decomposition::Subdomain& subdomain, Catalogue catalogue,
           RecorderOptions options);
  ~Recorder();

  /// Whether a result may be due in a cycle that begins at `time` and is not longer than `step`, so that a
  /// snapshot is needed.
  bool due(double time, double step) const;
  /// Write what is due in the cycle that begins at the time of `results`. Collective.
  void record(const ResultsView& results);
  /// Write the last plot state, at the first snapshot at or after `end_time`, and the rows that are due at
  /// that time and not yet written. Collective.
  void record_end(const ResultsView& results, double end_time);
  /// Write what is due up to `end_time` and not yet written, where another solver goes on. Collective.
  void record_until(const ResultsView& results, double end_time);
  /// Write a plot state at the snapshot, due or not. Collective.
  void record_plot(const ResultsView& results);
  /// Write a plot state and a row of every history at the snapshot, due or not. Collective.
  void record_all(const ResultsView& results);
  /// Sets the nanoseconds per element and cycle, which the caller measures.
  void set_speed(double ns_per_zone_cycle) { speed_ = ns_per_zone_cycle; }
  /// Whether a state is to be shown over the socket now, by the clock. Only on rank 0. Local.
  bool live_due() const;
  /// Show a state over the socket. Collective.
  void show_state(const ResultsView& results);
  /// Show a file that others write: what is added to it, or all of it. On rank 0. Local.
  void show_added(const std::string& file, std::string_view text);
  void show_file(const std::string& file, std::string_view text);
  /// A titled section of d3hsp, on rank 0. Local.
  void echo(const std::string& title, const std::string& text);
  /// The last lines of d3hsp, on rank 0. Local.
  void end(bool normal, const std::string& text);
  /// Collective.
  void close();
  /// After a restart: results with another interval than before are due at its multiples from `time` on,
  /// where the next cycle begins. Local.
  void begin_changed(double time, double step);
  /// Where the files stand: after what was written last. They are not valid after a failed write. Empty on
  /// ranks other than 0. Local.
  FilePositions positions() const;
  /// What it goes on from; of an open file, nothing: see `positions`. Local.
  void archive(state::Archive& archive);

 private:
  struct Files;
  /// Something that is written at the multiples of an interval; never at those of 0.
  struct Channel {
    using Write = void (Recorder::*)(const ResultsView&);
    Channel(double between, Write what) : interval(between), write(what), series(between) {}
    double interval;
    Write write;
    Series series;
  };
  WriterOptions writer_options() const;
  VtkhdfOptions vtkhdf_options() const;
  void create_files();
  void go_on(const FilePositions& from);
  void forget_mesh();
  void plot_state(const ResultsView& results);
  PlotState plot_globals(const ResultsView& results) const;
  void glstat(const ResultsView& results);
  void matsum(const ResultsView& results);
  void rcforc(const ResultsView& results);
  void sleout(const ResultsView& results);
  std::vector<std::vector<NcforcRow>> contact_blocks(const ResultsView& results) const;
  void ncforc(const ResultsView& results);
  void intfor(const ResultsView& results);
  void rwforc(const ResultsView& results);
  void nodout(const ResultsView& results);
  NodoutRow as_measured(const ResultsView& results, LocalId node, NodoutRow row) const;
  void swforc(const ResultsView& results);
  void secforc(const ResultsView& results);
  void spcforc(const ResultsView& results);
  void bndout(const ResultsView& results);
  void elout(const ResultsView& results);
  void deforc(const ResultsView& results);
  void jntforc(const ResultsView& results);
  void feature_history(const ResultsView& results, const model::FeatureHistory& asked);
  void rbdout(const ResultsView& results);
  void record(const ResultsView& results, const Stretch& times, bool all);
  template <class Write>
  void write(int binary, const ResultsView& results, Write&& write);
  template <class Write>
  void write_and_show(int binary, const ResultsView& results, Write&& write);
  void begin_live();

  const parallel::Communicator* comm_;
  const decomposition::Subdomain* subdomain_;
  RecorderOptions options_;
  Catalogue catalogue_;
  Layout layout_;
  Gather gather_;
  SharedStates plot_states_;
  std::optional<SharedSteps> steps_;  ///< of results.vtkhdf
  std::unique_ptr<Files> files_;      ///< rank 0
  std::unique_ptr<LiveView> live_;    ///< null: the run does not listen
  std::vector<Channel> channels_;     ///< in the order in which they are written, plot states last
  std::vector<Series> of_features_;   ///< of OutputControl::of_features, before the plot states
  std::vector<Series*> changed_;      ///< that had another interval in the state that was read
  BndoutBlock bndout_at_start_;
  std::int64_t last_plot_cycle_ = -1;
  double speed_ = 0.0;
};

}  // namespace crumple::output
