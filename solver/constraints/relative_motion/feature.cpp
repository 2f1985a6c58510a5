// Relative motions in the list of features. Rigid bodies apply them (rigid_bodies.cpp).
#include "model/feature.hpp"

#include <algorithm>

#include "constraints/relative_motion/relative_motion.hpp"
#include "model/builder.hpp"
#include "modules/module.hpp"

namespace crumple::constraints {

using model::Builder;
using model::kNone;
using model::Record;

namespace {

constexpr int kRelative = 4;  // VAD

class RelativeMotionReader {
 public:
  RelativeMotionReader(Builder& build, const std::string& star, const Record& r)
      : build_(build), r_(r), label_(fmt::format("{} of part {}", star, r.integer("PID"))) {}

  void read() {
    RelativeMotion m;
    m.body = build_.find_rigid_body(r_.integer("PID"), label_, r_.place("PID"));
    m.lead = build_.find_rigid_body(r_.integer("LRB"), label_, r_.place("LRB"));
    m.curve = build_.find_curve(r_.integer("LCID"), label_, r_.place("LCID"));
    m.scale = model::or_default(r_.real("SF"), 1.0);
    m.birth = r_.real("BIRTH");
    m.death = model::or_default(r_.real("DEATH"), model::kMotionNeverEnds);
    if (m.body == kNone || m.lead == kNone || m.curve == kNone) return;
    if (m.body == m.lead)
      return build_.error("CR-D310", fmt::format("{}: LRB is the same rigid body", label_), r_.place("LRB"));
    if (!read_vector(m)) return;
    build_.model.features.of<RelativeMotion>().push_back(m);
    if (leads_to(m.lead, m.body))
      build_.error("CR-D310", fmt::format("{}: LRB is itself moved relative to this body", label_),
                   r_.place("LRB"));
  }

 private:
  bool read_vector(RelativeMotion& m) {
    const std::array<const char*, 2> fields{"NODE1", "NODE2"};
    if (r_.integer(fields[0]) == 0 && r_.integer(fields[1]) == 0) return true;
    for (std::size_t k = 0; k < 2; ++k) {
      const LocalId n = build_.find_node(r_.integer(fields[k]), label_, r_.place(fields[k]));
      if (n == kNone) return false;
      m.ends[k] = build_.body_of_node[static_cast<std::size_t>(n)];
      m.points[k] = build_.model.nodes.x[static_cast<std::size_t>(n)];
      if (m.ends[k] == kNone) {
        build_.unsupported(fmt::format("{}: {} is a node of no rigid body: its motion is not known where the "
                                       "body is advanced",
                                       label_, fields[k]),
                           r_.place(fields[k]));
        return false;
      }
    }
    if (norm(m.points[1] - m.points[0]) > 0) return true;
    build_.error("CR-D310", fmt::format("{}: NODE1 and NODE2 are at one place", label_), r_.place("NODE2"));
    return false;
  }

  /// Whether `from` is moved relative to `to`, or relative to another that is, and so on.
  bool leads_to(LocalId from, LocalId to) const {
    const auto& all = build_.model.features.of<RelativeMotion>();
    std::vector<LocalId> open{from};
    for (std::size_t k = 0; k < open.size(); ++k) {
      if (open[k] == to) return true;
      for (const RelativeMotion& m : all)
        if (m.body == open[k] && std::ranges::find(open, m.lead) == open.end()) open.push_back(m.lead);
    }
    return false;
  }

  Builder& build_;
  const Record& r_;
  std::string label_;
};

class RelativeMotionFeature final : public model::FeatureOf<RelativeMotion> {
 public:
  std::string_view not_implicit() const override {
    return "displacements relative to a rigid body (VAD 4 of *BOUNDARY_PRESCRIBED_MOTION_RIGID)";
  }
  void read(Builder& build) const override {
    for (const model::Keyword& k : build.deck.all("BOUNDARY_PRESCRIBED_MOTION_RIGID"))
      for (const Record& r : k.records())
        if (r.integer("VAD") == kRelative) RelativeMotionReader(build, Builder::star(k), r).read();
  }
  void add_linked_bodies(const model::FeatureInputs& inputs, std::vector<LocalId>& bodies) const override {
    for (const RelativeMotion& m : inputs.of<RelativeMotion>())
      for (const LocalId b : {m.body, m.lead, m.ends[0], m.ends[1]})
        if (b != kNone) bodies.push_back(b);
  }
  /// All ranks have all of them.
  bool keep(RelativeMotion&, const decomposition::RankPart&) const override { return true; }
  std::unique_ptr<modules::Module> start(const modules::Start&) const override { return nullptr; }
};

}  // namespace

const model::Feature& relative_motion_feature() {
  static const RelativeMotionFeature feature;
  return feature;
}

}  // namespace crumple::constraints
