// From user numbers to the whole model.
#include "restart/apply_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace crumple::restart {

using deck::Severity;
using model::ElementKind;

namespace {

using model::OutputControl;

/// Histories by keyword.
struct HistoryOf {
  const char* keyword;
  double OutputControl::*interval;
  int OutputControl::*binary;
};
constexpr HistoryOf kHistories[] = {
    {"DATABASE_GLSTAT", &OutputControl::glstat, &OutputControl::glstat_binary},
    {"DATABASE_MATSUM", &OutputControl::matsum, &OutputControl::matsum_binary},
    {"DATABASE_RCFORC", &OutputControl::rcforc, &OutputControl::rcforc_binary},
    {"DATABASE_RWFORC", &OutputControl::rwforc, &OutputControl::rwforc_binary},
    {"DATABASE_SWFORC", &OutputControl::swforc, &OutputControl::swforc_binary},
    {"DATABASE_SECFORC", &OutputControl::secforc, &OutputControl::secforc_binary},
    {"DATABASE_SPCFORC", &OutputControl::spcforc, &OutputControl::spcforc_binary},
    {"DATABASE_BNDOUT", &OutputControl::bndout, &OutputControl::bndout_binary},
    {"DATABASE_SLEOUT", &OutputControl::sleout, &OutputControl::sleout_binary},
    {"DATABASE_NCFORC", &OutputControl::ncforc, &OutputControl::ncforc_binary},
    {"DATABASE_JNTFORC", &OutputControl::jntforc, &OutputControl::jntforc_binary},
    {"DATABASE_RBDOUT", &OutputControl::rbdout, &OutputControl::rbdout_binary},
    {"DATABASE_NODOUT", &OutputControl::nodout, &OutputControl::nodout_binary},
    {"DATABASE_ELOUT", &OutputControl::elout, &OutputControl::elout_binary},
    {"DATABASE_DEFORC", &OutputControl::deforc, &OutputControl::deforc_binary},
};

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

void set_interval(const NewInterval& given, model::Model& model) {
  OutputControl& o = model.output;
  if (given.keyword == "DATABASE_BINARY_D3PLOT") {
    o.d3plot = given.parts > 0 ? model.control.end_time / static_cast<double>(given.parts) : given.interval;
    return;
  }
  for (const HistoryOf& of : kHistories)
    if (given.keyword == of.keyword) {
      o.*of.interval = given.interval;
      if (given.binary != 0) o.*of.binary = given.binary;
    }
  for (model::FeatureHistory& of : o.of_features)
    if (given.keyword == "DATABASE_" + upper(of.name)) {
      of.interval = given.interval;
      if (given.binary != 0) of.binary = given.binary;
    }
}

/// What both functions below look up, and how they report what is not there.
class Applier {
 public:
  Applier(const Changes& changes, const deck::Deck& deck, const Moment& moment)
      : changes_(changes), deck_(deck), moment_(moment) {}

  void to(model::Model& model) const {
    end(model.control, model.curves);
    if (!changes_.title.empty()) model.control.title = changes_.title;
    if (changes_.step_scale > 0.0) model.control.step_scale = changes_.step_scale;
    for (const NewInterval& interval : changes_.intervals) set_interval(interval, model);
    model::Dumps& dumps = model.output.dumps;
    dumps.d3dump = changes_.d3dump.value_or(dumps.d3dump);
    dumps.runrsf = changes_.runrsf.value_or(dumps.runrsf);
    dumps.suppressed |= changes_.no_dumps;
    model.control.cpu_limit = changes_.cpu_limit.value_or(model.control.cpu_limit);
    if (changes_.runrsf_files > 0) dumps.runrsf_files = changes_.runrsf_files;
    for (const NewCurve& curve : changes_.curves) change(curve, model);
    for (const Named& contact : changes_.contacts) end_contact(contact, model);
  }

  explicit_dynamics::StateChanges of_state(const model::Model& model) const {
    explicit_dynamics::StateChanges made;
    for (const Named& part : changes_.parts) delete_part(part, model, made);
    for (const NamedSet& s : changes_.element_sets) delete_elements(s.kind, s.set, model, made);
    for (auto* list : {&made.parts, &made.shells, &made.solids, &made.beams}) sort(*list);
    made.rest = changes_.others_rest;
    for (const NewVelocity& velocity : changes_.velocities)
      made.velocities.push_back({velocity.of == NewVelocity::Of::all, nodes_of(velocity, model), velocity.v,
                                 velocity.w, velocity.centre, velocity.turns});
    for (const NewBodyVelocity& body : changes_.bodies) move_body(body, model, made);
    if (made.any() && moment_.relaxing) refuse_in_relaxation("deleted elements and changed velocities", {});
    return made;
  }

 private:
  void error(const char* id, std::string text, const Place& place) const {
    deck_.report(Severity::error, id, std::move(text), place);
  }
  void missing(const char* id, const char* what, const Named& named) const {
    error(id, fmt::format("{} {} is not in the model of the run", what, named.id), named.place);
  }
  void refuse_in_relaxation(const char* what, const Place& place) const {
    error("CR-T034",
          fmt::format("the dump is of dynamic relaxation, in which {} are not supported: restart from a dump "
                      "of the run",
                      what),
          place);
  }

  void end(model::Control& c, const std::vector<model::Curve>& curves) const {
    if (changes_.end_time != 0.0) {
      c.end_time = changes_.end_time;
      if (!moment_.relaxing && !(c.end_time > moment_.time))
        error("CR-T032",
              fmt::format("the end time {} is not after the time of the dump, {}", c.end_time, moment_.time),
              changes_.end_place);
      for (const model::Curve& curve : curves)
        if (curve.formula_until > 0 && c.end_time > curve.formula_until)
          error("CR-T032",
                fmt::format("curve {} is a formula, known up to the end of the first run, {:g}", curve.id,
                            curve.formula_until),
                changes_.end_place);
    }
    if (changes_.end_cycle != 0) {
      c.end_cycle = changes_.end_cycle;
      if (!moment_.relaxing && c.end_cycle <= moment_.cycle)
        error("CR-T032",
              fmt::format("the last cycle {} is not after the cycle of the dump, {}", c.end_cycle,
                          moment_.cycle),
              changes_.end_cycle_place);
    }
    if (changes_.min_step_factor != 0.0) c.min_step_factor = changes_.min_step_factor;
    if (changes_.end_energy_ratio != 0.0) c.end_energy_ratio = changes_.end_energy_ratio;
    if (changes_.end_mass != 0.0) c.end_mass = changes_.end_mass;
  }

  void change(const NewCurve& given, model::Model& model) const {
    const LocalId index = model.curve_index(given.curve.id);
    if (index == model::kNone) return missing("CR-D304", "curve", given.curve);
    model::Curve& curve = model.curves[static_cast<std::size_t>(index)];
    if (given.x.size() != curve.x.size())
      return error(
          "CR-T031",
          fmt::format("curve {} has {} points in the run and {} in the restart deck: the number must "
                      "stay the same",
                      given.curve.id, curve.x.size(), given.x.size()),
          given.curve.place);
    curve.x = given.x;
    curve.y = given.y;
  }

  /// The contact dies at the time of the dump.
  void end_contact(const Named& named, model::Model& model) const {
    const auto contact = std::ranges::find(model.contacts, named.id, &model::Contact::id);
    if (contact == model.contacts.end()) return missing("CR-D302", "contact", named);
    if (contact->type == model::ContactType::force_transducer)
      return error("CR-T033",
                   fmt::format("contact {} is a force transducer: it has no forces to delete", named.id),
                   named.place);
    if (moment_.relaxing) return refuse_in_relaxation("deleted contacts", named.place);
    contact->death = std::min(contact->death, moment_.time);
  }

  void delete_part(const Named& named, const model::Model& model,
                   explicit_dynamics::StateChanges& made) const {
    const auto part = std::ranges::find(model.parts, named.id, &model::Part::id);
    if (part == model.parts.end()) return missing("CR-D302", "part", named);
    if (part->rigid_body != model::kNone)
      return error("CR-T033",
                   fmt::format("part {} is rigid: deletion of rigid parts is not supported; delete its "
                               "contacts",
                               named.id),
                   named.place);
    made.parts.push_back(named.id);
  }

  void delete_elements(ElementKind kind, const Named& named, const model::Model& model,
                       explicit_dynamics::StateChanges& made) const {
    const char* const word = kind == ElementKind::shell   ? "SHELL"
                             : kind == ElementKind::solid ? "SOLID"
                                                          : "BEAM";
    std::vector<GlobalId>& list = kind == ElementKind::shell   ? made.shells
                                  : kind == ElementKind::solid ? made.solids
                                                               : made.beams;
    const std::vector<GlobalId>& all = kind == ElementKind::shell   ? model.shells.id
                                       : kind == ElementKind::solid ? model.solids.id
                                                                    : model.beams.id;
    if (const auto own = changes_.sets.find({word, named.id}); own != changes_.sets.end()) {
      const std::set<GlobalId> known(all.begin(), all.end());
      for (const GlobalId id : own->second) {
        if (!known.contains(id)) missing("CR-D302", "element", {id, named.place});
        list.push_back(id);
      }
      return;
    }
    const auto take = [&](const std::vector<LocalId>& members) {
      for (const LocalId e : members) list.push_back(all[static_cast<std::size_t>(e)]);
      return true;
    };
    bool found = false;
    if (kind == ElementKind::shell) {
      if (const model::ShellSet* const set = model.sets.shell_set(named.id)) found = take(set->shells);
    } else {
      const auto& sets = kind == ElementKind::solid ? model.sets.solids : model.sets.beams;
      const auto set = std::ranges::find(sets, named.id, &model::ElementSet::id);
      if (set != sets.end()) found = take(set->elements);
    }
    if (!found) missing("CR-D305", "the element set", named);
  }

  std::vector<GlobalId> nodes_of(const NewVelocity& given, const model::Model& model) const {
    using Of = NewVelocity::Of;
    std::vector<GlobalId> nodes;
    switch (given.of) {
      case Of::all:
        break;
      case Of::node:
        nodes = {given.which.id};
        break;
      case Of::node_set:
        nodes = node_set(given.which, model);
        break;
      case Of::part:
        nodes = nodes_of_parts({given.which.id}, given.which, model);
        break;
      case Of::part_set:
        nodes = nodes_of_parts(part_set(given.which, model), given.which, model);
        break;
    }
    if (given.of == Of::node || given.of == Of::node_set) check_nodes(nodes, given.which, model);
    sort(nodes);
    return nodes;
  }

  std::vector<GlobalId> node_set(const Named& named, const model::Model& model) const {
    if (const auto own = changes_.sets.find({"NODE", named.id}); own != changes_.sets.end())
      return own->second;
    std::vector<GlobalId> nodes;
    const model::NodeSet* const set = model.sets.node_set(named.id);
    if (!set) return missing("CR-D305", "node set", named), nodes;
    for (const LocalId n : set->nodes) nodes.push_back(model.nodes.id[static_cast<std::size_t>(n)]);
    return nodes;
  }

  std::vector<GlobalId> part_set(const Named& named, const model::Model& model) const {
    if (const auto own = changes_.sets.find({"PART", named.id}); own != changes_.sets.end())
      return own->second;
    std::vector<GlobalId> parts;
    const model::PartSet* const set = model.sets.part_set(named.id);
    if (!set) return missing("CR-D305", "part set", named), parts;
    for (const LocalId p : set->parts) parts.push_back(model.parts[static_cast<std::size_t>(p)].id);
    return parts;
  }

  void check_nodes(const std::vector<GlobalId>& nodes, const Named& by, const model::Model& model) const {
    std::vector<GlobalId> known = model.nodes.id;
    sort(known);
    for (const GlobalId n : nodes)
      if (!std::ranges::binary_search(known, n)) missing("CR-D303", "node", {n, by.place});
  }

  /// Nodes of the elements of parts, and of the bodies of rigid ones.
  std::vector<GlobalId> nodes_of_parts(const std::vector<GlobalId>& ids, const Named& by,
                                       const model::Model& model) const {
    std::vector<char> chosen(model.parts.size(), 0);
    std::vector<GlobalId> nodes;
    const auto add = [&](LocalId n) {
      if (n >= 0) nodes.push_back(model.nodes.id[static_cast<std::size_t>(n)]);
    };
    for (const GlobalId id : ids) {
      const auto part = std::ranges::find(model.parts, id, &model::Part::id);
      if (part == model.parts.end()) {
        missing("CR-D302", "part", {id, by.place});
        continue;
      }
      chosen[static_cast<std::size_t>(part - model.parts.begin())] = 1;
      if (part->rigid_body != model::kNone)
        for (const LocalId n : model.rigid_bodies[static_cast<std::size_t>(part->rigid_body)].nodes) add(n);
    }
    const auto visit = [&](const auto& elements) {
      for (std::size_t e = 0; e < elements.part.size(); ++e)
        if (elements.part[e] >= 0 && chosen[static_cast<std::size_t>(elements.part[e])] != 0)
          model::each_node(elements, e, add);
    };
    visit(model.shells), visit(model.solids), visit(model.beams), visit(model.discretes);
    visit(model.particles);
    return nodes;
  }

  void move_body(const NewBodyVelocity& given, const model::Model& model,
                 explicit_dynamics::StateChanges& made) const {
    const auto part = std::ranges::find(model.parts, given.part.id, &model::Part::id);
    GlobalId lead = given.part.id;
    if (part != model.parts.end() && part->rigid_body != model::kNone)
      lead = model.rigid_bodies[static_cast<std::size_t>(part->rigid_body)].part_id;
    if (std::ranges::find(model.rigid_bodies, lead, &model::RigidBody::part_id) == model.rigid_bodies.end())
      return missing("CR-D302", "rigid body of part", given.part);
    made.bodies.push_back({lead, given.v, given.w});
  }

  static void sort(std::vector<GlobalId>& list) {
    std::ranges::sort(list);
    const auto [first, last] = std::ranges::unique(list);
    list.erase(first, last);
  }

  const Changes& changes_;
  const deck::Deck& deck_;
  const Moment& moment_;
};

}  // namespace

void apply(const Changes& changes, const deck::Deck& deck, const Moment& moment, model::Model& model) {
  Applier(changes, deck, moment).to(model);
}

explicit_dynamics::StateChanges find_state_changes(const Changes& changes, const deck::Deck& deck,
                                                   const Moment& moment, const model::Model& model) {
  return Applier(changes, deck, moment).of_state(model);
}

std::string to_text(const Changes& c) {
  std::string text;
  const auto line = [&](const std::string& words) { text += " " + words + "\n"; };
  if (c.end_time != 0.0) line(fmt::format("end time {:g}", c.end_time));
  if (c.end_cycle != 0) line(fmt::format("end cycle {}", c.end_cycle));
  if (c.step_scale != 0.0) line(fmt::format("scale of the time step {:g}", c.step_scale));
  for (const NewInterval& i : c.intervals) {
    if (i.parts > 0)
      line(fmt::format("*{}: {} in the run", i.keyword, i.parts));
    else
      line(fmt::format("*{}: interval {:g}", i.keyword, i.interval));
  }
  if (c.cpu_limit) line(fmt::format("limit of processor time {:g} s", *c.cpu_limit));
  if (c.no_dumps) line("no dumps");
  if (c.d3dump) line(fmt::format("d3dump every {} cycles", *c.d3dump));
  if (c.runrsf) line(fmt::format("runrsf every {} cycles", *c.runrsf));
  for (const NewCurve& curve : c.curves) line(fmt::format("curve {} has new points", curve.curve.id));
  for (const Named& contact : c.contacts) line(fmt::format("contact {} is deleted", contact.id));
  for (const Named& part : c.parts) line(fmt::format("part {} is deleted", part.id));
  for (const NamedSet& s : c.element_sets)
    line(fmt::format("{}s of set {} are deleted", kind_name(s.kind), s.set.id));
  if (c.others_rest || !c.velocities.empty() || !c.bodies.empty()) line("velocities are changed");
  return text.empty() ? " nothing\n" : text;
}

}  // namespace crumple::restart
