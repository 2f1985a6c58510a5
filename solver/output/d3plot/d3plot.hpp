// Writes the LS-DYNA d3plot family: d3plot (control words, geometry, ids, titles), d3plot01, ... (states).
//
// Format: LSTC, "LS-DYNA database binary output files"; word numbers in the code are its disk addresses.
// Where readers disagree, the file has what LS-DYNA itself writes: version word 960.0, unpacked connectivity
// (NDIM 4), materials counted per element kind, element deletion list (MDLOPT 2).
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "output/file.hpp"
#include "output/file_positions.hpp"
#include "output/results.hpp"

namespace crumple::output {

struct D3plotOptions {
  Layout layout;
  bool double_precision = false;    ///< 8-byte words
  int sigflg = 1;                   ///< stresses: 1 all, 2 not of shells, 3 none
  int epsflg = 1;                   ///< effective plastic strains: 1 all, 2 not of shells, 3 none
  bool shell_resultants = true;     ///< RLTFLG
  bool shell_energies = true;       ///< ENGFLG: thickness and internal energy
  bool one_state_per_file = false;  ///< IEVERP
  bool drop_rigid_shells = false;   ///< DCOMP 2: no state data of rigid shells (vtk cannot read this)
  std::int64_t file_bytes = std::int64_t(1) << 30;  ///< a new file begins when a state would exceed this size
  std::string prefix;  ///< put before the files' names, e.g. "crash." for jobid=crash
};

/// Fills a plot_state's arrays of one kind with a piece of its elements.
using FillPiece = std::function<void(ElementKind, Range, PlotState&)>;

/// Number of elements in memory at a time when a state is written in pieces.
inline constexpr std::size_t kPiece = 16384;

/// Calls `visit(piece)` for all elements of a kind, in order.
template <class Visit>
void for_each_piece(std::size_t elements, Visit visit) {
  for (std::size_t first = 0; first < elements; first += kPiece)
    visit(Range{first, std::min(elements, first + kPiece)});
}

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
  void write(const PlotState& plot_state) { write(plot_state, {}); }
  /// The same for a plot_state without arrays of elements: `fill` gives solids, beams and shells in pieces.
  void write(const PlotState& plot_state, const FillPiece& fill);
  /// After the last complete state.
  D3plotPosition position() const { return {sizes_, states_, state_words()}; }
  void flush();
  void close();

  int states() const { return states_; }

 private:
  void order_parts();
  void cut_back();
  bool dropped(std::size_t shell) const;
  std::int64_t word() const { return options_.double_precision ? 8 : 4; }
  std::string path(std::size_t member) const;
  int shell_words() const;
  int solid_words() const;
  std::int64_t state_words() const;
  void write_geometry_file();
  void put_control(class WordStream& out) const;
  void put_geometry(WordStream& out) const;
  void put_ids(WordStream& out) const;
  void put_titles(WordStream& out) const;
  void put_globals(WordStream& out, const PlotState& s) const;
  void put_nodes(WordStream& out, const PlotState& s) const;
  struct Alive;
  void put_elements(WordStream& out, ElementKind kind, const PlotState& s, const FillPiece& fill,
                    Alive& alive) const;
  void put_solids(WordStream& out, const SolidStates& s, Range piece) const;
  void put_beams(WordStream& out, const BeamStates& s, Range piece) const;
  void put_shells(WordStream& out, const ShellStates& s, Range piece) const;
  void put_alive(WordStream& out, const Alive& alive) const;
  void begin_file();

  const Catalogue& catalogue_;
  std::string directory_;
  D3plotOptions options_;
  std::vector<std::int32_t> part_order_;   ///< parts by ascending id: the order of the file
  std::vector<std::int32_t> part_number_;  ///< 1-based index of a part in that order
  std::int64_t dropped_shells_ = 0;
  File file_;                        ///< the state file being written
  std::int64_t end_mark_ = 0;        ///< position of its end mark
  std::vector<std::int64_t> sizes_;  ///< of d3plot and of the files of states: up to their end marks
  int states_ = 0;
};

}  // namespace crumple::output
