// Plot states written by all ranks, with the bytes that D3plotWriter::write would give.
//
// Rows are dealt to the writers as words (RowExchange); a writer puts those of a piece in order and writes
// them at their place. Nobody holds a state. The writers are the ranks that see the file as rank 0 does.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "output/d3plot/d3plot.hpp"
#include "output/rank_rows.hpp"
#include "output/row_exchange.hpp"
#include "output/shared_file.hpp"
#include "parallel/communicator.hpp"

namespace crumple::output {

class SharedStates {
 public:
  SharedStates(const parallel::Communicator& comm, RankRows rows, D3plotOptions options);
  SharedStates(const SharedStates&) = delete;  // its exchange points into its rows
  SharedStates& operator=(const SharedStates&) = delete;

  /// Appends a state to the family of `writer`, as D3plotWriter::write does. Collective.
  /// @param writer,globals on rank 0: null and unused elsewhere
  /// @throws AgreedError CR-O001, CR-O1xx, on all ranks; the file is then as it was before this state
  void write(D3plotWriter* writer, const PlotState& globals, const NodeValues& nodes, const FillRows& fill);
  /// Closes the file on ranks other than 0. Collective. @throws AgreedError CR-O103
  void close() { file_.close(); }
  /// Ranks that write. Known after the first state.
  std::span<const int> writers() const { return file_.writers(); }
  /// What this rank has of the model.
  const RankRows& rows() const { return rows_; }

 private:
  using Messages = RowExchange::Messages;
  /// Words of a row that go to one block of the state, and where its piece begins there.
  struct Strip {
    std::int64_t place = 0;  ///< in words from the state's time
    std::size_t words = 0;
    bool kept_only = false;  ///< not of dropped shells
    std::vector<std::byte> bytes;
  };

  void begin(D3plotWriter* writer, const PlotState& globals);
  void plan(const StateCounts& counts);
  std::optional<Error> write_rows(const NodeValues& nodes, const FillRows& fill);
  std::size_t row_bytes(ElementKind kind) const;
  std::vector<std::byte> node_rows(Range piece, const NodeValues& nodes) const;
  std::vector<std::byte> element_rows(ElementKind kind, Range piece, const FillRows& fill) const;
  bool drops(ElementKind kind) const { return options_.drop_rigid_shells && kind == ElementKind::shell; }
  std::vector<Strip> strips(ElementKind kind, Range piece) const;
  void place(ElementKind kind, Range piece, const Messages& received);
  void put(const Strip& strip);
  std::vector<std::byte> last_word() const;
  std::int64_t word() const { return options_.double_precision ? 8 : 4; }

  const parallel::Communicator* comm_;
  RankRows rows_;
  D3plotOptions options_;
  StateRows row_;
  StatePlaces places_;
  bool planned_ = false;
  RowExchange exchange_;                      ///< lists of nodes, then of kPlotKinds
  std::vector<std::int64_t> dropped_before_;  ///< shells without rows before each piece of shells
  std::string path_;                          ///< of the file of states
  SharedFile file_;
  std::int64_t at_ = 0;          ///< place of the time in the file
  std::vector<std::byte> last_;  ///< the state's last word, on the rank that has it
};

}  // namespace crumple::output
