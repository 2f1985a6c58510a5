// The formulas, and their derivatives.
#include "implicit/body_spin.hpp"

#include "implicit/mean_spin.hpp"

namespace crumple::implicit {

using constraints::Matrix3;
using constraints::operator*;
using constraints::transpose_times;

namespace {

Matrix3 transposed_rows(const Matrix3& m) {
  return {Vec3{m[0].x, m[1].x, m[2].x}, Vec3{m[0].y, m[1].y, m[2].y}, Vec3{m[0].z, m[1].z, m[2].z}};
}

/// The derivative of further turns by the Cayley vector: the inverse of by_later_turn.
Matrix3 later_turn_by_cayley(const Vec3& turn) {
  const Vec3 h = 0.5 * turn;
  return scaled(1.0 / (1.0 + dot(h, h)), sum(constraints::identity3(), cross_product_matrix(h)));
}

}  // namespace

SpinRates spin_rates(const NewmarkStep& step, const BodySpin& start, const SpinRates& rates, const Vec3& turn,
                     bool free) {
  SpinRates end;
  if (!free) {
    step.advance(turn, rates.w, rates.alpha, end.w, end.alpha);
    return end;
  }
  const Matrix3 r = constraints::matrix(start.orientation);
  const Matrix3 r_end = constraints::matrix(constraints::unit(constraints::cayley(turn) * start.orientation));
  Vec3 w, a;
  step.advance(transpose_times(r, turn), transpose_times(r, rates.w), transpose_times(r, rates.alpha), w, a);
  return {r_end * w, r_end * a};
}

Vec3 euler_moment(const BodyMass& body, const constraints::Quaternion& orientation, const SpinRates& rates) {
  const Matrix3 j = turned_tensor(constraints::matrix(orientation), body.inertia);
  return j * rates.alpha + cross(rates.w, j * rates.w);
}

BodySpin spin_after(const NewmarkStep& step, const BodyMass& body, const BodySpin& start, const Vec3& turn,
                    const SpinRates& end, const constraints::Directions& given) {
  BodySpin to;
  to.orientation = constraints::unit(constraints::cayley(turn) * start.orientation);
  to.momentum = turned_tensor(constraints::matrix(to.orientation), body.inertia) * end.w;
  to.moment = (1.0 / (step.gamma * step.dt)) *
              (to.momentum - start.momentum - (step.dt * (1.0 - step.gamma)) * start.moment);
  if (given.count > 0) to.moment += given.part_of(euler_moment(body, to.orientation, end) - to.moment);
  return to;
}

Matrix3 moment_by_turn(const NewmarkStep& step, const BodyMass& body, const BodySpin& start,
                       const BodySpin& end, const Vec3& turn, const Vec3& w_end, bool free) {
  const Matrix3 r = constraints::matrix(start.orientation), r_end = constraints::matrix(end.orientation);
  const double rate = step.gamma / (step.beta * step.dt);
  Matrix3 by_later = scaled(-1.0, cross_product_matrix(end.momentum)), by_turn;
  if (free) {
    by_turn = product(product(r_end, body.inertia), transposed_rows(r));
  } else {
    by_turn = turned_tensor(r_end, body.inertia);
    by_later = sum(by_later, product(by_turn, cross_product_matrix(w_end)));
  }
  return scaled(1.0 / (step.gamma * step.dt),
                sum(product(by_later, later_turn_by_cayley(turn)), scaled(rate, by_turn)));
}

}  // namespace crumple::implicit
