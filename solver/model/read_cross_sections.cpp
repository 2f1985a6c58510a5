// *DATABASE_CROSS_SECTION: sections by sets, and by planes through elements.
#include <algorithm>

#include "model/builder.hpp"
#include "model/cross_section_plane.hpp"

namespace crumple::model {
namespace {

/// A plane with limits: a rectangle from a corner, a circle around the centre, or none.
struct Cut {
  Vec3 tail, normal;                ///< point of the plane, unit normal
  double radius = 0;                ///< 0: no circle
  Vec3 edge1, edge2;                ///< unit
  double length1 = 0, length2 = 0;  ///< 0: infinite

  double height(const Vec3& x) const { return dot(x - tail, normal); }
  bool limits(const Vec3& x) const {
    const Vec3 d = x - tail;
    if (radius > 0) return norm(d - dot(d, normal) * normal) <= radius;
    const double l = dot(d, edge1), m = dot(d, edge2);
    return (length1 <= 0 || (l >= 0 && l <= length1)) && (length2 <= 0 || (m >= 0 && m <= length2));
  }
};

class CrossSectionReader {
 public:
  /// @param number in the order of the deck, from 1
  CrossSectionReader(Builder& build, const Keyword& k, const Record& r, GlobalId number)
      : build_(build), r_(r), plane_(k.name().ends_with("_PLANE")), label_(Builder::star(k)) {
    section_.id = r.id().value_or(number);
    section_.title = r.title();
    label_ += fmt::format(" {}", section_.id);
  }

  GlobalId id() const { return section_.id; }
  Vec3 normal() const {
    const std::optional<Cut> c = plane_ ? cut() : std::nullopt;
    return c ? c->normal : Vec3{};
  }

  void read() {
    plane_ ? by_plane() : by_sets();
    build_.sort_nodes(section_.nodes);
    axes();
    if (section_.nodes.empty() || count() == 0)
      build_.warn("CR-D330",
                  fmt::format("{}: {} nodes and {} deformable elements, so its force is zero", label_,
                              section_.nodes.size(), count()),
                  r_.place());
    build_.model.cross_sections.push_back(std::move(section_));
  }

 private:
  std::size_t count() const {
    return section_.shells.size() + section_.solids.size() + section_.beams.size() +
           section_.discretes.size();
  }

  template <class Sets>
  const auto* set(const char* field, const IdTable& table, const Sets& sets, const char* what) const {
    const GlobalId id = r_.integer(field);
    const LocalId at = id == 0 ? kNone : build_.find(table, id, "CR-D305", what, label_, r_.place(field));
    return at == kNone ? nullptr : &sets[static_cast<std::size_t>(at)];
  }

  void by_sets() {
    const Sets& sets = build_.model.sets;
    if (const NodeSet* const nodes = build_.find_node_set(r_.integer("NSID"), label_, r_.place("NSID")))
      section_.nodes = nodes->nodes;
    if (const auto* s = set("HSID", build_.solid_sets, sets.solids, "solid set"))
      section_.solids = s->elements;
    if (const auto* s = set("BSID", build_.beam_sets, sets.beams, "beam set")) section_.beams = s->elements;
    if (const auto* s = set("SSID", build_.shell_sets, sets.shells, "shell set")) section_.shells = s->shells;
    if (const auto* s = set("DSID", build_.discrete_sets, sets.discretes, "spring set"))
      section_.discretes = s->elements;
  }

  Vec3 point(const char* x, const char* y, const char* z) const {
    return {r_.real(x), r_.real(y), r_.real(z)};
  }

  Vec3 node_at(const char* field) const {
    const LocalId n = build_.find_node(static_cast<GlobalId>(r_.real(field)), label_, r_.place(field));
    return n == kNone ? Vec3{} : build_.model.nodes.x[static_cast<std::size_t>(n)];
  }

  std::optional<Cut> cut() const {
    Cut c;
    c.radius = std::abs(r_.real("RADIUS"));
    const bool by_nodes = r_.real("RADIUS") < 0;
    c.tail = by_nodes ? node_at("XCT") : point("XCT", "YCT", "ZCT");
    c.normal = (by_nodes ? node_at("XCH") : point("XCH", "YCH", "ZCH")) - c.tail;
    const double length = norm(c.normal);
    c.length1 = r_.real("LENL");
    c.length2 = r_.real("LENM");
    const Vec3 to_head = point("XHEV", "YHEV", "ZHEV") - c.tail;
    const bool limited = c.radius == 0 && (c.length1 > 0 || c.length2 > 0);
    if (!(length > 0)) {
      build_.error("CR-D310", fmt::format("{}: the normal has no length", label_), r_.place("XCH"));
      return std::nullopt;
    }
    c.normal *= 1.0 / length;
    c.edge1 = to_head - dot(to_head, c.normal) * c.normal;
    if (limited && !(norm(c.edge1) > 1e-9 * norm(to_head))) {
      build_.error("CR-D310", fmt::format("{}: the edge vector is normal to the plane", label_),
                   r_.place("XHEV"));
      return std::nullopt;
    }
    if (limited) c.edge1 *= 1.0 / norm(c.edge1);
    c.edge2 = cross(c.normal, c.edge1);
    return c;
  }

  void by_plane() {
    const std::optional<Cut> c = cut();
    if (!c) return;
    std::vector<bool> wanted(build_.model.parts.size(), true);
    if (const GlobalId id = r_.integer("PSID"); id != 0) {
      wanted.assign(wanted.size(), false);
      if (const PartSet* const parts = build_.find_part_set(id, label_, r_.place("PSID")))
        for (const LocalId p : parts->parts) wanted[static_cast<std::size_t>(p)] = true;
    }
    cut_elements(*c, wanted, build_.model.shells, 4, section_.shells);
    cut_elements(*c, wanted, build_.model.solids, 8, section_.solids);
    cut_elements(*c, wanted, build_.model.beams, 2, section_.beams);
  }

  /// Elements with nodes on both sides, and their nodes on the side of the head. Elements beyond or across
  /// the plane's limits are left out.
  template <class Elements>
  void cut_elements(const Cut& c, const std::vector<bool>& wanted, const Elements& elements,
                    std::size_t corners, std::vector<LocalId>& chosen) {
    const Model& m = build_.model;
    for (std::size_t e = 0; e < elements.size(); ++e) {
      const auto part = static_cast<std::size_t>(elements.part[e]);
      if (!wanted[part] || m.parts[part].rigid_body != kNone) continue;
      const auto* nodes = elements.nodes[e].data();
      if (!is_cut(c, nodes, corners)) continue;
      chosen.push_back(static_cast<LocalId>(e));
      each_node(elements, e, corners, [&](LocalId n) {
        if (c.height(m.nodes.x[static_cast<std::size_t>(n)]) >= 0) section_.nodes.push_back(n);
      });
    }
  }

  bool is_cut(const Cut& c, const LocalId* nodes, std::size_t corners) const {
    bool any = false;
    for (std::size_t a = 0; a < corners; ++a)
      for (std::size_t b = 0; b < corners; ++b) {
        const Vec3& head = build_.model.nodes.x[static_cast<std::size_t>(nodes[a])];
        const Vec3& tail = build_.model.nodes.x[static_cast<std::size_t>(nodes[b])];
        const double above = c.height(head), below = c.height(tail);
        if (!(above >= 0 && below < 0)) continue;
        any = true;
        if (!c.limits(head + (above / (above - below)) * (tail - head))) return false;
      }
    return any;
  }

  /// Results are in the axes of a rigid body (ITYPE 0) or a coordinate system (ITYPE 2).
  void axes() {
    const GlobalId id = r_.integer("ID");
    if (id == 0) return;
    section_.frame_id = id;
    if (r_.integer("ITYPE") == 2)
      section_.system = build_.find_system(id, label_, r_.place("ID"));
    else
      section_.rigid_body = build_.find_rigid_body(id, label_, r_.place("ID"));
  }

  Builder& build_;
  const Record& r_;
  bool plane_;
  std::string label_;
  CrossSection section_;
};

}  // namespace

Vec3 normal_of_cross_section(Builder& build, GlobalId id) {
  GlobalId number = 0;
  for (const Keyword& k : build.deck.family("DATABASE_CROSS_SECTION_"))
    for (const Record& r : k.records())
      if (const CrossSectionReader section(build, k, r, ++number); section.id() == id)
        return section.normal();
  return {};
}

void Builder::read_cross_sections() {
  for (const Keyword& k : deck.family("DATABASE_CROSS_SECTION_"))
    for (const Record& r : k.records())
      CrossSectionReader(*this, k, r, static_cast<GlobalId>(model.cross_sections.size()) + 1).read();
  std::vector<GlobalId> ids;
  for (const CrossSection& s : model.cross_sections) ids.push_back(s.id);
  std::sort(ids.begin(), ids.end());
  if (const auto twice = std::adjacent_find(ids.begin(), ids.end()); twice != ids.end())
    error("CR-D301", fmt::format("cross section {} is defined twice", *twice), {});
}

}  // namespace crumple::model
