// Blasts on segments in the run.
#include "loads/blast/blast_loads.hpp"

#include <cmath>

#include "loads/pressure/pressure_loads.hpp"
#include "state/archive.hpp"

namespace crumple::loads {

Vec3 centre_of(const BlastLoad& load, std::span<const Vec3> x) {
  Vec3 sum;
  for (int c = 0; c < load.corners(); ++c) sum += x[static_cast<std::size_t>(load.nodes[c])];
  return (1.0 / load.corners()) * sum;
}

double scaled_distance(const BlastLoad& load, std::span<const Vec3> x) {
  return load.metres * norm(centre_of(load, x) - load.charge) / std::cbrt(load.mass);
}

BlastLoads::BlastLoads(const model::Model& model)
    : model_(&model), inputs_(&model.features.of<BlastLoad>()), last_(inputs_->size()) {
  for (const BlastLoad& load : *inputs_)
    waves_.push_back(blast_wave(load.surface, scaled_distance(load, model.nodes.x), std::cbrt(load.mass)));
}

double BlastLoads::pressure(std::size_t k, std::span<const Vec3> x, double time) const {
  const BlastLoad& load = (*inputs_)[k];
  if (time >= load.death) return 0.0;
  const auto at = [&](int c) { return x[static_cast<std::size_t>(load.nodes[c])]; };
  const Vec3 normal = cross(at(2) - at(0), at(3) - at(1)), to = load.charge - centre_of(load, x);
  const double size = norm(normal) * norm(to);
  const double cosine = size > 0.0 ? dot(normal, to) / size : 0.0;
  const double ms = load.milliseconds * (time - load.detonation);
  return load.scale * waves_[k].pressure(ms, cosine, load.negative) / load.kilopascals;
}

void BlastLoads::add(state::Nodal& nodal, double time, model::Stage stage) {
  for (std::size_t k = 0; k < last_.size(); ++k) {
    const BlastLoad& load = (*inputs_)[k];
    Last now{};
    for (int c = 0; c < load.corners(); ++c) now.x[c] = nodal.x[load.nodes[c]];
    const double p = stage == model::Stage::relaxation ? 0.0 : pressure(k, nodal.x, time);
    if (p != 0.0) now.force = unit_pressure_forces(now.x, load.corners() == 3);
    for (int c = 0; c < load.corners(); ++c) {
      now.force[c] *= p;
      if (p != 0.0) nodal.add_force(load.nodes[c], now.force[c]);
      if (!first_) work_ += dot(0.5 * (last_[k].force[c] + now.force[c]), now.x[c] - last_[k].x[c]);
    }
    last_[k] = now;
  }
  first_ = false;
}

void BlastLoads::archive(state::Archive& archive, const parallel::IndexMap& nodes) {
  const auto here = archive.module("blast loads");
  std::vector<GlobalId> keys;  // user ids of a segment's nodes
  for (const BlastLoad& load : *inputs_)
    for (const LocalId n : load.nodes) keys.push_back(model_->nodes.id[n]);
  keys = state::numbered_among_equals(keys, 4);
  archive.structs("segment", state::Rows::own(state::Of::entity, keys, 5), std::span(last_));
  archive.global("first", first_);
  archive.global_sum("work", work_, nodes.rank());
}

std::unique_ptr<modules::Module> BlastLoads::start(const modules::Start& start) {
  if (!start.comm.any(!start.model.features.of<BlastLoad>().empty())) return nullptr;
  return std::make_unique<BlastLoads>(start.model);
}

}  // namespace crumple::loads
