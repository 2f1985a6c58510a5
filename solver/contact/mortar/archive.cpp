// The state of mortar contacts by name: histories, results, and the pairs of the last step and pattern.
#include "state/archive.hpp"

#include <fmt/format.h>

#include "contact/mortar/mortar_contacts.hpp"

namespace crumple::contact::mortar {

using state::Of;
using state::Rows;

namespace {

constexpr int kKeyWidth = 3;  ///< contact, first face, second face

bool wanted(std::span<const GlobalId>) { return true; }

}  // namespace

void MortarContacts::archive(state::Archive& archive) {
  if (contacts_.empty()) return;
  const auto here = archive.module("mortar contacts");
  for (OneContact& contact : contacts_) {
    const auto one = archive.module(fmt::format("contact {}", contact.number));
    archive_one(archive, contact);
  }
  archive_pairs(archive);
}

void MortarContacts::archive_one(state::Archive& archive, OneContact& contact) {
  const auto ids_of = [&](const Side& side) {
    std::vector<GlobalId> ids;
    for (const LocalId n : side.nodes) ids.push_back(node_id_[at(n)]);
    return ids;
  };
  const std::vector<GlobalId> a = ids_of(contact.a), b = ids_of(contact.b),
                              faces = state::numbered(contact.stretched.size());
  archive.global("began", contact.began);
  archive.global("margin", contact.margin);
  archive.field("force a", Rows::own(Of::entity, a), std::span(contact.force_a));
  archive.field("force b", Rows::own(Of::entity, b), std::span(contact.force_b));
  archive.field("taken out", Rows::own(Of::entity, a), std::span(contact.taken_out));
  static_assert(sizeof(Stretch) == 2 * kCorners * sizeof(double));
  double none = 0.0;
  double* const first = contact.stretched.empty() ? &none : &contact.stretched[0].of[0][0];
  archive.field("stretched", Rows::own(Of::entity, faces),
                std::span(first, 2 * kCorners * contact.stretched.size()), 2 * kCorners);
  ContactResult& result = contact.result;
  archive.global("sum a", result.force_a);
  archive.global("sum b", result.force_b);
  archive.global("energy a", result.energy_a);
  archive.global("energy b", result.energy_b);
  archive.global("friction energy", result.friction_energy);
  archive.global("touching", result.touching);
  archive.global("deepest", result.max_penetration);
}

/// Sides of pairs are known from step to step. The pattern of the stiffness has pairs of earlier steps, and
/// its ordering depends on them.
void MortarContacts::archive_pairs(state::Archive& archive) {
  std::vector<GlobalId> pairs, pattern;
  std::vector<std::array<double, 2>> sides;
  for (const Pair& p : pairs_) {
    pairs.insert(pairs.end(), {p.contact, p.first, p.second});
    sides.push_back({p.side[0], p.side[1]});
  }
  for (const auto& [contact, first, second] : in_pattern_)
    pattern.insert(pattern.end(), {contact, first, second});
  archive.list("pairs", pairs, kKeyWidth, wanted);
  archive.list("pattern", pattern, kKeyWidth, wanted);
  sides.resize(pairs.size() / kKeyWidth);
  archive.field("sides", Rows::own(Of::entity, pairs, kKeyWidth), std::span(sides));
  if (!archive.reading()) return;
  const auto number = [](const std::vector<GlobalId>& keys, std::size_t k) {
    return static_cast<std::int32_t>(keys[k]);
  };
  pairs_.clear();
  in_pattern_.clear();
  for (std::size_t k = 0; k < pairs.size(); k += kKeyWidth) {
    Pair pair{number(pairs, k), number(pairs, k + 1), number(pairs, k + 2)};
    for (std::size_t s = 0; s < 2; ++s) pair.side[s] = sides[k / kKeyWidth][s];
    const OneContact& contact = contacts_[at(pair.contact)];
    pair.law = law_between(contact.a.faces[at(pair.first)], contact.other().faces[at(pair.second)]);
    pairs_.push_back(pair);
  }
  for (std::size_t k = 0; k < pattern.size(); k += kKeyWidth)
    in_pattern_.emplace_back(number(pattern, k), number(pattern, k + 1), number(pattern, k + 2));
}

}  // namespace crumple::contact::mortar
