// Evaluation of concentrated loads and their work.
#include "loads/nodal/nodal_loads.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "loads/load_curve.hpp"
#include "state/archive.hpp"

namespace crumple::loads {

NodalLoads::NodalLoads(const model::Model& model)
    : model_(&model), inputs_(&model.features.of<NodalLoad>()), functions_(model), last_(inputs_->size()) {
  for (const NodalLoad& load : *inputs_) {
    const bool follower = load.dof == 4 || load.dof == 8;
    if (load.dof < 1 || load.dof > 8)
      throw Error("CR-L101", "nodal load on degree of freedom " + std::to_string(load.dof) +
                                 " is not supported: 1-3, 5-7, 4 and 8 are");
    if (follower && std::count(load.follower.begin(), load.follower.end(), model::kNone) > 0)
      throw Error("CR-L101", "follower load on node " + std::to_string(model.nodes.id[load.node]) +
                                 " needs its nodes M1, M2 and M3");
  }
}

Vec3 direction_of(const NodalLoad& load, std::span<const Vec3> x) {
  Vec3 d;
  if (load.dof == 4 || load.dof == 8) {
    const auto [m1, m2, m3] = load.follower;
    const Vec3 n = cross(x[at(m2)] - x[at(m1)], x[at(m3)] - x[at(m1)]);
    const double size = norm(n);
    return size > 0.0 ? (1.0 / size) * n : Vec3{};
  }
  d[(load.dof - 1) % 4] = 1.0;
  return d;
}

double NodalLoads::value(const NodalLoad& load, const state::Nodal& nodal, double time,
                         model::Stage stage) const {
  const deck::FunctionText* const function = functions_.of(load.curve);
  if (function == nullptr) return load_value(*model_, load.curve, time, stage);
  if (stage == model::Stage::relaxation || load.scale == 0.0) return 0.0;
  return (*function)(arguments_at(time, nodal.x[load.node], nodal.x0[load.node]));
}

void NodalLoads::add(state::Nodal& nodal, double time, double dt, model::Stage stage) {
  for (std::size_t k = 0; k < last_.size(); ++k) {
    const NodalLoad& load = (*inputs_)[k];
    Last& last = last_[k];
    const Vec3 f = (load.scale * value(load, nodal, time, stage)) * direction_of(load, nodal.x);
    const LocalId i = load.node;
    const bool turns = load.dof >= 5;
    turns ? nodal.add_moment(i, f) : nodal.add_force(i, f);
    const double work =
        first_ ? 0.0 : dot(0.5 * (last.force + f), turns ? dt * nodal.w[i] : nodal.x[i] - last.x);
    work_ += work;
    last = {f, nodal.x[i], last.work + work};
  }
  first_ = false;
}

std::vector<ForceOnNode> NodalLoads::forces() const {
  std::vector<ForceOnNode> result;
  for (std::size_t k = 0; k < last_.size(); ++k) {
    const NodalLoad& load = (*inputs_)[k];
    result.push_back({load.node, load.dof >= 5 ? Vec3{} : last_[k].force, last_[k].work});
  }
  return result;
}

void NodalLoads::archive(state::Archive& archive, const parallel::IndexMap& nodes) {
  using state::Of, state::Rows;
  const auto here = archive.module("nodal loads");
  std::vector<GlobalId> ids;
  for (const NodalLoad& load : *inputs_) ids.push_back(model_->nodes.id[load.node]);
  const std::vector<GlobalId> keys = state::numbered_among_equals(ids, 1);
  archive.structs("load", Rows::own(Of::entity, keys, 2), std::span(last_));
  archive.global("first", first_);
  archive.global_sum("work", work_, nodes.rank());
}

std::unique_ptr<modules::Module> NodalLoads::start(const modules::Start& start) {
  if (!start.comm.any(!start.model.features.of<NodalLoad>().empty())) return nullptr;
  return std::make_unique<NodalLoads>(start.model);
}

}  // namespace crumple::loads
