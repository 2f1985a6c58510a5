// *ELEMENT_SEATBELT with two nodes, *SECTION_SEATBELT, *MAT_SEATBELT.
//
// Problems beside those of model/builder.hpp: CR-D337 a belt element or device that makes no belt.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "loads/belts/reader.hpp"

namespace crumple::loads {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::Record;

void BeltReader::read() {
  read_parts();
  read_elements();
  read_shells();
  if (out_.elements.empty() && quads_.empty()) return refuse_devices_alone();
  if (out_.elements.empty()) return;  // of shells whose errors are reported
  number_devices();
  read_sensors();
  read_retractors();
  read_pretensioners();
  read_rings();
  settle_nodes();
  add_masses();
  build_.model.features.of<Belts>().push_back(std::move(out_));
}

/// Materials of parts whose section is that of a belt, or of shells.
void BeltReader::read_parts() {
  std::set<GlobalId> sections;
  each("SECTION_SEATBELT", [&](const Keyword&, const Record& r) { sections.insert(r.integer("SECID")); });
  Numbers materials;
  for (const char* const name : {"MAT_SEATBELT", "MAT_SEATBELT_2D"})
    each(name, [&](const Keyword& k, const Record& r) { read_material(k, r, materials); });
  each("PART", [&](const Keyword&, const Record& r) {
    const auto at = materials.find(r.integer("MID"));
    const bool section = sections.contains(r.integer("SECID"));
    if (!section && at == materials.end()) return;
    const GlobalId part = r.integer("PID");
    if (at != materials.end() && build_.shell_belts.parts.contains(part)) {
      shell_part_[part] = at->second;
      return;
    }
    build_.belt_parts.insert(part);
    if (section && at != materials.end())
      part_[part] = at->second;
    else
      build_.error("CR-D310",
                   fmt::format("*PART {}: *SECTION_SEATBELT and *MAT_SEATBELT belong together", part),
                   r.place("MID"));
  });
}

void BeltReader::read_material(const Keyword& k, const Record& r, Numbers& numbers) {
  BeltMaterial m;
  const GlobalId id = r.integer("MID");
  m.mass = r.real("MPUL");
  m.shortest = r.real("LMIN");
  r.real("CSE"), r.real("DAMP");  // of shells only
  m.loading = build_.find_curve(r.integer("LLCID"), label(k, id), r.place("LLCID"));
  m.unloading = r.integer("ULCID") == 0
                    ? m.loading
                    : build_.find_curve(r.integer("ULCID"), label(k, id), r.place("ULCID"));
  if (!(m.mass > 0.0))
    build_.error("CR-D310", fmt::format("{}: MPUL = {} must be positive", label(k, id), m.mass),
                 r.place("MPUL"));
  if (m.shortest < 0.0)
    build_.error("CR-D310", fmt::format("{}: LMIN = {} is negative", label(k, id), m.shortest),
                 r.place("LMIN"));
  for (const LocalId curve : {m.loading, m.unloading}) check_rises(curve, label(k, id), r);
  if (!numbers.emplace(id, static_cast<std::int32_t>(out_.materials.size())).second)
    build_.error("CR-D301", fmt::format("{} is defined twice", label(k, id)), r.place());
  out_.materials.push_back(m);
}

/// Lengths that pass through devices are found because forces rise with strain.
void BeltReader::check_rises(LocalId curve, const std::string& by, const Record& r) {
  if (curve == kNone) return;
  const model::Curve& c = build_.model.curves[static_cast<std::size_t>(curve)];
  if (!std::ranges::is_sorted(c.y))
    build_.error("CR-D337", fmt::format("{}: the values of curve {} must not fall", by, c.id), r.place());
}

std::int64_t BeltReader::node(GlobalId id, const std::string& by, const Place& place) {
  const LocalId n = build_.find_node(id, by, place);
  if (n == kNone) {
    lost_ = true;
    return 0;
  }
  const auto [at, fresh] = node_.emplace(n, static_cast<std::int64_t>(out_.nodes.size()));
  if (fresh) out_.nodes.push_back(n);
  return at->second;
}

Vec3 BeltReader::position(std::int64_t node) const {
  return build_.model.nodes.x[static_cast<std::size_t>(out_.nodes[static_cast<std::size_t>(node)])];
}

void BeltReader::read_elements() {
  std::set<GlobalId> seen;
  each("ELEMENT_SEATBELT", [&](const Keyword& k, const Record& r) {
    if (r.integer("N3") != 0 || r.integer("N4") != 0) return;
    BeltElement e;
    e.id = r.integer("EID");
    const std::string by = label(k, e.id);
    const GlobalId part = r.integer("PID");
    e.first = node(r.integer("N1"), by, r.place("N1"));
    e.second = node(r.integer("N2"), by, r.place("N2"));
    e.slack = r.real("SLEN");
    const GlobalId retractor = r.integer("SBRID");
    if (!seen.insert(e.id).second) build_.error("CR-D301", fmt::format("{} is defined twice", by), r.place());
    if (e.slack < 0.0)
      build_.error("CR-D310", fmt::format("{}: SLEN = {} is negative", by, e.slack), r.place("SLEN"));
    if (build_.find_part(part, by, r.place("PID")) == kNone) return;
    const auto at = part_.find(part);
    if (at == part_.end()) {
      if (!build_.belt_parts.contains(part))
        build_.error("CR-D337",
                     fmt::format("{}: part {} has no *SECTION_SEATBELT and *MAT_SEATBELT", by, part),
                     r.place("PID"));
      return;
    }
    e.material = at->second;
    if (retractor != 0) in_retractor_[e.id] = retractor;
    if (!lost_ && retractor == 0 && !(norm(position(e.second) - position(e.first)) > 0.0))
      build_.error("CR-D337",
                   fmt::format("{}: it has no length; elements inside a retractor name it as SBRID", by),
                   r.place());
    out_.elements.push_back(e);
  });
  std::ranges::sort(out_.elements, {}, &BeltElement::id);
  for (std::size_t e = 0; e < out_.elements.size(); ++e)
    element_.emplace(out_.elements[e].id, static_cast<std::int32_t>(e));
}

/// Nodes in the order of their user ids, so that rows of dumps do not depend on the deck's order.
void BeltReader::settle_nodes() {
  std::vector<std::int64_t> order(out_.nodes.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<std::int64_t>(k);
  const auto id = [&](std::int64_t k) {
    return build_.model.nodes.id[static_cast<std::size_t>(out_.nodes[static_cast<std::size_t>(k)])];
  };
  std::ranges::sort(order, {}, id);
  std::vector<std::int64_t> place(order.size());
  std::vector<LocalId> nodes;
  for (std::size_t k = 0; k < order.size(); ++k) {
    place[static_cast<std::size_t>(order[k])] = static_cast<std::int64_t>(k);
    nodes.push_back(out_.nodes[static_cast<std::size_t>(order[k])]);
    out_.node_ids.push_back(id(order[k]));
  }
  out_.nodes = std::move(nodes);
  out_.owned.assign(out_.nodes.size(), 1);
  const auto move = [&](std::int64_t& n) { n = place[static_cast<std::size_t>(n)]; };
  for (BeltElement& e : out_.elements) move(e.first), move(e.second);
  for (BeltShell& s : out_.shells) std::ranges::for_each(s.nodes, move);
  for (BeltSensor& s : out_.sensors) move(s.node), move(s.other);
  for (Retractor& r : out_.retractors) move(r.node);
  for (SlipRing& r : out_.rings) move(r.node);
}

/// Half of an element's mass at each of its nodes, as lumped masses.
void BeltReader::add_masses() {
  for (const BeltElement& e : out_.elements) {
    if (e.weightless) continue;
    const BeltMaterial& m = out_.materials[static_cast<std::size_t>(e.material)];
    const LocalId a = out_.nodes[static_cast<std::size_t>(e.first)],
                  b = out_.nodes[static_cast<std::size_t>(e.second)];
    const double length = norm(build_.model.nodes.x[static_cast<std::size_t>(b)] -
                               build_.model.nodes.x[static_cast<std::size_t>(a)]) +
                          e.slack;
    const double mass = e.share * m.mass * (e.retractor < 0 ? length : 1.1 * m.shortest);
    for (const LocalId n : {a, b}) build_.model.masses.add(std::abs(e.id), n, 0.5 * mass);
  }
}

void read_belts(Builder& build) { BeltReader(build).read(); }

}  // namespace crumple::loads
