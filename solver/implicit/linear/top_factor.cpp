// Makes top fronts panel by panel, with the panels of other ranks, and solves along the same panels.
#include "implicit/linear/top_factor.hpp"

#include <omp.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <set>
#include <stdexcept>
#include <type_traits>

#include "implicit/linear/panel_solve.hpp"
#include "implicit/linear/parallel_loop.hpp"

namespace crumple::implicit::linear {

namespace tag = parallel::tag;

/// Whether a panel is good, and its D.
struct PanelHead {
  std::int32_t good = 1, width = 0;
  std::int32_t order[kTile] = {};
  double diagonal[kTile] = {}, beside[kTile] = {};
};

namespace {

/// Cholesky's elimination of panels.
template <class T>
struct PanelsByCholesky {
  std::span<const double> scale;
  double zero;
  double least = std::numeric_limits<double>::infinity();

  void begin(std::size_t, const TopFront&) {}
  bool factor(std::size_t, const TopFront& top, const FrontMemory<T>& panel, const Tiles& tiles,
              std::int64_t k, int threads) {
    const double own = factor_panel_by_cholesky(
        panel, tiles, k,
        scale.subspan(static_cast<std::size_t>(top.scale), static_cast<std::size_t>(top.shape.pivots)),
        threads);
    least = std::min(least, own);
    return own > zero;
  }
  void fill(std::size_t, const TileRange&, PanelHead&) const {}
  void take(std::size_t, const TileRange&, const PanelHead&) {}
  void subtract(std::size_t, const FrontMemory<T>& from, const FrontMemory<T>& into, const Tiles& tiles,
                std::int64_t i, std::int64_t j, std::int64_t q) const {
    subtract_panel(from, into, tiles, i, j, q);
  }
};

/// Elimination that counts signs.
struct PanelsWithSigns {
  std::span<const double> scale;
  double zero;
  std::vector<Pivots>& pivots;
  Signs signs;

  void begin(std::size_t t, const TopFront& top) {
    const auto n = static_cast<std::size_t>(top.shape.pivots);
    pivots[t].order.assign(n, 0);
    pivots[t].diagonal.assign(n, 0.0);
    pivots[t].beside.assign(n, 0.0);
  }
  bool factor(std::size_t t, const TopFront& top, const FrontMemory<double>& panel, const Tiles& tiles,
              std::int64_t k, int threads) {
    factor_panel_with_signs(
        panel, tiles, k, top.equation,
        scale.subspan(static_cast<std::size_t>(top.scale), static_cast<std::size_t>(top.shape.pivots)), zero,
        pivots[t], signs, threads);
    return true;
  }
  void fill(std::size_t t, const TileRange& tile, PanelHead& head) const {
    std::copy_n(pivots[t].order.begin() + tile.begin, tile.size(), head.order);
    std::copy_n(pivots[t].diagonal.begin() + tile.begin, tile.size(), head.diagonal);
    std::copy_n(pivots[t].beside.begin() + tile.begin, tile.size(), head.beside);
  }
  void take(std::size_t t, const TileRange& tile, const PanelHead& head) {
    std::copy_n(head.order, tile.size(), pivots[t].order.begin() + tile.begin);
    std::copy_n(head.diagonal, tile.size(), pivots[t].diagonal.begin() + tile.begin);
    std::copy_n(head.beside, tile.size(), pivots[t].beside.begin() + tile.begin);
  }
  void subtract(std::size_t t, const FrontMemory<double>& from, const FrontMemory<double>& into,
                const Tiles& tiles, std::int64_t i, std::int64_t j, std::int64_t q) const {
    const auto part = [&](const std::vector<double>& of) {
      return std::span(of).subspan(static_cast<std::size_t>(tiles[q].begin),
                                   static_cast<std::size_t>(tiles[q].size()));
    };
    subtract_panel_with_signs(from, into, tiles, part(pivots[t].diagonal), part(pivots[t].beside), i, j, q);
  }
};

template <class T>
std::int64_t bytes_of(std::int64_t values) {
  return values * static_cast<std::int64_t>(sizeof(T));
}

template <class T>
T* typed(const WorkingMemory& memory) {
  return reinterpret_cast<T*>(memory.data());
}

/// Columns of a block that are in panels of this rank.
template <class T, class ColumnOf>
void add_block(const TopBlock& block, const double* values, ColumnOf column_of) {
  for (std::int32_t j = 0; j < block.columns; ++j) {
    T* const column = column_of(block.column + j);
    if (column == nullptr) continue;
    for (std::int32_t i = block.row == block.column ? j : 0; i < block.rows; ++i)
      column[block.row + i] +=
          static_cast<T>(block.transposed != 0 ? values[i * block.columns + j] : values[j * block.rows + i]);
  }
}

}  // namespace

template <class T>
TopFactor<T>::TopFactor(const parallel::Communicator& comm, const RankPart& part, int threads,
                        const std::string& folder, MemoryCount& count)
    : comm_(comm),
      part_(part),
      threads_(threads),
      count_(count),
      panels_(part.tops.size()),
      offsets_(part.tops.size()),
      outbox_(comm),
      own_updates_(comm) {
  std::int64_t end = 0;
  for (std::size_t t = 0; t < part.tops.size(); ++t) {
    const Tiles tiles(part.tops[t].shape);
    panels_[t].resize(static_cast<std::size_t>(tiles.size()));
    for (std::int64_t k = 0; k < tiles.pivots; ++k) {
      offsets_[t].push_back(end);
      if (mine(t, k)) end += bytes_of<T>(panel_values(part.tops[t].shape, tiles, k).size());
    }
  }
  if (folder.empty() || end == 0) return;
  file_ = std::make_unique<FactorFile>(folder, double(end));
  writer_ = std::make_unique<FactorWriter>(*file_);
}

template <class T>
T* TopFactor<T>::panel(std::size_t t, std::int64_t panel) const {
  return typed<T>(panels_[t][static_cast<std::size_t>(panel)]);
}

template <class T>
FrontMemory<T> TopFactor<T>::view(std::size_t t, const Tiles& tiles, std::int64_t panel, T* values) const {
  FrontMemory<T> memory{part_.tops[t].shape};
  const std::int64_t begin = panel_values(memory.shape, tiles, panel).begin;
  if (panel < tiles.pivots) {
    memory.factor = values;
    memory.factor_from = begin;
  } else {
    memory.update = values;
    memory.update_from = begin;
  }
  return memory;
}

/// Zeros, and the matrix's blocks.
template <class T>
void TopFactor<T>::begin_front(std::size_t t, std::span<const double> values) {
  const Tiles tiles(part_.tops[t].shape);
  std::vector<FrontMemory<T>> views(static_cast<std::size_t>(tiles.pivots));
  for (std::int64_t j = 0; j < tiles.size(); ++j) {
    if (!mine(t, j)) continue;
    const std::int64_t n = panel_values(part_.tops[t].shape, tiles, j).size();
    WorkingMemory& memory = panels_[t][static_cast<std::size_t>(j)];
    if (memory.size() != bytes_of<T>(n)) memory = WorkingMemory(count_, bytes_of<T>(n));
    std::fill_n(typed<T>(memory), n, T(0));
    if (j < tiles.pivots) views[static_cast<std::size_t>(j)] = view(t, tiles, j, typed<T>(memory));
  }
  for (const TopBlock& block : part_.top_blocks[t])
    add_block<T>(block, values.data() + block.value, [&](std::int64_t c) -> T* {
      return mine(t, c / kTile) ? views[static_cast<std::size_t>(c / kTile)].column(c) : nullptr;
    });
}

/// Update matrices of fronts that this rank has made alone go to the panels of other ranks. If they went only
/// when this rank comes to the parent, ranks would wait for each other in a chain along the tree.
template <class T>
void TopFactor<T>::send_own_updates(const NumericFactor<T>& own) {
  for (std::size_t t = 0; t < part_.tops.size(); ++t)
    for (const UpdatePiece& piece : update_pieces(part_.tops, t)) {
      const TopChild& child = part_.tops[t].children[piece.child];
      if (child.top < 0 && piece.from == part_.rank && piece.to != part_.rank)
        own_updates_.send_from(own.kept_update(child.front) + piece.first_value(),
                               bytes_of<T>(piece.values()), piece.to, tag::kOwnUpdates);
    }
}

/// What this rank has of update matrices of shared fronts goes to the panels of other ranks, and what these
/// have of all comes here.
template <class T>
void TopFactor<T>::add_children(std::size_t t, const NumericFactor<T>& own) {
  const TopFront& top = part_.tops[t];
  const Tiles tiles(top.shape);
  const std::vector<UpdatePiece> pieces = update_pieces(part_.tops, t);
  const auto from_here = [&](const UpdatePiece& piece) -> const T* {
    const TopChild& child = top.children[piece.child];
    if (child.top < 0) return own.kept_update(child.front) + piece.first_value();
    const auto of = static_cast<std::size_t>(child.top);
    const FrontShape& shape = part_.tops[of].shape;
    const std::int64_t at = (shape.pivots + kTile - 1) / kTile + piece.columns.begin / kTile;
    return panel(of, at) + piece.first_value() - panel_values(shape, Tiles(shape), at).begin;
  };
  std::int64_t largest = 0;
  std::vector<const UpdatePiece*> coming;
  for (const UpdatePiece& piece : pieces) {
    if (piece.from == part_.rank && piece.to != part_.rank && top.children[piece.child].top >= 0)
      outbox_.send_from(from_here(piece), bytes_of<T>(piece.values()), piece.to, tag::kUpdates);
    if (piece.to != part_.rank || piece.from == part_.rank) continue;
    coming.push_back(&piece);
    largest = std::max(largest, piece.values());
  }
  WorkingMemory next, present;
  if (!coming.empty())
    next = WorkingMemory(count_, bytes_of<T>(largest)), present = WorkingMemory(count_, bytes_of<T>(largest));
  MPI_Request request = MPI_REQUEST_NULL;
  std::size_t asked = 0;
  const auto ask = [&] {
    if (asked == coming.size()) return;
    const UpdatePiece& piece = *coming[asked++];
    const int kind = top.children[piece.child].top < 0 ? tag::kOwnUpdates : tag::kUpdates;
    MPI_Irecv(next.data(), static_cast<int>(bytes_of<T>(piece.values())), MPI_BYTE, piece.from, kind,
              comm_.mpi(), &request);
  };
  ask();
  const int threads = worthwhile_threads(top.shape, threads_);
  for (const UpdatePiece& piece : pieces) {
    if (piece.to != part_.rank) continue;
    const T* from = nullptr;
    if (piece.from == part_.rank) {
      from = from_here(piece);
    } else {
      comm_.wait(std::span(&request, 1));
      next.swap(present);
      ask();
      from = typed<T>(present);
    }
    if (good_)
      add_child(from, piece.columns, top.children[piece.child].runs,
                view(t, tiles, piece.panel, panel(t, piece.panel)), threads);
    poke();
  }
}

/// Lets MPI go on with messages while this rank computes.
template <class T>
void TopFactor<T>::poke() {
  outbox_.poke();
  own_updates_.poke();
  int all = 0;
  MPI_Testall(2, coming_, &all, MPI_STATUSES_IGNORE);
}

/// Panels of other ranks on their way here, two at a time, in turn.
template <class T>
struct TopFactor<T>::Coming {
  WorkingMemory buffers[2];
  PanelHead heads[2];
};

/// Sends a panel that is ready to the ranks with panels to its right.
template <class T>
void TopFactor<T>::send_panel(std::size_t t, std::int64_t k, const PanelHead& head) {
  const TopFront& top = part_.tops[t];
  const std::set<std::int32_t> others(top.rank.begin() + k + 1, top.rank.end());
  for (const std::int32_t to : others) {
    if (to == part_.rank) continue;
    outbox_.send(std::span<const PanelHead>(&head, 1), to, tag::kPanelHead);
    outbox_.send_from(panel(t, k), panels_[t][static_cast<std::size_t>(k)].size(), to, tag::kPanel);
  }
}

template <class T>
void TopFactor<T>::ask_panel(std::size_t t, std::int64_t k, Coming& coming) {
  const TopFront& top = part_.tops[t];
  const std::int64_t bytes = bytes_of<T>(panel_values(top.shape, Tiles(top.shape), k).size());
  WorkingMemory& buffer = coming.buffers[k % 2];
  if (buffer.size() < bytes) buffer = WorkingMemory(count_, bytes);
  const std::int32_t from = top.rank[static_cast<std::size_t>(k)];
  MPI_Irecv(&coming.heads[k % 2], sizeof(PanelHead), MPI_BYTE, from, tag::kPanelHead, comm_.mpi(),
            &coming_[0]);
  MPI_Irecv(buffer.data(), static_cast<int>(bytes), MPI_BYTE, from, tag::kPanel, comm_.mpi(), &coming_[1]);
}

/// Subtracts what panel k of the factor makes of some panels of this rank.
template <class T>
template <class Elimination>
void TopFactor<T>::subtract(std::size_t t, std::int64_t k, const FrontMemory<T>& from,
                            std::span<const std::int64_t> panels, Elimination& elimination) {
  if (!good_) return;
  const Tiles tiles(part_.tops[t].shape);
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  for (const std::int64_t j : panels)
    for (std::int64_t i = j; i < tiles.size(); ++i) pairs.emplace_back(i, j);
  parallel_loop(std::ssize(pairs), worthwhile_threads(part_.tops[t].shape, threads_), [&](std::int64_t n) {
    const auto [i, j] = pairs[static_cast<std::size_t>(n)];
    elimination.subtract(t, from, view(t, tiles, j, panel(t, j)), tiles, i, j, k);
    if (omp_get_thread_num() == 0) poke();
  });
}

template <class T>
template <class Elimination>
void TopFactor<T>::eliminate(std::size_t t, Elimination& elimination) {
  const TopFront& top = part_.tops[t];
  const Tiles tiles(top.shape);
  std::vector<std::int64_t> here;  // panels of this rank
  for (std::int64_t j = 0; j < tiles.size(); ++j)
    if (mine(t, j)) here.push_back(j);
  if (here.empty()) return;
  elimination.begin(t, top);
  Coming coming;
  // Panel k is made here, and goes to others; or it is asked for.
  const auto prepare = [&](std::int64_t k) {
    if (k >= tiles.pivots) return;
    if (!mine(t, k)) {
      if (here.back() > k) ask_panel(t, k, coming);
      return;
    }
    good_ = good_ && elimination.factor(t, top, view(t, tiles, k, panel(t, k)), tiles, k,
                                        worthwhile_threads(top.shape, threads_));
    PanelHead head;
    head.good = good_ ? 1 : 0;
    if (good_) elimination.fill(t, tiles[k], head);
    send_panel(t, k, head);
  };
  prepare(0);
  for (std::int64_t k = 0; k < tiles.pivots && k < here.back(); ++k) {
    T* values = nullptr;
    if (mine(t, k)) {
      values = panel(t, k);
    } else {
      comm_.wait(coming_);
      const PanelHead& head = coming.heads[k % 2];
      good_ = good_ && head.good != 0;
      if (good_) elimination.take(t, tiles[k], head);
      values = typed<T>(coming.buffers[k % 2]);
    }
    const FrontMemory<T> from = view(t, tiles, k, values);
    std::span<const std::int64_t> rest(std::upper_bound(here.begin(), here.end(), k), here.end());
    if (k + 1 < tiles.pivots && rest.front() == k + 1) {
      subtract(t, k, from, rest.first(1), elimination);
      rest = rest.subspan(1);
    }
    prepare(k + 1);
    subtract(t, k, from, rest, elimination);
  }
}

/// All that was sent has arrived: update matrices of children have been taken, and the factor does not
/// change.
template <class T>
void TopFactor<T>::end_front(std::size_t t) {
  outbox_.wait();
  for (const TopChild& child : part_.tops[t].children) {
    if (child.top < 0) continue;
    const auto of = static_cast<std::size_t>(child.top);
    const Tiles tiles(part_.tops[of].shape);
    for (std::int64_t j = tiles.pivots; j < tiles.size(); ++j) panels_[of][static_cast<std::size_t>(j)] = {};
  }
  if (!writer_) return;
  const Tiles tiles(part_.tops[t].shape);
  for (std::int64_t k = 0; k < tiles.pivots; ++k)
    if (mine(t, k))
      writer_->write(extent(t, k).offset, std::exchange(panels_[t][static_cast<std::size_t>(k)], {}));
}

template <class T>
template <class Elimination>
void TopFactor<T>::make_fronts_up(const NumericFactor<T>& own, std::span<const double> values,
                                  Elimination& elimination) {
  good_ = true;
  send_own_updates(own);
  for (std::size_t t = 0; t < part_.tops.size(); ++t) {
    begin_front(t, values);
    add_children(t, own);
    eliminate(t, elimination);
    end_front(t);
  }
  own_updates_.wait();
  if (writer_) writer_->finish();
}

template <class T>
double TopFactor<T>::cholesky(const NumericFactor<T>& own, std::span<const double> values,
                              std::span<const double> scale, double zero) {
  pivots_.clear();
  PanelsByCholesky<T> elimination{scale, zero};
  make_fronts_up(own, values, elimination);
  return good_ ? elimination.least : std::min(0.0, elimination.least);
}

template <class T>
Signs TopFactor<T>::with_signs(const NumericFactor<T>& own, std::span<const double> values,
                               std::span<const double> scale, double zero) {
  if constexpr (std::is_same_v<T, double>) {
    pivots_.assign(part_.tops.size(), {});
    PanelsWithSigns elimination{scale, zero, pivots_, {}};
    make_fronts_up(own, values, elimination);
    return elimination.signs;
  } else {
    throw std::logic_error("signs of pivots are counted in double precision");
  }
}

template <class T>
Extent TopFactor<T>::extent(std::size_t t, std::int64_t panel) const {
  const FrontShape& shape = part_.tops[t].shape;
  return {offsets_[t][static_cast<std::size_t>(panel)],
          bytes_of<T>(panel_values(shape, Tiles(shape), panel).size())};
}

template <class T>
std::unique_ptr<FactorReader> TopFactor<T>::read(bool up) const {
  if (!file_) return {};
  std::vector<Extent> extents;
  for (std::size_t t = 0; t < part_.tops.size(); ++t)
    for (std::int64_t k = 0; k < std::ssize(offsets_[t]); ++k)
      if (mine(t, k)) extents.push_back(extent(t, k));
  if (!up) std::reverse(extents.begin(), extents.end());
  return std::make_unique<FactorReader>(*file_, std::move(extents), count_);
}

/// A solution on its way.
template <class T>
struct TopFactor<T>::Way {
  const NumericFactor<T>& own;
  const std::int64_t n_rhs;
  const Above& above;
  std::vector<std::vector<T>>
      v;  ///< of each front: all its rows, on the rank that has the solution at present
  Outbox outbox;
  std::unique_ptr<FactorReader> reader;
};

template <class T>
const T* TopFactor<T>::factor_panel(std::size_t t, std::int64_t k, Way& way) {
  return way.reader ? reinterpret_cast<const T*>(way.reader->next()) : panel(t, k);
}

template <class T>
void TopFactor<T>::forward(std::size_t t, std::int64_t k, const T* panel, std::span<T> v,
                           std::int64_t n_rhs) {
  const FrontShape& shape = part_.tops[t].shape;
  const std::int64_t c = k * kTile;
  std::span<const std::int32_t> order;
  if (!pivots_.empty())
    order = std::span<const std::int32_t>(pivots_[t].order)
                .subspan(static_cast<std::size_t>(c),
                         static_cast<std::size_t>(std::min(kTile, shape.pivots - c)));
  solve_panel_up(shape, c, panel, order, v.data(), n_rhs);
}

template <class T>
void TopFactor<T>::backward(std::size_t t, std::int64_t k, const T* panel, std::span<T> v,
                            std::int64_t n_rhs) {
  const FrontShape& shape = part_.tops[t].shape;
  const std::int64_t c = k * kTile, width = std::min(kTile, shape.pivots - c);
  std::span<const std::int32_t> order;
  if (!pivots_.empty()) {
    const auto part = [&](const auto& of) {
      return std::span(of).subspan(static_cast<std::size_t>(c), static_cast<std::size_t>(width));
    };
    order = part(pivots_[t].order);
    divide_by_d<T>(part(pivots_[t].diagonal), part(pivots_[t].beside), v.data() + c, shape.order, n_rhs);
  }
  solve_panel_down(shape, c, panel, order, v.data(), n_rhs);
}

template <class T>
void TopFactor<T>::up(std::size_t t, Way& way) {
  const TopFront& top = part_.tops[t];
  const std::int64_t n = top.shape.order, n_rhs = way.n_rhs;
  const std::int32_t me = part_.rank, first = top.first_rank();
  std::vector<T>& v = way.v[t];
  for (const TopChild& child : top.children) {
    const auto of = static_cast<std::size_t>(std::max(0, child.top));
    const std::int32_t from = child.top < 0 ? child.rank : part_.tops[of].last_rank();
    if (from != me && first != me) continue;
    std::vector<T> passed(static_cast<std::size_t>(child.updated * n_rhs));
    if (from != me) {
      receive(comm_, std::span<T>(passed), from, tag::kPassed);
    } else if (child.top < 0) {
      const auto of_own = way.own.passed(child.front, n_rhs);
      std::copy(of_own.begin(), of_own.end(), passed.begin());
    } else {
      const FrontShape& shape = part_.tops[of].shape;
      for (std::int64_t r = 0; r < n_rhs; ++r)
        std::copy_n(way.v[of].data() + r * shape.order + shape.pivots, child.updated,
                    passed.data() + r * child.updated);
    }
    if (first != me) {
      way.outbox.send(std::span<const T>(passed), first, tag::kPassed);
      continue;
    }
    for (const RowRun& run : child.runs)
      for (std::int64_t r = 0; r < n_rhs; ++r)
        for (std::int64_t i = 0; i < run.length; ++i)
          v[static_cast<std::size_t>(r * n + run.parent + i)] +=
              passed[static_cast<std::size_t>(r * child.updated + run.child + i)];
  }
  for (std::int64_t k = 0; k < std::ssize(offsets_[t]); ++k) {
    if (!mine(t, k)) continue;
    if (k > 0 && !mine(t, k - 1)) {
      v.resize(static_cast<std::size_t>(n * n_rhs));
      receive(comm_, std::span<T>(v), top.rank[static_cast<std::size_t>(k - 1)], tag::kPanelsUp);
    }
    forward(t, k, factor_panel(t, k, way), v, n_rhs);
    if (k + 1 < std::ssize(offsets_[t]) && !mine(t, k + 1))
      way.outbox.send(std::span<const T>(v), top.rank[static_cast<std::size_t>(k + 1)], tag::kPanelsUp);
  }
}

template <class T>
void TopFactor<T>::down(std::size_t t, Way& way) {
  const TopFront& top = part_.tops[t];
  const std::int64_t n = top.shape.order, n_rhs = way.n_rhs;
  const std::int32_t me = part_.rank;
  std::vector<T>& v = way.v[t];
  for (std::int64_t k = std::ssize(offsets_[t]) - 1; k >= 0; --k) {
    if (!mine(t, k)) continue;
    if (k + 1 < std::ssize(offsets_[t]) && !mine(t, k + 1))
      receive(comm_, std::span<T>(v), top.rank[static_cast<std::size_t>(k + 1)], tag::kPanelsDown);
    backward(t, k, factor_panel(t, k, way), v, n_rhs);
    if (k > 0 && !mine(t, k - 1))
      way.outbox.send(std::span<const T>(v), top.rank[static_cast<std::size_t>(k - 1)], tag::kPanelsDown);
  }
  for (const TopChild& child : top.children) {
    const auto of = static_cast<std::size_t>(std::max(0, child.top));
    const std::int32_t to = child.top < 0 ? child.rank : part_.tops[of].last_rank();
    if (top.first_rank() != me && to != me) continue;
    std::vector<T> taken(static_cast<std::size_t>(child.updated * n_rhs));
    if (top.first_rank() == me) {
      for (const RowRun& run : child.runs)
        for (std::int64_t r = 0; r < n_rhs; ++r)
          std::copy_n(v.data() + r * n + run.parent, run.length,
                      taken.data() + r * child.updated + run.child);
      if (to != me) {
        way.outbox.send(std::span<const T>(taken), to, tag::kTaken);
        continue;
      }
    } else {
      receive(comm_, std::span<T>(taken), top.first_rank(), tag::kTaken);
    }
    if (child.top < 0) {
      way.above(child.front, taken);
      continue;
    }
    const FrontShape& shape = part_.tops[of].shape;
    for (std::int64_t r = 0; r < n_rhs; ++r)
      std::copy_n(taken.data() + r * child.updated, child.updated,
                  way.v[of].data() + r * shape.order + shape.pivots);
  }
}

template <class T>
void TopFactor<T>::solve(const NumericFactor<T>& own, std::span<T> x, std::int64_t n_rhs,
                         const Above& above) {
  Way way{own, n_rhs, above, std::vector<std::vector<T>>(part_.tops.size()), Outbox(comm_), read(true)};
  const auto pivots_here = [&](auto act) {
    std::int64_t at = 0;
    for (std::size_t t = 0; t < part_.tops.size(); ++t)
      if (part_.tops[t].first_rank() == part_.rank) act(t, at), at += part_.tops[t].shape.pivots;
    return at;
  };
  const std::int64_t n = pivots_here([](std::size_t, std::int64_t) {});
  pivots_here([&](std::size_t t, std::int64_t at) {
    const FrontShape& shape = part_.tops[t].shape;
    way.v[t].assign(static_cast<std::size_t>(shape.order * n_rhs), T(0));
    for (std::int64_t r = 0; r < n_rhs; ++r)
      std::copy_n(x.data() + r * n + at, shape.pivots, way.v[t].data() + r * shape.order);
  });
  for (std::size_t t = 0; t < part_.tops.size(); ++t) up(t, way);
  way.reader = read(false);
  for (std::size_t t = part_.tops.size(); t-- > 0;) down(t, way);
  pivots_here([&](std::size_t t, std::int64_t at) {
    const FrontShape& shape = part_.tops[t].shape;
    for (std::int64_t r = 0; r < n_rhs; ++r)
      std::copy_n(way.v[t].data() + r * shape.order, shape.pivots, x.data() + r * n + at);
  });
  way.outbox.wait();
}

template class TopFactor<double>;
template class TopFactor<float>;

}  // namespace crumple::implicit::linear
