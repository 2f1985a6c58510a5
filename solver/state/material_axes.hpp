// Gives the points of elements the axes of their material (model/material_axes.hpp).
#pragma once

#include <span>
#include <vector>

#include "elements/kernel.hpp"
#include "model/material_axes.hpp"
#include "model/model.hpp"

namespace crumple::state {

/// Whether the laws of a part's elements keep axes as history (materials/orthotropic/axes.hpp). Fabrics have
/// their own (elements/shell/reference_shape.hpp).
bool keeps_axes(model::ElementKind kind, const materials::Row& law);

/// Puts axes into the history of an element's points. `rules` is by layer, or one for all.
void put_axes(const model::Model& model, model::ElementKind kind, LocalId element,
              const std::vector<model::AxesRule>& rules, const elements::GroupParameters& group,
              const elements::StateLayout& layout, std::span<const Vec3> corners,
              std::span<double> variables);

}  // namespace crumple::state
