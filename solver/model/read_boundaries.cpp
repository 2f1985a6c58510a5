// *BOUNDARY_SPC and *BOUNDARY_PRESCRIBED_MOTION; constraints given with nodes.
#include <algorithm>
#include <cmath>

#include "model/builder.hpp"

namespace crumple::model {
namespace {

/// The segments of *BOUNDARY_PRESCRIBED_MOTION_SET_SEGMENT; null and an error if there are none.
const SegmentSet* segments_of(const Builder& build, const Keyword& k, const Record& r) {
  const LocalId at = build.find(build.segment_sets, r.integer("SID"), "CR-D305", "segment set",
                                Builder::star(k), r.place("SID"));
  return at == kNone ? nullptr : &build.model.sets.segments[static_cast<std::size_t>(at)];
}

/// One node or all nodes of a set, depending on the keyword's name.
std::vector<LocalId> nodes_of(const Builder& build, const Keyword& k, const Record& r) {
  if (k.name().ends_with("_SET_SEGMENT")) {
    const SegmentSet* const set = segments_of(build, k, r);
    std::vector<LocalId> nodes;
    for (std::size_t s = 0; set && s < set->segments.size(); ++s)
      nodes.insert(nodes.end(), set->segments[s].begin(), set->segments[s].end());
    build.sort_nodes(nodes);
    return nodes;
  }
  if (k.name().ends_with("_SET")) {
    const NodeSet* const set = build.find_node_set(r.integer("NSID"), Builder::star(k), r.place("NSID"));
    return set ? set->nodes : std::vector<LocalId>{};
  }
  const LocalId n = build.find_node(r.integer("NID"), Builder::star(k), r.place("NID"));
  return n == kNone ? std::vector<LocalId>{} : std::vector<LocalId>{n};
}

void read_spc(Builder& build, const Keyword& k, const Record& r) {
  NodeConstraint constraint;
  constraint.id = r.id().value_or(0);
  constexpr std::array<const char*, 6> fields{"DOFX", "DOFY", "DOFZ", "DOFRX", "DOFRY", "DOFRZ"};
  for (std::size_t i = 0; i < 6; ++i)
    if (r.integer(fields[i]) != 0) constraint.mask |= static_cast<std::uint8_t>(1u << i);
  constraint.system = build.find_system(r.integer("CID"), Builder::star(k), r.place("CID"));
  if (k.suffix("BIRTH_DEATH")) {
    constraint.birth = r.real("BIRTH");
    constraint.death = or_default(r.real("DEATH"), kNever);
  }
  for (const LocalId n : nodes_of(build, k, r)) {
    constraint.node = n;
    build.model.constraints.push_back(constraint);
  }
}

/// *CONSTRAINED_GLOBAL: all nodes in a plane normal to a global axis at the start are held.
void read_plane(Builder& build, const Keyword& k, const Record& r) {
  constexpr std::array<std::uint8_t, 8> axes{0, 1, 2, 4, 3, 6, 5, 7};
  const GlobalId tc = r.integer("TC"), rc = r.integer("RC"), normal = r.integer("DIR");
  const Vec3 point{r.real("X"), r.real("Y"), r.real("Z")};
  const double given = r.real("TOL");
  if (tc < 0 || tc > 7 || rc < 0 || rc > 7 || normal < 0 || normal > 3)
    return build.error("CR-D310",
                       fmt::format("{}: TC = {}, RC = {}, DIR = {}: expected 0 to 7, 0 to 7, 0 to 3",
                                   Builder::star(k), tc, rc, normal),
                       r.place());
  if (normal == 0 || (tc == 0 && rc == 0))
    return build.warn("CR-D330", fmt::format("{}: it constrains nothing", Builder::star(k)), r.place());
  const int axis = static_cast<int>(normal) - 1;
  const auto& x = build.model.nodes.x;
  Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  for (const Vec3& p : x)
    for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], p[i]), high[i] = std::max(high[i], p[i]);
  const Vec3 size = high - low;
  const double tolerance = given > 0.0 ? given : 1e-5 * std::max({size.x, size.y, size.z, 0.0});
  NodeConstraint constraint;
  constraint.mask =
      static_cast<std::uint8_t>(axes[static_cast<std::size_t>(tc)] | axes[static_cast<std::size_t>(rc)] << 3);
  std::size_t count = 0;
  for (std::size_t n = 0; n < x.size(); ++n) {
    if (!(std::abs(x[n][axis] - point[axis]) <= tolerance)) continue;
    constraint.node = static_cast<LocalId>(n);
    build.model.constraints.push_back(constraint);
    ++count;
  }
  if (count == 0)
    build.warn("CR-D330", fmt::format("{}: no node is in its plane", Builder::star(k)), r.place());
}

// Merges constraints of one node in the same frame; sorts by node number.
void merge_constraints(Model& model) {
  auto& all = model.constraints;
  const auto key = [&](const NodeConstraint& c) {
    return std::tuple(model.nodes.id[static_cast<std::size_t>(c.node)], c.system, c.birth, c.death);
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const NodeConstraint& a, const NodeConstraint& b) { return key(a) < key(b); });
  std::vector<NodeConstraint> merged;
  for (const NodeConstraint& c : all) {
    if (!merged.empty() && key(merged.back()) == key(c))
      merged.back().mask |= c.mask;
    else
      merged.push_back(c);
  }
  all = std::move(merged);
}

/// A held node of a rigid body becomes a support of the body.
void hold_rigid_bodies(Builder& build) {
  Model& model = build.model;
  std::map<LocalId, std::set<LocalId>> held;  // nodes by body
  for (const NodeConstraint& c : model.constraints) {
    const LocalId body = build.body_of_node[static_cast<std::size_t>(c.node)];
    if (body == kNone || c.mask == 0) continue;
    const GlobalId id = model.nodes.id[static_cast<std::size_t>(c.node)];
    if (c.birth > 0.0 || c.death < kNever) {
      build.unsupported(fmt::format("node {} of a rigid body is constrained for a time only", id), {});
      continue;
    }
    Support support;
    support.body = body;
    support.id = c.id;
    support.node_id = id;
    support.point = model.nodes.x[static_cast<std::size_t>(c.node)];
    support.axis = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
    if (c.system != kNone) support.axis = model.systems[static_cast<std::size_t>(c.system)].axis;
    support.mask = c.mask;
    model.supports.push_back(support);
    held[body].insert(c.node);
  }
  for (const auto& [body, nodes] : held) {
    const RigidBody& b = model.rigid_bodies[static_cast<std::size_t>(body)];
    build.warn("CR-D334",
               fmt::format("{} node{} of the rigid body of {} {}, the first is node {}: the body is held "
                           "there; LS-DYNA advises CMO of *MAT_RIGID instead",
                           nodes.size(), nodes.size() == 1 ? " is constrained" : "s are constrained",
                           b.nodal ? "nodal body" : "part", b.part_id,
                           model.nodes.id[static_cast<std::size_t>(*nodes.begin())]),
               {});
  }
}

class MotionReader {
 public:
  MotionReader(Builder& build, const Keyword& k, const Record& r)
      : build_(build), r_(r), k_(k), label_(Builder::star(k)) {
    if (const auto id = r.id()) label_ += fmt::format(" {}", *id);
  }

  void read() {
    PrescribedMotion motion;
    motion.id = r_.id().value_or(0);
    motion.dof = static_cast<int>(r_.integer("DOF"));
    motion.kind = static_cast<int>(r_.integer("VAD"));
    motion.scale = or_default(r_.real("SF"), 1.0);
    motion.birth = r_.real("BIRTH");
    motion.death = or_default(r_.real("DEATH"), kMotionNeverEnds);
    motion.curve = build_.find_curve(r_.integer("LCID"), label_, r_.place("LCID"));
    if (motion.curve != kNone && motion.kind == 3 &&
        build_.model.curves[static_cast<std::size_t>(motion.curve)].formula_until > 0)
      build_.unsupported(
          fmt::format("{}: VAD = 3, velocity over displacement, by a formula of the time", label_),
          r_.place("LCID"));
    if (motion.kind == 4 && k_.name().ends_with("_RIGID")) return;  // constraints/relative_motion
    if (motion.dof == 12 && k_.name().ends_with("_SET_SEGMENT")) return along_normals(motion);
    if (!check_direction(motion)) return;
    if (k_.name().ends_with("_RIGID_LOCAL"))
      local(motion);
    else if (k_.name().ends_with("_RIGID"))
      rigid(motion);
    else
      nodes(motion);
  }

 private:
  bool check_direction(PrescribedMotion& motion) {
    const GlobalId vector = r_.integer("VID");
    switch (std::abs(motion.dof)) {
      case 1:
      case 2:
      case 3:
      case 5:
      case 6:
      case 7:
        if (motion.dof > 0) return true;
        break;
      case 4:
      case 8: {
        const auto it = build_.vectors.find(vector);
        if (it == build_.vectors.end()) {
          build_.missing("CR-D304", "vector", fmt::format("{}: vector {} does not exist", label_, vector),
                         r_.place("VID"));
          return false;
        }
        motion.direction = it->second * (1.0 / std::max(norm(it->second), 1e-300));
        return true;
      }
      case 9:
      case 10:
      case 11:
        return check_axis(motion);
      default:
        break;
    }
    build_.error("CR-D310",
                 fmt::format("{}: DOF = {} is none of 1 to 11, -4, -8 to -11{}", label_, motion.dof,
                             k_.name().ends_with("_SET_SEGMENT") ? ", 12" : ""),
                 r_.place("DOF"));
    return false;
  }

  /// Turning of nodes about an axis parallel to x, y or z, through a point of the plane normal to it.
  bool check_axis(PrescribedMotion& motion) {
    const auto refuse = [&](const char* why) {
      build_.unsupported(
          fmt::format("{}: DOF = {}, turning about an offset axis, {}", label_, motion.dof, why),
          r_.place("DOF"));
      return false;
    };
    if (k_.name().find("_RIGID") != std::string::npos)
      return refuse("of rigid bodies: which of their points it turns is not clear");
    if (k_.name().ends_with("_SET_SEGMENT")) return refuse("of segments, whose keyword has no offsets");
    if (motion.kind == 1)
      return refuse("by an acceleration (VAD 1) is not supported; velocity and angle are");
    const int axis = std::abs(motion.dof) - 9;
    motion.axis_point[(axis + 1) % 3] = r_.real("OFFSET1");
    motion.axis_point[(axis + 2) % 3] = r_.real("OFFSET2");
    return true;
  }

  /// DOF 12: each node along the mean of its segments' unit normals at the start, weighted by their areas.
  void along_normals(PrescribedMotion motion) {
    const SegmentSet* const set = segments_of(build_, k_, r_);
    if (set == nullptr) return;
    std::map<LocalId, std::vector<Vec3>> normals;  // twice the areas
    for (const auto& s : set->segments) {
      const auto x = [&](std::size_t k) { return build_.model.nodes.x[static_cast<std::size_t>(s[k])]; };
      const Vec3 n = cross(x(2) - x(0), x(3) - x(1));
      for (std::size_t k = 0; k < 4; ++k)
        if (k < 3 || s[3] != s[2]) normals[s[k]].push_back(n);
    }
    motion.dof = 4;
    for (const LocalId node : nodes_of(build_, k_, r_)) {
      Vec3 sum;
      for (const Vec3& n : normals[node]) sum += n;
      constexpr double kSmooth = 0.866;  // cosine of 30 degrees
      for (const Vec3& n : normals[node])
        if (!(dot(n, sum) >= kSmooth * norm(n) * norm(sum)) || !(norm(sum) > 0))
          return build_.unsupported(
              fmt::format(
                  "{}: DOF = 12: the segments at node {} are at an angle, so that no one direction is "
                  "normal to them",
                  label_, build_.model.nodes.id[static_cast<std::size_t>(node)]),
              r_.place("DOF"));
      motion.node = node;
      motion.direction = (1.0 / norm(sum)) * sum;
      build_.model.motions.push_back(motion);
    }
    refuse_rigid_nodes();
  }

  void rigid(PrescribedMotion motion) {
    motion.rigid_body = build_.find_rigid_body(r_.integer("PID"), label_, r_.place("PID"));
    if (motion.rigid_body != kNone) build_.model.motions.push_back(motion);
  }

  /// Along or about an axis of the frame that *MAT_RIGID gives the body; it turns with the body.
  void local(PrescribedMotion motion) {
    motion.rigid_body = build_.find_rigid_body(r_.integer("PID"), label_, r_.place("PID"));
    if (motion.rigid_body == kNone) return;
    if (motion.dof == 4 || motion.dof == 8 || motion.dof < 0)
      return build_.unsupported(
          fmt::format(
              "{}: DOF = {}: whether the vector is in local axes is not established; DOF 1 to 3 and 5 "
              "to 7 are supported",
              label_, motion.dof),
          r_.place("DOF"));
    const auto axes = axes_of(build_.model.rigid_bodies[static_cast<std::size_t>(motion.rigid_body)]);
    if (!axes) return;
    motion.direction = (*axes)[static_cast<std::size_t>((motion.dof - 1) % 4)];
    motion.dof = motion.dof < 4 ? 4 : 8;
    motion.local = true;
    build_.model.motions.push_back(motion);
  }

  /// LCO, or the vectors a and v: x along a, z along a x v.
  std::optional<std::array<Vec3, 3>> axes_of(const RigidBody& body) {
    const auto not_supported = [&](const char* what) {
      build_.unsupported(fmt::format("{}: {}", label_, what), r_.place("PID"));
      return std::nullopt;
    };
    const LocalId p = build_.parts.find(r_.integer("PID"));
    if (body.nodal || body.part_id != r_.integer("PID"))
      return not_supported("local axes are those of a part of *MAT_RIGID that leads its body");
    const LocalId m = build_.model.parts[static_cast<std::size_t>(p)].material;
    const Material* const material =
        m == kNone ? nullptr : &build_.model.materials[static_cast<std::size_t>(m)];
    if (material == nullptr || material->law != 20)
      return not_supported("local axes are those of *MAT_RIGID, and the part has another material");
    const double first = material->field("LCO");
    const Vec3 a{first, material->field("A2"), material->field("A3")};
    const Vec3 v{material->field("V1"), material->field("V2"), material->field("V3")};
    if (a.y != 0 || a.z != 0 || norm(v) != 0) {
      const Vec3 z = cross(a, v);
      if (!(norm(z) > 1e-12 * norm(a) * norm(v))) {
        build_.error("CR-D310", fmt::format("{}: A and V of *MAT_RIGID are parallel", label_),
                     r_.place("PID"));
        return std::nullopt;
      }
      const Vec3 ex = (1.0 / norm(a)) * a, ez = (1.0 / norm(z)) * z;
      return std::array{ex, cross(ez, ex), ez};
    }
    if (first == 0)
      return not_supported("the body has no frame: give LCO of *MAT_RIGID; principal axes are not supported");
    const LocalId system =
        build_.find_system(static_cast<GlobalId>(first), label_, r_.place("PID"), Builder::Use::at_start);
    if (system == kNone) return std::nullopt;
    return build_.model.systems[static_cast<std::size_t>(system)].axis;
  }

  void nodes(PrescribedMotion motion) {
    for (const LocalId n : nodes_of(build_, k_, r_)) {
      motion.node = n;
      build_.model.motions.push_back(motion);
    }
    refuse_rigid_nodes();
  }

  void refuse_rigid_nodes() {
    std::size_t in_bodies = 0;
    for (const LocalId n : nodes_of(build_, k_, r_))
      in_bodies += build_.body_of_node[static_cast<std::size_t>(n)] != kNone;
    if (in_bodies > 0)
      build_.error("CR-D310",
                   fmt::format("{}: {} nodes belong to rigid bodies; use *BOUNDARY_PRESCRIBED_MOTION_RIGID",
                               label_, in_bodies),
                   r_.place());
  }

  Builder& build_;
  const Record& r_;
  const Keyword& k_;
  std::string label_;
};

}  // namespace

void Builder::read_constraints() {
  for (const Keyword& k : deck.family("BOUNDARY_SPC_"))
    for (const Record& r : k.records()) read_spc(*this, k, r);
  for (const Keyword& k : deck.all("CONSTRAINED_GLOBAL"))
    for (const Record& r : k.records()) read_plane(*this, k, r);
  merge_constraints(model);
  hold_rigid_bodies(*this);
  std::erase_if(model.constraints, [&](const NodeConstraint& c) {
    return body_of_node[static_cast<std::size_t>(c.node)] != kNone;
  });
}

void Builder::read_motions() {
  for (const Keyword& k : deck.family("BOUNDARY_PRESCRIBED_MOTION_"))
    for (const Record& r : k.records()) MotionReader(*this, k, r).read();
  read_linking();
  // Directions that move against each other cannot all be kept.
  const auto clash = [](const PrescribedMotion& a, const PrescribedMotion& b) {
    const auto turning = [](const PrescribedMotion& m) { return std::abs(m.dof) >= 5; };
    return !b.local && a.rigid_body == b.rigid_body && turning(a) == turning(b);
  };
  for (const PrescribedMotion& a : model.motions) {
    if (!a.local) continue;
    for (const PrescribedMotion& b : model.motions)
      if (clash(a, b))
        return unsupported(
            fmt::format("*BOUNDARY_PRESCRIBED_MOTION_RIGID_LOCAL of part {}: motion along global axes at the "
                        "same time is not supported",
                        model.rigid_bodies[static_cast<std::size_t>(a.rigid_body)].part_id),
            {});
  }
}

}  // namespace crumple::model
