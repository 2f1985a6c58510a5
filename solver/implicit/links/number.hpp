// Numbers and vectors with derivatives, for the stiffness of single links: a template of the forces is called
// with doubles or with these (forward automatic differentiation; Griewank and Walther 2008, chapter 3).
//
// Elements have simd/dual.hpp, which needs files of one instruction set. Links are few.
#pragma once

#include <array>
#include <cmath>

#include "base/types.hpp"
#include "constraints/rotation.hpp"
#include "model/curve.hpp"

namespace crumple::implicit {

/// A number with its derivatives by N variables.
template <int N>
struct Number {
  double value = 0;
  std::array<double, N> d{};

  Number() = default;
  Number(double v) : value(v) {}
  Number(double v, int variable) : value(v) { d[static_cast<std::size_t>(variable)] = 1.0; }

  /// f of this number, where `slope` is the derivative of f.
  Number chain(double f, double slope) const {
    Number r(f);
    for (int k = 0; k < N; ++k) r.d[k] = slope * d[k];
    return r;
  }
  /// f of two numbers by both slopes.
  static Number of(double f, const Number& a, double by_a, const Number& b, double by_b) {
    Number r(f);
    for (int k = 0; k < N; ++k) r.d[k] = by_a * a.d[k] + by_b * b.d[k];
    return r;
  }
  friend Number operator+(const Number& a, const Number& b) { return of(a.value + b.value, a, 1, b, 1); }
  friend Number operator-(const Number& a, const Number& b) { return of(a.value - b.value, a, 1, b, -1); }
  friend Number operator-(const Number& a) { return a.chain(-a.value, -1); }
  friend Number operator*(const Number& a, const Number& b) {
    return of(a.value * b.value, a, b.value, b, a.value);
  }
  friend Number operator/(const Number& a, const Number& b) {
    return of(a.value / b.value, a, 1 / b.value, b, -a.value / (b.value * b.value));
  }
  Number& operator+=(const Number& b) { return *this = *this + b; }
  Number& operator-=(const Number& b) { return *this = *this - b; }
};

inline double value_of(double a) { return a; }
template <int N>
double value_of(const Number<N>& a) {
  return a.value;
}
template <int N>
Number<N> sqrt(const Number<N>& a) {
  const double root = std::sqrt(a.value);
  return a.chain(root, root > 0.0 ? 0.5 / root : 0.0);
}
template <int N>
Number<N> asin(const Number<N>& a) {
  return a.chain(std::asin(a.value), 1.0 / std::sqrt(1.0 - a.value * a.value));
}
template <int N>
Number<N> atan2(const Number<N>& y, const Number<N>& x) {
  const double square = x.value * x.value + y.value * y.value;
  return Number<N>::of(std::atan2(y.value, x.value), y, x.value / square, x, -y.value / square);
}

/// The value of a curve, with the slope of its piece; constant beyond its ends.
inline double along(const model::Curve& curve, double x) { return curve(x); }
template <int N>
Number<N> along(const model::Curve& curve, const Number<N>& x) {
  double slope = 0.0;
  for (std::size_t k = 1; k < curve.x.size(); ++k)
    if (x.value >= curve.x[k - 1] && x.value < curve.x[k])
      slope = (curve.y[k] - curve.y[k - 1]) / (curve.x[k] - curve.x[k - 1]);
  return x.chain(curve(x.value), slope);
}

/// A vector of such numbers, or of doubles.
template <class T>
struct Vector {
  T x{}, y{}, z{};

  Vector() = default;
  Vector(T a, T b, T c) : x(a), y(b), z(c) {}
  Vector(const Vec3& v) : x(v.x), y(v.y), z(v.z) {}

  T& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  const T& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  friend Vector operator+(const Vector& a, const Vector& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vector operator-(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vector operator-(const Vector& a) { return {-a.x, -a.y, -a.z}; }
  friend Vector operator*(const T& s, const Vector& a) { return {s * a.x, s * a.y, s * a.z}; }
  Vector& operator+=(const Vector& b) { return *this = *this + b; }
  Vector& operator-=(const Vector& b) { return *this = *this - b; }
};

template <class T>
T dot(const Vector<T>& a, const Vector<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
Vector<T> cross(const Vector<T>& a, const Vector<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
Vec3 value_of(const Vector<T>& a) {
  return {value_of(a.x), value_of(a.y), value_of(a.z)};
}

/// r rotated by the Cayley vector theta: the r' with r' - r = theta x (r + r') / 2.
template <class T>
Vector<T> turned(const Vector<T>& r, const Vector<T>& theta) {
  const Vector<T> once = cross(theta, r);
  return r + (T(1.0) / (T(1.0) + T(0.25) * dot(theta, theta))) * (once + T(0.5) * cross(theta, once));
}

}  // namespace crumple::implicit
