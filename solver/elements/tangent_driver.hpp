// Runs an element function on one element with derivatives: its stiffness, a few columns per pass.
//
// N columns go through the element together. Measured on AVX2 (Zen, GCC 12; MAT_024 with a hardening curve,
// all points yielding; benchmarks/kernels/tangents.cpp), the cost in evaluations of the forces of one
// element:
//
//   N                  4     8    16
//   shell 2         11.9   8.1  10.2        24 degrees of freedom
//   shell 16        11.1   7.1   8.4        24
//   solid 1, hg 6   26.0  18.8  27.3        24
//   solid 2         17.7  13.3  16.7        24
//   beam 1           6.9   5.9   5.1        12
//
// Eight columns are two registers of AVX2 and one of AVX-512, and three passes of a brick or a shell.
#pragma once

#include <algorithm>

#include "base/no_limit.hpp"
#include "elements/element.hpp"
#include "elements/instantiate.hpp"
#include "elements/tangent.hpp"
#include "materials/updates.hpp"
#include "simd/math.hpp"
#include "simd/vec.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

using materials::WithDerivatives;

/// One element's motion for the element function; where V has derivatives, by the degrees of freedom from
/// `first` on.
template <class Element, class V>
void set_motion(const TangentArguments& a, int first, MotionOf<V, Element>& motion) {
  constexpr int N = Element::n_nodes, per_node = Element::rotations ? 6 : 3;
  const double rate = 1 / a.dt;
  const auto variable = [&](double value, int dof, double slope) {
    V result(value);
    if constexpr (simd::is_dual_v<V>) {
      simd::set_variable(result, value, dof - first);
      result = {value, typename V::Derivatives(slope) * result.d};
    }
    return result;
  };
  for (int n = 0; n < N; ++n)
    for (int i = 0; i < 3; ++i) {
      const int at = 3 * n + i, dof = per_node * n + i;
      motion.x[n][i] = variable(a.x[at], dof, 1);
      motion.v[n][i] = variable(a.v[at], dof, rate);
      if constexpr (Element::rotations) motion.w[n][i] = variable(a.w[at], dof + 3, rate);
    }
  for (int n = N - 1; n >= 0; --n)
    for (int i = 0; i < 3; ++i) {
      motion.x[n][i] -= motion.x[0][i];
      if constexpr (!requires { Element::absolute_velocity; }) motion.v[n][i] -= motion.v[0][i];
    }
}

/// Whether a variable of the element's state is set from outside.
template <class Element>
concept HasGivenVariable = requires(const GroupParameters& group) {
  Element::given_variable(group);
};

/// The state before the step, with the given variable in the direction behind the degrees of freedom.
template <class V, class Element>
StateBefore<V> state_before(const TangentArguments& a, int direction) {
  if constexpr (simd::is_dual_v<V> && HasGivenVariable<Element>)
    return {a.state_after, 0, Element::given_variable(*a.group), direction};
  return {a.state_after, 0};
}

/// Forces and, where V has derivatives, columns of the stiffness from `first` on. A plain vector has the same
/// element in all its lanes.
template <class V, class Element>
void tangent_pass(const Element& element, TangentArguments& a, int first) {
  constexpr int N = Element::n_nodes, per_node = Element::rotations ? 6 : 3, n_dof = per_node * N;
  const GroupParameters& g = *a.group;
  const int n_vars = element.variables(g);
  for (int k = 0; k < n_vars; ++k)
    std::fill_n(a.state_after + k * kLanes, simd::width_v<V>, a.state[k * kLanes]);
  MotionOf<V, Element> motion;
  set_motion<Element, V>(a, first, motion);
  ForcesOf<V, Element> out{};
  const auto living = V(0.0) == V(0.0);
  element(g, motion, Step<V>{a.dt, a.time, living}, state_before<V, Element>(a, n_dof - first),
          StateAfter<V>{a.state_after}, out);
  a.survives = simd::lane(out.survives, 0);
  a.step = simd::lane(out.step, 0);
  const auto put = [&](int dof, const V& f) {
    a.force[dof] = simd::lane(f, 0);
    if constexpr (simd::is_dual_v<V>) {
      double d[V::n_directions];
      simd::get_derivatives(f, d);
      for (int k = 0; k < V::n_directions && first + k < n_dof; ++k)
        a.stiffness[dof * n_dof + first + k] = d[k];
      if constexpr (HasGivenVariable<Element>)
        if (a.by_given != nullptr && first + V::n_directions > n_dof) a.by_given[dof] = d[n_dof - first];
    }
  };
  for (int n = 0; n < N; ++n)
    for (int i = 0; i < 3; ++i) {
      put(per_node * n + i, out.f[n][i]);
      if constexpr (Element::rotations) put(per_node * n + 3 + i, out.m[n][i]);
    }
}

/// The tangent of elements that carry no force.
template <class Element>
void no_tangent(const Element& element, TangentArguments& a) {
  constexpr int n_dof = (Element::rotations ? 6 : 3) * Element::n_nodes;
  const int n_vars = element.variables(*a.group);
  for (int k = 0; k < n_vars; ++k) a.state_after[k * kLanes] = a.state[k * kLanes];
  std::fill_n(a.force, n_dof, 0.0);
  if (a.stiffness) std::fill_n(a.stiffness, n_dof * n_dof, 0.0);
  a.survives = true;
  a.step = kNoLimit;
}

/// The tangent of a formulation (explicit_driver.hpp). Forces alone use a vector, since laws have no updates
/// for plain numbers.
template <class Formulation>
void tangent_of(TangentArguments& a) {
  using Plain = std::conditional_t < requires { Formulation::one_by_one; }
  , double, materials::Doubles > ;
  Formulation::choose(*a.group, [&](const auto& element) {
    using Element = std::remove_cvref_t<decltype(element)>;
    constexpr int n_dof = (Element::rotations ? 6 : 3) * Element::n_nodes;
    if constexpr (requires { Formulation::idle(*a.group); })
      if (Formulation::idle(*a.group)) return no_tangent(element, a);
    if (!a.stiffness) return tangent_pass<Plain>(element, a, 0);
    constexpr int n_columns = n_dof + (HasGivenVariable<Element> ? 1 : 0);
    for (int first = 0; first < n_columns; first += WithDerivatives::n_directions)
      tangent_pass<WithDerivatives>(element, a, first);
  });
}

/// One line that compiles the tangent of a formulation for this object's instruction set and registers it.
#define CRUMPLE_REGISTER_TANGENT(KIND, ELFORM, FORMULATION)                                           \
  namespace {                                                                                         \
  const ::crumple::elements::detail::RegisterTangent CRUMPLE_CAT(tangent_, __COUNTER__)(              \
      static_cast<::crumple::elements::Isa>(CRUMPLE_ISA_NUMBER), ::crumple::model::ElementKind::KIND, \
      ELFORM, &tangent_of<FORMULATION>);                                                              \
  }

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
