// Tangents of beams and springs for this object's instruction set.
#include "elements/beam/belytschko_schwer.hpp"
#include "elements/beam/discrete_beam.hpp"
#include "elements/beam/hughes_liu.hpp"
#include "elements/beam/integrated_belytschko_schwer.hpp"
#include "elements/beam/spot_weld.hpp"
#include "elements/beam/truss.hpp"
#include "elements/discrete/spring.hpp"
#include "elements/tangent_driver.hpp"

namespace crumple::elements {
CRUMPLE_REGISTER_TANGENT(beam, 1, HughesLiuForm)
CRUMPLE_REGISTER_TANGENT(beam, 2, BelytschkoSchwerForm)
CRUMPLE_REGISTER_TANGENT(beam, 3, TrussForm)
CRUMPLE_REGISTER_TANGENT(beam, 4, IntegratedBelytschkoSchwerForm)
CRUMPLE_REGISTER_TANGENT(beam, 5, IntegratedBelytschkoSchwerForm)
CRUMPLE_REGISTER_TANGENT(beam, 6, DiscreteBeamForm)
CRUMPLE_REGISTER_TANGENT(beam, 9, SpotWeldForm)
CRUMPLE_REGISTER_TANGENT(beam, 13, BelytschkoSchwerForm)
CRUMPLE_REGISTER_TANGENT(discrete, 0, SpringForm)
}  // namespace crumple::elements
