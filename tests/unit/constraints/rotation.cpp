// Quaternions of rotations that are given by rows, with each component the largest. 1 rank.
#include "constraints/rotation.hpp"

#include <gtest/gtest.h>

namespace crumple::constraints {
namespace {

TEST(Rotation, ItsQuaternionIsThatOfItsMatrix) {
  for (const Quaternion& q : {Quaternion{1.0, {0.1, -0.2, 0.3}}, Quaternion{0.1, {1.0, 0.3, -0.2}},
                              Quaternion{-0.2, {0.1, 1.0, 0.4}}, Quaternion{0.0, {0.3, -0.1, -1.0}}}) {
    const Matrix3 r = matrix(unit(q)), again = matrix(quaternion_of(r));
    for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(norm(r[i] - again[i]), 1e-14);
  }
}

}  // namespace
}  // namespace crumple::constraints
