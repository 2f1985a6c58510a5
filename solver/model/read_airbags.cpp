// *AIRBAG_SIMPLE_PRESSURE_VOLUME: closed surfaces filled with gas.
#include <cmath>

#include "model/builder.hpp"
#include "model/geometry.hpp"

namespace crumple::model {
namespace {

/// Sum of area vectors over the area beyond which a surface is told to be open.
constexpr double kOpen = 1e-3;

std::vector<std::array<LocalId, 4>> segments_of(Builder& build, const Keyword& k, const Record& r) {
  const GlobalId id = r.integer("SID");
  std::vector<std::array<LocalId, 4>> segments;
  if (r.integer("SIDTYP") == 0) {
    const LocalId at =
        build.find(build.segment_sets, id, "CR-D305", "segment set", Builder::star(k), r.place("SID"));
    if (at != kNone) segments = build.model.sets.segments[static_cast<std::size_t>(at)].segments;
  } else if (const PartSet* const set = build.find_part_set(id, Builder::star(k), r.place("SID"))) {
    std::vector<bool> chosen(build.model.parts.size(), false);
    for (const LocalId p : set->parts) chosen[static_cast<std::size_t>(p)] = true;
    for (std::size_t e = 0; e < build.model.shells.size(); ++e)
      if (chosen[static_cast<std::size_t>(build.model.shells.part[e])])
        segments.push_back(build.model.shells.nodes[e]);
  }
  return segments;
}

/// A triangle repeats its last node, whichever it came with twice.
void normalise(std::array<LocalId, 4>& n) {
  for (std::size_t a = 0; a < 4; ++a)
    if (n[a] == n[(a + 1) % 4]) {
      n = {n[(a + 1) % 4], n[(a + 2) % 4], n[(a + 3) % 4], n[(a + 3) % 4]};
      return;
    }
}

void check_closed(Builder& build, const Airbag& bag, const std::string& label) {
  Vec3 sum;
  double area = 0.0;
  for (const auto& n : bag.segments) {
    const auto x = [&](std::size_t a) { return build.model.nodes.x[static_cast<std::size_t>(n[a])]; };
    const Vec3 s = 0.5 * cross(x(2) - x(0), x(3) - x(1));
    sum += s;
    area += norm(s);
  }
  if (norm(sum) > kOpen * area)
    build.warn(
        "CR-D335",
        fmt::format("{}: its segments leave an opening of {:.3g} % of their area, or point to different "
                    "sides: the volume counts as if it were closed",
                    label, 100 * norm(sum) / area),
        bag.place);
}

void read_airbag(Builder& build, const Keyword& k, const Record& r) {
  Airbag bag;
  bag.id = r.id().value_or(static_cast<GlobalId>(build.model.airbags.size()) + 1);
  bag.title = r.title();
  bag.place = r.place();
  const std::string label = fmt::format("{} {}", Builder::star(k), bag.id);
  bag.segments = segments_of(build, k, r);
  bag.volume_scale = or_default(r.real("VSCA"), 1.0);
  bag.pressure_scale = or_default(r.real("PSCA"), 1.0);
  bag.volume_offset = r.real("VINI");
  bag.damping = r.real("MWD");
  bag.coefficient = r.real("CN");
  bag.beta = r.real("BETA");
  if (const GlobalId id = r.integer("LCID"); id != 0)
    bag.curve = build.find_curve(id, label, r.place("LCID"));
  else if (bag.coefficient < 0.0)
    bag.coefficient_curve = build.find_curve(std::llround(-bag.coefficient), label, r.place("CN"));
  if (bag.segments.empty())
    return build.error("CR-D310",
                       fmt::format("{}: set {} has no shells or segments", label, r.integer("SID")),
                       r.place("SID"));
  for (auto& segment : bag.segments) {
    normalise(segment);
    bag.nodes.insert(bag.nodes.end(), segment.begin(), segment.end());
  }
  build.sort_nodes(bag.nodes);
  check_closed(build, bag, label);
  build.model.airbags.push_back(std::move(bag));
}

}  // namespace

void Builder::read_airbags() {
  for (const Keyword& k : deck.all("AIRBAG_SIMPLE_PRESSURE_VOLUME"))
    for (const Record& r : k.records()) read_airbag(*this, k, r);
}

}  // namespace crumple::model
