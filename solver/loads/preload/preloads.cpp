// Times of curves, and the variables of preloaded elements.
#include "loads/preload/preloads.hpp"

#include <algorithm>

#include "loads/load_curve.hpp"
#include "materials/wrappers/preload.hpp"

namespace crumple::loads {

PreloadTimes times_of(const model::Curve& curve) {
  PreloadTimes times;
  const std::size_t n = curve.x.size();
  std::size_t k = 0;
  while (k < n && curve.y[k] == 0.0) ++k;
  if (k == n) return times;
  times.begin = k == 0 ? curve.x[0] : curve.x[k - 1];
  while (k < n && curve.y[k] != 0.0) ++k;
  times.end = curve.x[std::min(k, n - 1)];
  return times;
}

Preloads::Preloads(const model::Model& model) : model_(&model), inputs_(&model.features.of<Preload>()) {
  for (const Preload& preload : *inputs_) {
    of_[{preload.kind, preload.element}] = times_.size();
    times_.push_back(times_of(model.curves[at(preload.curve)]));
  }
}

void Preloads::set(std::span<const state::WritableGroup> groups, double time, double dt,
                   model::Stage stage) const {
  if (!any()) return;
  constexpr double rounding = 1e-6;  // of a step
  for (const state::WritableGroup& g : groups) {
    const materials::PreloadLaw* const law = materials::preload_of(g.ready.parameters.law);
    if (law == nullptr) continue;
    const int first = g.layout.history + law->law_history;
    for (std::int32_t e = 0; e < g.count; ++e) {
      const std::size_t input = of_.at({g.kind(), g.element[at(e)]});
      const Preload& preload = (*inputs_)[input];
      const PreloadTimes& times = times_[input];
      const bool acts = model_->curves[at(preload.curve)].acts(stage) && dt > 0.0 && time > times.begin &&
                        time - dt < times.end - rounding * dt;
      const double value = load_value(*model_, preload.curve, std::min(time, times.end), stage);
      for (int p = 0; p < g.layout.n_points; ++p) {
        const int variable = first + p * g.layout.point_stride;
        g.set_variable(e, variable, acts ? 1.0 : 0.0);
        g.set_variable(e, variable + 1, acts ? preload.scale * value : 0.0);
      }
    }
  }
}

}  // namespace crumple::loads
