// A failure strain on the cards of a law itself, as MAT_224 has one: it is the damage of add_damage.hpp,
// linear in the plastic strain and without softening.
//
//   D = sum dp / (f(h, L) g(rate) i(size, h, L)),   the point fails at D = 1
//
// h is here the triaxiality p / q with the pressure p, so negative in tension: curves are mirrored. L is the
// Lode parameter 27 J3 / (2 q^3).
#pragma once

#include "materials/prepared.hpp"

namespace crumple::model {
struct Material;
struct Model;
}  // namespace crumple::model

namespace crumple::materials {

/// `prepared` with the failure strain of LCF, LCG and LCI, if the cards have these and LCF is given; NUMINT
/// points delete an element. Throws CR-M105 for factors without LCF, CR-M106 and CR-M107 for
/// curves.
Prepared add_failure_strain(const model::Model& model, const model::Material& material, Prepared prepared);

}  // namespace crumple::materials
