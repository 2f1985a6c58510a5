// What a VTKHDF file has of each node and element in a step, as rows, and as chunks of its arrays.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/members.hpp"
#include "output/pieces.hpp"
#include "output/rank_rows.hpp"
#include "output/results.hpp"
#include "output/words.hpp"

namespace crumple::output {

/// The two groups of arrays of VTKHDF.
enum class On { points, cells };
inline constexpr std::array kOnBoth{On::points, On::cells};

/// An array with new values in every step.
struct StepArray {
  const char* name;
  std::size_t width;     ///< values in a row
  bool is_flag = false;  ///< of one byte; else real
};

/// In the order of a row, and of their places in the file.
inline constexpr std::array kPointArrays{StepArray{"Points", 3}, StepArray{"Displacement", 3},
                                         StepArray{"Velocity", 3}};
inline constexpr std::array kCellArrays{StepArray{"Alive", 1, true}, StepArray{"PlasticStrain", 1},
                                        StepArray{"VonMises", 1}, StepArray{"Thickness", 1}};

inline std::span<const StepArray> arrays_on(On on) {
  if (on == On::points) return kPointArrays;
  return kCellArrays;
}

/// The place of an array below the group VTKHDF.
inline std::string path_in_root(On on, const StepArray& array) {
  const std::string name = array.name;
  if (on == On::cells) return "CellData/" + name;
  return name == "Points" ? name : "PointData/" + name;
}

/// The rows of a file, with reals of 8 or 4 bytes.
class StepRows {
 public:
  StepRows(const Layout& layout, bool wide) : layout_(layout), wide_(wide) {}

  /// Bytes of a value.
  std::size_t value_bytes(const StepArray& array) const { return array.is_flag ? 1 : wide_ ? 8 : 4; }
  /// Bytes of a row.
  std::size_t bytes(On on) const;
  /// @param x0 position at t = 0
  static void put_point(Words& out, const Vec3& x, const Vec3& x0, const Vec3& v);
  /// Row `i` of the arrays of a kind; zeros where an array is empty.
  void put_cell(Words& out, ElementKind kind, const PlotState& s, std::size_t i) const;
  bool wide() const { return wide_; }

 private:
  Layout layout_;
  bool wide_;
};

/// The rows of one chunk, by array.
class StepChunk {
 public:
  /// @param rows of a chunk; those that are not set are zeros
  StepChunk(const StepRows& rows, On on, std::size_t chunk_rows);
  void set(std::size_t number, const std::byte* row);
  /// In the order of `arrays_on`.
  std::vector<std::vector<std::byte>>& arrays() { return arrays_; }

 private:
  std::vector<std::size_t> width_;  ///< bytes
  std::vector<std::vector<std::byte>> arrays_;
};

/// Sizes of a file's mesh, and of its chunks.
struct StepCounts {
  std::int64_t points = 0, solids = 0, beams = 0, shells = 0, particles = 0;
  std::int64_t point_chunk = 1, cell_chunk = 1;  ///< rows

  std::size_t rows(On on) const {
    return std::size_t(on == On::points ? points : solids + beams + shells + particles);
  }
  std::size_t chunk(On on) const { return std::size_t(on == On::points ? point_chunk : cell_chunk); }
  std::size_t chunks(On on) const { return (rows(on) + chunk(on) - 1) / chunk(on); }
  /// The cells of a kind.
  Range cells(ElementKind kind) const {
    const std::int64_t first = kind == ElementKind::solid  ? 0
                               : kind == ElementKind::beam ? solids
                               : kind == ElementKind::sph  ? solids + beams + shells
                                                           : solids + beams;
    const std::int64_t count = kind == ElementKind::solid  ? solids
                               : kind == ElementKind::beam ? beams
                               : kind == ElementKind::sph  ? particles
                                                           : shells;
    return {std::size_t(first), std::size_t(first + count)};
  }
};
CRUMPLE_MEMBERS(StepCounts, points, solids, beams, shells, particles, point_chunk, cell_chunk)

/// @param most rows of a chunk
StepCounts step_counts(std::size_t points, std::size_t solids, std::size_t beams, std::size_t shells,
                       std::size_t particles, std::size_t most = kPiece);

/// Positions of a rank's elements among the cells, ascending.
std::vector<GlobalId> cell_order(const RankRows& rows, const StepCounts& counts);

/// The kinds of elements, in the order of cells.
inline constexpr std::array kCellKinds{ElementKind::solid, ElementKind::beam, ElementKind::shell,
                                       ElementKind::sph};

/// Part of a piece of cells that is of one kind, counted from the first of that kind.
inline Range of_kind(Range piece, Range cells) {
  const std::size_t first = std::clamp(piece.first, cells.first, cells.last);
  const std::size_t last = std::clamp(piece.last, cells.first, cells.last);
  return {first - cells.first, last - cells.first};
}

}  // namespace crumple::output
