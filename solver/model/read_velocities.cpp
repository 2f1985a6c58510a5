// *INITIAL_VELOCITY in its forms. Later input replaces earlier input, node by node and body by body.
#include <algorithm>

#include "model/builder.hpp"

namespace crumple::model {
namespace {

class VelocityReader {
 public:
  explicit VelocityReader(Builder& build)
      : build_(build), model_(build.model), v_(model_.nodes.size()), w_(v_.size()), set_(v_.size(), false) {}

  void read() {
    for (const Keyword& k : build_.deck.family("INITIAL_VELOCITY"))
      for (const Record& r : k.records()) {
        label_ = Builder::star(k);
        if (k.name() == "INITIAL_VELOCITY") all(r);
        if (k.name() == "INITIAL_VELOCITY_NODE") node(r);
        if (k.name() == "INITIAL_VELOCITY_GENERATION") generation(r);
        if (k.name() == "INITIAL_VELOCITY_RIGID_BODY") body(r);
      }
    for (std::size_t n = 0; n < v_.size(); ++n)
      if (set_[n]) model_.initial_velocities.push_back({static_cast<LocalId>(n), v_[n], w_[n]});
  }

 private:
  static Vec3 vector_of(const Record& r, const char* x, const char* y, const char* z) {
    return {r.real(x), r.real(y), r.real(z)};
  }

  void put(LocalId n, const Vec3& v, const Vec3& w) {
    const auto i = static_cast<std::size_t>(n);
    v_[i] = v, w_[i] = w, set_[i] = true;
  }

  void all(const Record& r) {
    const LocalId system =
        build_.find_system(r.integer("ICID"), label_, r.place("ICID"), Builder::Use::at_start);
    const Vec3 v = build_.to_global(system, vector_of(r, "VX", "VY", "VZ"));
    const Vec3 w = build_.to_global(system, vector_of(r, "VXR", "VYR", "VZR"));
    const GlobalId set_id = r.integer("NSID"), exempt_id = r.integer("NSIDEX"), box_id = r.integer("BOXID");
    const Box* const box = box_id == 0 ? nullptr : build_.find_box(box_id, label_, r.place("BOXID"));
    if (box_id != 0 && !box) return;
    if (set_id != 0) {
      if (const NodeSet* const set = build_.find_node_set(set_id, label_, r.place("NSID")))
        for (const LocalId n : set->nodes)
          if (inside(box, n)) put(n, v, w);
    } else {
      for (LocalId n = 0; n < static_cast<LocalId>(v_.size()); ++n)
        if (inside(box, n)) put(n, v, w);
    }
    // Exempted nodes have velocities of their own, card 3.
    if (exempt_id != 0) {
      const Vec3 ve = build_.to_global(system, vector_of(r, "VXE", "VYE", "VZE"));
      const Vec3 we = build_.to_global(system, vector_of(r, "VXRE", "VYRE", "VZRE"));
      if (const NodeSet* const set = build_.find_node_set(exempt_id, label_, r.place("NSIDEX")))
        for (const LocalId n : set->nodes) put(n, ve, we);
    }
    overwrite_bodies(r, box, v, w);
  }

  bool inside(const Box* box, LocalId n) const {
    return !box || box->contains(model_.nodes.x[static_cast<std::size_t>(n)]);
  }

  // IRIGID: bodies with velocities of *PART_INERTIA get these instead: -1 those inside the box, -2 all,
  // positive those of a part set inside the box.
  void overwrite_bodies(const Record& r, const Box* box, const Vec3& v, const Vec3& w) {
    const GlobalId irigid = r.integer("IRIGID");
    if (irigid == 0) return;
    const PartSet* const set = irigid > 0 ? build_.find_part_set(irigid, label_, r.place("IRIGID")) : nullptr;
    if (irigid > 0 && !set) return;
    for (std::size_t b = 0; b < model_.rigid_bodies.size(); ++b) {
      RigidBody& body = model_.rigid_bodies[b];
      if (!body.inertia_given || (irigid != -2 && box && !box->contains(body.centre))) continue;
      const bool named = !set || std::any_of(set->parts.begin(), set->parts.end(), [&](LocalId p) {
        return model_.parts[static_cast<std::size_t>(p)].rigid_body == static_cast<LocalId>(b);
      });
      if (named) body.v = v, body.w = w;
    }
  }

  void node(const Record& r) {
    const LocalId system =
        build_.find_system(r.integer("ICID"), label_, r.place("ICID"), Builder::Use::at_start);
    const LocalId n = build_.find_node(r.integer("NID"), label_, r.place("NID"));
    if (n != kNone)
      put(n, build_.to_global(system, vector_of(r, "VX", "VY", "VZ")),
          build_.to_global(system, vector_of(r, "VXR", "VYR", "VZR")));
  }

  void body(const Record& r) {
    const LocalId system =
        build_.find_system(r.integer("ICID"), label_, r.place("ICID"), Builder::Use::at_start);
    const LocalId b = build_.find_rigid_body(r.integer("PID"), label_, r.place("PID"));
    if (b == kNone) return;
    RigidBody& body = model_.rigid_bodies[static_cast<std::size_t>(b)];
    body.velocity_given = true;
    body.v = build_.to_global(system, vector_of(r, "VX", "VY", "VZ"));
    body.w = build_.to_global(system, vector_of(r, "VXR", "VYR", "VZR"));
  }

  void generation(const Record& r) {
    const LocalId system =
        build_.find_system(r.integer("ICID"), label_, r.place("ICID"), Builder::Use::at_start);
    const Vec3 v = build_.to_global(system, vector_of(r, "VX", "VY", "VZ"));
    const Vec3 centre = vector_of(r, "XC", "YC", "ZC");
    const double omega = r.real("OMEGA");
    Vec3 w;
    if (omega != 0.0 && !axis(r, system, w)) return;
    w *= omega;
    std::vector<LocalId> chosen_parts;
    for (const LocalId n : chosen(r, chosen_parts))
      put(n, v + cross(w, model_.nodes.x[static_cast<std::size_t>(n)] - centre), w);
    if (r.integer("IRIGID") != 1) return;
    for (const LocalId p : chosen_parts)
      if (const LocalId b = model_.parts[static_cast<std::size_t>(p)].rigid_body; b != kNone) {
        RigidBody& body = model_.rigid_bodies[static_cast<std::size_t>(b)];
        if (!body.inertia_given) continue;
        body.v = v + cross(w, body.centre - centre);
        body.w = w;
      }
  }

  // Direction of the rotation axis: given, or with NX = -999 through the nodes NY and NZ.
  bool axis(const Record& r, LocalId system, Vec3& direction) {
    if (r.real("NX") == -999.0) {
      const LocalId a = build_.find_node(r.integer("NY"), label_, r.place("NY"));
      const LocalId b = build_.find_node(r.integer("NZ"), label_, r.place("NZ"));
      if (a == kNone || b == kNone) return false;
      direction = model_.nodes.x[static_cast<std::size_t>(b)] - model_.nodes.x[static_cast<std::size_t>(a)];
    } else {
      direction = build_.to_global(system, vector_of(r, "NX", "NY", "NZ"));
    }
    if (norm(direction) == 0.0) {
      build_.error("CR-D310", fmt::format("{}: OMEGA needs an axis NX, NY, NZ", label_), r.place("NX"));
      return false;
    }
    direction *= 1.0 / norm(direction);
    return true;
  }

  std::vector<LocalId> chosen(const Record& r, std::vector<LocalId>& chosen_parts) {
    const GlobalId id = r.integer("ID"), type = r.integer("STYP");
    std::vector<LocalId> out;
    if (id == 0) {
      for (std::size_t n = 0; n < v_.size(); ++n) out.push_back(static_cast<LocalId>(n));
      for (std::size_t p = 0; p < model_.parts.size(); ++p) chosen_parts.push_back(static_cast<LocalId>(p));
      return out;
    }
    if (type == 3) {
      if (const NodeSet* const set = build_.find_node_set(id, label_, r.place("ID"))) out = set->nodes;
      return out;
    }
    if (type == 1) {
      if (const PartSet* const set = build_.find_part_set(id, label_, r.place("ID")))
        chosen_parts = set->parts;
    } else if (type == 2) {
      if (const LocalId p = build_.find_part(id, label_, r.place("ID")); p != kNone)
        chosen_parts.push_back(p);
    } else {
      build_.error("CR-D310", fmt::format("{}: STYP = {} is none of 1, 2, 3", label_, type), r.place("STYP"));
    }
    for (const LocalId p : chosen_parts) add_part(p, out);
    return out;
  }

  // A rigid part moves as a whole, with the parts merged into its body and the extra nodes.
  void add_part(LocalId p, std::vector<LocalId>& out) {
    const auto& nodes = build_.nodes_of_part(p);
    out.insert(out.end(), nodes.begin(), nodes.end());
    const LocalId b = model_.parts[static_cast<std::size_t>(p)].rigid_body;
    if (b == kNone) return;
    const RigidBody& body = model_.rigid_bodies[static_cast<std::size_t>(b)];
    if (model_.parts[static_cast<std::size_t>(p)].id == body.part_id)
      out.insert(out.end(), body.nodes.begin(), body.nodes.end());
  }

  Builder& build_;
  Model& model_;
  std::string label_;
  std::vector<Vec3> v_, w_;
  std::vector<bool> set_;
};

}  // namespace

void Builder::read_velocities() { VelocityReader(*this).read(); }

}  // namespace crumple::model
