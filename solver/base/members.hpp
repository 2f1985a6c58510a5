// A struct lists its members once, by name; messages, archives and tests visit that list.
//
// CRUMPLE_MEMBERS(Tie, node, nodes, weight) in the namespace of Tie gives it `members(visit, tie)`, which
// calls visit("node", tie.node), visit("nodes", tie.nodes), ... in this order. The count is checked at
// compile time: a struct with a member that is not listed does not build.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>

#include "base/field_count.hpp"

// For each of up to 256 arguments (Mazieres 2021, "Recursive macros with C++20 __VA_OPT__").
#define CRUMPLE_PARENTHESES ()
#define CRUMPLE_SCAN(...) CRUMPLE_SCAN3(CRUMPLE_SCAN3(CRUMPLE_SCAN3(CRUMPLE_SCAN3(__VA_ARGS__))))
#define CRUMPLE_SCAN3(...) CRUMPLE_SCAN2(CRUMPLE_SCAN2(CRUMPLE_SCAN2(CRUMPLE_SCAN2(__VA_ARGS__))))
#define CRUMPLE_SCAN2(...) CRUMPLE_SCAN1(CRUMPLE_SCAN1(CRUMPLE_SCAN1(CRUMPLE_SCAN1(__VA_ARGS__))))
#define CRUMPLE_SCAN1(...) __VA_ARGS__
#define CRUMPLE_EACH(macro, ...) __VA_OPT__(CRUMPLE_SCAN(CRUMPLE_EACH_NEXT(macro, __VA_ARGS__)))
#define CRUMPLE_EACH_NEXT(macro, first, ...) \
  macro(first) __VA_OPT__(CRUMPLE_EACH_AGAIN CRUMPLE_PARENTHESES(macro, __VA_ARGS__))
#define CRUMPLE_EACH_AGAIN() CRUMPLE_EACH_NEXT

#define CRUMPLE_ONE_MORE(name) +1
#define CRUMPLE_VISIT(name) visit(#name, s.name);

/// All members of an aggregate.
#define CRUMPLE_MEMBERS(Struct, ...)                                                                 \
  template <class Visit, class S>                                                                    \
  requires std::same_as<std::remove_const_t<S>, Struct>                                              \
  constexpr void members(Visit&& visit, S& s) {                                                      \
    static_assert(::crumple::field_count<Struct>() == 0 CRUMPLE_EACH(CRUMPLE_ONE_MORE, __VA_ARGS__), \
                  "a member of " #Struct " is not listed");                                          \
    CRUMPLE_EACH(CRUMPLE_VISIT, __VA_ARGS__)                                                         \
  }

/// All members of an aggregate but `left_out` of them, which are not part of its value: they are computed
/// from the others.
#define CRUMPLE_MEMBERS_BUT(left_out, Struct, ...)                                                          \
  template <class Visit, class S>                                                                           \
  requires std::same_as<std::remove_const_t<S>, Struct>                                                     \
  constexpr void members(Visit&& visit, S& s) {                                                             \
    static_assert(::crumple::field_count<Struct>() == left_out CRUMPLE_EACH(CRUMPLE_ONE_MORE, __VA_ARGS__), \
                  "a member of " #Struct " is not listed");                                                 \
    CRUMPLE_EACH(CRUMPLE_VISIT, __VA_ARGS__)                                                                \
  }

/// All members of an aggregate with one base: those of the base, which has its own list, come first.
#define CRUMPLE_MEMBERS_AND_BASE(Struct, Base, ...)                                                  \
  template <class Visit, class S>                                                                    \
  requires std::same_as<std::remove_const_t<S>, Struct>                                              \
  constexpr void members(Visit&& visit, S& s) {                                                      \
    static_assert(::crumple::field_count<Struct>() == 1 CRUMPLE_EACH(CRUMPLE_ONE_MORE, __VA_ARGS__), \
                  "a member of " #Struct " is not listed");                                          \
    members(visit, static_cast<std::conditional_t<std::is_const_v<S>, const Base&, Base&>>(s));      \
    CRUMPLE_EACH(CRUMPLE_VISIT, __VA_ARGS__)                                                         \
  }

namespace crumple {

namespace detail {
struct AnyVisitor {
  template <class T>
  constexpr void operator()(const char*, T&) const {}
};

template <class T>
struct ArrayItem {
  using type = void;
};
template <class T, std::size_t N>
struct ArrayItem<std::array<T, N>> {
  using type = T;
};
}  // namespace detail

/// Whether T has a list of members.
template <class T>
concept HasMembers = requires(T& value, detail::AnyVisitor& visit) {
  members(visit, value);
};

template <class T>
inline constexpr bool is_std_array = !std::is_void_v<typename detail::ArrayItem<T>::type>;

/// Bytes of T's value without padding; 0 where they differ from value to value (strings, vectors), or where T
/// has no list of members.
template <class T>
constexpr std::size_t packed_size() {
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    return sizeof(T);
  } else if constexpr (is_std_array<T>) {
    return std::tuple_size_v<T> * packed_size<typename T::value_type>();
  } else if constexpr (HasMembers<T> && std::is_trivially_copyable_v<T>) {
    std::size_t sum = 0;
    bool all = true;
    T value{};
    members(
        [&]<class Member>(const char*, Member&) {
          sum += packed_size<Member>();
          all = all && packed_size<Member>() > 0;
        },
        value);
    return all ? sum : 0;
  } else {
    return 0;
  }
}

/// Whether every byte of T belongs to its value: then its memory may be sent as it is.
template <class T>
inline constexpr bool is_without_padding = packed_size<T>() == sizeof(T);

}  // namespace crumple
