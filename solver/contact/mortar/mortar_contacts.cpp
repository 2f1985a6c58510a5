// Pairs of a step, their forces in a fixed order, and what an accepted step leaves.
#include "contact/mortar/mortar_contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/error.hpp"
#include "contact/mortar/options.hpp"
#include "contact/segment_builder.hpp"

namespace crumple::contact::mortar {

using model::ContactType;

namespace {

constexpr std::size_t kTogether = 256;
constexpr double kMargin = 0.3;  ///< of the first search, over the mean size of faces

Vec3 centre_of(const Face& face, std::span<const Vec3> x) {
  Vec3 sum;
  for (int k = 0; k < face.corners; ++k) sum += x[at(face.node[at(k)])];
  return (1.0 / face.corners) * sum;
}

}  // namespace

bool has_mortar(const model::Contact& contact) {
  const bool kind = contact.type == ContactType::automatic_single_surface ||
                    contact.type == ContactType::automatic_surface_to_surface ||
                    contact.type == ContactType::automatic_general;
  return kind && !contact.eroding && !contact.edges_only;
}

MortarContacts::MortarContacts(const model::Model& model, const state::Nodal& nodal, elements::Isa isa,
                               bool none)
    : model_(&model), functions_(&pair_functions(isa)), node_id_(nodal.id) {
  if (none || std::ranges::none_of(model.contacts, has_mortar)) return;
  const std::vector<PartConstants> constants = part_constants(model);
  const SegmentBuilder build(model, nodal, constants);
  for (std::size_t c = 0; c < model.contacts.size(); ++c) {
    const model::Contact& of = model.contacts[c];
    if (!has_mortar(of)) continue;
    OneContact& contact = contacts_.emplace_back();
    contact.number = static_cast<std::int32_t>(c);
    contact.single = model::is_single(of.type);
    contact.a = make_side(of.a, build, constants, model, of.slsfac * of.sfa);
    if (!contact.single) contact.b = make_side(of.b, build, constants, model, of.slsfac * of.sfb);
    contact.force_a.resize(contact.a.nodes.size());
    contact.force_b.resize(contact.b.nodes.size());
    contact.taken_out.resize(contact.a.nodes.size());
    contact.stretched.resize(contact.a.faces.size());
    contact.margin = kMargin * std::max(contact.a.mean_size, contact.b.mean_size);
    contact.result.id = of.id;
  }
  together_.resize(kTogether);
}

bool MortarContacts::acts(const OneContact& contact, double time) const {
  return time >= deck(contact).birth && time <= deck(contact).death;
}

void MortarContacts::start_step(std::span<const Vec3> x, double start, double end) {
  x_start_.assign(x.begin(), x.end());
  start_ = start;
  end_ = end;
  std::vector<Pair> found;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    if (!acts(contacts_[c], end)) continue;
    const std::vector<Pair> of = find_pairs(static_cast<std::int32_t>(c), x, contacts_[c].margin);
    found.insert(found.end(), of.begin(), of.end());
  }
  pairs_ = std::move(found);
  for (std::size_t c = 0; c < contacts_.size(); ++c)
    if (acts(contacts_[c], end) && !contacts_[c].began)
      take_out(contacts_[c], static_cast<std::int32_t>(c), x);
}

std::vector<MortarContacts::Pair> MortarContacts::find_pairs(std::int32_t contact, std::span<const Vec3> x,
                                                             double margin) const {
  const OneContact& of = contacts_[at(contact)];
  std::vector<Pair> pairs;
  for (const auto& [first, second] : near_faces(of.a, of.other(), of.single, x, node_id_, margin)) {
    Pair pair{contact, first, second};
    if (make_pair(x, pair)) pairs.push_back(pair);
  }
  return pairs;
}

/// Sides, stiffness; false if the segments do not face each other, or one is deep behind the other.
bool MortarContacts::make_pair(std::span<const Vec3> x, Pair& pair) const {
  const OneContact& contact = contacts_[at(pair.contact)];
  const Face &first = contact.a.faces[at(pair.first)], &second = contact.other().faces[at(pair.second)];
  pair.law = law_between(first, second);
  if (!(pair.law.stiffness > 0.0))
    throw Error("CR-I106", fmt::format("contact {}: segments without elements have no contact stiffness",
                                       deck(contact).id));
  const auto before = std::ranges::lower_bound(pairs_, pair.key(), {}, &Pair::key);
  if (before != pairs_.end() && before->key() == pair.key()) {
    pair.side[0] = before->side[0], pair.side[1] = before->side[1];
  }
  const bool known = before != pairs_.end() && before->key() == pair.key();
  PairInput in = input_of(pair, x);
  Overlap lie = functions_->overlap(in);
  if (!known) {
    const double cosine = -lie.facing * pair.side[0] * pair.side[1];  // of both normals
    const double height = lie.area > 0.0 ? lie.height
                                         : dot(axes_of(in.x.data(), first.corners)[2],
                                               centre_of(second, x) - centre_of(first, x));
    if (!first.solid) pair.side[0] = second.solid ? (cosine > 0.0 ? -1.0 : 1.0) : (height < 0.0 ? -1.0 : 1.0);
    if (!second.solid) pair.side[1] = cosine * pair.side[0] > 0.0 ? -1.0 : 1.0;
    in = input_of(pair, x);
    lie = functions_->overlap(in);
  }
  constexpr double turns = 0.2;  // in a step
  if (lie.facing < kFacingNot - turns) return false;
  if (known) return true;
  if (lie.area > 0.0) return lie.deepest <= 0.5 * in.behind;
  // Apart, they may come to lie over each other. Of two faces back to back each is deep behind the other.
  const Vec3 way = centre_of(second, x) - centre_of(first, x);
  const Vec3 one = axes_of(in.x.data(), first.corners)[2];
  const Vec3 other = axes_of(in.x.data() + kCorners, second.corners)[2];
  return in.thickness - in.side[0] * dot(one, way) <= in.behind ||
         in.thickness + in.side[1] * dot(other, way) <= in.behind;
}

PairInput MortarContacts::input_of(const Pair& pair, std::span<const Vec3> x) const {
  const OneContact& contact = contacts_[at(pair.contact)];
  const model::Contact& of = deck(contact);
  const Face* const faces[2] = {&contact.a.faces[at(pair.first)], &contact.other().faces[at(pair.second)]};
  PairInput in;
  for (int s = 0; s < 2; ++s) {
    in.corners[s] = faces[s]->corners;
    in.side[s] = pair.side[s];
    in.thickness += faces[s]->half_thickness;
    for (int k = 0; k < in.corners[s]; ++k) in.x[at(s * kCorners + k)] = x[at(faces[s]->node[at(k)])];
  }
  const double left = left_out(of, end_);
  for (int k = 0; k < in.corners[0]; ++k)
    in.taken_out[at(k)] = left * contact.taken_out[at(faces[0]->at[at(k)])];
  for (const Face* face : faces)
    if (face->solid) in.behind = std::min(in.behind, 2.0 * (face->depth + in.thickness));
  in.law = pair.law;
  in.dt = end_ - start_;
  in.friction = friction_of(of, kShear * pair.law.stiffness);
  if (!in.friction.any()) return in;
  std::array<Vec3, kCorners> start{};
  for (int k = 0; k < in.corners[0]; ++k) start[at(k)] = x_start_[at(faces[0]->node[at(k)])];
  const std::array<Vec3, 3> e = axes_of(start.data(), in.corners[0]);
  for (int i = 0; i < 2; ++i) {
    for (int s = 0; s < 2; ++s)
      for (int k = 0; k < in.corners[s]; ++k)
        in.start[i][s * kCorners + k] = dot(e[at(i)], x_start_[at(faces[s]->node[at(k)])] - start[0]);
    for (int k = 0; k < kCorners; ++k) in.stretched[i][k] = contact.stretched[at(pair.first)].of[i][k];
  }
  return in;
}

/// With IGNORE, each node of the first side keeps the largest initial penetration of the segments around it.
void MortarContacts::take_out(OneContact& contact, std::int32_t number, std::span<const Vec3> x) {
  contact.began = true;
  if (deck(contact).ignore == 0) return;
  std::vector<double> most(contact.taken_out.size(), 0.0);
  for (const Pair& pair : pairs_) {
    if (pair.contact != number) continue;
    PairForces forces;
    functions_->forces(input_of(pair, x), forces);
    const Face& face = contact.a.faces[at(pair.first)];
    for (int k = 0; k < face.corners; ++k) {
      double& of = most[at(face.at[at(k)])];
      of = std::max(of, forces.deepest);
    }
  }
  contact.taken_out = std::move(most);
}

bool MortarContacts::in_pattern() const {
  return std::ranges::includes(in_pattern_, pairs_, {}, {}, &Pair::key);
}

void MortarContacts::append_nodes(std::vector<std::int64_t>& begin, std::vector<std::int32_t>& rows) {
  in_pattern_.clear();
  for (const Pair& pair : pairs_) in_pattern_.push_back(pair.key());
  append_nodes_again(begin, rows);
}

void MortarContacts::append_nodes_again(std::vector<std::int64_t>& begin,
                                        std::vector<std::int32_t>& rows) const {
  for (const auto& [of, first, second] : in_pattern_) {
    const OneContact& contact = contacts_[at(of)];
    for (const Face* face : {&contact.a.faces[at(first)], &contact.other().faces[at(second)]})
      rows.insert(rows.end(), face->node.begin(), face->node.begin() + face->corners);
    begin.push_back(static_cast<std::int64_t>(rows.size()));
  }
}

/// Threads compute pairs, which are then visited in their order.
template <class Visit>
void MortarContacts::evaluate(std::span<const Vec3> x, bool stiffness, Visit visit) {
  for (std::size_t first = 0; first < pairs_.size(); first += kTogether) {
    const std::size_t end = std::min(pairs_.size(), first + kTogether);
#pragma omp parallel for schedule(dynamic, 8)
    for (std::size_t p = first; p < end; ++p) {
      Evaluated& to = together_[p - first];
      const PairInput in = input_of(pairs_[p], x);
      if (!stiffness) {
        functions_->forces(in, to.forces);
        continue;
      }
      to.stiffness.resize(kPairDofs * kPairDofs);
      functions_->tangent(in, to.forces, to.stiffness.data());
    }
    for (std::size_t p = first; p < end; ++p) {
      const Evaluated& found = together_[p - first];
      if (!found.forces.touches) continue;
      const OneContact& contact = contacts_[at(pairs_[p].contact)];
      visit(pairs_[p], contact.a.faces[at(pairs_[p].first)], contact.other().faces[at(pairs_[p].second)],
            found);
    }
  }
}

void MortarContacts::add(std::span<const Vec3> x, std::span<Vec3> forces) {
  evaluate(x, false, [&](const Pair&, const Face& first, const Face& second, const Evaluated& found) {
    for (int k = 0; k < first.corners; ++k) forces[at(first.node[at(k)])] += found.forces.force[at(k)];
    for (int k = 0; k < second.corners; ++k)
      forces[at(second.node[at(k)])] += found.forces.force[at(kCorners + k)];
  });
}

void MortarContacts::add_stiffness(std::span<const Vec3> x, const AddBlock& add) {
  evaluate(x, true, [&](const Pair&, const Face& first, const Face& second, const Evaluated& found) {
    const auto node = [&](int k) { return k < kCorners ? first.node[at(k)] : second.node[at(k - kCorners)]; };
    const auto there = [&](int k) {
      return k < kCorners ? k < first.corners : k - kCorners < second.corners;
    };
    for (int a = 0; a < kPairNodes; ++a)
      for (int b = 0; b < kPairNodes; ++b) {
        if (!there(a) || !there(b)) continue;
        constraints::Matrix3 block;
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            block[at(i)][j] = found.stiffness[at((3 * a + i) * kPairDofs + 3 * b + j)];
        add(node(a), node(b), block);
      }
  });
}

bool MortarContacts::missed(std::span<const Vec3> x) {
  bool any = false;
  double travelled = 0;
  for (std::size_t n = 0; n < x.size(); ++n) travelled = std::max(travelled, norm(x[n] - x_start_[n]));
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    if (!acts(contacts_[c], end_)) continue;
    for (const Pair& pair : find_pairs(static_cast<std::int32_t>(c), x, 0.0)) {
      if (std::ranges::binary_search(pairs_, pair.key(), {}, &Pair::key)) continue;
      PairForces forces;
      functions_->forces(input_of(pair, x), forces);
      if (!forces.touches) continue;
      contacts_[c].margin = std::max(1.5 * contacts_[c].margin, 1.5 * travelled);
      any = true;
      break;
    }
  }
  return any;
}

void MortarContacts::accept(std::span<const Vec3> x) {
  struct Sums {
    std::vector<Vec3> force_a, force_b;
    std::vector<Stretch> stretch;
    std::vector<std::array<double, kCorners>> area;
  };
  std::vector<Sums> sums(contacts_.size());
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    OneContact& contact = contacts_[c];
    sums[c].force_a.resize(contact.a.nodes.size());
    sums[c].force_b.resize(contact.b.nodes.size());
    sums[c].stretch.resize(contact.a.faces.size());
    sums[c].area.resize(contact.a.faces.size());
    contact.result.force_a = {};
    contact.result.touching = 0;
    contact.result.max_penetration = 0;
  }
  evaluate(x, false, [&](const Pair& pair, const Face& first, const Face& second, const Evaluated& found) {
    OneContact& contact = contacts_[at(pair.contact)];
    Sums& sum = sums[at(pair.contact)];
    const PairForces& forces = found.forces;
    std::vector<Vec3>& of_second = contact.single ? sum.force_a : sum.force_b;
    for (int k = 0; k < first.corners; ++k) {
      const std::size_t node = at(first.at[at(k)]);
      sum.force_a[node] += forces.force[at(k)];
      contact.result.force_a += forces.force[at(k)];
      sum.area[at(pair.first)][at(k)] += forces.corner_area[k];
      for (int i = 0; i < 2; ++i) sum.stretch[at(pair.first)].of[i][k] += forces.corner_stretch[i][k];
    }
    for (int k = 0; k < second.corners; ++k)
      of_second[at(second.at[at(k)])] += forces.force[at(kCorners + k)];
    contact.result.friction_energy += forces.dissipated;
    contact.result.max_penetration = std::max(contact.result.max_penetration, forces.deepest);
  });
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    OneContact& contact = contacts_[c];
    for (std::size_t f = 0; f < contact.stretched.size(); ++f)
      for (int k = 0; k < kCorners; ++k)
        for (int i = 0; i < 2; ++i) {
          const double area = sums[c].area[f][at(k)];
          contact.stretched[f].of[i][k] = area > 0.0 ? sums[c].stretch[f].of[i][k] / area : 0.0;
        }
    if (deck(contact).ignore == 1 && acts(contact, end_)) track(contact, static_cast<std::int32_t>(c), x);
    take_work(contact, std::move(sums[c].force_a), std::move(sums[c].force_b), x);
  }
}

/// IGNORE = 1: what is taken out falls with the penetration and does not rise again.
void MortarContacts::track(OneContact& contact, std::int32_t number, std::span<const Vec3> x) const {
  std::vector<double> most(contact.taken_out.size(), 0.0);
  for (const Pair& pair : pairs_) {
    if (pair.contact != number) continue;
    const Overlap lie = functions_->overlap(input_of(pair, x));
    if (!(lie.area > 0.0)) continue;
    const Face& face = contact.a.faces[at(pair.first)];
    for (int k = 0; k < face.corners; ++k) {
      double& of = most[at(face.at[at(k)])];
      of = std::max(of, lie.deepest);
    }
  }
  for (std::size_t n = 0; n < most.size(); ++n)
    contact.taken_out[n] = std::min(contact.taken_out[n], most[n]);
}

/// Work that nodes did against the contact in the step: half of the forces at its start, half of those at its
/// end.
void MortarContacts::take_work(OneContact& contact, std::vector<Vec3> force_a, std::vector<Vec3> force_b,
                               std::span<const Vec3> x) const {
  const auto work = [&](const Side& side, const std::vector<Vec3>& before, const std::vector<Vec3>& now) {
    double sum = 0;
    for (std::size_t n = 0; n < side.nodes.size(); ++n)
      sum -= 0.5 * dot(before[n] + now[n], x[at(side.nodes[n])] - x_start_[at(side.nodes[n])]);
    return sum;
  };
  contact.result.energy_a += work(contact.a, contact.force_a, force_a);
  contact.result.energy_b += work(contact.b, contact.force_b, force_b);
  contact.result.force_b = -contact.result.force_a;
  contact.result.touching = std::ranges::count_if(force_a, [](const Vec3& f) { return !(f == Vec3{}); });
  contact.force_a = std::move(force_a);
  contact.force_b = std::move(force_b);
}

void MortarContacts::delete_element(model::ElementKind kind, LocalId element) {
  for (OneContact& contact : contacts_)
    for (Side* side : {&contact.a, &contact.b})
      for (Face& face : side->faces)
        if (face.kind == kind && face.element == element) face.alive = false;
}

std::optional<GlobalId> MortarContacts::contact_at(LocalId node) const {
  for (const Pair& pair : pairs_) {
    const OneContact& contact = contacts_[at(pair.contact)];
    for (const Face* face : {&contact.a.faces[at(pair.first)], &contact.other().faces[at(pair.second)]})
      if (std::ranges::find(face->node, node) != face->node.end()) return deck(contact).id;
  }
  return std::nullopt;
}

std::vector<NodalContactForce> MortarContacts::nodal_forces() const {
  std::vector<NodalContactForce> found;
  for (const OneContact& contact : contacts_) {
    const auto add = [&](const Side& side, const std::vector<Vec3>& force, std::int32_t b) {
      for (std::size_t n = 0; n < side.nodes.size(); ++n)
        if (!(force[n] == Vec3{}))
          found.push_back({contact.number, b, node_id_[at(side.nodes[n])], force[n]});
    };
    if (deck(contact).a_in_ncforc) add(contact.a, contact.force_a, 0);
    if (deck(contact).b_in_ncforc) add(contact.b, contact.force_b, 1);
  }
  return found;
}

std::vector<ContactResult> MortarContacts::results() const {
  std::vector<ContactResult> rows(model_->contacts.size());
  for (std::size_t c = 0; c < rows.size(); ++c) rows[c].id = model_->contacts[c].id;
  for (const OneContact& contact : contacts_) rows[at(contact.number)] = contact.result;
  return rows;
}

}  // namespace crumple::contact::mortar
