// MAT_020 from the model.
#include "materials/rigid.hpp"

#include "materials/prepare.hpp"

namespace crumple::materials {

Prepared prepare_rigid(const model::Model&, const model::Material& material) {
  Prepared prepared = prepare_isotropic(material, 20);
  prepared.rigid = true;
  prepared.parameters = std::make_shared<RigidLaw>();
  return prepared;
}

}  // namespace crumple::materials
