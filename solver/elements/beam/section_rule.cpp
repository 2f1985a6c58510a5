// Cross-sections of beams by a user's rule (*INTEGRATION_BEAM): given points, or a standard section.
//
// Given points are places over half of the sizes TS and TT, and shares of the area RA TS TT. Standard
// sections consist of rectangles, each with 3 + K Gauss points along it and 2 across, so that area, second
// moments and product of inertia are exact; of a circle or tube in polar coordinates, 2 + K Gauss points in
// the square of the radius (in which the second moment is linear) and 8 + 4 K angles. Flange widths lie along
// s, the depth along t:
//   1   I: D1 flange width, D2 flange thickness, D3 depth, D4 web thickness;
//   5   box, outer sizes and thicknesses by the same dimensions;
//   8   circle of radius D1;   9   tube of outer radius D1 and inner radius D2;   11   box D1 x D2.
// The other shapes lack an axis of symmetry, so that it matters whether the nodes are at the centroid or in
// the middle of the box around the section, or their dimensions are not published: they are refused.
#include "elements/beam/section_rule.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"
#include "elements/shell/state.hpp"

namespace crumple::elements::beam {
namespace {

enum Shape { kI = 1, kBox = 5, kCircle = 8, kTube = 9, kSolidBox = 11 };

/// Gauss points on -1..1, weights sum to 2.
struct GaussLine {
  int n;
  double x[kMaxThroughThickness] = {}, w[kMaxThroughThickness] = {};
  explicit GaussLine(int points) : n(points) { shell::quadrature(model::Quadrature::gauss, n, x, w); }
};

void add_point(CrossSection& c, double s, double t, double area) {
  if (c.n == kMaxSectionPoints)
    throw Error("CR-E304", fmt::format("the cross-section of a beam has more than {} points: a smaller K of "
                                       "*INTEGRATION_BEAM is needed",
                                       kMaxSectionPoints));
  c.s[c.n] = s;
  c.t[c.n] = t;
  c.area[c.n] = area;
  ++c.n;
}

/// A rectangle with its middle at (s, t), `along_s` or `along_t` points in its sides.
void add_plate(CrossSection& c, double s, double t, double width_s, double width_t, int along_s,
               int along_t) {
  const GaussLine a(along_s), b(along_t);
  for (int i = 0; i < a.n; ++i)
    for (int j = 0; j < b.n; ++j)
      add_point(c, s + 0.5 * width_s * a.x[i], t + 0.5 * width_t * b.x[j],
                width_s * width_t * a.w[i] * b.w[j] / 4);
}

/// The area between two radii.
void add_ring(CrossSection& c, double outer, double inner, int refinement) {
  const GaussLine squares(2 + refinement);
  const int angles = 8 + 4 * refinement;
  const double middle = 0.5 * (outer * outer + inner * inner), half = 0.5 * (outer * outer - inner * inner);
  for (int i = 0; i < squares.n; ++i) {
    const double radius = std::sqrt(middle + half * squares.x[i]);
    for (int k = 0; k < angles; ++k) {
      const double angle = 2 * M_PI * (k + 0.5) / angles;
      add_point(c, radius * std::cos(angle), radius * std::sin(angle), M_PI * half * squares.w[i] / angles);
    }
  }
}

/// A standard section around its centroid.
void add_shape(CrossSection& c, const model::BeamRule& rule) {
  const auto& d = rule.size;
  const int along = 3 + rule.refinement;
  const double web = d[2] - 2 * d[1];
  switch (rule.shape) {
    case kI:
    case kBox:
      for (const double side : {-0.5, 0.5}) add_plate(c, 0, side * (d[2] - d[1]), d[0], d[1], along, 2);
      if (rule.shape == kI) return add_plate(c, 0, 0, d[3], web, 2, along);
      for (const double side : {-0.5, 0.5}) add_plate(c, side * (d[0] - d[3]), 0, d[3], web, 2, along);
      return;
    case kSolidBox:
      return add_plate(c, 0, 0, d[0], d[1], along, along);
    default:
      return add_ring(c, d[0], rule.shape == kTube ? d[1] : 0.0, rule.refinement);
  }
}

void add_given_points(CrossSection& c, const model::Section& section) {
  // With one point along the beam, its section is the mean of the two ends.
  const double ts = (section.ts[0] + section.ts[1]) / 2, tt = (section.tt[0] + section.tt[1]) / 2;
  const model::BeamRule& rule = section.rule;
  if (!(ts > 0 && tt > 0 && rule.relative_area > 0))
    throw Error("CR-E303",
                "points of *INTEGRATION_BEAM need TS1, TS2 and TT1, TT2 of *SECTION_BEAM > 0, and RA > 0",
                {.field = "TS1"});
  for (const model::RulePoint& p : rule.points)
    add_point(c, 0.5 * ts * (p.s - section.nsloc), 0.5 * tt * (p.t - section.ntloc),
              p.weight * rule.relative_area * ts * tt);
}

}  // namespace

bool has_shape(int shape) {
  return shape == kI || shape == kBox || shape == kCircle || shape == kTube || shape == kSolidBox;
}

std::array<double, 2> shape_size(const model::BeamRule& rule) {
  const auto& d = rule.size;
  switch (rule.shape) {
    case kI:
    case kBox: {
      const double web = rule.shape == kI ? d[3] : 2 * d[3];
      const bool fits = d[1] > 0 && d[3] > 0 && web <= d[0] && 2 * d[1] < d[2];
      return fits ? std::array{d[0], d[2]} : std::array{0.0, 0.0};
    }
    case kSolidBox:
      return d[0] > 0 && d[1] > 0 ? std::array{d[0], d[1]} : std::array{0.0, 0.0};
    case kTube:
      return d[1] >= 0 && d[1] < d[0] ? std::array{2 * d[0], 2 * d[0]} : std::array{0.0, 0.0};
    case kCircle:
      return d[0] > 0 ? std::array{2 * d[0], 2 * d[0]} : std::array{0.0, 0.0};
    default:
      return {0.0, 0.0};
  }
}

void add_rule_points(const model::Section& section, CrossSection& points) {
  const model::BeamRule& rule = section.rule;
  if (rule.shape == 0) return add_given_points(points, section);
  if (!has_shape(rule.shape))
    throw Error("CR-E304",
                fmt::format("the standard section ICST = {} of *INTEGRATION_BEAM is not available; "
                            "1, 5, 8, 9 and 11 are",
                            rule.shape));
  const std::array<double, 2> size = shape_size(rule);
  if (!(size[0] > 0))
    throw Error("CR-E303", fmt::format("D1 to D6 of *INTEGRATION_BEAM {} make no cross-section", rule.id));
  add_shape(points, rule);
  for (int k = 0; k < points.n; ++k) {
    points.s[k] -= 0.5 * size[0] * rule.sref;
    points.t[k] -= 0.5 * size[1] * rule.tref;
  }
}

}  // namespace crumple::elements::beam
