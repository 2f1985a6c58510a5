// The gas of airbags in the run.
//
// The volume is that of the surface itself, by the divergence theorem: V = 1/3 sum of (x_a - o) . S_a with
// the area vectors S_a of nodes, the integral of N_a n dA over the bilinear facets, which 2 x 2 points
// integrate exactly. p S_a are the forces on the nodes, and since dV = sum of S_a . dx_a for a closed surface
// their work is exactly p dV. The origin o moves with the mean of the nodes, so that results for a surface
// that is not exactly closed do not depend on its position.
//
// A single axis k also gives the volume, as the sum of x_ak S_ak. This is valid also for a surface that is
// open across other axes, since the closing plane has no S_k: for example half a ball on its plane of
// symmetry.
//
// All sums are exact, so every rank computes the same pressure.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/members.hpp"
#include "loads/airbag/airbag.hpp"
#include "loads/airbag/gas_network.hpp"
#include "model/model.hpp"
#include "parallel/communicator.hpp"
#include "parallel/exact_sum.hpp"
#include "state/nodal.hpp"

namespace crumple::state {
class Archive;
}

namespace crumple::loads {

/// A segment or node at the last t_n.
struct BagFacet {
  std::array<Vec3, 4> force, x;
};
CRUMPLE_MEMBERS(BagFacet, force, x)
struct BagPoint {
  Vec3 force, x;
};
CRUMPLE_MEMBERS(BagPoint, force, x)

/// A bag at t = 0.
struct BagStart {
  double sign = 1.0;  ///< -1: segments point inwards
  double volume = 0.0;
};
CRUMPLE_MEMBERS(BagStart, sign, volume)

class Airbags {
 public:
  /// Keeps references to `model` and `comm`.
  Airbags(const model::Model& model, const parallel::Communicator& comm);

  /// Add the forces at `time` (t_n) to the sums of `nodal`, before they are exchanged. Collective. Raises
  /// CR-L104 when a volume has become negative.
  void add(state::Nodal& nodal, double time, model::Stage stage);

  /// The gas of a bag begins at `time`, at first 0, and its curves count from then; before, the bag has no
  /// pressure. The same on every rank, before each `add`.
  void begin_at(std::size_t bag, double time) { begins_[bag] = time; }

  struct State {
    double volume = 0, area = 0;
    double pressure = 0;  ///< on the surface: gauge
    /// Of the gas; where that has no energy its change since t = 0, minus the work of its pressure.
    double energy = 0;
  };
  const std::vector<Airbag>& inputs() const { return *inputs_; }
  /// Of bags whose gas has mass and energy, or with a liquid; others have zeros. The same on every rank.
  const std::vector<GasState>& gases() const { return gases_; }
  /// Of bags with mixtures.
  const std::vector<GasNetwork>& networks() const { return networks_; }
  /// States of all bags at t_n. The same on every rank.
  const std::vector<State>& states() const { return states_; }
  /// Work of the pressure up to t_n, and dissipation of mass damping; of this rank, to be reduced.
  const parallel::ExactSum& work() const { return work_; }
  const parallel::ExactSum& damped() const { return damped_; }
  /// State for a restart.
  void archive(state::Archive& archive);

 private:
  struct Bag {
    std::vector<BagFacet> facets;
    std::vector<BagPoint> points;
  };
  void measure(const Airbag& input, const state::Nodal& nodal, std::vector<std::array<Vec3, 4>>& area,
               std::span<parallel::ExactSum> sums) const;
  double pressure(const Airbag& input, double relative_volume, double time, model::Stage stage) const;
  double volume_of(std::size_t bag, std::span<const parallel::ExactSum> sums) const;
  void find_surfaces(std::span<const parallel::ExactSum> sums, double time);
  void mix(double time, model::Stage stage);
  void fill(const Airbag& input, State& state, GasState& gas, double time, double begin, model::Stage stage);
  void fill_with_liquid(const Airbag& input, State& state, GasState& liquid, double time, model::Stage stage);
  void push(const Airbag& input, Bag& bag, double signed_p, const std::vector<std::array<Vec3, 4>>& area,
            state::Nodal& nodal);
  void damp(const Airbag& input, Bag& bag, const Vec3& mean, state::Nodal& nodal);

  const model::Model* model_;
  const std::vector<Airbag>* inputs_;
  const parallel::Communicator* comm_;
  std::vector<Bag> bags_;
  std::vector<BagStart> starts_;
  std::vector<State> states_;
  std::vector<GasState> gases_;
  std::vector<GasNetwork> networks_;
  std::vector<BagSurface> surfaces_;  ///< by bag, at t_n
  std::vector<double> begins_;        ///< of gases, by bag
  bool any_gas_ = false;
  bool first_ = true;
  parallel::ExactSum work_, damped_;
};
CRUMPLE_MEMBERS(Airbags::State, volume, area, pressure, energy)

}  // namespace crumple::loads
