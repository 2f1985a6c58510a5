// Springs and dampers (*ELEMENT_DISCRETE), along the line between two nodes or an orientation vector.
//
// An element to ground has its first node twice: the kernel then takes the other end as fixed at the node's
// initial position (state kGround). Rotational elements (DRO = 1) act on moments with the nodes' relative
// rotation about the same direction.
//
// Springs and dampers have no mass: their step follows from the masses at their ends. With the stiffness k,
// the damping c and the compliance C = 1/m_a + 1/m_b, one step of central differences with velocities at half
// steps takes y = dt v and d to y' = (1 - c C dt) y - k C dt^2 d and d' = d + y'. Both roots of that matrix
// lie in the unit circle if, and only if, k C dt^2 + 2 c C dt <= 4 (Jury 1964), so
//
//   dt = 4 / (c C + sqrt((c C)^2 + 4 k C)),
//
// which is 2 / omega without damping (Hallquist 2006, LS-DYNA theory manual, discrete elements) and 2 / (c C)
// without stiffness.
#pragma once

#include "elements/discrete/layout.hpp"
#include "elements/kernel.hpp"
#include "materials/update.hpp"
#include "parallel/fixed_point.hpp"
#include "simd/vec.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Relative motion of the ends of one element, in double.
struct SpringMotion {
  Vec3 direction;         ///< of tension on the second node's side, zero where ends coincide
  double elongation = 0;  ///< without the initial offset
  double rate = 0;
  bool rotational = false;
};

/// One element's state, kLanes apart.
template <class T>
struct SpringState {
  T* variables;
  double operator[](int k) const { return static_cast<double>(variables[k * kLanes]); }
  void set(int k, double value) { variables[k * kLanes] = static_cast<T>(value); }
  Vec3 vector(int k) const { return {(*this)[k], (*this)[k + 1], (*this)[k + 2]}; }
};

/// The line between the nodes; its length goes to `length`.
inline Vec3 unit_along(const Vec3& line, double& length) {
  length = std::sqrt(dot(line, line));
  return length > 0 ? (1 / length) * line : Vec3{};
}

/// Elongation along the line or the orientation; to ground from the node's summed displacement.
template <class T>
SpringMotion translation(const KernelArguments<T>& args, LocalId a, LocalId b, SpringState<T>& s) {
  SpringMotion m;
  const bool ground = s[discrete::kGround] != 0;
  Vec3 velocity = ground ? -args.v[a] : args.v[b] - args.v[a], line = args.x[b] - args.x[a];
  if (ground) {
    for (int i = 0; i < 3; ++i) s.set(discrete::kMoved + i, s[discrete::kMoved + i] + args.dt * args.v[a][i]);
    line = -s.vector(discrete::kMoved);
  }
  double length = 0;
  if (s[discrete::kOriented] != 0) {
    m.direction = s.vector(discrete::kDirection);
    length = dot(line, m.direction);
  } else {
    m.direction = unit_along(line, length);
  }
  m.elongation = length - s[discrete::kLength0];
  m.rate = dot(velocity, m.direction);
  return m;
}

/// Relative rotation, summed over the steps.
template <class T>
SpringMotion rotation(const KernelArguments<T>& args, LocalId a, LocalId b, SpringState<T>& s) {
  SpringMotion m;
  m.rotational = true;
  double length = 0;
  m.direction = s[discrete::kOriented] != 0 ? s.vector(discrete::kDirection)
                                            : unit_along(args.x[b] - args.x[a], length);
  const Vec3 spin = s[discrete::kGround] != 0 ? -args.w[a] : args.w[b] - args.w[a];
  m.rate = dot(spin, m.direction);
  s.set(discrete::kMoved, s[discrete::kMoved] + args.dt * m.rate);
  m.elongation = s[discrete::kMoved];
  return m;
}

/// Force of the law with what *SECTION_DISCRETE adds: clearance before it acts (positive in compression),
/// and the magnification 1 + KD |v| / V0.
template <class T>
double spring_force(const GroupParameters& group, double elongation, double rate, SpringState<T>& s) {
  const model::Section& section = *group.section;
  const double clearance = section.clearance;
  double d = elongation, v = rate;
  if (clearance != 0) {
    d = clearance > 0 ? std::fmin(d + clearance, 0.0) : std::fmax(d + clearance, 0.0);
    if (d == 0) v = 0;
  }
  materials::DiscreteState state;
  for (int k = 0; k < materials::kDiscreteHistory; ++k) state.history[k] = s[discrete::kHistory + k];
  materials::update_discrete(group.law, d, v, state);
  for (int k = 0; k < materials::kDiscreteHistory; ++k) s.set(discrete::kHistory + k, state.history[k]);
  const double magnification = section.kd != 0 ? 1 + section.kd * std::fabs(rate) / section.v0 : 1.0;
  return magnification * state.force;
}

/// FD > 0 is the elongation, FD < 0 the shortening at which the element goes.
inline bool spring_fails(const model::Section& section, double elongation) {
  const double limit = section.fail_deflection;
  return limit > 0 ? elongation > limit : limit < 0 && elongation < limit;
}

/// The internal force pulls the first node along the direction and the second against it.
template <class T>
void scatter_spring(const KernelArguments<T>& args, LocalId a, LocalId b, bool ground, const SpringMotion& m,
                    double force) {
  const Vec3 f{force * m.direction[0], force * m.direction[1], force * m.direction[2]};
  const auto sum = [&](LocalId node) -> parallel::FixedVector& {
    return m.rotational ? args.loads[node].moment : args.loads[node].force;
  };
  sum(a).add(f);
  if (!ground) sum(b).add(-f);
}

inline constexpr double kPartOfChanging = 0.5;  ///< of the stable step, by laws whose stiffness changes

/// The step up to which a tangent is stable, 1e30 where none of the ends can move.
inline double tangent_step(const materials::DiscreteTangent& tangent, double compliance) {
  const double damping = tangent.damping * compliance, stiffness = tangent.stiffness * compliance;
  const double slowest = damping + std::sqrt(damping * damping + 4 * stiffness);
  return slowest > 4e-30 ? 4 / slowest : 1e30;
}

/// The stable step: of each tangent of the law, or until the spring may be where it has that tangent. A
/// clearance counts as closed. Where a law has several tangents the step follows them up and down, which
/// pumps energy into a motion near its limit: it then takes a part of what each would allow.
template <class T>
T spring_step(const GroupParameters& group, double elongation, double rate, const SpringState<T>& s) {
  const model::Section& section = *group.section;
  double history[materials::kDiscreteHistory];
  for (int k = 0; k < materials::kDiscreteHistory; ++k) history[k] = s[discrete::kHistory + k];
  const double clearance = section.clearance;
  const double d = clearance > 0   ? std::fmin(elongation + clearance, 0.0)
                   : clearance < 0 ? std::fmax(elongation + clearance, 0.0)
                                   : elongation;
  const double scale = std::fabs(s[discrete::kScale]), force = std::fabs(s[discrete::kForce]),
               compliance = s[discrete::kCompliance];
  // *SECTION_DISCRETE: F (1 + KD |v| / V0)
  const double per_rate = section.kd != 0 ? section.kd / section.v0 : 0.0;
  const double magnification = scale * (1 + per_rate * std::fabs(rate));
  int tangents = 0;
  materials::visit_tangents(group.law, d, rate, history, [&](double, const auto&) { ++tangents; });
  const double part = tangents > 1 ? kPartOfChanging : 1.0;
  const auto visit_steps = [&](auto visit) {
    materials::visit_tangents(group.law, d, rate, history, [&](double gap, materials::DiscreteTangent t) {
      t.stiffness *= magnification;
      t.damping = magnification * t.damping + force * per_rate;
      visit(gap, part * tangent_step(t, compliance));
    });
  };
  double here = 1e30, step = 1e30;
  visit_steps([&](double gap, double stable) { here = gap > 0 ? here : std::fmin(here, stable); });
  const double speed = std::fabs(rate) + (here < 1e30 ? force * compliance * here : 0.0);
  visit_steps([&](double gap, double stable) {
    const double there = speed > 0 ? 0.5 * gap / speed : gap > 0 ? 1e30 : 0.0;
    step = std::fmin(step, std::fmax(stable, there));
  });
  return static_cast<T>(step);
}

/// One element at lane `l` of block `b`.
template <class T>
void spring_lane(const KernelArguments<T>& args, std::size_t b, int l) {
  const std::size_t slot = b * kLanes + l;
  if (!(args.alive[slot] > 0)) return;
  const GroupParameters& group = *args.group;
  SpringState<T> s{args.state + b * discrete::kVariables * kLanes + l};
  const LocalId first = args.nodes[b * 2 * kLanes + l], second = args.nodes[(b * 2 + 1) * kLanes + l];
  if (args.dt == 0) {
    const SpringMotion still =
        group.section->rotational ? rotation(args, first, second, s) : translation(args, first, second, s);
    args.stable_step[slot] = spring_step(group, s[discrete::kOffset], still.rate, s);
    return;
  }
  const SpringMotion m =
      group.section->rotational ? rotation(args, first, second, s) : translation(args, first, second, s);
  const double elongation = m.elongation + s[discrete::kOffset];
  if (spring_fails(*group.section, elongation)) {
    args.alive[slot] = T(0);
    return;
  }
  const double force = s[discrete::kScale] * spring_force(group, elongation, m.rate, s);
  args.energy[b * kEnergies * kLanes + l] +=
      0.5 * (force + s[discrete::kForce]) * (elongation - s[discrete::kElongation]);
  s.set(discrete::kForce, force);
  s.set(discrete::kElongation, elongation);
  args.stable_step[slot] = spring_step(group, elongation, m.rate, s);
  scatter_spring(args, first, second, s[discrete::kGround] != 0, m, force);
}

/// Few elements with branches: one lane at a time, whatever V is.
template <class V>
void spring_kernel(const KernelArguments<simd::scalar_t<V>>& args) {
  for (int b = args.begin; b < args.end; ++b)
    for (int l = 0; l < kLanes; ++l) spring_lane(args, static_cast<std::size_t>(b), l);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
