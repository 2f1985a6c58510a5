// Compiles the stress of smooth particles for this instruction set.
#include "elements/instantiate.hpp"
#include "elements/particle/particle.hpp"

namespace crumple::elements {

CRUMPLE_REGISTER_KERNEL(sph, 0, ParticleForm)

}  // namespace crumple::elements
