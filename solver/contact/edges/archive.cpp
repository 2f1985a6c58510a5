// The state of lines by name: their contacts with their work, and which of their elements are left.
#include "state/archive.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "contact/edges/line_contact.hpp"

namespace crumple::contact {

using state::Of;
using state::Rows;

void LineContact::archive(state::Archive& archive) {
  const auto here = archive.module(fmt::format("lines of contact {}", contact_));
  archive.global("started", started_);
  std::vector<GlobalId> orders, places;  // `places`: line and place of each element
  for (const LineRecord& line : lines_) orders.push_back(line.order);
  for (const Element& e : by_element_) places.insert(places.end(), {e.line, e.place});
  const Rows rows = Rows::own(Of::entity, orders);
  archive.member("alive", rows, std::span(lines_), &LineRecord::alive);
  archive.member("radius", rows, std::span(lines_), &LineRecord::radius);
  archive.member("stiffness", rows, std::span(lines_), &LineRecord::stiffness);
  archive.member("rigid_body", rows, std::span(lines_), &LineRecord::rigid_body);
  archive.member("beyond", rows, std::span(lines_), &LineRecord::beyond);
  archive.structs("work", rows, std::span(work_));
  archive.member("gone", Rows::own(Of::entity, places, 2), std::span(by_element_), &Element::gone);
  const auto is_mine = [&](std::span<const GlobalId> key) {
    return std::ranges::binary_search(lines_, key[0], {}, &LineRecord::order);
  };
  std::ranges::sort(lost_);
  lost_.erase(std::unique(lost_.begin(), lost_.end()), lost_.end());
  archive.list("lost elements", lost_, 1, is_mine);  // their lines' home ranks report them to the others
  archive_pairs(archive);
  if (!archive.reading()) return;
  for (LineRecord& line : lines_)
    for (int k = 2; k < kLineNodes; ++k)
      if (line.beyond[k] < 0) {
        line.node[k] = model::kNone;
        line.id[k] = kNoNode;
      }
}

void LineContact::archive_pairs(state::Archive& archive) {
  std::vector<GlobalId> keys;  // both lines
  std::vector<LineContactState> states;
  for (std::size_t l = 0; l < lines_.size(); ++l)
    for (const LineContactState& state : touching_[l]) {
      keys.insert(keys.end(), {lines_[l].order, state.other});
      states.push_back(state);
    }
  const auto place = [&](GlobalId order) {
    return std::ranges::lower_bound(lines_, order, {}, &LineRecord::order) - lines_.begin();
  };
  archive.list("pairs", keys, 2, [&](std::span<const GlobalId> key) {
    return std::ranges::binary_search(lines_, key[0], {}, &LineRecord::order);
  });
  states.resize(keys.size() / 2);
  archive.structs("pair", Rows::own(Of::entity, keys, 2), std::span(states));
  if (!archive.reading()) return;
  for (auto& list : touching_) list.clear();
  for (std::size_t k = 0; k < states.size(); ++k)
    touching_[static_cast<std::size_t>(place(keys[2 * k]))].push_back(states[k]);
}

}  // namespace crumple::contact
