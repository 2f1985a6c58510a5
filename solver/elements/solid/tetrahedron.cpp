// Registers the one-point tetrahedron (ELFORM 10).
#include "elements/solid/tetrahedron.hpp"

#include "elements/solid/isoparametric_formulation.hpp"

namespace crumple::elements::solid {
namespace tetrahedron {

const detail::RegisterFormulation registered(
    isoparametric_formulation<TetrahedronShape>("one-point tetrahedron", 10, 0.6));

}  // namespace tetrahedron
}  // namespace crumple::elements::solid
