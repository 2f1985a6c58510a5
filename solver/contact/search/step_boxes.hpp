// Boxes of the displacements of nodes in a step, which are compiled once per instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/types.hpp"
#include "elements/kernel.hpp"

namespace crumple::contact {

/// The box around the displacements of a block of consecutive nodes: the largest along x, y, z and along -x,
/// -y, -z; one number in four is not used.
struct alignas(64) StepBox {
  double most[8] = {};
};

struct StepBoxes {
  static constexpr std::size_t kNodes = 16;  ///< of a block

  /// Set x[k] to from[local[k]] for all k in [begin, end), and the box of their block to that of the changes.
  /// Both arrays are AlignedVectors.
  ///
  /// @param begin first node of a block
  /// @param end at most the first of the next block
  void (*advance)(const Vec3* from, const LocalId* local, std::size_t begin, std::size_t end, Vec3* x,
                  StepBox* boxes) = nullptr;
  /// Diagonal of the box around some of the boxes.
  double (*diagonal)(const StepBox* boxes, const std::int32_t* blocks, std::size_t number) = nullptr;
};

/// For an instruction set, or for the best one below it that was compiled. The same bits on all of them.
const StepBoxes& step_boxes(elements::Isa isa);

namespace detail {
struct RegisterStepBoxes {
  RegisterStepBoxes(elements::Isa isa, const StepBoxes& functions);
};
}  // namespace detail

}  // namespace crumple::contact
