// Index and vector types shared by every folder; decks have no units, so these have none either.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/aligned_memory.hpp"
#include "base/members.hpp"

namespace crumple {

using LocalId = std::int32_t;   ///< index into an array of this rank
using GlobalId = std::int64_t;  ///< number a user gave in the deck, the same on every rank

/// A local id as an index of the standard library.
constexpr std::size_t at(LocalId i) { return static_cast<std::size_t>(i); }

/// A vector in the global frame, deck units.
struct Vec3 {
  double x = 0.0, y = 0.0, z = 0.0;

  constexpr double& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  constexpr double operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  constexpr Vec3& operator+=(const Vec3& b) {
    x += b.x, y += b.y, z += b.z;
    return *this;
  }
  constexpr Vec3& operator-=(const Vec3& b) {
    x -= b.x, y -= b.y, z -= b.z;
    return *this;
  }
  constexpr Vec3& operator*=(double s) {
    x *= s, y *= s, z *= s;
    return *this;
  }
};

constexpr Vec3 operator+(Vec3 a, const Vec3& b) { return a += b; }
constexpr Vec3 operator-(Vec3 a, const Vec3& b) { return a -= b; }
constexpr Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
constexpr Vec3 operator*(double s, Vec3 a) { return a *= s; }
constexpr Vec3 operator*(Vec3 a, double s) { return a *= s; }
constexpr bool operator==(const Vec3& a, const Vec3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
constexpr double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
CRUMPLE_MEMBERS(Vec3, x, y, z)
inline double norm(const Vec3& a) { return std::sqrt(dot(a, a)); }

/// Allocator for arrays that SIMD code reads (base/aligned_memory.hpp).
template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(allocate_aligned(n * sizeof(T))); }
  void deallocate(T* p, std::size_t n) { free_aligned(p, n * sizeof(T)); }
  template <class U>
  bool operator==(const AlignedAllocator<U>&) const {
    return true;
  }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace crumple
