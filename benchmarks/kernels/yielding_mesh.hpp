// A synthetic mesh of one part whose elements all yield, and calls of its kernel on all of them.
//
// Nodes move at constant velocities but stay where they are: every call strains every element by the same
// increment, stretching it at constant volume, bending it, and a little of its hourglass modes. So the work
// of a call is the same from the first call after yielding to the last.
#pragma once

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "contact/one_rank.hpp"
#include "deck/deck.hpp"
#include "deck/diagnostics.hpp"
#include "model/deck_to_model.hpp"
#include "state/groups.hpp"
#include "yielding_mesh_deck.hpp"

namespace crumple::bench {

/// The model of a deck's text. Throws std::runtime_error with the first error in it.
inline model::Model model_of(const std::string& text) {
  const auto path =
      std::filesystem::temp_directory_path() / ("crumple-bench-" + std::to_string(::getpid()) + ".k");
  std::ofstream(path) << text;
  deck::Deck deck = deck::read_deck(path.string(), {});
  model::Model model = model::build_model(deck, {});
  std::filesystem::remove(path);
  if (!deck.has_errors()) return model;
  for (const deck::Problem& p : deck.problems())
    if (p.severity == deck::Severity::error) throw std::runtime_error(deck::to_text(p));
  throw std::runtime_error("the deck has errors");
}

/// T is the precision of element work.
template <class T>
class YieldingMesh {
 public:
  static constexpr double kRate = 100.0;  ///< 1/s, along x
  /// Some 20 strain to the yield stress; rates and flat elements, whose steps are short, take more.
  static constexpr int kCallsToYield = 120, kMostCalls = 600;

  /// Throws Error or std::runtime_error for a part that the solver does not take.
  YieldingMesh(const Part& part, int elements, elements::Isa isa)
      : model_(model_of(mesh_deck(part, elements))), groups_(state::make_groups<T>(model_, isa)) {
    if (groups_.size() != 1) throw std::runtime_error("the mesh is not one group");
    set_motion();
    call();  // the first finds steps only
    dt_ = 0.9 * smallest_step();
    for (int k = 0; k < kMostCalls; ++k) {
      if (k > 0 && k % kCallsToYield == 0 && yields()) break;
      call();
    }
  }

  /// The kernel on all blocks.
  void call() {
    groups_[0].run(nodal_, nodal_.loads.data(), time_, dt_, 0, groups_[0].blocks());
    time_ += dt_;
  }

  /// Whether the plastic strain of every point grows by a call. True for laws without any.
  bool yields() {
    const std::vector<double> before = plastic_strains();
    call();
    const std::vector<double> after = plastic_strains();
    bool all = true;
    for (std::size_t i = 0; i < before.size(); ++i) all = all && after[i] > before[i];
    return all;
  }

  const state::ElementGroup<T>& group() const { return groups_[0]; }
  const state::Nodal& nodal() const { return nodal_; }
  double time() const { return time_; }
  double dt() const { return dt_; }

 private:
  void set_motion() {
    nodal_ = contact::nodes_on_one_rank(model_);
    const std::size_t n = nodal_.size();
    nodal_.v.assign(n, Vec3{});
    nodal_.w.assign(n, Vec3{});
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3& x = nodal_.x[i];
      const double shake = 1e-3 * static_cast<double>(i * 7919 % 101);  // hourglass modes
      nodal_.v[i] = {kRate * x.x, -0.5 * kRate * x.y, -0.5 * kRate * x.z + shake};
      nodal_.w[i] = {0.0, 0.2 * kRate * x.x, 0.0};  // bending: a third of the strain at the surface
    }
    // 2^46 at the elastic forces of these elements
    nodal_.loads = parallel::zero_loads(n, std::ldexp(1.0, 24), std::ldexp(1.0, 22));
  }

  double smallest_step() const {
    double least = 1e30;
    for (std::int32_t e = 0; e < groups_[0].count; ++e)
      least = std::min(least, static_cast<double>(groups_[0].step[e]));
    return least;
  }

  std::vector<double> plastic_strains() const {
    const state::ElementGroup<T>& g = groups_[0];
    std::vector<double> p;
    if (g.ready.material.law.row->number == 1 || g.ready.material.law.row->number == 27) return p;
    for (std::int32_t e = 0; e < g.count; ++e)
      for (int k = 0; k < g.layout.n_points; ++k)
        p.push_back(g.variable(e, g.layout.plastic_strain + k * g.layout.point_stride));
    return p;
  }

  model::Model model_;
  std::vector<state::ElementGroup<T>> groups_;
  state::Nodal nodal_;
  double time_ = 0, dt_ = 0;
};

}  // namespace crumple::bench
