// Running kernels on threads, joining their sums, and finding what the cycle did to elements.
#include "explicit/element_forces.hpp"

#include <omp.h>

#include <algorithm>
#include <tuple>

namespace crumple::explicit_dynamics {

using state::ElementGroup;

template <class T>
ElementForces<T>::ElementForces(const model::Model& model, elements::Isa isa, std::size_t n_nodes,
                                int threads)
    : model_(model), groups_(state::make_groups<T>(model, isa)) {
  share_out(threads);
  force_.assign(threads - 1, AlignedVector<std::int64_t>(3 * n_nodes, 0));
  moment_.assign(threads - 1, AlignedVector<std::int64_t>(3 * n_nodes, 0));
  for (const ElementGroup<T>& group : groups_) {
    was_alive_.emplace_back(group.count, true);
    count_ += group.count;
  }
}

/// Contiguous blocks of about equal cost for each thread.
template <class T>
void ElementForces<T>::share_out(int threads) {
  double total = 0.0;
  for (const auto& g : groups_) total += g.ready.formulation->cost * g.blocks();
  ranges_.resize(threads);
  double done = 0.0;
  int thread = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const double cost = groups_[g].ready.formulation->cost;
    std::int32_t begin = 0;
    for (std::int32_t b = 0; b < groups_[g].blocks(); ++b) {
      done += cost;
      if (thread + 1 < threads && done >= total * (thread + 1) / threads) {
        ranges_[thread++].push_back({g, begin, b + 1});
        begin = b + 1;
      }
    }
    if (begin < groups_[g].blocks()) ranges_[thread].push_back({g, begin, groups_[g].blocks()});
  }
}

template <class T>
void ElementForces<T>::add(state::Nodal& nodal, double time, double dt) {
  const int threads = static_cast<int>(ranges_.size());
#pragma omp parallel num_threads(threads)
  {
    const int thread = omp_get_thread_num();
    auto& force = thread == 0 ? nodal.force : force_[thread - 1];
    auto& moment = thread == 0 ? nodal.moment : moment_[thread - 1];
    for (const Range& range : ranges_[thread])
      groups_[range.group].run(nodal, force.data(), moment.data(), time, dt, range.begin, range.end);
#pragma omp barrier
    // Integer sums: any order gives the same bits.
    const std::size_t n = nodal.force.size();
    const std::size_t first = n * thread / threads, last = n * (thread + 1) / threads;
    for (int other = 0; other + 1 < threads; ++other)
      for (std::size_t i = first; i < last; ++i) {
        nodal.force[i] += force_[other][i];
        nodal.moment[i] += moment_[other][i];
        force_[other][i] = moment_[other][i] = 0;
      }
  }
  inspect(time);
}

template <class T>
void ElementForces<T>::inspect(double time) {
  broken_ = false;
  deaths_.clear();
  T smallest = T(1e30);
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    ElementGroup<T>& g = groups_[k];
    const auto least = static_cast<T>(
        std::max(g.ready.material.min_time_step, least_step_[static_cast<std::size_t>(g.kind())]));
    const double last = g.ready.material.failure_time;
    if (last > 0 && time > last) std::fill(g.alive.begin(), g.alive.end(), T(0));  // FAILTM
    for (std::int32_t e = 0; e < g.count; ++e) {
      if (least > T(0) && g.alive[e] != T(0) && !(g.step[e] >= least)) g.alive[e] = T(0);  // TDEL, ERODE
      if (g.alive[e] != T(0)) {
        if (!(g.step[e] > T(0))) broken_ = true;
        smallest = std::min(smallest, g.step[e]);
      } else if (was_alive_[k][e]) {
        was_alive_[k][e] = false;
        deaths_.push_back({g.kind(), g.element[e], {g.kind(), g.id[e], model_.parts[g.part].id}});
      }
    }
  }
  smallest_step_ = smallest;
}

template <class T>
void ElementForces<T>::find_smallest_step() {
  T smallest = T(1e30);
  for (const ElementGroup<T>& g : groups_)
    for (std::int32_t e = 0; e < g.count; ++e)
      if (g.alive[e] != T(0)) smallest = std::min(smallest, g.step[e]);
  smallest_step_ = smallest;
}

template <class T>
std::vector<std::pair<double, ElementName>> ElementForces<T>::smallest_steps(std::size_t count) const {
  std::vector<std::pair<double, ElementName>> steps;
  for (const ElementGroup<T>& g : groups_)
    for (std::int32_t e = 0; e < g.count; ++e)
      if (g.is_alive(e)) steps.push_back({g.step[e], {g.kind(), g.id[e], model_.parts[g.part].id}});
  const std::size_t n = std::min(count, steps.size());
  const auto before = [](const auto& a, const auto& b) {
    return std::tuple(a.first, a.second.kind, a.second.id) < std::tuple(b.first, b.second.kind, b.second.id);
  };
  std::partial_sort(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(n), steps.end(), before);
  steps.resize(n);
  return steps;
}

template <class T>
ElementName ElementForces<T>::controlling() const {
  ElementName name;
  for (const ElementGroup<T>& g : groups_)
    for (std::int32_t e = 0; e < g.count; ++e) {
      if (!g.is_alive(e) || static_cast<double>(g.step[e]) != smallest_step_) continue;
      if (name.kind == model::ElementKind::none ||
          std::tuple(g.kind(), g.id[e]) < std::tuple(name.kind, name.id))
        name = {g.kind(), g.id[e], model_.parts[g.part].id};
    }
  return name;
}

template <class T>
ElementName ElementForces<T>::first_broken() const {
  ElementName name;
  for (const ElementGroup<T>& g : groups_)
    for (std::int32_t e = 0; e < g.count; ++e)
      if (g.is_alive(e) && !(g.step[e] > T(0)) &&
          (name.kind == model::ElementKind::none ||
           std::tuple(g.kind(), g.id[e]) < std::tuple(name.kind, name.id)))
        name = {g.kind(), g.id[e], model_.parts[g.part].id};
  return name;
}

template <class T>
Suspect ElementForces<T>::suspect_at(LocalId node) const {
  Suspect found;
  for (const ElementGroup<T>& g : groups_)
    for (std::int32_t e = 0; e < g.count; ++e) {
      bool has_node = false;
      for (int a = 0; a < g.ready.formulation->n_nodes; ++a) has_node |= g.node(e, a) == node;
      if (!has_node || !g.is_alive(e)) continue;
      const Suspect here{static_cast<double>(g.step[e]), {g.kind(), g.id[e], model_.parts[g.part].id}};
      if (std::tuple(here.step, here.name.kind, here.name.id) <
          std::tuple(found.step, found.name.kind, found.name.id))
        found = here;
    }
  return found;
}

template class ElementForces<float>;
template class ElementForces<double>;

}  // namespace crumple::explicit_dynamics
