// *SENSOR_CONTROL: what switches turn on and off.
#include <map>
#include <string>

#include "sensors/reader.hpp"

namespace crumple::sensors {

using model::ElementKind;
using model::kNone;
using model::Record;

namespace {

/// A kind of entity, the status with which it may begin, and how many switches may change it.
struct ControlRule {
  Controlled kind{};
  bool may_begin_on = false, may_begin_off = true;
  std::size_t switches_if_on = 1, switches_if_off = 1;
  const char* why = "";
};

const std::map<std::string, ControlRule>& rules() {
  constexpr std::size_t kAny = 7;
  static const std::map<std::string, ControlRule> all{
      {"AIRBAG", {Controlled::airbag, false, true, 0, 1, "gas begins, and does not end"}},
      {"BELTPRET", {Controlled::pretensioner, false, true, 0, 1, "a pretensioner fires once"}},
      {"BELTRETRA", {Controlled::retractor, false, true, 0, 1, "a retractor locks once"}},
      {"JOINT", {Controlled::joint, true, false, 1, 0, "a joint is let go, and does not close"}},
      {"JOINTSTIF", {Controlled::stiffness, true, true, kAny, kAny, ""}},
      {"CONTACT", {Controlled::contact, true, true, 1, 2, "a contact that has ended does not begin again"}},
      {"RWALL", {Controlled::wall, true, true, 1, 2, "a wall that has ended does not begin again"}},
      {"PRESC-MOT", {Controlled::motion, true, true, kAny, kAny, ""}},
      {"ELESET", {Controlled::elements, true, false, 1, 0, "deleted elements do not come back"}}};
  return all;
}

class ControlReader : private Reader {
 public:
  ControlReader(model::Builder& build, Network& network) : Reader(build, network) {}

  void read() {
    for (const model::Keyword& k : build_.deck.all("SENSOR_CONTROL"))
      for (const Record& r : k.records()) {
        begin(k);
        control(r);
      }
  }

 private:
  void control(const Record& r) {
    Control c;
    c.id = r.integer("CNTLID");
    c.entity = r.integer("TYPEID");
    c.place = r.place("TYPEID");
    label(c.id);
    const auto rule = word(r, "TYPE", rules());
    static const std::map<std::string, bool> states{{"ON", true}, {"OFF", false}};
    const auto on = word(r, "INITSTT", states);
    if (!rule || !on) return;
    c.kind = rule->kind;
    c.on = *on;
    if (!(c.on ? rule->may_begin_on : rule->may_begin_off))
      return not_supported(
          fmt::format("INITSTT = {} is not supported here: {}", c.on ? "ON" : "OFF", rule->why),
          r.place("INITSTT"));
    if (!switches(r, c.on ? rule->switches_if_on : rule->switches_if_off, *rule, c)) return;
    if (c.kind == Controlled::elements ? !element_set(r, c) : !no_elements(r)) return;
    if (is_new(index_of(network_.controls, c.id), "control", c.id, r.place("CNTLID")))
      network_.controls.push_back(std::move(c));
  }

  bool no_elements(const Record& r) {
    if (r.text("ESTYP").empty()) return true;
    wrong("ESTYP is of TYPE = ELESET", r.place("ESTYP"));
    return false;
  }

  bool switches(const Record& r, std::size_t most, const ControlRule& rule, Control& c) {
    for (int k = 1; k <= 7; ++k) {
      const std::string field = fmt::format("SWIT{}", k);
      const GlobalId id = r.integer(field);
      if (id == 0) continue;
      if (c.by.size() == most) {
        not_supported(fmt::format("{}: {}; {} of its switches can act", field, rule.why, most),
                      r.place(field));
        return false;
      }
      const std::int32_t by = find_switch(id, r.place(field));
      if (by < 0) return false;
      c.by.push_back(by);
    }
    if (!c.by.empty()) return true;
    wrong("it names no switch", r.place("SWIT1"));
    return false;
  }

  /// Numbers of the elements of a set.
  bool element_set(const Record& r, Control& c) {
    static const std::map<std::string, ElementKind> kinds{{"BEAM", ElementKind::beam},
                                                          {"DISC", ElementKind::discrete},
                                                          {"SHELL", ElementKind::shell},
                                                          {"SOLID", ElementKind::solid}};
    const auto kind = word(r, "ESTYP", kinds);
    if (!kind) return false;
    c.element_kind = *kind;
    if (c.entity == 0) {
      not_supported("all elements of a kind (TYPEID = 0) are not deleted; name a set", r.place("TYPEID"));
      return false;
    }
    const model::Model& m = build_.model;
    const model::Sets& sets = m.sets;
    const auto take = [&](const auto& table, const char* name, const auto& all, auto list, const auto& ids) {
      const LocalId at = build_.find(table, c.entity, "CR-D305", name, label_, r.place("TYPEID"));
      if (at == kNone) return false;
      for (const LocalId e : all[static_cast<std::size_t>(at)].*list)
        c.numbers.push_back(ids[static_cast<std::size_t>(e)]);
      return true;
    };
    using Set = model::ElementSet;
    if (*kind == ElementKind::beam)
      return take(build_.beam_sets, "beam set", sets.beams, &Set::elements, m.beams.id);
    if (*kind == ElementKind::solid)
      return take(build_.solid_sets, "solid set", sets.solids, &Set::elements, m.solids.id);
    if (*kind == ElementKind::discrete)
      return take(build_.discrete_sets, "discrete set", sets.discretes, &Set::elements, m.discretes.id);
    return take(build_.shell_sets, "shell set", sets.shells, &model::ShellSet::shells, m.shells.id);
  }
};

}  // namespace

void read_controls(model::Builder& build, Network& network) { ControlReader(build, network).read(); }

}  // namespace crumple::sensors
