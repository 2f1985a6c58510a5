// Every member of the model's structs, listed once for both directions.
//
// The count of members is checked at compile time: a member added to a struct and not here does not build.
#include "model/archive.hpp"

#include <cstring>
#include <map>
#include <type_traits>

#include "base/field_count.hpp"

namespace crumple::model {

namespace {

class Writer {
 public:
  explicit Writer(std::vector<std::byte>& out) : out_(out) {}
  static constexpr bool reading = false;
  void bytes(void* data, std::size_t n) {
    const auto* p = static_cast<const std::byte*>(data);
    out_.insert(out_.end(), p, p + n);
  }

 private:
  std::vector<std::byte>& out_;
};

class Reader {
 public:
  explicit Reader(const std::vector<std::byte>& in) : in_(in) {}
  static constexpr bool reading = true;
  void bytes(void* data, std::size_t n) {
    std::memcpy(data, in_.data() + at_, n);
    at_ += n;
  }

 private:
  const std::vector<std::byte>& in_;
  std::size_t at_ = 0;
};

template <class A, class T>
requires std::is_trivially_copyable_v<T>
void archive(A& a, T& value) { a.bytes(&value, sizeof(T)); }

template <class A, class T>
std::size_t archive_size(A& a, const T& container) {
  std::size_t n = container.size();
  a.bytes(&n, sizeof n);
  return n;
}

template <class A>
void archive(A& a, std::string& text) {
  text.resize(archive_size(a, text));
  a.bytes(text.data(), text.size());
}

template <class A, class T>
void archive(A& a, std::vector<T>& items);

template <class A>
void archive(A& a, std::map<std::string, double>& items) {
  const std::size_t n = archive_size(a, items);
  if constexpr (A::reading) {
    for (std::size_t i = 0; i < n; ++i) {
      std::string key;
      archive(a, key);
      archive(a, items[key]);
    }
  } else {
    for (auto& [key, value] : items) {
      std::string k = key;
      archive(a, k);
      archive(a, value);
    }
  }
}

/// The members of one struct, all of them.
template <class T, class A, class... Fields>
void members(A& a, T&, Fields&... fields) {
  static_assert(sizeof...(Fields) == field_count<T>(), "a member is missing in archive.cpp");
  (archive(a, fields), ...);
}

template <class A>
void archive(A& a, Place& s) {
  members(a, s, s.file, s.line, s.card, s.field);
}
template <class A>
void archive(A& a, Nodes& s) {
  members(a, s, s.id, s.x);
}
template <class A>
void archive(A& a, Shells& s) {
  members(a, s, s.id, s.order, s.part, s.nodes, s.thickness, s.offset);
}
template <class A>
void archive(A& a, Solids& s) {
  members(a, s, s.id, s.order, s.part, s.nodes);
}
template <class A>
void archive(A& a, Beams& s) {
  members(a, s, s.id, s.order, s.part, s.nodes, s.joins, s.direction, s.section);
}
template <class A>
void archive(A& a, Discretes& s) {
  members(a, s, s.id, s.order, s.part, s.nodes, s.orientation, s.scale, s.offset);
}
template <class A>
void archive(A& a, Masses& s) {
  members(a, s, s.id, s.node, s.mass);
}
template <class A>
void archive(A& a, PartMass& s) {
  members(a, s, s.parts, s.added, s.final_mass, s.by_mass, s.id, s.place);
}
template <class A>
void archive(A& a, Part& s) {
  members(a, s, s.id, s.title, s.section, s.material, s.hourglass, s.drilling, s.stiffness_damping,
          s.own_offsets, s.kind, s.rigid_body, s.element_cost, s.contact_thickness_given, s.contact_thickness,
          s.contact_thickness_scale, s.contact_stiffness_scale);
}
template <class A>
void archive(A& a, PartDamping& s) {
  members(a, s, s.parts, s.curve, s.scale, s.translation, s.rotation);
}
template <class A>
void archive(A& a, Material& s) {
  members(a, s, s.id, s.law, s.name, s.density, s.fields, s.place);
}
template <class A>
void archive(A& a, Curve& s) {
  members(a, s, s.id, s.x, s.y, s.sidr);
}
template <class A>
void archive(A& a, Table& s) {
  members(a, s, s.id, s.value, s.curve);
}
template <class A>
void archive(A& a, Surface& s) {
  members(a, s, s.segments, s.lines, s.sharers, s.nodes, s.node_thickness, s.node_neighbours,
          s.segment_neighbours, s.line_neighbours);
}
template <class A>
void archive(A& a, Contact& s) {
  members(a, s, s.id, s.title, s.type, s.input_a, s.input_b, s.a, s.b, s.fs, s.fd, s.dc, s.vc, s.vdc, s.birth,
          s.death, s.sfa, s.sfb, s.sta, s.stb, s.sfta, s.sftb, s.fsf, s.vsf, s.soft, s.sofscl, s.ignore,
          s.depth, s.interior_edges, s.edges_only, s.penopt, s.slsfac, s.shlthk, s.whole_thickness,
          s.a_in_ncforc, s.b_in_ncforc, s.eroding, s.symmetric, s.whole_boundary, s.keeps_loose_nodes,
          s.measures_ties, s.offset, s.maxpar, s.ties, s.springs, s.place);
}
template <class A>
void archive(A& a, InteriorContact& s) {
  members(a, s, s.parts, s.scale, s.activation, s.modulus, s.form);
}
template <class A>
void archive(A& a, BodyLoad& s) {
  members(a, s, s.axis, s.curve, s.relaxation_curve, s.scale, s.centre, s.parts);
}
template <class A>
void archive(A& a, RigidWall& s) {
  members(a, s, s.id, s.title, s.shape, s.point, s.normal, s.edge1, s.edge2, s.length1, s.length2, s.length3,
          s.friction, s.critical_velocity, s.birth, s.death, s.moving, s.mass, s.v0, s.motion_curve,
          s.motion_kind, s.motion_direction, s.nodes);
}
template <class A>
void archive(A& a, RigidBody& s) {
  members(a, s, s.part_id, s.nodal, s.place, s.parts, s.nodes, s.cmo, s.con1, s.con2, s.system, s.local_mask,
          s.inertia_given, s.mass, s.centre, s.inertia, s.velocity_given, s.v, s.w, s.centre_node);
}
template <class A>
void archive(A& a, Joint& s) {
  members(a, s, s.id, s.title, s.type, s.bodies, s.points, s.stiffness_scale, s.damping_scale,
          s.results_body);
}
template <class A>
void archive(A& a, Airbag& s) {
  members(a, s, s.id, s.title, s.segments, s.nodes, s.volume_scale, s.pressure_scale, s.volume_offset,
          s.damping, s.coefficient, s.beta, s.coefficient_curve, s.relaxation_curve, s.along, s.curve,
          s.place);
}
template <class A>
void archive(A& a, Interpolation& s) {
  members(a, s, s.id, s.node, s.mask, s.nodes, s.weights);
}
template <class A>
void archive(A& a, NodeTie& s) {
  members(a, s, s.id, s.mask, s.failure_time, s.nodes);
}
template <class A>
void archive(A& a, CrossSection& s) {
  members(a, s, s.id, s.title, s.nodes, s.shells, s.solids, s.beams, s.discretes, s.rigid_body, s.system,
          s.frame_id);
}
template <class A>
void archive(A& a, OutputControl& s) {
  members(a, s, s.d3plot, s.glstat, s.matsum, s.rcforc, s.rwforc, s.nodout, s.rbdout, s.jntforc, s.abstat,
          s.elout, s.spcforc, s.swforc, s.secforc, s.bndout, s.sleout, s.ncforc, s.sleout_binary,
          s.ncforc_binary, s.swforc_binary, s.spcforc_binary, s.secforc_binary, s.bndout_binary,
          s.glstat_binary, s.matsum_binary, s.rcforc_binary, s.rwforc_binary, s.nodout_binary,
          s.rbdout_binary, s.jntforc_binary, s.abstat_binary, s.neiph, s.neips, s.maxint, s.strflg, s.sigflg,
          s.epsflg, s.rltflg, s.engflg, s.ieverp, s.dcomp, s.msscl, s.history_nodes, s.deforc, s.elout_binary,
          s.deforc_binary, s.history_shells, s.history_solids, s.history_beams, s.history_discretes);
}
template <class A>
void archive(A& a, Relaxation& s) {
  members(a, s, s.active, s.cycles, s.tolerance, s.factor, s.end_time, s.step_scale);
}
template <class A>
void archive(A& a, Control& s) {
  members(a, s, s.title, s.units, s.end_time, s.end_cycle, s.min_step_factor, s.end_energy_ratio, s.end_mass,
          s.step_scale, s.dt_init, s.dt2ms, s.ms1st, s.erode, s.dt_curve, s.istupd, s.bwc, s.mass_damping,
          s.damping_curve, s.damping_constant, s.damping_st, s.damping_sr, s.relaxation);
}

// Sets serve rank 0 only, which finds contact surfaces before it sends anybody a share.
template <class A>
void archive(A&, Sets&) {}

template <class A, class T>
void archive(A& a, std::vector<T>& items) {
  items.resize(archive_size(a, items));
  if constexpr (std::is_trivially_copyable_v<T>) {
    a.bytes(items.data(), items.size() * sizeof(T));
  } else {
    for (T& item : items) archive(a, item);
  }
}

template <class A>
void archive(A& a, Model& s) {
  members(a, s, s.nodes, s.shells, s.solids, s.beams, s.discretes, s.masses, s.part_masses, s.parts,
          s.part_damping, s.sections, s.materials, s.curves, s.tables, s.systems, s.vectors, s.constraints,
          s.motions, s.initial_velocities, s.nodal_loads, s.pressures, s.body_loads, s.walls, s.rigid_bodies,
          s.supports, s.joints, s.joint_stiffnesses, s.rigid_body_loads, s.airbags, s.welds, s.node_ties,
          s.interpolations, s.contacts, s.interiors, s.cross_sections, s.output, s.control, s.sets);
}

}  // namespace

std::vector<std::byte> pack(const Model& model) {
  std::vector<std::byte> bytes;
  Writer writer(bytes);
  archive(writer, const_cast<Model&>(model));  // a Writer only reads through the reference
  return bytes;
}

Model unpack(const std::vector<std::byte>& bytes) {
  Model model;
  Reader reader(bytes);
  archive(reader, model);
  return model;
}

}  // namespace crumple::model
