// Flow stress of MAT_036 and MAT_122: HR, P1, P2, LCID, E0, SPI.
#pragma once

#include <optional>

#include "materials/plasticity/formula_flow.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

/// A law of a sheet with its curve.
template <class Law>
struct OwnedSheet {
  Law law;
  std::optional<FlowCurveStorage> flow;
};

/// Sets the flow stress; a curve is kept in `storage`. Throws CR-M103 for strengths that are not positive,
/// CR-M105 for other rules than 1 to 3, CR-M106 and CR-M107 for curves, CR-M108 for a slope from E on.
void read_sheet_flow(const model::Model& model, const model::Material& material, FormulaLaw& law,
                     std::optional<FlowCurveStorage>& storage);

}  // namespace crumple::materials
