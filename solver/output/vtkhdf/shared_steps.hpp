// The states of results.vtkhdf written by all ranks, with the bytes that VtkhdfWriter::write would give.
//
// HDF5 is called by rank 0 only: for the tables of the file. A piece of rows is a chunk of each array; the
// rank that gets its rows (RowExchange) puts them in order, compresses them if that is asked for, and writes
// them at the place that rank 0 has told. Where a compressed chunk begins depends on the sizes of those
// before it: so a rank keeps its share of the points, and then of the cells, compressed until all sizes are
// known.
#pragma once

#include <optional>
#include <vector>

#include "output/rank_rows.hpp"
#include "output/row_exchange.hpp"
#include "output/shared_file.hpp"
#include "output/vtkhdf/vtkhdf.hpp"
#include "parallel/communicator.hpp"

namespace crumple::output {

class SharedSteps {
 public:
  /// @param rows must outlive this
  SharedSteps(const parallel::Communicator& comm, const RankRows& rows, const VtkhdfOptions& options);
  SharedSteps(const SharedSteps&) = delete;  // its exchange points into it
  SharedSteps& operator=(const SharedSteps&) = delete;

  /// Keeps the rows of a range of this rank's elements for the next state: d3plot has read them out of the
  /// elements' states, which takes longer than anything else here. Local.
  void keep(ElementKind kind, Range of_rank, const PlotState& part);
  /// Appends a state to the file of `writer`, as VtkhdfWriter::write does. Collective.
  /// @pre the rows of all elements are kept
  /// @param writer on rank 0, null elsewhere @param nodes x, v and x0
  /// @throws AgreedError CR-O001, CR-O1xx, on all ranks; readers then find the earlier states, and neither
  /// this nor the writer must be used any more
  void write(VtkhdfWriter* writer, double time, const NodeValues& nodes);
  /// Closes the file on all ranks; the writer has its own. Collective. @throws AgreedError CR-O103
  void close() { file_.close(); }
  /// Ranks that write. Known after the first state.
  std::span<const int> writers() const { return file_.writers(); }

 private:
  using Messages = RowExchange::Messages;
  using Places = VtkhdfWriter::Places;

  void begin(VtkhdfWriter* writer);
  void plan();
  std::optional<Error> write_rows(On on, const NodeValues& nodes);
  std::vector<std::byte> point_rows(Range piece, const NodeValues& nodes) const;
  std::vector<std::byte> cell_rows(Range piece) const;
  std::size_t row_bytes(On on) const { return sizeof(RowNumber) + row_.bytes(on); }
  void place(On on, Range piece, const Messages& received);
  void place_kept(VtkhdfWriter* writer);
  void write_kept(On on);
  void put(std::int64_t place, std::span<const std::byte> bytes);

  const parallel::Communicator* comm_;
  const RankRows* rows_;
  StepRows row_;
  std::vector<GlobalId> cell_order_;  ///< positions of this rank's elements among the cells
  std::vector<std::byte> cells_;      ///< the rows of these elements
  bool planned_ = false;
  StepCounts counts_;
  int compression_ = 0;
  std::array<Places, 2> places_;  ///< of chunks on points and on cells
  RowExchange exchange_;          ///< lists of points and of cells
  SharedFile file_;
  std::string path_;
  /// Compressed chunks on points and on cells: by chunk of this rank's share, and then by array.
  std::array<std::vector<hdf5::StoredChunk>, 2> kept_;
};

}  // namespace crumple::output
