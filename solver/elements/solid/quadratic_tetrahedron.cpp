// Registers the ten-node tetrahedron (ELFORM 16).
#include "elements/solid/quadratic_tetrahedron.hpp"

#include "elements/solid/isoparametric_formulation.hpp"

namespace crumple::elements::solid {
namespace quadratic_tetrahedron {

const detail::RegisterFormulation registered(
    isoparametric_formulation<QuadraticTetrahedronShape>("ten-node tetrahedron", 16, 5.0));

}  // namespace quadratic_tetrahedron
}  // namespace crumple::elements::solid
