// The temperatures of nodes in the run, and what they are in elements.
//
// A node has T = base + scale f(t), or 0; its reference temperature T0, at which nothing has expanded, is
// that at the start or 0, as the keyword says. An element has the means of its nodes: the volume strain of
// all elements of solids is one value an element, and bilinear displacements of shells follow a linear
// temperature with the strain of its mean. (At the points of a brick a linear temperature would give stresses
// that no motion of its nodes can relieve.) Laws that expand get the strain from T0 to T, laws that depend on
// the temperature get T.
//
// All follows from the time, so there is nothing to keep; what elements have seen is in their state.
#pragma once

#include <span>
#include <vector>

#include "loads/temperature/temperature.hpp"
#include "model/model.hpp"
#include "model/stage.hpp"
#include "state/group_view.hpp"

namespace crumple::loads {

/// The value of a temperature at a time.
double temperature_at(const model::Model& model, const Temperature& of, double time, model::Stage stage);
/// Its reference.
double reference_of(const model::Model& model, const Temperature& of);

class Temperatures {
 public:
  /// Keeps a reference to `model`.
  explicit Temperatures(const model::Model& model);

  /// Tells elements the temperatures of the step that ends at `time`. Local.
  void set(std::span<const state::WritableGroup> groups, double time, model::Stage stage);

  /// Of each node, at the last time that was set.
  std::span<const double> of_nodes() const { return now_; }

 private:
  double mean(const state::GroupView& group, std::int32_t e, const std::vector<double>& of) const;

  const model::Model* model_;
  const std::vector<Temperature>* inputs_;
  std::vector<double> now_, reference_;  ///< by node; empty without inputs
};

}  // namespace crumple::loads
