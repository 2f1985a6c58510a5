// Data of a contact's segment from the model: area, thickness, penalty stiffness, nodes that it never
// touches.
#pragma once

#include <cstdint>
#include <span>

#include "contact/part_constants.hpp"
#include "contact/search/segments.hpp"
#include "model/model.hpp"
#include "state/nodal.hpp"

namespace crumple::contact {

/// Which shells are touched on their front only.
enum class Fronts : std::int8_t {
  none,
  thin,  ///< those without contact thickness
  all,   ///< tools of forming: what is in front of them keeps a distance from them
};

/// Penalty stiffness without scales: K A^2 / V for solids, K A / longest diagonal for shells (Hallquist 2006,
/// LS-DYNA Theory Manual, eqs. 29.9 and 29.10).
class SegmentBuilder {
 public:
  SegmentBuilder(const model::Model& model, const state::Nodal& nodal,
                 std::span<const PartConstants> constants)
      : model_(model), nodal_(nodal), constants_(constants) {}

  /// @param solid_modulus SLDSTF, the modulus of solids in place of their bulk modulus; 0: not given
  SegmentRecord operator()(const model::Segment& segment, double scale, Fronts fronts,
                           double solid_modulus = 0.0) const;

 private:
  void solid(const model::Segment& segment, double bulk, SegmentRecord& r) const;

  const model::Model& model_;
  const state::Nodal& nodal_;
  std::span<const PartConstants> constants_;
};

}  // namespace crumple::contact
