// Strains of shells and solids for plot states, integrated only where STRFLG asks for them.
//
// Strain is the time integral of the rate of deformation in axes that rotate with the element (the axes in
// which stress is integrated). It is logarithmic where the principal directions do not change in those axes.
// The axes of a shell rotate with its side 1-2. No law uses these strains.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "model/model.hpp"
#include "state/archive.hpp"
#include "state/group_view.hpp"
#include "state/nodal.hpp"

namespace crumple::state {

/// Whether plot states carry strains: the last digit of STRFLG (*DATABASE_EXTENT_BINARY). Its tens and
/// hundreds ask for plastic and thermal strain tensors.
inline bool strains_asked(const model::OutputControl& output) { return output.strflg % 10 != 0; }

/// Surface of a shell: inner is the bottom, at -t/2 along the normal.
enum class Surface { inner, outer };

/// Components are xx yy zz xy yz zx; shears are the tensor's, half of the engineering shear.
class Strains {
 public:
  /// Zero for every shell and solid of a rank's model.
  Strains(const model::Model& model, int threads);

  /// Add the strain increment of the step that led to t_n to the elements that are not deleted. Needs x_n, v
  /// and w at t_{n-1/2}, and states of t_{n-1}: to be called just before the kernels. `dt` is t_n - t_{n-1}.
  void add(const Nodal& nodal, std::span<const GroupView> groups, double dt);

  /// Strain of shell e of its group in the element's frame (Formulation::to_global turns it). The strain
  /// across the thickness follows from the in-plane strains and the stresses the group holds now.
  std::array<double, 6> shell(const GroupView& group, std::int32_t e, Surface surface) const;

  /// Strain of a solid in global axes; `element` is its index in the rank's model.
  const std::array<double, 6>& solid(LocalId element) const { return solids_[element]; }

  void archive(Archive& archive, const model::Model& model);

 private:
  /// xx yy xy yz zx in the element's frame, inner and outer; shears engineering.
  using ShellStrain = std::array<std::array<double, 5>, 2>;

  int threads_;
  std::vector<ShellStrain> shells_;            ///< by index in the rank's model
  std::vector<std::array<double, 6>> solids_;  ///< by index in the rank's model
};

}  // namespace crumple::state
