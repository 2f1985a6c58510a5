// Puts the rows of plot states at their places in the file.
#include "output/d3plot/shared_states.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <utility>

#include "base/packing.hpp"
#include "parallel/agreed_error.hpp"
#include "parallel/tags.hpp"

namespace crumple::output {

namespace {

constexpr RowNumber kDropped = RowNumber(1) << 31;  ///< added for a shell without a row in the file

}  // namespace

SharedStates::SharedStates(const parallel::Communicator& comm, RankRows rows, D3plotOptions options)
    : comm_(&comm),
      rows_(std::move(rows)),
      options_(std::move(options)),
      row_(options_),
      exchange_(comm, {parallel::tag::kStateCounts, parallel::tag::kStateRows}),
      file_(comm) {}

void SharedStates::write(D3plotWriter* writer, const PlotState& globals, const NodeValues& nodes,
                         const FillRows& fill) {
  begin(writer, globals);
  try {
    if (file_.open(path_)) exchange_.set_writers(file_.writers());
    parallel::agree_on_error(*comm_, write_rows(nodes, fill));
    const std::vector<std::byte> last = last_word();
    parallel::agree_on_error(*comm_, parallel::error_of([&] {
      if (writer) writer->end_state(globals.time, last);
    }));
  } catch (const Error&) {
    if (writer) writer->undo_state();
    throw;
  }
}

void SharedStates::begin(D3plotWriter* writer, const PlotState& globals) {
  D3plotWriter::Begun begun;
  parallel::agree_on_error(*comm_, parallel::error_of([&] {
    if (writer) begun = writer->begin_state(globals);
  }));
  std::vector<std::byte> bytes;
  if (writer) {
    Packer packer(bytes);
    packer.put(begun.path), packer.put(begun.at), packer.put(writer->counts());
  }
  comm_->broadcast(bytes);
  Unpacker unpacker(bytes);
  path_ = unpacker.take<std::string>();
  at_ = unpacker.take<std::int64_t>();
  const auto counts = unpacker.take<StateCounts>();
  if (!std::exchange(planned_, true)) plan(counts);
}

/// Deals the rows to pieces. Collective.
void SharedStates::plan(const StateCounts& counts) {
  places_ = StatePlaces(options_, counts);
  exchange_.add(std::size_t(counts.nodes), options_.piece, rows_.node_order);
  for (const ElementKind kind : kPlotKinds)
    exchange_.add(std::size_t(counts.of(kind)), options_.piece, rows_.elements(kind).order);
  std::vector<std::int64_t> dropped(std::size_t(counts.shells) / options_.piece + 1, 0);
  if (drops(ElementKind::shell)) {
    for (std::size_t e = 0; e < rows_.shells.order.size(); ++e)
      dropped[std::size_t(rows_.shells.order[e]) / options_.piece] += rows_.parts[rows_.shells.part[e]].rigid;
    comm_->sum(dropped);
  }
  dropped_before_.resize(dropped.size());
  std::exclusive_scan(dropped.begin(), dropped.end(), dropped_before_.begin(), std::int64_t{0});
}

/// @returns the first error of this rank; it takes part to the end. Collective.
std::optional<Error> SharedStates::write_rows(const NodeValues& nodes, const FillRows& fill) {
  last_.clear();
  std::size_t list = 0;
  std::optional<Error> error = exchange_.deal(
      list, row_bytes(ElementKind::none), [&](Range piece) { return node_rows(piece, nodes); },
      [&](Range piece, const Messages& rows) { place(ElementKind::none, piece, rows); });
  for (const ElementKind kind : kPlotKinds) {
    const std::optional<Error> of_kind = exchange_.deal(
        ++list, row_bytes(kind), [&](Range piece) { return element_rows(kind, piece, fill); },
        [&](Range piece, const Messages& rows) { place(kind, piece, rows); });
    if (!error && of_kind) error.emplace(*of_kind);
  }
  return error;
}

std::size_t SharedStates::row_bytes(ElementKind kind) const {
  const int of_node = (options_.node_motion ? 9 : 3) + options_.layout.added_mass;
  const int words = kind == ElementKind::none ? of_node : row_.words(kind) + StateRows::flag_words(kind);
  return sizeof(RowNumber) + std::size_t(words) * std::size_t(word());
}

std::vector<std::byte> SharedStates::node_rows(Range piece, const NodeValues& nodes) const {
  const Range here = rows_in(rows_.node_order, piece);
  Words out(options_.double_precision, size_of(here) * row_bytes(ElementKind::none));
  const auto put = [&](const Vec3& v) { out.reals(std::array{v.x, v.y, v.z}); };
  for (std::size_t i = here.first; i < here.last; ++i) {
    const auto number = RowNumber(std::size_t(rows_.node_order[i]) - piece.first);
    const auto n = std::size_t(rows_.node[i]);
    out.raw(&number, sizeof number);
    put(nodes.x[n]);
    if (options_.layout.added_mass) out.real(nodes.added_mass[n]);
    if (!options_.node_motion) continue;
    put(nodes.v[n]);
    put(nodes.a[n]);
  }
  return out.take();
}

std::vector<std::byte> SharedStates::element_rows(ElementKind kind, Range piece, const FillRows& fill) const {
  const RankRows::Elements& elements = rows_.elements(kind);
  const Range here = rows_in(elements.order, piece);
  PlotState states;
  fill(kind, here, states);
  Words out(options_.double_precision, size_of(here) * row_bytes(kind));
  for (std::size_t i = 0; i < size_of(here); ++i) {
    const RankRows::Part& part = rows_.parts[elements.part[here.first + i]];
    auto number = RowNumber(std::size_t(elements.order[here.first + i]) - piece.first);
    if (drops(kind) && part.rigid) number += kDropped;
    out.raw(&number, sizeof number);
    row_.put(out, kind, states, i, part.number);
    if (StateRows::flag_words(kind) > 0) StateRows::put_flag(out, kind, states, i, part.number);
  }
  return out.take();
}

/// In the order of a row.
std::vector<SharedStates::Strip> SharedStates::strips(ElementKind kind, Range piece) const {
  const auto first = std::int64_t(piece.first);
  if (kind == ElementKind::none) {
    std::vector<Strip> strips{{places_.x + 3 * first, 3}};
    if (options_.layout.added_mass) strips.push_back({places_.added_mass + first, 1});
    if (options_.node_motion)
      for (const std::int64_t begin : {places_.v, places_.a}) strips.push_back({begin + 3 * first, 3});
    return strips;
  }
  const bool drop = drops(kind);
  const std::int64_t before = drop ? first - dropped_before_[piece.first / options_.piece] : first;
  const int words = row_.words(kind);
  std::vector<Strip> all{{places_.rows(kind) + before * words, std::size_t(words), drop}};
  if (StateRows::flag_words(kind) > 0) all.push_back({places_.flags(kind) + first, 1});
  return all;
}

/// Puts the rows of a piece in order and writes them. @throws Error CR-O001, CR-O102
void SharedStates::place(ElementKind kind, Range piece, const Messages& received) {
  std::vector<Strip> all = strips(kind, piece);
  const std::size_t row = row_bytes(kind), expected = size_of(piece);
  require_piece(received, row, piece, kind == ElementKind::none ? "node" : kind_name(kind));
  std::vector<std::uint32_t> kept;  // rows of the file before each row
  if (drops(kind)) {
    std::vector<std::uint32_t> has_row(expected);
    for_each_row(received, row, [&](RowNumber number, const std::byte*) {
      has_row[number & ~kDropped] = (number & kDropped) == 0;
    });
    kept.resize(expected + 1, 0);
    std::partial_sum(has_row.begin(), has_row.end(), kept.begin() + 1);
  }
  for (Strip& strip : all)
    strip.bytes.resize((strip.kept_only ? kept.back() : expected) * strip.words * std::size_t(word()));
  for_each_row(received, row, [&](RowNumber numbered, const std::byte* from) {
    const RowNumber number = numbered & ~kDropped;
    for (Strip& strip : all) {
      const std::size_t width = strip.words * std::size_t(word());
      const std::size_t at = strip.kept_only ? kept[number] : number;
      const bool has_row = !strip.kept_only || (numbered & kDropped) == 0;
      if (has_row && width > 0) std::memcpy(&strip.bytes[at * width], from, width);
      from += width;
    }
  });
  for (const Strip& strip : all) put(strip);
}

/// The last word of a state is left to rank 0.
void SharedStates::put(const Strip& strip) {
  std::span<const std::byte> bytes = strip.bytes;
  const std::int64_t place = strip.place * word();
  if (!bytes.empty() && place + std::int64_t(bytes.size()) == places_.end * word()) {
    const std::span<const std::byte> last = bytes.last(std::size_t(word()));
    last_.assign(last.begin(), last.end());
    bytes = bytes.first(bytes.size() - last.size());
  }
  file_.file().write_at(at_ + place, bytes);
}

/// The state's last word, which one rank has at most. Collective.
std::vector<std::byte> SharedStates::last_word() const {
  std::array<std::int64_t, 2> word_and_bytes{0, std::ssize(last_)};
  if (!last_.empty()) std::memcpy(word_and_bytes.data(), last_.data(), last_.size());
  comm_->sum(word_and_bytes);
  const auto bytes = std::as_bytes(std::span(word_and_bytes)).first(std::size_t(word_and_bytes[1]));
  return {bytes.begin(), bytes.end()};
}

}  // namespace crumple::output
