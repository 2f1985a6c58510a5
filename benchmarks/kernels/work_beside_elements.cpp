// Counts the bytes and operations of contact, sorts, ties and rigid bodies for an item of their benchmarks.
//
// Closest points and rooms are templates, which are run on a number that counts. All else is plain code: its
// operations and all bytes are counted by hand, term by term, once per cycle or sort, as for elements
// (docs/limits.md). Written memory is read first, so it counts twice.
#include "counted.hpp"
// the kernels
#include <array>
#include <cmath>
#include <numeric>

#include "constraints/rigid_bodies.hpp"
#include "contact/contact_parts.hpp"
#include "contact/geometry/closest_point.hpp"
#include "contact/tied/ties.hpp"
#include "touching_plates.hpp"
#include "warped_pairs.hpp"
#include "work_beside_elements.hpp"

namespace crumple::bench {
namespace {

using contact::CandidateSegment;
using contact::SegmentRecord;
using contact::Slot;
using contact::TrackedNode;
using simd::Counted;

// Sizes of numbers, indices, and vectors.
constexpr double kNumber = 8, kIndex = 4, kFloat = 4, kVector = 24, kLoads = sizeof(parallel::LoadSum);

constexpr double written(double bytes) { return 2 * bytes; }

/// Sums and products of plain code.
struct ByHand {
  double sums = 0, products = 0, divisions = 0, roots = 0;

  ByHand& operator+=(const ByHand& b) {
    sums += b.sums, products += b.products, divisions += b.divisions, roots += b.roots;
    return *this;
  }
  friend ByHand operator*(double n, const ByHand& a) {
    return {n * a.sums, n * a.products, n * a.divisions, n * a.roots};
  }
};
constexpr ByHand kAdd{3, 0}, kScale{0, 3}, kDot{2, 3}, kCross{3, 6};
constexpr ByHand kValue{0, 3};  ///< of a sum in fixed point; the scale's inverse counts where it is made
constexpr ByHand kToFixed{0, 3};
constexpr ByHand kSum{1, 0}, kProduct{0, 1}, kDivision{0, 0, 1}, kRoot{0, 0, 0, 1};

WorkOfItem item(const char* name, double bytes, std::initializer_list<ByHand> terms, const Work& run = {},
                double items = 1) {
  ByHand all;
  for (const ByHand& term : terms) all += term;
  const auto each = [items](std::int64_t n) { return static_cast<double>(n) / items; };
  return {name,
          bytes,
          all.sums + each(run.sums),
          all.products + each(run.products),
          all.divisions + each(run.divisions),
          all.roots + each(run.roots),
          each(run.choices)};
}

contact::SegmentNodes<Counted> nodes_of(const std::array<Vec3, 4>& x) {
  return contact::nodes_of<Counted>(x.data(), 4);
}

/// A test by boxes and the closest point.
void test_pair(const std::array<Vec3, 4>& x, const Vec3& p, double reach) {
  const auto nodes = nodes_of(x);
  const contact::SegmentFrame<Counted> frame(nodes);
  const auto point = contact::vector_of<Counted>(p);
  if (!contact::surely_beyond(frame, point, Counted(reach))) contact::closest_on_segment(nodes, frame, point);
}

/// Closest points of pairs that are all within reach. They stay in the caches, so bytes are no limit.
WorkOfItem closest_points() {
  constexpr std::int32_t n = 1024;
  const WarpedPairs warped(n);
  Counted::work = {};
  for (const contact::SeekerAndSegment& pair : warped.pairs) {
    std::array<Vec3, 4> x;
    for (std::size_t k = 0; k < 4; ++k) x[k] = warped.x[pair.node[k]];
    test_pair(x, {pair.seeker.x, pair.seeker.y, pair.seeker.z}, pair.seeker.reach);
  }
  return item("closest points", 0, {}, Counted::work, n);
}

/// The plates' pairs after a sort, with their positions.
struct PlatePairs {
  TouchingPlates plates;
  double nodes, segments, pairs;  ///< and pairs per node

  PlatePairs() {
    nodes = static_cast<double>(plates.nodal.size());
    segments = static_cast<double>(plates.model.shells.size()) / nodes;
    pairs = static_cast<double>(near().size()) / nodes;
  }
  std::vector<contact::NearPair> near() const { return plates.system->near_pairs().at(0); }

  template <class Visit>
  void for_each(Visit visit) const {
    for (const contact::NearPair& pair : near()) {
      std::array<Vec3, 4> x;
      const auto& segment = plates.model.contacts[0].a.segments[static_cast<std::size_t>(pair.other)];
      for (std::size_t k = 0; k < 4; ++k) x[k] = plates.nodal.x[segment.nodes[k]];
      visit(x, plates.nodal.x[pair.node]);
    }
  }
};

constexpr double kReach = 1.2;  ///< the plates' thickness
/// A candidate segment without the second numbers of its nodes, which only solids need.
constexpr double kCandidate = sizeof(CandidateSegment) - sizeof(CandidateSegment::same);

/// The law at a node with one contact, with friction that sticks and with damping.
std::initializer_list<ByHand> penalty_law() {
  static const std::initializer_list<ByHand> terms = {
      // work of the last forces: relative velocity, its product with the force
      4 * kScale, 4 * kAdd, kDot, 2 * kProduct, kSum,
      // distance, its sign and penetration
      kRoot, kSum, kDot, kDot, kSum,
      // the slot that goes on
      kDot,
      // inverse masses, stable stiffness
      4 * kDivision, 8 * kProduct, 4 * kSum, kDivision, kProduct, kSum, kProduct, kDivision, kProduct,
      // relative velocity, opening, force of the spring
      4 * kScale, 4 * kAdd, kDot, kSum, kProduct,
      // damping
      kDivision, kSum, kRoot, 5 * kProduct, kSum,
      // friction: slide, last force in the plane, trial, limit
      kScale, kAdd, kDot, kScale, kAdd, kProduct, kScale, kAdd, kProduct, kDot, kRoot,
      // force, work
      kScale, kAdd, kDot, 2 * kProduct, kSum,
      // to the node and, with weights, to the segment's nodes
      kAdd, 4 * kScale, 5 * kToFixed};
  return terms;
}

/// All nodes touch one segment. Pairs beyond reach are not tested, and rooms not looked for.
WorkOfItem contact_forces(const PlatePairs& plates) {
  Counted::work = {};
  plates.for_each([](const std::array<Vec3, 4>& x, const Vec3& p) {
    if (contact::closest_on_segment(x.data(), 4, p).distance2 < kReach * kReach) test_pair(x, p, kReach);
  });
  const double motion = kIndex + 2 * kVector                   // the box of displacements
                        + kIndex + kVector + written(kVector)  // positions of used nodes
                        + kVector + written(kVector)           // their steps, by blocks
                        + (written(sizeof(contact::Box)) + written(sizeof(contact::NodeCluster))) / 16;
  const double node = 2 * kIndex + written(kFloat)                    // lists
                      + 1 + written(kNumber)                          // when to look ahead
                      + sizeof(TrackedNode) + 2 * kVector + kNumber;  // x, v, mass
  const double segment = plates.segments * kCandidate + plates.pairs * sizeof(contact::Pair)  //
                         + kVector + kNumber + kNumber + kIndex + kVector;  // x, id, mass, place, v of a node
  const double touch = written(1) + kIndex + written(sizeof(Slot)) + written(sizeof(contact::SlidingWork));
  // Nodes of one plate are the nodes of the other's segments, so each has forces at two different times.
  const double forces = 2 * written(kLoads);
  return item("contact forces", motion + node + segment + touch + forces, penalty_law(), Counted::work,
              plates.nodes);
}

/// What a grid, a search and counting sorts must move and compute.
WorkOfItem sort(const PlatePairs& plates) {
  Counted::work = {};
  plates.for_each([](const std::array<Vec3, 4>& x, const Vec3& p) {
    const auto nodes = nodes_of(x);
    const contact::SegmentFrame<Counted> frame(nodes);
    const auto point = contact::vector_of<Counted>(p);
    contact::surely_beyond(frame, point, Counted(2 * kReach));
    contact::nearest_facet(nodes, frame, point);
  });
  const double s = plates.segments, p = plates.pairs;
  constexpr double raw = kIndex + sizeof(contact::Pair);
  const double positions = kIndex + 2 * kVector                    // the box of displacements
                           + kIndex + kVector + written(kVector);  // kept for the next
  const double grid = kVector + written(kIndex)                    // cell of each point
                      + kIndex + written(kIndex)                   // count
                      + written(kIndex)                            // begins, a cell a point
                      + kIndex + written(kIndex)                   // places
                      + written(kIndex + 3 * kFloat);              // points by cell
  const double search = s * (sizeof(SegmentRecord) + 4 * kIndex)   // segments, begins of their rows of cells
                        + kVector                                  // a node for each segment
                        + kIndex + 3 * kFloat + kVector + sizeof(TrackedNode)  // points
                        + p * written(raw);                                    // pairs
  const double lists = p * raw + written(kIndex)                               // count
                       + p * raw + written(kIndex)                             // places
                       + p * written(sizeof(contact::Pair)) + written(2 * kIndex + kFloat);
  const double used = p * kIndex + s * written(kIndex)                     // which segments are candidates
                      + s * (sizeof(SegmentRecord) + written(kCandidate))  //
                      + p * written(kIndex)                                // pairs have their new numbers
                      + written(kIndex) + written(kIndex)                  // numbers of nodes, and back
                      + 3 * kNumber + written(2 * kNumber)                 // id; mass, and what is tied
                      + kVector + written(kVector) + written(kVector);     // x, and x before a step
  const double clusters = p * kIndex + s * 4 * kIndex + written(1 + kNumber) + written(72.0 / 16) +
                          written(sizeof(contact::NodeCluster)) / 16;
  const double slots = 1 + kIndex + written(kNumber + kIndex) + p * kIndex;  // numbers of present contacts
  return item("sort", positions + grid + search + lists + used + clusters + slots, {p * kRoot}, Counted::work,
              plates.nodes);
}

/// Consecutive ties have one new node of a segment each.
WorkOfItem tie_forces() {
  const double tie = static_cast<double>(contact::Ties::bytes_of_tie());
  return item("tie forces",
              tie + 2 * kNumber + kLoads  // mass, inertia and loads of the node
                  + written(kLoads),      // loads of the segment's
              {2 * kDivision, 2 * kValue, kCross, kAdd, 8 * kScale, 8 * kToFixed});
}

WorkOfItem tie_motion() {
  const double tie = static_cast<double>(contact::Ties::bytes_of_tie());
  return item(
      "tie motion",
      tie + kVector                                 // its arm is written
          + 2 * kVector                             // of the segment's node
          + 4 * kVector,                            // of the tied node, written
      {4 * kScale, 3 * kAdd, 4 * kScale, 3 * kAdd,  // means of v and w
       kScale, kCross, kDot, kProduct, kSum, kDivision, kCross, kScale, kAdd, kScale, kAdd,  // the arm
       kAdd, kScale, kAdd});
}

WorkOfItem body_loads() {
  return item("body loads", 2 * kIndex + kLoads + kVector,  // index, owner, loads, position
              {2 * kDivision, 2 * kValue, kAdd, kCross, kAdd, 2 * kToFixed, 2 * kAdd});
}

WorkOfItem body_motion() {
  return item("body motion", 2 * kIndex + kVector + written(5 * kVector),  // seat, x0; x, v, w, a, alpha
              {kAdd, 6 * kDot,                                             // arm, before and after
               kAdd, kScale, kCross, kAdd,                                 // v
               kCross, kCross, kCross, kAdd, kAdd,                         // a
               kAdd});                                                     // x
}

}  // namespace

std::vector<WorkOfItem> work_beside_elements() {
  const PlatePairs plates;
  return {closest_points(), contact_forces(plates), sort(plates), tie_forces(),
          tie_motion(),     body_loads(),           body_motion()};
}

}  // namespace crumple::bench
