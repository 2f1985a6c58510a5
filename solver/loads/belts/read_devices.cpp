// *ELEMENT_SEATBELT_SENSOR, _RETRACTOR, _PRETENSIONER and _SLIPRING. Devices of belts of shells are one for
// each row, with the same number.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <set>

#include "loads/belts/reader.hpp"

namespace crumple::loads {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::Record;

void BeltReader::refuse_devices_alone() {
  for (const char* const keyword :
       {"ELEMENT_SEATBELT_RETRACTOR", "ELEMENT_SEATBELT_SLIPRING", "ELEMENT_SEATBELT_PRETENSIONER"})
    for (const Keyword& k : build_.deck.all(keyword))
      for (const Record& r : k.records())
        if (!build_.lost("element"))
          build_.error("CR-D337", fmt::format("{}: the deck has no belt elements", Builder::star(k)),
                       r.place());
}

void BeltReader::number_devices() {
  std::set<GlobalId> sensors;
  each("ELEMENT_SEATBELT_SENSOR", [&](const Keyword& k, const Record& r) {
    if (!sensors.insert(r.integer("SBSID")).second)
      build_.error("CR-D301", fmt::format("{} is defined twice", label(k, r.integer("SBSID"))), r.place());
  });
  for (const GlobalId id : sensors) sensor_.emplace(id, static_cast<std::int32_t>(sensor_.size()));
  each("ELEMENT_SEATBELT_RETRACTOR", [&](const Keyword& k, const Record& r) {
    const GlobalId id = r.integer("SBRID"), at = r.integer("SBRNID");
    const model::NodeSet* const set = at < 0 ? build_.model.sets.node_set(-at) : nullptr;
    const std::int32_t rows = set != nullptr ? static_cast<std::int32_t>(set->nodes.size()) : 1;
    if (!rows_of_.emplace(id, rows).second)
      build_.error("CR-D301", fmt::format("{} is defined twice", label(k, id)), r.place());
  });
  std::int32_t next = 0;
  for (const auto& [id, rows] : rows_of_) {
    retractor_.emplace(id, next);
    next += rows;
  }
  for (const auto& [element, id] : in_retractor_)
    out_.elements[static_cast<std::size_t>(element_.at(element))].retractor =
        find(retractor_, id, "retractor", fmt::format("*ELEMENT_SEATBELT {}", element), {});
}

std::int32_t BeltReader::find(const Numbers& numbers, GlobalId id, const char* what, const std::string& by,
                              const Place& place) {
  const auto at = numbers.find(id);
  if (at != numbers.end()) return at->second;
  build_.error("CR-D337", fmt::format("{}: {} {} does not exist", by, what, id), place);
  lost_ = true;
  return 0;
}

std::vector<std::int32_t> BeltReader::sensors_of(const Record& r, std::span<const char* const> fields,
                                                 const std::string& by, sensors::Controlled kind,
                                                 GlobalId id) {
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
bool BeltReader::is_switched(sensors::Controlled kind, GlobalId id) const {
  return std::ranges::any_of(build_.model.features.of<sensors::Network>(), [&](const sensors::Network& n) {
    return std::ranges::any_of(n.controls,
                               [&](const sensors::Control& c) { return c.kind == kind && c.entity == id; });
  });
}

void BeltReader::read_sensors() {
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

/// Of the rows of a retractor the one in the middle is measured.
void BeltReader::read_limits(const Record& r, const std::string& by, BeltSensor& s) {
  const auto retractor = [&] {
    const GlobalId id = r.integer("SBRID");
    const std::int32_t first = find(retractor_, id, "retractor", by, r.place("SBRID"));
    const auto rows = rows_of_.find(id);
    return rows == rows_of_.end() ? first : first + rows->second / 2;
  };
  switch (s.type) {
    case SensorType::acceleration:
      s.node = node(r.integer("NID"), by, r.place("NID"));
      s.axis = static_cast<std::int32_t>(std::clamp<std::int64_t>(r.integer("DOF"), 1, 3) - 1);
      s.upper = r.real("ACC");
      s.duration = r.real("ATIME");
      break;
    case SensorType::pull_out_rate:
      s.retractor = retractor();
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
      s.retractor = retractor();
      s.upper = r.real("PULMX");
      s.lower = r.real("PULMN");
      break;
  }
}

/// An element that meets a device, with LMIN.
std::int32_t BeltReader::device_element(GlobalId id, const std::string& by, const Place& place) {
  const std::int32_t e = find(element_, id, "belt element", by, place);
  check_device_element(e, by, place);
  return e;
}

void BeltReader::check_device_element(std::int32_t e, const std::string& by, const Place& place) {
  const BeltElement& element = out_.elements[static_cast<std::size_t>(e)];
  const GlobalId id = std::abs(element.id);
  if (!(out_.materials[static_cast<std::size_t>(element.material)].shortest > 0.0))
    build_.error("CR-D310", fmt::format("{}: *MAT_SEATBELT of element {} needs LMIN", by, id), place);
  if (element.retractor >= 0 || row_in_retractor_.contains(e))
    build_.error("CR-D337", fmt::format("{}: element {} is inside a retractor", by, id), place);
}

/// One device, or one for each row of a belt of shells: SBRNID is the negative number of a set of nodes.
std::vector<BeltReader::RowEnd> BeltReader::ends(const Record& r, const std::string& by,
                                                 std::span<const char* const> fields) {
  if (r.integer("SBRNID") < 0) return row_ends(r, by, fields);
  RowEnd end;
  for (const char* const field : fields)
    end.elements.push_back(device_element(r.integer(field), by, r.place(field)));
  end.node = node(r.integer("SBRNID"), by, r.place("SBRNID"));
  return {end};
}

void BeltReader::read_retractors() {
  each("ELEMENT_SEATBELT_RETRACTOR", [&](const Keyword& k, const Record& r) { read_retractor(k, r); });
  std::ranges::stable_sort(out_.retractors, {}, &Retractor::id);
  if (!lost_) report_unwound();
}

void BeltReader::read_retractor(const Keyword& k, const Record& r) {
  Retractor in;
  in.id = r.integer("SBRID");
  const std::string by = label(k, in.id);
  const std::vector<RowEnd> rows = ends(r, by, std::array{"SBID"});
  in.sensors =
      sensors_of(r, std::array{"SID1", "SID2", "SID3", "SID4"}, by, sensors::Controlled::retractor, in.id);
  in.delay = r.real("TDEL");
  in.payout = r.real("PULL");
  in.loading = build_.find_curve(r.integer("LLCID"), by, r.place("LLCID"));
  in.unloading =
      r.integer("ULCID") == 0 ? in.loading : build_.find_curve(r.integer("ULCID"), by, r.place("ULCID"));
  for (const LocalId curve : {in.loading, in.unloading}) check_rises(curve, by, r);
  in.fed = r.real("LFED");
  for (std::size_t row = 0; row < rows.size(); ++row) {
    in.node = rows[row].node;
    in.mouth = rows[row].elements[0];
    in.inside.clear();
    const BeltElement& mouth = out_.elements[static_cast<std::size_t>(in.mouth)];
    const double shortest = out_.materials[static_cast<std::size_t>(mouth.material)].shortest;
    if (row == 0 && in.fed < 3.0 * shortest)
      build_.error("CR-D310",
                   fmt::format("{}: LFED = {} must be three times LMIN = {} at least", by, in.fed, shortest),
                   r.place("LFED"));
    if (!lost_) wind_up(in, retractor_.at(in.id) + static_cast<std::int32_t>(row), by, r);
    out_.retractors.push_back(in);
  }
}

/// The elements inside, from the mouth inwards.
void BeltReader::wind_up(Retractor& in, std::int32_t number, const std::string& by, const Record& r) {
  const BeltElement& mouth = out_.elements[static_cast<std::size_t>(in.mouth)];
  const auto away = [&](std::int64_t n) { return norm(position(n) - position(in.node)); };
  std::int64_t at = away(mouth.first) <= away(mouth.second) ? mouth.first : mouth.second;
  std::size_t all = 0;
  for (const BeltElement& e : out_.elements) all += e.retractor == number;
  std::set<std::int32_t> used;
  const auto is_here = [&](std::int32_t index) {
    const auto row = row_in_retractor_.find(index);
    return out_.elements[static_cast<std::size_t>(index)].retractor == number ||
           (row != row_in_retractor_.end() && row->second == in.id);
  };
  for (bool found = true; found;) {
    found = false;
    for (std::size_t e = 0; e < out_.elements.size() && !found; ++e) {
      BeltElement& element = out_.elements[e];
      const auto index = static_cast<std::int32_t>(e);
      if (!is_here(index) || used.contains(index) || (element.first != at && element.second != at)) continue;
      at = element.first == at ? element.second : element.first;
      all += element.retractor != number;
      element.retractor = number;
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

/// Rows of shells that name a retractor as SBRID and are not in it.
void BeltReader::report_unwound() {
  std::set<GlobalId> reported;
  for (const auto& [element, retractor] : row_in_retractor_) {
    const BeltElement& e = out_.elements[static_cast<std::size_t>(element)];
    if (e.retractor < 0 && reported.insert(retractor).second)
      build_.error("CR-D337",
                   fmt::format("*ELEMENT_SEATBELT {}: it is not in a row from the mouth of retractor {}",
                               std::abs(e.id), retractor),
                   {});
  }
}

void BeltReader::read_pretensioners() {
  each("ELEMENT_SEATBELT_PRETENSIONER", [&](const Keyword& k, const Record& r) {
    Pretensioner in;
    in.id = r.integer("SBPRID");
    const std::string by = label(k, in.id);
    const auto type = r.integer("SBPRTY");
    in.by_force = type == 4 || type == 6;
    in.sensors = sensors_of(r, std::array{"SBSID1", "SBSID2", "SBSID3", "SBSID4"}, by,
                            sensors::Controlled::pretensioner, in.id);
    const GlobalId retractor = r.integer("SBRID");
    in.retractor = find(retractor_, retractor, "retractor", by, r.place("SBRID"));
    in.delay = r.real("TIME");
    in.curve = build_.find_curve(r.integer("PTLCID"), by, r.place("PTLCID"));
    in.limit = r.real("LMTFRC");
    if (type == 1) in.limit = 0.0;
    const auto rows = rows_of_.find(retractor);
    for (std::int32_t row = 0; rows != rows_of_.end() && row < rows->second; ++row, ++in.retractor)
      out_.pretensioners.push_back(in);
  });
  std::ranges::stable_sort(out_.pretensioners, {}, &Pretensioner::id);
}

void BeltReader::read_rings() {
  each("ELEMENT_SEATBELT_SLIPRING", [&](const Keyword& k, const Record& r) {
    SlipRing in;
    in.id = r.integer("SBSRID");
    const std::string by = label(k, in.id);
    const std::vector<RowEnd> rows = ends(r, by, std::array{"SBID1", "SBID2"});
    in.friction = r.real("FC");
    if (in.friction < 0.0)
      in.friction_curve = build_.find_curve(std::llround(-in.friction), by, r.place("FC"));
    in.lock_time = r.real("LTIME") > 0.0 ? r.real("LTIME") : 1e20;
    in.direction = static_cast<int>(r.integer("DIRECT"));
    for (const RowEnd& row : rows) {
      in.node = row.node;
      in.first = row.elements[0];
      in.second = row.elements[1];
      if (in.first == in.second)
        build_.error("CR-D337", fmt::format("{}: SBID1 and SBID2 are the same", by), r.place("SBID2"));
      out_.rings.push_back(in);
    }
  });
  std::ranges::stable_sort(out_.rings, {}, &SlipRing::id);
}

}  // namespace crumple::loads
