// *ELEMENT_SEATBELT and its devices, *SECTION_SEATBELT, *MAT_SEATBELT.
//
// Problems beside those of model/builder.hpp: CR-D337 a belt element or device that makes no belt.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <span>

#include "loads/belts/belt.hpp"
#include "model/builder.hpp"
#include "sensors/network.hpp"

namespace crumple::loads {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::Record;

namespace {

class BeltReader {
 public:
  explicit BeltReader(Builder& build) : build_(build) {}

  void read() {
    read_parts();
    read_elements();
    if (out_.elements.empty()) return refuse_devices_alone();
    number_devices();
    read_sensors();
    read_retractors();
    read_pretensioners();
    read_rings();
    settle_nodes();
    add_masses();
    build_.model.features.of<Belts>().push_back(std::move(out_));
  }

 private:
  using Numbers = std::map<GlobalId, std::int32_t>;

  static std::string label(const Keyword& k, GlobalId id) {
    return fmt::format("{} {}", Builder::star(k), id);
  }

  template <class Read>
  void each(const char* keyword, Read read) {
    for (const Keyword& k : build_.deck.all(keyword))
      for (const Record& r : k.records()) read(k, r);
  }

  /// Materials of parts whose section is that of a belt.
  void read_parts() {
    std::set<GlobalId> sections;
    each("SECTION_SEATBELT", [&](const Keyword&, const Record& r) { sections.insert(r.integer("SECID")); });
    std::map<GlobalId, std::int32_t> materials;
    each("MAT_SEATBELT", [&](const Keyword& k, const Record& r) { read_material(k, r, materials); });
    each("PART", [&](const Keyword&, const Record& r) {
      const auto at = materials.find(r.integer("MID"));
      const bool section = sections.contains(r.integer("SECID"));
      if (!section && at == materials.end()) return;
      const GlobalId part = r.integer("PID");
      build_.belt_parts.insert(part);
      if (section && at != materials.end())
        part_[part] = at->second;
      else
        build_.error("CR-D310",
                     fmt::format("*PART {}: *SECTION_SEATBELT and *MAT_SEATBELT belong together", part),
                     r.place("MID"));
    });
  }

  void read_material(const Keyword& k, const Record& r, std::map<GlobalId, std::int32_t>& numbers) {
    BeltMaterial m;
    const GlobalId id = r.integer("MID");
    m.mass = r.real("MPUL");
    m.shortest = r.real("LMIN");
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
  void check_rises(LocalId curve, const std::string& by, const Record& r) {
    if (curve == kNone) return;
    const model::Curve& c = build_.model.curves[static_cast<std::size_t>(curve)];
    if (!std::ranges::is_sorted(c.y))
      build_.error("CR-D337", fmt::format("{}: the values of curve {} must not fall", by, c.id), r.place());
  }

  std::int64_t node(GlobalId id, const std::string& by, const Place& place) {
    const LocalId n = build_.find_node(id, by, place);
    if (n == kNone) {
      lost_ = true;
      return 0;
    }
    const auto [at, fresh] = node_.emplace(n, static_cast<std::int64_t>(out_.nodes.size()));
    if (fresh) out_.nodes.push_back(n);
    return at->second;
  }

  void read_elements() {
    std::set<GlobalId> seen;
    each("ELEMENT_SEATBELT", [&](const Keyword& k, const Record& r) {
      BeltElement e;
      e.id = r.integer("EID");
      const std::string by = label(k, e.id);
      const GlobalId part = r.integer("PID");
      e.first = node(r.integer("N1"), by, r.place("N1"));
      e.second = node(r.integer("N2"), by, r.place("N2"));
      e.slack = r.real("SLEN");
      const GlobalId retractor = r.integer("SBRID");
      if (!seen.insert(e.id).second)
        build_.error("CR-D301", fmt::format("{} is defined twice", by), r.place());
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
      const auto x = [&](std::int64_t n) {
        return build_.model.nodes.x[static_cast<std::size_t>(out_.nodes[static_cast<std::size_t>(n)])];
      };
      if (!lost_ && retractor == 0 && !(norm(x(e.second) - x(e.first)) > 0.0))
        build_.error("CR-D337",
                     fmt::format("{}: it has no length; elements inside a retractor name it as SBRID", by),
                     r.place());
      out_.elements.push_back(e);
    });
    std::ranges::sort(out_.elements, {}, &BeltElement::id);
    for (std::size_t e = 0; e < out_.elements.size(); ++e)
      element_.emplace(out_.elements[e].id, static_cast<std::int32_t>(e));
  }

  void refuse_devices_alone() {
    for (const char* const keyword :
         {"ELEMENT_SEATBELT_RETRACTOR", "ELEMENT_SEATBELT_SLIPRING", "ELEMENT_SEATBELT_PRETENSIONER"})
      for (const Keyword& k : build_.deck.all(keyword))
        for (const Record& r : k.records())
          if (!build_.lost("element"))
            build_.error("CR-D337", fmt::format("{}: the deck has no belt elements", Builder::star(k)),
                         r.place());
  }

  void number_devices() {
    const auto number = [&](const char* keyword, const char* field, Numbers& numbers) {
      std::set<GlobalId> ids;
      each(keyword, [&](const Keyword& k, const Record& r) {
        if (!ids.insert(r.integer(field)).second)
          build_.error("CR-D301", fmt::format("{} is defined twice", label(k, r.integer(field))), r.place());
      });
      for (const GlobalId id : ids) numbers.emplace(id, static_cast<std::int32_t>(numbers.size()));
    };
    number("ELEMENT_SEATBELT_SENSOR", "SBSID", sensor_);
    number("ELEMENT_SEATBELT_RETRACTOR", "SBRID", retractor_);
    for (const auto& [element, id] : in_retractor_)
      out_.elements[static_cast<std::size_t>(element_.at(element))].retractor =
          find(retractor_, id, "retractor", fmt::format("*ELEMENT_SEATBELT {}", element), {});
  }

  std::int32_t find(const Numbers& numbers, GlobalId id, const char* what, const std::string& by,
                    const Place& place) {
    const auto at = numbers.find(id);
    if (at != numbers.end()) return at->second;
    build_.error("CR-D337", fmt::format("{}: {} {} does not exist", by, what, id), place);
    lost_ = true;
    return 0;
  }

  std::vector<std::int32_t> sensors_of(const Record& r, std::span<const char* const> fields,
                                       const std::string& by, sensors::Controlled kind, GlobalId id) {
    std::vector<std::int32_t> list;
    for (const char* const field : fields) {
      if (const GlobalId sensor = r.integer(field); sensor != 0)
        list.push_back(find(sensor_, sensor, "sensor", by, r.place(field)));
    }
    if (list.empty() && !is_switched(kind, id))
      build_.error("CR-D337", fmt::format("{}: it has no sensor", by), r.place());
    return list;
  }

  /// Whether a *SENSOR_CONTROL fires or locks a device.
  bool is_switched(sensors::Controlled kind, GlobalId id) const {
    return std::ranges::any_of(build_.model.features.of<sensors::Network>(), [&](const sensors::Network& n) {
      return std::ranges::any_of(n.controls,
                                 [&](const sensors::Control& c) { return c.kind == kind && c.entity == id; });
    });
  }

  void read_sensors() {
    each("ELEMENT_SEATBELT_SENSOR", [&](const Keyword& k, const Record& r) {
      BeltSensor s;
      s.id = r.integer("SBSID");
      const std::string by = label(k, s.id);
      const auto type = r.integer("SBSTYP");
      s.in_relaxation = r.integer("SBSFL") == 1;
      if (type < 1 || type > 5) return;
      s.type = static_cast<SensorType>(type);
      read_limits(r, by, s);
      out_.sensors.push_back(s);
    });
    std::ranges::sort(out_.sensors, {}, &BeltSensor::id);
  }

  void read_limits(const Record& r, const std::string& by, BeltSensor& s) {
    switch (s.type) {
      case SensorType::acceleration:
        s.node = node(r.integer("NID"), by, r.place("NID"));
        s.axis = static_cast<std::int32_t>(std::clamp<std::int64_t>(r.integer("DOF"), 1, 3) - 1);
        s.upper = r.real("ACC");
        s.duration = r.real("ATIME");
        break;
      case SensorType::pull_out_rate:
        s.retractor = find(retractor_, r.integer("SBRID"), "retractor", by, r.place("SBRID"));
        s.upper = r.real("PULRAT");
        s.duration = r.real("PULTIM");
        break;
      case SensorType::time:
        s.upper = r.real("TIME");
        break;
      case SensorType::distance:
        s.node = node(r.integer("NID1"), by, r.place("NID1"));
        s.other = node(r.integer("NID2"), by, r.place("NID2"));
        s.upper = r.real("DMX");
        s.lower = r.real("DMN");
        break;
      case SensorType::pull_out:
        s.retractor = find(retractor_, r.integer("SBRID"), "retractor", by, r.place("SBRID"));
        s.upper = r.real("PULMX");
        s.lower = r.real("PULMN");
        break;
    }
  }

  /// An element that meets a device, with LMIN.
  std::int32_t device_element(GlobalId id, const std::string& by, const Place& place) {
    const std::int32_t e = find(element_, id, "belt element", by, place);
    const BeltElement& element = out_.elements[static_cast<std::size_t>(e)];
    if (!(out_.materials[static_cast<std::size_t>(element.material)].shortest > 0.0))
      build_.error("CR-D310", fmt::format("{}: *MAT_SEATBELT of element {} needs LMIN", by, id), place);
    if (element.retractor >= 0)
      build_.error("CR-D337", fmt::format("{}: element {} is inside a retractor", by, id), place);
    return e;
  }

  void read_retractors() {
    each("ELEMENT_SEATBELT_RETRACTOR", [&](const Keyword& k, const Record& r) {
      Retractor in;
      in.id = r.integer("SBRID");
      const std::string by = label(k, in.id);
      in.node = node(r.integer("SBRNID"), by, r.place("SBRNID"));
      in.mouth = device_element(r.integer("SBID"), by, r.place("SBID"));
      in.sensors = sensors_of(r, std::array{"SID1", "SID2", "SID3", "SID4"}, by,
                              sensors::Controlled::retractor, in.id);
      in.delay = r.real("TDEL");
      in.payout = r.real("PULL");
      in.loading = build_.find_curve(r.integer("LLCID"), by, r.place("LLCID"));
      in.unloading =
          r.integer("ULCID") == 0 ? in.loading : build_.find_curve(r.integer("ULCID"), by, r.place("ULCID"));
      for (const LocalId curve : {in.loading, in.unloading}) check_rises(curve, by, r);
      in.fed = r.real("LFED");
      const double shortest =
          out_.materials[static_cast<std::size_t>(out_.elements[static_cast<std::size_t>(in.mouth)].material)]
              .shortest;
      if (in.fed < 3.0 * shortest)
        build_.error(
            "CR-D310",
            fmt::format("{}: LFED = {} must be three times LMIN = {} at least", by, in.fed, shortest),
            r.place("LFED"));
      if (!lost_) wind_up(in, by, r);
      out_.retractors.push_back(std::move(in));
    });
    std::ranges::sort(out_.retractors, {}, &Retractor::id);
  }

  /// The elements inside, from the mouth inwards.
  void wind_up(Retractor& in, const std::string& by, const Record& r) {
    const std::int32_t number = retractor_.at(in.id);
    const auto x = [&](std::int64_t n) {
      return build_.model.nodes.x[static_cast<std::size_t>(out_.nodes[static_cast<std::size_t>(n)])];
    };
    const BeltElement& mouth = out_.elements[static_cast<std::size_t>(in.mouth)];
    const auto away = [&](std::int64_t n) { return norm(x(n) - x(in.node)); };
    std::int64_t at = away(mouth.first) <= away(mouth.second) ? mouth.first : mouth.second;
    std::size_t all = 0;
    for (const BeltElement& e : out_.elements) all += e.retractor == number;
    std::set<std::int32_t> used;
    for (bool found = true; found;) {
      found = false;
      for (std::size_t e = 0; e < out_.elements.size() && !found; ++e) {
        const BeltElement& element = out_.elements[e];
        const auto index = static_cast<std::int32_t>(e);
        if (element.retractor != number || used.contains(index) ||
            (element.first != at && element.second != at))
          continue;
        at = element.first == at ? element.second : element.first;
        used.insert(index);
        in.inside.push_back(index);
        found = true;
        if (away(at) > 1e-3 * in.fed)
          build_.error(
              "CR-D337",
              fmt::format(
                  "{}: node {} of the elements inside is not at the node of the retractor", by,
                  build_.model.nodes.id[static_cast<std::size_t>(out_.nodes[static_cast<std::size_t>(at)])]),
              r.place());
      }
    }
    if (used.size() != all)
      build_.error("CR-D337",
                   fmt::format("{}: {} of the {} elements inside are not in a row from its mouth", by,
                               all - used.size(), all),
                   r.place());
  }

  void read_pretensioners() {
    each("ELEMENT_SEATBELT_PRETENSIONER", [&](const Keyword& k, const Record& r) {
      Pretensioner in;
      in.id = r.integer("SBPRID");
      const std::string by = label(k, in.id);
      const auto type = r.integer("SBPRTY");
      in.by_force = type == 4 || type == 6;
      in.sensors = sensors_of(r, std::array{"SBSID1", "SBSID2", "SBSID3", "SBSID4"}, by,
                              sensors::Controlled::pretensioner, in.id);
      in.retractor = find(retractor_, r.integer("SBRID"), "retractor", by, r.place("SBRID"));
      in.delay = r.real("TIME");
      in.curve = build_.find_curve(r.integer("PTLCID"), by, r.place("PTLCID"));
      in.limit = r.real("LMTFRC");
      if (type == 1) in.limit = 0.0;
      out_.pretensioners.push_back(std::move(in));
    });
    std::ranges::sort(out_.pretensioners, {}, &Pretensioner::id);
  }

  void read_rings() {
    each("ELEMENT_SEATBELT_SLIPRING", [&](const Keyword& k, const Record& r) {
      SlipRing in;
      in.id = r.integer("SBSRID");
      const std::string by = label(k, in.id);
      in.first = device_element(r.integer("SBID1"), by, r.place("SBID1"));
      in.second = device_element(r.integer("SBID2"), by, r.place("SBID2"));
      in.node = node(r.integer("SBRNID"), by, r.place("SBRNID"));
      in.friction = r.real("FC");
      if (in.friction < 0.0)
        in.friction_curve = build_.find_curve(std::llround(-in.friction), by, r.place("FC"));
      in.lock_time = r.real("LTIME") > 0.0 ? r.real("LTIME") : 1e20;
      in.direction = static_cast<int>(r.integer("DIRECT"));
      if (in.first == in.second)
        build_.error("CR-D337", fmt::format("{}: SBID1 and SBID2 are the same", by), r.place("SBID2"));
      out_.rings.push_back(in);
    });
    std::ranges::sort(out_.rings, {}, &SlipRing::id);
  }

  /// Nodes in the order of their user ids, so that rows of dumps do not depend on the deck's order.
  void settle_nodes() {
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
    for (BeltSensor& s : out_.sensors) move(s.node), move(s.other);
    for (Retractor& r : out_.retractors) move(r.node);
    for (SlipRing& r : out_.rings) move(r.node);
  }

  /// Half of an element's mass at each of its nodes, as lumped masses.
  void add_masses() {
    for (const BeltElement& e : out_.elements) {
      const BeltMaterial& m = out_.materials[static_cast<std::size_t>(e.material)];
      const LocalId a = out_.nodes[static_cast<std::size_t>(e.first)],
                    b = out_.nodes[static_cast<std::size_t>(e.second)];
      const double length = norm(build_.model.nodes.x[static_cast<std::size_t>(b)] -
                                 build_.model.nodes.x[static_cast<std::size_t>(a)]) +
                            e.slack;
      const double mass = m.mass * (e.retractor < 0 ? length : 1.1 * m.shortest);
      for (const LocalId n : {a, b}) build_.model.masses.add(e.id, n, 0.5 * mass);
    }
  }

  Builder& build_;
  Belts out_;
  std::map<GlobalId, std::int32_t> part_;  ///< material of each part of belts
  std::map<GlobalId, GlobalId> in_retractor_;
  std::map<LocalId, std::int64_t> node_;
  Numbers element_, sensor_, retractor_;
  bool lost_ = false;  ///< something does not exist
};

}  // namespace

void read_belts(Builder& build) { BeltReader(build).read(); }

}  // namespace crumple::loads
