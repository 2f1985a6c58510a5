// Masses and motion by way of ties first, forces by way of interpolations first.
#include "explicit/dependent_nodes.hpp"

#include <utility>

#include "state/archive.hpp"

namespace crumple::explicit_dynamics {

DependentNodes::DependentNodes(const model::Model& model, state::Nodal& nodal,
                               const parallel::Communicator& comm, const parallel::Halo& halo,
                               elements::Isa isa)
    : nodal_(&nodal),
      own_{nodal.mass, nodal.inertia},
      ties_(model, nodal, comm, halo, isa),
      interpolations_(model, nodal) {}

std::vector<double> DependentNodes::transferred(std::vector<double> mass) const {
  return interpolations_.transferred(ties_.transferred(std::move(mass)));
}

void DependentNodes::start() {
  ties_.start(*nodal_);
  interpolations_.start(*nodal_);
  own_ = {};
}

void DependentNodes::start_again() {
  ties_.take_arms(*nodal_);
  interpolations_.take_arms(*nodal_);
  ties_.start(*nodal_);
  interpolations_.start(*nodal_);
}

void DependentNodes::transfer(double time) {
  interpolations_.transfer(*nodal_);
  ties_.transfer(*nodal_, time);
}

void DependentNodes::move(double dt_x) {
  ties_.move(*nodal_, dt_x);
  interpolations_.move(*nodal_, dt_x);
}

void DependentNodes::archive(state::Archive& archive) {
  ties_.archive(archive);
  interpolations_.archive(archive);
}

}  // namespace crumple::explicit_dynamics
