// Boxes of displacements, a node's three components in a register of four numbers.
#include <cmath>
#include <cstring>

#include "contact/search/step_boxes.hpp"
#include "elements/instantiate.hpp"
#include "simd/vec.hpp"

namespace crumple::contact {
inline namespace CRUMPLE_ISA {

namespace {

using Row = simd::native_t<double, 4>;

[[gnu::always_inline]] inline Row row_at(const void* from) {
  Row row;
  std::memcpy(&row, from, sizeof row);
  return row;
}

[[gnu::always_inline]] inline Row larger(Row a, Row b) { return a > b ? a : b; }

/// Four nodes at a time: their new rows are packed into twelve numbers, the layout of nodes in memory.
void advance_block(const Vec3* from, const LocalId* local, std::size_t begin, std::size_t end, Vec3* x,
                   StepBox* boxes) {
  Row high = Row{} - HUGE_VAL, low = high;  // of -displacement
  const auto add = [&](Row now, Row before) __attribute__((always_inline)) {
    high = larger(high, now - before), low = larger(low, before - now);
  };
  std::size_t k = begin;
  for (; k + 4 <= end; k += 4) {
    const Row a = row_at(&from[local[k]]), b = row_at(&from[local[k + 1]]), c = row_at(&from[local[k + 2]]),
              d = row_at(&from[local[k + 3]]);
    add(a, row_at(&x[k])), add(b, row_at(&x[k + 1])), add(c, row_at(&x[k + 2])), add(d, row_at(&x[k + 3]));
    const Row packed[3] = {__builtin_shufflevector(a, b, 0, 1, 2, 4),
                           __builtin_shufflevector(b, c, 1, 2, 4, 5),
                           __builtin_shufflevector(c, d, 2, 4, 5, 6)};
    std::memcpy(&x[k], packed, sizeof packed);
  }
  for (; k < end; ++k) {
    const Vec3& to = from[local[k]];
    add(Row{to.x, to.y, to.z, 0.0}, Row{x[k].x, x[k].y, x[k].z, 0.0});
    x[k] = to;
  }
  StepBox& box = boxes[begin / StepBoxes::kNodes];
  std::memcpy(box.most, &high, sizeof high);
  std::memcpy(box.most + 4, &low, sizeof low);
}

double diagonal(const StepBox* boxes, const std::int32_t* blocks, std::size_t number) {
  Row high = Row{} - HUGE_VAL, low = high;
  for (std::size_t k = 0; k < number; ++k) {
    const StepBox& box = boxes[blocks[k]];
    high = larger(high, row_at(box.most)), low = larger(low, row_at(box.most + 4));
  }
  const Row size = high + low;
  return std::sqrt(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]);
}

constexpr StepBoxes kBoxes{&advance_block, &diagonal};
const detail::RegisterStepBoxes registered(static_cast<elements::Isa>(CRUMPLE_ISA_NUMBER), kBoxes);

}  // namespace
}  // namespace CRUMPLE_ISA
}  // namespace crumple::contact
