// Every member of the model's structs, listed once; references to nodes or elements are marked.
//
// Models are sent (byte_archive.hpp) and cut (decomposition/cut.cpp) with these lists. The number of members
// is checked at compile time: a member that is not listed here does not build.
#pragma once

#include <set>

#include "base/field_count.hpp"
#include "model/model.hpp"

namespace crumple::model {

// What reads an input and makes it a feature: the headers of inputs declare functions with these.
class Builder;
class Feature;
struct Doubt;

/// A LocalId of a node, or any arrays of them.
template <class T>
struct NodesOf {
  T& index;
};
template <class T>
NodesOf<T> nodes_of(T& index) {
  return {index};
}

/// The same for elements of one kind.
template <class T>
struct ElementsOf {
  T& index;
  ElementKind kind;
};
template <class T>
ElementsOf<T> elements_of(T& index, ElementKind kind) {
  return {index, kind};
}

/// The same for curves.
template <class T>
struct CurvesOf {
  T& index;
};
template <class T>
CurvesOf<T> curves_of(T& index) {
  return {index};
}

/// Collects the referenced curves; kNone where a curve is not given.
struct CurveCollector {
  std::set<LocalId>& curves;
  void operator()(CurvesOf<LocalId>& curve) { curves.insert(curve.index); }
  template <class T>
  void operator()(T&) {}
};

/// Calls `visitor` with all members of `s` in turn. A name without fields is base/members.hpp's.
template <class S, class V, class... Fields>
requires(sizeof...(Fields) > 0) void members(V& visitor, S&, Fields&&... fields) {
  static_assert(sizeof...(Fields) == field_count<S>(), "a member is missing in its struct's list of fields");
  (visitor(fields), ...);
}

template <class V>
void fields(V& v, Place& s) {
  members(v, s, s.file, s.line, s.card, s.field);
}
template <class V>
void fields(V& v, Nodes& s) {
  members(v, s, s.id, s.x);
}
template <class V>
void fields(V& v, Shells& s) {
  members(v, s, s.id, s.order, s.part, nodes_of(s.nodes), s.thickness, s.offset, s.angle, s.system,
          s.section);
}
template <class V>
void fields(V& v, Solids& s) {
  members(v, s, s.id, s.order, s.part, nodes_of(s.nodes), nodes_of(s.middle), s.angle, s.axis_a, s.axis_d);
}
template <class V>
void fields(V& v, Beams& s) {
  members(v, s, s.id, s.order, s.part, nodes_of(s.nodes), s.joins, s.direction, s.section);
}
template <class V>
void fields(V& v, Discretes& s) {
  members(v, s, s.id, s.order, s.part, nodes_of(s.nodes), s.orientation, s.scale, s.offset);
}
template <class V>
void fields(V& v, SphParticles& s) {
  members(v, s, s.id, s.order, s.part, nodes_of(s.nodes), s.mass, s.length);
}
template <class V>
void fields(V& v, Masses& s) {
  members(v, s, s.id, nodes_of(s.node), s.mass, s.inertia);
}
template <class V>
void fields(V& v, PartMass& s) {
  members(v, s, s.parts, s.added, s.final_mass, s.by_mass, s.id, s.place);
}
template <class V>
void fields(V& v, Friction& s) {
  members(v, s, s.fs, s.fd, s.dc, s.vc);
}
template <class V>
void fields(V& v, Part& s) {
  members(v, s, s.id, s.title, s.section, s.material, s.hourglass, s.drilling, s.stiffness_damping,
          s.own_offsets, s.kind, s.rigid_body, s.element_cost, s.contact_thickness_given, s.contact_thickness,
          s.contact_thickness_scale, s.contact_stiffness_scale, s.friction);
}
template <class V>
void fields(V& v, SphSection& s) {
  members(v, s, s.factor, s.least, s.most, s.length, s.birth, s.death);
}
template <class V>
void fields(V& v, BeamRule& s) {
  members(v, s, s.id, s.shape, s.refinement, s.relative_area, s.size, s.sref, s.tref, s.points);
}
template <class V>
void fields(V& v, Section& s) {
  members(v, s, s.id, s.kind, s.elform, s.shear_factor, s.nip, s.quadrature, s.thickness, s.nloc, s.marea,
          s.angles, s.plies, s.own_rule, s.parabolic_shear, s.cross_section, s.ts, s.tt, s.nsloc, s.ntloc,
          s.rule, s.area, s.iss, s.itt, s.j, s.shear_area, s.ramp_time, s.initial_stress, s.nsm, s.rotational,
          s.kd, s.v0, s.clearance, s.fail_deflection, s.compression_limit, s.tension_limit, s.sph);
}
template <class V>
void fields(V& v, PartDamping& s) {
  members(v, s, s.parts, s.curve, s.scale, s.translation, s.rotation);
}
template <class V>
void fields(V& v, Material& s) {
  members(v, s, s.id, s.law, s.name, s.density, s.fields, s.place);
}
template <class V>
void fields(V& v, Curve& s) {
  members(v, s, s.id, s.x, s.y, s.goes_on, s.sidr, s.formula_until);
}
template <class V>
void fields(V& v, Table& s) {
  members(v, s, s.id, s.value, s.curve);
}
template <class V>
void fields(V& v, Surface& s) {
  members(v, s, s.segments, s.lines, s.sharers, nodes_of(s.nodes), s.node_thickness, s.node_part,
          s.node_plane, nodes_of(s.node_frame), s.node_neighbours, s.segment_neighbours, s.line_neighbours);
}
template <class V>
void fields(V& v, Tiebreak& s) {
  members(v, s, s.failure, s.normal, s.shear, s.normal_power, s.shear_power, s.distance, s.exponent,
          s.benzeggagh_kenane, s.energy_1, s.energy_2, s.ratio, s.stiffness);
}
template <class V>
void fields(V& v, BreakingTie& s) {
  members(v, s, s.tie, s.area, s.node_share);
}
template <class V>
void fields(V& v, PairFriction& s) {
  members(v, s, s.one, s.other, s.friction);
}
template <class V>
void fields(V& v, FrictionTable& s) {
  members(v, s, s.given, s.otherwise, s.pairs);
}
template <class V>
void fields(V& v, ForceCurve& s) {
  members(v, s, s.curve, s.pressure, s.unloading, s.damping, s.damping_scale);
}
template <class V>
void fields(V& v, Contact& s) {
  members(v, s, s.id, s.title, s.type, s.input_a, s.input_b, s.a, s.b, s.fs, s.fd, s.dc, s.vc, s.vdc,
          s.friction_of_parts, s.pairs, s.birth, s.death, s.sfa, s.sfb, s.sta, s.stb, s.sfta, s.sftb, s.fsf,
          s.vsf, s.soft, s.sofscl, s.ignore, s.push_out_time, s.depth, s.interior_edges, s.edges_only,
          s.without_beams, s.beams_on_surface, s.forming, s.orien, s.by_curve, s.reference_planes,
          s.nodes_stay, s.ignroff, s.solid_thickness, s.solid_modulus, s.edge_scale, s.friction_scale,
          s.stiffness_step, s.penopt, s.slsfac, s.shlthk, s.whole_thickness, s.a_in_ncforc, s.b_in_ncforc,
          s.eroding, s.symmetric, s.whole_boundary, s.keeps_loose_nodes, s.measures_ties, s.offset, s.backup,
          s.maxpar, s.ties, s.springs, s.tiebreak, s.only_ties, s.breaking, s.place);
}
template <class V>
void fields(V& v, InteriorContact& s) {
  members(v, s, s.parts, s.scale, s.activation, s.modulus, s.form);
}
template <class V>
void fields(V& v, LumpedInertia& s) {
  members(v, s, nodes_of(s.node), s.mass, s.point, s.inertia);
}
template <class V>
void fields(V& v, RigidBody& s) {
  members(v, s, s.part_id, s.nodal, s.place, s.parts, nodes_of(s.nodes), s.cmo, s.con1, s.con2, s.system,
          s.local_mask, s.inertia_given, s.mass, s.centre, s.inertia, s.velocity_given, s.v, s.w, s.lumps,
          nodes_of(s.centre_node));
}
template <class V>
void fields(V& v, Interpolation& s) {
  members(v, s, s.id, nodes_of(s.node), s.mask, nodes_of(s.nodes), s.weights);
}
template <class V>
void fields(V& v, NodeTie& s) {
  members(v, s, s.id, s.mask, s.failure_time, nodes_of(s.nodes));
}
template <class V>
void fields(V& v, CrossSection& s) {
  members(v, s, s.id, s.title, nodes_of(s.nodes), elements_of(s.shells, ElementKind::shell),
          elements_of(s.solids, ElementKind::solid), elements_of(s.beams, ElementKind::beam),
          elements_of(s.discretes, ElementKind::discrete), s.rigid_body, s.system, s.frame_id);
}
template <class V>
void fields(V& v, FeatureHistory& s) {
  members(v, s, s.name, s.interval, s.binary);
}
template <class V>
void fields(V& v, Dumps& s) {
  members(v, s, s.d3dump, s.runrsf, s.runrsf_files, s.suppressed);
}
template <class V>
void fields(V& v, OutputControl& s) {
  members(v, s, s.d3plot, s.glstat, s.matsum, s.rcforc, s.rwforc, s.nodout, s.rbdout, s.jntforc, s.elout,
          s.spcforc, s.swforc, s.secforc, s.bndout, s.sleout, s.ncforc, s.sleout_binary, s.ncforc_binary,
          s.swforc_binary, s.spcforc_binary, s.secforc_binary, s.bndout_binary, s.glstat_binary,
          s.matsum_binary, s.rcforc_binary, s.rwforc_binary, s.nodout_binary, s.rbdout_binary,
          s.jntforc_binary, s.of_features, s.neiph, s.neips, s.maxint, s.strflg, s.sigflg, s.epsflg, s.rltflg,
          s.engflg, s.ieverp, s.dcomp, s.msscl, s.dumps, nodes_of(s.history_nodes), s.deforc, s.elout_binary,
          s.deforc_binary, elements_of(s.history_shells, ElementKind::shell),
          elements_of(s.history_solids, ElementKind::solid), elements_of(s.history_beams, ElementKind::beam),
          elements_of(s.history_discretes, ElementKind::discrete), s.intfor);
}
template <class V>
void fields(V& v, Relaxation& s) {
  members(v, s, s.active, s.implicit, s.parts, s.cycles, s.tolerance, s.factor, s.end_time, s.step_scale);
}
template <class V>
void fields(V& v, StepSizes& s) {
  members(v, s, s.first, s.automatic, s.best_iterations, s.window, s.smallest, s.largest, s.by_curve,
          s.largest_by_curve);
}
template <class V>
void fields(V& v, Iterations& s) {
  members(v, s, s.method, s.between_reforms, s.most_reforms, s.displacement, s.energy, s.residual,
          s.line_search, s.absolute, s.total_displacement, s.reform_if_divergent, s.steps_between_reforms,
          s.print, s.norm);
}
template <class V>
void fields(V& v, ArcLength& s) {
  members(v, s, s.active, s.begin, s.factor);
}
template <class V>
void fields(V& v, Dynamics& s) {
  members(v, s, s.active, s.share, s.gamma, s.beta, s.alpha, s.birth, s.death, s.burial);
}
template <class V>
void fields(V& v, Eigenvalues& s) {
  members(v, s, s.count, s.by_curve, s.centre, s.from_left, s.left, s.to_right, s.right, s.first_elastic);
}
template <class V>
void fields(V& v, Buckling& s) {
  members(v, s, s.count);
}
template <class V>
void fields(V& v, InertiaRelief& s) {
  members(v, s, s.active, s.threshold, s.count, s.modes);
}
template <class V>
void fields(V& v, Switching& s) {
  members(v, s, s.curve, s.where_it_fails, s.implicit_end, s.explicit_time, s.failures, s.cycles, s.rest);
}
template <class V>
void fields(V& v, Springback& s) {
  members(v, s, s.active, s.steps, s.as_long, s.parts, s.held);
}
template <class V>
void fields(V& v, IterativeSolver& s) {
  members(v, s, s.active, s.most_iterations, s.absolute, s.relative);
}
template <class V>
void fields(V& v, Implicit& s) {
  members(v, s, s.active, s.whole, s.steps, s.iterations, s.arc, s.dynamics, s.eigenvalues, s.buckling,
          s.relief, s.switching, s.springback, s.mumps, s.iterative, s.stop_if_negative, s.drilling,
          s.hold_unattached, s.unattached);
}
template <class V>
void fields(V& v, SphControl& s) {
  members(v, s, s.renormalised, s.parts_interact, s.solid_viscosity, s.erodes, s.birth, s.death,
          s.most_speed);
}
template <class V>
void fields(V& v, Control& s) {
  members(v, s, s.title, s.units, s.end_time, s.end_cycle, s.min_step_factor, s.end_energy_ratio, s.end_mass,
          s.cpu_limit, s.step_scale, s.dt_init, s.dt2ms, s.ms1st, s.erode, s.dt_curve, s.istupd, s.bwc,
          s.mass_damping, s.damping_curve, s.damping_constant, s.damping_st, s.damping_sr, s.relaxation,
          s.implicit, s.sph);
}

// Structs that are sent as they are in memory; their lists are for renumbering.
template <class V>
void fields(V& v, NodeConstraint& s) {
  members(v, s, nodes_of(s.node), s.mask, s.system, s.birth, s.death, s.id);
}
template <class V>
void fields(V& v, PrescribedMotion& s) {
  members(v, s, nodes_of(s.node), s.rigid_body, s.dof, s.kind, s.curve, s.scale, s.direction, s.axis_point,
          s.local, s.birth, s.death, s.id);
}
template <class V>
void fields(V& v, InitialVelocity& s) {
  members(v, s, nodes_of(s.node), s.v, s.w);
}
template <class V>
void fields(V& v, Weld& s) {
  members(v, s, s.id, nodes_of(s.nodes), s.normal_strength, s.shear_strength, s.normal_power, s.shear_power,
          s.failure_time, s.filter, s.window, s.failure_strain);
}
template <class V>
void fields(V& v, Segment& s) {
  members(v, s, s.order, nodes_of(s.nodes), s.part, s.kind, elements_of(s.element, s.kind), s.thickness,
          s.plane, s.asleep, s.twin);
}
template <class V>
void fields(V& v, ContactLine& s) {
  members(v, s, s.order, nodes_of(s.nodes), nodes_of(s.beyond), s.beyond_order, s.part, s.kind,
          elements_of(s.element, s.kind), s.shared, s.radius);
}
template <class V>
void fields(V& v, LineSharer& s) {
  members(v, s, s.line, s.kind, elements_of(s.element, s.kind), s.part, s.place, s.radius);
}
template <class V>
void fields(V& v, Tie& s) {
  members(v, s, nodes_of(s.node), nodes_of(s.nodes), s.weight, s.arm, s.kind, elements_of(s.element, s.kind),
          s.rotations, s.torsion, s.level);
}

template <class V>
void fields(V& v, Model& s) {
  members(v, s, s.features, s.nodes, s.shells, s.solids, s.beams, s.discretes, s.particles, s.masses,
          s.part_masses, s.parts, s.part_damping, s.sections, s.materials, s.curves, s.tables, s.systems,
          s.vectors, s.constraints, s.motions, s.initial_velocities, s.rigid_bodies, s.supports, s.welds,
          s.node_ties, s.interpolations, s.contacts, s.interiors, s.cross_sections, s.output, s.control,
          s.sets);
}

}  // namespace crumple::model
