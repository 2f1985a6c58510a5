// Deals rows of plot states to the ranks that write them.
//
// Rows come in lists, of nodes or elements, and a list in pieces: every writer has a share of consecutive
// pieces. In a round each writer gets the rows of its next piece from the ranks that have them. So a rank
// holds the rows of one piece, and those of its own that it sends in a round. Neighbours in the deck often
// are of one rank: the shares keep all ranks busy in a round.
#pragma once

#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "output/pieces.hpp"
#include "parallel/communicator.hpp"

namespace crumple::output {

/// A row of a message begins with its number in the piece.
using RowNumber = std::uint32_t;

class RowExchange {
 public:
  struct Tags {
    int counts = 0, rows = 0;
  };
  /// Rows for one piece, by the rank that sent them.
  using Messages = std::vector<std::vector<std::byte>>;
  /// This rank's rows of a piece, each with its number before it, all of one size.
  using TakeRows = std::function<std::vector<std::byte>(Range piece)>;
  /// @throws Error when the rows of a piece cannot be written
  using PlaceRows = std::function<void(Range piece, const Messages&)>;

  RowExchange(const parallel::Communicator& comm, Tags tags) : comm_(&comm), tags_(tags) {}

  /// Adds a list. Local.
  /// @param rows of all ranks @param piece rows in a piece @param mine positions that this rank has,
  /// ascending; must outlive this @returns the list's number
  std::size_t add(std::size_t rows, std::size_t piece, std::span<const GlobalId> mine);
  /// Tells the writers how many rows they get from each rank, so that states need no sizes. Collective.
  /// @param writers ascending
  void set_writers(std::vector<int> writers);
  /// The pieces of a list that this rank writes. Local.
  std::span<const Range> share(std::size_t list) const;

  /// Deals the rows of a list, with `row_bytes` a row. Collective: with an error it takes part to the end.
  /// @returns the first error of `place` on this rank
  std::optional<Error> deal(std::size_t list, std::size_t row_bytes, const TakeRows& take,
                            const PlaceRows& place) const;

 private:
  struct List {
    std::vector<Range> pieces;
    std::size_t piece = 1;
    std::span<const GlobalId> mine;
    std::size_t first_written = 0;  ///< pieces of earlier lists that this rank writes
  };
  Range share_of(std::size_t writer, const List& list) const;
  Messages rows_of_round(const List& list, std::size_t round, const TakeRows& take) const;
  std::vector<std::int64_t> sizes(std::optional<std::size_t> written, std::size_t row_bytes) const;

  const parallel::Communicator* comm_;
  Tags tags_;
  std::vector<List> lists_;
  std::vector<int> writers_;
  std::size_t mine_ = 0;  ///< this rank among the writers; their number if it is none
  /// By rank: how many rows it has in each piece that this rank writes, list after list.
  std::vector<std::vector<std::int32_t>> rows_of_;
};

/// Calls `each(number, bytes of the row)` for all rows of messages.
template <class Each>
void for_each_row(const RowExchange::Messages& messages, std::size_t row_bytes, Each&& each) {
  for (const std::vector<std::byte>& message : messages)
    for (std::size_t at = 0; at < message.size(); at += row_bytes) {
      RowNumber number = 0;
      std::memcpy(&number, &message[at], sizeof number);
      each(number, &message[at] + sizeof number);
    }
}

/// @throws Error CR-O001 unless the messages have all rows of a piece
/// @param of what: "node", "shell"
void require_piece(const RowExchange::Messages& messages, std::size_t row_bytes, Range piece, const char* of);

}  // namespace crumple::output
