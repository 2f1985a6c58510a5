// Registers the one-point tetrahedron with nodal pressure (ELFORM 13).
#include "elements/solid/nodal_pressure_tetrahedron.hpp"

#include "elements/solid/isoparametric_formulation.hpp"

namespace crumple::elements::solid {
namespace nodal_pressure_tetrahedron {

const detail::RegisterFormulation registered(isoparametric_formulation<NodalPressureTetrahedronShape>(
    "one-point tetrahedron with nodal pressure", 13, 0.8));

}  // namespace nodal_pressure_tetrahedron
}  // namespace crumple::elements::solid
