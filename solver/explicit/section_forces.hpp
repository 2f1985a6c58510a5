// Forces and moments through cross sections: what chosen nodes do to chosen elements.
//
// A kernel adds the forces of whole blocks to whole nodes, so what a few elements do to a few nodes cannot be
// told from its result. At times of output the kernel therefore runs once more, on copies of the section's
// elements, into arrays of their own. Fixed-point sums make the result of a node the same on any partition;
// nodes are added up in the order of their ids.
#pragma once

#include <memory>
#include <vector>

#include "explicit/elements.hpp"
#include "model/model.hpp"
#include "parallel/communicator.hpp"
#include "parallel/exact_sum.hpp"
#include "state/nodal.hpp"

namespace crumple::explicit_dynamics {

/// What goes through a section: the forces of its nodes on its elements (the elements' internal forces, the
/// sum of B^T sigma, as LS-DYNA has it in secforc), and their moment about its centroid, in global axes.
///
/// Where nodes pull their elements along the normal, the section is under tension and the force is along it.
struct SectionForce {
  Vec3 force, moment, centroid;
  double area = 0;  ///< of the faces, edges and beams of the elements that the section's nodes bound
};

class SectionForces {
 public:
  /// Sections of one rank's share.
  SectionForces(const model::Model& model, const Elements& elements,
                std::span<const parallel::LoadSum> loads);

  bool empty() const { return sections_.empty(); }

  /// Find the forces at t_n. To be called before the elements are updated to t_n, with what their kernels
  /// will be given. Local.
  void measure(const state::Nodal& nodal, double time, double dt);

  /// Sections at the last measure, in the order of the model, on rank 0. Collective.
  std::vector<SectionForce> results(const parallel::Communicator& comm) const;

 private:
  /// What the section's elements do to one of its nodes, in fixed point.
  struct NodeForce {
    std::int64_t section;
    GlobalId id;
    parallel::FixedVector force, moment;
    Vec3 x;
  };
  struct Section {
    std::unique_ptr<ElementCopies> elements;
    std::vector<LocalId> nodes;
  };
  void take(const state::Nodal& nodal, std::size_t section);
  void add_area(const state::Nodal& nodal, std::size_t section, const std::vector<char>& in_section);

  std::vector<Section> sections_;
  AlignedVector<parallel::LoadSum> loads_;                ///< scratch, by node, 0 between uses
  std::vector<NodeForce> forces_;                         ///< of the last measure
  std::vector<std::array<parallel::ExactSum, 4>> areas_;  ///< of each section: area times 1, x, y, z
};

}  // namespace crumple::explicit_dynamics
