// The size of elements up to which a law with fracture toughnesses can dissipate them.
//
// An element of size l that softens along a line from the strength X, with the modulus E, to the toughness G
// has the work G / l a volume, of which X^2 / 2 E is there when it begins to soften: l < 2 E G / X^2 (Bazant
// and Oh 1983, Mater. Struct. 16, p. 155).
#pragma once

#include <array>

namespace crumple::model {
struct Material;
}

namespace crumple::materials {

/// X^2 / (2 E G) of a material's modes: fibres in tension and compression, matrix in tension and compression,
/// shear. Throws CR-M105 for toughnesses by curves, CR-M103 for what is not positive.
std::array<double, 5> brittleness(const model::Material& material);

/// The least 2 E G / X^2; 0 for a material without toughnesses.
double largest_size(const model::Material& material);

}  // namespace crumple::materials
