// *CONSTRAINED_RIGID_BODY_STOPPERS.
#include <cstdlib>

#include "constraints/stoppers/stopper.hpp"
#include "model/builder.hpp"

namespace crumple::constraints {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::Record;

namespace {

class StopperReader {
 public:
  StopperReader(Builder& build, const Keyword& k, const Record& r)
      : build_(build), r_(r), label_(fmt::format("{} of part {}", Builder::star(k), r.integer("PID"))) {}

  void read() {
    Stopper s;
    s.body = build_.find_rigid_body(r_.integer("PID"), label_, r_.place("PID"));
    s.upper = curve("LCMAX", &s.upper_of_displacement);
    s.lower = curve("LCMIN", &s.lower_of_displacement);
    s.fastest = curve("LCVMNX", nullptr);
    s.birth = r_.real("TB");
    s.death = model::or_default(r_.real("TD"), model::kNever);
    if (!read_direction(s) || s.body == kNone) return;
    if (s.upper == kNone && s.lower == kNone && s.fastest == kNone)
      return build_.warn("CR-D330", fmt::format("{}: it has no bound, so no effect", label_), r_.place());
    build_.model.features.of<Stopper>().push_back(s);
  }

 private:
  /// A negative number is that of a bound of displacements.
  LocalId curve(const char* field, bool* of_displacement) {
    const GlobalId id = r_.integer(field);
    if (of_displacement) *of_displacement = id < 0;
    return id == 0 ? kNone : build_.find_curve(std::abs(id), label_, r_.place(field));
  }

  bool read_direction(Stopper& s) {
    const GlobalId direction = r_.integer("DIR"), vector = r_.integer("VID");
    if (direction >= 1 && direction <= 3) {
      s.direction[static_cast<int>(direction) - 1] = 1;
      return true;
    }
    if (direction >= 5 && direction <= 8) {
      build_.unsupported(
          fmt::format("{}: DIR = {}, a bound of rotations, is not supported", label_, direction),
          r_.place("DIR"));
      return false;
    }
    if (direction != 4) {
      build_.error("CR-D310", fmt::format("{}: DIR = {} is none of 1 to 8", label_, direction),
                   r_.place("DIR"));
      return false;
    }
    const auto it = build_.vectors.find(vector);
    if (it == build_.vectors.end()) {
      build_.missing("CR-D304", "vector", fmt::format("{}: vector {} does not exist", label_, vector),
                     r_.place("VID"));
      return false;
    }
    s.direction = (1.0 / std::max(norm(it->second), 1e-300)) * it->second;
    return true;
  }

  Builder& build_;
  const Record& r_;
  std::string label_;
};

}  // namespace

void read_stoppers(Builder& build) {
  for (const Keyword& k : build.deck.all("CONSTRAINED_RIGID_BODY_STOPPERS"))
    for (const Record& r : k.records()) StopperReader(build, k, r).read();
}

}  // namespace crumple::constraints
