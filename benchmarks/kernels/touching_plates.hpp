// Two plates that touch: of the benchmarks of contact, and of the count of its operations.
#pragma once

#include <mpi.h>

#include <cmath>
#include <memory>
#include <vector>

#include "contact/contact_system.hpp"
#include "contact/one_rank.hpp"
#include "preparation/build_surfaces.hpp"
#include "two_plates.hpp"
#include "yielding_mesh.hpp"

namespace crumple::bench {

/// Two plates of 150 x 150 shells on each other, each node 0.1 mm inside the other plate. They begin 0.1 mm
/// farther from each other than their thickness.
struct TouchingPlates {
  model::Model model;
  state::Nodal nodal;
  std::unique_ptr<contact::ContactSystem> system;
  std::size_t nodes_of_one = 0;

  explicit TouchingPlates(elements::Isa isa = elements::best_isa())
      : model(model_of(two_plates_deck(1.3,
                                       "*CONTACT_AUTOMATIC_SINGLE_SURFACE\n0,0,5\n0.2,0.2,0.,0.,20.\n"
                                       "1.,1.,1.2,1.2\n"))) {
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
                                                      constants, isa);
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

}  // namespace crumple::bench
