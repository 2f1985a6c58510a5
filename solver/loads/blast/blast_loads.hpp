// Nodal forces of blasts, and their work.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "loads/blast/blast_load.hpp"
#include "loads/blast/kingery_bulmash.hpp"
#include "model/model.hpp"
#include "modules/module.hpp"
#include "parallel/exact_sum.hpp"
#include "state/nodal.hpp"

namespace crumple::loads {

/// Centre of a segment, the mean of its corners.
Vec3 centre_of(const BlastLoad& load, std::span<const Vec3> x);
/// Scaled distance of a segment from the charge [m / kg^(1/3)].
double scaled_distance(const BlastLoad& load, std::span<const Vec3> x);

/// Blasts on the segments of one rank, the owner of their first node. The wave is that of the distance at the
/// start; the angle at which it meets the segment is that of the present place. A positive pressure acts
/// against the normal, which points to the charge.
class BlastLoads final : public modules::Module {
 public:
  explicit BlastLoads(const model::Model& model);

  /// Adds forces at `time` (t_n) to the sums of `nodal`; none in dynamic relaxation.
  void add(state::Nodal& nodal, double time, model::Stage stage);
  const parallel::ExactSum& work() const { return work_; }

  // As a module (modules/module.hpp).
  static std::unique_ptr<modules::Module> start(const modules::Start& start);
  void add_forces(modules::Cycle& c) override { add(c.nodal, c.time, c.stage); }
  void add_work(modules::Work& work) const override { work.external.add(work_); }
  void archive(state::Archive& archive, const parallel::IndexMap& nodes) override;

  /// A segment at the last t_n.
  struct Last {
    std::array<Vec3, 4> force, x;
  };

 private:
  double pressure(std::size_t k, std::span<const Vec3> x, double time) const;

  const model::Model* model_;
  const std::vector<BlastLoad>* inputs_;
  std::vector<BlastWave> waves_;
  std::vector<Last> last_;
  bool first_ = true;
  parallel::ExactSum work_;
};
CRUMPLE_MEMBERS(BlastLoads::Last, force, x)

}  // namespace crumple::loads
