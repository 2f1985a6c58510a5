// Mixing bits of nodes and elements into one number.
#include "explicit/state_hash.hpp"

#include <bit>

namespace crumple::explicit_dynamics {

namespace {

/// Finaliser of a 64-bit hash (Steele, Lea, Flood 2014, splitmix64).
std::uint64_t mix(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

class Hasher {
 public:
  Hasher(int kind, GlobalId id) : hash_(mix(mix(static_cast<std::uint64_t>(kind)) + std::uint64_t(id))) {}
  void add(double value) { hash_ = mix(hash_ ^ std::bit_cast<std::uint64_t>(value)); }
  void add(const Vec3& v) {
    for (int k = 0; k < 3; ++k) add(v[k]);
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_;
};

/// The variables of a deleted element are not a result: kernels may still write them while another element of
/// its block is active, and which elements share a block depends on the ranks. Its energies do not change any
/// more.
std::uint64_t element_hash(const state::GroupView& g, std::int32_t e) {
  Hasher h(static_cast<int>(g.kind()), g.id[e]);
  if (g.is_alive(e))
    for (int k = 0; k < g.layout.n_vars; ++k) h.add(g.variable(e, k));
  for (int k = 0; k < elements::kEnergies; ++k) h.add(g.element_energy(e, k));
  h.add(g.alive[e]);
  return h.value();
}

}  // namespace

std::uint64_t state_hash(const parallel::Communicator& comm, const state::Nodal& nodal,
                         std::span<const state::GroupView> groups) {
  constexpr int node_kind = 100;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < nodal.size(); ++i) {
    if (nodal.owner[i] != comm.rank()) continue;
    Hasher h(node_kind, nodal.id[i]);
    h.add(nodal.x[i]);
    h.add(nodal.v[i]);
    h.add(nodal.w[i]);
    sum += h.value();
  }
  for (const auto& g : groups)
    for (std::int32_t e = 0; e < g.count; ++e) sum += element_hash(g, e);
  return static_cast<std::uint64_t>(comm.sum(static_cast<std::int64_t>(sum)));
}

}  // namespace crumple::explicit_dynamics
