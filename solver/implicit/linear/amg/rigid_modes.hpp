// Rigid motions along the unknowns of a level: what aggregates must be able to do without stress.
//
// A node's unknowns have the motions by a displacement and a turn about the node's centre. The unknowns of an
// aggregate are an orthonormal base of the rigid motions of its nodes, Q of B = Q R, and R is their motion
// (Vanek, Mandel and Brezina 1996, section 5; Vanek, Brezina and Mandel 2001, Numer. Math. 88, 559-579).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "implicit/linear/amg/aggregates.hpp"
#include "implicit/linear/amg/fine_rows.hpp"

namespace crumple::implicit::linear::amg {

inline constexpr int kModes = 6;

struct RigidModes {
  std::vector<Vec3> centre;   ///< by node
  std::vector<double> value;  ///< (n_rows, block, 6): three displacements, three turns about the centre
};

/// @param positions of rows of the BlockPattern
RigidModes fine_modes(const FineRows& rows, std::span<const Vec3> positions, std::span<const Motion> motions);

/// The base of one level's rows, and the modes of the next.
struct AggregatedModes {
  std::vector<double> base;  ///< Q; (n_rows, block, 6): a row's part of the base of its aggregate
  RigidModes next;           ///< block 6; a motion that an aggregate does not have is zero in both
};

/// @param node of each row, ascending
AggregatedModes aggregate_modes(const RigidModes& of, int block, std::span<const std::int32_t> node,
                                const Aggregates& aggregates, int threads);

}  // namespace crumple::implicit::linear::amg
