// Loads of rigid bodies and their work.
#include "loads/rigid_body/rigid_body_loads.hpp"

#include "loads/load_curve.hpp"
#include "state/archive.hpp"

namespace crumple::loads {

void RigidBodyLoads::add(constraints::RigidBodies& bodies, double time, model::Stage stage) {
  last_.clear();
  for (const RigidBodyLoad& load : *inputs_) {
    const Vec3 f = (load.scale * load_value(*model_, load.curve, time, stage)) * load.direction;
    bodies.add_load(load.body, load.moment ? Vec3{} : f, load.moment ? f : Vec3{});
    last_.push_back(f);
  }
}

void RigidBodyLoads::count_load_work(const constraints::RigidBodies& bodies, double dt_v, bool first) {
  for (std::size_t k = 0; k < work_.size(); ++k) {
    const RigidBodyLoad& load = (*inputs_)[k];
    const constraints::Kick& kick = bodies.kick(load.body);
    work_[k].begin_step(first);
    work_[k].add(dt_v * dot(last_[k], load.moment ? kick.w_before : kick.v_before),
                 dt_v * dot(last_[k], load.moment ? kick.w_after : kick.v_after));
  }
}

double RigidBodyLoads::work() const {
  double sum = 0.0;
  for (const constraints::HalfStepWork& work : work_) sum += work.done().value();
  return sum;
}

void RigidBodyLoads::archive(state::Archive& archive, const parallel::IndexMap&) {
  const auto here = archive.module("rigid body loads");
  const std::vector<GlobalId> numbers = state::numbered(work_.size());
  archive.structs("work", state::Rows::equal(state::Of::entity, numbers), std::span(work_));
}

std::unique_ptr<modules::Module> RigidBodyLoads::start(const modules::Start& start) {
  if (start.model.features.of<RigidBodyLoad>().empty()) return nullptr;
  return std::make_unique<RigidBodyLoads>(start.model);
}

}  // namespace crumple::loads
