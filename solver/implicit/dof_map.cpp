// Numbers of unknowns, and products with T.
#include "implicit/dof_map.hpp"

#include <algorithm>

namespace crumple::implicit {

using constraints::Directions;

DofMap::DofMap(std::vector<NodeFreedoms> free) : free_(std::move(free)) {
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

std::vector<std::uint8_t> DofMap::row_sizes() const {
  std::vector<std::uint8_t> sizes;
  for (const NodeFreedoms& node : free_) sizes.push_back(static_cast<std::uint8_t>(node.size()));
  return sizes;
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

void DofMap::add(double scale, std::span<const double> q, Increment& to) const {
  std::size_t i = 0;
  for (std::size_t n = 0; n < free_.size(); ++n) {
    for (int k = 0; k < free_[n].translation.count; ++k)
      to.u[n] += (scale * q[i++]) * free_[n].translation.axis[at(k)];
    Vec3 turn;
    for (int k = 0; k < free_[n].rotation.count; ++k)
      turn += (scale * q[i++]) * free_[n].rotation.axis[at(k)];
    if (turns_freely(static_cast<LocalId>(n)))
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

}  // namespace crumple::implicit
