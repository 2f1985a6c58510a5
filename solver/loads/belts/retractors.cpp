// Retractors and their pretensioners: belt goes out and in at the mouth.
#include <algorithm>
#include <cmath>

#include "loads/belts/belt_system.hpp"
#include "loads/belts/webbing.hpp"

namespace crumple::loads {

namespace {

/// The largest part of the fed length that is paid out or reeled in in a step.
constexpr double kFastest = 0.01;

}  // namespace

void BeltSystem::run_retractor(std::size_t r, Motion& m) {
  RetractorState& s = retractors_[r];
  const bool was_locked = s.locked != 0;
  double fed = 0.0;
  if (!pretension(r, m, fed)) {
    count_to_lock(r, m);
    fed = s.locked != 0 ? locked_feed(r) : unlocked_feed(r);
  }
  fed = std::max(fed, shortest_feed(r));
  elements_[at(s.mouth)].length += fed;
  s.pull_out += fed;
  s.fed += fed;
  s.rate = m.dt > 0.0 ? fed / m.dt : 0.0;
  if (s.counting != 0 && !was_locked) s.counted += fed;
  if (s.locked != 0) {
    s.out += fed;
    s.most = std::max(s.most, s.out);
  }
  let_out(r, m);
  take_in(r, m);
}

/// A sensor, then the delay, then the payout.
void BeltSystem::count_to_lock(std::size_t r, const Motion& m) {
  const Retractor& in = in_->retractors[r];
  RetractorState& s = retractors_[r];
  if (s.locked != 0) return;
  for (const std::int32_t k : in.sensors) {
    const BeltSensorState& sensor = sensors_[at(k)];
    if (sensor.triggered != 0 && m.time >= sensor.time + in.delay) s.counting = 1;
  }
  if (m.time >= locked_[r] + in.delay) s.counting = 1;
  if (s.counting != 0 && s.counted >= in.payout) s.locked = 1;
}

/// Towards the tension of the first point of the curve.
double BeltSystem::unlocked_feed(std::size_t r) const {
  const Retractor& in = in_->retractors[r];
  const std::int64_t mouth = retractors_[r].mouth;
  const double way = target_length(mouth, curve(in.loading).y.front()) - elements_[at(mouth)].length;
  return std::clamp(way, -kFastest * in.fed, kFastest * in.fed);
}

/// The loading curve beyond the largest pull-out, below it the unloading curve, moved to meet the other
/// there.
double BeltSystem::retractor_tension(std::size_t r, double out) const {
  const Retractor& in = in_->retractors[r];
  const model::Curve &loading = curve(in.loading), &unloading = curve(in.unloading);
  const double most = retractors_[r].most, least = loading.y.front();
  if (out >= most || in.loading == in.unloading) return std::max(least, beyond(loading, out));
  const double shift = most - where(unloading, beyond(loading, most));
  return std::max(least, beyond(unloading, out - shift));
}

/// The length after which the element has the tension of the curve: one falls with it, the other rises. At
/// the least tension belt is drawn in as slowly as by an unlocked retractor.
double BeltSystem::locked_feed(std::size_t r) const {
  const RetractorState& s = retractors_[r];
  const BeltElementState& mouth = elements_[at(s.mouth)];
  const auto excess = [&](double fed) {
    return force_of(s.mouth, mouth.length + fed) - retractor_tension(r, s.out + fed);
  };
  const double now = excess(0.0);
  if (now == 0.0) return 0.0;
  double low = now < 0.0 ? -0.5 * mouth.length : 0.0, high = now > 0.0 ? mouth.stretched - mouth.length : 0.0;
  if (excess(low) < 0.0) {
    high = low;
  } else {
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (excess(middle) > 0.0 ? low : high) = middle;
    }
  }
  const bool least = retractor_tension(r, s.out + high) <= curve(in_->retractors[r].loading).y.front();
  return least ? std::max(high, -kFastest * in_->retractors[r].fed) : high;
}

/// A mouth element that cannot be taken in keeps LMIN.
double BeltSystem::shortest_feed(std::size_t r) const {
  const std::int64_t mouth = retractors_[r].mouth;
  const double shortest = material(mouth).shortest, length = elements_[at(mouth)].length;
  const bool free = next(mouth, other_end(mouth, in_->retractors[r].node)) >= 0;
  return std::min(0.0, (free ? 0.5 : 1.0) * shortest - length);
}

/// Whether a pretensioner acts now; `fed` is the length that it feeds, below zero.
bool BeltSystem::pretension(std::size_t r, const Motion& m, double& fed) {
  bool acts = false;
  for (std::size_t k = 0; k < pretensioners_.size(); ++k) {
    const Pretensioner& in = in_->pretensioners[k];
    PretensionerState& p = pretensioners_[k];
    if (at(in.retractor) != r || p.ended != 0) continue;
    for (const std::int32_t i : in.sensors) {
      const BeltSensorState& sensor = sensors_[at(i)];
      if (p.fired != 0 || sensor.triggered == 0 || m.time < sensor.time + in.delay) continue;
      p.fired = 1;
      p.time = sensor.time + in.delay;
    }
    if (p.fired == 0 && m.time >= fired_[k] + in.delay) p.fired = 1, p.time = fired_[k] + in.delay;
    if (p.fired != 0) acts = pull_in(in, p, r, m, fed) || acts;
  }
  return acts;
}

bool BeltSystem::pull_in(const Pretensioner& in, PretensionerState& p, std::size_t r, const Motion& m,
                         double& fed) {
  const std::int64_t mouth = retractors_[r].mouth;
  const BeltElementState& s = elements_[at(mouth)];
  const double since = m.time - p.time;
  const bool limited = in.limit > 0.0 && force_of(mouth, s.length) > in.limit;
  const bool over = since > curve(in.curve).x.back() && (in.by_force || p.pulled >= curve(in.curve).y.back());
  if (limited || over) {
    p.ended = 1;
    lock_at_tension(r);
    return false;
  }
  if (in.by_force) {
    fed = std::min(fed, target_length(mouth, curve(in.curve)(since)) - s.length);
  } else {
    fed = std::min(fed, p.pulled - curve(in.curve)(since));
    p.pulled = curve(in.curve)(since);
  }
  return true;
}

/// Where a pull-in ends the retractor locks, at the point of its curve that has the present tension.
void BeltSystem::lock_at_tension(std::size_t r) {
  RetractorState& s = retractors_[r];
  s.locked = 1;
  s.out = where(curve(in_->retractors[r].loading), force_of(s.mouth, elements_[at(s.mouth)].length));
  s.most = s.out;
}

/// The next element leaves the retractor.
void BeltSystem::let_out(std::size_t r, Motion& m) {
  const Retractor& in = in_->retractors[r];
  RetractorState& s = retractors_[r];
  BeltElementState& old = elements_[at(s.mouth)];
  const double shortest = material(s.mouth).shortest;
  if (s.inside == 0 || s.fed < in.fed - 1.1 * shortest || old.length < 2.2 * shortest) return;
  std::int64_t out = -1;
  for (std::size_t e = 0; e < elements_.size(); ++e)
    if (elements_[e].within == static_cast<std::int64_t>(r) && elements_[e].place == s.inside - 1)
      out = static_cast<std::int64_t>(e);
  BeltElementState& e = elements_[at(out)];
  const std::int64_t freed = s.held, deeper = other_end(out, freed), far = other_end(s.mouth, in.node);
  const double share = 1.1 * shortest / old.length;
  // What was inside, 1.1 LMIN, is in the length that has been fed.
  e.length = share * old.length;
  old.length -= e.length;
  put_between(freed, in.node, far, share, m);
  end_at(s.mouth, in.node) = freed;
  e.first = in.node;
  e.second = freed;
  e.within = e.place = -1;
  for (BeltElementState* const of : {&e, &old})
    of->stretched = norm(m.x[at(of->second)] - m.x[at(of->first)]);
  old.peak = std::max(old.stretched / old.length - 1.0, 0.0);
  s.mouth = out;
  s.held = deeper;
  s.inside -= 1;
  s.fed = 0.0;
}

/// The element at the mouth is drawn in, and the one before it takes its length.
void BeltSystem::take_in(std::size_t r, Motion& m) {
  const Retractor& in = in_->retractors[r];
  RetractorState& s = retractors_[r];
  BeltElementState& old = elements_[at(s.mouth)];
  const double shortest = material(s.mouth).shortest;
  if (old.length >= shortest) return;
  const std::int64_t outer = other_end(s.mouth, in.node), following = next(s.mouth, outer);
  if (following < 0) return;
  BeltElementState& n = elements_[at(following)];
  n.length += old.length;
  end_at(following, outer) = in.node;
  old.first = outer;
  old.second = s.held;
  old.within = static_cast<std::int64_t>(r);
  old.place = s.inside;
  old.length = 1.1 * shortest;
  put(outer, m.x[at(in.node)], m.v[at(in.node)], m);
  n.stretched = norm(m.x[at(n.second)] - m.x[at(n.first)]);
  s.mouth = following;
  s.held = outer;
  s.inside += 1;
  s.fed = in.fed - 2.2 * shortest;  // it comes back when 1.1 LMIN has come out
}

}  // namespace crumple::loads
