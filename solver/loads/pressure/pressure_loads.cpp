// Nodal forces of pressure on segments, and their work.
#include "loads/pressure/pressure_loads.hpp"

#include <algorithm>
#include <cmath>

#include "loads/load_curve.hpp"
#include "state/archive.hpp"

namespace crumple::loads {

std::array<Vec3, 4> unit_pressure_forces(const std::array<Vec3, 4>& x, bool triangle) {
  std::array<Vec3, 4> f{};
  if (triangle) {
    const Vec3 share = (-1.0 / 6.0) * cross(x[1] - x[0], x[2] - x[0]);
    f[0] = f[1] = f[2] = share;
    return f;
  }
  // N_i (x_r cross x_s) is quadratic in each direction: 2 x 2 Gauss points integrate it exactly.
  const double g = 1.0 / std::sqrt(3.0);
  constexpr std::array<double, 4> corner_r{-1, 1, 1, -1}, corner_s{-1, -1, 1, 1};
  for (int q = 0; q < 4; ++q) {
    const double r = g * corner_r[q], s = g * corner_s[q];
    std::array<double, 4> shape;
    Vec3 along_r, along_s;
    for (int i = 0; i < 4; ++i) {
      shape[i] = 0.25 * (1 + r * corner_r[i]) * (1 + s * corner_s[i]);
      along_r += (0.25 * corner_r[i] * (1 + s * corner_s[i])) * x[i];
      along_s += (0.25 * corner_s[i] * (1 + r * corner_r[i])) * x[i];
    }
    const Vec3 area = cross(along_r, along_s);
    for (int i = 0; i < 4; ++i) f[i] -= shape[i] * area;
  }
  return f;
}

PressureLoads::PressureLoads(const model::Model& model)
    : model_(&model),
      inputs_(&model.features.of<PressureLoad>()),
      functions_(model),
      last_(inputs_->size()),
      ended_(inputs_->size(), 0) {
  for (std::size_t k = 0; k < inputs_->size(); ++k)
    if (const LocalId shell = (*inputs_)[k].shell; shell != model::kNone) of_shell_.emplace_back(shell, k);
  std::ranges::sort(of_shell_);
}

double PressureLoads::value(const PressureLoad& load, const state::Nodal& nodal, double time,
                            model::Stage stage) const {
  const deck::FunctionText* const function = functions_.of(load.curve);
  if (function == nullptr) return load_value(*model_, load.curve, time - load.arrival, stage);
  if (stage == model::Stage::relaxation || load.scale == 0.0) return 0.0;
  Vec3 x, x0, v;
  for (int c = 0; c < load.corners(); ++c) {
    x += nodal.x[load.nodes[c]];
    x0 += nodal.x0[load.nodes[c]];
    v += nodal.v[load.nodes[c]];
  }
  const double share = 1.0 / load.corners();
  return (*function)(arguments_at(time, share * x, share * x0, share * v));
}

void PressureLoads::delete_shell(LocalId shell) {
  for (auto it = std::ranges::lower_bound(of_shell_, std::pair(shell, std::size_t{0}));
       it != of_shell_.end() && it->first == shell; ++it)
    ended_[it->second] = 1;
}

void PressureLoads::add(state::Nodal& nodal, double time, model::Stage stage) {
  for (std::size_t k = 0; k < last_.size(); ++k) {
    const PressureLoad& load = (*inputs_)[k];
    const int corners = load.corners();
    Last now{};
    for (int c = 0; c < corners; ++c) now.x[c] = nodal.x[load.nodes[c]];
    const double p = time < load.arrival || ended_[k] ? 0.0 : load.scale * value(load, nodal, time, stage);
    if (p != 0.0) now.force = unit_pressure_forces(now.x, corners == 3);
    for (int c = 0; c < corners; ++c) {
      now.force[c] *= p;
      if (p != 0.0) nodal.add_force(load.nodes[c], now.force[c]);
      const double work =
          first_ ? 0.0 : dot(0.5 * (last_[k].force[c] + now.force[c]), now.x[c] - last_[k].x[c]);
      now.work[c] = last_[k].work[c] + work;
      work_ += work;
    }
    last_[k] = now;
  }
  first_ = false;
}

std::vector<ForceOnNode> PressureLoads::forces() const {
  std::vector<ForceOnNode> result;
  for (std::size_t k = 0; k < last_.size(); ++k) {
    const auto& nodes = (*inputs_)[k].nodes;
    for (int c = 0; c < (*inputs_)[k].corners(); ++c)
      result.push_back({nodes[c], last_[k].force[c], last_[k].work[c]});
  }
  return result;
}

/// Pressures on the same segment or shell are on one rank.
void PressureLoads::archive(state::Archive& archive, const parallel::IndexMap& nodes) {
  using state::Of, state::Rows;
  const auto here = archive.module("pressure loads");
  std::vector<GlobalId> keys;  // user ids of a segment's nodes and of the shell
  for (const PressureLoad& load : *inputs_) {
    for (const LocalId n : load.nodes) keys.push_back(n == model::kNone ? -1 : model_->nodes.id[n]);
    keys.push_back(load.shell == model::kNone ? -1 : model_->shells.id[load.shell]);
  }
  keys = state::numbered_among_equals(keys, 5);
  const Rows rows = Rows::own(Of::entity, keys, 6);
  archive.structs("segment", rows, std::span(last_));
  archive.field("ended", rows, std::span(ended_));
  archive.global("first", first_);
  archive.global_sum("work", work_, nodes.rank());
}

std::unique_ptr<modules::Module> PressureLoads::start(const modules::Start& start) {
  if (!start.comm.any(!start.model.features.of<PressureLoad>().empty())) return nullptr;
  return std::make_unique<PressureLoads>(start.model);
}

}  // namespace crumple::loads
