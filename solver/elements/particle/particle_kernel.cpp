// Compiles the stress of smooth particles for this instruction set.
#include "elements/particle/particle.hpp"

#include "elements/instantiate.hpp"

namespace crumple::elements {

CRUMPLE_REGISTER_KERNEL(sph, 0, ParticleForm)

}  // namespace crumple::elements
