// How fast this machine multiplies tiles: the bound of a factor's speed.
#pragma once

namespace crumple::implicit::linear {

/// Operations (a multiplication or an addition) a second of C -= A B' with tiles that stay in cache, on all
/// threads at once. Takes a twentieth of a second.
double product_rate(bool single_precision, int threads);

}  // namespace crumple::implicit::linear
