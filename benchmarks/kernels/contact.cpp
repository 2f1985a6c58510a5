// Contact: the search, the forces of a cycle, and the closest point of a segment.
#include <benchmark/benchmark.h>

#include <vector>

#include "base/processor_time.hpp"
#include "contact/geometry/closest_pairs.hpp"
#include "instruction_set.hpp"
#include "touching_plates.hpp"
#include "warped_pairs.hpp"

namespace crumple::bench {
namespace {

using benchmark::State;

/// A cycle without a sort; items are tracked nodes, all of them touching.
void forces(State& state, elements::Isa isa) {
  TouchingPlates plates(isa);
  for (auto _ : state) plates.forces(TouchingPlates::kStep);
  if (plates.system->active() < plates.nodal.size() * 9 / 10) return state.SkipWithError("few nodes touch");
  state.SetItemsProcessed(state.iterations() * std::int64_t(plates.nodal.size()));
}

/// A sort; items are tracked nodes. The upper plate has moved by half a segment each time.
void search(State& state, elements::Isa isa) {
  TouchingPlates plates(isa);
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
    plates.system->add_forces(plates.nodal, plates.time, TouchingPlates::kStep);
  }
  state.SetItemsProcessed(state.iterations() * std::int64_t(plates.nodal.size()));
}

/// Closest points of warped segments, all within reach; items are pairs.
void projection(State& state, elements::Isa isa) {
  constexpr std::int32_t n = 1024;
  const WarpedPairs warped(n);
  std::vector<std::int32_t> kept(n);
  std::vector<contact::SegmentWithinReach> found(n);
  const contact::ClosestPairs& functions = contact::closest_pairs(isa);
  for (auto _ : state) {
    const std::int32_t near = functions.keep_near(warped.pairs.data(), n, warped.x.data(), kept.data());
    if (functions.within_reach(warped.pairs.data(), kept.data(), near, warped.x.data(), found.data()) != n)
      return state.SkipWithError("pairs beyond reach");
  }
  state.SetItemsProcessed(state.iterations() * n);
}

}  // namespace

void register_contact(elements::Isa isa) {
  benchmark::RegisterBenchmark("contact/search", search, isa)->UseManualTime();
  benchmark::RegisterBenchmark("contact/forces", forces, isa);
  benchmark::RegisterBenchmark("contact/projection", projection, isa);
}

}  // namespace crumple::bench
