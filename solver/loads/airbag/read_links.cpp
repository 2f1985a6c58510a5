// *AIRBAG_INTERACTION: holes between two bags.
#include <algorithm>
#include <cmath>
#include <string>

#include "loads/airbag/read_hybrid.hpp"

namespace crumple::loads {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::Record;

namespace {

/// Reads one hole, and reports with the name of its keyword.
class LinkReader {
 public:
  LinkReader(Builder& build, const Keyword& keyword, const Record& record)
      : build_(build),
        r_(record),
        bags_(build.model.features.of<Airbag>()),
        label_(
            fmt::format("{} {} {}", Builder::star(keyword), record.integer("AB1"), record.integer("AB2"))) {}

  void read() {
    const LocalId from = bag("AB1");
    BagLink link;
    link.to = bag("AB2");
    const GlobalId way = r_.integer("IFLOW");
    link.way = way < 0 ? BagLink::Way::forward : way > 0 ? BagLink::Way::backward : BagLink::Way::both;
    const bool by_curve = r_.integer("LCID") != 0;
    if (by_curve)
      link.flow_by_difference = flow();
    else
      hole(link.hole);
    if (from == kNone || link.to == kNone) return;
    if (from == link.to) return wrong("AB2", "AB1 and AB2 are the same airbag");
    if (!by_curve && !link.hole.is_open())
      return build_.warn("CR-D330", fmt::format("{}: nothing flows without an area and SF", label_),
                         r_.place("AREA"));
    bags_[static_cast<std::size_t>(from)].inflation.make_mixture();
    bags_[static_cast<std::size_t>(link.to)].inflation.make_mixture();
    bags_[static_cast<std::size_t>(from)].links.push_back(link);
  }

 private:
  void wrong(const char* field, const std::string& what) {
    build_.error("CR-D310", fmt::format("{}: {}", label_, what), r_.place(field));
  }
  LocalId bag(const char* field) {
    const GlobalId id = r_.integer(field);
    const auto found = std::ranges::find(bags_, id, &Airbag::id);
    if (found == bags_.end()) {
      build_.error("CR-D302", fmt::format("{}: airbag {} does not exist", label_, id), r_.place(field));
      return kNone;
    }
    if (!found->inflation.active) {
      build_.unsupported(
          fmt::format("{}: flow to or from airbag {}, whose gas has no mass, is not supported", label_, id),
          r_.place(field));
      return kNone;
    }
    return static_cast<LocalId>(found - bags_.begin());
  }
  /// LCID, over the difference of the pressures.
  LocalId flow() {
    const LocalId found = build_.find_curve(r_.integer("LCID"), label_, r_.place("LCID"));
    if (r_.real("AREA") != 0 || r_.real("SF") != 0 || r_.integer("PID") != 0)
      build_.warn("CR-D330", fmt::format("{}: AREA, SF and PID have no effect with LCID", label_),
                  r_.place("LCID"));
    if (found == kNone) return found;
    const model::Curve& c = build_.model.curves[static_cast<std::size_t>(found)];
    const auto negative = [](double x) { return x < 0; };
    if (std::ranges::any_of(c.x, negative) || std::ranges::any_of(c.y, negative))
      build_.unsupported(
          fmt::format("{}: negative points of curve {} are not supported; gas flows to the lower "
                      "pressure, by the difference of the pressures",
                      label_, c.id),
          r_.place("LCID"));
    return found;
  }
  void hole(Orifice& hole) {
    hole.coefficient = r_.real("SF");
    if (hole.coefficient < 0) {
      hole.coefficient_by_time = build_.find_curve(std::llround(-hole.coefficient), label_, r_.place("SF"));
      hole.coefficient = 1;
    }
    const double area = r_.real("AREA");
    const GlobalId part = r_.integer("PID");
    if (area != 0 && part != 0)
      build_.warn("CR-D330", fmt::format("{}: PID has no effect with AREA", label_), r_.place("PID"));
    hole.area = area < 0 ? 1 : area;
    if (area < 0)
      hole.area_by_pressure = build_.find_curve(std::llround(-area), label_, r_.place("AREA"));
    else if (area == 0 && part != 0)
      hole.area = area_of_part(build_.find_part(part, label_, r_.place("PID")));
  }
  /// Of its shells, at the start.
  double area_of_part(LocalId part) const {
    const model::Model& m = build_.model;
    double area = 0;
    for (std::size_t e = 0; e < m.shells.size(); ++e) {
      if (part == kNone || m.shells.part[e] != part) continue;
      const auto x = [&](std::size_t a) { return m.nodes.x[static_cast<std::size_t>(m.shells.nodes[e][a])]; };
      area += 0.5 * norm(cross(x(2) - x(0), x(3) - x(1)));
    }
    return area;
  }

  Builder& build_;
  const Record& r_;
  std::vector<Airbag>& bags_;
  std::string label_;
};

}  // namespace

void read_bag_links(Builder& build) {
  for (const Keyword& k : build.deck.all("AIRBAG_INTERACTION"))
    for (const Record& r : k.records()) LinkReader(build, k, r).read();
}

}  // namespace crumple::loads
