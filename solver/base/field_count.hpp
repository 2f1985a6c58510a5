// How many members an aggregate has, at compile time: guards lists of members that must stay complete.
#pragma once

#include <cstddef>
#include <utility>

namespace crumple {

namespace detail {
struct AnyField {
  template <class T>
  operator T() const;  // never defined: only tested whether it would convert
};

template <class T, std::size_t... I>
constexpr bool braces_take(std::index_sequence<I...>) {
  return requires { T{((void)I, AnyField{})...}; };
}

template <class T, std::size_t N>
constexpr std::size_t field_count_from() {
  if constexpr (braces_take<T>(std::make_index_sequence<N>{}))
    return N;
  else
    return field_count_from<T, N - 1>();
}
}  // namespace detail

/// Number of members of the aggregate T (at most 96; std::array members count as one).
template <class T>
constexpr std::size_t field_count() {
  return detail::field_count_from<T, 96>();
}

}  // namespace crumple
