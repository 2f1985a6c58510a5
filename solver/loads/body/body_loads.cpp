// Accelerations of body loads, on nodes and on rigid bodies, and their work.
#include "loads/body/body_loads.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "constraints/wide_sum.hpp"
#include "loads/load_curve.hpp"
#include "state/archive.hpp"

namespace crumple::loads {

namespace {

/// Work of a node in a step is rounded to 2^-80 of the deck's unit of energy: far below the resolution of a
/// double for the energies of any run, and the same on every rank.
constexpr double kWorkScale = 0x1p80;

std::vector<double> chosen_nodes(const std::vector<LocalId>& nodes, std::size_t node_count) {
  std::vector<double> chosen(node_count, 0.0);
  for (const LocalId n : nodes) chosen[at(n)] = 1.0;
  return chosen;
}

/// 1 at local nodes of elements of `parts`, on every copy of a node if any rank has such an element at it.
std::vector<double> nodes_of_parts(const model::Model& model, const std::vector<LocalId>& parts,
                                   std::size_t node_count, const parallel::Halo& halo) {
  std::vector<char> wanted(model.parts.size(), 0);
  for (const LocalId p : parts) wanted[p] = 1;
  std::vector<std::int64_t> hit(node_count, 0);
  const auto mark = [&](const auto& elements) {
    for (std::size_t e = 0; e < elements.size(); ++e)
      if (wanted[elements.part[e]]) model::each_node(elements, e, [&](LocalId n) { hit[n] = 1; });
  };
  mark(model.shells);
  mark(model.solids);
  mark(model.beams);
  mark(model.discretes);
  mark(model.particles);
  const std::array<std::span<std::int64_t>, 1> arrays{hit};
  halo.sum(arrays, 1);
  std::vector<double> result(node_count);
  std::transform(hit.begin(), hit.end(), result.begin(), [](std::int64_t h) { return h != 0 ? 1.0 : 0.0; });
  return result;
}

}  // namespace

BodyLoads::BodyLoads(const model::Model& model, const state::Nodal& nodal, const parallel::Halo& halo,
                     int rank)
    : model_(&model), inputs_(&model.features.of<BodyLoad>()), rank_(rank), magnitude_(inputs_->size(), 0.0) {
  for (const BodyLoad& load : *inputs_) {
    if (load.axis < 0 || load.axis > BodyLoad::kAboutVector)
      throw Error("CR-L102", "body load about axis " + std::to_string(load.axis) + " has no meaning");
    std::vector<char> bodies(model.rigid_bodies.size(), load.on_all());
    for (std::size_t b = 0; b < bodies.size(); ++b)
      for (const LocalId p : model.rigid_bodies[b].parts)
        if (std::find(load.parts.begin(), load.parts.end(), p) != load.parts.end()) bodies[b] = 1;
    body_chosen_.push_back(std::move(bodies));
    chosen_.push_back(load.on_all()   ? std::vector<double>{}
                      : load.by_nodes ? chosen_nodes(load.nodes, nodal.size())
                                      : nodes_of_parts(model, load.parts, nodal.size(), halo));
  }
  if (!empty()) last_.assign(nodal.size(), Vec3{});
}

void BodyLoads::follow(const state::Transfer& transfer, const std::vector<double>& own,
                       const state::Nodal& nodal) {
  for (std::vector<double>& chosen : chosen_) {
    if (chosen.empty()) continue;
    std::vector<double> mass = own;
    for (std::size_t i = 0; i < mass.size(); ++i) mass[i] *= chosen[i];
    mass = transfer(std::move(mass));
    for (std::size_t i = 0; i < mass.size(); ++i)
      if (nodal.mass[i] != own[i] && nodal.mass[i] > 0.0) chosen[i] = std::min(1.0, mass[i] / nodal.mass[i]);
  }
}

Vec3 acceleration_by(const BodyLoad& load, double magnitude, const Vec3& x) {
  Vec3 a;
  if (load.axis < 3) {
    a[load.axis] = -magnitude;
  } else if (load.axis == BodyLoad::kAboutVector) {
    const Vec3 r = x - load.centre;
    a = (magnitude * magnitude) * (r - dot(r, load.about) * load.about);
  } else {
    a = (magnitude * magnitude) * (x - load.centre);
    a[load.axis - 3] = 0.0;
  }
  return a;
}

void BodyLoads::pull(state::Nodal& nodal, constraints::RigidBodies& bodies, double time, double dt_last,
                     model::Stage stage) {
  if (empty()) return;
  const std::vector<BodyLoad>& loads = *inputs_;
  for (std::size_t k = 0; k < loads.size(); ++k)
    magnitude_[k] =
        loads[k].scale * load_value(*model_, loads[k].curve, loads[k].relaxation_curve, time, stage);

  constraints::WideSum work(kWorkScale);
  for (std::size_t i = 0; i < nodal.size(); ++i) {
    const LocalId n = static_cast<LocalId>(i);
    const bool rigid = bodies.is_rigid(n);
    // A body made of nodes has no part that a load could choose: the load acts on its chosen nodes.
    if (rigid && !model_->rigid_bodies[bodies.body_of(n)].parts.empty()) continue;
    Vec3 sum;
    for (std::size_t k = 0; k < loads.size(); ++k)
      if (const double share = !chosen_[k].empty() ? chosen_[k][i] : rigid ? 0.0 : 1.0; share > 0.0)
        sum += share * acceleration_by(loads[k], magnitude_[k], nodal.x[i]);
    if (rigid) nodal.add_force(n, nodal.mass[i] * sum);
    if (nodal.owner[i] == rank_ && dt_last > 0.0)
      work.add(nodal.mass[i] * dt_last * dot(0.5 * (last_[i] + sum), nodal.v[i]));
    last_[i] = sum;
  }
  work.flush_to(work_);
  for (int b = 0; b < bodies.size(); ++b)
    for (std::size_t k = 0; bodies.moves(b) && k < loads.size(); ++k)
      if (body_chosen_[k][b])
        bodies.add_acceleration(b, acceleration_by(loads[k], magnitude_[k], bodies.state(b).position));
}

void BodyLoads::accelerate(state::Nodal& nodal, const constraints::RigidBodies& bodies) const {
  for (std::size_t i = 0; i < last_.size(); ++i)
    if (!bodies.is_rigid(static_cast<LocalId>(i))) nodal.a[i] += last_[i];
}

void BodyLoads::archive(state::Archive& archive, const parallel::IndexMap& nodes) {
  const auto here = archive.module("body loads");
  archive.field("last acceleration", state::Rows::nodes(nodes.global(), nodes.owners(), rank_),
                std::span<Vec3>(last_));
  archive.global_sum("work", work_, rank_);
}

std::unique_ptr<modules::Module> BodyLoads::start(const modules::Start& start) {
  if (start.model.features.of<BodyLoad>().empty()) return nullptr;
  auto loads = std::make_unique<BodyLoads>(start.model, start.nodal, start.halo, start.comm.rank());
  loads->follow(start.transfer, start.own_mass, start.nodal);
  return loads;
}

}  // namespace crumple::loads
