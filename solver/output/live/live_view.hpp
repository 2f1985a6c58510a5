// An observer of the output stage: shows a run to `crumple watch` over a socket while it goes on.
//
// Rows are sent as they are written. States of a simplified surface are sent at plot times, and between them
// by the clock while somebody watches. Nothing here changes what the run computes.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "output/ascii/histories.hpp"
#include "output/live/live_options.hpp"
#include "output/live/live_server.hpp"
#include "output/rank_rows.hpp"
#include "output/results_view.hpp"
#include "parallel/communicator.hpp"

namespace crumple::output {

class LiveView {
 public:
  /// `catalogue` is that of the run on rank 0 and has its mesh. Texts that the folder has already are shown,
  /// too: d3hsp, and after a restart the histories. Collective. @throws Error CR-O140
  LiveView(const parallel::Communicator& comm, const decomposition::Subdomain& subdomain,
           const Catalogue& catalogue, const LiveOptions& options, const std::string& directory,
           const std::string& prefix, bool goes_on);
  ~LiveView();

  // On rank 0. Local.

  /// Where rows are written as text: glstat, rcforc, rwforc, secforc.
  AsciiHistories& rows() { return *rows_; }
  /// Rows of the first nodes of nodout.
  void nodout(double time, std::int64_t cycle, std::span<const NodoutRow> rows);
  /// Adds text to a file.
  void add(const std::string& file, std::string_view text);
  /// Replaces a file.
  void replace(const std::string& file, std::string_view text);
  /// Whether somebody watches, and it is time for a state.
  bool due() const;

  /// Sends a state. Collective.
  /// @param plot whether it is one that is written to d3plot
  void state(const ResultsView& results, bool plot);
  /// Sends what is left and closes all connections. Local.
  void end();

 private:
  using Clock = std::chrono::steady_clock;
  /// An element of this rank, and the place of a triangle that stands for one of its faces.
  struct Use {
    LocalId element = 0;
    std::int32_t slot = 0;
  };
  /// The elements of a kind that this rank has.
  struct Kind {
    std::vector<Use> uses;
    std::vector<char> used;     ///< whether an element has a use
    std::vector<float> strain;  ///< 0 where elements have none, as those of rigid parts
  };
  void open(const Catalogue& catalogue, const LiveOptions& options);
  void show_earlier(bool goes_on);
  std::vector<std::int32_t> make_surface(const Catalogue& catalogue, std::size_t triangles);
  void take_surface(std::span<const std::int32_t> plan);
  void read_elements(const ResultsView& results);
  void place(std::span<const float> gathered);
  std::string path(const char* name) const { return directory_ + "/" + prefix_ + name; }

  const parallel::Communicator& comm_;
  RankRows own_;
  std::string directory_, prefix_;
  std::vector<LocalId> nodes_;  ///< of this rank that are points of the surface
  Kind solids_, shells_;        ///< of this rank
  std::vector<float> of_rank_;  ///< 3 numbers of each such node, then one of each triangle it knows of

  // Rank 0.
  std::vector<std::int32_t> places_;        ///< of each rank: how many points and triangles, and which
  std::vector<float> positions_, strains_;  ///< of the whole surface
  std::unique_ptr<LiveServer> server_;
  Catalogue of_rows_;
  std::unique_ptr<AsciiHistories> rows_;
  Clock::duration between_{};
  Clock::time_point next_{};
};

}  // namespace crumple::output
