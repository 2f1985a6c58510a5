// Criteria of materials by the names of their fields.
#include "control/why_deleted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace crumple::control {

namespace {

using Criterion = std::pair<const char*, const char*>;  ///< field, and its meaning

/// Fields of materials.
constexpr Criterion kOwn[] = {{"FAIL", "failure strain"},
                              {"FS", "failure strain"},
                              {"EPPFR", "failure strain"},
                              {"PSFAIL", "failure strain"},
                              {"EPSF", "failure strain"},
                              {"EPF", "failure strain"},
                              {"PRF", "failure pressure"},
                              {"D1", "damage"},
                              {"D2", "damage"},
                              {"EPSTHIN", "thinning strain"},
                              {"EPSMAJ", "major strain"},
                              {"EFAIL", "failure strain"},
                              {"FF0", "void fraction"},
                              {"FF1", "void fraction"},
                              {"LCLF", "void fraction"},
                              {"DC", "critical damage"},
                              {"TFAIL", "failure time"},
                              {"NRR", "normal force"},
                              {"NRS", "shear force"},
                              {"NRT", "shear force"},
                              {"MRR", "torsion"},
                              {"MSS", "bending"},
                              {"MTT", "bending"},
                              {"TEROD", "tension erosion"},
                              {"CEROD", "compression erosion"}};
/// Fields of *MAT_ADD_EROSION.
constexpr Criterion kAdded[] = {
    {"MXPRES", "largest pressure"},  {"MNEPS", "smallest principal strain"}, {"EFFEPS", "effective strain"},
    {"VOLEPS", "volumetric strain"}, {"MNPRES", "smallest pressure"},        {"SIGP1", "principal stress"},
    {"SIGVM", "equivalent stress"},  {"MXEPS", "largest principal strain"},  {"EPSSH", "shear strain"},
    {"IMPULSE", "stress impulse"},   {"EPSTHIN", "thinning strain"}};

/// Whether a criterion is given: most of these fields have a huge default, which never acts.
bool given(double value) { return value != 0 && std::abs(value) < 1e19; }

std::vector<std::string> criteria(const model::Material& m) {
  std::vector<std::string> found;
  for (const auto& [field, what] : kOwn)
    if (given(m.field(field))) found.push_back(fmt::format("{} {}", what, field));
  const double exclude = m.field("EROSION.EXCL");
  for (const auto& [field, what] : kAdded)
    if (const double value = m.field(std::string("EROSION.") + field);
        given(value) && !(exclude != 0 && value == exclude))
      found.push_back(fmt::format("{} {} of *MAT_ADD_EROSION", what, field));
  if (m.field("EROSION.IDAM") == 1) found.push_back("damage of *MAT_ADD_EROSION");
  if (m.field("DAMAGE.DTYP") == 1) found.push_back("damage of *MAT_ADD_DAMAGE_GISSMO");
  if (m.fields.contains("DIEM.NDIEMC")) found.push_back("damage of *MAT_ADD_DAMAGE_DIEM");
  return found;
}

}  // namespace

std::string why_deleted(const model::Model& model, const explicit_dynamics::ElementName& element,
                        explicit_dynamics::DeletionCause cause) {
  using explicit_dynamics::DeletionCause;
  const auto part = std::find_if(model.parts.begin(), model.parts.end(),
                                 [&](const model::Part& p) { return p.id == element.part; });
  if (part == model.parts.end() || part->material == model::kNone) return "cause not known";
  const model::Material& m = model.materials[static_cast<std::size_t>(part->material)];
  const std::string of = fmt::format(" of *{} {}", m.name, m.id);
  switch (cause) {
    case DeletionCause::tdel:
      return "time step below TDEL" + of;
    case DeletionCause::dtmin:
      return "time step below DTMIN (ERODE of *CONTROL_TIMESTEP)";
    case DeletionCause::failtm:
      return "failure time FAILTM of *MAT_ADD_EROSION" + of;
    case DeletionCause::restart:
      return "by the deck of a restart";
    case DeletionCause::death:
      return "*DEFINE_ELEMENT_DEATH, *LOAD_REMOVE_PART, or BOXID of *CONTROL_SPH";
    case DeletionCause::sensor:
      return "by a switch (ELESET of *SENSOR_CONTROL)";
    case DeletionCause::retractor:
      return "drawn into a retractor of its belt";
    case DeletionCause::law:
      break;
  }
  const std::vector<std::string> all = criteria(m);
  if (all.empty()) return "criterion" + of;
  std::string text = all.size() > 1 ? "one of " : "";
  for (std::size_t k = 0; k < all.size(); ++k) text += (k > 0 ? ", " : "") + all[k];
  return text + of;
}

}  // namespace crumple::control
