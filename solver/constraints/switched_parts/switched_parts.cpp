// Sets that act, the bodies that rigid parts make, and their state.
#include "constraints/switched_parts/switched_parts.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "base/error.hpp"
#include "base/no_limit.hpp"
#include "constraints/switched_parts/turned_stresses.hpp"
#include "loads/rigid_wall/rigid_wall.hpp"
#include "state/archive.hpp"

namespace crumple::constraints {

SwitchedParts::SwitchedParts(const model::Model& model, state::Nodal& nodal,
                             const parallel::Communicator& comm)
    : model_(&model),
      nodal_(&nodal),
      comm_(&comm),
      sets_(&model.features.of<SwitchSet>()),
      parts_(&model.features.of<SwitchedPart>()),
      times_(*sets_),
      rigid_(parts_->size(), 0),
      lead_(parts_->size(), -1),
      asleep_(model.parts.size(), 0),
      groups_(comm),
      longest_step_(kNoLimit) {
  const auto place = [](const auto& list, GlobalId id, auto member) {
    const auto at = std::ranges::find(list, id, member);
    return at == list.end() ? std::int64_t{-1} : static_cast<std::int64_t>(at - list.begin());
  };
  for (const SwitchSet& set : *sets_)
    entity_.push_back(tests_wall(set.test)
                          ? place(model.features.of<loads::RigidWall>(), set.entity, &loads::RigidWall::id)
                      : tests_contact(set.test) ? place(model.contacts, set.entity, &model::Contact::id)
                                                : -1);
  find_tied_nodes();
  find_neighbours();
}

/// Tied nodes have given their mass to the nodes of a segment, and follow it.
void SwitchedParts::find_tied_nodes() {
  std::vector<char> switched(nodal_->size(), 0);
  for (const SwitchedPart& part : *parts_)
    for (const LocalId n : part.nodes) switched[static_cast<std::size_t>(n)] = 1;
  for (const model::Contact& contact : model_->contacts)
    for (const model::Tie& tie : contact.ties)
      if (tie.node != model::kNone && switched[static_cast<std::size_t>(tie.node)] != 0 &&
          std::ranges::find(tie.nodes, model::kNone) == tie.nodes.end())
        tied_.push_back({tie.node, tie.nodes, contact.id});
}

/// Parts that share a node, or are tied to each other, make one body. Collective.
void SwitchedParts::find_neighbours() {
  const std::size_t n = parts_->size();
  neighbours_.assign(n * n, 0);
  std::vector<std::vector<std::size_t>> at_node(nodal_->size());
  for (std::size_t p = 0; p < n; ++p)
    for (const LocalId node : (*parts_)[p].nodes) at_node[static_cast<std::size_t>(node)].push_back(p);
  const auto join = [&](LocalId one, LocalId other) {
    for (const std::size_t a : at_node[static_cast<std::size_t>(one)])
      for (const std::size_t b : at_node[static_cast<std::size_t>(other)])
        neighbours_[a * n + b] = neighbours_[b * n + a] = 1;
  };
  for (std::size_t node = 0; node < at_node.size(); ++node)
    join(static_cast<LocalId>(node), static_cast<LocalId>(node));
  for (const TiedNode& tied : tied_)
    for (const LocalId node : tied.segment) join(tied.node, node);
  if (n > 0) comm_->max(std::span(neighbours_));
}

/// A tied node of a body follows a segment of the same body, else the body would not be rigid. Collective.
void SwitchedParts::check_tied_nodes() const {
  constexpr GlobalId none = std::numeric_limits<GlobalId>::max();
  GlobalId apart = none, by = none;
  for (const TiedNode& tied : tied_) {
    if (groups_.empty()) break;
    const LocalId body = groups_.body_of(tied.node);
    const auto elsewhere = [&](LocalId n) { return groups_.body_of(n) != body; };
    const GlobalId id = nodal_->id[static_cast<std::size_t>(tied.node)];
    if (body != model::kNone && std::ranges::any_of(tied.segment, elsewhere) && id < apart)
      apart = id, by = tied.contact;
  }
  const GlobalId first = comm_->min(apart);
  if (first == none) return;
  const GlobalId contact = comm_->min(first == apart ? by : none);
  throw Error("CR-C107",
              "node " + std::to_string(first) +
                  " of a part that has become rigid follows a segment of a part that is "
                  "deformable, to which contact " +
                  std::to_string(contact) +
                  " ties it: switch both parts by the same sets, or tie them by a penalty (_OFFSET)",
              {}, Exit::run);
}

std::size_t SwitchedParts::switched(LocalId part) const {
  const auto at = std::ranges::find(*parts_, part, &SwitchedPart::part);
  return static_cast<std::size_t>(at - parts_->begin());
}

void SwitchedParts::act(const SwitchSet& set) {
  for (std::size_t k = 0; k < set.rigid.size(); ++k) {
    const std::size_t p = switched(set.rigid[k]);
    rigid_[p] = 1;
    lead_[p] = set.lead[k] == model::kNone ? -1 : static_cast<std::int64_t>(switched(set.lead[k]));
  }
  for (const LocalId part : set.deformable) {
    const std::size_t p = switched(part);
    rigid_[p] = 0;
    lead_[p] = -1;
    asleep_[static_cast<std::size_t>(part)] = 0;
  }
  if (set.walls != 0) walls_act_ = set.walls == 2 ? 1 : 0;
  longest_step_ = set.longest_step > 0.0 ? set.longest_step : kNoLimit;
  if (!set.rigid.empty() || !set.deformable.empty()) forms_ = true;
}

void SwitchedParts::begin_cycle(double time, std::span<const state::WritableGroup> groups) {
  forms_ = false;
  for (std::size_t p = 0; p < parts_->size(); ++p)
    asleep_[static_cast<std::size_t>((*parts_)[p].part)] = rigid_[p] != 0 ? 1 : 0;
  for (const std::size_t k : times_.due(time)) act((*sets_)[k]);
  if (!groups_.empty()) turn(groups);
}

/// Stresses of sleeping parts, which were those of x_{n-1}.
void SwitchedParts::turn(std::span<const state::WritableGroup> groups) const {
  for (const state::WritableGroup& group : groups) {
    if (asleep_[static_cast<std::size_t>(group.part)] == 0 || group.count == 0) continue;
    const LocalId body = groups_.body_of(group.node(0, 0));
    if (body != model::kNone) turn_stresses(group, groups_.turned(static_cast<std::size_t>(body)));
  }
}

/// Of each part, the first part of its body.
std::vector<std::size_t> SwitchedParts::roots() const {
  const std::size_t n = parts_->size();
  std::vector<std::size_t> root(n);
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto join = [&](std::size_t a, std::size_t b) {
    const std::size_t low = std::min(root[a], root[b]), high = std::max(root[a], root[b]);
    std::ranges::replace(root, high, low);
  };
  for (std::size_t a = 0; a < n; ++a) {
    if (rigid_[a] == 0) continue;
    if (lead_[a] >= 0 && rigid_[static_cast<std::size_t>(lead_[a])] != 0)
      join(a, static_cast<std::size_t>(lead_[a]));
    for (std::size_t b = 0; b < a; ++b)
      if (rigid_[b] != 0 && neighbours_[a * n + b] != 0) join(a, b);
  }
  return root;
}

/// The same on every rank, but for their nodes.
std::vector<RigidGroup> SwitchedParts::rigid_groups() const {
  const std::vector<std::size_t> root = roots();
  std::vector<RigidGroup> all;
  for (std::size_t first = 0; first < root.size(); ++first) {
    if (rigid_[first] == 0 || root[first] != first) continue;
    RigidGroup group;
    group.id = model_->parts[static_cast<std::size_t>((*parts_)[first].part)].id;
    for (std::size_t p = first; p < root.size(); ++p)
      if (rigid_[p] != 0 && root[p] == first)
        group.nodes.insert(group.nodes.end(), (*parts_)[p].nodes.begin(), (*parts_)[p].nodes.end());
    std::ranges::sort(group.nodes, {}, [&](LocalId n) { return nodal_->id[static_cast<std::size_t>(n)]; });
    const auto repeated = std::ranges::unique(group.nodes);
    group.nodes.erase(repeated.begin(), repeated.end());
    all.push_back(std::move(group));
  }
  return all;
}

void SwitchedParts::add_body_forces(modules::Cycle& c) {
  if (c.stage != model::Stage::transient) return;
  if (forms_) {
    groups_.form(rigid_groups(), c.nodal);
    check_tied_nodes();
  }
  if (!groups_.empty()) groups_.move(c.nodal, c.time, c.dt_v, c.dt_x, forms_, lost_);
}

bool SwitchedParts::deletes_walls() const {
  return std::ranges::any_of(*sets_, [](const SwitchSet& s) { return s.walls != 0; });
}

bool SwitchedParts::waits_for(bool walls, double time) const {
  for (std::size_t k = 0; k < sets_->size(); ++k)
    if ((walls ? tests_wall((*sets_)[k].test) : tests_contact((*sets_)[k].test)) && entity_[k] >= 0 &&
        times_.waits_for_force(k, time))
      return true;
  return false;
}

void SwitchedParts::take_forces(bool of_walls, std::span<const char> touched) {
  for (std::size_t k = 0; k < sets_->size(); ++k)
    if ((of_walls ? tests_wall((*sets_)[k].test) : tests_contact((*sets_)[k].test)) && entity_[k] >= 0)
      times_.take_force(k, touched[static_cast<std::size_t>(entity_[k])] != 0);
}

void SwitchedParts::archive(state::Archive& archive, const parallel::IndexMap& nodes) {
  const auto here = archive.module("switched parts");
  times_.archive(archive);
  std::vector<GlobalId> keys;
  for (const SwitchedPart& part : *parts_)
    keys.push_back(model_->parts[static_cast<std::size_t>(part.part)].id);
  const state::Rows rows = state::Rows::equal(state::Of::entity, keys);
  archive.field("rigid", rows, std::span(rigid_));
  archive.field("lead", rows, std::span(lead_));
  archive.global("longest step", longest_step_);
  archive.global("walls act", walls_act_);
  archive.global_sum("lost", lost_, comm_->rank());
  if (std::ranges::any_of(rigid_, [](std::int64_t r) { return r != 0; }))
    groups_.archive(archive, rigid_groups(), *nodal_, nodes);
  else if (archive.reading())
    groups_.dissolve();
}

std::unique_ptr<modules::Module> SwitchedParts::start(const modules::Start& start) {
  if (start.model.features.of<SwitchSet>().empty()) return nullptr;
  return std::make_unique<SwitchedParts>(start.model, start.nodal, start.comm);
}

}  // namespace crumple::constraints
