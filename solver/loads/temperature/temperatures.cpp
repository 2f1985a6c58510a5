// Temperatures over time, and the variables of elements that they set.
#include "loads/temperature/temperatures.hpp"

#include <cmath>

#include "loads/load_curve.hpp"
#include "materials/row.hpp"
#include "materials/wrappers/thermal_expansion.hpp"

namespace crumple::loads {

namespace {

/// The law's own history begins with its temperature.
constexpr int kTemperature = 0;

}  // namespace

double reference_of(const model::Model& model, const Temperature& of) {
  if (!of.relative_to_start) return 0.0;
  const bool relaxes = model.control.relaxation.active && of.relaxation_curve != model::kNone;
  const LocalId curve = relaxes ? of.relaxation_curve : of.curve;
  return of.base + (curve == model::kNone ? 0.0 : of.scale * value_within(model.curves[at(curve)], 0.0));
}

double temperature_at(const model::Model& model, const Temperature& of, double time, model::Stage stage) {
  const bool relaxes = stage == model::Stage::relaxation && of.relaxation_curve != model::kNone;
  const bool acts = relaxes || (of.curve != model::kNone && model.curves[at(of.curve)].acts(stage));
  if (!acts && of.relative_to_start) return reference_of(model, of);
  return of.base + of.scale * load_value(model, of.curve, of.relaxation_curve, time, stage);
}

Temperatures::Temperatures(const model::Model& model)
    : model_(&model), inputs_(&model.features.of<Temperature>()) {
  if (inputs_->empty()) return;
  now_.assign(model.nodes.size(), 0.0);
  reference_.assign(model.nodes.size(), 0.0);
  for (const Temperature& of : *inputs_)
    for (const LocalId n : of.nodes) reference_[at(n)] = reference_of(model, of);
}

double Temperatures::mean(const state::GroupView& group, std::int32_t e,
                          const std::vector<double>& of) const {
  const int n = group.ready.formulation->n_nodes;
  double sum = 0.0;
  for (int a = 0; a < n; ++a) sum += of[at(group.node(e, a))];
  return sum / n;
}

void Temperatures::set(std::span<const state::WritableGroup> groups, double time, model::Stage stage) {
  if (inputs_->empty()) return;
  for (const Temperature& of : *inputs_) {
    const double value = temperature_at(*model_, of, time, stage);
    for (const LocalId n : of.nodes) now_[at(n)] = value;
  }
  for (const state::WritableGroup& g : groups) {
    const materials::Law& law = g.ready.parameters.law;
    const materials::ExpansionLaw* const expands = materials::expansion_of(law);
    const bool depends = law.row->needs.temperature;
    if (expands == nullptr && !depends) continue;
    for (std::int32_t e = 0; e < g.count; ++e) {
      if (!g.is_alive(e)) continue;
      const double temperature = mean(g, e, now_);
      const double strain =
          expands == nullptr ? 0.0 : expands->expansion->strain(mean(g, e, reference_), temperature);
      for (int p = 0; p < g.layout.n_points; ++p) {
        const int history = g.layout.history + p * g.layout.point_stride;
        if (depends) g.set_variable(e, history + kTemperature, temperature);
        if (expands == nullptr) continue;
        g.set_variable(e, history + expands->law_history, strain);
        g.set_variable(e, history + expands->law_history + 2, std::expm1(-3.0 * strain));
      }
    }
  }
}

}  // namespace crumple::loads
