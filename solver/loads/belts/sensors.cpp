// Sensors of belts.
#include "loads/belts/belt_system.hpp"

namespace crumple::loads {

/// An acceleration beyond a negative limit is one below it. A limit of distance of 0 is none.
bool BeltSystem::exceeded(const BeltSensor& sensor, const Motion& m) const {
  switch (sensor.type) {
    case SensorType::acceleration: {
      const double a = m.a[at(sensor.node)][sensor.axis];
      return sensor.upper < 0.0 ? a < sensor.upper : a > sensor.upper;
    }
    case SensorType::pull_out_rate:
      return retractors_[at(sensor.retractor)].rate > sensor.upper;
    case SensorType::time:
      return m.time >= sensor.upper;
    case SensorType::distance: {
      const double d = norm(m.x[at(sensor.other)] - m.x[at(sensor.node)]);
      return (sensor.upper > 0.0 && d > sensor.upper) || d < sensor.lower;
    }
    case SensorType::pull_out: {
      const double out = retractors_[at(sensor.retractor)].pull_out;
      return out > sensor.upper || out < sensor.lower;
    }
  }
  return false;
}

void BeltSystem::read_sensors(const Motion& m) {
  for (std::size_t k = 0; k < sensors_.size(); ++k) {
    const BeltSensor& in = in_->sensors[k];
    BeltSensorState& s = sensors_[k];
    if (s.triggered != 0 || (m.stage == model::Stage::relaxation && !in.in_relaxation)) continue;
    if (!exceeded(in, m)) {
      s.since = -1;
      continue;
    }
    if (s.since < 0.0) s.since = m.time;
    if (m.time - s.since < in.duration) continue;
    s.triggered = 1;
    s.time = in.type == SensorType::time ? in.upper : m.time;
  }
}

}  // namespace crumple::loads
