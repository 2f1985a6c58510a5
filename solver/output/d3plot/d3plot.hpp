// Writes the LS-DYNA d3plot family: d3plot (control words, geometry, ids, titles), d3plot01, ... (states).
//
// Format: LSTC, "LS-DYNA database binary output files"; word numbers in the code are its disk addresses.
// Where readers disagree, the file has what LS-DYNA itself writes: version word 960.0, unpacked connectivity
// (NDIM 4), materials counted per element kind, element deletion list (MDLOPT 2).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "output/d3plot/state_layout.hpp"
#include "output/file.hpp"
#include "output/file_positions.hpp"
#include "output/results.hpp"

namespace crumple::output {

/// The plot files of one run. Not collective: only rank 0 has one.
class D3plotWriter {
 public:
  /// Writes `directory`/d3plot and removes the files of an earlier run. `catalogue` must outlive this.
  /// @throws Error CR-O1xx when a file cannot be written
  D3plotWriter(const Catalogue& catalogue, std::string directory, D3plotOptions options);
  /// Cuts the files of an earlier part of the run back to a position and goes on there; later members of the
  /// family are removed. @throws Error CR-O131 when a state had another size; CR-O1xx
  D3plotWriter(const Catalogue& catalogue, std::string directory, D3plotOptions options,
               const D3plotPosition& from);

  /// Appends a state. If the run is killed at any time, earlier states remain readable: the state's time is
  /// written last, and an end mark is in its place until then.
  /// @throws Error CR-O001 (sizes), CR-O1xx (the file, which is left as it was before this state)
  void write(const PlotState& plot_state);

  /// A state whose rows of nodes and elements others write (SharedStates).
  struct Begun {
    std::string path;     ///< of the file of states
    std::int64_t at = 0;  ///< place of the state's time
  };
  /// Begins a file if it is due, and writes the state's globals.
  /// @throws Error CR-O001, CR-O1xx, as write() does
  Begun begin_state(const PlotState& globals);
  /// Ends a state whose other words are all written. @throws Error CR-O1xx; undo_state() is left to the
  /// caller
  /// @param last its last word; empty if that is written, too
  void end_state(double time, std::span<const std::byte> last);
  /// Cuts the file back to where it was before the state. @throws Error CR-O102
  void undo_state();
  const StateCounts& counts() const { return counts_; }
  /// After the last complete state.
  D3plotPosition position() const { return {sizes_, states_, places_.end}; }
  void flush();
  void close();

  int states() const { return states_; }

 private:
  void order_parts();
  void cut_back();
  bool dropped(std::size_t shell) const;
  std::int64_t word() const { return options_.double_precision ? 8 : 4; }
  std::string path(std::size_t member) const;
  void write_geometry_file();
  void put_control(class WordStream& out) const;
  void put_geometry(WordStream& out) const;
  void put_ids(WordStream& out) const;
  void put_particles(WordStream& out) const;
  void put_titles(WordStream& out) const;
  void put_nodes(WordStream& out, const PlotState& s) const;
  void put_elements(WordStream& out, const PlotState& s) const;  ///< beside particles
  void put_kind(WordStream& out, const PlotState& s, ElementKind kind) const;
  void put_flags(WordStream& out, const PlotState& s) const;
  void begin_due_file();
  void begin_file();

  const Catalogue& catalogue_;
  std::string directory_;
  D3plotOptions options_;
  std::vector<std::int32_t> part_order_;   ///< parts by ascending id: the order of the file
  std::vector<std::int32_t> part_number_;  ///< 1-based index of a part in that order
  StateRows rows_;
  StateCounts counts_;
  StatePlaces places_;
  File file_;                        ///< the state file being written
  std::int64_t end_mark_ = 0;        ///< position of its end mark
  std::vector<std::int64_t> sizes_;  ///< of d3plot and of the files of states: up to their end marks
  int states_ = 0;
};

}  // namespace crumple::output
