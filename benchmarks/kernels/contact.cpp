// Contact: the search, the forces of a cycle, and the closest point of a segment.
#include <benchmark/benchmark.h>
#include <mpi.h>

#include <memory>
#include <vector>

#include "base/processor_time.hpp"
#include "contact/contact_system.hpp"
#include "contact/geometry/closest_pairs.hpp"
#include "contact/one_rank.hpp"
#include "instruction_set.hpp"
#include "preparation/build_surfaces.hpp"
#include "two_plates.hpp"
#include "yielding_mesh.hpp"

namespace crumple::bench {
namespace {

using benchmark::State;

/// The plates begin 0.1 mm farther from each other than their thickness.
constexpr const char* kContact =
    "*CONTACT_AUTOMATIC_SINGLE_SURFACE\n0,0,5\n0.2,0.2,0.,0.,20.\n1.,1.,1.2,1.2\n";

/// Two plates of 150 x 150 shells on each other, each node 0.1 mm inside the other plate.
struct TwoPlates {
  model::Model model;
  state::Nodal nodal;
  std::unique_ptr<contact::ContactSystem> system;
  std::size_t nodes_of_one = 0;

  TwoPlates() : model(model_of(two_plates_deck(1.3, kContact))) {
    preparation::build_surfaces(model);
    nodal = contact::nodes_on_one_rank(model);
    const std::size_t n = nodal.size();
    nodes_of_one = n / 2;
    nodal.w.resize(n);
    nodal.a.resize(n);
    nodal.mass.assign(n, 1.5e-7);
    nodal.loads = parallel::zero_loads(n, std::ldexp(1.0, 24));
    const std::vector<contact::PartConstants> constants(model.parts.size(), {175000., 210000., 7.85e-9});
    system = std::make_unique<contact::ContactSystem>(model, nodal, parallel::Communicator(MPI_COMM_SELF),
                                                      constants);
    forces(0);
    for (std::size_t i = nodes_of_one; i < n; ++i) nodal.x[i].z -= 0.2;
    forces(kStep);
  }

  void forces(double dt) {
    system->measure_and_prepare(nodal);
    system->add_forces(nodal, time, dt);
    time += kStep;
  }

  static constexpr double kStep = 5e-7;
  double time = 0;
};

/// A cycle without a sort; items are tracked nodes, all of them touching.
void forces(State& state) {
  TwoPlates plates;
  for (auto _ : state) plates.forces(TwoPlates::kStep);
  if (plates.system->active() < plates.nodal.size() * 9 / 10) return state.SkipWithError("few nodes touch");
  state.SetItemsProcessed(state.iterations() * std::int64_t(plates.nodal.size()));
}

/// A sort; items are tracked nodes. The upper plate has moved by half a segment each time.
void search(State& state) {
  TwoPlates plates;
  plates.system->set_margin(0.3);  // of a segment: and no longer adapted
  double way = 0.5 * kShellEdge;
  for (auto _ : state) {
    for (std::size_t i = plates.nodes_of_one; i < plates.nodal.size(); ++i) plates.nodal.x[i].x += way;
    way = -way;
    const std::int64_t sorts = plates.system->timing().sorts;
    const double before = processor_time();
    plates.system->measure_and_prepare(plates.nodal);  // on one rank a sort and nothing else
    state.SetIterationTime(processor_time() - before);
    if (plates.system->timing().sorts != sorts + 1) return state.SkipWithError("a cycle without a sort");
    plates.system->add_forces(plates.nodal, plates.time, TwoPlates::kStep);
  }
  state.SetItemsProcessed(state.iterations() * std::int64_t(plates.nodal.size()));
}

/// Closest points of warped segments, all within reach; items are pairs.
void projection(State& state) {
  constexpr std::int32_t n = 1024;
  AlignedVector<Vec3> x;
  std::vector<contact::SeekerAndSegment> pairs;
  std::vector<std::int32_t> kept(n);
  std::vector<contact::SegmentWithinReach> found(n);
  for (std::int32_t i = 0; i < n; ++i) {
    const auto u = [&](int k) { return double((i * 31 + k) * 7919 % 1009) / 1009; };
    pairs.push_back(
        {{5 * u(4) - 0.5, 5 * u(5) - 0.5, 1.0, 9.0}, {4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3}, i});
    for (const Vec3& corner :
         {Vec3{0, 0, 0.1 * u(0)}, Vec3{4, 0, 0.1 * u(1)}, Vec3{4, 4, 0.1 * u(2)}, Vec3{0, 4, 0.1 * u(3)}})
      x.push_back(corner);
  }
  const contact::ClosestPairs& functions = contact::closest_pairs(elements::best_isa());
  for (auto _ : state) {
    const std::int32_t near = functions.keep_near(pairs.data(), n, x.data(), kept.data());
    if (functions.within_reach(pairs.data(), kept.data(), near, x.data(), found.data()) != n)
      return state.SkipWithError("pairs beyond reach");
  }
  state.SetItemsProcessed(state.iterations() * n);
}

}  // namespace

void register_contact() {
  benchmark::RegisterBenchmark("contact/search", search)->UseManualTime();
  benchmark::RegisterBenchmark("contact/forces", forces);
  benchmark::RegisterBenchmark("contact/projection", projection);
}

}  // namespace crumple::bench
