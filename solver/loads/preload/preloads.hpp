// The preloads of a run: which elements have one, and what it is now.
//
// A preload acts from the last point of its curve where it is zero at the start to where it is zero again, or
// to the end of the curve. A step acts if it begins before this end, with the value at its own end, but no
// later one: so the last value is reached whatever the steps are.
#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "loads/preload/preload.hpp"
#include "model/model.hpp"
#include "state/group_view.hpp"

namespace crumple::loads {

/// The times between which a preload acts.
struct PreloadTimes {
  double begin = 0, end = 0;
};
PreloadTimes times_of(const model::Curve& curve);

class Preloads {
 public:
  /// Keeps a reference to `model`.
  explicit Preloads(const model::Model& model);

  bool any() const { return !inputs_->empty(); }

  /// Tells the elements what acts in the step of length `dt` that ends at `time`. Local.
  void set(std::span<const state::WritableGroup> groups, double time, double dt, model::Stage stage) const;

 private:
  const model::Model* model_;
  const std::vector<Preload>* inputs_;
  std::vector<PreloadTimes> times_;                                   ///< by input
  std::map<std::pair<model::ElementKind, LocalId>, std::size_t> of_;  ///< input of an element
};

}  // namespace crumple::loads
