// Spot welds that fail by the plastic strain of the sheets around them.
//
// The strain at a node is the mean of the shells at it, or of the solids where no shell is, weighted with
// their volumes (tied_nodes/mean_plastic_strains.hpp), which is their least-squares fit with a lumped matrix
// (LS-DYNA keyword manual, vol. I, *CONSTRAINED_SPOTWELD, failure by EP). A weld fails when that of one of
// its nodes exceeds EP; the welds themselves are in spot_welds.hpp.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "constraints/tied_nodes/mean_plastic_strains.hpp"
#include "constraints/weld_strains/weld_nodes.hpp"
#include "modules/module.hpp"

namespace crumple::constraints {

class WeldStrains final : public modules::Module {
 public:
  explicit WeldStrains(const modules::Start& start);

  /// By weld of the rank: whether the strain at one of its nodes exceeds its EP.
  std::span<const char> torn() const { return torn_; }
  /// The strain at a node in this step; 0 if no weld there fails by it.
  double strain_at(LocalId node) const;

  // As a module (modules/module.hpp).
  static std::unique_ptr<modules::Module> start(const modules::Start& start);
  void link(modules::Cycle& cycle) override;

 private:
  const model::Model* model_;
  const WeldNodes* nodes_;
  MeanPlasticStrains strains_;
  std::vector<char> done_;      ///< none: all are needed in each step
  std::vector<double> strain_;  ///< by node of `nodes_`
  std::vector<char> torn_;
  std::vector<std::size_t> places_;  ///< of both nodes of each weld in `strain_`; its size: does not count
};

}  // namespace crumple::constraints
