// *DEFINE_ELEMENT_DEATH_SOLID, _SHELL, _BEAM and their _SET.
#include <algorithm>
#include <map>
#include <utility>

#include "loads/death/element_death.hpp"
#include "model/builder.hpp"
#include "model/element_rows.hpp"

namespace crumple::loads {

using model::Builder;
using model::ElementKind;
using model::Keyword;
using model::kNone;
using model::Record;

namespace {

class DeathReader {
 public:
  explicit DeathReader(Builder& build) : build_(build), deaths_(build.model.features.of<ElementDeath>()) {
    for (const model::RigidBody& body : build.model.rigid_bodies)
      rigid_.insert(rigid_.end(), body.parts.begin(), body.parts.end());
  }

  void read(const std::string& name, ElementKind kind) {
    for (const Keyword& k : build_.deck.all("DEFINE_ELEMENT_DEATH_" + name))
      for (const Record& r : k.records()) {
        const LocalId e = build_.find(table(kind), r.integer("EID"), "CR-D302", "element", Builder::star(k),
                                      r.place("EID"));
        if (e != kNone) add(k, r, kind, {e});
      }
    for (const Keyword& k : build_.deck.all("DEFINE_ELEMENT_DEATH_" + name + "_SET"))
      for (const Record& r : k.records()) {
        const LocalId at = build_.find(sets(kind), r.integer("SID"), "CR-D305", "element set",
                                       Builder::star(k), r.place("SID"));
        if (at != kNone) add(k, r, kind, members(kind, static_cast<std::size_t>(at)));
      }
  }

  /// BOXID of *CONTROL_SPH: particles that leave the box.
  void particles_outside(const Keyword& k, const Record& r) {
    const GlobalId id = r.integer("BOXID");
    if (id == 0) return;
    const model::Box* const found = build_.find_box(id, Builder::star(k), r.place("BOXID"));
    if (found == nullptr || build_.model.particles.size() == 0) return;
    ElementDeath death;
    death.kind = ElementKind::sph;
    death.boxed = death.outside = true;
    death.axis = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
    death.low = found->low, death.high = found->high;
    if (found->local) death.origin = found->system.origin, death.axis = found->system.axis;
    for (std::size_t e = 0; e < build_.model.particles.size(); ++e)
      death.elements.push_back(static_cast<LocalId>(e));
    deaths_.push_back(std::move(death));
  }

  /// *LOAD_REMOVE_PART: all elements of a part at once.
  void remove(const Keyword& k, const Record& r, LocalId part) {
    const double time = r.real("TIME0");
    if (time != r.real("TIME1"))
      return build_.unsupported(
          fmt::format("{}: stresses that fall to zero from TIME0 = {} to TIME1 = {}; with TIME1 = TIME0 the "
                      "part is removed at once",
                      Builder::star(k), time, r.real("TIME1")),
          r.place("TIME1"));
    model::for_each_kind(build_.model, [&](const model::ElementKindInfo& of, const model::ElementRows& rows) {
      ElementDeath death;
      death.kind = of.kind;
      death.time = time;
      death.axis = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
      for (std::size_t e = 0; e < rows.size(); ++e)
        if (rows.part[e] == part) death.elements.push_back(static_cast<LocalId>(e));
      if (death.elements.empty()) return;
      const bool known =
          of.kind == ElementKind::shell || of.kind == ElementKind::solid || of.kind == ElementKind::beam;
      if (!known || std::ranges::find(rigid_, part) != rigid_.end())
        return build_.unsupported(
            fmt::format("{}: part {} is rigid, or of springs or particles", Builder::star(k),
                        build_.model.parts[static_cast<std::size_t>(part)].id),
            r.place());
      deaths_.push_back(std::move(death));
    });
  }

  /// Numbers of elements of each group.
  void count_groups() {
    std::map<std::int32_t, std::int64_t> size;
    for (const ElementDeath& death : deaths_) size[death.group] += std::ssize(death.elements);
    for (ElementDeath& death : deaths_) death.group_size = size[death.group];
  }

 private:
  const model::IdTable& table(ElementKind kind) const {
    return kind == ElementKind::solid   ? build_.solids
           : kind == ElementKind::shell ? build_.shells
                                        : build_.beams;
  }
  const model::IdTable& sets(ElementKind kind) const {
    return kind == ElementKind::solid   ? build_.solid_sets
           : kind == ElementKind::shell ? build_.shell_sets
                                        : build_.beam_sets;
  }
  std::vector<LocalId> members(ElementKind kind, std::size_t at) const {
    const model::Sets& sets = build_.model.sets;
    return kind == ElementKind::solid   ? sets.solids[at].elements
           : kind == ElementKind::shell ? sets.shells[at].shells
                                        : sets.beams[at].elements;
  }

  void add(const Keyword& k, const Record& r, ElementKind kind, std::vector<LocalId> elements) {
    ElementDeath death;
    death.kind = kind;
    death.elements = std::move(elements);
    r.title();
    box(k, r, death);
    when(k, r, death);
    group(k, r, death);
    const model::ElementRows rows = model::rows_of(build_.model, kind);
    if (std::ranges::any_of(death.elements, [&](LocalId e) {
          return std::ranges::find(rigid_, rows.part[static_cast<std::size_t>(e)]) != rigid_.end();
        }))
      return build_.unsupported(fmt::format("{}: elements of rigid parts", Builder::star(k)), r.place());
    deaths_.push_back(std::move(death));
  }

  void when(const Keyword& k, const Record& r, ElementDeath& death) {
    const double time = r.real("TIME");
    if (time != 0.0) death.time = time;
    if (time == 0.0 && !death.boxed)
      build_.unsupported(
          fmt::format("{}: TIME = 0 without a box; give the time of the death, or with a group "
                      "alone one beyond the end",
                      Builder::star(k)),
          r.place("TIME"));
  }

  void box(const Keyword& k, const Record& r, ElementDeath& death) {
    death.axis = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
    const GlobalId id = r.integer("BOXID");
    death.outside = r.integer("INOUT") == 1;
    const GlobalId system = r.integer("CID");
    if (id == 0) return;
    const model::Box* const found = build_.find_box(id, Builder::star(k), r.place("BOXID"));
    if (!found) return;
    death.boxed = true;
    death.low = found->low, death.high = found->high;
    if (found->local) death.origin = found->system.origin, death.axis = found->system.axis;
    if (system == 0) return;
    if (found->local)
      build_.unsupported(fmt::format("{}: CID with a box that has axes of its own", Builder::star(k)),
                         r.place("CID"));
    const LocalId at = build_.find_system(system, Builder::star(k), r.place("CID"));
    if (at == kNone) return;
    const model::CoordinateSystem& axes = build_.model.systems[static_cast<std::size_t>(at)];
    death.origin = axes.origin, death.axis = axes.axis;
  }

  void group(const Keyword& k, const Record& r, ElementDeath& death) {
    const GlobalId id = r.integer("IDGRP");
    death.percent = r.real("PERCENT");
    if (id <= 0) return;
    const auto [at, added] = groups_.try_emplace(id, std::pair(std::ssize(groups_), death.percent));
    death.group = static_cast<std::int32_t>(at->second.first);
    if (!added && at->second.second != death.percent)
      build_.error(
          "CR-D310",
          fmt::format("{}: group {} has other PERCENT before, {}", Builder::star(k), id, at->second.second),
          r.place("PERCENT"));
    if (death.percent < 0.0 || death.percent > 100.0)
      build_.error("CR-D310", fmt::format("{}: PERCENT = {}", Builder::star(k), death.percent),
                   r.place("PERCENT"));
  }

  Builder& build_;
  std::vector<ElementDeath>& deaths_;
  std::vector<LocalId> rigid_;  ///< parts
  std::map<GlobalId, std::pair<std::ptrdiff_t, double>> groups_;
};

}  // namespace

void read_element_deaths(Builder& build) {
  DeathReader reader(build);
  reader.read("SOLID", ElementKind::solid);
  reader.read("SHELL", ElementKind::shell);
  reader.read("BEAM", ElementKind::beam);
  for (const Keyword& k : build.deck.all("LOAD_REMOVE_PART"))
    for (const Record& r : k.records())
      if (const LocalId p = build.find_part(r.integer("PID"), Builder::star(k), r.place("PID")); p != kNone)
        reader.remove(k, r, p);
  for (const Keyword& k : build.deck.all("LOAD_REMOVE_PART_SET"))
    for (const Record& r : k.records())
      if (const model::PartSet* const set =
              build.find_part_set(r.integer("PSID"), Builder::star(k), r.place("PSID")))
        for (const LocalId p : set->parts) reader.remove(k, r, p);
  for (const Keyword& k : build.deck.all("CONTROL_SPH"))
    for (const Record& r : k.records()) reader.particles_outside(k, r);
  reader.count_groups();
}

}  // namespace crumple::loads
