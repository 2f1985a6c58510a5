// Compiles the cohesive elements for this instruction set.
#include "elements/instantiate.hpp"
#include "elements/solid/cohesive_offset.hpp"

namespace crumple::elements {

CRUMPLE_REGISTER_KERNEL(solid, 19, CohesiveQuadForm)
CRUMPLE_REGISTER_KERNEL(solid, 20, OffsetCohesiveQuadForm)
CRUMPLE_REGISTER_KERNEL(solid, 21, CohesiveTriangleForm)
CRUMPLE_REGISTER_KERNEL(solid, 22, OffsetCohesiveTriangleForm)

}  // namespace crumple::elements
