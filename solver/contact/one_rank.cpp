// Contacts of the whole model, sorted as before the first cycle.
#include "contact/one_rank.hpp"

#include <algorithm>

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
  nodal.loads = parallel::zero_loads(n);
  return nodal;
}

std::vector<std::vector<NearPair>> pairs_at(const model::Model& whole, std::span<const Vec3> x) {
  if (whole.contacts.empty()) return {};
  const std::vector<PartConstants> constants(whole.parts.size());
  state::Nodal nodal = nodes_on_one_rank(whole);
  ContactSystem system(whole, nodal, parallel::Communicator(MPI_COMM_SELF), constants);
  system.set_margin(ContactSystem::kFirstMargin);  // for all sorts
  system.measure_and_prepare(nodal);
  if (!std::equal(x.begin(), x.end(), whole.nodes.x.begin(), whole.nodes.x.end())) {
    nodal.x.assign(x.begin(), x.end());
    system.measure_and_prepare(nodal);  // as in a run, sorts again only if nodes have moved too far
  }
  return system.near_pairs();
}

}  // namespace crumple::contact
