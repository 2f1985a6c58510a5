// The list of kinds of links.
#include "implicit/links/links.hpp"

#include <algorithm>

#include "constraints/joint_stiffness/joint_stiffness.hpp"
#include "constraints/joints/joint.hpp"
#include "implicit/links/joint_links.hpp"
#include "implicit/links/joint_moments.hpp"
#include "implicit/links/tie_links.hpp"
#include "implicit/links/wall_links.hpp"
#include "loads/rigid_wall/rigid_wall.hpp"
#include "materials/row.hpp"

namespace crumple::implicit {

AllLinks::AllLinks(const LinkInput& input) {
  const model::FeatureInputs& features = input.model.features;
  if (!features.of<constraints::Joint>().empty()) kinds_.push_back(std::make_unique<JointLinks>(input));
  if (!features.of<constraints::JointStiffness>().empty())
    kinds_.push_back(std::make_unique<JointMoments>(input));
  if (std::ranges::any_of(input.model.contacts, [](const auto& c) { return !c.springs.empty(); }))
    kinds_.push_back(std::make_unique<TieLinks>(input));
  if (!features.of<loads::RigidWall>().empty()) kinds_.push_back(std::make_unique<WallLinks>(input));
}

void AllLinks::append_points(std::vector<std::vector<LocalId>>& all) const {
  for (const auto& links : kinds_) links->append_points(all);
}

void AllLinks::raise_unknowns(std::span<std::uint8_t> of_point) const {
  for (const auto& links : kinds_) links->raise_unknowns(of_point);
}

void AllLinks::evaluate(const Trial& trial, bool stiffness, const Elements::Visit& visit) const {
  for (const auto& links : kinds_) links->evaluate(trial, stiffness, visit);
}

void AllLinks::accept(const Trial& trial) {
  for (const auto& links : kinds_) links->accept(trial);
}

void AllLinks::begin_at(const LinkBegin& begin) {
  for (const auto& links : kinds_) links->begin_at(begin);
}

void AllLinks::leave(const Trial& at_rest, phases::CarriedLinks& to) const {
  for (const auto& links : kinds_) links->leave(at_rest, to);
}

void AllLinks::archive(state::Archive& archive) {
  for (const auto& links : kinds_) links->archive(archive);
}

bool AllLinks::delete_element(model::ElementKind kind, LocalId element) {
  bool ended = false;
  for (const auto& links : kinds_) ended = links->delete_element(kind, element) || ended;
  return ended;
}

double stiffest(const model::Model& model, double size) {
  double deformable = 0.0, rigid = 0.0;
  for (const model::Part& part : model.parts) {
    if (part.material == model::kNone) continue;
    const model::Material& material = model.materials[at(part.material)];
    double& most = part.rigid_body == model::kNone ? deformable : rigid;
    most = std::max(most, materials::young(material));
  }
  return size * (deformable > 0.0 ? deformable : rigid > 0.0 ? rigid : 1.0);
}

}  // namespace crumple::implicit
