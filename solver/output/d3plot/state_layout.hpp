// The words of one plot state: what its rows contain, and where they are.
//
// All rows of a kind have the same size, so that the place of each follows from its number, and any rank can
// write it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "output/d3plot/words.hpp"
#include "output/pieces.hpp"
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
  bool drop_rigid_shells = false;   ///< DCOMP 2, 4: no state data of rigid shells (vtk cannot read this)
  bool node_motion = true;          ///< not DCOMP 3, 4: velocities and accelerations of nodes
  std::int64_t file_bytes = std::int64_t(1) << 30;  ///< a new file begins when a state would exceed this size
  std::string family = "d3plot";                    ///< name of the files; d3eigv has modes
  std::string prefix;  ///< put before the files' names, e.g. "crash." for jobid=crash
  std::size_t piece = kPiece;
};

/// The kinds of elements in a state, in its order.
inline constexpr std::array kPlotKinds{ElementKind::solid, ElementKind::beam, ElementKind::shell,
                                       ElementKind::sph};
/// Words of each item of a particle's data (ISPHFG 2 to 11): radius of influence, pressure, stress, plastic
/// strain, density, internal energy, number of neighbours, strain, mass, history. A number of the part comes
/// before them, negative for a deleted particle.
inline constexpr std::array kParticleItems{1, 1, 6, 1, 1, 1, 1, 0, 1, 0};
/// The same for the deletion flags, which particles do not have.
inline constexpr std::array kFlagKinds{ElementKind::solid, ElementKind::shell, ElementKind::beam};

/// Rows of elements: one put_... call for each, in the order of the file.
class StateRows {
 public:
  explicit StateRows(const D3plotOptions& options);

  /// Words in a row of one kind of elements, without its deletion flag.
  int words(ElementKind kind) const;
  /// Row `i` of the arrays of that kind; zeros where the array is empty.
  /// @param part_number of the element's part
  void put(Words& out, ElementKind kind, const PlotState& s, std::size_t i, int part_number) const;
  /// Words of the deletion flag.
  static int flag_words(ElementKind kind) { return kind == ElementKind::sph ? 0 : 1; }
  /// The deletion flag: the number of the element's part, or 0 when it is deleted.
  static void put_flag(Words& out, ElementKind kind, const PlotState& s, std::size_t i, int part_number);
  /// Energies, velocity, parts in the order given, walls.
  static void put_globals(Words& out, const PlotState& s, std::span<const std::int32_t> part_order);

 private:
  void put_solid(Words& out, const SolidStates& s, std::size_t i) const;
  void put_beam(Words& out, const BeamStates& s, std::size_t i) const;
  void put_shell(Words& out, const ShellStates& s, std::size_t i) const;
  static void put_particle(Words& out, const ParticleStates& s, std::size_t i, int part_number);

  Layout layout_;
  bool solid_stress_, solid_plastic_, shell_stress_, shell_plastic_, shell_resultants_, shell_energies_;
};

struct StateCounts {
  std::int64_t parts = 0, walls = 0, nodes = 0, solids = 0, beams = 0, shells = 0;
  std::int64_t particles = 0;
  std::int64_t dropped = 0;  ///< shells without a row

  std::int64_t of(ElementKind kind) const {
    return kind == ElementKind::solid  ? solids
           : kind == ElementKind::beam ? beams
           : kind == ElementKind::sph  ? particles
                                       : shells;
  }
};
CRUMPLE_MEMBERS(StateCounts, parts, walls, nodes, solids, beams, shells, particles, dropped)

/// Where each block of a state begins, in words from its time, which is its first word.
struct StatePlaces {
  StatePlaces() = default;
  StatePlaces(const D3plotOptions& options, const StateCounts& counts);

  std::int64_t rows(ElementKind kind) const {
    return kind == ElementKind::solid  ? solids
           : kind == ElementKind::beam ? beams
           : kind == ElementKind::sph  ? particles
                                       : shells;
  }
  std::int64_t flags(ElementKind kind) const {
    return kind == ElementKind::solid ? solid_flags : kind == ElementKind::beam ? beam_flags : shell_flags;
  }

  std::int64_t globals = 1;
  std::int64_t x = 0, added_mass = 0, v = 0, a = 0;
  std::int64_t solids = 0, beams = 0, shells = 0;
  std::int64_t solid_flags = 0, shell_flags = 0, beam_flags = 0;
  std::int64_t particles = 0;
  std::int64_t end = 0;
};

}  // namespace crumple::output
