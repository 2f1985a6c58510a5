// Rigid bodies: parts of *MAT_RIGID or switched by *DEFORMABLE_TO_RIGID, merged, with their extra nodes.
#include <algorithm>
#include <cmath>
#include <numeric>

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

class RigidBodyReader {
 public:
  explicit RigidBodyReader(Builder& build)
      : build_(build), model_(build.model), rigid_(model_.parts.size()), lead_(model_.parts.size()) {
    std::iota(lead_.begin(), lead_.end(), 0);
  }

  void read() {
    find_rigid_parts();
    read_switched_parts();
    read_merged_parts();
    merge_parts_that_share_nodes();
    make_bodies();
    read_extra_nodes();
    for (RigidBody& body : model_.rigid_bodies) build_.sort_nodes(body.nodes);
  }

 private:
  const Part& part(LocalId i) const { return model_.parts[static_cast<std::size_t>(i)]; }
  const Material* material(LocalId i) const {
    const LocalId m = part(i).material;
    return m == kNone ? nullptr : &model_.materials[static_cast<std::size_t>(m)];
  }
  bool of_rigid_material(LocalId i) const { return material(i) && material(i)->law == 20; }

  LocalId root(LocalId i) {
    while (lead_[static_cast<std::size_t>(i)] != i) i = lead_[static_cast<std::size_t>(i)];
    return i;
  }

  void merge(LocalId lead, LocalId other) {
    const LocalId a = root(lead), b = root(other);
    if (a != b) lead_[static_cast<std::size_t>(b)] = a;
  }

  void find_rigid_parts() {
    for (LocalId i = 0; i < static_cast<LocalId>(rigid_.size()); ++i)
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
        const LocalId lead =
            lead_id == 0 ? kNone : build_.find_part(lead_id, Builder::star(k), r.place("LRB"));
        for (const LocalId p : switched) {
          if (part(p).kind == ElementKind::none) continue;
          rigid_[static_cast<std::size_t>(p)] = true;
          if (lead != kNone) merge(lead, p);
        }
      }
  }

  void read_merged_parts() {
    for (const Keyword& k : build_.deck.all("CONSTRAINED_RIGID_BODIES"))
      for (const Record& r : k.records()) {
        const LocalId lead = build_.find_part(r.integer("PIDL"), Builder::star(k), r.place("PIDL"));
        const LocalId other = build_.find_part(r.integer("PIDC"), Builder::star(k), r.place("PIDC"));
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

  // A node can follow one body only: parts that share nodes move as one.
  void merge_parts_that_share_nodes() {
    std::vector<LocalId> owner(model_.nodes.size(), kNone);
    std::set<std::pair<LocalId, LocalId>> told;
    for (LocalId p = 0; p < static_cast<LocalId>(rigid_.size()); ++p) {
      if (!rigid_[static_cast<std::size_t>(p)] || part(p).kind == ElementKind::none) continue;
      for (const LocalId n : build_.nodes_of_part(p)) {
        LocalId& other = owner[static_cast<std::size_t>(n)];
        if (other == kNone) other = p;
        const LocalId a = root(other), b = root(p);
        if (a == b) continue;
        const bool b_leads = leads(b, a);
        merge(b_leads ? b : a, b_leads ? a : b);
        if (told.emplace(std::min(a, b), std::max(a, b)).second)
          build_.warn(
              "CR-D332",
              fmt::format("rigid parts {} and {} share node {}: they are merged, led by part {}", part(a).id,
                          part(b).id, model_.nodes.id[static_cast<std::size_t>(n)], part(root(a)).id),
              {});
      }
    }
  }

  // Which of two bodies gives its constraints to both: the one that has some, then the one with the lower
  // number.
  bool leads(LocalId a, LocalId b) const {
    const auto constrained = [&](LocalId i) {
      return of_rigid_material(i) && material(i)->field("CMO") != 0.0;
    };
    if (constrained(a) != constrained(b)) return constrained(a);
    return part(a).id < part(b).id;
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
      body.parts.push_back(p);
      model_.parts[static_cast<std::size_t>(p)].rigid_body = index;
      if (p != lead) check_follower(p, lead);
      for (const LocalId n : build_.nodes_of_part(p)) {
        body.nodes.push_back(n);
        build_.body_of_node[static_cast<std::size_t>(n)] = index;
      }
    }
  }

  void check_follower(LocalId p, LocalId lead) {
    if (of_rigid_material(p) && material(p)->field("CMO") != 0.0 && material(p) != material(lead))
      build_.warn("CR-D332",
                  fmt::format("the constraints CMO of part {} do not count: part {} leads their body",
                              part(p).id, part(lead).id),
                  material(p)->place);
    if (build_.inertia_records.contains(p))
      build_.warn("CR-D332",
                  fmt::format("the inertia of part {} does not count: part {} leads their body", part(p).id,
                              part(lead).id),
                  build_.inertia_records.at(p).place());
  }

  RigidBody new_body(LocalId lead) {
    RigidBody body;
    body.part_id = part(lead).id;
    if (of_rigid_material(lead)) read_constraints(*material(lead), body);
    if (const auto it = build_.inertia_records.find(lead); it != build_.inertia_records.end())
      read_inertia(it->second, body);
    return body;
  }

  void read_constraints(const Material& m, RigidBody& body) {
    body.cmo = static_cast<int>(std::lround(m.field("CMO")));
    const auto code1 = std::lround(m.field("CON1")), code2 = std::lround(m.field("CON2"));
    const std::string label = fmt::format("*MAT_RIGID {}", m.id);
    if (body.cmo == 1) {
      if (code1 < 0 || code1 > 7 || code2 < 0 || code2 > 7)
        build_.error("CR-D310",
                     fmt::format("{}: CON1 = {} and CON2 = {} must be 0 to 7", label, code1, code2), m.place);
      body.con1 = static_cast<int>(code1);
      body.con2 = static_cast<int>(code2);
    } else if (body.cmo == -1) {
      // CON1 is a frame, CON2 six digits: x y z rx ry rz.
      body.system = build_.find_system(code1, label, m.place);
      long digits = code2;
      for (int k = 5; k >= 0; --k, digits /= 10)
        if (digits % 10 != 0) body.local_mask |= static_cast<std::uint8_t>(1u << k);
    } else if (body.cmo != 0) {
      build_.error("CR-D310", fmt::format("{}: CMO = {} must be -1, 0 or 1", label, body.cmo), m.place);
    }
  }

  void read_inertia(const Record& r, RigidBody& body) {
    const std::string label = fmt::format("*PART_INERTIA {}", body.part_id);
    body.inertia_given = true;
    body.mass = r.real("TM");
    if (body.mass <= 0.0)
      build_.error("CR-D310", fmt::format("{}: mass TM = {} must be positive", label, body.mass),
                   r.place("TM"));
    body.centre = {r.real("XC"), r.real("YC"), r.real("ZC")};
    if (const GlobalId node = r.integer("NODEID"); node != 0) {
      const LocalId n = build_.find_node(node, label, r.place("NODEID"));
      if (n != kNone) body.centre = model_.nodes.x[static_cast<std::size_t>(n)];
    }
    body.inertia = {r.real("IXX"), r.real("IYY"), r.real("IZZ"), r.real("IXY"), r.real("IYZ"), r.real("IXZ")};
    if (r.integer("IRCS") == 1) body.inertia = rotate(body.inertia, inertia_axes(r, label));
    // Its velocities count even when they are zero, unless IRIGID of *INITIAL_VELOCITY says otherwise.
    body.velocity_given = true;
    body.v = {r.real("VTX"), r.real("VTY"), r.real("VTZ")};
    body.w = {r.real("VRX"), r.real("VRY"), r.real("VRZ")};
  }

  std::array<Vec3, 3> inertia_axes(const Record& r, const std::string& label) {
    if (const GlobalId id = r.integer("CID"); id != 0) {
      const LocalId s = build_.find_system(id, label, r.place("CID"));
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
          const LocalId p = build_.find_part(r.integer("PID"), Builder::star(k), r.place("PID"));
          std::vector<LocalId> extra;
          if (by_set) {
            if (const NodeSet* const set =
                    build_.find_node_set(r.integer("NSID"), Builder::star(k), r.place("NSID")))
              extra = set->nodes;
          } else if (const LocalId n = build_.find_node(r.integer("NID"), Builder::star(k), r.place("NID"));
                     n != kNone) {
            extra.push_back(n);
          }
          if (p == kNone) continue;
          if (part(p).rigid_body == kNone)
            build_.error("CR-D310", fmt::format("{}: part {} is not rigid", Builder::star(k), part(p).id),
                         r.place());
          else
            add_nodes(part(p).rigid_body, extra, Builder::star(k), r.place());
        }
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

  Builder& build_;
  Model& model_;
  std::vector<bool> rigid_;
  std::vector<LocalId> lead_;
};

}  // namespace

void Builder::read_rigid_bodies() { RigidBodyReader(*this).read(); }

}  // namespace crumple::model
