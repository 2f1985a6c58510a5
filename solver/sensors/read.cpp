// *SENSOR_DEFINE_NODE and _CALC-MATH, *SENSOR_SWITCH and _CALC-LOGIC, *TERMINATION_NODE, _BODY, _CONTACT,
// _CURVE, _DELETED_SHELLS, _DELETED_SOLIDS and _SENSOR.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "base/no_limit.hpp"
#include "sensors/reader.hpp"

namespace crumple::sensors {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::Record;

namespace {

constexpr const char* kAxes = "xyz";

class SensorReader : private Reader {
 public:
  SensorReader(Builder& build, Network& network) : Reader(build, network) {}

  void read() {
    each({"SENSOR_DEFINE_NODE", "SENSOR_DEFINE_NODE_SET"}, &SensorReader::of_nodes);
    read_measured(build_, network_);
    each({"SENSOR_DEFINE_CALC-MATH"}, &SensorReader::of_sensors);
    each({"SENSOR_SWITCH"}, &SensorReader::one_switch);
    each({"SENSOR_SWITCH_CALC-LOGIC"}, &SensorReader::logic);
    read_controls(build_, network_);
    each({"TERMINATION_SENSOR"}, &SensorReader::end_by_switch);
    each({"TERMINATION_NODE"}, &SensorReader::end_by_node);
    each({"TERMINATION_BODY"}, &SensorReader::end_by_body);
    each({"TERMINATION_CONTACT"}, &SensorReader::end_by_contact);
    each({"TERMINATION_CURVE"}, &SensorReader::end_by_curve);
    each({"TERMINATION_DELETED_SHELLS", "TERMINATION_DELETED_SHELLS_SET", "TERMINATION_DELETED_SOLIDS",
          "TERMINATION_DELETED_SOLIDS_SET"},
         &SensorReader::end_by_deletions);
  }

 private:
  void each(std::initializer_list<const char*> names, void (SensorReader::*read_one)(const Record&)) {
    for (const char* const name : names)
      for (const Keyword& k : build_.deck.all(name))
        for (const Record& r : k.records()) {
          begin(k);
          (this->*read_one)(r);
        }
  }

  std::vector<LocalId> nodes_of(const Record& r, const char* field) {
    const GlobalId id = r.integer(field);
    if (!sets_) {
      const LocalId n = build_.find_node(id, label_, r.place(field));
      return n == kNone ? std::vector<LocalId>{} : std::vector{n};
    }
    const model::NodeSet* const set = build_.find_node_set(id, label_, r.place(field));
    if (set && set->nodes.empty()) wrong(fmt::format("node set {} is empty", id), r.place(field));
    return set ? set->nodes : std::vector<LocalId>{};
  }

  /// VID: an axis by its letter, the number of a vector, or 0 for the magnitude.
  bool direction(const Record& r, Sensor& sensor) {
    const std::string text = upper_case(r.text("VID"));
    if (const auto letter = std::string("XYZ").find(text); text.size() == 1 && letter != std::string::npos) {
      sensor.direction = axis(static_cast<int>(letter));
      return true;
    }
    if (text.empty() || std::ranges::all_of(text, [](char c) { return c == '0'; })) {
      sensor.magnitude = true;
      return true;
    }
    return vector(text, r, sensor.direction);
  }

  void of_nodes(const Record& r) {
    Sensor sensor;
    sensor.id = r.integer("SENSID");
    label(sensor.id);
    static const std::map<std::string, Quantity> quantities{
        {"ACC", Quantity::acceleration}, {"VEL", Quantity::velocity}, {"COORD", Quantity::coordinate}};
    static const std::map<std::string, Operation> operations{{"AVG", Operation::average},
                                                             {"SUM", Operation::sum},
                                                             {"MIN", Operation::least},
                                                             {"MAX", Operation::greatest}};
    const auto quantity = word(r, "CTYPE", quantities);
    const auto operation = sets_ ? word(r, "SETOPT", operations) : Operation::sum;
    std::vector<LocalId> nodes = nodes_of(r, "NODE1"), others;
    if (r.integer("NODE2") != 0) {
      others = nodes_of(r, "NODE2");
      if (others.empty()) return;
      if (others.size() != nodes.size() && !nodes.empty())
        return wrong(
            fmt::format("its sets have {} and {} nodes, they must have as many", nodes.size(), others.size()),
            r.place("NODE2"));
    }
    if (!quantity || !operation || nodes.empty() || !direction(r, sensor)) return;
    if (!is_new(index_of(network_.sensors, sensor.id), "sensor", sensor.id, r.place("SENSID"))) return;
    sensor.quantity = *quantity;
    sensor.operation = *operation;
    add(sensor, std::move(nodes), std::move(others));
  }

  void of_sensors(const Record& r) {
    Sensor sensor;
    sensor.id = r.integer("SENSID");
    sensor.kind = Kind::math;
    label(sensor.id);
    static const std::map<std::string, Operation> operations{{"ABSSUM", Operation::sum_of_magnitudes},
                                                             {"MIN", Operation::least},
                                                             {"MAX", Operation::greatest},
                                                             {"MAXMAG", Operation::greatest_magnitude},
                                                             {"MINMAG", Operation::least_magnitude},
                                                             {"MULTIPLY", Operation::product},
                                                             {"SQRE", Operation::sum_of_squares},
                                                             {"SQRTSQRE", Operation::root_of_squares},
                                                             {"SUBTRACT", Operation::difference},
                                                             {"SUM", Operation::sum}};
    const auto operation = word(r, "CALC", operations);
    std::size_t count = 0;
    for (std::size_t k = 0; k < kMostOperands; ++k) {
      const std::string field = fmt::format("SENS{}", k + 1);
      const GlobalId id = r.integer(field);
      if (id == 0) continue;
      const std::int32_t other = find_sensor(id, r.place(field));
      if (other < 0) return;
      sensor.of[count++] = other;
    }
    if (!operation) return;
    if (count == 0) return wrong("it names no sensor", r.place("SENS1"));
    if (!is_new(index_of(network_.sensors, sensor.id), "sensor", sensor.id, r.place("SENSID"))) return;
    sensor.operation = *operation;
    add(sensor);
  }

  /// Index of a sensor that is already read; -1 and an error without one.
  std::int32_t find_sensor(GlobalId id, const Place& place) {
    const std::int32_t index = index_of(network_.sensors, id);
    if (index < 0)
      build_.missing(
          "CR-D304", "sensor",
          fmt::format(
              "{}: sensor {} does not exist, is of a kind that is not supported, or is defined after it",
              label_, id),
          place);
    return index;
  }

  void one_switch(const Record& r) {
    Switch s;
    s.id = r.integer("SWITID");
    label(s.id);
    static const std::map<std::string, bool> kinds{{"SENSOR", false}, {"", false}, {"TIME", true}};
    static const std::map<std::string, bool> comparisons{{"LT", true}, {"GT", false}};
    const auto by_time = word(r, "TYPE", kinds);
    if (!by_time) return;
    if (!*by_time) {
      const auto below = word(r, "LOGIC", comparisons);
      s.sensor = find_sensor(r.integer("SENSID"), r.place("SENSID"));
      if (!below || s.sensor < 0) return;
      s.below = *below;
    }
    s.value = r.real("VALUE");
    s.window = r.real("TIMWIN");
    s.delay = r.real("TDELAY");
    for (const char* const field : {"TIMWIN", "TDELAY"})
      if (r.real(field) < 0)
        return wrong(fmt::format("{} is {}, it must not be negative", field, r.real(field)), r.place(field));
    if (is_new(index_of(network_.switches, s.id), "switch", s.id, r.place("SWITID")))
      network_.switches.push_back(s);
  }

  /// Switches of which all (positive numbers) or any (negative ones) have acted.
  void logic(const Record& r) {
    Switch s;
    s.id = r.integer("SWITID");
    label(s.id);
    std::size_t count = 0;
    int ands = 0, ors = 0;
    for (std::size_t k = 0; k < kMostSwitches; ++k) {
      const std::string field = fmt::format("SWIT{}", k + 1);
      const GlobalId id = r.integer(field);
      if (id == 0) continue;
      if (count > 0) ++(id > 0 ? ands : ors);
      const std::int32_t other = find_switch(std::abs(id), r.place(field));
      if (other < 0) return;
      s.of[count++] = other;
    }
    if (count == 0) return wrong("it names no switch", r.place("SWIT1"));
    if (ands > 0 && ors > 0)
      return not_supported(
          "both AND (positive numbers) and OR (negative ones): their order is not established", r.place());
    s.all = ors == 0;
    if (is_new(index_of(network_.switches, s.id), "switch", s.id, r.place("SWITID")))
      network_.switches.push_back(s);
  }

  void end_by_switch(const Record& r) {
    const GlobalId id = r.integer("SWITID");
    label_ = keyword_;
    if (const std::int32_t by = find_switch(id, r.place("SWITID")); by >= 0)
      network_.endings.push_back({fmt::format("{}: switch {} acts", keyword_, id), by});
  }

  /// Adds an end for a value above MAXC, and one for a value below MINC.
  void end_beyond(const Record& r, std::int32_t sensor, const std::string& what) {
    bool any = false;
    for (const char* const field : {"MAXC", "MINC"}) {
      if (!r.given(field)) continue;
      any = true;
      const bool below = field[1] == 'I';
      const double value = r.real(field);
      network_.switches.push_back({0, sensor, below, value, 0, 0});
      network_.endings.push_back(
          {fmt::format("{}: {} is {} {:g}", label_, what, below ? "below" : "above", value),
           static_cast<std::int32_t>(network_.switches.size()) - 1});
    }
    if (!any) wrong("neither MAXC nor MINC is given", r.place());
  }

  void end_by_node(const Record& r) {
    label(r.integer("NID"));
    const GlobalId stop = r.integer("STOP");
    const LocalId n = build_.find_node(r.integer("NID"), label_, r.place("NID"));
    if (stop == 4)
      return not_supported("STOP = 4, the touch of a contact surface, is not supported; 1 to 3 are",
                           r.place("STOP"));
    if (stop < 1 || stop > 3) return wrong(fmt::format("STOP = {} is none of 1 to 4", stop), r.place("STOP"));
    if (n == kNone) return;
    const int k = static_cast<int>(stop) - 1;
    Sensor sensor;
    sensor.direction = axis(k);
    end_beyond(r, add(sensor, {n}), std::string(1, kAxes[k]));
  }

  void end_by_body(const Record& r) {
    label(r.integer("PID"));
    const GlobalId stop = r.integer("STOP");
    const LocalId body = build_.find_rigid_body(r.integer("PID"), label_, r.place("PID"));
    if (stop < 1 || stop > 4) return wrong(fmt::format("STOP = {} is none of 1 to 4", stop), r.place("STOP"));
    if (body == kNone) return;
    const int k = static_cast<int>(stop) - 1;
    Sensor sensor;
    sensor.kind = Kind::body;
    sensor.magnitude = stop == 4;
    sensor.body = body;
    if (!sensor.magnitude) sensor.direction = axis(k);
    end_beyond(r, add(sensor),
               sensor.magnitude ? std::string("its displacement")
                                : fmt::format("its displacement along {}", kAxes[k]));
  }

  void end_by(const Switch& s, std::string why) {
    network_.switches.push_back(s);
    network_.endings.push_back({std::move(why), static_cast<std::int32_t>(network_.switches.size()) - 1});
  }

  /// The force between the sides of a contact has been none for DUR, after ACTIM.
  void end_by_contact(const Record& r) {
    Sensor sensor;
    sensor.kind = Kind::contact_size;
    sensor.entity = r.integer("CID");
    label(sensor.entity);
    sensor.threshold = r.real("THRES");
    const GlobalId dof = r.integer("DOF");
    if (dof < 0 || dof > 3) return wrong(fmt::format("DOF = {} is none of 0 to 3", dof), r.place("DOF"));
    for (const char* const field : {"ACTIM", "DUR", "THRES"})
      if (r.real(field) < 0)
        return wrong(fmt::format("{} is {}, it must not be negative", field, r.real(field)), r.place(field));
    sensor.magnitude = dof == 0;
    if (dof > 0) sensor.direction = axis(static_cast<int>(dof) - 1);
    build_.awaited_contacts.push_back({sensor.entity, label_, r.place("CID")});
    Switch s{0, add(sensor), true, std::numeric_limits<double>::min(), r.real("DUR"), 0, r.real("ACTIM")};
    if (s.window == 0 && s.begin == 0)
      build_.warn("CR-D330",
                  fmt::format("{}: without ACTIM and DUR the run ends at the first step without a force, "
                              "also before the first touch",
                              label_),
                  r.place());
    end_by(s, fmt::format("{}: its force{} is none", label_,
                          dof > 0 ? fmt::format(" along {}", kAxes[dof - 1]) : std::string{}));
  }

  /// Time at which a curve returns to zero: after it was not zero, or with ATIME > 0 the first zero from
  /// then. Without one kNoLimit. Between points a curve is straight.
  static double return_to_zero(const model::Curve& curve, double from) {
    bool away = from > 0;
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      const double y = curve.y[i];
      if (i > 0 && curve.y[i - 1] * y < 0) {
        const double share = curve.y[i - 1] / (curve.y[i - 1] - y);
        const double at = curve.x[i - 1] + share * (curve.x[i] - curve.x[i - 1]);
        if (at >= from) return at;
      }
      if (y == 0 && away && curve.x[i] >= from) return curve.x[i];
      // All of a piece is zero, and it begins before.
      if (y == 0 && away && i + 1 < curve.x.size() && curve.y[i + 1] == 0 && curve.x[i + 1] >= from)
        return from;
      away = away || y != 0;
    }
    return kNoLimit;
  }

  void end_by_curve(const Record& r) {
    label(r.integer("LCID"));
    const LocalId curve = build_.find_curve(r.integer("LCID"), label_, r.place("LCID"));
    if (curve == kNone) return;
    const double at = return_to_zero(build_.model.curves[static_cast<std::size_t>(curve)], r.real("ATIME"));
    if (at == kNoLimit)
      return build_.warn("CR-D330", fmt::format("{}: the curve does not return to zero", label_), r.place());
    end_by({0, -1, false, std::nextafter(at, -kNoLimit), 0, 0, 0},
           fmt::format("{}: the curve returns to zero at {:g}", label_, at));
  }

  void end_by_deletions(const Record& r) {
    const GlobalId id = r.integer(sets_ ? "PSID" : "PID"), count = r.integer("NDS");
    label(id);
    const bool shells = keyword_.find("SHELLS") != keyword_.npos;
    LocalId part = kNone;
    if (!sets_) {
      part = build_.find_part(id, label_, r.place("PID"));
    } else if (const model::PartSet* const set = build_.find_part_set(id, label_, r.place("PSID"))) {
      if (set->parts.size() != 1)
        return not_supported(
            "whether NDS counts in each part of a set or in all is not established: name the "
            "parts, or a set of one",
            r.place("PSID"));
      part = set->parts[0];
    }
    if (part == kNone) return;
    if (count < 1)
      return not_supported(fmt::format("NDS = {} is not supported, a number of elements is", count),
                           r.place("NDS"));
    const model::ElementKind kind = build_.model.parts[static_cast<std::size_t>(part)].kind;
    if (kind != (shells ? model::ElementKind::shell : model::ElementKind::solid))
      return wrong(fmt::format("the part has no {}", shells ? "shells" : "solids"), r.place());
    Sensor sensor;
    sensor.kind = Kind::deleted;
    sensor.part = part;
    end_by({0, add(sensor), false, static_cast<double>(count) - 0.5, 0, 0, 0},
           fmt::format("{}: {} {} are deleted", label_, count, shells ? "shells" : "solids"));
  }
};

}  // namespace

std::string upper_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

Vec3 axis(int k) {
  Vec3 d;
  d[k] = 1;
  return d;
}

bool Reader::vector(const std::string& text, const Record& r, Vec3& direction) {
  if (text.empty() || !std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; })) {
    wrong(fmt::format("VID = {} is neither the number of a vector nor X, Y or Z", text), r.place("VID"));
    return false;
  }
  const auto found = build_.vectors.find(std::stoll(text));
  if (found == build_.vectors.end()) {
    build_.missing("CR-D304", "vector", fmt::format("{}: vector {} does not exist", label_, text),
                   r.place("VID"));
    return false;
  }
  direction = (1.0 / norm(found->second)) * found->second;
  return true;
}

void read_sensors(Builder& build) {
  Network network;
  SensorReader(build, network).read();
  if (!network.switches.empty()) build.model.features.of<Network>().push_back(std::move(network));
}

}  // namespace crumple::sensors
