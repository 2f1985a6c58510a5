// Lists which columns of which child come next, and reads those of the file ahead.
#include "implicit/linear/child_updates.hpp"

#include <algorithm>

namespace crumple::implicit::linear {

template <class T>
ChildUpdates<T>::ChildUpdates(const Fronts& fronts, const Plan& plan, const FactorStore& store,
                              std::int32_t front, const FrontRows& rows, bool by_panels, InMemory in_memory)
    : fronts_(fronts), plan_(plan), children_(fronts.children_of(front)), in_memory_(std::move(in_memory)) {
  for (const std::int32_t child : children_) runs_.push_back(row_runs(fronts, child, rows));
  const FrontShape& shape = fronts.shape[front];
  if (by_panels) {
    add_part(0, shape.pivots);
    for (std::int64_t c = shape.pivots; c < shape.order; c += kTile)
      add_part(c, std::min(shape.order, c + kTile));
  } else {
    add_part(0, shape.order);
  }
  std::vector<Extent> extents;
  for (const Piece& piece : pieces_) {
    const std::int32_t child = children_[piece.child];
    const std::int64_t rows_of_child = piece.columns.updated;
    if (plan.on_disk[child])
      extents.push_back(store.update_extent(child, FrontShape::column(rows_of_child, piece.columns.begin),
                                            FrontShape::column(rows_of_child, piece.columns.end)));
  }
  if (!extents.empty()) reader_ = store.read(std::move(extents));
}

/// Columns of all children that belong to some rows of the front; not more than a panel's at once from the
/// file.
template <class T>
void ChildUpdates<T>::add_part(std::int64_t first_row, std::int64_t last_row) {
  for (std::size_t k = 0; k < children_.size(); ++k) {
    const std::int64_t updated = fronts_.shape[children_[k]].updated();
    const std::int64_t begin = columns_before(runs_[k], first_row), end = columns_before(runs_[k], last_row);
    const std::int64_t most = plan_.on_disk[children_[k]] ? kTile : updated;
    for (std::int64_t c = begin; c < end; c += most)
      pieces_.push_back({k, {updated, c, std::min(end, c + most)}});
  }
  part_end_.push_back(pieces_.size());
}

template <class T>
void ChildUpdates<T>::add_next(const FrontMemory<T>& into, int threads) {
  for (const std::size_t end = part_end_[part_++]; piece_ < end; ++piece_) {
    const Piece& piece = pieces_[piece_];
    const std::int32_t child = children_[piece.child];
    const T* from = plan_.on_disk[child]
                        ? reinterpret_cast<const T*>(reader_->next())
                        : in_memory_(child) + FrontShape::column(piece.columns.updated, piece.columns.begin);
    add_child(from, piece.columns, runs_[piece.child], into, threads);
  }
}

template class ChildUpdates<double>;
template class ChildUpdates<float>;

}  // namespace crumple::implicit::linear
