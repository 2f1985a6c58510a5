// Rigid bodies: parts of *MAT_RIGID or switched by *DEFORMABLE_TO_RIGID, and node sets of
// *CONSTRAINED_NODAL_RIGID_BODY, merged, with their extra nodes.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "materials/row.hpp"
#include "model/builder.hpp"

namespace crumple::model {
namespace {

/// Inertia tensor about local axes, in the global frame; xx yy zz xy yz zx both ways.
std::array<double, 6> rotate(const std::array<double, 6>& local, const std::array<Vec3, 3>& axis) {
  const double t[3][3] = {
      {local[0], local[3], local[5]}, {local[3], local[1], local[4]}, {local[5], local[4], local[2]}};
  double g[3][3] = {};
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) g[a][b] += t[i][j] * axis[i][a] * axis[j][b];
  return {g[0][0], g[1][1], g[2][2], g[0][1], g[1][2], g[2][0]};
}

/// A *CONSTRAINED_NODAL_RIGID_BODY.
struct NodalBody {
  Keyword keyword;
  Record record;
  GlobalId id = 0;
  std::vector<LocalId> nodes;
  LocalId centre_node = kNone;  ///< PNODE
};

/// A body consists of members: parts by their index, followed by the nodal rigid bodies.
class RigidBodyReader {
 public:
  explicit RigidBodyReader(Builder& build)
      : build_(build), model_(build.model), parts_(static_cast<LocalId>(model_.parts.size())) {}

  void read() {
    read_nodal_bodies();
    rigid_.assign(model_.parts.size(), false);
    rigid_.resize(model_.parts.size() + nodal_.size(), true);
    lead_.resize(rigid_.size());
    std::iota(lead_.begin(), lead_.end(), 0);
    find_rigid_parts();
    read_switched_parts();
    read_switched_inertias();
    read_merged_parts();
    merge_members_that_share_nodes();
    make_bodies();
    read_extra_nodes();
    read_lumped_inertias();
    read_welded_nodes();
    for (RigidBody& body : model_.rigid_bodies) build_.sort_nodes(body.nodes);
  }

 private:
  const Part& part(LocalId i) const { return model_.parts[static_cast<std::size_t>(i)]; }
  bool is_nodal(LocalId i) const { return i >= parts_; }
  const NodalBody& nodal(LocalId i) const { return nodal_[static_cast<std::size_t>(i - parts_)]; }
  GlobalId id_of(LocalId i) const { return is_nodal(i) ? nodal(i).id : part(i).id; }
  std::string name(LocalId i) const {
    return fmt::format("{} {}", is_nodal(i) ? "nodal rigid body" : "part", id_of(i));
  }
  std::string names(LocalId a, LocalId b) const {
    if (is_nodal(a) || is_nodal(b)) return fmt::format("rigid {} and {}", name(a), name(b));
    return fmt::format("rigid parts {} and {}", id_of(a), id_of(b));
  }
  const std::vector<LocalId>& nodes_of(LocalId i) {
    return is_nodal(i) ? nodal(i).nodes : build_.nodes_of_part(i);
  }
  /// Whether a member has nothing to move: a part without elements.
  bool is_empty(LocalId i) const { return !is_nodal(i) && part(i).kind == ElementKind::none; }

  /// The member with a part number: a part, or a nodal rigid body.
  LocalId find_member(GlobalId id, std::string_view by, const Place& place) const {
    if (const LocalId b = nodal_ids_.find(id); b != kNone) return parts_ + b;
    return build_.find_part(id, by, place);
  }

  const Material* material(LocalId i) const {
    const LocalId m = is_nodal(i) ? kNone : part(i).material;
    return m == kNone ? nullptr : &model_.materials[static_cast<std::size_t>(m)];
  }
  bool of_rigid_material(LocalId i) const { return material(i) && materials::is_rigid(material(i)->law); }

  LocalId root(LocalId i) {
    while (lead_[static_cast<std::size_t>(i)] != i) i = lead_[static_cast<std::size_t>(i)];
    return i;
  }

  void merge(LocalId lead, LocalId other) {
    const LocalId a = root(lead), b = root(other);
    if (a != b) lead_[static_cast<std::size_t>(b)] = a;
  }

  void read_nodal_bodies() {
    for (const Keyword& k : build_.deck.all("CONSTRAINED_NODAL_RIGID_BODY"))
      for (const Record& r : k.records()) {
        r.title();
        NodalBody body{k, r, r.integer("PID"), {}, kNone};
        const std::string label = fmt::format("{} {}", Builder::star(k), body.id);
        const GlobalId named = r.integer("NSID"), set_id = named != 0 ? named : body.id;
        if (const NodeSet* const set = build_.find_node_set(set_id, label, r.place("NSID")))
          body.nodes = set->nodes;
        else
          continue;
        if (!check_nodal_body(body, set_id, label)) continue;
        read_centre_node(body, label);
        if (build_.parts.contains(body.id) ||
            !nodal_ids_.insert(body.id, static_cast<LocalId>(nodal_.size()))) {
          build_.error("CR-D301", fmt::format("{}: the part number {} is defined twice", label, body.id),
                       r.place("PID"));
          continue;
        }
        nodal_.push_back(std::move(body));
      }
  }

  bool check_nodal_body(const NodalBody& body, GlobalId set_id, const std::string& label) {
    if (body.keyword.suffix("INERTIA")) return !body.nodes.empty();
    const auto wrong = [&](std::string text) {
      build_.error("CR-D310", fmt::format("{}: {}", label, text), body.record.place("NSID"));
      return false;
    };
    if (body.nodes.size() < 2)
      return wrong(fmt::format("node set {} has {} node{}, a rigid body needs two or more", set_id,
                               body.nodes.size(), body.nodes.size() == 1 ? "" : "s"));
    if (std::none_of(body.nodes.begin(), body.nodes.end(), [&](LocalId n) { return build_.has_mass(n); }))
      return wrong(fmt::format("no node of node set {} is on an element or has a mass", set_id));
    return true;
  }

  // The manual: a node, possibly massless, whose coordinates are reset to the centre of mass; its motion in
  // the results is that of the body. A negative number only selects the frame of its output.
  void read_centre_node(NodalBody& body, const std::string& label) {
    const GlobalId id = std::abs(body.record.integer("PNODE"));
    if (id == 0) return;
    const LocalId n = build_.find_node(id, label, body.record.place("PNODE"));
    if (n == kNone) return;
    if (build_.has_mass(n))
      return build_.unsupported(
          fmt::format("{}: PNODE {} is on an element or has a mass, so moving it to the centre would change "
                      "the mesh; name a free node",
                      label, id),
          body.record.place("PNODE"));
    body.centre_node = n;
    body.nodes.push_back(n);
    build_.sort_nodes(body.nodes);
  }

  void find_rigid_parts() {
    for (LocalId i = 0; i < parts_; ++i)
      rigid_[static_cast<std::size_t>(i)] =
          of_rigid_material(i) && (part(i).kind != ElementKind::none || build_.inertia_records.contains(i));
  }

  // The manual: parts "to be switched from deformable to rigid at the start of the calculation". Only a
  // restart or *DEFORMABLE_TO_RIGID_AUTOMATIC would switch them back, so without these they stay rigid.
  void read_switched_parts() {
    for (const Keyword& k : build_.deck.all("DEFORMABLE_TO_RIGID"))
      for (const Record& r : k.records()) {
        const GlobalId id = r.integer("PID");
        std::vector<LocalId> switched;
        if (r.text("PTYPE").starts_with("PSET")) {
          if (const PartSet* const set = build_.find_part_set(id, Builder::star(k), r.place("PID")))
            switched = set->parts;
        } else if (const LocalId p = build_.find_part(id, Builder::star(k), r.place("PID")); p != kNone) {
          switched.push_back(p);
        }
        const GlobalId lead_id = r.integer("LRB");
        const LocalId lead = lead_id == 0 ? kNone : find_member(lead_id, Builder::star(k), r.place("LRB"));
        for (const LocalId p : switched) {
          if (part(p).kind == ElementKind::none) continue;
          rigid_[static_cast<std::size_t>(p)] = true;
          if (lead != kNone) merge(lead, p);
        }
      }
  }

  /// Mass properties of parts that are switched.
  void read_switched_inertias() {
    for (const Keyword& k : build_.deck.all("DEFORMABLE_TO_RIGID_INERTIA"))
      for (const Record& r : k.records()) {
        const LocalId p = build_.find_part(r.integer("PID"), Builder::star(k), r.place("PID"));
        if (p == kNone) continue;
        if (!rigid_[static_cast<std::size_t>(p)] || of_rigid_material(p))
          build_.error(
              "CR-D310",
              fmt::format("{}: no *DEFORMABLE_TO_RIGID switches part {}", Builder::star(k), part(p).id),
              r.place("PID"));
        else if (!switched_inertia_.emplace(p, r).second)
          build_.error("CR-D301", fmt::format("{}: part {} is given twice", Builder::star(k), part(p).id),
                       r.place("PID"));
      }
  }

  void read_merged_parts() {
    for (const Keyword& k : build_.deck.all("CONSTRAINED_RIGID_BODIES"))
      for (const Record& r : k.records()) {
        const LocalId lead = find_member(r.integer("PIDL"), Builder::star(k), r.place("PIDL"));
        const LocalId other = find_member(r.integer("PIDC"), Builder::star(k), r.place("PIDC"));
        if (lead == kNone || other == kNone) continue;
        bool both = true;
        for (const LocalId p : {lead, other}) {
          if (rigid_[static_cast<std::size_t>(p)]) continue;
          both = false;
          build_.error("CR-D310", fmt::format("{}: part {} is not rigid", Builder::star(k), part(p).id),
                       r.place());
        }
        if (both) merge(lead, other);
      }
  }

  // A node can belong to one body only: members that share nodes are merged.
  void merge_members_that_share_nodes() {
    std::vector<LocalId> owner(model_.nodes.size(), kNone);
    std::set<std::pair<LocalId, LocalId>> reported;
    for (LocalId p = 0; p < static_cast<LocalId>(rigid_.size()); ++p) {
      if (!rigid_[static_cast<std::size_t>(p)] || is_empty(p)) continue;
      for (const LocalId n : nodes_of(p)) {
        LocalId& other = owner[static_cast<std::size_t>(n)];
        if (other == kNone) other = p;
        const LocalId a = root(other), b = root(p);
        if (a == b) continue;
        const bool b_leads = leads(b, a);
        merge(b_leads ? b : a, b_leads ? a : b);
        if (reported.emplace(std::min(a, b), std::max(a, b)).second)
          build_.warn("CR-D332",
                      fmt::format("{} share node {}: they are merged, led by {}", names(a, b),
                                  model_.nodes.id[static_cast<std::size_t>(n)], name(root(a))),
                      is_nodal(p) ? nodal(p).record.place() : Place{});
      }
    }
  }

  // Which of two bodies leads, so that its constraints hold for both: the one with constraints, then the one
  // with the lower number.
  bool leads(LocalId a, LocalId b) const {
    if (is_constrained(a) != is_constrained(b)) return is_constrained(a);
    if (is_nodal(a) != is_nodal(b)) return is_nodal(b);
    return id_of(a) < id_of(b);
  }

  bool is_constrained(LocalId i) const {
    if (is_nodal(i)) return nodal(i).keyword.suffix("SPC") && nodal(i).record.real("CMO") != 0.0;
    return of_rigid_material(i) && material(i)->field("CMO") != 0.0;
  }
  /// Record with the member's mass properties, null if they follow from its elements.
  const Record* inertia_record(LocalId i) const {
    if (is_nodal(i)) return nodal(i).keyword.suffix("INERTIA") ? &nodal(i).record : nullptr;
    if (const auto of = switched_inertia_.find(i); of != switched_inertia_.end()) return &of->second;
    const auto it = build_.inertia_records.find(i);
    return it == build_.inertia_records.end() ? nullptr : &it->second;
  }

  void make_bodies() {
    build_.body_of_node.assign(model_.nodes.size(), kNone);
    std::vector<LocalId> body_of_lead(rigid_.size(), kNone);
    for (LocalId p = 0; p < static_cast<LocalId>(rigid_.size()); ++p) {
      if (!rigid_[static_cast<std::size_t>(p)]) continue;
      const LocalId lead = root(p);
      LocalId& index = body_of_lead[static_cast<std::size_t>(lead)];
      if (index == kNone) {
        index = static_cast<LocalId>(model_.rigid_bodies.size());
        model_.rigid_bodies.push_back(new_body(lead));
      }
      RigidBody& body = model_.rigid_bodies[static_cast<std::size_t>(index)];
      if (p != lead) check_follower(p, lead);
      if (is_nodal(p)) {
        if (p == lead) body.centre_node = nodal(p).centre_node;
        build_.nodal_bodies.insert(id_of(p), index);
      } else {
        body.parts.push_back(p);
        model_.parts[static_cast<std::size_t>(p)].rigid_body = index;
      }
      for (const LocalId n : nodes_of(p)) {
        body.nodes.push_back(n);
        build_.body_of_node[static_cast<std::size_t>(n)] = index;
      }
    }
  }

  void check_follower(LocalId p, LocalId lead) {
    const bool one_material = material(p) && material(p) == material(lead);
    if (is_constrained(p) && !one_material)
      build_.warn(
          "CR-D332",
          fmt::format("the constraints CMO of {} do not count: {} leads their body", name(p), name(lead)),
          is_nodal(p) ? nodal(p).record.place("CMO") : material(p)->place);
    if (const Record* const r = inertia_record(p))
      build_.warn("CR-D332",
                  fmt::format("the inertia of {} does not count: {} leads their body", name(p), name(lead)),
                  r->place());
    if (is_nodal(p) && nodal(p).centre_node != kNone)
      build_.warn("CR-D332",
                  fmt::format("PNODE of {} is not moved: {} leads their body", name(p), name(lead)),
                  nodal(p).record.place("PNODE"));
  }

  RigidBody new_body(LocalId lead) {
    RigidBody body;
    body.part_id = id_of(lead);
    if (is_nodal(lead)) {
      const Record& r = nodal(lead).record;
      body.nodal = true;
      body.place = r.place();
      const std::string label = fmt::format("{} {}", Builder::star(nodal(lead).keyword), body.part_id);
      if (nodal(lead).keyword.suffix("SPC"))
        read_constraints({r.real("CMO"), r.real("CON1"), r.real("CON2")}, label, r.place("CMO"), body);
      if (const Record* const given = inertia_record(lead)) read_inertia(*given, label, "CID2", body);
      return body;
    }
    if (of_rigid_material(lead)) {
      const Material& m = *material(lead);
      read_constraints({m.field("CMO"), m.field("CON1"), m.field("CON2")}, fmt::format("*MAT_RIGID {}", m.id),
                       m.place, body);
    }
    if (switched_inertia_.contains(lead))
      read_mass(switched_inertia_.at(lead), fmt::format("*DEFORMABLE_TO_RIGID_INERTIA {}", body.part_id),
                body);
    else if (const Record* const given = inertia_record(lead))
      read_inertia(*given, fmt::format("*PART_INERTIA {}", body.part_id), "CID", body);
    return body;
  }

  /// CMO, CON1 and CON2.
  void read_constraints(const std::array<double, 3>& codes, const std::string& label, const Place& place,
                        RigidBody& body) {
    body.cmo = static_cast<int>(std::lround(codes[0]));
    const auto code1 = std::lround(codes[1]), code2 = std::lround(codes[2]);
    if (body.cmo == 1) {
      if (code1 < 0 || code1 > 7 || code2 < 0 || code2 > 7)
        build_.error("CR-D310",
                     fmt::format("{}: CON1 = {} and CON2 = {} must be 0 to 7", label, code1, code2), place);
      body.con1 = static_cast<int>(code1);
      body.con2 = static_cast<int>(code2);
    } else if (body.cmo == -1) {
      // CON1 is a frame, CON2 six digits: x y z rx ry rz.
      body.system = build_.find_system(code1, label, place);
      long digits = code2;
      for (int k = 5; k >= 0; --k, digits /= 10)
        if (digits % 10 != 0) body.local_mask |= static_cast<std::uint8_t>(1u << k);
    } else if (body.cmo != 0) {
      build_.error("CR-D310", fmt::format("{}: CMO = {} must be -1, 0 or 1", label, body.cmo), place);
    }
  }

  /// Mass, centre, and inertia in global axes.
  void read_mass(const Record& r, const std::string& label, RigidBody& body) {
    body.inertia_given = true;
    body.mass = r.real("TM");
    if (body.mass <= 0.0)
      build_.error("CR-D310", fmt::format("{}: mass TM = {} must be positive", label, body.mass),
                   r.place("TM"));
    body.centre = {r.real("XC"), r.real("YC"), r.real("ZC")};
    body.inertia = {r.real("IXX"), r.real("IYY"), r.real("IZZ"), r.real("IXY"), r.real("IYZ"), r.real("IXZ")};
  }

  void read_inertia(const Record& r, const std::string& label, const char* axes, RigidBody& body) {
    read_mass(r, label, body);
    if (const GlobalId node = r.integer("NODEID"); node != 0) {
      const LocalId n = build_.find_node(node, label, r.place("NODEID"));
      if (n != kNone) body.centre = model_.nodes.x[static_cast<std::size_t>(n)];
    }
    if (r.integer("IRCS") == 1) body.inertia = rotate(body.inertia, inertia_axes(r, label, axes));
    // Its velocities count even if they are zero, unless IRIGID of *INITIAL_VELOCITY replaces them.
    body.velocity_given = true;
    body.v = {r.real("VTX"), r.real("VTY"), r.real("VTZ")};
    body.w = {r.real("VRX"), r.real("VRY"), r.real("VRZ")};
  }

  std::array<Vec3, 3> inertia_axes(const Record& r, const std::string& label, const char* system) {
    if (const GlobalId id = r.integer(system); id != 0) {
      const LocalId s = build_.find_system(id, label, r.place(system), Builder::Use::at_start);
      if (s != kNone) return model_.systems[static_cast<std::size_t>(s)].axis;
    }
    const Vec3 x{r.real("XL"), r.real("YL"), r.real("ZL")}, p{r.real("XLIP"), r.real("YLIP"), r.real("ZLIP")};
    const Vec3 z = cross(x, p);
    if (norm(z) == 0.0) {
      build_.error("CR-D310", fmt::format("{}: its local axes are parallel", label), r.place("XL"));
      return {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
    }
    const Vec3 ex = x * (1.0 / norm(x)), ez = z * (1.0 / norm(z));
    return {ex, cross(ez, ex), ez};
  }

  void read_extra_nodes() {
    for (const char* const name : {"CONSTRAINED_EXTRA_NODES_NODE", "CONSTRAINED_EXTRA_NODES_SET"})
      for (const Keyword& k : build_.deck.all(name))
        for (const Record& r : k.records()) {
          const bool by_set = std::string_view(name).ends_with("SET");
          const LocalId body = build_.find_rigid_body(r.integer("PID"), Builder::star(k), r.place("PID"));
          std::vector<LocalId> extra;
          if (by_set) {
            if (const NodeSet* const set =
                    build_.find_node_set(r.integer("NSID"), Builder::star(k), r.place("NSID")))
              extra = set->nodes;
          } else if (const LocalId n = build_.find_node(r.integer("NID"), Builder::star(k), r.place("NID"));
                     n != kNone) {
            extra.push_back(n);
          }
          if (body != kNone) add_nodes(body, extra, Builder::star(k), r.place());
        }
  }

  // A node of no body has one inertia about all axes; with another tensor, or a mass beside it, it becomes a
  // body by itself, whose spin obeys Euler's equations.
  void read_lumped_inertias() {
    for (const Keyword& k : build_.deck.all("ELEMENT_INERTIA"))
      for (const Record& r : k.records()) {
        const std::string label = fmt::format("{} {}", Builder::star(k), r.integer("EID"));
        const LocalId n = build_.find_node(r.integer("NID"), label, r.place("NID"));
        const double mass = r.real("MASS");
        LumpedInertia lump = lumped_inertia(r, label);
        if (n == kNone || !check_lumped(lump, mass, label, r)) continue;
        Vec3 offset;
        if (k.suffix("OFFSET")) offset = {r.real("X-OFF"), r.real("Y-OFF"), r.real("Z-OFF")};
        const auto& j = lump.inertia;
        const bool same = j[0] == j[1] && j[1] == j[2] && j[3] == 0 && j[4] == 0 && j[5] == 0;
        LocalId body = build_.body_of_node[static_cast<std::size_t>(n)];
        if (norm(offset) == 0) model_.masses.add(r.integer("EID"), n, mass, same ? j[0] : 0.0);
        if (norm(offset) == 0 && same) continue;
        if (body == kNone) body = make_body_of(n, r);
        lump.node = n;
        lump.point = model_.nodes.x[static_cast<std::size_t>(n)] + offset;
        lump.mass = norm(offset) == 0 ? 0.0 : mass;
        RigidBody& of = model_.rigid_bodies[static_cast<std::size_t>(body)];
        of.lumps.push_back(lump);
        if (of.inertia_given)
          build_.warn(
              "CR-D332",
              fmt::format("{} does not count: the mass properties of its rigid body are given", label),
              r.place());
      }
  }

  LumpedInertia lumped_inertia(const Record& r, const std::string& label) {
    LumpedInertia lump;
    lump.inertia = {r.real("IXX"), r.real("IYY"), r.real("IZZ"), r.real("IXY"), r.real("IYZ"), r.real("IXZ")};
    const LocalId s = build_.find_system(r.integer("CSID"), label, r.place("CSID"), Builder::Use::at_start);
    if (s != kNone) lump.inertia = rotate(lump.inertia, model_.systems[static_cast<std::size_t>(s)].axis);
    return lump;
  }

  /// Kinetic energy must not be negative: all leading and other minors of the tensor are at least zero.
  bool check_lumped(const LumpedInertia& lump, double mass, const std::string& label, const Record& r) const {
    const auto& [a, b, c, d, e, f] = lump.inertia;  // xx yy zz xy yz zx
    const double size = std::max({a, b, c, 0.0}), tiny = 1e-9 * size;
    const double pairs = std::min({a * b - d * d, b * c - e * e, a * c - f * f});
    const double all = a * (b * c - e * e) - d * (d * c - e * f) + f * (d * e - b * f);
    if (mass >= 0.0 && std::min({a, b, c}) >= -tiny && pairs >= -tiny * size && all >= -tiny * size * size)
      return true;
    build_.error("CR-D310", fmt::format("{}: the mass or a principal moment of inertia is negative", label),
                 r.place("IXX"));
    return false;
  }

  /// A body of one node, with the number of the element where no part has it.
  LocalId make_body_of(LocalId node, const Record& r) {
    const auto index = static_cast<LocalId>(model_.rigid_bodies.size());
    GlobalId id = r.integer("EID");
    while (build_.parts.contains(id) ||
           std::ranges::any_of(model_.rigid_bodies, [&](const RigidBody& b) { return b.part_id == id; }))
      ++id;
    RigidBody body;
    body.part_id = id;
    body.nodal = true;
    body.place = r.place();
    body.nodes = {node};
    model_.rigid_bodies.push_back(body);
    build_.body_of_node[static_cast<std::size_t>(node)] = index;
    return index;
  }

  void add_nodes(LocalId index, const std::vector<LocalId>& extra, const std::string& by,
                 const Place& place) {
    RigidBody& body = model_.rigid_bodies[static_cast<std::size_t>(index)];
    for (const LocalId n : extra) {
      LocalId& owner = build_.body_of_node[static_cast<std::size_t>(n)];
      if (owner != kNone && owner != index)
        build_.error("CR-D310",
                     fmt::format("{}: node {} belongs to rigid bodies {} and {}", by,
                                 model_.nodes.id[static_cast<std::size_t>(n)],
                                 model_.rigid_bodies[static_cast<std::size_t>(owner)].part_id, body.part_id),
                     place);
      owner = index;
      body.nodes.push_back(n);
    }
  }

  /// Welds that never break add a node to the rigid body at their other end, also along a chain of welds.
  void read_welded_nodes() {
    struct Link {
      std::array<LocalId, 2> nodes;
      std::string label;
      Place place;
    };
    std::vector<Link> links;
    const auto add = [&](const Keyword& k, const Record& r, LocalId a, LocalId b) {
      if (a != kNone && b != kNone && a != b) links.push_back({{a, b}, Builder::star(k), r.place()});
    };
    for (const Keyword& k : build_.deck.all("CONSTRAINED_SPOTWELD"))
      for (const Record& r : k.records())
        if (never_breaks(r, "TF", "EP"))
          add(k, r, build_.nodes.find(r.integer("N1")), build_.nodes.find(r.integer("N2")));
    for (const Keyword& k : build_.deck.all("CONSTRAINED_GENERALIZED_WELD_SPOT"))
      for (const Record& r : k.records()) {
        const LocalId set = build_.node_sets.find(r.integer("NSID"));
        if (set == kNone || !never_breaks(r, "TFAIL", "EPSF")) continue;
        const auto& nodes = model_.sets.nodes[static_cast<std::size_t>(set)].nodes;
        for (const LocalId n : nodes) add(k, r, nodes.front(), n);
      }
    const auto body_of = [&](LocalId n) { return build_.body_of_node[static_cast<std::size_t>(n)]; };
    for (bool grew = true; grew;) {
      grew = false;
      for (const Link& link : links)
        for (const std::size_t end : {0u, 1u}) {
          const LocalId body = body_of(link.nodes[end]), other = link.nodes[1 - end];
          if (body == kNone || body_of(other) != kNone) continue;
          add_nodes(body, {other}, link.label, link.place);
          grew = true;
        }
    }
    for (const Link& link : links) {
      const LocalId a = body_of(link.nodes[0]), b = body_of(link.nodes[1]);
      if (a == b) continue;
      build_.error("CR-D310",
                   fmt::format("{}: nodes {} and {} belong to rigid bodies {} and {}; join these by "
                               "*CONSTRAINED_RIGID_BODIES",
                               link.label, model_.nodes.id[static_cast<std::size_t>(link.nodes[0])],
                               model_.nodes.id[static_cast<std::size_t>(link.nodes[1])],
                               model_.rigid_bodies[static_cast<std::size_t>(a)].part_id,
                               model_.rigid_bodies[static_cast<std::size_t>(b)].part_id),
                   link.place);
    }
  }

  static bool never_breaks(const Record& r, const char* time, const char* strain) {
    const auto ends = [&](const char* field) { return or_default(r.real(field), kNever) < kNever; };
    return r.real("SN") == 0.0 && r.real("SS") == 0.0 && !ends(time) && !ends(strain);
  }

  Builder& build_;
  Model& model_;
  LocalId parts_;  ///< number of parts
  std::vector<NodalBody> nodal_;
  IdTable nodal_ids_;
  std::vector<bool> rigid_;                     ///< by member
  std::vector<LocalId> lead_;                   ///< by member
  std::map<LocalId, Record> switched_inertia_;  ///< of *DEFORMABLE_TO_RIGID_INERTIA, by part
};

}  // namespace

void Builder::read_rigid_bodies() { RigidBodyReader(*this).read(); }

LocalId Builder::find_rigid_body(GlobalId id, std::string_view by, const Place& place) const {
  if (const LocalId b = nodal_bodies.find(id); b != kNone) return b;
  const LocalId p = find_part(id, by, place);
  if (p == kNone) return kNone;
  const LocalId b = model.parts[static_cast<std::size_t>(p)].rigid_body;
  if (b == kNone)
    error("CR-D310",
          fmt::format("{}: part {} {}", by, id, left_out.contains(p) ? "is left out" : "is not rigid"),
          place);
  return b;
}

}  // namespace crumple::model
