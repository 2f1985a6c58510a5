// Several vectors as one: the vocabulary of vec.hpp for a type of N times the lanes.
//
// Work on several vectors gives the processor several independent chains of operations, which hides their
// latency. It pays where the chains are long and few values are live, as it needs that many times the
// registers. A part of vec.hpp.
#pragma once

#include "simd/one_vector.hpp"

namespace crumple::simd {
inline namespace CRUMPLE_ISA {

template <class H, int N>
struct Several;
template <class H, int N>
struct SeveralMask;

namespace detail {
template <class H, int N>
struct Join {
  using Values = Several<H, N>;
  using Mask = SeveralMask<H, N>;
};
template <class H>
struct Join<H, 1> {
  using Values = H;
  using Mask = mask_t<H>;
};
}  // namespace detail

/// N vectors H as one type; one is H itself.
template <class H, int N>
using several_t = typename detail::Join<H, N>::Values;

/// Truth values of Several.
template <class H, int N>
struct SeveralMask {
  mask_t<H> first;
  typename detail::Join<H, N - 1>::Mask rest;

  friend SeveralMask operator&&(SeveralMask a, SeveralMask b) {
    return {a.first && b.first, a.rest && b.rest};
  }
  friend SeveralMask operator||(SeveralMask a, SeveralMask b) {
    return {a.first || b.first, a.rest || b.rest};
  }
  friend SeveralMask operator!(SeveralMask a) { return {!a.first, !a.rest}; }
};

/// The lanes of `first`, then those of `rest`. (Members, not an array: GCC keeps arrays in memory.)
template <class H, int N>
struct Several {
  using Part = H;
  using Rest = several_t<H, N - 1>;
  H first;
  Rest rest;

  Several() = default;
  Several(H a, Rest b) : first(a), rest(b) {}
  Several(scalar_t<H> s) : first(s), rest(s) {}
  Several(int s) : first(s), rest(s) {}
  template <class U>
  requires(std::is_same_v<scalar_t<H>, float>&& std::is_same_v<U, double>) Several(U s) : first(s), rest(s) {}

  Several& operator+=(Several b) { return first += b.first, rest += b.rest, *this; }
  Several& operator-=(Several b) { return first -= b.first, rest -= b.rest, *this; }
  Several& operator*=(Several b) { return first *= b.first, rest *= b.rest, *this; }
  Several& operator/=(Several b) { return first /= b.first, rest /= b.rest, *this; }

  friend Several operator+(Several a, Several b) { return {a.first + b.first, a.rest + b.rest}; }
  friend Several operator-(Several a, Several b) { return {a.first - b.first, a.rest - b.rest}; }
  friend Several operator*(Several a, Several b) { return {a.first * b.first, a.rest * b.rest}; }
  friend Several operator/(Several a, Several b) { return {a.first / b.first, a.rest / b.rest}; }
  friend Several operator-(Several a) { return {-a.first, -a.rest}; }

  using M = SeveralMask<H, N>;
  friend M operator<(Several a, Several b) { return {a.first < b.first, a.rest < b.rest}; }
  friend M operator<=(Several a, Several b) { return {a.first <= b.first, a.rest <= b.rest}; }
  friend M operator>(Several a, Several b) { return {a.first > b.first, a.rest > b.rest}; }
  friend M operator>=(Several a, Several b) { return {a.first >= b.first, a.rest >= b.rest}; }
  friend M operator==(Several a, Several b) { return {a.first == b.first, a.rest == b.rest}; }
  friend M operator!=(Several a, Several b) { return {a.first != b.first, a.rest != b.rest}; }
};

template <class H, int N>
struct traits<Several<H, N>> {
  using scalar = scalar_t<H>;
  using mask = SeveralMask<H, N>;
  static constexpr int width = N * width_v<H>;
};
template <class H, int N>
inline constexpr int parts_v<Several<H, N>> = N;

template <class H, int N>
Several<H, N> select(SeveralMask<H, N> m, Several<H, N> a, Several<H, N> b) {
  return {select(m.first, a.first, b.first), select(m.rest, a.rest, b.rest)};
}
template <class H, int N>
Several<H, N> min(Several<H, N> a, Several<H, N> b) {
  return {min(a.first, b.first), min(a.rest, b.rest)};
}
template <class H, int N>
Several<H, N> max(Several<H, N> a, Several<H, N> b) {
  return {max(a.first, b.first), max(a.rest, b.rest)};
}
template <class H, int N>
Several<H, N> abs(Several<H, N> a) {
  return {abs(a.first), abs(a.rest)};
}
template <class H, int N>
Several<H, N> sqrt(Several<H, N> a) {
  return {sqrt(a.first), sqrt(a.rest)};
}
template <class H, int N>
Several<H, N> inverse(Several<H, N> a) {
  return {inverse(a.first), inverse(a.rest)};
}
template <class H, int N>
Several<H, N> coarse_inverse(Several<H, N> a) {
  return {coarse_inverse(a.first), coarse_inverse(a.rest)};
}
template <class H, int N>
Several<H, N> inverse_sqrt(Several<H, N> a) {
  return {inverse_sqrt(a.first), inverse_sqrt(a.rest)};
}
/// The truth of any (all) of the parts, lane by lane.
template <class M>
M any_part(M m) {
  return m;
}
template <class H, int N>
mask_t<H> any_part(SeveralMask<H, N> m) {
  return m.first || any_part(m.rest);
}
template <class M>
M all_parts(M m) {
  return m;
}
template <class H, int N>
mask_t<H> all_parts(SeveralMask<H, N> m) {
  return m.first && all_parts(m.rest);
}
template <class H, int N>
bool any(SeveralMask<H, N> m) {
  return any(any_part(m));
}
template <class H, int N>
bool all(SeveralMask<H, N> m) {
  return all(all_parts(m));
}

template <class H, int N>
struct Place<Several<H, N>> {
  Place<H> first;
  Place<several_t<H, N - 1>> rest;
};
template <class H, int N>
Place<Several<H, N>> place_among(const scalar_t<H>* values, int n, Several<H, N> x) {
  return {place_among(values, n, x.first), place_among(values, n, x.rest)};
}
template <class H, int N>
Several<H, N> pick(const scalar_t<H>* table, Place<Several<H, N>> place) {
  return {pick(table, place.first), pick(table, place.rest)};
}

template <class H, int N>
RowOfFour<Several<H, N>> pick_row(const scalar_t<H> (*table)[4], Place<Several<H, N>> place) {
  const auto one = pick_row(table, place.first);
  const auto more = pick_row(table, place.rest);
  return {{one.a, more.a}, {one.b, more.b}, {one.c, more.c}, {one.d, more.d}};
}

/// Part `I`, a plain vector.
template <int I, class V>
auto part(V a) {
  if constexpr (parts_v<V> == 1) {
    return a;
  } else if constexpr (I == 0) {
    return a.first;
  } else {
    return part<I - 1>(a.rest);
  }
}

/// A V made of part(0), part(1) and so on. The argument is a compile-time constant.
template <class V, int First = 0, class F>
[[gnu::always_inline]] inline V join(F part) {
  if constexpr (parts_v<V> == 1) {
    return part(std::integral_constant<int, First>{});
  } else {
    return {part(std::integral_constant<int, First>{}), join<typename V::Rest, First + 1>(part)};
  }
}

/// Call `work` with the number of each part, a compile-time constant.
template <class V, int First = 0, class F>
[[gnu::always_inline]] inline void each_part(F work) {
  work(std::integral_constant<int, First>{});
  if constexpr (parts_v < V >> 1) each_part<typename V::Rest, First + 1>(work);
}

/// Load and store with a distance of `apart` values between parts.
template <class V, class S>
V load(const S* p, std::ptrdiff_t apart) {
  if constexpr (parts_v<V> == 1) {
    return load<V>(p);
  } else {
    return {load<typename V::Part>(p), load<typename V::Rest>(p + apart, apart)};
  }
}
template <class V, class S>
void store(S* p, std::ptrdiff_t apart, V a) {
  if constexpr (parts_v<V> == 1) {
    store(p, a);
  } else {
    store(p, a.first);
    store(p + apart, apart, a.rest);
  }
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::simd
