// Two vectors as one: the vocabulary of vec.hpp for a type of twice the lanes.
//
// Work on pairs has two independent chains of operations in flight, which hides the latency of divisions and
// square roots: with one vector at a time the processor waits for most of them. It pays where the chains are
// long and the values alive few: twice as many registers are needed. Included by vec.hpp only.
#pragma once

namespace crumple::simd {
inline namespace CRUMPLE_ISA {

/// Truth values of a Pair.
template <class H>
struct PairMask {
  mask_t<H> low, high;

  friend PairMask operator&&(PairMask a, PairMask b) { return {a.low && b.low, a.high && b.high}; }
  friend PairMask operator||(PairMask a, PairMask b) { return {a.low || b.low, a.high || b.high}; }
  friend PairMask operator!(PairMask a) { return {!a.low, !a.high}; }
};

/// The lanes of `low`, then those of `high`.
template <class H>
struct Pair {
  using Half = H;
  H low, high;

  Pair() = default;
  Pair(H a, H b) : low(a), high(b) {}
  Pair(scalar_t<H> s) : low(s), high(s) {}
  Pair(int s) : low(s), high(s) {}
  template <class U>
  requires(std::is_same_v<scalar_t<H>, float>&& std::is_same_v<U, double>) Pair(U s) : low(s), high(s) {}

  Pair& operator+=(Pair b) { return low += b.low, high += b.high, *this; }
  Pair& operator-=(Pair b) { return low -= b.low, high -= b.high, *this; }
  Pair& operator*=(Pair b) { return low *= b.low, high *= b.high, *this; }
  Pair& operator/=(Pair b) { return low /= b.low, high /= b.high, *this; }

  friend Pair operator+(Pair a, Pair b) { return {a.low + b.low, a.high + b.high}; }
  friend Pair operator-(Pair a, Pair b) { return {a.low - b.low, a.high - b.high}; }
  friend Pair operator*(Pair a, Pair b) { return {a.low * b.low, a.high * b.high}; }
  friend Pair operator/(Pair a, Pair b) { return {a.low / b.low, a.high / b.high}; }
  friend Pair operator-(Pair a) { return {-a.low, -a.high}; }

  using M = PairMask<H>;
  friend M operator<(Pair a, Pair b) { return {a.low < b.low, a.high < b.high}; }
  friend M operator<=(Pair a, Pair b) { return {a.low <= b.low, a.high <= b.high}; }
  friend M operator>(Pair a, Pair b) { return {a.low > b.low, a.high > b.high}; }
  friend M operator>=(Pair a, Pair b) { return {a.low >= b.low, a.high >= b.high}; }
  friend M operator==(Pair a, Pair b) { return {a.low == b.low, a.high == b.high}; }
  friend M operator!=(Pair a, Pair b) { return {a.low != b.low, a.high != b.high}; }
};

template <class H>
struct traits<Pair<H>> {
  using scalar = scalar_t<H>;
  using mask = PairMask<H>;
  static constexpr int width = 2 * width_v<H>;
};
template <class H>
inline constexpr bool is_pair<Pair<H>> = true;

template <class H>
Pair<H> select(PairMask<H> m, Pair<H> a, Pair<H> b) {
  return {select(m.low, a.low, b.low), select(m.high, a.high, b.high)};
}
template <class H>
Pair<H> min(Pair<H> a, Pair<H> b) {
  return {min(a.low, b.low), min(a.high, b.high)};
}
template <class H>
Pair<H> max(Pair<H> a, Pair<H> b) {
  return {max(a.low, b.low), max(a.high, b.high)};
}
template <class H>
Pair<H> abs(Pair<H> a) {
  return {abs(a.low), abs(a.high)};
}
template <class H>
Pair<H> sqrt(Pair<H> a) {
  return {sqrt(a.low), sqrt(a.high)};
}
template <class H>
bool any(PairMask<H> m) {
  return any(m.low || m.high);
}
template <class H>
bool all(PairMask<H> m) {
  return all(m.low && m.high);
}
/// Half `i` of a pair; of a plain vector, which has only one, the vector.
template <class H>
H half(Pair<H> a, int i) {
  return i == 0 ? a.low : a.high;
}
template <class V>
V half(V a, int) {
  return a;
}

/// A pair of half(0) and half(1); a plain vector is half(0).
template <class V, class F>
V join(F half) {
  if constexpr (is_pair<V>) {
    return {half(0), half(1)};
  } else {
    return half(0);
  }
}

/// Call `work` with the number of each half, a constant.
template <class V, class F>
[[gnu::always_inline]] inline void each_half(F work) {
  work(std::integral_constant<int, 0>{});
  if constexpr (is_pair<V>) work(std::integral_constant<int, 1>{});
}

/// Load and store whose second half lies `apart` values after the first.
template <class V, class S>
V load(const S* p, std::ptrdiff_t apart) {
  if constexpr (is_pair<V>) {
    return {load<typename V::Half>(p), load<typename V::Half>(p + apart)};
  } else {
    return load<V>(p);
  }
}
template <class V, class S>
void store(S* p, std::ptrdiff_t apart, V a) {
  if constexpr (is_pair<V>) {
    store(p, a.low);
    store(p + apart, a.high);
  } else {
    store(p, a);
  }
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::simd
