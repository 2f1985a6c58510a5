// Forces and moments through cross sections: of chosen nodes on chosen elements.
//
// A kernel adds the forces of whole blocks to nodes, so its result does not show the forces of a few elements
// on a few nodes. At times of output the kernel therefore runs once more, on copies of the section's
// elements, with separate sums. By fixed-point sums a node's result is the same on any partition; nodes are
// added in the order of their ids.
#pragma once

#include <memory>
#include <vector>

#include "explicit/elements.hpp"
#include "model/model.hpp"
#include "parallel/communicator.hpp"
#include "parallel/exact_sum.hpp"
#include "state/nodal.hpp"

namespace crumple::explicit_dynamics {

/// Resultants of a section: the forces of its nodes on its elements (the elements' internal forces, the sum
/// of B^T sigma, as LS-DYNA has it in secforc), and their moment about its centroid, in global axes.
///
/// In tension, nodes pull their elements along the normal, and the force is along the normal.
struct SectionForce {
  Vec3 force, moment, centroid;
  double area = 0;  ///< of the faces, edges and beams of the elements at the section's nodes
};

class SectionForces {
 public:
  /// Sections of one subdomain.
  SectionForces(const model::Model& model, const Elements& elements,
                std::span<const parallel::LoadSum> loads);

  bool empty() const { return sections_.empty(); }

  /// Compute the forces at t_n. To be called before the elements are updated to t_n, with the arguments of
  /// their kernels. Local.
  void measure(const state::Nodal& nodal, double time, double dt);

  /// Sections at the last measure, in the order of the model, on rank 0. Collective.
  std::vector<SectionForce> results(const parallel::Communicator& comm) const;

 private:
  /// Force of the section's elements on one of its nodes, in fixed point.
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
