// Registers a law by one row at the end of its file.
//
//   CRUMPLE_LAW(Parameters, {.number = 1, .keyword = "MAT_ELASTIC", .supports = {.solid = true}, ...})
//
// CMake writes a file for each law that includes this header and then the law's header. It compiles this file
// for each instruction set (CRUMPLE_ISA is set), which gives the updates and a table of pointers to them; and
// once without, which gives the row and, below CRUMPLE_PREPARES_LAWS, the code that reads the deck's fields.
// In other files the line does nothing.
//
// CRUMPLE_ROW is for a law whose parameters are those of another one, or without updates; CRUMPLE_UPDATES for
// parameters that no row has.
#pragma once

#define CRUMPLE_REGISTERS_LAWS
// A precompiled header has read law.hpp, which makes the lines say nothing.
#undef CRUMPLE_UPDATES
#undef CRUMPLE_ROW
#undef CRUMPLE_LAW

// Laws may be compiled together.
#define CRUMPLE_OF_THIS_LAW CRUMPLE_CAT(law_, __COUNTER__)

#ifdef CRUMPLE_ISA

#define CRUMPLE_COMPILES_UPDATES
#include "materials/updates.hpp"

namespace crumple::materials::detail {

inline namespace CRUMPLE_ISA {
template <class P>
inline constexpr Updates table_of = make_updates<P>();
}

}  // namespace crumple::materials::detail

#define CRUMPLE_UPDATES(PARAMETERS)                                                      \
  namespace crumple::materials::CRUMPLE_OF_THIS_LAW {                                    \
  const detail::RegisterUpdates registered(updates_by_isa<PARAMETERS>, simd::kIsaNumber, \
                                           &detail::table_of<PARAMETERS>);               \
  }
#define CRUMPLE_ROW(PARAMETERS, ...)

#else

#define CRUMPLE_PREPARES_LAWS
#include "materials/prepare.hpp"
#include "materials/updates.hpp"

namespace crumple::materials::detail {

/// Whether P has updates for all elements that a row supports; elements of rigid parts are not computed.
template <class P>
constexpr bool has_updates(const Row& row) {
  const Supports& s = row.supports;
  return row.rigid ||
         ((!s.cohesive || UpdatesCohesive<P, CohesivePoint<double> >)&&(
             !s.solid ||
             UpdatesSolids<
                 P, SolidPoint<double> >)&&(!s.shell ||
                                            UpdatesShells<
                                                P,
                                                ShellPoint<double> >)&&(!s.beam ||
                                                                        UpdatesBeams<
                                                                            P,
                                                                            BeamPoint<
                                                                                double> >)&&(!s.discrete ||
                                                                                             discrete_update<
                                                                                                 P>() !=
                                                                                                 nullptr));
}

/// The row, completed with the updates of the law's parameters.
template <class P>
constexpr Row with_parameters(Row row) {
  row.updates = &updates_by_isa<P>;
  row.tangents = discrete_tangents<P>();
  return row;
}

}  // namespace crumple::materials::detail

#define CRUMPLE_UPDATES(PARAMETERS)
#define CRUMPLE_ROW(PARAMETERS, ...)                                           \
  namespace crumple::materials::CRUMPLE_OF_THIS_LAW {                          \
  constexpr Row row = detail::with_parameters<PARAMETERS>(Row __VA_ARGS__);    \
  static_assert(detail::has_updates<PARAMETERS>(row), "an update is missing"); \
  const detail::RegisterRow registered(row);                                   \
  }

#endif

#define CRUMPLE_LAW(PARAMETERS, ...) \
  CRUMPLE_UPDATES(PARAMETERS)        \
  CRUMPLE_ROW(PARAMETERS, __VA_ARGS__)
