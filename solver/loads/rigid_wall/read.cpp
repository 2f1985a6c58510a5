// *RIGIDWALL_PLANAR, *RIGIDWALL_GEOMETRIC and *RIGIDWALL_FORCE_TRANSDUCER.
#include <algorithm>
#include <cmath>

#include "loads/rigid_wall/rigid_wall.hpp"
#include "model/builder.hpp"

namespace crumple::loads {

using model::Box;
using model::Builder;
using model::Keyword;
using model::kNone;
using model::NodeSet;
using model::or_default;
using model::Record;

namespace {

class WallReader {
 public:
  /// @param penalty RWPNAL of *CONTROL_CONTACT
  WallReader(Builder& build, double penalty, const Keyword& k, const Record& r)
      : build_(build), penalty_(penalty), k_(k), r_(r) {}

  void read(std::size_t number) {
    RigidWall wall;
    wall.id = r_.id().value_or(static_cast<GlobalId>(number));
    wall.title = r_.title();
    label_ = fmt::format("{} {}", Builder::star(k_), wall.id);
    for (const RigidWall& other : build_.model.features.of<RigidWall>())
      if (other.id == wall.id)
        build_.error("CR-D301", fmt::format("{}: rigid wall {} is defined twice", label_, wall.id),
                     r_.place());
    wall.point = {r_.real("XT"), r_.real("YT"), r_.real("ZT")};
    wall.friction = r_.real("FRIC");
    const bool welding = wall.friction == 2.0 || wall.friction == 3.0;
    if (wall.friction < 0.0 || (wall.friction > 1.0 && !welding))
      build_.unsupported(fmt::format("{}: FRIC = {}, expected 0 to 1, 2 or 3", label_, wall.friction),
                         r_.place("FRIC"));
    wall.birth = r_.real("BIRTH");
    wall.death = or_default(r_.real("DEATH"), model::kNever);
    if (k_.suffix("DISPLAY"))
      build_.warn("CR-D330", fmt::format("{}: walls are not drawn", label_), r_.place());
    if (!shape(wall)) return;
    if (k_.name() == "RIGIDWALL_PLANAR") {
      wall.critical_velocity = r_.real("WVEL");
      if (k_.suffix("MOVING")) mass(wall);
    } else if (k_.suffix("MOTION")) {
      motion(wall);
    }
    wall.nodes = tracked(wall);
    build_.model.features.of<RigidWall>().push_back(std::move(wall));
  }

 private:
  bool shape(RigidWall& wall) {
    const std::string& name = k_.name();
    if (name == "RIGIDWALL_GEOMETRIC_SPHERE") {
      wall.shape = WallShape::sphere;
      return positive("RADSPH", wall.length1);
    }
    const Vec3 axis = Vec3{r_.real("XH"), r_.real("YH"), r_.real("ZH")} - wall.point;
    if (norm(axis) == 0.0) {
      build_.error("CR-D310", fmt::format("{}: head and tail of its vector are the same point", label_),
                   r_.place("XT"));
      return false;
    }
    wall.normal = axis * (1.0 / norm(axis));
    if (name == "RIGIDWALL_GEOMETRIC_CYLINDER") {
      wall.shape = WallShape::cylinder;
      wall.length2 = r_.real("LENCYL");
      return positive("RADCYL", wall.length1);
    }
    const bool prism = name == "RIGIDWALL_GEOMETRIC_PRISM";
    if (name == "RIGIDWALL_PLANAR" && !k_.suffix("FINITE")) {
      wall.shape = WallShape::plane;
      return true;
    }
    wall.shape = prism ? WallShape::prism : WallShape::finite_plane;
    wall.length1 = r_.real("LENL");
    wall.length2 = r_.real("LENM");
    if (prism) wall.length3 = r_.real("LENP");
    return edges(wall);
  }

  // The first edge runs from the tail towards XHEV, without the component along the normal.
  bool edges(RigidWall& wall) {
    const Vec3 edge = Vec3{r_.real("XHEV"), r_.real("YHEV"), r_.real("ZHEV")} - wall.point;
    const Vec3 flat = edge - dot(edge, wall.normal) * wall.normal;
    if (norm(flat) <= 1e-12 * norm(edge) || norm(edge) == 0.0) {
      build_.error("CR-D310", fmt::format("{}: its edge is parallel to its normal", label_),
                   r_.place("XHEV"));
      return false;
    }
    wall.edge1 = flat * (1.0 / norm(flat));
    wall.edge2 = cross(wall.normal, wall.edge1);
    return true;
  }

  bool positive(const char* field, double& value) {
    value = r_.real(field);
    if (value > 0.0) return true;
    build_.error("CR-D310", fmt::format("{}: {} = {} must be positive", label_, field, value),
                 r_.place(field));
    return false;
  }

  void mass(RigidWall& wall) {
    wall.moving = true;
    if (build_.model.control.relaxation.any())
      build_.unsupported(fmt::format("{}: a wall with a mass in dynamic relaxation", label_),
                         r_.place("MASS"));
    wall.v0 = r_.real("V0");
    positive("MASS", wall.mass);
  }

  void motion(RigidWall& wall) {
    wall.motion_curve = build_.find_curve(r_.integer("LCID"), label_, r_.place("LCID"));
    wall.motion_kind = static_cast<int>(r_.integer("OPT"));
    if (wall.motion_kind != 0 && wall.motion_kind != 1)
      build_.unsupported(
          fmt::format("{}: OPT = {}; velocity (0) or displacement (1) are there", label_, wall.motion_kind),
          r_.place("OPT"));
    wall.motion_direction = {r_.real("VX"), r_.real("VY"), r_.real("VZ")};
    const double length = norm(wall.motion_direction);
    if (length == 0.0)
      build_.error("CR-D310", fmt::format("{}: its motion has no direction", label_), r_.place("VX"));
    else
      wall.motion_direction *= 1.0 / length;
  }

  std::vector<LocalId> tracked(const RigidWall& wall) {
    std::vector<LocalId> nodes;
    if (const GlobalId id = r_.integer("NSID"); id != 0) {
      const NodeSet* const set = build_.find_node_set(id, label_, r_.place("NSID"));
      if (set) nodes = set->nodes;
    } else {
      for (std::size_t n = 0; n < build_.model.nodes.size(); ++n) nodes.push_back(static_cast<LocalId>(n));
    }
    build_.sort_nodes(nodes);
    std::vector<bool> exempt(build_.model.nodes.size(), false);
    if (const GlobalId id = r_.integer("NSIDEX"); id != 0)
      if (const NodeSet* const set = build_.find_node_set(id, label_, r_.place("NSIDEX")))
        for (const LocalId n : set->nodes) exempt[static_cast<std::size_t>(n)] = true;
    const GlobalId box_id = r_.integer("BOXID");
    const Box* const box = box_id == 0 ? nullptr : build_.find_box(box_id, label_, r_.place("BOXID"));
    const double offset = k_.name() == "RIGIDWALL_PLANAR" ? r_.real("OFFSET") : 0.0;
    std::size_t rigid = 0;
    std::erase_if(nodes, [&](LocalId n) {
      const Vec3& x = build_.model.nodes.x[static_cast<std::size_t>(n)];
      if (exempt[static_cast<std::size_t>(n)] || (box && !box->contains(x)) ||
          (offset > 0.0 && std::abs(dot(x - wall.point, wall.normal)) > offset))
        return true;
      // As in LS-DYNA, rigid bodies pass through rigid walls unless RWPNAL is set.
      const bool passes = penalty_ == 0.0 && build_.body_of_node[static_cast<std::size_t>(n)] != kNone;
      rigid += passes;
      return passes;
    });
    if (rigid > 0)
      build_.warn(
          "CR-D333",
          fmt::format("{}: {} nodes of rigid bodies pass through it, as RWPNAL = 0 of *CONTROL_CONTACT "
                      "says",
                      label_, rigid),
          r_.place());
    return nodes;
  }

  Builder& build_;
  double penalty_;
  const Keyword& k_;
  const Record& r_;
  std::string label_;
};

/// A transducer is a row of rwforc beside those of walls, so its number must differ from theirs.
void read_transducer(Builder& build, const Keyword& k, const Record& r) {
  WallTransducer transducer;
  transducer.id = r.integer("TID");
  transducer.title = r.text("HEADING");
  const std::string label = fmt::format("{} {}", Builder::star(k), transducer.id);
  const GlobalId wall = r.integer("RWID"), set = r.integer("NSID");
  const auto& walls = build.model.features.of<RigidWall>();
  const auto of = std::ranges::find(walls, wall, &RigidWall::id);
  if (of == walls.end())
    return build.missing("CR-D304", "rigid wall",
                         fmt::format("{}: rigid wall {} does not exist", label, wall), r.place("RWID"));
  transducer.wall = static_cast<std::int32_t>(of - walls.begin());
  auto& others = build.model.features.of<WallTransducer>();
  if (std::ranges::find(walls, transducer.id, &RigidWall::id) != walls.end() ||
      std::ranges::find(others, transducer.id, &WallTransducer::id) != others.end())
    return build.error("CR-D301",
                       fmt::format("{}: another rigid wall or transducer has this number in rwforc", label),
                       r.place("TID"));
  const NodeSet* const nodes = build.find_node_set(set, label, r.place("NSID"));
  if (nodes == nullptr) return;
  transducer.nodes = nodes->nodes;
  build.sort_nodes(transducer.nodes);
  others.push_back(std::move(transducer));
}

}  // namespace

void read_walls(Builder& build) {
  double penalty = 0;
  for (const Keyword& k : build.deck.all("CONTROL_CONTACT"))
    for (const Record& r : k.records()) {
      penalty = r.real("RWPNAL");
      if (penalty < 0.0)
        build.unsupported("*CONTROL_CONTACT: RWPNAL < 0 asks for penalties on all nodes at rigid walls",
                          r.place("RWPNAL"));
      if (penalty > 0.0 && penalty != 1.0)
        build.warn("CR-D330",
                   "*CONTROL_CONTACT: RWPNAL only says that rigid bodies are stopped; its size is not used",
                   r.place("RWPNAL"));
    }
  std::size_t number = 0;
  for (const Keyword& k : build.deck.family("RIGIDWALL_"))
    if (k.name() != "RIGIDWALL_FORCE_TRANSDUCER")
      for (const Record& r : k.records()) WallReader(build, penalty, k, r).read(++number);
  for (const Keyword& k : build.deck.all("RIGIDWALL_FORCE_TRANSDUCER"))
    for (const Record& r : k.records()) read_transducer(build, k, r);
}

}  // namespace crumple::loads
