// Deals the rows of plot states to the ranks that write them.
#include "output/d3plot/shared_states.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

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

/// A row of a message begins with its number in the piece.
using RowNumber = std::uint32_t;
constexpr RowNumber kDropped = RowNumber(1) << 31;  ///< added for a shell without a row in the file

/// Indices of a piece in a list of ascending orders.
Range rows_in(std::span<const GlobalId> order, Range piece) {
  const auto place = [&](std::size_t of) {
    return std::size_t(std::ranges::lower_bound(order, GlobalId(of)) - order.begin());
  };
  return {place(piece.first), place(piece.last)};
}

std::size_t size_of(Range range) { return range.last - range.first; }

std::uint64_t this_machine() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return std::hash<std::string>{}(name.data());
}

}  // namespace

std::vector<std::int32_t> rows_by_piece(std::span<const GlobalId> order, std::size_t pieces,
                                        std::size_t piece) {
  std::vector<std::int32_t> rows(pieces, 0);
  for (const GlobalId at : order) ++rows[std::size_t(at) / piece];
  return rows;
}

RankRows rows_of_rank(const decomposition::Subdomain& subdomain) {
  RankRows rows;
  const model::Model& m = subdomain.model;
  const std::span<const GlobalId> order = subdomain.nodes.global();
  rows.node = subdomain.nodes.owned();
  std::ranges::sort(rows.node, {}, [&](LocalId n) { return order[std::size_t(n)]; });
  for (const LocalId n : rows.node) rows.node_order.push_back(order[std::size_t(n)]);
  rows.solids = {m.solids.order, m.solids.part};
  rows.beams = {m.beams.order, m.beams.part};
  rows.shells = {m.shells.order, m.shells.part};
  std::vector<std::size_t> by_id(m.parts.size());
  std::iota(by_id.begin(), by_id.end(), 0);
  std::ranges::sort(by_id, {}, [&](std::size_t p) { return m.parts[p].id; });
  rows.parts.resize(by_id.size());
  for (std::size_t k = 0; k < by_id.size(); ++k)
    rows.parts[by_id[k]] = {std::int32_t(k + 1), m.parts[by_id[k]].rigid_body != model::kNone};
  return rows;
}

FileView view_of(const File& file) {
  FileView view;
  struct stat status {};
  struct statfs system {};
  if (!file.is_open() || ::fstat(file.descriptor(), &status) != 0) return view;
  if (::fstatfs(file.descriptor(), &system) != 0) return view;
  static_assert(sizeof system.f_fsid == sizeof view.file_system);
  std::memcpy(&view.file_system, &system.f_fsid, sizeof view.file_system);
  view.machine = this_machine();
  view.number = status.st_ino;
  view.size = std::uint64_t(status.st_size);
  constexpr auto kNfs = 0x6969;
  view.by_nfs = system.f_type == kNfs;
  view.opened = true;
  return view;
}

SharedStates::SharedStates(const parallel::Communicator& comm, RankRows rows, D3plotOptions options)
    : comm_(&comm), rows_(std::move(rows)), options_(std::move(options)), row_(options_) {}

void SharedStates::write(D3plotWriter* writer, const PlotState& globals, const NodeValues& nodes,
                         const FillRows& fill) {
  begin(writer, globals);
  try {
    open(path_);
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
  const auto deal = [&](ElementKind kind, std::int64_t rows) {
    std::vector<Piece>& pieces = pieces_.emplace_back();
    for (std::size_t first = 0; first < std::size_t(rows); first += options_.piece)
      pieces.push_back({kind, {first, std::min(std::size_t(rows), first + options_.piece)}});
  };
  deal(ElementKind::none, counts.nodes);
  for (const ElementKind kind : kPlotKinds) deal(kind, counts.of(kind));
  std::vector<std::int64_t> dropped(std::size_t(counts.shells) / options_.piece + 1, 0);
  if (drops(ElementKind::shell)) {
    for (std::size_t e = 0; e < rows_.shells.order.size(); ++e)
      dropped[std::size_t(rows_.shells.order[e]) / options_.piece] += rows_.parts[rows_.shells.part[e]].rigid;
    comm_->sum(dropped);
  }
  dropped_before_.resize(dropped.size());
  std::exclusive_scan(dropped.begin(), dropped.end(), dropped_before_.begin(), std::int64_t{0});
}

/// Opens the file if it is not the one of the state before, and finds out who writes to it. Collective.
void SharedStates::open(const std::string& path) {
  const bool same = file_.is_open() && file_.path() == path;
  if (!comm_->any(!same)) return;
  parallel::agree_on_error(*comm_, parallel::error_of([&] { file_.close(); }));
  const std::optional<Error> error = parallel::error_of([&] { file_ = File::share(path); });
  parallel::agree_on_error(*comm_, comm_->root() ? error : std::nullopt);
  const std::vector<FileView> views = comm_->all_gather<FileView>(std::array{view_of(file_)});
  writers_.clear();
  for (std::size_t r = 0; r < views.size(); ++r)
    if (r == 0 || views[r].same(views[0])) writers_.push_back(int(r));
  if (comm_->size() > 1) count_rows();
}

/// Tells the writers how many rows they get from each rank, so that states need no sizes. Collective.
void SharedStates::count_rows() {
  std::vector<std::vector<std::byte>> counts(std::size_t(comm_->size()));
  for (const std::vector<Piece>& pieces : pieces_) {
    if (pieces.empty()) continue;
    const std::vector<std::int32_t> mine =
        rows_by_piece(order(pieces.front().kind), pieces.size(), options_.piece);
    for (std::size_t k = 0; k < writers_.size(); ++k) {
      const Range share = share_of(k, pieces);
      const auto bytes = std::as_bytes(std::span(mine).subspan(share.first, size_of(share)));
      std::vector<std::byte>& to = counts[std::size_t(writers_[k])];
      to.insert(to.end(), bytes.begin(), bytes.end());
    }
  }
  rows_of_.clear();
  for (const std::vector<std::byte>& message : comm_->all_to_all(counts, parallel::tag::kStateCounts))
    rows_of_.push_back(unpack_items<std::int32_t>(message));
}

/// Indices of the pieces of a writer.
Range SharedStates::share_of(std::size_t writer, const std::vector<Piece>& pieces) const {
  return {pieces.size() * writer / writers_.size(), pieces.size() * (writer + 1) / writers_.size()};
}

/// @returns the first error of this rank; it takes part to the end. Collective.
std::optional<Error> SharedStates::write_rows(const NodeValues& nodes, const FillRows& fill) {
  std::optional<Error> error;
  last_.clear();
  const auto mine = std::size_t(std::ranges::find(writers_, comm_->rank()) - writers_.begin());
  std::size_t written = 0;
  for (const std::vector<Piece>& pieces : pieces_) {
    const Range share = mine < writers_.size() ? share_of(mine, pieces) : Range{};
    for (std::size_t round = 0; round * writers_.size() < pieces.size(); ++round) {
      const bool writes = round < size_of(share);
      Messages rows = rows_of_round(pieces, round, nodes, fill);
      if (comm_->size() > 1)
        rows =
            comm_->deliver(rows, sizes(pieces.front().kind, writes ? std::optional(written++) : std::nullopt),
                           parallel::tag::kStateRows);
      if (writes && !error) error = parallel::error_of([&] { place(pieces[share.first + round], rows); });
    }
  }
  return error;
}

SharedStates::Messages SharedStates::rows_of_round(const std::vector<Piece>& pieces, std::size_t round,
                                                   const NodeValues& nodes, const FillRows& fill) const {
  Messages rows(std::size_t(comm_->size()));
  for (std::size_t k = 0; k < writers_.size(); ++k) {
    const Range share = share_of(k, pieces);
    if (round >= size_of(share)) continue;
    const Piece& piece = pieces[share.first + round];
    rows[std::size_t(writers_[k])] =
        piece.kind == ElementKind::none ? node_rows(piece.rows, nodes) : element_rows(piece, fill);
  }
  return rows;
}

std::size_t SharedStates::row_bytes(ElementKind kind) const {
  const int words = kind == ElementKind::none ? 9 + options_.layout.added_mass : row_.words(kind) + 1;
  return sizeof(RowNumber) + std::size_t(words) * std::size_t(word());
}

/// Bytes from each rank for a piece that this rank writes; none if it writes none in this round.
std::vector<std::int64_t> SharedStates::sizes(ElementKind kind, std::optional<std::size_t> own_piece) const {
  std::vector<std::int64_t> bytes(rows_of_.size(), 0);
  if (!own_piece) return bytes;
  for (std::size_t r = 0; r < bytes.size(); ++r)
    bytes[r] = rows_of_[r][*own_piece] * std::int64_t(row_bytes(kind));
  return bytes;
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
    put(nodes.v[n]);
    put(nodes.a[n]);
  }
  return out.take();
}

std::vector<std::byte> SharedStates::element_rows(const Piece& piece, const FillRows& fill) const {
  const RankRows::Elements& elements = rows_.elements(piece.kind);
  const Range here = rows_in(elements.order, piece.rows);
  PlotState states;
  fill(piece.kind, here, states);
  Words out(options_.double_precision, size_of(here) * row_bytes(piece.kind));
  for (std::size_t i = 0; i < size_of(here); ++i) {
    const RankRows::Part& part = rows_.parts[elements.part[here.first + i]];
    auto number = RowNumber(std::size_t(elements.order[here.first + i]) - piece.rows.first);
    if (drops(piece.kind) && part.rigid) number += kDropped;
    out.raw(&number, sizeof number);
    row_.put(out, piece.kind, states, i);
    StateRows::put_flag(out, piece.kind, states, i, part.number);
  }
  return out.take();
}

/// In the order of a row.
std::vector<SharedStates::Strip> SharedStates::strips(const Piece& piece) const {
  const auto first = std::int64_t(piece.rows.first);
  if (piece.kind == ElementKind::none) {
    std::vector<Strip> strips{{places_.x + 3 * first, 3}};
    if (options_.layout.added_mass) strips.push_back({places_.added_mass + first, 1});
    strips.push_back({places_.v + 3 * first, 3});
    strips.push_back({places_.a + 3 * first, 3});
    return strips;
  }
  const bool drop = drops(piece.kind);
  const std::int64_t before = drop ? first - dropped_before_[piece.rows.first / options_.piece] : first;
  const int words = row_.words(piece.kind);
  return {{places_.rows(piece.kind) + before * words, std::size_t(words), drop},
          {places_.flags(piece.kind) + first, 1}};
}

/// Puts the rows of a piece in order and writes them. @throws Error CR-O001, CR-O102
void SharedStates::place(const Piece& piece, const Messages& received) {
  std::vector<Strip> all = strips(piece);
  const std::size_t row = row_bytes(piece.kind);
  std::size_t rows = 0;
  const auto visit = [&](auto&& each) {
    for (const std::vector<std::byte>& message : received)
      for (std::size_t at = 0; at < message.size(); at += row) {
        RowNumber number = 0;
        std::memcpy(&number, &message[at], sizeof number);
        each(number & ~kDropped, (number & kDropped) != 0, &message[at] + sizeof number);
      }
  };
  for (const std::vector<std::byte>& message : received) rows += message.size() / row;
  const std::size_t expected = size_of(piece.rows);
  if (rows != expected)
    throw Error("CR-O001",
                fmt::format("plot_state has {} rows of {}, expected {}", rows,
                            piece.kind == ElementKind::none ? "node" : kind_name(piece.kind), expected),
                {}, Exit::run);
  std::vector<std::uint32_t> kept;  // rows of the file before each row
  if (drops(piece.kind)) {
    std::vector<std::uint32_t> has_row(expected);
    visit([&](RowNumber number, bool dropped, const std::byte*) { has_row[number] = !dropped; });
    kept.resize(expected + 1, 0);
    std::partial_sum(has_row.begin(), has_row.end(), kept.begin() + 1);
  }
  for (Strip& strip : all)
    strip.bytes.resize((strip.kept_only ? kept.back() : expected) * strip.words * std::size_t(word()));
  visit([&](RowNumber number, bool dropped, const std::byte* from) {
    for (Strip& strip : all) {
      const std::size_t width = strip.words * std::size_t(word());
      const std::size_t at = strip.kept_only ? kept[number] : number;
      if ((!strip.kept_only || !dropped) && width > 0) std::memcpy(&strip.bytes[at * width], from, width);
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
  file_.write_at(at_ + place, bytes);
}

/// The state's last word, which one rank has at most. Collective.
std::vector<std::byte> SharedStates::last_word() const {
  std::array<std::int64_t, 2> word_and_bytes{0, std::ssize(last_)};
  if (!last_.empty()) std::memcpy(word_and_bytes.data(), last_.data(), last_.size());
  comm_->sum(word_and_bytes);
  const auto bytes = std::as_bytes(std::span(word_and_bytes)).first(std::size_t(word_and_bytes[1]));
  return {bytes.begin(), bytes.end()};
}

void SharedStates::close() {
  parallel::agree_on_error(*comm_, parallel::error_of([&] { file_.close(); }));
}

}  // namespace crumple::output
