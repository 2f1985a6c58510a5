// Gauss, Lobatto and circular rules for the cross-sections of Hughes-Liu beams.
#include "elements/beam/cross_section.hpp"

#include <cmath>
#include <span>
#include <string>

#include "base/error.hpp"
#include "elements/beam/section_rule.hpp"

namespace crumple::elements::beam {
namespace {

struct Rule {
  double x, w;  ///< on -1..1, weights sum to 2
};

// Abramowitz and Stegun (1964), tables 25.4 and 25.6.
constexpr Rule kGauss1[] = {{0, 2}};
constexpr Rule kGauss2[] = {{-0.57735026918962576, 1}, {0.57735026918962576, 1}};
constexpr Rule kGauss3[] = {{-0.77459666924148338, 5.0 / 9}, {0, 8.0 / 9}, {0.77459666924148338, 5.0 / 9}};
constexpr Rule kGauss4[] = {{-0.86113631159405258, 0.34785484513745386},
                            {-0.33998104358485626, 0.65214515486254614},
                            {0.33998104358485626, 0.65214515486254614},
                            {0.86113631159405258, 0.34785484513745386}};
constexpr Rule kLobatto3[] = {{-1, 1.0 / 3}, {0, 4.0 / 3}, {1, 1.0 / 3}};

std::span<const Rule> rule(int qr) {
  switch (qr) {
    case 1:
      return kGauss1;
    case 2:
      return kGauss2;
    case 3:
      return kGauss3;
    case 4:
      return kLobatto3;
    case 5:
      return kGauss4;
    default:
      throw Error("CR-E304",
                  "integration rule QR = " + std::to_string(qr) +
                      " of the beam's cross-section is not available; 1 to 5 are",
                  {.field = "QR/IRID"});
  }
}

void add(CrossSection& c, double s, double t, double area) {
  c.s[c.n] = s;
  c.t[c.n] = t;
  c.area[c.n] = area;
  ++c.n;
}

void add_rectangle(CrossSection& c, int qr, double width_s, double width_t, const model::Section& section) {
  for (const Rule& a : rule(qr))
    for (const Rule& b : rule(qr))
      add(c, 0.5 * width_s * (a.x - section.nsloc), 0.5 * width_t * (b.x - section.ntloc),
          width_s * width_t * a.w * b.w / 4);
}

void add_tube(CrossSection& c, int qr, double outer, double inner, const model::Section& section) {
  const std::size_t asked = rule(qr).size() * rule(qr).size();
  const int n = asked == 1 ? 1 : static_cast<int>(std::max<std::size_t>(4, asked));
  const double area = M_PI / 4 * (outer * outer - inner * inner);
  // Points at radius r have I = A r^2 / 2; the tube's is A (Do^2 + Di^2) / 16.
  const double radius = n == 1 ? 0 : std::sqrt((outer * outer + inner * inner) / 8);
  for (int k = 0; k < n; ++k) {
    const double angle = 2 * M_PI * (k + 0.5) / n;
    add(c, radius * std::cos(angle) - 0.5 * outer * section.nsloc,
        radius * std::sin(angle) - 0.5 * outer * section.ntloc, area / n);
  }
}

/// Of users' rules: whether the axis is the centroid's, and how far the axes are from principal ones.
void find_skew(CrossSection& c) {
  double first_s = 0, first_t = 0, product = 0;
  for (int k = 0; k < c.n; ++k) {
    first_s += c.area[k] * c.s[k];
    first_t += c.area[k] * c.t[k];
    product += c.area[k] * c.s[k] * c.t[k];
  }
  constexpr double kRounding = 1e-9;
  const double least = kRounding * std::sqrt(c.total_area * (c.i_ss + c.i_tt));
  c.has_offset = std::abs(first_s) > least || std::abs(first_t) > least;
  c.skew = std::abs(product) > kRounding * (c.i_ss + c.i_tt) ? std::abs(product) : 0.0;
}

}  // namespace

CrossSection cross_section(const model::Section& section) {
  // With one point along the beam, its section is the mean of the two ends.
  const double ts = (section.ts[0] + section.ts[1]) / 2, tt = (section.tt[0] + section.tt[1]) / 2;
  CrossSection c;
  if (section.rule.id != 0) {
    add_rule_points(section, c);
  } else if (section.cross_section == 0) {
    if (!(ts > 0 && tt > 0))
      throw Error("CR-E303", "a rectangular beam needs TS1, TS2 and TT1, TT2 > 0", {.field = "TS1"});
    add_rectangle(c, section.nip, ts, tt, section);
  } else if (section.cross_section == 1) {
    if (!(ts > tt && tt >= 0))
      throw Error("CR-E303", "a tubular beam needs an outer diameter TS above the inner diameter TT",
                  {.field = "TS1"});
    add_tube(c, section.nip, ts, tt, section);
  } else {
    throw Error("CR-E304",
                "cross-section CST = " + std::to_string(section.cross_section) +
                    " is not available; 0 (rectangular) and 1 (tubular) are",
                {.field = "CST"});
  }
  for (int k = 0; k < c.n; ++k) {
    c.total_area += c.area[k];
    c.i_ss += c.area[k] * c.t[k] * c.t[k];
    c.i_tt += c.area[k] * c.s[k] * c.s[k];
  }
  c.has_offset = section.nsloc != 0 || section.ntloc != 0;
  if (section.rule.id != 0) find_skew(c);
  return c;
}

}  // namespace crumple::elements::beam
