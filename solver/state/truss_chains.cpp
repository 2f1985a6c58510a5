// Shares the motion of the chains' nodes and adds along each line.
#include "state/truss_chains.hpp"

#include <bit>

#include "elements/beam/layout.hpp"

namespace crumple::state {

namespace ChainVariable = elements::beam::ChainVariable;

ChainMotion chain_motion(std::span<const Vec3> first, std::span<const Vec3> x, std::span<const Vec3> v,
                         double dt) {
  ChainMotion m;
  Vec3 before;  // unit vector of the truss before this one
  double before_length0 = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    Vec3 along;
    double length0 = 0;
    if (k + 1 < x.size()) {
      const Vec3 way = x[k + 1] - x[k], rate = v[k + 1] - v[k], middle = way - (0.5 * dt) * rate;
      const double length = norm(way), mid_length = norm(middle);
      length0 = norm(first[k + 1] - first[k]);
      along = (1.0 / length) * way;
      m.length += length;
      m.mid_length += mid_length;
      m.speed += dot(rate, middle) / mid_length;
      m.length0 += length0;
    }
    const Vec3 pull = along - before;
    m.mobility += dot(pull, pull) / (0.5 * (before_length0 + length0));
    before = along;
    before_length0 = length0;
  }
  return m;
}

TrussChains::TrussChains(const model::Model& model, const Nodal& nodal, const parallel::Communicator& comm)
    : chains_(&model.features.of<model::TrussChain>()), comm_(&comm) {
  std::size_t n = 0;
  for (const model::TrussChain& chain : *chains_) n += chain.nodes.size();
  x_.resize(n);
  v_.resize(n);
  bits_.resize(6 * n);
  deleted_.resize(chains_->size());
  if (n > 0) share(nodal);
  first_ = x_;
}

/// One rank has a value, the others zero bits: their sum has its bits.
void TrussChains::share(const Nodal& nodal) {
  std::size_t at = 0;
  for (const model::TrussChain& chain : *chains_)
    for (std::size_t k = 0; k < chain.nodes.size(); ++k)
      for (const auto* of : {&nodal.x, &nodal.v})
        for (int i = 0; i < 3; ++i, ++at)
          bits_[at] = chain.owned[k] != 0 ? std::bit_cast<std::int64_t>((*of)[chain.nodes[k]][i]) : 0;
  comm_->sum(bits_);
  for (std::size_t k = 0; k < x_.size(); ++k)
    for (int i = 0; i < 3; ++i) {
      const auto place = 6 * k + static_cast<std::size_t>(i);
      x_[k][i] = std::bit_cast<double>(bits_[place]);
      v_[k][i] = std::bit_cast<double>(bits_[place + 3]);
    }
}

void TrussChains::count_deleted(std::span<const WritableGroup> groups) {
  for (std::size_t c = 0; c < chains_->size(); ++c) {
    deleted_[c] = 0;
    for (const WritableGroup& g : groups)
      if (g.part == (*chains_)[c].part)
        for (std::int32_t e = 0; e < g.count; ++e) deleted_[c] += g.is_alive(e) ? 0 : 1;
  }
  comm_->sum(deleted_);
}

void TrussChains::update(const Nodal& nodal, std::span<const WritableGroup> groups, double dt) {
  if (chains_->empty()) return;
  share(nodal);
  count_deleted(groups);
  std::size_t first = 0;
  for (std::size_t c = 0; c < chains_->size(); ++c) {
    const model::TrussChain& chain = (*chains_)[c];
    const auto of_chain = [&](const std::vector<Vec3>& all) {
      return std::span<const Vec3>(all).subspan(first, chain.nodes.size());
    };
    ChainMotion m = chain_motion(of_chain(first_), of_chain(x_), of_chain(v_), dt);
    if (deleted_[c] > 0) m.length = 0;
    for (const WritableGroup& g : groups) {
      if (g.part != chain.part) continue;
      const int at = elements::beam::extra_offset(g.ready.parameters);
      for (std::int32_t e = 0; e < g.count; ++e) {
        if (!g.is_alive(e)) continue;
        g.set_variable(e, at + ChainVariable::kLength, m.length);
        g.set_variable(e, at + ChainVariable::kMidLength, m.mid_length);
        g.set_variable(e, at + ChainVariable::kSpeed, m.speed);
        g.set_variable(e, at + ChainVariable::kStartLength, m.length0);
        g.set_variable(e, at + ChainVariable::kMobility, m.mobility);
      }
    }
    first += chain.nodes.size();
  }
}

}  // namespace crumple::state
