// One rank's model: its part of the whole model, renumbered.
//
// Every member of the model is named once (Slice::cut_model). Each kind of entity has one function that
// decides which of them a rank has. Their numbers of nodes and elements are found by their list of fields.
#include <algorithm>
#include <array>
#include <map>
#include <type_traits>
#include <vector>

#include "base/field_count.hpp"
#include "decomposition/distribution.hpp"
#include "decomposition/rank_part.hpp"
#include "model/feature.hpp"
#include "model/fields.hpp"

namespace crumple::decomposition {

using model::ElementKind;
using model::kNone;
using model::Model;

namespace {

/// Types of which every rank has all entities: they are small, and without numbers of nodes or elements.
template <class T>
constexpr bool whole_on_every_rank = false;
template <>
constexpr bool whole_on_every_rank<Vec3> = true;
template <>
constexpr bool whole_on_every_rank<model::Part> = true;
template <>
constexpr bool whole_on_every_rank<model::PartDamping> = true;
template <>
constexpr bool whole_on_every_rank<model::Section> = true;
template <>
constexpr bool whole_on_every_rank<model::Material> = true;
template <>
constexpr bool whole_on_every_rank<model::Curve> = true;
template <>
constexpr bool whole_on_every_rank<model::Table> = true;
template <>
constexpr bool whole_on_every_rank<model::CoordinateSystem> = true;
template <>
constexpr bool whole_on_every_rank<model::InteriorContact> = true;
template <>
constexpr bool whole_on_every_rank<model::Support> = true;

/// Copies rows of a table; a column that the whole table does not have stays empty.
class TakeRows {
 public:
  explicit TakeRows(const std::vector<std::size_t>& rows) : rows_(rows) {}
  template <class Table, class... Columns>
  void operator()(const Table& from, Table& to, Columns Table::*... columns) const {
    static_assert(sizeof...(Columns) == field_count<Table>(), "a column of the table is not cut");
    (take(from.*columns, to.*columns), ...);
  }

 private:
  template <class T>
  void take(const std::vector<T>& from, std::vector<T>& to) const {
    if (from.empty()) return;
    to.reserve(rows_.size());
    for (const std::size_t row : rows_) to.push_back(from[row]);
  }
  const std::vector<std::size_t>& rows_;
};

}  // namespace

/// One rank's part of the whole model.
class Slice {
 public:
  Slice(const Cutter& cutter, int rank);
  void cut_model(const Model& whole, Model& part);

 private:
  // Tables.
  void cut(const model::Nodes& from, model::Nodes& to);
  void cut(const model::Shells& from, model::Shells& to);
  void cut(const model::Solids& from, model::Solids& to);
  void cut(const model::Beams& from, model::Beams& to);
  void cut(const model::Discretes& from, model::Discretes& to);
  void cut(const model::SphParticles& from, model::SphParticles& to);
  void cut(const model::Masses& from, model::Masses& to);
  template <class Elements, class... Columns>
  void cut_elements(ElementKind kind, const std::vector<int>& ranks, const Elements& from, Elements& to,
                    Columns Elements::*... columns);
  // Members that are not lists.
  void cut(const model::OutputControl& from, model::OutputControl& to);
  void cut(const model::Control& from, model::Control& to) { to = from; }
  void cut(const model::Sets&, model::Sets&) {}                                    // on rank 0 only
  void cut(const std::vector<model::PartMass>&, std::vector<model::PartMass>&) {}  // now lumped masses
  void cut(const model::FeatureInputs& from, model::FeatureInputs& to) {
    for (const model::Feature* const feature : model::features()) feature->cut(from, has_, to);
  }
  /// Lists: all items, or those for which `keep` is true.
  template <class T>
  void cut(const std::vector<T>& from, std::vector<T>& to);

  // Whether the rank has an item. Removes the item's nodes and elements that the rank does not have. Numbers
  // are those of the whole model.
  bool keep(const model::NodeConstraint& item) const { return item.node == kNone || has_.here(item.node); }
  bool keep(const model::PrescribedMotion& item) const { return item.node == kNone || has_.here(item.node); }
  bool keep(const model::InitialVelocity& item) const { return item.node == kNone || has_.here(item.node); }
  bool keep(model::RigidBody& body) const;
  bool keep(const model::Weld& weld) const { return has_.here(weld.nodes[0]); }
  bool keep(model::NodeTie& tie) const;
  bool keep(const model::Interpolation& in) const { return has_.here(in.node); }
  bool keep(model::CrossSection& section) const;
  bool keep(const model::Segment& segment) const { return cutter_.home(segment) == rank_; }
  bool keep(const model::ContactLine& line) const { return cutter_.home(line) == rank_; }
  bool keep(const model::LineSharer& sharer) const { return cutter_.home(sharer) == rank_; }
  bool keep(model::Contact& contact);

  void cut_surface(model::Surface& surface);
  void cut_neighbours(const model::Surface& from, model::Surface& to) const;

  const Cutter& cutter_;
  const Partition& partition_;
  int rank_;
  RankPart has_;
};

Slice::Slice(const Cutter& cutter, int rank)
    : cutter_(cutter), partition_(cutter.partition_), rank_(rank), has_(rank, cutter.owner_) {
  LocalId count = 0;
  for (const LocalId n : cutter.nodes_of_rank_[static_cast<std::size_t>(rank)])
    has_.nodes()[static_cast<std::size_t>(n)] = count++;
}

namespace {

/// Calls `cut` with each member of both, in this order; elements are numbered before entities that refer to
/// them.
template <class Cut, class... Members>
void each_member(const Model& whole, Model& part, const Cut& cut, Members Model::*... members) {
  static_assert(sizeof...(Members) == field_count<Model>(), "a member of the model is not cut");
  (cut(whole.*members, part.*members), ...);
}

}  // namespace

void Slice::cut_model(const Model& whole, Model& part) {
  using M = Model;
  each_member(
      whole, part, [this](const auto& from, auto& to) { cut(from, to); }, &M::nodes, &M::shells, &M::solids,
      &M::beams, &M::discretes, &M::particles, &M::features, &M::masses, &M::part_masses, &M::parts,
      &M::part_damping, &M::sections, &M::materials, &M::curves, &M::tables, &M::systems, &M::vectors,
      &M::constraints, &M::motions, &M::initial_velocities, &M::rigid_bodies, &M::supports, &M::welds,
      &M::node_ties, &M::interpolations, &M::contacts, &M::cross_sections, &M::interiors, &M::output,
      &M::control, &M::sets);
}

template <class T>
void Slice::cut(const std::vector<T>& from, std::vector<T>& to) {
  if constexpr (whole_on_every_rank<T>) {
    to = from;
  } else {
    for (const T& whole : from) {
      T item = whole;
      if (!keep(item)) continue;
      has_.renumber(item);
      to.push_back(std::move(item));
    }
  }
}

void Slice::cut(const model::Nodes& from, model::Nodes& to) {
  const std::vector<LocalId>& nodes = cutter_.nodes_of_rank_[static_cast<std::size_t>(rank_)];
  const std::vector<std::size_t> rows(nodes.begin(), nodes.end());
  TakeRows{rows}(from, to, &model::Nodes::id, &model::Nodes::x);
}

template <class Elements, class... Columns>
void Slice::cut_elements(ElementKind kind, const std::vector<int>& ranks, const Elements& from, Elements& to,
                         Columns Elements::*... columns) {
  Numbers& numbers = has_.elements(kind);
  numbers.assign(from.size(), kNone);
  std::vector<std::size_t> rows;
  for (std::size_t e = 0; e < from.size(); ++e) {
    if (ranks[e] != rank_) continue;
    numbers[e] = static_cast<LocalId>(rows.size());
    rows.push_back(e);
  }
  TakeRows{rows}(from, to, columns...);
  has_.renumber(to);
}

void Slice::cut(const model::Shells& from, model::Shells& to) {
  using E = model::Shells;
  cut_elements(ElementKind::shell, partition_.of[ElementKind::shell], from, to, &E::id, &E::order, &E::part,
               &E::nodes, &E::thickness, &E::offset, &E::angle, &E::system, &E::section);
}
void Slice::cut(const model::Solids& from, model::Solids& to) {
  using E = model::Solids;
  cut_elements(ElementKind::solid, partition_.of[ElementKind::solid], from, to, &E::id, &E::order, &E::part,
               &E::nodes, &E::middle, &E::angle, &E::axis_a, &E::axis_d);
}
void Slice::cut(const model::Beams& from, model::Beams& to) {
  using E = model::Beams;
  cut_elements(ElementKind::beam, partition_.of[ElementKind::beam], from, to, &E::id, &E::order, &E::part,
               &E::nodes, &E::joins, &E::direction, &E::section);
}
void Slice::cut(const model::Discretes& from, model::Discretes& to) {
  using E = model::Discretes;
  cut_elements(ElementKind::discrete, partition_.of[ElementKind::discrete], from, to, &E::id, &E::order,
               &E::part, &E::nodes, &E::orientation, &E::scale, &E::offset);
}

void Slice::cut(const model::SphParticles& from, model::SphParticles& to) {
  using E = model::SphParticles;
  cut_elements(ElementKind::sph, partition_.of[ElementKind::sph], from, to, &E::id, &E::order, &E::part,
               &E::nodes, &E::mass, &E::length);
}

void Slice::cut(const model::Masses& from, model::Masses& to) {
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < from.size(); ++k)
    if (has_.mine(from.node[k])) rows.push_back(k);
  TakeRows{rows}(from, to, &model::Masses::id, &model::Masses::node, &model::Masses::mass,
                 &model::Masses::inertia);
  has_.renumber(to);
}

void Slice::cut(const model::OutputControl& from, model::OutputControl& to) {
  to = from;
  has_.keep_mine(to.history_nodes);
  has_.keep_elements(ElementKind::shell, to.history_shells);
  has_.keep_elements(ElementKind::solid, to.history_solids);
  has_.keep_elements(ElementKind::beam, to.history_beams);
  has_.keep_elements(ElementKind::discrete, to.history_discretes);
  has_.renumber(to);
}

bool Slice::keep(model::RigidBody& body) const {
  has_.keep_here(body.nodes);
  for (model::LumpedInertia& lump : body.lumps) has_.renumber(lump);
  return true;
}

bool Slice::keep(model::NodeTie& tie) const {
  has_.keep_here(tie.nodes);
  return !tie.nodes.empty();
}

bool Slice::keep(model::CrossSection& section) const {
  has_.keep_here(section.nodes);
  has_.keep_elements(ElementKind::shell, section.shells);
  has_.keep_elements(ElementKind::solid, section.solids);
  has_.keep_elements(ElementKind::beam, section.beams);
  has_.keep_elements(ElementKind::discrete, section.discretes);
  return true;
}

/// A rank has the ties of all its nodes, and the tie springs that it computes.
bool Slice::keep(model::Contact& contact) {
  cut_surface(contact.a);
  cut_surface(contact.b);
  std::erase_if(contact.ties, [&](const model::Tie& tie) { return !has_.here(tie.node); });
  std::erase_if(contact.springs, [&](const model::Tie& spring) { return cutter_.home(spring) != rank_; });
  std::erase_if(contact.breaking,
                [&](const model::BreakingTie& breaking) { return cutter_.home(breaking.tie) != rank_; });
  for (std::vector<model::Tie>* list : {&contact.ties, &contact.springs})
    for (model::Tie& tie : *list) has_.renumber(tie);
  for (model::BreakingTie& breaking : contact.breaking) has_.renumber(breaking.tie);
  return true;
}

void Slice::cut_surface(model::Surface& surface) {
  static_assert(field_count<model::Surface>() == 11, "a member of the surface is not cut");
  const model::Surface from = std::move(surface);
  surface = {};
  cut(from.segments, surface.segments);
  cut(from.lines, surface.lines);
  cut(from.sharers, surface.sharers);
  for (std::size_t k = 0; k < from.nodes.size(); ++k)
    if (has_.mine(from.nodes[k])) {
      surface.nodes.push_back(from.nodes[k]);
      surface.node_thickness.push_back(from.node_thickness[k]);
      if (!from.node_part.empty()) surface.node_part.push_back(from.node_part[k]);
      if (from.node_plane.empty()) continue;
      surface.node_plane.push_back(from.node_plane[k]);
      surface.node_frame.push_back(from.node_frame[k]);
    }
  cut_neighbours(from, surface);
  for (LocalId& n : surface.nodes) n = has_.nodes()[static_cast<std::size_t>(n)];
  for (std::array<LocalId, 4>& frame : surface.node_frame)
    for (LocalId& n : frame)
      if (n != kNone) n = has_.nodes()[static_cast<std::size_t>(n)];
}

/// Keeps the neighbours that the rank tests: of its nodes, and of segments and lines whose home rank it is.
void Slice::cut_neighbours(const model::Surface& from, model::Surface& to) const {
  const auto keep = [](const auto& all, auto&& is_mine, auto& kept) {
    std::copy_if(all.begin(), all.end(), std::back_inserter(kept), is_mine);
  };
  std::size_t at = 0;  // both are in ascending order of user ids
  const auto home = [&](const auto& item) { return cutter_.home(item) == rank_; };
  keep(
      from.node_neighbours,
      [&](const model::Neighbours& n) {
        while (cutter_.whole_.nodes.id[static_cast<std::size_t>(from.nodes[at])] != n.one) ++at;
        return has_.mine(from.nodes[at]);
      },
      to.node_neighbours);
  const auto at_home = [&](const auto& items) {
    return [&](const model::Neighbours& n) { return home(items[static_cast<std::size_t>(n.one)]); };
  };
  keep(from.segment_neighbours, at_home(from.segments), to.segment_neighbours);
  keep(from.line_neighbours, at_home(from.lines), to.line_neighbours);
}

Subdomain Cutter::cut(int rank) const {
  static_assert(field_count<Subdomain>() == 2, "a member of the subdomain is not made");
  Subdomain subdomain;
  Slice(*this, rank).cut_model(whole_, subdomain.model);
  std::map<int, std::vector<LocalId>> shared;
  const std::vector<LocalId>& here = nodes_of_rank_[static_cast<std::size_t>(rank)];
  parallel::IndexMap::Parts nodes;
  nodes.rank = rank;
  nodes.global.assign(here.begin(), here.end());
  for (const GlobalId position : nodes.global) {
    const auto n = static_cast<std::size_t>(position);
    const auto local = static_cast<LocalId>(nodes.owner.size());
    nodes.owner.push_back(owner_[n]);
    for (std::size_t k = first_[n]; k < first_[n + 1]; ++k)
      if (ranks_[k] != rank) shared[ranks_[k]].push_back(local);
  }
  for (auto& [neighbour, some] : shared) {
    nodes.neighbours.push_back(neighbour);
    nodes.shared.push_back(std::move(some));
  }
  subdomain.nodes = parallel::IndexMap(std::move(nodes));
  return subdomain;
}

}  // namespace crumple::decomposition
