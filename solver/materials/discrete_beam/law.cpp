// Laws of discrete beams as the rest of the program sees them.
#include "materials/discrete_beam/law.hpp"

#include <algorithm>
#include <utility>

namespace crumple::materials {

bool is_discrete_beam(const Row& law) { return law.updates == &updates_by_isa<DiscreteBeamLaw>; }

Prepared with_section(Prepared prepared, const model::DiscreteBeamSection& section) {
  const DiscreteBeamLaw* const law = discrete_beam_law(prepared.law);
  if (!law) return prepared;
  // The curves belong to the parameters without section.
  const auto both =
      std::make_shared<std::pair<DiscreteBeamLaw, std::shared_ptr<const void>>>(*law, prepared.parameters);
  both->first.section = section;
  if (law->line && law->component[0].form == ComponentForm::cable && law->component[0].area < 0)
    both->first.component[0].area = section.cable_area;
  prepared.parameters = std::shared_ptr<const void>(both, &both->first);
  prepared.law.parameters = prepared.parameters.get();
  return prepared;
}

DiscreteBeamScale characteristic_forces(const DiscreteBeamLaw& law, double length) {
  DiscreteBeamScale scale;
  for (int k = 0; k < 6; ++k) {
    const DiscreteBeamComponent& c = law.component[static_cast<std::size_t>(k)];
    const ComponentTangent t = component_tangent(c, 0.0, 0.0, 0.0, length > 0 ? length : 1.0);
    double most = std::max({t.stiffness, t.damping, std::fabs(c.preload)});
    if (c.form == ComponentForm::gas_damper)
      most = std::max(most, 100 * std::fabs(gas_damper_force(c, 0.0, 0.0)));
    for (const ForceCurve* curve : {&c.loading.curve, &c.damper.curve})
      for (int i = 0; c.form != ComponentForm::cable && i < curve->n; ++i)
        most = std::max(most, std::fabs(curve->y[i]));
    double& to = k < 3 ? scale.force : scale.moment;
    to = std::max(to, most);
  }
  scale.moment += scale.force * length;
  return scale;
}

}  // namespace crumple::materials
