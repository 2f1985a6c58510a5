// The state of mortar contacts of explicit runs by name: pairs in contact, springs, work.
#include <fmt/format.h>

#include <algorithm>

#include "contact/mortar/explicit_mortar.hpp"
#include "state/archive.hpp"

namespace crumple::contact::mortar {

using state::Of;
using state::Rows;

void ExplicitMortar::archive(state::Archive& archive) {
  const auto here = archive.module(fmt::format("mortar of contact {}", contact_));
  archive.global("began", began_);
  std::vector<GlobalId> orders, keys;  // of pairs: both segments
  for (const FaceRecord& face : a_) orders.push_back(face.order);
  archive.structs("face", Rows::own(Of::entity, orders), std::span(states_));
  std::vector<TouchingFaces> pairs;
  for (std::size_t f = 0; f < a_.size(); ++f)
    for (const TouchingFaces& pair : touching_[f]) {
      keys.insert(keys.end(), {orders[f], pair.other});
      pairs.push_back(pair);
    }
  archive.list("pairs", keys, 2,
               [&](std::span<const GlobalId> key) { return std::ranges::binary_search(orders, key[0]); });
  pairs.resize(keys.size() / 2);
  archive.structs("pair", Rows::own(Of::entity, keys, 2), std::span(pairs));
  if (!archive.reading()) return;
  for (auto& list : touching_) list.clear();
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto face = std::ranges::lower_bound(orders, keys[2 * k]) - orders.begin();
    touching_[static_cast<std::size_t>(face)].push_back(pairs[k]);
  }
}

}  // namespace crumple::contact::mortar
