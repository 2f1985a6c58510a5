// Fields of MAT_261.
#include "materials/orthotropic/pinho_fields.hpp"

#include <algorithm>
#include <cmath>

#include "materials/orthotropic/fracture_ends.hpp"
#include "materials/orthotropic/laminated_fracture_pinho.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

namespace {

/// A law with the curves to which it points.
struct OwnedPinho {
  PinhoLaw law;
  ShearCurveStorage curves;
};

double pinho_strength(const model::Material& material, const char* field) {
  if (material.field(field) < 0)
    refuse(material, "CR-M105", field,
           fmt::format("a curve of the strength over the strain rate ({} < 0) is not supported", field));
  return positive_field(material, field);
}

double pinho_toughness(const model::Material& material, const char* field) {
  if (material.field(field) < 0)
    refuse(material, "CR-M105", field,
           fmt::format("a curve of the toughness over the element's size ({} < 0) is not supported", field));
  return material.field(field);
}

/// Planes from the thickness to FIO, and the friction on them.
void read_fracture_planes(const model::Material& material, PinhoLaw& law) {
  double angle = material.field("FIO", 53.0);
  if (angle == 0) angle = 53.0;
  if (!(angle > 45 && angle < 90))
    refuse(material, "CR-M108", "FIO", "FIO must lie between 45 and 90 degrees");
  const double alpha = angle * M_PI / 180, friction = -1 / std::tan(2 * alpha);
  law.st = pinho_strength(material, "YC") / (2 * std::tan(alpha));
  law.friction = friction / law.st;
  law.eta = law.sl * law.friction;
  for (int k = 0; k < PinhoLaw::kPlanes; ++k) {
    const double phi = alpha * k / (PinhoLaw::kPlanes - 1);
    law.cos_of[k] = std::cos(phi);
    law.sin_of[k] = std::sin(phi);
    if (std::tan(phi) <= friction) law.n_flat = k + 1;
  }
  law.n_flat = std::clamp(law.n_flat, 1, PinhoLaw::kPlanes - 1);
}

/// The angle of the fibres without load.
void read_misalignment(const model::Material& material, PinhoLaw& law) {
  law.xc = pinho_strength(material, "XC");
  if (!(law.xc < law.plane.shear))
    refuse(material, "CR-M108", "XC",
           fmt::format("XC must be smaller than GAB = {:.4g}, at which straight fibres buckle in the matrix",
                       law.plane.shear));
  const double ratio = law.sl / law.xc, sum = ratio + law.eta, root = 1 - 4 * sum * ratio;
  if (!(root >= 0))
    refuse(material, "CR-M108", "XC",
           fmt::format("no angle of kinking gives the strength XC: 4 (SL/XC + mu) SL/XC is {:.4g}, and must "
                       "not exceed 1; XC is too small beside SL",
                       1 - root));
  law.misaligned = (1 - std::sqrt(root)) / (2 * sum) * (1 - law.xc / law.plane.shear);
}

}  // namespace

Prepared prepare_laminated_fracture_pinho(const model::Model& model, const model::Material& material) {
  const auto owned = std::make_shared<OwnedPinho>();
  PinhoLaw& law = owned->law;
  const PlaneStiffness q = plane_stiffness(material);
  law.plane = damaged_plane(q);
  law.xt = pinho_strength(material, "XT"), law.yt = pinho_strength(material, "YT"),
  law.sl = pinho_strength(material, "SL");
  read_fracture_planes(material, law);
  read_misalignment(material, law);
  const double pulled = pinho_toughness(material, "ENA");
  law.brittle_pulled = law.xt * law.xt / (2 * law.plane.young_a * std::max(pulled, 1e-20));
  law.kinked = pinho_toughness(material, "ENKINK");
  law.opened = pinho_toughness(material, "ENB");
  law.slid = pinho_toughness(material, "ENT");
  law.sheared = pinho_toughness(material, "ENL");
  law.shear = read_shear_curve(model, material, law.plane.shear, owned->curves);
  constexpr const char* kFlags[] = {"DAF", "DKF", "DMF"};
  read_fracture_ends(material, kFlags, law.fails, law.end_strain);
  Prepared prepared = prepare_plane(material, q);
  prepared.n_history = PinhoLaw::kHistory;
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  return prepared;
}

}  // namespace crumple::materials
