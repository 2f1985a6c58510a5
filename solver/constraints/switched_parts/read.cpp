// *DEFORMABLE_TO_RIGID_AUTOMATIC.
#include <algorithm>
#include <set>

#include "constraints/switched_parts/switch_set.hpp"
#include "loads/rigid_wall/rigid_wall.hpp"
#include "materials/prepare.hpp"
#include "model/builder.hpp"
#include "model/feature.hpp"

namespace crumple::constraints {

using model::Builder;
using model::ElementKind;
using model::Keyword;
using model::kNone;
using model::Record;

namespace {

constexpr const char* kName = "*DEFORMABLE_TO_RIGID_AUTOMATIC";

/// Laws with history variables that are all plain numbers, so that they do not turn with the element.
bool has_scalar_history(int law) { return law == 13 || law == 105; }

class SwitchReader {
 public:
  explicit SwitchReader(Builder& build)
      : build_(build), model_(build.model), sets_(model_.features.of<SwitchSet>()) {}

  void read() {
    for (const Keyword& k : build_.deck.all("DEFORMABLE_TO_RIGID_AUTOMATIC"))
      for (const Record& r : k.records()) read_set(r);
    if (sets_.empty()) return;
    make_parts();
    check_pairs();
    check_leads();
    check_nodes();
  }

 private:
  std::string label(GlobalId set) const { return fmt::format("{} {}", kName, set); }

  void read_set(const Record& r) {
    SwitchSet s;
    s.id = r.integer("SWSET");
    label_ = label(s.id);
    if (std::ranges::find(sets_, s.id, &SwitchSet::id) != sets_.end())
      return build_.error("CR-D301", fmt::format("{}: this switch set is given twice", label_),
                          r.place("SWSET"));
    const std::int64_t code = r.integer("CODE");
    s.begin = r.real("TIME1");
    s.end = model::or_default(r.real("TIME2"), 1e20);
    s.delay = r.real("TIME3");
    s.entity = r.integer("ENTNO");
    s.related = r.integer("RELSW");
    s.paired = static_cast<int>(r.integer("PAIRED"));
    s.walls = static_cast<int>(r.integer("RWF"));
    s.longest_step = r.real("DTMAX");
    read_rows(r, s);
    if (!check_set(r, s, code)) return;
    s.test = static_cast<SwitchTest>(code);
    if (check_entity(r, s)) sets_.push_back(std::move(s)), places_.push_back(r.place());
  }

  /// @returns whether it can be; what the schema refuses is reported there
  bool check_set(const Record& r, const SwitchSet& s, std::int64_t code) {
    const auto wrong = [&](const char* field, std::string text) {
      build_.error("CR-D310", fmt::format("{}: {}", label_, text), r.place(field));
      return false;
    };
    if (code < 0 || code > 4) return false;
    if (s.delay < 0.0) return wrong("TIME3", "the delay TIME3 is negative");
    if (s.longest_step < 0.0) return wrong("DTMAX", "the step DTMAX is negative");
    if (s.walls < 0 || s.walls > 2) return wrong("RWF", "RWF is none of 0, 1 and 2");
    if (s.paired < -1 || s.paired > 1) return wrong("PAIRED", "PAIRED is none of -1, 0 and 1");
    const std::int64_t rows = r.integer("D2R") + r.integer("R2D");
    if (rows == 0 && s.walls == 0)
      build_.warn("CR-D330", fmt::format("{}: it switches nothing, so it has no effect", label_), r.place());
    if (s.paired != 0 && s.related == 0) return wrong("RELSW", "a paired set needs RELSW, the other one");
    return true;
  }

  bool check_entity(const Record& r, const SwitchSet& s) {
    if (tests_contact(s.test)) build_.awaited_contacts.push_back({s.entity, label_, r.place("ENTNO")});
    if (!tests_wall(s.test)) return true;
    const auto& walls = model_.features.of<loads::RigidWall>();
    if (std::ranges::find(walls, s.entity, &loads::RigidWall::id) != walls.end()) return true;
    build_.missing("CR-D304", "rigid wall", fmt::format("{}: rigid wall {} does not exist", label_, s.entity),
                   r.place("ENTNO"));
    return false;
  }

  void read_rows(const Record& r, SwitchSet& s) {
    for (std::size_t row = 0; row < r.rows("d2r"); ++row) {
      const Place place = r.row_place(row, "d2r");
      const GlobalId lead_id = r.integer(row, 1, "d2r");
      const LocalId lead = lead_id == 0 ? kNone : build_.find_part(lead_id, label_, place);
      for (const LocalId p : parts_of(r.integer(row, 0, "d2r"), r.text(row, 2, "d2r"), place)) {
        if (!may_be_rigid(p, place)) continue;
        s.rigid.push_back(p);
        s.lead.push_back(lead);
      }
    }
    for (std::size_t row = 0; row < r.rows("r2d"); ++row) {
      const Place place = r.row_place(row, "r2d");
      for (const LocalId p : parts_of(r.integer(row, 0, "r2d"), r.text(row, 1, "r2d"), place)) {
        if (!may_be_rigid(p, place)) continue;
        if (const std::string why = why_not_deformable(model_, p); !why.empty()) {
          build_.unsupported(
              fmt::format("{}: part {} cannot become deformable again: {}", label_, part(p).id, why), place);
          continue;
        }
        s.deformable.push_back(p);
      }
    }
  }

  std::vector<LocalId> parts_of(GlobalId id, const std::string& type, const Place& place) {
    if (type.starts_with("PSET")) {
      const model::PartSet* const set = build_.find_part_set(id, label_, place);
      return set == nullptr ? std::vector<LocalId>{} : set->parts;
    }
    const LocalId p = build_.find_part(id, label_, place);
    return p == kNone ? std::vector<LocalId>{} : std::vector<LocalId>{p};
  }

  const model::Part& part(LocalId p) const { return model_.parts[static_cast<std::size_t>(p)]; }

  /// Parts without elements are left out.
  bool may_be_rigid(LocalId p, const Place& place) {
    const model::Part& of = part(p);
    if (of.kind == ElementKind::none) return false;
    std::string why;
    if (of.rigid_body != kNone)
      why =
          "it is rigid from the start (*MAT_RIGID or *DEFORMABLE_TO_RIGID); a part that is to be rigid until "
          "it becomes deformable needs a set with CODE = 0 and TIME1 = 0";
    else if (of.kind == ElementKind::sph || of.kind == ElementKind::discrete)
      why = "parts of particles, springs and dampers do not switch";
    else if (of.kind == ElementKind::solid && elform(p) >= model::kThickShells)
      why = "parts of thick shells do not switch";
    if (why.empty()) return true;
    build_.unsupported(fmt::format("{}: part {}: {}", label_, of.id, why), place);
    return false;
  }
  int elform(LocalId p) const {
    const LocalId s = part(p).section;
    return s == kNone ? 0 : model_.sections[static_cast<std::size_t>(s)].elform;
  }

  void make_parts() {
    std::set<LocalId> all;
    for (const SwitchSet& s : sets_) {
      all.insert(s.rigid.begin(), s.rigid.end());
      all.insert(s.deformable.begin(), s.deformable.end());
    }
    for (const LocalId p : all) parts().push_back({p, build_.nodes_of_part(p)});
  }
  std::vector<SwitchedPart>& parts() { return model_.features.of<SwitchedPart>(); }

  void check_pairs() {
    for (std::size_t k = 0; k < sets_.size(); ++k) {
      const SwitchSet& s = sets_[k];
      if (s.paired == 0) continue;
      const auto other = std::ranges::find(sets_, s.related, &SwitchSet::id);
      if (other == sets_.end() || other->related != s.id || other->paired != -s.paired)
        build_.error("CR-D310",
                     fmt::format("{}: the related set RELSW = {} must name this one, with PAIRED = {}",
                                 label(s.id), s.related, -s.paired),
                     places_[k]);
    }
  }

  /// A lead is a part that some set makes rigid.
  void check_leads() {
    for (std::size_t k = 0; k < sets_.size(); ++k)
      for (LocalId& lead : sets_[k].lead) {
        if (lead == kNone) continue;
        const auto leads = [&](const SwitchSet& s) { return std::ranges::count(s.rigid, lead) > 0; };
        if (std::ranges::any_of(sets_, leads)) continue;
        build_.unsupported(
            fmt::format(
                "{}: the lead part LRB = {} is not switched to rigid by any set; merging parts into a "
                "body that is rigid from the start is not supported, as its mass would change",
                label(sets_[k].id), part(lead).id),
            places_[k]);
        lead = kNone;
      }
  }

  /// Nodes that something else moves cannot follow a body that forms in the run.
  void check_nodes() {
    std::vector<LocalId> part_of(model_.nodes.size(), kNone);
    for (const SwitchedPart& of : parts())
      for (const LocalId n : of.nodes) part_of[static_cast<std::size_t>(n)] = of.part;
    std::set<std::string_view> told;
    const auto refuse = [&](LocalId n, std::string_view what) {
      if (n == kNone || part_of[static_cast<std::size_t>(n)] == kNone || !told.insert(what).second) return;
      build_.unsupported(
          fmt::format("{}: node {} of part {} {}, so that it cannot move with a body that forms in the run",
                      kName, model_.nodes.id[static_cast<std::size_t>(n)],
                      part(part_of[static_cast<std::size_t>(n)]).id, what),
          places_.front());
    };
    for (const model::RigidBody& body : model_.rigid_bodies)
      for (const LocalId n : body.nodes) refuse(n, "belongs to a rigid body");
    for (const model::NodeConstraint& c : model_.constraints) refuse(c.node, "is held (*BOUNDARY_SPC)");
    for (const model::PrescribedMotion& m : model_.motions) refuse(m.node, "has a prescribed motion");
    for (const model::Weld& weld : model_.welds)
      for (const LocalId n : weld.nodes) refuse(n, "belongs to a weld of nodes");
    for (const model::NodeTie& tie : model_.node_ties)
      for (const LocalId n : tie.nodes) refuse(n, "shares its motion with others (*CONSTRAINED_NODE_SET)");
    for (const model::Interpolation& i : model_.interpolations) refuse(i.node, "is interpolated from others");
    std::vector<std::vector<LocalId>> linked;
    for (const model::Feature* const feature : model::features())
      feature->add_linked_nodes(model_.features, linked);
    for (const std::vector<LocalId>& nodes : linked)
      for (const LocalId n : nodes) refuse(n, "is linked to others (*CONSTRAINED_...)");
  }

  Builder& build_;
  model::Model& model_;
  std::vector<SwitchSet>& sets_;
  std::vector<Place> places_;  ///< of sets_
  std::string label_;
};

}  // namespace

std::string why_not_deformable(const model::Model& model, LocalId p) {
  const model::Part& part = model.parts[static_cast<std::size_t>(p)];
  if (part.section == kNone || part.material == kNone) return {};
  const model::Material& material = model.materials[static_cast<std::size_t>(part.material)];
  const int elform = model.sections[static_cast<std::size_t>(part.section)].elform;
  if (part.kind == ElementKind::beam && elform == 6)
    return "discrete beams keep axes that do not turn with a body";
  if (part.kind != ElementKind::solid) return {};
  if (elform >= 19 && elform <= 22) return "cohesive elements keep directions that do not turn with a body";
  if (has_scalar_history(material.law)) return {};
  try {
    if (materials::prepare(model, material).n_history == 0) return {};
  } catch (const Error&) {
    return {};  // is reported with the elements
  }
  return fmt::format(
      "the history of its material law {} in solids has tensors or axes that would have to turn with the "
      "body",
      material.name);
}

void read_switched_parts(Builder& build) { SwitchReader(build).read(); }

}  // namespace crumple::constraints
