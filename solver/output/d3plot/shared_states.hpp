// Plot states written by all ranks, with the bytes that D3plotWriter::write would give.
//
// Rows of each kind are dealt in pieces: every writer has a share of consecutive pieces. In a round each
// writer gets the rows of its next piece, as words, from the ranks that have them, puts them in order and
// writes them at their place. So a rank holds the rows of one piece, and those of its own that it sends in a
// round; nobody holds a state. Neighbours in the deck often are of one rank: the shares keep all ranks busy
// in a round. The writers are the ranks that see the file as rank 0 does.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "decomposition/distribution.hpp"
#include "output/d3plot/d3plot.hpp"
#include "parallel/communicator.hpp"

namespace crumple::output {

/// What a rank has of the model. Positions in the whole model ascend.
struct RankRows {
  struct Elements {
    std::span<const GlobalId> order;
    std::span<const LocalId> part;
  };
  struct Part {
    std::int32_t number = 0;  ///< in the order of the file, from 1
    bool rigid = false;
  };
  std::vector<GlobalId> node_order;  ///< of the nodes that it owns
  std::vector<LocalId> node;         ///< their local numbers
  Elements solids, beams, shells;
  std::vector<Part> parts;

  const Elements& elements(ElementKind kind) const {
    return kind == ElementKind::solid ? solids : kind == ElementKind::beam ? beams : shells;
  }
};

/// @param subdomain must outlive the result
RankRows rows_of_rank(const decomposition::Subdomain& subdomain);

/// Number of rows in each of `pieces` pieces, from ascending positions.
std::vector<std::int32_t> rows_by_piece(std::span<const GlobalId> order, std::size_t pieces,
                                        std::size_t piece);

/// Values of the nodes of a rank, by local number.
struct NodeValues {
  std::span<const Vec3> x, v, a;
  std::span<const double> added_mass;  ///< if the layout has it
};

/// Fills the arrays of one kind of elements with those of a range of the rank's own.
using FillRows = std::function<void(ElementKind, Range of_rank, PlotState&)>;

/// How a rank sees a file of states: whether it may write to it.
struct FileView {
  std::uint64_t machine = 0, file_system = 0, number = 0, size = 0;
  bool by_nfs = false;
  bool opened = false;

  /// Whether both are one file, which both may write. Clients of NFS do not keep each other's bytes where
  /// two of them write to the same page.
  bool same(const FileView& root) const {
    if (!opened || file_system != root.file_system || number != root.number) return false;
    // Another machine may know a smaller size, for a while; a larger one is of an older file of that name.
    return machine == root.machine || (size <= root.size && !by_nfs);
  }
};
CRUMPLE_MEMBERS(FileView, machine, file_system, number, size, by_nfs, opened)

/// @param file shared, or closed if it could not be opened
FileView view_of(const File& file);

class SharedStates {
 public:
  SharedStates(const parallel::Communicator& comm, RankRows rows, D3plotOptions options);

  /// Appends a state to the family of `writer`, as D3plotWriter::write does. Collective.
  /// @param writer,globals on rank 0: null and unused elsewhere
  /// @throws AgreedError CR-O001, CR-O1xx, on all ranks; the file is then as it was before this state
  void write(D3plotWriter* writer, const PlotState& globals, const NodeValues& nodes, const FillRows& fill);
  /// Closes the file on ranks other than 0. Collective. @throws AgreedError CR-O103
  void close();
  /// Ranks that write. Known after the first state.
  std::span<const int> writers() const { return writers_; }

 private:
  /// Rows of one kind; `none`: of nodes.
  struct Piece {
    ElementKind kind = ElementKind::none;
    Range rows;
  };
  /// Words of a row that go to one block of the state, and where its piece begins there.
  struct Strip {
    std::int64_t place = 0;  ///< in words from the state's time
    std::size_t words = 0;
    bool kept_only = false;  ///< not of dropped shells
    std::vector<std::byte> bytes;
  };
  /// Rows of this rank for the writers of a round, by rank.
  using Messages = std::vector<std::vector<std::byte>>;

  void begin(D3plotWriter* writer, const PlotState& globals);
  void plan(const StateCounts& counts);
  void open(const std::string& path);
  void count_rows();
  std::optional<Error> write_rows(const NodeValues& nodes, const FillRows& fill);
  std::span<const GlobalId> order(ElementKind kind) const {
    return kind == ElementKind::none ? rows_.node_order : rows_.elements(kind).order;
  }
  std::size_t row_bytes(ElementKind kind) const;
  Range share_of(std::size_t writer, const std::vector<Piece>& pieces) const;
  Messages rows_of_round(const std::vector<Piece>& pieces, std::size_t round, const NodeValues& nodes,
                         const FillRows& fill) const;
  std::vector<std::int64_t> sizes(ElementKind kind, std::optional<std::size_t> own_piece) const;
  std::vector<std::byte> node_rows(Range piece, const NodeValues& nodes) const;
  std::vector<std::byte> element_rows(const Piece& piece, const FillRows& fill) const;
  bool drops(ElementKind kind) const { return options_.drop_rigid_shells && kind == ElementKind::shell; }
  std::vector<Strip> strips(const Piece& piece) const;
  void place(const Piece& piece, const Messages& received);
  void put(const Strip& strip);
  std::vector<std::byte> last_word() const;
  std::int64_t word() const { return options_.double_precision ? 8 : 4; }

  const parallel::Communicator* comm_;
  RankRows rows_;
  D3plotOptions options_;
  StateRows row_;
  StatePlaces places_;
  bool planned_ = false;
  std::vector<std::vector<Piece>> pieces_;    ///< of nodes, solids, beams, shells
  std::vector<std::int64_t> dropped_before_;  ///< shells without rows before each piece of shells
  std::vector<int> writers_;                  ///< ascending; rank 0 is the first
  /// By rank: how many rows it has in each piece that this rank writes, kind after kind.
  std::vector<std::vector<std::int32_t>> rows_of_;
  std::string path_;  ///< of the file of states
  File file_;
  std::int64_t at_ = 0;          ///< place of the time in the file
  std::vector<std::byte> last_;  ///< the state's last word, on the rank that has it
};

}  // namespace crumple::output
