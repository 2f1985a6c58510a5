// *CONTACT_ENTITY: the surface in its local axes A and B, the nodes that it pushes, and its force.
//
// A is the local x axis, B lies in the local xy plane; G1 to G7 are in these axes, whose origin is (XC, YC,
// ZC).
#include <algorithm>
#include <cmath>

#include "loads/entity/contact_entity.hpp"
#include "model/builder.hpp"

namespace crumple::loads {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::or_default;
using model::Record;

namespace {

constexpr double kMostScale = 3.0;  ///< of SF beside elements at the default step: see contact_entities.hpp

/// Half of the largest thickness of the shells at each node.
std::vector<double> half_thicknesses(const model::Model& m) {
  std::vector<double> half(m.nodes.size(), 0.0);
  for (std::size_t e = 0; e < m.shells.size(); ++e) {
    const LocalId section = m.parts[at(m.shells.part[e])].section;
    for (std::size_t k = 0; k < 4; ++k) {
      double t = m.shells.thickness.empty() ? 0.0 : m.shells.thickness[e][k];
      if (!(t > 0.0) && section != kNone) t = m.sections[at(section)].thickness[k];
      double& of_node = half[at(m.shells.nodes[e][k])];
      of_node = std::max(of_node, 0.5 * t);
    }
  }
  return half;
}

class EntityReader {
 public:
  EntityReader(Builder& build, const Keyword& k, const Record& r) : build_(build), k_(k), r_(r) {}

  /// @param number without a number of its own
  void read(GlobalId number) {
    ContactEntity entity;
    const bool named = k_.suffix("ID") || k_.suffix("TITLE");
    entity.id = named ? or_default(r_.integer("CID"), number) : number;
    entity.title = r_.title();
    label_ = fmt::format("{} {}", Builder::star(k_), entity.id);
    auto& others = build_.model.features.of<ContactEntity>();
    if (std::ranges::find(others, entity.id, &ContactEntity::id) != others.end())
      build_.error("CR-D301", fmt::format("{}: contact entity {} is defined twice", label_, entity.id),
                   r_.place());
    entity.body = build_.find_rigid_body(r_.integer("PID"), label_, r_.place("PID"));
    const bool has_surface = surface(entity);
    force(entity);
    nodes(entity);
    if (entity.body != kNone && has_surface) others.push_back(std::move(entity));
  }

 private:
  bool positive(std::initializer_list<const char*> names, std::array<double, 3>& size) {
    std::size_t k = 0;
    for (const char* const name : names) {
      size[k] = r_.real(name);
      if (!(size[k++] > 0.0)) {
        build_.error("CR-D310", fmt::format("{}: {} = {} must be positive", label_, name, size[k - 1]),
                     r_.place(name));
        return false;
      }
    }
    return true;
  }

  /// The local axes; the global ones where a sphere has none.
  bool axes(ContactEntity& entity) {
    const Vec3 a{r_.real("AX"), r_.real("AY"), r_.real("AZ")}, b{r_.real("BX"), r_.real("BY"), r_.real("BZ")};
    const Vec3 normal = cross(a, b);
    entity.axis = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
    if (entity.shape == EntityShape::sphere && norm(a) == 0.0 && norm(b) == 0.0) return true;
    if (!(norm(normal) > 1e-9 * norm(a) * norm(b))) {
      build_.error("CR-D310", label_ + ": its axes A and B are missing or parallel", r_.place("AX"));
      return false;
    }
    entity.axis[0] = (1.0 / norm(a)) * a;
    entity.axis[2] = (1.0 / norm(normal)) * normal;
    entity.axis[1] = cross(entity.axis[2], entity.axis[0]);
    return true;
  }

  static Vec3 turned(const ContactEntity& entity, const Vec3& local) {
    return local.x * entity.axis[0] + local.y * entity.axis[1] + local.z * entity.axis[2];
  }

  /// Planes and cylinders: turns the axes so that z is along Q.
  bool turn(ContactEntity& entity) {
    const Vec3 q{r_.real("G4"), r_.real("G5"), r_.real("G6")};
    if (norm(q) == 0.0) {
      build_.error("CR-D310", label_ + ": its direction G4, G5, G6 is missing", r_.place("G4"));
      return false;
    }
    const Vec3 z = turned(entity, (1.0 / norm(q)) * q);
    const Vec3 other = std::abs(z.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 across = cross(other, z);
    entity.axis[2] = z;
    entity.axis[0] = (1.0 / norm(across)) * across;
    entity.axis[1] = cross(z, entity.axis[0]);
    return true;
  }

  /// Which of the two radii is the tube's follows from their sizes.
  bool torus(ContactEntity& entity) {
    if (!positive({"G4", "G5"}, entity.size)) return false;
    if (entity.size[0] < entity.size[1]) std::swap(entity.size[0], entity.size[1]);
    if (entity.size[0] == entity.size[1]) {
      build_.error("CR-D310", label_ + ": the two radii of the torus are equal: it has no hole",
                   r_.place("G4"));
      return false;
    }
    build_.warn("CR-D330",
                fmt::format("{}: a tube of radius {} around a circle of radius {} about the local z axis",
                            label_, entity.size[1], entity.size[0]),
                r_.place("G4"));
    return true;
  }

  bool ellipsoid(ContactEntity& entity) {
    if (const double order = r_.real("G7"); order != 0.0 && order != 2.0)
      build_.unsupported(fmt::format("{}: ellipsoids of order G7 = {}; only order 2 is there", label_, order),
                         r_.place("G7"));
    return positive({"G4", "G5", "G6"}, entity.size);
  }

  bool surface(ContactEntity& entity) {
    const auto type = r_.integer("GEOTYP");
    if (type < 1 || type > 5) return false;  // refused by the schema
    entity.shape = static_cast<EntityShape>(type - 1);
    entity.inside = r_.integer("INOUT") == 1;
    const Vec3 origin{r_.real("XC"), r_.real("YC"), r_.real("ZC")};
    const Vec3 point{r_.real("G1"), r_.real("G2"), r_.real("G3")};
    if (!axes(entity)) return false;
    entity.point = origin + turned(entity, point);
    switch (entity.shape) {
      case EntityShape::plane:
        return turn(entity);
      case EntityShape::sphere:
        return positive({"G4"}, entity.size);
      case EntityShape::cylinder:
        return turn(entity) && positive({"G7"}, entity.size);
      case EntityShape::ellipsoid:
        return ellipsoid(entity);
      case EntityShape::torus:
        return torus(entity);
    }
    return false;
  }

  void force(ContactEntity& entity) {
    entity.scale = or_default(r_.real("SF"), 1.0);
    if (!(entity.scale > 0.0))
      build_.error("CR-D310", fmt::format("{}: SF = {} must be positive", label_, entity.scale),
                   r_.place("SF"));
    if (entity.scale > kMostScale)
      build_.warn(
          "CR-D330",
          fmt::format("{}: with SF = {}, above {}, its springs may be unstable at the step of elements",
                      label_, entity.scale, kMostScale),
          r_.place("SF"));
    entity.friction = r_.real("CF");
    if (entity.friction < 0.0)
      build_.error("CR-D310", fmt::format("{}: CF = {} is negative", label_, entity.friction),
                   r_.place("CF"));
    if (const double damping = r_.real("DF"); damping < 0.0)
      entity.damping_curve =
          build_.find_curve(static_cast<GlobalId>(std::llround(-damping)), label_, r_.place("DF"));
    else
      entity.damping = damping / 100.0;
    if (const auto option = r_.integer("SO"); option < 0)
      entity.force_curve = build_.find_curve(-option, label_, r_.place("SO"));
    else if (option > 0)
      build_.unsupported(fmt::format("{}: SO = {}, the stiffness of contacts between surfaces; SO = 0 and "
                                     "curves (SO < 0) are there",
                                     label_, option),
                         r_.place("SO"));
    if (entity.force_curve != kNone && entity.scale != 1.0)
      build_.warn("CR-D330", label_ + ": SF does not scale the curve of SO", r_.place("SF"));
    entity.birth = r_.real("BT");
    entity.death = or_default(r_.real("DT"), model::kNever);
  }

  std::vector<LocalId> tracked() {
    const GlobalId id = r_.integer("SSID");
    const auto type = r_.integer("SSTYP");
    std::vector<LocalId> parts, nodes;
    if (type == 0) {
      if (const model::NodeSet* const set = build_.find_node_set(id, label_, r_.place("SSID")))
        nodes = set->nodes;
    } else if (type == 1) {
      parts.push_back(build_.find_part(id, label_, r_.place("SSID")));
    } else if (type == 2) {
      if (const model::PartSet* const set = build_.find_part_set(id, label_, r_.place("SSID")))
        parts = set->parts;
    }
    for (const LocalId part : parts) {
      if (part == kNone) continue;
      const std::vector<LocalId>& of_part = build_.nodes_of_part(part);
      nodes.insert(nodes.end(), of_part.begin(), of_part.end());
    }
    build_.sort_nodes(nodes);
    return nodes;
  }

  void nodes(ContactEntity& entity) {
    entity.nodes = tracked();
    const std::size_t own = std::erase_if(entity.nodes, [&](LocalId n) {
      return entity.body != kNone && build_.body_of_node[at(n)] == entity.body;
    });
    if (own > 0)
      build_.warn("CR-D330",
                  fmt::format("{}: {} nodes of the rigid body that carries it are left out", label_, own),
                  r_.place("SSID"));
    if (r_.integer("ITHK") != 1) return;
    const bool simple = entity.shape == EntityShape::plane || entity.shape == EntityShape::sphere ||
                        entity.shape == EntityShape::cylinder;
    if (!simple || r_.integer("SSTYP") != 0)
      return build_.warn("CR-D330",
                         label_ +
                             ": ITHK acts with planes, spheres and cylinders and with a set of nodes "
                             "(SSTYP = 0) only: thickness is not considered",
                         r_.place("ITHK"));
    const std::vector<double> half = half_thicknesses(build_.model);
    for (const LocalId n : entity.nodes) entity.half_thickness.push_back(half[at(n)]);
  }

  Builder& build_;
  const Keyword& k_;
  const Record& r_;
  std::string label_;
};

}  // namespace

void read_contact_entities(Builder& build) {
  GlobalId number = 0;
  for (const Keyword& k : build.deck.family("CONTACT_"))
    if (k.name() != "CONTACT_ENTITY") number += static_cast<GlobalId>(k.records().size());
  for (const Keyword& k : build.deck.all("CONTACT_ENTITY"))
    for (const Record& r : k.records()) EntityReader(build, k, r).read(++number);
}

}  // namespace crumple::loads
