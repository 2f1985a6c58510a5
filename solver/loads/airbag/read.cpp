// Closed surfaces filled with gas, and gases whose pressure is a function of the volume or the time.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "loads/airbag/airbag.hpp"
#include "loads/airbag/porosity.hpp"
#include "loads/airbag/read_hybrid.hpp"
#include "loads/airbag/read_inflation.hpp"
#include "model/builder.hpp"
#include "model/geometry.hpp"
#include "sensors/network.hpp"

namespace crumple::loads {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::or_default;
using model::Record;

namespace {

/// Sum of area vectors over the area beyond which a surface is reported to be open.
constexpr double kOpen = 1e-3;

std::vector<std::array<LocalId, 4>> segments_of(Builder& build, const Keyword& k, const Record& r) {
  const GlobalId id = r.integer("SID");
  std::vector<std::array<LocalId, 4>> segments;
  if (r.integer("SIDTYP") == 0) {
    const LocalId at =
        build.find(build.segment_sets, id, "CR-D305", "segment set", Builder::star(k), r.place("SID"));
    if (at != kNone) segments = build.model.sets.segments[static_cast<std::size_t>(at)].segments;
  } else if (const model::PartSet* const set = build.find_part_set(id, Builder::star(k), r.place("SID"))) {
    std::vector<bool> chosen(build.model.parts.size(), false);
    for (const LocalId p : set->parts) chosen[static_cast<std::size_t>(p)] = true;
    for (std::size_t e = 0; e < build.model.shells.size(); ++e)
      if (chosen[static_cast<std::size_t>(build.model.shells.part[e])])
        segments.push_back(build.model.shells.nodes[e]);
  }
  return segments;
}

/// Brings a triangle to the form that repeats its last node, whichever node the deck repeats.
void normalise(std::array<LocalId, 4>& n) {
  for (std::size_t a = 0; a < 4; ++a)
    if (n[a] == n[(a + 1) % 4]) {
      n = {n[(a + 1) % 4], n[(a + 2) % 4], n[(a + 3) % 4], n[(a + 3) % 4]};
      return;
    }
}

using Segment = std::array<LocalId, 4>;

int corners_of(const Segment& n) { return n[3] == n[2] ? 3 : 4; }

/// The segment with reversed orientation; a triangle still repeats its last node.
Segment turned(const Segment& n) {
  return corners_of(n) == 3 ? Segment{n[0], n[2], n[1], n[1]} : Segment{n[0], n[3], n[2], n[1]};
}

using Edge = std::pair<LocalId, LocalId>;  ///< the smaller node first

/// A segment at an edge.
struct Side {
  std::size_t segment;
  bool forward;  ///< the segment runs from the edge's smaller node to the larger one
};

/// Side `a` of a segment, and whether it runs forward.
std::pair<Edge, bool> edge_at(const Segment& segment, int a) {
  const LocalId i = segment[static_cast<std::size_t>(a)];
  const LocalId j = segment[static_cast<std::size_t>((a + 1) % corners_of(segment))];
  return {{std::min(i, j), std::max(i, j)}, i < j};
}

std::map<Edge, std::vector<Side>> sides_of_edges(const std::vector<Segment>& segments) {
  std::map<Edge, std::vector<Side>> sides;
  for (std::size_t s = 0; s < segments.size(); ++s)
    for (int a = 0; a < corners_of(segments[s]); ++a) {
      const auto [edge, forward] = edge_at(segments[s], a);
      sides[edge].push_back({s, forward});
    }
  return sides;
}

/// A segment of a connected part of the surface.
struct Member {
  std::size_t segment;
  bool as_first;  ///< has the orientation of the first segment
};

/// The segments connected to `first`, all of which are marked as seen.
std::vector<Member> connected(std::size_t first, const std::vector<Segment>& segments,
                              const std::map<Edge, std::vector<Side>>& sides, std::vector<bool>& seen) {
  std::vector<Member> piece{{first, true}};
  seen[first] = true;
  for (std::size_t k = 0; k < piece.size(); ++k) {
    const Member here = piece[k];
    for (int a = 0; a < corners_of(segments[here.segment]); ++a) {
      const auto [edge, forward] = edge_at(segments[here.segment], a);
      const std::vector<Side>& both = sides.at(edge);
      if (both.size() != 2) continue;
      const Side& other = both[both[0].segment == here.segment ? 1 : 0];
      if (seen[other.segment]) continue;
      seen[other.segment] = true;
      const bool alike = other.forward != forward;
      piece.push_back({other.segment, alike == here.as_first});
    }
  }
  return piece;
}

/// Orients segments so that neighbours have opposite directions along their common edge. Each connected part
/// gets the orientation of most of its segments. Edges of one segment, or of more than two, do not connect.
/// @return number of segments that were reversed
std::size_t turn_alike(std::vector<Segment>& segments) {
  const std::map<Edge, std::vector<Side>> sides = sides_of_edges(segments);
  std::vector<bool> seen(segments.size());
  std::size_t count = 0;
  for (std::size_t first = 0; first < segments.size(); ++first) {
    if (seen[first]) continue;
    const std::vector<Member> piece = connected(first, segments, sides, seen);
    const auto as_first =
        std::count_if(piece.begin(), piece.end(), [](const Member& m) { return m.as_first; });
    const bool most = 2 * as_first >= static_cast<std::ptrdiff_t>(piece.size());
    for (const Member& m : piece) {
      if (m.as_first == most) continue;
      segments[m.segment] = turned(segments[m.segment]);
      ++count;
    }
  }
  return count;
}

/// Chooses the axes across which the surface is closed, by the sum of its area vectors.
void check_closed(Builder& build, Airbag& bag, const std::string& label) {
  Vec3 sum;
  double area = 0.0;
  for (const auto& n : bag.segments) {
    const auto x = [&](std::size_t a) { return build.model.nodes.x[static_cast<std::size_t>(n[a])]; };
    const Vec3 s = 0.5 * cross(x(2) - x(0), x(3) - x(1));
    sum += s;
    area += norm(s);
  }
  if (norm(sum) <= kOpen * area) return;
  int closed = 0;
  for (int k = 0; k < 3; ++k) closed += std::abs(sum[k]) <= kOpen * area;
  for (int k = 0; k < 3 && closed > 0; ++k)
    bag.along[k] = std::abs(sum[k]) <= kOpen * area ? 1.0 / closed : 0.0;
  build.warn("CR-D335",
             fmt::format("{}: its segments leave an opening of {:.3g} % of their area, or point to different "
                         "sides: {}",
                         label, 100 * norm(sum) / area,
                         closed > 0 ? "its volume is that up to planes of symmetry normal to the axes"
                                    : "the volume counts as if it were closed"),
             bag.place);
}

/// Card 1 and the surface. False if there is none, which is reported.
bool read_surface(Builder& build, const Keyword& k, const Record& r, const std::string& label, Airbag& bag) {
  bag.id = r.id().value_or(static_cast<GlobalId>(build.model.features.of<Airbag>().size()) + 1);
  bag.title = r.title();
  bag.place = r.place();
  bag.segments = segments_of(build, k, r);
  bag.volume_scale = or_default(r.real("VSCA"), 1.0);
  bag.pressure_scale = or_default(r.real("PSCA"), 1.0);
  bag.volume_offset = r.real("VINI");
  bag.damping = r.real("MWD");
  if (!bag.segments.empty()) return true;
  build.error("CR-D310", fmt::format("{}: set {} has no shells or segments", label, r.integer("SID")),
              r.place("SID"));
  return false;
}

void read_pressure_volume(Builder& build, const Record& r, const std::string& label, Airbag& bag) {
  bag.coefficient = r.real("CN");
  bag.beta = r.real("BETA");
  if (const GlobalId id = r.integer("LCID"); id != 0)
    bag.curve = build.find_curve(id, label, r.place("LCID"));
  else if (bag.coefficient < 0.0)
    bag.coefficient_curve = build.find_curve(std::llround(-bag.coefficient), label, r.place("CN"));
  if (const GlobalId id = r.integer("LCIDDR"); id != 0)
    bag.relaxation_curve = build.find_curve(id, label, r.place("LCIDDR"));
  warn_of_porosity(build, label, bag);
}

/// Isentropic: (P0 + PE) (V / V(0))^-GAMMA - PE.
void read_adiabatic(Builder& build, const Record& r, const std::string& label, Airbag& bag) {
  const auto wrong = [&](const char* field, const char* what) {
    build.error("CR-D310", fmt::format("{}: {} is {}, it must {}", label, field, r.real(field), what),
                r.place(field));
  };
  bag.pressure_scale *= or_default(r.real("PSF"), 1.0);
  bag.exponent = r.real("GAMMA");
  bag.outside_pressure = r.real("PE");
  bag.first_pressure = r.real("P0") + bag.outside_pressure;
  if (!(bag.exponent > 0)) wrong("GAMMA", "be positive");
  if (bag.outside_pressure < 0) wrong("PE", "not be negative");
  if (!(bag.first_pressure > 0)) wrong("P0", "be above -PE");
  warn_of_porosity(build, label, bag);
}

void read_pressure_by_time(Builder& build, const Record& r, const std::string& label, Airbag& bag) {
  bag.begins = r.real("STIME");
  if (const GlobalId id = r.integer("LCID"); id != 0)
    bag.pressure_by_time = build.find_curve(id, label, r.place("LCID"));
  else
    build.unsupported(fmt::format("{}: a pressure of RO, PE, P0, T and T0 instead of a curve LCID is not "
                                  "supported",
                                  label),
                      r.place("LCID"));
  warn_of_porosity(build, label, bag);
}

/// *AIRBAG_LINEAR_FLUID.
void read_liquid(Builder& build, const Record& r, const std::string& label, Airbag& bag) {
  Liquid& liquid = bag.liquid;
  liquid.active = true;
  const auto curve = [&](const char* field) {
    const GlobalId id = r.integer(field);
    return id == 0 ? kNone : build.find_curve(id, label, r.place(field));
  };
  const auto flow = [&](const char* field) {
    const LocalId found = curve(field);
    if (found == kNone) return found;
    const model::Curve& c = build.model.curves[static_cast<std::size_t>(found)];
    if (std::ranges::any_of(c.y, [](double y) { return y < 0; }))
      build.error("CR-D310", fmt::format("{}: curve {} has a negative mass flow", label, c.id),
                  r.place(field));
    return found;
  };
  liquid.bulk = r.real("BULK");
  liquid.density = r.real("RO");
  liquid.limit = r.real("P_LIMIT");
  liquid.bulk_curve = curve("LCBULK");
  liquid.limit_curve = curve("P_LIMLC");
  liquid.added = curve("LCFIT");
  liquid.inflow = flow("LCINT");
  liquid.outflow = flow("LCOUTT");
  liquid.outflow_by_pressure = flow("LCOUTP");
  if (liquid.density < 0)
    build.unsupported(fmt::format("{}: a density RO over time is not supported", label), r.place("RO"));
  else if (liquid.density == 0)
    build.error("CR-D310", fmt::format("{}: the density RO is missing", label), r.place("RO"));
  if (liquid.bulk_curve == kNone && !(liquid.bulk > 0))
    build.error("CR-D310", fmt::format("{}: BULK is {}, it must be positive", label, liquid.bulk),
                r.place("BULK"));
  warn_of_porosity(build, label, bag);
}

/// Orients the segments and lists their nodes.
void close_surface(Builder& build, Airbag& bag, const std::string& label) {
  for (Segment& segment : bag.segments) {
    normalise(segment);
    bag.nodes.insert(bag.nodes.end(), segment.begin(), segment.end());
  }
  if (const std::size_t count = turn_alike(bag.segments); count > 0)
    build.warn(
        "CR-D336",
        fmt::format("{}: {} of its {} segments point the other way than their neighbours, and were turned",
                    label, count, bag.segments.size()),
        bag.place);
  build.sort_nodes(bag.nodes);
  bag.order.resize(bag.segments.size());
  std::iota(bag.order.begin(), bag.order.end(), GlobalId{0});
  check_closed(build, bag, label);
}

template <class ReadGas>
void read_kind(Builder& build, std::string_view keyword, ReadGas read_gas) {
  for (const Keyword& k : build.deck.all(keyword))
    for (const Record& r : k.records()) {
      Airbag bag;
      const GlobalId id =
          r.id().value_or(static_cast<GlobalId>(build.model.features.of<Airbag>().size()) + 1);
      const std::string label = fmt::format("{} {}", Builder::star(k), id);
      const bool any = read_surface(build, k, r, label, bag);
      read_gas(build, r, label, bag);
      if (!any) continue;
      close_surface(build, bag, label);
      build.model.features.of<Airbag>().push_back(std::move(bag));
    }
}

bool is_joined(const std::vector<Airbag>& bags, LocalId bag) {
  return std::ranges::any_of(bags, [&](const Airbag& other) {
    return std::ranges::any_of(other.links, [&](const BagLink& link) {
      return link.to == bag || &other == &bags[static_cast<std::size_t>(bag)];
    });
  });
}

/// The airbags that sensors start.
void check_controls(Builder& build) {
  const std::vector<Airbag>& bags = build.model.features.of<Airbag>();
  for (const sensors::Network& network : build.model.features.of<sensors::Network>())
    for (const sensors::Control& control : network.controls) {
      if (control.kind != sensors::Controlled::airbag) continue;
      const std::string label = fmt::format("*SENSOR_CONTROL {}", control.id);
      const auto bag = std::ranges::find(bags, control.entity, &Airbag::id);
      if (bag == bags.end())
        build.error("CR-D302", fmt::format("{}: airbag {} does not exist", label, control.entity),
                    control.place);
      else if (!bag->inflation.active)
        build.unsupported(fmt::format("{}: the start of airbag {}, whose gas has no mass, is not supported",
                                      label, bag->id),
                          control.place);
      else if (is_joined(bags, static_cast<LocalId>(bag - bags.begin())))
        build.unsupported(fmt::format("{}: the start of airbag {} of an *AIRBAG_INTERACTION is not supported",
                                      label, bag->id),
                          control.place);
    }
}

}  // namespace

void read_airbags(Builder& build) {
  read_kind(build, "AIRBAG_SIMPLE_PRESSURE_VOLUME", read_pressure_volume);
  read_kind(build, "AIRBAG_SIMPLE_AIRBAG_MODEL", read_simple_gas);
  read_kind(build, "AIRBAG_WANG_NEFSKE", read_wang_nefske_gas);
  read_kind(build, "AIRBAG_ADIABATIC_GAS_MODEL", read_adiabatic);
  read_kind(build, "AIRBAG_LOAD_CURVE", read_pressure_by_time);
  read_kind(build, "AIRBAG_LINEAR_FLUID", read_liquid);
  read_kind(build, "AIRBAG_HYBRID", read_hybrid_gas);
  read_bag_links(build);
  check_controls(build);
}

}  // namespace crumple::loads
