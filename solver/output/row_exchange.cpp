// Rounds in which the writers of a file get the rows of their pieces.
#include "output/row_exchange.hpp"

#include <fmt/format.h>

#include "base/packing.hpp"
#include "parallel/agreed_error.hpp"

namespace crumple::output {

std::size_t RowExchange::add(std::size_t rows, std::size_t piece, std::span<const GlobalId> mine) {
  lists_.push_back({pieces_of(rows, piece), piece, mine});
  return lists_.size() - 1;
}

void RowExchange::set_writers(std::vector<int> writers) {
  writers_ = std::move(writers);
  mine_ = std::size_t(std::ranges::find(writers_, comm_->rank()) - writers_.begin());
  std::size_t written = 0;
  for (List& list : lists_) {
    list.first_written = written;
    if (mine_ < writers_.size()) written += size_of(share_of(mine_, list));
  }
  if (comm_->size() == 1) return;
  Messages counts(std::size_t(comm_->size()));
  for (const List& list : lists_) {
    const std::vector<std::int32_t> mine = rows_by_piece(list.mine, list.pieces.size(), list.piece);
    for (std::size_t k = 0; k < writers_.size(); ++k) {
      const Range share = share_of(k, list);
      const auto bytes = std::as_bytes(std::span(mine).subspan(share.first, size_of(share)));
      std::vector<std::byte>& to = counts[std::size_t(writers_[k])];
      to.insert(to.end(), bytes.begin(), bytes.end());
    }
  }
  rows_of_.clear();
  for (const std::vector<std::byte>& message : comm_->all_to_all(counts, tags_.counts))
    rows_of_.push_back(unpack_items<std::int32_t>(message));
}

/// Indices of the pieces of a writer.
Range RowExchange::share_of(std::size_t writer, const List& list) const {
  const std::size_t pieces = list.pieces.size();
  return {pieces * writer / writers_.size(), pieces * (writer + 1) / writers_.size()};
}

std::span<const Range> RowExchange::share(std::size_t list) const {
  if (mine_ >= writers_.size()) return {};
  const Range share = share_of(mine_, lists_[list]);
  return std::span(lists_[list].pieces).subspan(share.first, size_of(share));
}

std::optional<Error> RowExchange::deal(std::size_t list, std::size_t row_bytes, const TakeRows& take,
                                       const PlaceRows& place) const {
  std::optional<Error> error;
  const List& of = lists_[list];
  const std::span<const Range> share = this->share(list);
  for (std::size_t round = 0; round * writers_.size() < of.pieces.size(); ++round) {
    const bool writes = round < share.size();
    Messages rows = rows_of_round(of, round, take);
    if (comm_->size() > 1)
      rows = comm_->deliver(rows,
                            sizes(writes ? std::optional(of.first_written + round) : std::nullopt, row_bytes),
                            tags_.rows);
    if (writes && !error) error = parallel::error_of([&] { place(share[round], rows); });
  }
  return error;
}

RowExchange::Messages RowExchange::rows_of_round(const List& list, std::size_t round,
                                                 const TakeRows& take) const {
  Messages rows(std::size_t(comm_->size()));
  for (std::size_t k = 0; k < writers_.size(); ++k) {
    const Range share = share_of(k, list);
    if (round < size_of(share)) rows[std::size_t(writers_[k])] = take(list.pieces[share.first + round]);
  }
  return rows;
}

/// Bytes from each rank for a piece that this rank writes; none if it writes none in this round.
std::vector<std::int64_t> RowExchange::sizes(std::optional<std::size_t> written,
                                             std::size_t row_bytes) const {
  std::vector<std::int64_t> bytes(rows_of_.size(), 0);
  if (!written) return bytes;
  for (std::size_t r = 0; r < bytes.size(); ++r) bytes[r] = rows_of_[r][*written] * std::int64_t(row_bytes);
  return bytes;
}

void require_piece(const RowExchange::Messages& messages, std::size_t row_bytes, Range piece,
                   const char* of) {
  std::size_t rows = 0;
  for (const std::vector<std::byte>& message : messages) rows += message.size() / row_bytes;
  if (rows == size_of(piece)) return;
  throw Error("CR-O001", fmt::format("plot_state has {} rows of {}, expected {}", rows, of, size_of(piece)),
              {}, Exit::run);
}

}  // namespace crumple::output
