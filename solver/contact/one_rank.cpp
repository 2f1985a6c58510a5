// Contacts of the whole model, as they are sorted before the first cycle.
#include "contact/one_rank.hpp"

namespace crumple::contact {

state::Nodal nodes_on_one_rank(const model::Model& whole) {
  state::Nodal nodal;
  const std::size_t n = whole.nodes.size();
  nodal.id = whole.nodes.id;
  nodal.owner.assign(n, 0);
  nodal.x.assign(whole.nodes.x.begin(), whole.nodes.x.end());
  nodal.x0 = nodal.x;
  nodal.v.resize(n);
  nodal.mass.assign(n, 1.0);
  nodal.force_scale.assign(n, 1.0);
  return nodal;
}

std::vector<std::vector<NearPair>> pairs_before_first_cycle(const model::Model& whole) {
  if (whole.contacts.empty()) return {};
  const std::vector<PartConstants> constants(whole.parts.size());
  const state::Nodal nodal = nodes_on_one_rank(whole);
  ContactSystem system(whole, nodal, parallel::Communicator(MPI_COMM_SELF), constants);
  system.prepare_cycle(nodal);
  return system.near_pairs();
}

}  // namespace crumple::contact
