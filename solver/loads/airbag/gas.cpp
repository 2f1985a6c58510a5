// Volumes of airbags, their pressure, forces and work.
#include "loads/airbag/gas.hpp"

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
      begins_(bags_.size()) {
  for (std::size_t b = 0; b < bags_.size(); ++b) {
    bags_[b].facets.resize((*inputs_)[b].segments.size());
    bags_[b].points.resize((*inputs_)[b].nodes.size());
    any_gas_ = any_gas_ || (*inputs_)[b].inflation.active;
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

/// The manual: gauge pressure beta CN / (relative volume), or LCID of the relative volume, times PSCA.
double Airbags::pressure(const Airbag& input, double relative_volume, double time, model::Stage stage) const {
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
  if (gas.started == 0)
    gas = ambient_gas(input.inflation, time, state.volume);
  else
    advance_gas(input.inflation, *model_, time, state.volume, gas);
  if (!(gas.mass > 0.0 && gas.energy > 0.0))
    throw Error("CR-L105",
                "the gas of airbag " + std::to_string(input.id) + " has mass " + std::to_string(gas.mass) +
                    " and energy " + std::to_string(gas.energy) + " at time " + std::to_string(now),
                input.place, Exit::run);
  state.pressure = input.pressure_scale * (gas.pressure - input.inflation.ambient_pressure);
  state.energy = gas.energy;
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

void Airbags::add(state::Nodal& nodal, double time, model::Stage stage) {
  if (bags_.empty()) return;
  std::vector<parallel::ExactSum> sums(kSums * bags_.size());
  std::vector<std::vector<std::array<Vec3, 4>>> area(bags_.size());
  const auto of = [&](std::size_t b) { return std::span(sums).subspan(kSums * b, kSums); };
  for (std::size_t b = 0; b < bags_.size(); ++b) measure((*inputs_)[b], nodal, area[b], of(b));
  parallel::ExactSum::reduce(*comm_, sums);
  for (std::size_t b = 0; b < bags_.size(); ++b) {
    const Airbag& input = (*inputs_)[b];
    Bag& bag = bags_[b];
    State& state = states_[b];
    BagStart& start = starts_[b];
    const State last = state;
    const auto s = of(b);
    const Vec3 origin = (1.0 / s[kNodes].value()) * vector(s.subspan(kPosition, 3));
    const Vec3 moment = vector(s.subspan(kMoment, 3)), opening = vector(s.subspan(kArea, 3));
    double geometric = 0.0;
    for (int k = 0; k < 3; ++k) geometric += input.along[k] * (moment[k] - origin[k] * opening[k]);
    if (first_) start.sign = geometric < 0.0 ? -1.0 : 1.0;
    state.volume = input.volume_scale * start.sign * geometric - input.volume_offset;
    state.area = s[kSize].value();
    if (first_) start.volume = state.volume;
    if (!(state.volume > 0.0))
      throw Error("CR-L104",
                  "the volume of airbag " + std::to_string(input.id) + " is " + std::to_string(state.volume) +
                      " at time " + std::to_string(time) +
                      ": its segments must close it, all of them outwards or all inwards",
                  input.place, Exit::run);
    if (input.inflation.active) {
      fill(input, state, gases_[b], time, begins_[b], stage);
    } else {
      state.pressure = pressure(input, state.volume / start.volume, time, stage);
      if (!first_) state.energy -= 0.5 * (last.pressure + state.pressure) * (state.volume - last.volume);
    }
    push(input, bag, start.sign * state.pressure, area[b], nodal);
    if (input.damping != 0.0)
      damp(input, bag, (1.0 / s[kMass].value()) * vector(s.subspan(kMomentum, 3)), nodal);
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
