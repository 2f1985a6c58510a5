// The passes over free nodes (without constraints), which are compiled once per instruction set.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "base/types.hpp"
#include "elements/kernel.hpp"
#include "parallel/load_sum.hpp"

namespace crumple::explicit_dynamics {

inline constexpr GlobalId kNoNode = std::numeric_limits<GlobalId>::max();

/// What moves a node.
enum class Mover : char {
  itself,      ///< its force only: this pass does everything
  watched,     ///< the same, but something reads its acceleration
  constraint,  ///< something reads or changes its acceleration before it becomes a velocity
  rigid_body,
};

/// Data of the pass; arrays are by node of the rank.
struct FreeNodes {
  const GlobalId* id = nullptr;
  const Mover* mover = nullptr;
  const double *mass = nullptr, *inertia = nullptr;
  parallel::LoadSum* loads = nullptr;
  Vec3 *v = nullptr, *w = nullptr;
  Vec3* a = nullptr;  ///< out; null: nothing reads any
  double dt_v = 0;
  double read_above2 = -1;  ///< `a` is written for watched nodes and where v.v becomes larger
};

struct Advanced {
  double fastest2 = 0.0;        ///< square of the highest speed
  GlobalId overflow = kNoNode;  ///< the smallest number of a node whose force has overflowed
};

/// a = f / m, v += dt_v a, f = 0 of the nodes from `begin` to `end`. Forces on nodes of rigid bodies are only
/// checked; nodes that constraints move are skipped. The same bits on every instruction set.
using AdvanceFreeNodes = Advanced (*)(const FreeNodes&, std::size_t begin, std::size_t end);

struct Positions {
  const char *rigid = nullptr, *welded = nullptr;  ///< by node: whether it is placed elsewhere
  const Vec3* v = nullptr;
  Vec3* x = nullptr;
  double dt_x = 0;
};

/// Squares of the highest speeds.
struct Fastest {
  double moved2 = 0.0;   ///< of the nodes that the pass moves
  double of_all2 = 0.0;  ///< of all nodes
};

/// x += dt_x v of the nodes from `begin` to `end` that are not placed elsewhere. The same bits on every
/// instruction set.
using AdvancePositions = Fastest (*)(const Positions&, std::size_t begin, std::size_t end);

struct NodePasses {
  AdvanceFreeNodes velocities = nullptr;
  AdvancePositions positions = nullptr;
};

/// The passes for an instruction set, or for the best one below it that was compiled.
NodePasses find_node_passes(elements::Isa isa);

inline constexpr std::size_t kNodesOfPass = 1024;  ///< nodes per call

struct Accelerations {
  Vec3 linear, angular;
  bool overflow = false;
};

/// 1 / scale of a power of two by its exponent, because a pass over all nodes would wait for divisions.
inline constexpr std::uint64_t kInverseScale = 0x7FE0000000000000;
[[gnu::always_inline]] inline double inverse_scale(double scale) {
  return std::bit_cast<double>(kInverseScale - std::bit_cast<std::uint64_t>(scale));
}

/// Inlined, so that no other file calls a kernel's copy with instructions that the processor may not have.
/// Products with the power of two of a scale are exact. Nodes of solids have no inertia and do not rotate.
[[gnu::always_inline]] inline Accelerations accelerations_at(const parallel::LoadSum& loads, double mass,
                                                             double inertia) {
  const auto of = [](const parallel::FixedVector& f, double inverse) {
    const double factor = inverse * inverse_scale(f.scale);
    return Vec3{factor * static_cast<double>(f.sum[0]), factor * static_cast<double>(f.sum[1]),
                factor * static_cast<double>(f.sum[2])};
  };
  Accelerations a{of(loads.force, mass > 0 ? 1.0 / mass : 0.0), {}, loads.overflowed()};
  if (inertia > 0) a.angular = of(loads.moment, 1.0 / inertia);
  return a;
}

namespace detail {
struct RegisterNodePasses {
  RegisterNodePasses(elements::Isa isa, const NodePasses& passes);
};
}  // namespace detail

}  // namespace crumple::explicit_dynamics
