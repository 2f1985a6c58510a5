// *INTEGRATION_BEAM: rules of the user for cross-sections, which sections name by a negative QR/IRID.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "elements/beam/section_rule.hpp"
#include "model/builder.hpp"

namespace crumple::model {

namespace {

constexpr int kMostRefined = 7;          ///< K
constexpr double kRoundedShares = 0.01;  ///< shares are given with few digits

/// Divides shares by their sum, which is near 1.
template <class Point>
void share_out(const Builder& build, const Record& r, const std::string& label, std::vector<Point>& points) {
  double sum = 0;
  for (const Point& p : points) {
    if (!(p.weight > 0)) build.error("CR-D310", label + ": WF of a point must be positive", r.place());
    sum += p.weight;
  }
  if (std::abs(sum - 1) > kRoundedShares)
    return build.error(
        "CR-D310", fmt::format("{}: WF of the points are shares; their sum is {}, expected 1", label, sum),
        r.place());
  for (Point& p : points) p.weight /= sum;
}

/// A place of a point in its column of the list, -1 to 1.
double place_of(const Builder& build, const Record& r, std::size_t row, std::size_t column,
                const std::string& label) {
  const double at = r.real(row, column);
  if (std::abs(at) > 1)
    build.error("CR-D310", fmt::format("{}: a point at {}, expected -1 to 1", label, at), r.row_place(row));
  return at;
}

/// Materials by point are not supported.
void refuse_material(const Builder& build, const Record& r, std::size_t row, std::size_t column,
                     const std::string& label) {
  if (r.integer(row, column) != 0)
    build.unsupported(label + ": a material of a point (PID): all points have that of the element",
                      r.row_place(row));
}

void read_points(const Builder& build, const Record& r, const std::string& label, BeamRule& rule) {
  for (std::size_t row = 0; row < r.rows(); ++row) {
    rule.points.push_back(
        {place_of(build, r, row, 0, label), place_of(build, r, row, 1, label), r.real(row, 2)});
    refuse_material(build, r, row, 3, label);
  }
  if (rule.points.empty())
    build.error("CR-D310", label + " has no points: NIP is 0, and ICST too", r.place());
  share_out(build, r, label, rule.points);
  r.integer("NIP");  // read by rows
  rule.relative_area = r.real("RA");
  if (!(rule.relative_area > 0))
    build.error("CR-D310", fmt::format("{}: RA = {} must be positive", label, rule.relative_area),
                r.place("RA"));
}

void read_shape(const Builder& build, const Record& r, const std::string& label, BeamRule& rule) {
  constexpr const char* kSizes[] = {"D1", "D2", "D3", "D4", "D5", "D6"};
  for (std::size_t k = 0; k < 6; ++k) rule.size[k] = r.real(kSizes[k]);
  rule.sref = r.real("SREF");
  rule.tref = r.real("TREF");
  rule.refinement = static_cast<int>(r.integer("K"));
  if (rule.refinement < 0 || rule.refinement > kMostRefined)
    build.error("CR-D310", fmt::format("{}: K = {}, expected 0 to {}", label, rule.refinement, kMostRefined),
                r.place("K"));
  if (r.rows() > 0)
    build.error("CR-D310", label + ": ICST has points of its own, and NIP is not 0", r.place("NIP"));
  if (!elements::beam::has_shape(rule.shape))
    return build.unsupported(
        fmt::format("{}: the standard section ICST = {}; 1, 5, 8, 9 and 11 are supported", label, rule.shape),
        r.place("ICST"));
  if (!(elements::beam::shape_size(rule)[0] > 0))
    build.error("CR-D310",
                fmt::format("{}: its dimensions make no cross-section of ICST {}", label, rule.shape),
                r.place("D1"));
}

BeamRule beam_rule(const Builder& build, const Record& r) {
  BeamRule rule;
  rule.id = r.integer("IRID");
  rule.shape = static_cast<int>(r.integer("ICST"));
  const std::string label = fmt::format("*INTEGRATION_BEAM {}", rule.id);
  rule.shape == 0 ? read_points(build, r, label, rule) : read_shape(build, r, label, rule);
  return rule;
}

/// The rule that a section names by a negative QR/IRID; null and an error if there is none.
template <class Rules>
const typename Rules::mapped_type* find_rule(const Builder& build, const Rules& rules, const Record& r,
                                             const std::string& label, const char* keyword) {
  const auto id = static_cast<GlobalId>(std::lround(-r.real("QR/IRID")));
  if (const auto found = rules.find(id); found != rules.end()) return &found->second;
  build.missing("CR-D302", "integration rule", fmt::format("{}: *{} {} does not exist", label, keyword, id),
                r.place("QR/IRID"));
  return nullptr;
}

}  // namespace

void Builder::read_integration_rules() {
  const auto twice = [&](const Keyword& k, const Record& r) {
    error("CR-D301", fmt::format("*{} {} is defined twice", k.name(), r.integer("IRID")), r.place("IRID"));
  };
  for (const Keyword& k : deck.all("INTEGRATION_BEAM"))
    for (const Record& r : k.records())
      if (!beam_rules.emplace(r.integer("IRID"), beam_rule(*this, r)).second) twice(k, r);
}

void Builder::use_beam_rule(const Record& r, const std::string& label, Section& s) const {
  const BeamRule* const rule = find_rule(*this, beam_rules, r, label, "INTEGRATION_BEAM");
  if (!rule) return;
  s.rule = *rule;
  if (s.rule.shape == 0) return;
  if (s.nsloc != 0.0 || s.ntloc != 0.0)
    warn("CR-D330",
         fmt::format("{}: NSLOC and NTLOC are ignored: SREF and TREF of *INTEGRATION_BEAM {} count", label,
                     s.rule.id),
         r.place("NSLOC"));
  const auto size = elements::beam::shape_size(s.rule);  // for contact
  s.ts.fill(size[0]);
  s.tt.fill(size[1]);
}

}  // namespace crumple::model
