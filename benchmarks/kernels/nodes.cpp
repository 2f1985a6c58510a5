// What a cycle does at the nodes: accelerations from the sums, constraints, velocities, positions.
#include <benchmark/benchmark.h>
#include <mpi.h>

#include <memory>
#include <string>

#include "decomposition/distribution.hpp"
#include "explicit/solver.hpp"
#include "instruction_set.hpp"
#include "yielding_mesh.hpp"

namespace crumple::bench {
namespace {

/// Whole cycles of a plate of null shells, which have no stresses; items are nodes.
void update(benchmark::State& state, elements::Isa isa) {
  const model::Model model = model_of(mesh_deck({model::ElementKind::shell, 2, "009", 0}, 50000));
  const parallel::Communicator comm(MPI_COMM_SELF);
  const decomposition::Subdomain subdomain =
      decomposition::distribute(comm, &model, decomposition::Method::rcb);
  explicit_dynamics::Solver solver(comm, subdomain, {isa, 1});
  for (auto _ : state) solver.step(false);
  state.SetItemsProcessed(state.iterations() * std::int64_t(solver.nodal().size()));
}

}  // namespace

void register_nodes(elements::Isa isa) { benchmark::RegisterBenchmark("nodes/update", update, isa); }

}  // namespace crumple::bench
