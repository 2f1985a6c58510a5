// Numbers of unknowns, and products with T.
#include "implicit/dof_map.hpp"

#include <algorithm>

#include "implicit/dependent_nodes.hpp"

namespace crumple::implicit {

using constraints::Directions;

DofMap::DofMap(std::vector<NodeFreedoms> free, const DependentNodes* dependents)
    : dependents_(dependents != nullptr && dependents->any() ? dependents : nullptr), free_(std::move(free)) {
  first_.reserve(free_.size() + 1);
  first_.push_back(0);
  for (const NodeFreedoms& node : free_) {
    rotations_.insert(rotations_.end(), at(node.translation.count), 0);
    rotations_.insert(rotations_.end(), at(node.rotation.count), 1);
    first_.push_back(first_.back() + node.size());
  }
}

LocalId DofMap::node_of(std::int32_t equation) const {
  return static_cast<LocalId>(std::ranges::upper_bound(first_, equation) - first_.begin()) - 1;
}

bool DofMap::depends(LocalId node) const { return dependents_ != nullptr && dependents_->depends(node); }

bool DofMap::turns_freely(LocalId node) const {
  return free_[at(node)].rotation.count == 3 ||
         (dependents_ != nullptr && dependents_->turns_with_others(node));
}

std::vector<std::uint8_t> DofMap::row_sizes() const {
  std::vector<std::uint8_t> sizes;
  for (const NodeFreedoms& node : free_) sizes.push_back(static_cast<std::uint8_t>(node.size()));
  return sizes;
}

std::vector<linear::Motion> DofMap::motions() const {
  std::vector<linear::Motion> motions;
  motions.reserve(static_cast<std::size_t>(equations()));
  for (const NodeFreedoms& node : free_) {
    for (int k = 0; k < node.translation.count; ++k) motions.push_back({node.translation.axis[at(k)], false});
    for (int k = 0; k < node.rotation.count; ++k) motions.push_back({node.rotation.axis[at(k)], true});
  }
  return motions;
}

void DofMap::reduce(const NodalForces& f, std::span<double> along) const {
  std::size_t q = 0;
  for (std::size_t n = 0; n < free_.size(); ++n) {
    for (int k = 0; k < free_[n].translation.count; ++k)
      along[q++] = dot(free_[n].translation.axis[at(k)], f.force[n]);
    for (int k = 0; k < free_[n].rotation.count; ++k)
      along[q++] = dot(free_[n].rotation.axis[at(k)], f.moment[n]);
  }
}

/// A rigid body with one free axis turns on about it, unless it is turned about another one, too.
bool DofMap::turns_on_about_axis(std::size_t point, const Vec3& turn) const {
  constexpr double parallel = 1e-12;
  if (dependents_ == nullptr || point < dependents_->nodes()) return false;
  return norm(cross(turn, free_[point].rotation.axis[0])) <= parallel * norm(turn);
}

void DofMap::add(double scale, std::span<const double> q, Increment& to) const {
  std::size_t i = 0;
  for (std::size_t n = 0; n < free_.size(); ++n) {
    for (int k = 0; k < free_[n].translation.count; ++k)
      to.u[n] += (scale * q[i++]) * free_[n].translation.axis[at(k)];
    Vec3 turn;
    for (int k = 0; k < free_[n].rotation.count; ++k)
      turn += (scale * q[i++]) * free_[n].rotation.axis[at(k)];
    if (free_[n].rotation.count == 3 || (free_[n].rotation.count == 1 && turns_on_about_axis(n, to.turn[n])))
      to.turn[n] = cayley_product(to.turn[n], turn);
    else
      to.turn[n] += turn;
  }
}

namespace {

/// A unit vector of a node's unknowns: its direction, and where its component begins among the node's six.
struct UnitMotion {
  Vec3 direction;
  int begin = 0;
};

int unit_motions(const NodeFreedoms& node, int dofs, UnitMotion (&out)[6]) {
  int n = 0;
  for (int k = 0; k < node.translation.count; ++k) out[n++] = {node.translation.axis[at(k)], 0};
  for (int k = 0; dofs == 6 && k < node.rotation.count; ++k) out[n++] = {node.rotation.axis[at(k)], 3};
  return n;
}

}  // namespace

void DofMap::reduce_block(LocalId a, LocalId b, int dofs, const double* k, int stride,
                          double (&reduced)[36]) const {
  UnitMotion of_a[6], of_b[6];
  const int rows = unit_motions(free(a), dofs, of_a), columns = unit_motions(free(b), dofs, of_b);
  std::fill_n(reduced, 36, 0.0);
  for (int j = 0; j < columns; ++j) {
    double column[6];  // K times the unit motion
    for (int i = 0; i < dofs; ++i) {
      const double* const row = k + i * stride + of_b[j].begin;
      column[i] = row[0] * of_b[j].direction.x + row[1] * of_b[j].direction.y + row[2] * of_b[j].direction.z;
    }
    for (int i = 0; i < rows; ++i) {
      const double* const part = column + of_a[i].begin;
      reduced[6 * i + j] =
          part[0] * of_a[i].direction.x + part[1] * of_a[i].direction.y + part[2] * of_a[i].direction.z;
    }
  }
}

void DofMap::add_point_block(LocalId a, LocalId b, int dofs, const double* k, linear::BlockMatrix& to) const {
  if (a > b) {
    double turned[36];
    for (int i = 0; i < dofs; ++i)
      for (int j = 0; j < dofs; ++j) turned[dofs * i + j] = k[dofs * j + i];
    return add_point_block(b, a, dofs, turned, to);
  }
  const int rows = free(a).size(), columns = free(b).size();
  if (rows == 0 || columns == 0) return;
  double reduced[36];
  reduce_block(a, b, dofs, k, dofs, reduced);
  const std::span<double> block = to.block(a, b);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) block[at(i * columns + j)] += reduced[6 * i + j];
}

void DofMap::add_block(LocalId a, LocalId b, int dofs, const double* k, linear::BlockMatrix& to) const {
  if (!depends(a) && !depends(b)) return add_point_block(a, b, dofs, k, to);
  for_each_part(a, b, dofs, k,
                [&](LocalId p, LocalId q, int n, const double* part) { add_point_block(p, q, n, part, to); });
}

namespace {

/// part = A' K B of the rows (u, spin) of two nodes; K (dofs, dofs).
void block_of_rows(const PointRow& a, const PointRow& b, int dofs, const double* k, double (&part)[36]) {
  double kb[36];
  for (int i = 0; i < dofs; ++i)
    for (int j = 0; j < 6; ++j) {
      double sum = 0.0;
      for (int m = 0; m < dofs; ++m) sum += k[i * dofs + m] * b.t[at(6 * m + j)];
      kb[6 * i + j] = sum;
    }
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      double sum = 0.0;
      for (int m = 0; m < dofs; ++m) sum += a.t[at(6 * m + i)] * kb[6 * m + j];
      part[6 * i + j] = sum;
    }
}

void transpose(double (&m)[36]) {
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < i; ++j) std::swap(m[6 * i + j], m[6 * j + i]);
}

}  // namespace

/// Of one node with itself, a pair of points has the part in ascending order: the other one is its transpose
/// in the sum of all blocks. Of two nodes the block (b, a), the transpose, adds its own part.
void DofMap::for_each_part(LocalId a, LocalId b, int dofs, const double* k, const AddBlock& visit) const {
  if (!depends(a) && !depends(b)) return visit(a, b, dofs, k);
  thread_local std::vector<PointRow> of_a, of_b;
  dependents_->rows(a, of_a);
  dependents_->rows(b, of_b);
  double part[36];
  for (const PointRow& p : of_a)
    for (const PointRow& q : of_b) {
      if (a == b && p.point > q.point) continue;
      block_of_rows(p, q, dofs, k, part);
      if (p.point > q.point) transpose(part);
      if (a != b && p.point == q.point) {
        double both[36];
        for (int i = 0; i < 6; ++i)
          for (int j = 0; j < 6; ++j) both[6 * i + j] = part[6 * i + j] + part[6 * j + i];
        std::copy_n(both, 36, part);
      }
      visit(std::min(p.point, q.point), std::max(p.point, q.point), 6, part);
    }
}

}  // namespace crumple::implicit
