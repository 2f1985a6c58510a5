// Constraints: tied nodes and rigid bodies, the passes of a cycle.
#include <benchmark/benchmark.h>
#include <mpi.h>

#include <string>

#include "constraints/rigid_bodies.hpp"
#include "contact/tied/ties.hpp"
#include "decomposition/distribution.hpp"
#include "instruction_set.hpp"
#include "parallel/halo.hpp"
#include "preparation/build_surfaces.hpp"
#include "preparation/find_ties.hpp"
#include "state/assembly.hpp"
#include "two_plates.hpp"
#include "yielding_mesh.hpp"

namespace crumple::bench {
namespace {

using benchmark::State;

constexpr double kStep = 5e-7;

/// Two plates on one rank, with loads and velocities at all nodes, in the order in memory of a run.
struct MovingPlates {
  explicit MovingPlates(const std::string& deck)
      : comm(MPI_COMM_SELF), subdomain(cut(deck)), halo(comm, subdomain.nodes) {
    nodal = state::make_nodal(subdomain, comm, halo);
    for (std::size_t i = 0; i < nodal.size(); ++i) {
      const auto some = [&](std::size_t k) { return static_cast<double>((i + k) * 7919 % 101) - 50.0; };
      nodal.v[i] = {some(0), some(1), some(2)};
      nodal.w[i] = {0.1 * some(3), 0.1 * some(4), 0.1 * some(5)};
      nodal.add_force(static_cast<LocalId>(i), {1e-3 * some(6), 1e-3 * some(7), 1e-3 * some(8)});
      nodal.add_moment(static_cast<LocalId>(i), {1e-4 * some(9), 1e-4 * some(10), 1e-4 * some(11)});
    }
  }

  parallel::Communicator comm;
  decomposition::Subdomain subdomain;
  parallel::Halo halo;
  state::Nodal nodal;

 private:
  decomposition::Subdomain cut(const std::string& deck) const {
    model::Model model = model_of(deck);
    preparation::build_surfaces(model);
    preparation::find_ties(model);
    return decomposition::distribute(comm, &model, decomposition::Method::rcb);
  }
};

/// Nodes of the upper plate, 1.2 mm above the lower one's segments, to which rigid arms tie them, with their
/// rotations: as shells' edges are tied in car models.
struct TiedPlates : MovingPlates {
  TiedPlates()
      : MovingPlates(two_plates_deck(1.2,
                                     "*CONTACT_TIED_SHELL_EDGE_TO_SURFACE_BEAM_OFFSET\n2,1,3,3\n\n"
                                     "0.,0.,-1.5,-1.5\n")),
        ties(subdomain.model, nodal, comm, halo) {
    ties.start(nodal);
  }
  std::size_t size() const { return subdomain.model.contacts.at(0).ties.size(); }

  contact::Ties ties;
};

/// Forces and moments of tied nodes go to the nodes of their segments; items are tied nodes.
void transfer(State& state) {
  TiedPlates plates;
  if (plates.size() < plates.nodal.size() * 9 / 20) return state.SkipWithError("few nodes are tied");
  for (auto _ : state) plates.ties.transfer(plates.nodal, 0.0);
  state.SetItemsProcessed(state.iterations() * std::int64_t(plates.size()));
}

/// Tied nodes follow their segments; items are tied nodes.
void follow(State& state) {
  TiedPlates plates;
  for (auto _ : state) plates.ties.move(plates.nodal, kStep);
  state.SetItemsProcessed(state.iterations() * std::int64_t(plates.size()));
}

/// A rigid plate on a deformable one.
struct RigidPlates : MovingPlates {
  RigidPlates()
      : MovingPlates(two_plates_deck(1.2, "*MAT_RIGID\n2,7.85e-9,210000.,0.3\n", 2)),
        bodies(subdomain.model, nodal, comm),
        resultants(bodies.n_resultants()) {}
  std::size_t size() const {
    std::size_t nodes = 0;
    for (const model::RigidBody& body : subdomain.model.rigid_bodies) nodes += body.nodes.size();
    return nodes;
  }

  constraints::RigidBodies bodies;
  std::vector<std::int64_t> resultants;
};

/// Force and moment of the nodes, all of which have loads; items are nodes of bodies.
void gather_loads(State& state) {
  RigidPlates plates;
  for (auto _ : state) plates.bodies.find_resultants(plates.nodal, plates.resultants);
  state.SetItemsProcessed(state.iterations() * std::int64_t(plates.size()));
}

/// Motion of the bodies and their nodes; items are nodes of bodies.
void move_bodies(State& state) {
  RigidPlates plates;
  plates.bodies.find_resultants(plates.nodal, plates.resultants);
  double time = 0;
  for (auto _ : state) {
    plates.bodies.advance(plates.nodal, plates.resultants, time, kStep, kStep, model::Stage::transient);
    time += kStep;
  }
  state.SetItemsProcessed(state.iterations() * std::int64_t(plates.size()));
}

}  // namespace

void register_constraints() {
  benchmark::RegisterBenchmark("ties/transfer", transfer);
  benchmark::RegisterBenchmark("ties/motion", follow);
  benchmark::RegisterBenchmark("bodies/loads", gather_loads);
  benchmark::RegisterBenchmark("bodies/motion", move_bodies);
}

}  // namespace crumple::bench
