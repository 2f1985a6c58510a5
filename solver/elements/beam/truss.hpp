// Truss (ELFORM 3): one axial stress, any law with a beam update; the area stays as given.
#pragma once

#include "elements/beam/frame.hpp"
#include "elements/beam/section_point.hpp"
#include "elements/beam/stable_step.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

template <class V>
[[gnu::flatten]] void truss_lanes(const KernelArguments<simd::scalar_t<V>>& args, int b, int lane) {
  using T = simd::scalar_t<V>;
  using namespace beam;
  const GroupParameters& group = *args.group;
  BeamLanes<V> lanes(args, extra_offset(group), b, lane);
  if (!simd::any(lanes.living)) return;
  const V dt = V(static_cast<T>(args.dt)), half = V(static_cast<T>(0.5));
  const double area = group.section->area;

  const BeamGather<V> g = gather_beam<V>(args, lanes.nodes, lanes.living);
  V middle[3], e_mid[3], e[3];
  for (int i = 0; i < 3; ++i) middle[i] = g.along[i] - half * dt * g.velocity[i];
  const V mid_length = normalise(middle, e_mid), length = normalise(g.along, e);
  const BeamStiffness stiffness{.axial = group.young * area, .area = area};
  const V step =
      simd::select(length > V(0), beam_stable_step(group, stiffness, lanes.load(kLength0), length), V(0));
  if (args.dt == 0) return lanes.store_step(damped_step(group, step), lanes.living);

  const V d[3] = {dt * dot3(g.velocity, e_mid) / mid_length, V(0), V(0)};
  SectionPoint<V> point;
  update_section_point(group, lanes.state + kPoints * kLanes, d, dt, point);
  const V force = V(static_cast<T>(area)) * point.stress[0], old_force = lanes.load(kResultants);
  lanes.store(kResultants, force);

  V carried = force;
  if (group.stiffness_damping != 0) {
    const V damping = simd::select(point.failed, V(0), damping_per_step(group, step, args.dt));
    const V viscous = V(static_cast<T>(group.young * area)) * damping * d[0];
    carried += viscous;
    lanes.add_damping(viscous * d[0] * mid_length);
  }
  V f[2][3];
  for (int i = 0; i < 3; ++i) {
    f[1][i] = carried * e[i];
    f[0][i] = -f[1][i];
  }
  const auto survives = lanes.living && !point.failed;
  scatter_subtract(args.loads, lanes.nodes, f, survives);
  lanes.finish(half * (old_force + force) * mid_length * d[0], damped_step(group, step), survives);
}

template <class V>
void truss_kernel(const KernelArguments<simd::scalar_t<V>>& args) {
  for (int b = args.begin; b < args.end; ++b)
    for (int lane = 0; lane < kLanes; lane += simd::width_v<V>) truss_lanes<V>(args, b, lane);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
