// The time step loop's body: central differences (Belytschko, Liu, Moran 2000, box 6.1).
#include <cmath>

#include "base/assert.hpp"
#include "explicit/solver.hpp"

namespace crumple::explicit_dynamics {

void Solver::step(bool keep) {
  timers_.begin_cycle(cycle_);
  clear_forces();
  delete_switched_elements();
  delete_drawn_in_shells();
  switch_parts();                 // between deformable and rigid
  if (!first()) begin_contact();  // whose messages travel meanwhile
  add_border_forces(keep);        // -f_int(x_n) of elements at nodes that ranks share
  add_particle_forces();          // from the stresses of smooth particles, now known
  if (first()) expect_first_step(), begin_contact();
  add_loads();  // f_ext(x_n)
  add_contact_forces();
  begin_exchange();
  if (!first()) add_interior_forces();  // meanwhile -f_int(x_n) of all other elements
  finish_exchange();                    // the same f_n on every copy of a node
  transfer_tied_loads();                // loads on tied nodes act on their segments
  pull_bodies();                        // gravity and damping of rigid bodies made of nodes
  begin_reduction();                    // of the smallest step, and of the loads on rigid bodies
  accelerate(keep);                     // a_n = f_n / m
  finish_reduction();
  const double dt_x = choose_step();        // t_{n+1} - t_n
  const double dt_v = 0.5 * (dt_ + dt_x);   // t_{n+1/2} - t_{n-1/2}
  const bool kicked = change_velocities();  // by the deck of a restart
  if (keep) keep_start();
  if (keep) stop_runaway(comm_->min(runaway_.node));
  relax(dt_v);  // in dynamic relaxation: damping
  add_base_accelerations(dt_v, dt_x);
  mass_damping_.apply(nodal_, rigid_bodies_, dt_v);
  constrain(dt_v, dt_x);  // held and prescribed motion in a_n
  if (keep) stop_loose_node(comm_->min(massless_nodes_.loose().node));
  advance_velocities(dt_v, dt_x);  // v_{n+1/2} = v_{n-1/2} + a_n dt_v
  stop_at_walls(dt_v, dt_x);
  advance_bodies(dt_v, dt_x);  // rigid bodies, with forces of joints
  link_nodes(dt_v, dt_x);      // ties and welds
  mass_damping_.count(nodal_, rigid_bodies_.mask(), dt_v);
  move_ties(keep, dt_x);  // tied nodes follow their segments
  if (kicked) count_kick();
  if (keep) stop_failed_body(comm_->min(failed_body()));
  measure_for_sensors();
  measure_for_parts();
  if (keep) keep_snapshot(dt_x);
  advance_positions(dt_x);  // x_{n+1} = x_n + v_{n+1/2} dt_x
  CRUMPLE_ASSERT(time_ + dt_x > time_, time_, dt_x, dt_, cycle_);
  dt_ = dt_x;
  time_ = time_ < stop_at_ && dt_x == stop_at_ - time_ ? stop_at_ : time_ + dt_x;
  ++cycle_;
}

}  // namespace crumple::explicit_dynamics
