// Tests of switch sets against time and forces.
#include "constraints/switched_parts/switch_times.hpp"

#include <algorithm>

#include "state/archive.hpp"

namespace crumple::constraints {

SwitchTimes::SwitchTimes(std::span<const SwitchSet> sets) : sets_(sets), states_(sets.size()) {
  for (std::size_t k = 0; k < sets.size(); ++k) {
    const auto other = std::ranges::find(sets, sets[k].related, &SwitchSet::id);
    partner_.push_back(sets[k].paired == 0 || other == sets.end() ? -1 : other - sets.begin());
    if (sets[k].paired < 0) states_[k].armed = 0;
  }
}

bool SwitchTimes::waits_for_force(std::size_t set, double time) const {
  const SwitchSet& s = sets_[set];
  return states_[set].armed != 0 && s.test != SwitchTest::time && time <= s.end;
}

void SwitchTimes::take_force(std::size_t set, bool touched) {
  states_[set].touched = touched ? 1 : 0;
  states_[set].known = 1;
}

bool SwitchTimes::holds(std::size_t set, double time) const {
  const SwitchSet& s = sets_[set];
  const SwitchSetState& state = states_[set];
  if (s.test == SwitchTest::time) return time >= s.begin;
  if (time < s.begin || time > s.end || state.known == 0) return false;
  const bool wants_force = s.test == SwitchTest::wall_force || s.test == SwitchTest::contact_force;
  return (state.touched != 0) == wants_force;
}

std::vector<std::size_t> SwitchTimes::due(double time) {
  std::vector<std::size_t> now;
  if (time < held_until_) return now;
  for (std::size_t k = 0; k < sets_.size(); ++k)
    if (states_[k].armed != 0 && holds(k, time)) now.push_back(k);
  for (const std::size_t k : now) {
    states_[k] = {.armed = 0, .acted = 1, .touched = 0, .known = 0};
    held_until_ = std::max(held_until_, time + sets_[k].delay);
    if (partner_[k] < 0) continue;
    const auto other = static_cast<std::size_t>(partner_[k]);
    SwitchSetState& next = states_[other];
    if (sets_[other].test == SwitchTest::time && next.acted != 0) continue;
    next = {.armed = 1, .acted = next.acted, .touched = 0, .known = 0};
  }
  return now;
}

void SwitchTimes::archive(state::Archive& archive) {
  const std::vector<GlobalId> keys = state::numbered(states_.size());
  archive.structs("set", state::Rows::equal(state::Of::entity, keys), std::span(states_));
  archive.global("held until", held_until_);
}

}  // namespace crumple::constraints
