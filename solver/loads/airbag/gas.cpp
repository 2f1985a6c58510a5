// Volumes of airbags, their pressure, forces and work.
#include "loads/airbag/gas.hpp"

#include <cmath>
#include <string>

#include "base/error.hpp"
#include "loads/load_curve.hpp"
#include "loads/pressure/pressure_loads.hpp"
#include "state/archive.hpp"

namespace crumple::loads {

namespace {

// Indices of the sums of one bag: x_k S_k and S by axis, |S|, positions of nodes, their number, their
// momentum and mass.
enum Sum : std::size_t {
  kMoment = 0,
  kArea = 3,
  kSize = 6,
  kPosition = 7,
  kNodes = 10,
  kMomentum = 11,
  kMass = 14,
  kSums
};

bool triangle(const std::array<LocalId, 4>& nodes) { return nodes[3] == nodes[2]; }

Vec3 vector(std::span<const parallel::ExactSum> sums) {
  return {sums[0].value(), sums[1].value(), sums[2].value()};
}

void add_vector(std::span<parallel::ExactSum> sums, const Vec3& v) {
  for (int k = 0; k < 3; ++k) sums[static_cast<std::size_t>(k)] += v[k];
}

}  // namespace

Airbags::Airbags(const model::Model& model, const parallel::Communicator& comm)
    : model_(&model),
      inputs_(&model.features.of<Airbag>()),
      comm_(&comm),
      bags_(inputs_->size()),
      starts_(bags_.size()),
      states_(bags_.size()),
      gases_(bags_.size()),
      networks_(networks_of(*inputs_)),
      surfaces_(bags_.size()),
      begins_(bags_.size()) {
  for (std::size_t b = 0; b < bags_.size(); ++b) {
    bags_[b].facets.resize((*inputs_)[b].segments.size());
    bags_[b].points.resize((*inputs_)[b].nodes.size());
    any_gas_ = any_gas_ || (*inputs_)[b].inflation.active || (*inputs_)[b].liquid.active;
  }
}

void Airbags::measure(const Airbag& input, const state::Nodal& nodal, std::vector<std::array<Vec3, 4>>& area,
                      std::span<parallel::ExactSum> sums) const {
  area.clear();
  for (const auto& nodes : input.segments) {
    std::array<Vec3, 4> x;
    for (std::size_t a = 0; a < 4; ++a) x[a] = nodal.x[nodes[a]];
    std::array<Vec3, 4>& s = area.emplace_back(unit_pressure_forces(x, triangle(nodes)));
    Vec3 whole, moment;
    for (std::size_t a = 0; a < 4; ++a) {
      s[a] *= -1.0;
      whole += s[a];
      for (int k = 0; k < 3; ++k) moment[k] += x[a][k] * s[a][k];
    }
    add_vector(sums.subspan(kMoment, 3), moment);
    add_vector(sums.subspan(kArea, 3), whole);
    sums[kSize] += norm(whole);
  }
  for (const LocalId n : input.nodes) {
    add_vector(sums.subspan(kPosition, 3), nodal.x[n]);
    sums[kNodes] += 1.0;
    if (input.damping == 0.0) continue;
    add_vector(sums.subspan(kMomentum, 3), nodal.mass[n] * nodal.v[n]);
    sums[kMass] += nodal.mass[n];
  }
}

/// The manual: gauge pressure beta CN / (relative volume), or LCID of the relative volume, times PSCA; an
/// isentropic change; or a curve of the time.
double Airbags::pressure(const Airbag& input, double relative_volume, double time, model::Stage stage) const {
  if (input.pressure_by_time != model::kNone)
    return input.pressure_scale * load_value(*model_, input.pressure_by_time, time - input.begins, stage);
  if (input.exponent > 0.0)
    return input.pressure_scale *
           (input.first_pressure * std::pow(relative_volume, -input.exponent) - input.outside_pressure);
  if (input.curve != model::kNone) return input.pressure_scale * model_->curves[input.curve](relative_volume);
  const bool relaxing = stage == model::Stage::relaxation && input.relaxation_curve != model::kNone;
  const double cn = input.coefficient_curve == model::kNone && !relaxing
                        ? input.coefficient
                        : load_value(*model_, input.coefficient_curve, input.relaxation_curve, time, stage);
  return input.pressure_scale * input.beta * cn / relative_volume;
}

/// Gas with mass and energy. It begins with the run: before, in dynamic relaxation, the bag has no pressure.
void Airbags::fill(const Airbag& input, State& state, GasState& gas, double now, double begin,
                   model::Stage stage) {
  if (stage == model::Stage::relaxation || now < begin) return;
  const double time = now - begin;
  const bool mixed = !input.inflation.gases.empty();  // its network has advanced it
  if (!mixed && gas.started == 0)
    gas = ambient_gas(input.inflation, time, state.volume);
  else if (!mixed)
    advance_gas(input.inflation, *model_, time, state.volume, gas);
  if (!(gas.mass > 0.0 && gas.energy > 0.0))
    throw Error("CR-L105",
                "the gas of airbag " + std::to_string(input.id) + " has mass " + std::to_string(gas.mass) +
                    " and energy " + std::to_string(gas.energy) + " at time " + std::to_string(now),
                input.place, Exit::run);
  state.pressure = input.pressure_scale * (gas.pressure - input.inflation.ambient_pressure);
  state.energy = gas.energy;
}

void Airbags::fill_with_liquid(const Airbag& input, State& state, GasState& liquid, double time,
                               model::Stage stage) {
  advance_liquid(input.liquid, *model_, time, state.volume, stage, liquid);
  if (!(liquid.mass > 0.0))
    throw Error("CR-L105",
                "the liquid of airbag " + std::to_string(input.id) + " has mass " +
                    std::to_string(liquid.mass) + " at time " + std::to_string(time),
                input.place, Exit::run);
  state.pressure = input.pressure_scale * liquid.pressure;
}

void Airbags::push(const Airbag& input, Bag& bag, double signed_p,
                   const std::vector<std::array<Vec3, 4>>& area, state::Nodal& nodal) {
  for (std::size_t k = 0; k < input.segments.size(); ++k) {
    const auto& nodes = input.segments[k];
    BagFacet& last = bag.facets[k];
    for (std::size_t a = 0; a < (triangle(nodes) ? 3u : 4u); ++a) {
      const Vec3 f = signed_p * area[k][a], x = nodal.x[nodes[a]];
      nodal.add_force(nodes[a], f);
      if (!first_) work_ += dot(0.5 * (last.force[a] + f), x - last.x[a]);
      last.force[a] = f;
      last.x[a] = x;
    }
  }
}

/// MWD: a force -D m (v - mean velocity of the bag's nodes).
void Airbags::damp(const Airbag& input, Bag& bag, const Vec3& mean, state::Nodal& nodal) {
  for (std::size_t k = 0; k < input.nodes.size(); ++k) {
    const LocalId n = input.nodes[k];
    BagPoint& last = bag.points[k];
    const Vec3 f = (-input.damping * nodal.mass[n]) * (nodal.v[n] - mean), x = nodal.x[n];
    nodal.add_force(n, f);
    if (!first_) damped_ += -dot(0.5 * (last.force + f), x - last.x);
    last = {f, x};
  }
}

/// By the divergence theorem, with the origin at the mean of the nodes; the sign is still that of the
/// segments.
double Airbags::volume_of(std::size_t bag, std::span<const parallel::ExactSum> sums) const {
  const Vec3 origin = (1.0 / sums[kNodes].value()) * vector(sums.subspan(kPosition, 3));
  const Vec3 moment = vector(sums.subspan(kMoment, 3)), opening = vector(sums.subspan(kArea, 3));
  const Vec3& along = (*inputs_)[bag].along;
  double geometric = 0.0;
  for (int k = 0; k < 3; ++k) geometric += along[k] * (moment[k] - origin[k] * opening[k]);
  return geometric;
}

void Airbags::find_surfaces(std::span<const parallel::ExactSum> sums, double time) {
  for (std::size_t b = 0; b < bags_.size(); ++b) {
    const Airbag& input = (*inputs_)[b];
    BagStart& start = starts_[b];
    BagSurface& surface = surfaces_[b];
    const double geometric = volume_of(b, sums.subspan(kSums * b, kSums));
    if (first_) start.sign = geometric < 0.0 ? -1.0 : 1.0;
    surface.volume = input.volume_scale * start.sign * geometric - input.volume_offset;
    surface.area = sums[kSums * b + kSize].value();
    if (first_) start.volume = surface.volume;
    if (!(surface.volume > 0.0))
      throw Error("CR-L104",
                  "the volume of airbag " + std::to_string(input.id) + " is " +
                      std::to_string(surface.volume) + " at time " + std::to_string(time) +
                      ": its segments must close it, all of them outwards or all inwards",
                  input.place, Exit::run);
  }
}

/// Mixtures at t_n. Joined bags begin together, with the run.
void Airbags::mix(double now, model::Stage stage) {
  if (stage == model::Stage::relaxation) return;
  for (GasNetwork& network : networks_) {
    const double begin = begins_[network.bags().front()];
    if (now >= begin) network.advance(*model_, now - begin, surfaces_, gases_);
  }
}

void Airbags::add(state::Nodal& nodal, double time, model::Stage stage) {
  if (bags_.empty()) return;
  std::vector<parallel::ExactSum> sums(kSums * bags_.size());
  std::vector<std::vector<std::array<Vec3, 4>>> area(bags_.size());
  const auto of = [&](std::size_t b) { return std::span(sums).subspan(kSums * b, kSums); };
  for (std::size_t b = 0; b < bags_.size(); ++b) measure((*inputs_)[b], nodal, area[b], of(b));
  parallel::ExactSum::reduce(*comm_, sums);
  find_surfaces(sums, time);
  mix(time, stage);
  for (std::size_t b = 0; b < bags_.size(); ++b) {
    const Airbag& input = (*inputs_)[b];
    State& state = states_[b];
    const State last = state;
    state.volume = surfaces_[b].volume;
    state.area = surfaces_[b].area;
    if (input.inflation.active) {
      fill(input, state, gases_[b], time, begins_[b], stage);
    } else {
      if (input.liquid.active)
        fill_with_liquid(input, state, gases_[b], time, stage);
      else
        state.pressure = pressure(input, state.volume / starts_[b].volume, time, stage);
      if (!first_) state.energy -= 0.5 * (last.pressure + state.pressure) * (state.volume - last.volume);
    }
    push(input, bags_[b], starts_[b].sign * state.pressure, area[b], nodal);
    const auto s = of(b);
    if (input.damping != 0.0)
      damp(input, bags_[b], (1.0 / s[kMass].value()) * vector(s.subspan(kMomentum, 3)), nodal);
  }
  first_ = false;
}

void Airbags::archive(state::Archive& archive) {
  using state::Of, state::Rows;
  const auto here = archive.module("airbags");
  const std::vector<GlobalId> numbers = state::numbered(bags_.size());
  const Rows of_bags = Rows::equal(Of::entity, numbers);
  archive.structs("state", of_bags, std::span(states_));
  archive.structs("start", of_bags, std::span(starts_));
  if (any_gas_) archive.structs("gas", of_bags, std::span(gases_));
  for (GasNetwork& network : networks_) network.archive(archive);
  for (std::size_t b = 0; b < bags_.size(); ++b) {
    const Airbag& input = (*inputs_)[b];
    std::vector<GlobalId> facets, points;  // a bag's number, and the index of a segment or a node's user id
    for (const GlobalId order : input.order) facets.insert(facets.end(), {numbers[b], order});
    for (const LocalId n : input.nodes) points.insert(points.end(), {numbers[b], model_->nodes.id[n]});
    archive.structs("facet", Rows::own(Of::entity, facets, 2), std::span(bags_[b].facets));
    archive.structs("point", Rows::own(Of::entity, points, 2), std::span(bags_[b].points));
  }
  archive.global("first", first_);
  archive.global_sum("work", work_, comm_->rank());
  archive.global_sum("damped", damped_, comm_->rank());
}

}  // namespace crumple::loads
