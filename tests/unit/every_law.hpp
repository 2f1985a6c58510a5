// Every law's updates on any vector, for tests: elements call those that are compiled for an instruction set.
//
// Include before any law.
#pragma once

#define CRUMPLE_REGISTERS_LAWS
#undef CRUMPLE_LAW
#undef CRUMPLE_ROW
#undef CRUMPLE_UPDATES
#define CRUMPLE_ROW(PARAMETERS, ...)
#define CRUMPLE_UPDATES(PARAMETERS) \
  namespace crumple::materials {    \
  template <>                       \
  struct Listed<__COUNTER__> {      \
    using Parameters = PARAMETERS;  \
  };                                \
  }
#define CRUMPLE_LAW(PARAMETERS, ...) CRUMPLE_UPDATES(PARAMETERS)

namespace crumple::materials {
/// Parameters of one law, by the number of its place in every_law.inc.
struct NoLaw {};
template <int>
struct Listed {
  using Parameters = NoLaw;
};
inline constexpr int kFirstListed = __COUNTER__;
}  // namespace crumple::materials

#include "every_law.inc"

namespace crumple::materials {

inline constexpr int kLastListed = __COUNTER__;

template <class P, class Point>
void call_updates(const P& p, Point& point) {
  if constexpr (requires { update_solid(p, point); })
    update_solid(p, point);
  else if constexpr (requires { update_shell(p, point); })
    update_shell(p, point);
  else if constexpr (requires { update_beam(p, point); })
    update_beam(p, point);
  else if constexpr (requires { update_cohesive(p, point); })
    update_cohesive(p, point);
}

/// The update of the law on a kind of point.
template <int place = kFirstListed, class Point>
void update_here(const Law& law, Point& point) {
  if constexpr (place < kLastListed) {
    using P = typename Listed<place>::Parameters;
    if constexpr (!std::is_same_v<P, NoLaw>)
      if (law.updates == &updates_by_isa<P>)
        return call_updates(*static_cast<const P*>(law.parameters), point);
    update_here<place + 1>(law, point);
  }
}

/// Force of a spring or damper.
template <int place = kFirstListed>
void update_here(const Law& law, double d, double v, DiscreteState& state) {
  if constexpr (place < kLastListed) {
    using P = typename Listed<place>::Parameters;
    if constexpr (discrete_update<P>() != nullptr)
      if (law.updates == &updates_by_isa<P>)
        return update_discrete(*static_cast<const P*>(law.parameters), d, v, state);
    update_here<place + 1>(law, d, v, state);
  }
}

}  // namespace crumple::materials
