// Registers the two-point pentahedron (ELFORM 15).
#include "elements/solid/pentahedron.hpp"

#include "elements/solid/isoparametric_formulation.hpp"

namespace crumple::elements::solid {
namespace pentahedron {

const detail::RegisterFormulation registered(
    isoparametric_formulation<PentahedronShape>("two-point pentahedron", 15, 1.3));

}  // namespace pentahedron
}  // namespace crumple::elements::solid
