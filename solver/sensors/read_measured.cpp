// *SENSOR_DEFINE_ELEMENT, _FORCE and _MISC: values that are measured in each step.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <string>

#include "sensors/reader.hpp"

namespace crumple::sensors {

using model::ElementKind;
using model::Record;

namespace {

const std::map<std::string, Component>& components_of_tensors() {
  static const std::map<std::string, Component> names{{"XX", Component::xx},
                                                      {"YY", Component::yy},
                                                      {"ZZ", Component::zz},
                                                      {"XY", Component::xy},
                                                      {"YZ", Component::yz},
                                                      {"ZX", Component::zx},
                                                      {"HYDR", Component::mean},
                                                      {"MAXS", Component::greatest_shear},
                                                      {"PRIN1", Component::principal_1},
                                                      {"PRIN2", Component::principal_2},
                                                      {"PRIN3", Component::principal_3},
                                                      {"VM", Component::von_mises}};
  return names;
}

const std::map<std::string, Component>& components_of_beams() {
  static const std::map<std::string, Component> names{
      {"AXIAL", Component::axial}, {"SHEARS", Component::shear_s}, {"SHEART", Component::shear_t}};
  return names;
}

class MeasuredReader : private Reader {
 public:
  MeasuredReader(model::Builder& build, Network& network) : Reader(build, network) {}

  void read() {
    for (const auto& [name, read_one] : {std::pair{"SENSOR_DEFINE_ELEMENT", &MeasuredReader::of_element},
                                         std::pair{"SENSOR_DEFINE_FORCE", &MeasuredReader::of_force},
                                         std::pair{"SENSOR_DEFINE_MISC", &MeasuredReader::of_other}})
      for (const model::Keyword& k : build_.deck.all(name))
        for (const Record& r : k.records()) {
          begin(k);
          (this->*read_one)(r);
        }
  }

 private:
  enum class Type { beam, discrete, belt, shell, solid };

  void of_element(const Record& r) {
    Sensor s;
    s.id = r.integer("SENSID");
    s.kind = Kind::element;
    s.entity = r.integer("ELEMID");
    label(s.id);
    static const std::map<std::string, Type> types{{"BEAM", Type::beam},
                                                   {"DISC-ELE", Type::discrete},
                                                   {"SEATBELT", Type::belt},
                                                   {"SHELL", Type::shell},
                                                   {"SOLID", Type::solid}};
    static const std::map<std::string, ElementValue> values{
        {"FORCE", ElementValue::force},     {"MOMENT", ElementValue::moment},
        {"DLEN", ElementValue::elongation}, {"STRESS", ElementValue::stress},
        {"STRAIN", ElementValue::strain},   {"FAIL", ElementValue::failure}};
    const auto type = word(r, "ETYPE", types);
    const auto value = word(r, "CTYPE", values);
    if (!type || !value || !scale(r, s)) return;
    s.element_value = *value;
    if (!matches(*type, *value))
      return not_supported("CTYPE is not a value of elements of ETYPE", r.place("CTYPE"));
    if (*type == Type::belt) s.kind = Kind::belt;
    s.element_kind = *type == Type::beam    ? ElementKind::beam
                     : *type == Type::shell ? ElementKind::shell
                     : *type == Type::solid ? ElementKind::solid
                                            : ElementKind::discrete;
    if (!component(r, *type, s)) return;
    if (*type != Type::belt && build_.elements_of(s.element_kind).find(s.entity) == model::kNone)
      return build_.missing(
          "CR-D302", "element",
          fmt::format("{}: {} {} does not exist", label_, model::kind_name(s.element_kind), s.entity),
          r.place("ELEMID"));
    if (is_new_sensor(s, r)) add(s, {}, {}, r.place("ELEMID"));
  }

  /// SF and PWR; the value is (SF v)^PWR.
  bool scale(const Record& r, Sensor& s) {
    s.scale = model::or_default(r.real("SF"), 1.0);
    const double power = model::or_default(r.real("PWR"), 1.0);
    if (power == 1.0) return true;
    not_supported(fmt::format("PWR = {} is not supported; 1 is", power), r.place("PWR"));
    return false;
  }

  static bool matches(Type type, ElementValue value) {
    using enum ElementValue;
    switch (type) {
      case Type::beam:
        return value == force || value == moment || value == failure;
      case Type::discrete:
        return value == force || value == elongation || value == failure;
      case Type::belt:
        return value == force;
      default:
        return value == stress || value == strain || value == failure;
    }
  }

  /// COMP and LAYER.
  bool component(const Record& r, Type type, Sensor& s) {
    if (s.element_value == ElementValue::failure || type == Type::discrete || type == Type::belt) {
      r.text("COMP"), r.text("LAYER");
      return true;
    }
    const auto named = word(r, "COMP", type == Type::beam ? components_of_beams() : components_of_tensors());
    const std::string layer = upper_case(r.text("LAYER"));
    if (!named) return false;
    s.component = *named;
    const bool strain = s.element_value == ElementValue::strain;
    if (strain && *named == Component::von_mises) {
      not_supported("COMP = VM is of stresses", r.place("COMP"));
      return false;
    }
    return type != Type::shell || shell_layer(layer, strain, r, s);
  }

  /// The lowest point, the highest one, or a point by its number, which a shell with fewer does not have.
  bool shell_layer(const std::string& layer, bool strain, const Record& r, Sensor& s) {
    s.layer = layer == "TOP" ? -1 : 0;
    if (layer.empty() || layer == "BOT" || layer == "TOP") return true;
    const bool number = std::ranges::all_of(layer, [](unsigned char c) { return std::isdigit(c) != 0; });
    if (number && !strain && layer.size() < 4 && std::stoi(layer) > 0) {
      s.layer = std::stoi(layer) - 1;
      return true;
    }
    not_supported(fmt::format("LAYER = {} is not supported; BOT, TOP and, of stresses, a number are", layer),
                  r.place("LAYER"));
    return false;
  }

  void of_force(const Record& r) {
    Sensor s;
    s.id = r.integer("SENSID");
    s.entity = r.integer("TYPEID");
    label(s.id);
    static const std::map<std::string, Kind> kinds{{"CONTACT", Kind::contact},
                                                   {"JOINT", Kind::joint},
                                                   {"RWALL", Kind::wall},
                                                   {"X-SECTION", Kind::section}};
    const auto kind = word(r, "FTYPE", kinds);
    if (!kind) return;
    s.kind = *kind;
    std::string text = upper_case(r.text("VID"));
    if (constexpr std::string_view moment = "MOMENT"; text.ends_with(moment)) {
      s.moment = true;
      text.resize(text.size() - moment.size());
      if (*kind != Kind::joint && *kind != Kind::section)
        return not_supported("moments are those of JOINT and X-SECTION", r.place("VID"));
    }
    if (text == "M")
      s.magnitude = true;
    else if (const auto letter = std::string("XYZ").find(text);
             text.size() == 1 && letter != std::string::npos)
      s.direction = axis(static_cast<int>(letter));
    else if (s.moment || !vector(text, r, s.direction))
      return not_supported(
          fmt::format("VID = {} is not supported; X, Y, Z, M, with MOMENT behind them, and the "
                      "number of a vector are",
                      r.text("VID")),
          r.place("VID"));
    if (is_new_sensor(s, r)) add(s, {}, {}, r.place("TYPEID"));
  }

  void of_other(const Record& r) {
    Sensor s;
    s.id = r.integer("SENSID");
    label(s.id);
    static const std::map<std::string, Kind> kinds{
        {"CURVE", Kind::curve}, {"RETRACTOR", Kind::retractor}, {"JNTSTG", Kind::joint_angle}};
    const auto kind = word(r, "MTYPE", kinds);
    if (!kind) return;
    s.kind = *kind;
    s.entity = number(r, "I1");
    for (const char* const field : {"I2", "I3", "I4", "I5"})
      if (!r.text(field).empty() && r.text(field) != "0")
        return wrong(fmt::format("{} has no meaning here", field), r.place(field));
    static const std::map<std::string, std::int32_t> of_retractors{
        {"PULLRATE", 0}, {"", 0}, {"PULLOUT", 1}, {"FORCE", 2}};
    static const std::map<std::string, std::int32_t> of_angles{
        {"PHI", 0}, {"THETA", 1}, {"PSI", 2}, {"IPSI", 2}, {"PHIR", 3}, {"THETAR", 4}, {"PSIR", 5}};
    if (*kind != Kind::curve) {
      const auto choice = word(r, "I0", *kind == Kind::retractor ? of_retractors : of_angles);
      if (!choice) return;
      s.choice = *choice;
    } else {
      r.text("I0");
      s.index = build_.find_curve(s.entity, label_, r.place("I1"));
      if (s.index == model::kNone) return;
    }
    if (is_new_sensor(s, r)) add(s, {}, {}, r.place("I1"));
  }

  /// A number in a field of text.
  GlobalId number(const Record& r, const char* field) {
    const std::string text = r.text(field);
    if (!text.empty() && text.size() < 19 &&
        std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; }))
      return std::stoll(text);
    wrong(fmt::format("{} = {} is not a number", field, text), r.place(field));
    return 0;
  }
};

}  // namespace

void read_measured(model::Builder& build, Network& network) { MeasuredReader(build, network).read(); }

}  // namespace crumple::sensors
