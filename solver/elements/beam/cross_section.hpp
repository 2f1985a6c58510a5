// Integration points of a Hughes-Liu beam's cross-section.
#pragma once

#include <algorithm>

#include "model/section.hpp"

namespace crumple::elements::beam {

inline constexpr int kMaxSectionPoints = 100;

/// Points in the s-t plane, relative to the reference axis, with their areas.
struct CrossSection {
  int n = 0;
  double s[kMaxSectionPoints] = {}, t[kMaxSectionPoints] = {}, area[kMaxSectionPoints] = {};
  double total_area = 0;
  double i_ss = 0, i_tt = 0;  ///< second moments about the s axis (of t) and the t axis (of s)
  double skew = 0;            ///< size of the product of inertia, of users' rules only: 0 for the others
  bool has_offset = false;    ///< the reference axis is not the centroid's (NSLOC, NTLOC)

  /// A bound of both principal second moments; the larger one where the axes are principal.
  double largest() const { return std::max(i_ss, i_tt) + skew; }
};

/// Points by QR: 1, 2x2, 3x3 or 4x4 Gauss, 4: 3x3 Lobatto. A tube has as many points (at least 4) on the
/// circle that gives the tube's second moment, so that bending and torsion are exact. Throws CR-E303 for
/// dimensions that are not positive, CR-E304 for an unknown rule or shape. Sections with a rule of the user:
/// section_rule.hpp.
CrossSection cross_section(const model::Section& section);

}  // namespace crumple::elements::beam
