// The cycle of an ExplicitMortar, and answers to queries.
#include "contact/mortar/explicit_mortar.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "contact/force/add_fixed.hpp"
#include "contact/force/penalty.hpp"
#include "contact/mortar/face_of_segment.hpp"
#include "contact/mortar/options.hpp"
#include "contact/segment_builder.hpp"

namespace crumple::contact::mortar {

namespace {

constexpr std::size_t kFacesForThreads = 32;

/// A message to the owner of a node: area n n' of a segment, n its normal.
struct NodeArea {
  GlobalId node = 0;
  std::array<std::int64_t, 6> area{};
};
CRUMPLE_MEMBERS(NodeArea, node, area)

/// Initial penetration at a node.
struct NodeDepth {
  GlobalId node = 0;
  double depth = 0;
};
CRUMPLE_MEMBERS(NodeDepth, node, depth)

constexpr int kTensor[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};

Vec3 normal_at_start(const FaceRecord& face, const state::Nodal& nodal) {
  std::array<Vec3, kCorners> x{};
  for (int k = 0; k < face.corners; ++k) x[at(k)] = nodal.x0[at(face.node[at(k)])];
  return axes_of(x.data(), face.corners)[2];
}

std::size_t place(int side, int corner) { return at(side) * at(kCorners) + at(corner); }

Box box_around(const PairInput& in, int side) {
  Box box;
  for (int k = 0; k < in.corners[side]; ++k) box.add(in.x[place(side, k)]);
  return box;
}

/// Depth of the thinner solid behind both faces; 0 of shells.
double depth_behind(const FaceRecord& first, const FaceRecord& second) {
  if (!first.solid) return second.solid ? second.depth : 0.0;
  return second.solid ? std::min(first.depth, second.depth) : first.depth;
}

}  // namespace

ExplicitMortar::ExplicitMortar(const model::Model& model, std::int32_t contact, const state::Nodal& nodal,
                               const parallel::Communicator& comm, std::span<const PartConstants> constants,
                               elements::Isa isa, const std::array<double, 2>& mean_size)
    : model_(model),
      contact_(contact),
      comm_(comm),
      functions_(&pair_functions(isa)),
      forces_(moving_pair_function(isa)),
      mean_size_(mean_size),
      single_(model::is_single(deck().type)) {
  const SegmentBuilder build(model, nodal, constants);
  a_ = faces_of(deck().a, deck().slsfac * deck().sfa, build, constants);
  if (!single_) b_ = faces_of(deck().b, deck().slsfac * deck().sfb, build, constants);
  share_areas(a_, mean_size_[0], nodal);
  if (!single_) share_areas(b_, mean_size_[1], nodal);
  neighbours_ = deck().a.segment_neighbours;
  states_.resize(a_.size());
  touching_.resize(a_.size());
}

std::vector<FaceRecord> ExplicitMortar::faces_of(const model::Surface& surface, double scale,
                                                 const SegmentBuilder& build,
                                                 std::span<const PartConstants> constants) const {
  std::vector<FaceRecord> faces;
  for (const model::Segment& segment : surface.segments) {
    const Face from = make_face(segment, build, constants, model_, scale);
    FaceRecord& face = faces.emplace_back();
    face.order = from.order;
    face.excluded = from.excluded;
    face.node = from.node;
    face.half_thickness = from.half_thickness;
    face.depth = from.depth;
    face.modulus = from.modulus;
    face.length = from.length;
    face.corners = static_cast<std::int8_t>(from.corners);
    face.solid = from.solid;
    for (int k = 0; k < from.corners; ++k) face.area[at(k)] = from.area / from.corners;
    if (segment.part != model::kNone) face.rigid_body = model_.parts[at(segment.part)].rigid_body;
  }
  return faces;
}

/// The area at each node from the faces of all ranks in the direction of each face: n' (sum of A m m') n, m
/// their normals. Faces at right angles push a node in different directions, each with the whole mass. The
/// owners of nodes sum in integers.
void ExplicitMortar::share_areas(std::vector<FaceRecord>& faces, double mean_size,
                                 const state::Nodal& nodal) const {
  const double unit = mean_size * mean_size / static_cast<double>(std::int64_t{1} << 30);
  if (!(unit > 0.0)) return;
  std::vector<std::vector<NodeArea>> send(static_cast<std::size_t>(comm_.size()));
  for (const FaceRecord& face : faces) {
    if (!(face.area[0] > 0.0)) continue;
    const Vec3 n = normal_at_start(face, nodal);
    for (int k = 0; k < face.corners; ++k) {
      NodeArea part{face.excluded[at(k)]};
      for (std::size_t c = 0; c < 6; ++c)
        part.area[c] = std::llround(face.area[at(k)] / unit * n[kTensor[c][0]] * n[kTensor[c][1]]);
      send[at(nodal.owner[at(face.node[at(k)])])].push_back(part);
    }
  }
  auto received = comm_.exchange(send);
  std::map<GlobalId, std::array<std::int64_t, 6>> sums;
  for (const auto& of_rank : received)
    for (const NodeArea& part : of_rank)
      for (std::size_t c = 0; c < 6; ++c) sums[part.node][c] += part.area[c];
  for (auto& of_rank : received)
    for (NodeArea& part : of_rank) part.area = sums.at(part.node);
  const auto answers = comm_.exchange(received);  // in the order of the messages
  std::vector<std::size_t> next(answers.size(), 0);
  for (FaceRecord& face : faces) {
    if (!(face.area[0] > 0.0)) continue;
    const Vec3 n = normal_at_start(face, nodal);
    for (int k = 0; k < face.corners; ++k) {
      const std::size_t owner = at(nodal.owner[at(face.node[at(k)])]);
      const auto& tensor = answers[owner][next[owner]++].area;
      double sum = 0;
      for (std::size_t c = 0; c < 6; ++c)
        sum += (c < 3 ? 1.0 : 2.0) * static_cast<double>(tensor[c]) * n[kTensor[c][0]] * n[kTensor[c][1]];
      face.area[at(k)] = unit * sum;
    }
  }
}

void ExplicitMortar::list_moving_nodes(std::vector<LocalId>& nodes) const {
  for (const auto* faces : {&a_, &b_})
    for (const FaceRecord& face : *faces)
      if (face.alive) nodes.insert(nodes.end(), face.node.begin(), face.node.begin() + face.corners);
}

void ExplicitMortar::delete_faces(bool of_b, std::span<const GlobalId> orders) {
  if (orders.empty()) return;
  for (Candidate& candidate : candidate_)
    if (candidate.of_b == of_b && std::ranges::binary_search(orders, candidate.face.order))
      candidate.face.alive = false;
}

void ExplicitMortar::gather_used(const state::Nodal& nodal) {
  for (std::size_t k = 0; k < used_.n_local(); ++k) used_.x[k] = nodal.x[at(used_.local[k])];
  exchange_.finish(used_);
  for (std::size_t k = 0; masses_change_ && k < used_.n_local(); ++k)
    used_.mass[k] = nodal.own_mass(at(used_.local[k]));
  for (parallel::FixedVector& f : used_.force) f.sum = {};
}

/// Relative motion of the used nodes since the sort.
double ExplicitMortar::relative_motion() {
  if (x_sorted_.empty()) x_sorted_ = used_.x;
  Box box;
  for (std::size_t k = 0; k < x_sorted_.size(); ++k) box.add(used_.x[k] - x_sorted_[k]);
  return box.empty() ? 0.0 : norm(box.high - box.low) * (1.0 + 1e-12);
}

Vec3 ExplicitMortar::velocity(std::int32_t used, const Cycle& cycle) const {
  const auto n = static_cast<std::int32_t>(used_.n_local());
  return used < n ? cycle.nodal->v[at(used_.local[at(used)])] : used_.v[at(used - n)];
}

/// Area over mass of both faces, the largest of their nodes.
std::array<double, 2> ExplicitMortar::inverse_masses(const Candidate& first, const Candidate& second) const {
  std::array<double, 2> most{};
  for (int s = 0; s < 2; ++s) {
    const Candidate& of = s == 0 ? first : second;
    for (int k = 0; k < of.face.corners; ++k)
      most[at(s)] = std::max(most[at(s)], of.face.area[at(k)] * inverse(used_.mass[at(of.node[at(k)])]));
  }
  return most;
}

/// Positions and thickness; false if the pair is too far apart, or does not face each other.
bool ExplicitMortar::lay(const Candidate& first, const Candidate& second, const TouchingFaces* held,
                         MovingPair& in) const {
  for (int s = 0; s < 2; ++s) {
    const Candidate& of = s == 0 ? first : second;
    in.corners[s] = of.face.corners;
    in.thickness += of.face.half_thickness;
    for (int k = 0; k < of.face.corners; ++k) in.x[place(s, k)] = used_.x[at(of.node[at(k)])];
  }
  const double depth = depth_behind(first.face, second.face);
  if (first.face.solid || second.face.solid) in.behind = 2.0 * (depth + in.thickness);
  if (!held && !box_around(in, 0).grown(std::max(in.thickness, depth)).overlaps(box_around(in, 1)))
    return false;
  return set_sides(first, second, held, in);
}

/// A solid is touched on its outer side, a shell on the side that faces it. Of two shells the side is that on
/// which they are when they begin to touch.
bool ExplicitMortar::set_sides(const Candidate& first, const Candidate& second, const TouchingFaces* held,
                               MovingPair& in) const {
  const double cosine =
      dot(axes_of(in.x.data(), in.corners[0])[2], axes_of(in.x.data() + kCorners, in.corners[1])[2]);
  if (!(std::abs(cosine) > kFacingNot)) return false;
  const bool shell = !first.face.solid, other_shell = !second.face.solid;
  if (held) {
    in.side[0] = held->side;
  } else if (shell && other_shell) {
    const Overlap lie = functions_->overlap(in);
    if (!(lie.area > 0.0)) return false;
    in.side[0] = lie.height < 0.0 ? -1.0 : 1.0;
  } else if (shell) {
    in.side[0] = cosine > 0.0 ? -1.0 : 1.0;
  }
  if (other_shell) in.side[1] = cosine * in.side[0] > 0.0 ? -1.0 : 1.0;
  return -cosine * in.side[0] * in.side[1] > kFacingNot;
}

/// Pressure, limited to what is stable, with its viscous part; friction, and initial penetrations. Nodes of a
/// rigid body do not vibrate by themselves.
void ExplicitMortar::set_laws(const Candidate& first, const Candidate& second, const FaceState& state,
                              const Cycle& cycle, MovingPair& in) const {
  in.law = law_of({first.face.modulus, second.face.modulus}, {first.face.length, second.face.length});
  const std::array<double, 2> masses = inverse_masses(first, second);
  const bool rigid[2] = {first.face.rigid_body >= 0, second.face.rigid_body >= 0};
  double moving = masses[0] + masses[1];
  if (rigid[0] != rigid[1]) moving = masses[rigid[0] ? 1 : 0];
  double most = HUGE_VAL;
  if (moving > 0.0 && cycle.stable_dt > 0.0)
    most = kStableShare / (moving * cycle.stable_dt * cycle.stable_dt);
  const double shear = std::min(kShear * in.law.stiffness, most);
  if (in.law.stiffness > most) in.law = {most, in.law.soft * (most / in.law.stiffness)};
  for (int k = 0; k < in.corners[0]; ++k) in.taken_out[at(k)] = cycle.left * state.taken_out[at(k)];
  if (deck().vdc > 0.0) {
    // 2 min(m) sqrt(k (1/m1 + 1/m2)), as between a node and a segment
    in.damping =
        deck().vdc / 100.0 * 2.0 * inverse(std::max(masses[0], masses[1])) * std::sqrt(masses[0] + masses[1]);
    for (int s = 0; s < 2; ++s)
      for (int k = 0; k < in.corners[s]; ++k)
        in.v[place(s, k)] = velocity((s == 0 ? first : second).node[at(k)], cycle);
  }
  set_friction(first, second, state, cycle, shear, in);
}

void ExplicitMortar::set_friction(const Candidate& first, const Candidate& second, const FaceState& state,
                                  const Cycle& cycle, double stiffness, MovingPair& in) const {
  in.friction = friction_of(deck(), stiffness);
  if (!in.friction.any()) return;
  if (const double vc = deck().vc * deck().vsf; vc > 0.0) in.most_shear = vc;
  in.dt = cycle.dt;
  std::array<Vec3, kPairNodes> start{};
  for (int s = 0; s < 2; ++s)
    for (int k = 0; k < in.corners[s]; ++k)
      start[place(s, k)] =
          in.x[place(s, k)] - cycle.dt * velocity((s == 0 ? first : second).node[at(k)], cycle);
  const std::array<Vec3, 3> e = axes_of(start.data(), in.corners[0]);
  for (int i = 0; i < 2; ++i) {
    for (int s = 0; s < 2; ++s)
      for (int k = 0; k < in.corners[s]; ++k)
        in.start[i][place(s, k)] = dot(e[at(i)], start[place(s, k)] - start[0]);
    for (int k = 0; k < kCorners; ++k) in.stretched[i][k] = state.stretched[at(i)][at(k)];
  }
}

/// Half of a step's work of the forces of a pair: what central differences turn into kinetic energy is half
/// that of the forces at its start and half that of those at its end (Belytschko, Liu, Moran 2000, 6.2.3).
void ExplicitMortar::count_work(const TouchingFaces& pair, const Candidate& first, const Candidate& second,
                                const Cycle& cycle, FaceState& state) const {
  double work[2] = {};
  for (int s = 0; s < 2; ++s)
    for (int k = 0; k < pair.corners[at(s)]; ++k)
      work[s] -= 0.5 * cycle.dt *
                 dot(pair.force[place(s, k)], velocity((s == 0 ? first : second).node[at(k)], cycle));
  state.work_a += work[0];
  (single_ ? state.work_a : state.work_b) += work[1];
}

/// With IGNORE, each node of surface a keeps the largest initial penetration of the segments around it.
void ExplicitMortar::take_out() {
  std::map<GlobalId, double> most;
  for (std::size_t f = 0; f < first_.size(); ++f) {
    const Candidate& first = candidate_[at(first_candidate_[f])];
    for (std::int32_t p = begin_[f]; p < begin_[f + 1]; ++p) {
      const Candidate& second = candidate_[at(pair_[at(p)].segment)];
      MovingPair in;
      if (!first.face.alive || !second.face.alive || !lay(first, second, nullptr, in)) continue;
      const Overlap lie = functions_->overlap(in);
      if (!(lie.area > 0.0) || !(lie.deepest > 0.0) || lie.deepest > 0.5 * in.behind) continue;
      for (int k = 0; k < in.corners[0]; ++k) {
        double& of = most[first.face.excluded[at(k)]];
        of = std::max(of, lie.deepest);
      }
    }
  }
  std::vector<NodeDepth> mine;
  for (const auto& [node, depth] : most) mine.push_back({node, depth});
  for (const NodeDepth& of : comm_.all_gather(std::span<const NodeDepth>(mine))) {
    double& depth = most[of.node];
    depth = std::max(depth, of.depth);
  }
  for (std::size_t f = 0; f < a_.size(); ++f)
    for (int k = 0; k < a_[f].corners; ++k)
      if (const auto found = most.find(a_[f].excluded[at(k)]); found != most.end())
        states_[f].taken_out[at(k)] = found->second;
}

template <bool kAtomic>
void ExplicitMortar::scatter(const TouchingFaces& pair, const Candidate& first, const Candidate& second,
                             std::span<parallel::LoadSum> loads) {
  const auto n_local = static_cast<std::int32_t>(used_.n_local());
  for (int s = 0; s < 2; ++s)
    for (int k = 0; k < pair.corners[at(s)]; ++k) {
      const std::int32_t node = (s == 0 ? first : second).node[at(k)];
      parallel::FixedVector& to =
          node < n_local ? loads[at(used_.local[at(node)])].force : used_.force[at(node - n_local)];
      add_fixed<kAtomic>(to, pair.force[place(s, k)]);
    }
}

/// The pairs of one first segment, in the order of the second ones: what it keeps is a sum over them.
template <bool kAtomic>
void ExplicitMortar::evaluate_face(std::size_t f, const Cycle& cycle, std::vector<TouchingFaces>& before,
                                   std::span<parallel::LoadSum> loads) {
  const std::size_t face = at(first_[f]);
  const Candidate& first = candidate_[at(first_candidate_[f])];
  FaceState& state = states_[face];
  std::vector<TouchingFaces>& now = touching_[face];
  before.clear();
  before.swap(now);
  std::array<double, kCorners> area{};
  std::array<std::array<double, kCorners>, 2> stretch{};
  double deepest = 0;
  const bool tracks = cycle.tracks && *std::ranges::max_element(state.taken_out) > 0.0;
  std::size_t next = 0;
  for (std::int32_t p = begin_[f]; p < begin_[f + 1]; ++p) {
    const Candidate& second = candidate_[at(pair_[at(p)].segment)];
    const GlobalId order = second.face.order;
    while (next < before.size() && before[next].other < order) ++next;
    const bool held = next < before.size() && before[next].other == order;
    const TouchingFaces* last = held ? &before[next] : nullptr;
    if (!held && static_cast<double>(pair_[at(p)].gap) > cycle.moved) continue;
    if (held) count_work(*last, first, second, cycle, state);
    MovingPair in;
    if (!cycle.acts || !first.face.alive || !second.face.alive || !lay(first, second, last, in)) continue;
    set_laws(first, second, state, cycle, in);
    if (!(in.law.stiffness > 0.0)) continue;  // neither has an element
    MovingPairForces out;
    forces_(in, out);
    if (!held && (out.touches || tracks)) {
      const Overlap lie = functions_->overlap(in);
      if (lie.deepest > 0.5 * in.behind) continue;
      if (tracks && lie.area > 0.0) deepest = std::max(deepest, lie.deepest);
    } else if (tracks) {
      deepest = std::max(deepest, functions_->overlap(in).deepest);
    }
    if (!out.touches) continue;
    TouchingFaces& pair = now.emplace_back();
    pair.other = order;
    pair.force = out.force;
    pair.side = in.side[0];
    pair.penetration = out.deepest;
    for (int s = 0; s < 2; ++s) {
      const Candidate& of = s == 0 ? first : second;
      pair.corners[at(s)] = of.face.corners;
      std::copy_n(of.face.excluded.begin(), kCorners, pair.node.begin() + s * kCorners);
    }
    count_work(pair, first, second, cycle, state);
    if (cycle.first) state.work_a += out.stored;  // the initial energy
    state.friction += out.dissipated;
    for (std::size_t k = 0; k < kCorners; ++k) {
      area[k] += out.corner_area[k];
      for (std::size_t i = 0; i < 2; ++i) stretch[i][k] += out.corner_stretch[i][k];
    }
    scatter<kAtomic>(pair, first, second, loads);
  }
  for (std::size_t k = 0; k < kCorners; ++k) {
    for (std::size_t i = 0; i < 2; ++i)
      state.stretched[i][k] = area[k] > 0.0 ? state.stretched[i][k] + stretch[i][k] / area[k] : 0.0;
    if (tracks) state.taken_out[k] = std::min(state.taken_out[k], deepest);
  }
}

template <bool kAtomic>
void ExplicitMortar::evaluate(const Cycle& cycle, std::span<parallel::LoadSum> loads) {
#pragma omp parallel if (kAtomic)
  {
    std::vector<TouchingFaces> before;
#pragma omp for schedule(dynamic, 8)
    for (std::size_t f = 0; f < first_.size(); ++f) evaluate_face<kAtomic>(f, cycle, before, loads);
  }
}

void ExplicitMortar::add_forces(const state::Nodal& nodal, double time, double dt, double stable_dt,
                                std::span<parallel::LoadSum> loads) {
  gather_used(nodal);
  Cycle cycle;
  cycle.nodal = &nodal;
  cycle.dt = dt;
  cycle.stable_dt = stable_dt;
  cycle.left = left_out(deck(), time);
  cycle.moved = relative_motion();
  cycle.acts = time >= deck().birth && time < (deck().death > 0.0 ? deck().death : HUGE_VAL);
  if (time < deck().birth) began_ = false;  // in the transient run, after dynamic relaxation
  cycle.first = cycle.acts && !began_;
  cycle.tracks = deck().ignore == 1;
  if (cycle.first && deck().ignore != 0) take_out();
  if (omp_get_max_threads() > 1 && first_.size() > kFacesForThreads)
    evaluate<true>(cycle, loads);
  else
    evaluate<false>(cycle, loads);
  began_ = began_ || cycle.acts;
  exchange_.return_forces(used_, loads);
}

void ExplicitMortar::append_near_pairs(std::vector<NearPair>& pairs) const {
  for (std::size_t f = 0; f < first_.size(); ++f)
    for (std::int32_t p = begin_[f]; p < begin_[f + 1]; ++p) {
      NearPair& pair = pairs.emplace_back();
      pair.side = 2 * contact_;
      pair.item = a_[at(first_[f])].order;
      pair.other_side = single_ ? pair.side : pair.side + 1;
      pair.other = candidate_[at(pair_[at(p)].segment)].face.order;
      pair.within_reach = !(pair_[at(p)].gap > 0.0F);
    }
}

void ExplicitMortar::add_to(MortarSums& sums) const {
  for (const FaceState& state : states_) {
    sums.energy_a += state.work_a;
    sums.energy_b += state.work_b;
    sums.friction += state.friction;
  }
  for_each_touch([&](const TouchingFaces& pair) {
    ++sums.touching;
    sums.max_penetration = std::max(sums.max_penetration, pair.penetration);
    Vec3 on_first;
    for (int k = 0; k < pair.corners[0]; ++k) on_first += pair.force[at(k)];
    for (int c = 0; c < 3; ++c) {
      sums.force[at(c)] += on_first[c];
      sums.minus_force[at(c)] += -on_first[c];
    }
  });
}

}  // namespace crumple::contact::mortar
