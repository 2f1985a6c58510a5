// Finds the nodes of a transducer's sides on every rank.
#include "contact/transducer.hpp"

#include <algorithm>

namespace crumple::contact {

namespace {

bool has(const std::vector<GlobalId>& ids, GlobalId id) {
  return std::binary_search(ids.begin(), ids.end(), id);
}

bool has_all(const std::vector<GlobalId>& ids, std::span<const GlobalId> nodes) {
  return std::all_of(nodes.begin(), nodes.end(), [&](GlobalId id) { return has(ids, id); });
}

std::vector<GlobalId> gather(const model::Surface& surface, const state::Nodal& nodal,
                             const parallel::Communicator& comm) {
  std::vector<GlobalId> mine;
  for (const LocalId node : surface.nodes) mine.push_back(nodal.id[node]);
  std::vector<GlobalId> all = comm.all_gather(std::span<const GlobalId>(mine));
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

bool Transducer::on_a(GlobalId node) const { return has(a, node); }

double Transducer::between_sign(GlobalId node, const std::array<GlobalId, 4>& segment) const {
  const bool to_a = has(a, node) && has_all(b, segment), to_b = has(b, node) && has_all(a, segment);
  return (to_a ? 1.0 : 0.0) - (to_b ? 1.0 : 0.0);
}

double Transducer::between_sign(std::span<const GlobalId, 2> first,
                                std::span<const GlobalId, 2> second) const {
  const bool to_a = has_all(a, first) && has_all(b, second), to_b = has_all(b, first) && has_all(a, second);
  return (to_a ? 1.0 : 0.0) - (to_b ? 1.0 : 0.0);
}

std::vector<Transducer> find_transducers(const model::Model& model, const state::Nodal& nodal,
                                         const parallel::Communicator& comm, bool of_ties) {
  std::vector<Transducer> found;
  for (std::size_t c = 0; c < model.contacts.size(); ++c) {
    const model::Contact& contact = model.contacts[c];
    if (contact.type != model::ContactType::force_transducer || contact.measures_ties != of_ties) continue;
    Transducer& t = found.emplace_back();
    t.contact = static_cast<std::int32_t>(c);
    t.between = contact.input_b.id != 0;
    t.a = gather(contact.a, nodal, comm);
    t.b = gather(contact.b, nodal, comm);
    for (std::size_t i = 0; i < nodal.size(); ++i)
      if (has(t.a, nodal.id[i])) t.nodes.push_back(static_cast<LocalId>(i));
  }
  return found;
}

}  // namespace crumple::contact
