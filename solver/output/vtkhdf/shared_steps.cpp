// Puts rows of points and cells into chunks, and chunks at their places.
#include "output/vtkhdf/shared_steps.hpp"

#include <algorithm>
#include <utility>

#include "base/packing.hpp"
#include "parallel/agreed_error.hpp"
#include "parallel/tags.hpp"

namespace crumple::output {

SharedSteps::SharedSteps(const parallel::Communicator& comm, const RankRows& rows,
                         const VtkhdfOptions& options)
    : comm_(&comm),
      rows_(&rows),
      row_(options.layout, options.double_precision),
      exchange_(comm, {parallel::tag::kStepCounts, parallel::tag::kStepRows}),
      file_(comm) {}

void SharedSteps::keep(ElementKind kind, Range of_rank, const PlotState& part) {
  std::size_t first = of_rank.first;
  for (const ElementKind before : kCellKinds) {
    if (before == kind) break;
    first += rows_->elements(before).order.size();
  }
  const std::size_t n = size_of(of_rank), row = row_.bytes(On::cells);
  if (cells_.empty()) {
    std::size_t all = 0;
    for (const ElementKind of : kCellKinds) all += rows_->elements(of).order.size();
    cells_.resize(row * all);
  }
  Words out(row_.wide(), n * row);
  for (std::size_t i = 0; i < n; ++i) row_.put_cell(out, kind, part, i);
  std::ranges::copy(out.bytes(), cells_.begin() + std::ptrdiff_t(first * row));
}

void SharedSteps::write(VtkhdfWriter* writer, double time, const NodeValues& nodes) {
  begin(writer);
  if (file_.open(path_)) exchange_.set_writers(file_.writers());
  std::optional<Error> error;
  for (const On on : kOnBoth) {
    const std::optional<Error> of_list = write_rows(on, nodes);
    if (!error && of_list) error.emplace(*of_list);
  }
  parallel::agree_on_error(*comm_, error);
  if (compression_ > 0) place_kept(writer);
  parallel::do_together(*comm_, [&] {
    if (writer) writer->end_step(time);
  });
}

void SharedSteps::begin(VtkhdfWriter* writer) {
  VtkhdfWriter::Begun begun;
  parallel::do_together(*comm_, [&] {
    if (writer) begun = writer->begin_step();
  });
  std::vector<std::byte> bytes;
  if (writer) {
    Packer packer(bytes);
    packer.put(begun.path), packer.put(begun.counts), packer.put(begun.compression);
    for (const On on : kOnBoth) packer.put(begun.places[std::size_t(on)]);
  }
  comm_->broadcast(bytes);
  Unpacker unpacker(bytes);
  path_ = unpacker.take<std::string>();
  counts_ = unpacker.take<StepCounts>();
  compression_ = unpacker.take<int>();
  for (const On on : kOnBoth) places_[std::size_t(on)] = unpacker.take<Places>();
  if (!std::exchange(planned_, true)) plan();
}

/// Numbers this rank's elements among the cells. Local.
void SharedSteps::plan() {
  cell_order_ = cell_order(*rows_, counts_);
  exchange_.add(counts_.rows(On::points), counts_.chunk(On::points), rows_->node_order);
  exchange_.add(counts_.rows(On::cells), counts_.chunk(On::cells), cell_order_);
}

/// @returns the first error of this rank; it takes part to the end. Collective.
std::optional<Error> SharedSteps::write_rows(On on, const NodeValues& nodes) {
  kept_[std::size_t(on)].clear();
  return exchange_.deal(
      std::size_t(on), row_bytes(on),
      [&](Range piece) { return on == On::points ? point_rows(piece, nodes) : cell_rows(piece); },
      [&](Range piece, const Messages& rows) { place(on, piece, rows); });
}

std::vector<std::byte> SharedSteps::point_rows(Range piece, const NodeValues& nodes) const {
  const Range here = rows_in(rows_->node_order, piece);
  Words out(row_.wide(), size_of(here) * row_bytes(On::points));
  for (std::size_t i = here.first; i < here.last; ++i) {
    const auto number = RowNumber(std::size_t(rows_->node_order[i]) - piece.first);
    const auto n = std::size_t(rows_->node[i]);
    out.raw(&number, sizeof number);
    StepRows::put_point(out, nodes.x[n], nodes.x0[n], nodes.v[n]);
  }
  return out.take();
}

std::vector<std::byte> SharedSteps::cell_rows(Range piece) const {
  const Range here = rows_in(cell_order_, piece);
  const std::size_t row = row_.bytes(On::cells);
  Words out(row_.wide(), size_of(here) * row_bytes(On::cells));
  for (std::size_t i = here.first; i < here.last; ++i) {
    const auto number = RowNumber(std::size_t(cell_order_[i]) - piece.first);
    out.raw(&number, sizeof number);
    out.raw(&cells_[i * row], row);
  }
  return out.take();
}

/// Puts the rows of a piece in order, and writes or keeps its chunks. @throws Error CR-O001, CR-O120
void SharedSteps::place(On on, Range piece, const Messages& received) {
  require_piece(received, row_bytes(on), piece, on == On::points ? "points" : "cells");
  StepChunk chunk(row_, on, counts_.chunk(on));
  for_each_row(received, row_bytes(on),
               [&](RowNumber number, const std::byte* row) { chunk.set(number, row); });
  const std::size_t arrays = chunk.arrays().size(), first = piece.first / counts_.chunk(on) * arrays;
  for (std::size_t k = 0; k < arrays; ++k) {
    if (compression_ == 0)
      put(places_[std::size_t(on)][first + k], chunk.arrays()[k]);
    else
      kept_[std::size_t(on)].push_back(
          hdf5::compressed(std::move(chunk.arrays()[k]), row_.value_bytes(arrays_on(on)[k]), compression_));
  }
}

/// Writes the compressed chunks. Collective. @throws AgreedError CR-O120
void SharedSteps::place_kept(VtkhdfWriter* writer) {
  std::array<std::vector<hdf5::StoredSize>, 2> sizes;
  for (const On on : kOnBoth) {
    std::vector<hdf5::StoredSize> mine;
    for (const hdf5::StoredChunk& chunk : kept_[std::size_t(on)])
      mine.push_back({std::ssize(chunk.bytes), chunk.filtered});
    // Shares are consecutive, in the order of ranks.
    sizes[std::size_t(on)] = comm_->gather<hdf5::StoredSize>(mine);
  }
  parallel::do_together(*comm_, [&] {
    for (const On on : kOnBoth)
      if (writer) places_[std::size_t(on)] = writer->reserve(on, sizes[std::size_t(on)]);
  });
  std::vector<std::byte> bytes;
  Packer packer(bytes);
  for (const On on : kOnBoth) packer.put(places_[std::size_t(on)]);
  comm_->broadcast(bytes);
  Unpacker unpacker(bytes);
  for (const On on : kOnBoth) places_[std::size_t(on)] = unpacker.take<Places>();
  parallel::do_together(*comm_, [&] {
    for (const On on : kOnBoth) write_kept(on);
  });
}

/// @throws Error CR-O120
void SharedSteps::write_kept(On on) {
  std::vector<hdf5::StoredChunk>& kept = kept_[std::size_t(on)];
  const std::span<const Range> share = exchange_.share(std::size_t(on));
  if (share.empty()) return;
  const std::size_t first = share[0].first / counts_.chunk(on) * arrays_on(on).size();
  for (std::size_t k = 0; k < kept.size(); ++k) put(places_[std::size_t(on)][first + k], kept[k].bytes);
  kept = {};
}

/// @throws Error CR-O120
void SharedSteps::put(std::int64_t place, std::span<const std::byte> bytes) {
  try {
    file_.file().write_at(place, bytes);
  } catch (const Error& error) {
    throw Error("CR-O120", error.message(), {}, error.status());
  }
}

}  // namespace crumple::output
