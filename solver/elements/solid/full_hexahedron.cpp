// Registers the fully integrated S/R hexahedron (ELFORM 2).
#include "elements/solid/full_hexahedron.hpp"

#include "elements/solid/isoparametric_formulation.hpp"

namespace crumple::elements::solid {
namespace full_hexahedron {

const detail::RegisterFormulation registered(
    isoparametric_formulation<FullHexahedronShape>("fully integrated S/R hexahedron", 2, 6.0));

}  // namespace full_hexahedron
}  // namespace crumple::elements::solid
