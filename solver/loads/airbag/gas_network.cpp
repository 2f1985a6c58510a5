// Gases of joined bags over a step.
#include "loads/airbag/gas_network.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "loads/load_curve.hpp"
#include "state/archive.hpp"

namespace crumple::loads {

namespace {

/// Changes of mass, energy and volume in a part of a step are below this share.
constexpr double kLittle = 0.02;
constexpr int kMostPartsOfStep = 1000;
/// Below this difference of pressures, as a share, flow between bags is proportional to it: as the root of
/// the difference it would change sides from step to step.
constexpr double kLeastDifference = 1e-4;

std::span<const double> of_bag(std::span<const double> all, std::size_t bag, std::size_t width) {
  return all.subspan(bag * width, width);
}
std::span<double> of_bag(std::span<double> all, std::size_t bag, std::size_t width) {
  return all.subspan(bag * width, width);
}

}  // namespace

GasNetwork::GasNetwork(const std::vector<Airbag>& inputs, std::vector<std::size_t> bags)
    : bags_(std::move(bags)), chambers_(bags_.size()) {
  for (std::size_t b = 0; b < bags_.size(); ++b) {
    chambers_[b].input = &inputs[bags_[b]];
    for (const MixedGas& gas : chambers_[b].input->inflation.gases) {
      const auto found = std::ranges::find(kinds_, gas.kind);
      chambers_[b].kind.push_back(static_cast<std::size_t>(found - kinds_.begin()));
      if (found == kinds_.end()) kinds_.push_back(gas.kind);
    }
  }
  width_ = kinds_.size() + 1;
  now_.resize(bags_.size() * width_);
  stage_.resize(now_.size());
  for (std::vector<double>& slope : slope_) slope.resize(now_.size());
  add_links(inputs);
}

void GasNetwork::add_links(const std::vector<Airbag>& inputs) {
  const auto place = [&](std::size_t bag) {
    return static_cast<std::size_t>(std::ranges::find(bags_, bag) - bags_.begin());
  };
  for (std::size_t b = 0; b < bags_.size(); ++b)
    for (const BagLink& link : inputs[bags_[b]].links)
      links_.push_back({b, place(static_cast<std::size_t>(link.to)), &link});
}

void GasNetwork::look(Chamber& c, double elapsed, std::span<const double> y) const {
  c.mixture = {};
  for (std::size_t i = 0; i < kinds_.size(); ++i) c.mixture.add(kinds_[i], y[i]);
  c.volume_now = c.volume + elapsed * c.rate;
  c.temperature = c.mixture.temperature(y[kinds_.size()]);
  c.pressure = c.mixture.constant * c.temperature / c.volume_now;
  c.inflow = c.outflow = 0;
}

void GasNetwork::feed(const model::Model& model, double time, Chamber& c, std::span<double> dy) const {
  const Inflation& gas = c.input->inflation;
  const auto at = [&](LocalId curve) { return load_value(model, curve, time, model::Stage::transient); };
  double moles = 0, all = 1;  // per time; with a flow of all gases these are shares, whose masses are x / R
  if (gas.total_inflow != model::kNone) {
    for (const MixedGas& g : gas.gases) moles += at(g.inflow) / g.kind.constant;
    all = at(gas.total_inflow);
    if (!(moles > 0)) return;
  }
  for (std::size_t k = 0; k < gas.gases.size(); ++k) {
    const MixedGas& g = gas.gases[k];
    const double value = at(g.inflow);
    const double flow = gas.total_inflow == model::kNone ? value : all * value / g.kind.constant / moles;
    if (flow == 0) continue;
    const double hot = curve_or(model, g.temperature_curve, time, g.inflow_temperature);
    dy[c.kind[k]] += flow;
    dy[kinds_.size()] += flow * enthalpy_of(g.kind, hot);
    c.inflow += flow;
  }
}

void GasNetwork::carry(const Chamber& c, double flow, std::span<const double> from,
                       std::span<double> dy) const {
  const double share = flow / c.mixture.mass;
  for (std::size_t i = 0; i < kinds_.size(); ++i) dy[i] += share * from[i];
  dy[kinds_.size()] += share * c.mixture.enthalpy(c.temperature);
}

void GasNetwork::vent(const model::Model& model, double time, Chamber& c, std::span<const double> y,
                      std::span<double> dy) const {
  const Inflation& gas = c.input->inflation;
  const double outside = gas.ambient_pressure;
  const BeforeHole before{time,
                          c.pressure,
                          c.mixture.mass,
                          c.volume_now,
                          outside,
                          nozzle_flux(c.mixture.constant / c.mixture.mass, c.mixture.exponent(c.temperature),
                                      c.pressure, c.temperature, outside)};
  double out = 0;
  for (const Orifice& hole : gas.orifices)
    if (!hole.pops || c.popped) out += flow_through(hole, model, before);
  const double gauge = c.pressure - outside;
  if (c.popped && gauge > 0) out += std::max(0.0, curve_or(model, gas.outflow, gauge, 0));
  carry(c, -out, y, dy);
  c.outflow += out;
  dy[kinds_.size()] -=
      c.pressure * c.rate + gas.heat_convection * c.area * (c.temperature - gas.ambient_temperature);
}

double GasNetwork::flux_to(const Chamber& c, double outside) {
  const double least = kLeastDifference * c.pressure, difference = c.pressure - outside;
  const double flux = nozzle_flux(c.mixture.constant / c.mixture.mass, c.mixture.exponent(c.temperature),
                                  c.pressure, c.temperature, c.pressure - std::max(least, difference));
  return flux * std::min(1.0, difference / least);
}

void GasNetwork::exchange(const model::Model& model, double time, const Link& link, std::span<const double> y,
                          std::span<double> dy) {
  const bool forward = chambers_[link.from].pressure > chambers_[link.to].pressure;
  if (link.input->way == (forward ? BagLink::Way::backward : BagLink::Way::forward)) return;
  const std::size_t high = forward ? link.from : link.to, low = forward ? link.to : link.from;
  Chamber &a = chambers_[high], &b = chambers_[low];
  double flow = 0;
  if (link.input->flow_by_difference != model::kNone) {
    const double difference = a.pressure - b.pressure;
    if (difference > 0) flow = std::max(0.0, curve_or(model, link.input->flow_by_difference, difference, 0));
  } else {
    flow = flow_through(link.input->hole, model,
                        {time, a.pressure, a.mixture.mass, a.volume_now, b.pressure, flux_to(a, b.pressure)});
  }
  const std::span<const double> from = of_bag(y, high, width_);
  carry(a, -flow, from, of_bag(dy, high, width_));
  carry(a, flow, from, of_bag(dy, low, width_));
  a.outflow += flow;
  b.inflow += flow;
}

void GasNetwork::rates(const model::Model& model, double time, double elapsed, std::span<const double> y,
                       std::span<double> dy) {
  std::ranges::fill(dy, 0.0);
  for (std::size_t b = 0; b < chambers_.size(); ++b) {
    Chamber& c = chambers_[b];
    look(c, elapsed, of_bag(y, b, width_));
    feed(model, time, c, of_bag(dy, b, width_));
    vent(model, time, c, of_bag(y, b, width_), of_bag(dy, b, width_));
  }
  for (const Link& link : links_) exchange(model, time, link, y, dy);
}

/// By what the rates at the beginning of the step, in slope_[0], change.
int GasNetwork::number_of_parts(double step) const {
  double change = 0;
  for (std::size_t b = 0; b < chambers_.size(); ++b) {
    const Chamber& c = chambers_[b];
    const std::size_t energy = b * width_ + kinds_.size();
    change = std::max({change, step * (c.inflow + c.outflow) / c.mixture.mass,
                       step * std::abs(slope_[0][energy]) / now_[energy],
                       step * std::abs(c.rate) / std::min(c.volume, c.volume + step * c.rate)});
  }
  const double parts = std::ceil(change / kLittle);
  return parts < kMostPartsOfStep ? std::max(1, static_cast<int>(parts)) : kMostPartsOfStep;
}

/// One part of a step, of length `h`.
void GasNetwork::move(const model::Model& model, double from, double elapsed, double h) {
  rates(model, from + elapsed, elapsed, now_, slope_[0]);
  for (std::size_t k = 1; k < 4; ++k) {
    const double to = k < 3 ? 0.5 * h : h;
    for (std::size_t i = 0; i < now_.size(); ++i) stage_[i] = now_[i] + to * slope_[k - 1][i];
    rates(model, from + elapsed + to, elapsed + to, stage_, slope_[k]);
  }
  for (std::size_t i = 0; i < now_.size(); ++i)
    now_[i] += h / 6 * (slope_[0][i] + 2 * (slope_[1][i] + slope_[2][i]) + slope_[3][i]);
}

/// Gas of the given composition at the pressure and temperature of the start.
void GasNetwork::start(double time, std::span<const BagSurface> surfaces, std::span<GasState> states) {
  for (std::size_t b = 0; b < chambers_.size(); ++b) {
    Chamber& c = chambers_[b];
    const Inflation& gas = c.input->inflation;
    const double temperature = gas.temperature_at_start(), volume = surfaces[bags_[b]].volume;
    Mixture unit;
    for (const MixedGas& g : gas.gases) unit.add(g.kind, g.share);
    const double mass = gas.pressure_at_start() * volume / (unit.constant * temperature);
    for (std::size_t k = 0; k < gas.gases.size(); ++k)
      now_[b * width_ + c.kind[k]] += mass * gas.gases[k].share;
    now_[b * width_ + kinds_.size()] = mass * unit.energy(temperature);
    c.volume = volume, c.rate = 0, c.area = surfaces[bags_[b]].area;
    look(c, 0, std::span(now_).subspan(b * width_, width_));
    states[bags_[b]].started = 1;
    states[bags_[b]].popped = gas.pop_pressure > 0 ? 0 : 1;
  }
  report(time, states);
}

void GasNetwork::report(double time, std::span<GasState> states) const {
  for (std::size_t b = 0; b < chambers_.size(); ++b) {
    const Chamber& c = chambers_[b];
    const Inflation& gas = c.input->inflation;
    GasState& s = states[bags_[b]];
    s.time = time, s.volume = c.volume;
    s.mass = c.mixture.mass, s.energy = now_[b * width_ + kinds_.size()];
    s.temperature = c.temperature, s.pressure = c.pressure;
    s.inflow = c.inflow, s.outflow = c.outflow;
    if (s.pressure - gas.ambient_pressure > gas.pop_pressure) s.popped = 1;
  }
}

void GasNetwork::advance(const model::Model& model, double time, std::span<const BagSurface> surfaces,
                         std::span<GasState> states) {
  const GasState& first = states[bags_[0]];
  if (first.started == 0) return start(time, surfaces, states);
  const double from = first.time, step = time - from;
  if (!(step > 0)) return;
  for (std::size_t b = 0; b < chambers_.size(); ++b) {
    Chamber& c = chambers_[b];
    c.volume = states[bags_[b]].volume;
    c.rate = (surfaces[bags_[b]].volume - c.volume) / step;
    c.area = surfaces[bags_[b]].area;
    c.popped = states[bags_[b]].popped != 0;
  }
  rates(model, from, 0, now_, slope_[0]);
  const int parts = number_of_parts(step);
  for (int k = 0; k < parts; ++k) move(model, from, k * (step / parts), step / parts);
  for (std::size_t b = 0; b < chambers_.size(); ++b) chambers_[b].volume = surfaces[bags_[b]].volume;
  rates(model, time, 0, now_, slope_[0]);
  report(time, states);
}

void GasNetwork::archive(state::Archive& archive) {
  std::vector<GlobalId> keys;  // a bag's number, and that of a kind of gas or, last, of the energy
  for (const std::size_t bag : bags_)
    for (std::size_t i = 0; i < width_; ++i)
      keys.insert(keys.end(), {static_cast<GlobalId>(bag), static_cast<GlobalId>(i)});
  archive.field("gases", state::Rows::equal(state::Of::entity, keys, 2), std::span(now_));
}

std::vector<GasNetwork> networks_of(const std::vector<Airbag>& inputs) {
  std::vector<std::size_t> group(inputs.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  for (std::size_t b = 0; b < inputs.size(); ++b)
    for (const BagLink& link : inputs[b].links) {
      const std::size_t one = group[b], other = group[static_cast<std::size_t>(link.to)];
      std::ranges::replace(group, std::max(one, other), std::min(one, other));
    }
  std::vector<GasNetwork> networks;
  for (std::size_t first = 0; first < inputs.size(); ++first) {
    if (group[first] != first || inputs[first].inflation.gases.empty()) continue;
    std::vector<std::size_t> bags;
    for (std::size_t b = first; b < inputs.size(); ++b)
      if (group[b] == first) bags.push_back(b);
    networks.emplace_back(inputs, std::move(bags));
  }
  return networks;
}

}  // namespace crumple::loads
