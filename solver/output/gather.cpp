// Gathers by order numbers, and reads element states into plot layers.
#include "output/gather.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "constraints/joint_stiffness/joint_stiffness.hpp"
#include "constraints/joints/joint.hpp"
#include "elements/beam/layout.hpp"
#include "elements/particle/layout.hpp"
#include "loads/entity/contact_entity.hpp"
#include "loads/rigid_wall/rigid_wall.hpp"
#include "output/boundary_forces.hpp"
#include "output/stress_factor.hpp"

namespace crumple::output {

using model::ElementKind;
using model::kNone;

namespace {

template <int N, class From>
Elements<N> catalogue_elements(const From& from) {
  Elements<N> to;
  to.id = from.id;
  to.part.assign(from.part.begin(), from.part.end());
  for (const auto& nodes : from.nodes) {
    std::array<std::int32_t, N> n{};
    for (int c = 0; c < N; ++c) n[c] = nodes[c] == kNone ? nodes[0] : nodes[c];
    to.nodes.push_back(n);
  }
  return to;
}

/// The segments at the start, by nodes of the surface.
std::vector<std::array<std::int32_t, 4>> side_segments(const model::Surface& surface) {
  std::unordered_map<LocalId, std::int32_t> at;
  for (std::size_t i = 0; i < surface.nodes.size(); ++i)
    at.emplace(surface.nodes[i], static_cast<std::int32_t>(i));
  std::vector<std::array<std::int32_t, 4>> segments;
  for (const model::Segment& segment : surface.segments) {
    const bool listed = std::ranges::all_of(segment.nodes, [&](LocalId n) { return at.contains(n); });
    if (segment.asleep || !listed) continue;
    std::array<std::int32_t, 4>& to = segments.emplace_back();
    std::ranges::transform(segment.nodes, to.begin(), [&](LocalId n) { return at.at(n); });
  }
  return segments;
}

/// Sides with SAPR or SBPR = 1.
std::vector<ContactSideInfo> contact_sides(const model::Model& whole) {
  std::vector<ContactSideInfo> sides;
  for (std::size_t c = 0; c < whole.contacts.size(); ++c) {
    const model::Contact& contact = whole.contacts[c];
    for (const bool b : {false, true}) {
      if (!(b ? contact.b_in_ncforc : contact.a_in_ncforc)) continue;
      const model::Surface& surface = b ? contact.b : contact.a;
      ContactSideInfo& side = sides.emplace_back();
      side.contact = static_cast<std::int32_t>(c);
      side.b = b;
      side.nodes.assign(surface.nodes.begin(), surface.nodes.end());
      if (whole.output.intfor > 0.0) side.segments = side_segments(surface);
    }
  }
  return sides;
}

}  // namespace

namespace {

/// The name of a number, empty if it has none.
std::string name_of(const std::map<GlobalId, std::string>& names, GlobalId id) {
  const auto found = names.find(id);
  return found == names.end() ? "" : found->second;
}

/// The chosen elements that have names.
std::vector<Named> named(const std::vector<LocalId>& chosen, const std::vector<GlobalId>& ids,
                         const std::map<GlobalId, std::string>& names) {
  std::vector<Named> result;
  for (const LocalId e : chosen)
    if (const std::string name = name_of(names, ids[e]); !name.empty()) result.push_back({ids[e], name});
  return result;
}

}  // namespace

Catalogue make_catalogue(const model::Model& whole, const model::HistoryNames& names) {
  Catalogue c;
  c.title = whole.control.title;
  c.node_id = whole.nodes.id;
  c.node_x = whole.nodes.x;
  c.solids = catalogue_elements<8>(whole.solids);
  for (const model::MiddleNodes& nodes : whole.solids.middle) {
    MiddleOfEdges& to = c.solid_middle.emplace_back();
    std::ranges::copy(nodes, to.begin());
  }
  c.beams = catalogue_elements<3>(whole.beams);
  c.shells = catalogue_elements<4>(whole.shells);
  c.particles = catalogue_elements<1>(whole.particles);
  for (const model::Part& part : whole.parts) {
    const int law = part.material == kNone ? 0 : whole.materials[part.material].law;
    c.parts.push_back({part.id, part.title, law, part.rigid_body != kNone, part.kind});
  }
  for (const auto& wall : whole.features.of<loads::RigidWall>()) c.walls.push_back({wall.id, wall.title});
  for (const auto& t : whole.features.of<loads::WallTransducer>()) c.walls.push_back({t.id, t.title});
  for (const model::Contact& contact : whole.contacts)
    c.contacts.push_back(
        {contact.id, contact.title, true, model::is_tied(contact.type) || !contact.b.nodes.empty()});
  for (const auto& e : whole.features.of<loads::ContactEntity>())
    c.contacts.push_back({e.id, e.title, true, true});
  if (whole.output.ncforc > 0.0 || whole.output.intfor > 0.0) c.contact_sides = contact_sides(whole);
  for (std::size_t e = 0; e < whole.beams.size(); ++e) {
    const model::Part& part = whole.parts[whole.beams.part[e]];
    if (part.rigid_body == kNone && whole.sections[part.section].elform == 9)
      c.welds.push_back({whole.beams.id[e], static_cast<std::int32_t>(e)});
  }
  for (const model::CrossSection& s : whole.cross_sections)
    c.sections.push_back({s.id, s.title, s.rigid_body != kNone ? s.frame_id : 0,
                          s.rigid_body == kNone && s.system != kNone ? s.frame_id : 0});
  c.held_nodes = held_nodes(whole);
  c.boundary = boundary_info(whole);
  for (const LocalId e : whole.output.history_discretes) {
    const model::Part& part = whole.parts[whole.discretes.part[e]];
    c.springs.push_back({whole.discretes.id[e], whole.sections[part.section].rotational,
                         name_of(names.discretes, whole.discretes.id[e])});
  }
  for (const constraints::Joint& j : whole.features.of<constraints::Joint>())
    c.joints.push_back({j.id, j.title, j.results_body != kNone});
  for (const constraints::JointStiffness& s : whole.features.of<constraints::JointStiffness>())
    c.joint_stiffnesses.push_back({s.id, "", false, static_cast<int>(s.kind)});
  for (const bool nodal : {false, true})
    for (std::size_t b = 0; b < whole.rigid_bodies.size(); ++b) {
      const model::RigidBody& body = whole.rigid_bodies[b];
      if (body.nodal != nodal || body.nodes.empty()) continue;
      const auto lead = std::find_if(whole.parts.begin(), whole.parts.end(),
                                     [&](const model::Part& part) { return part.id == body.part_id; });
      c.rigid_bodies.push_back({body.part_id, nodal || lead == whole.parts.end() ? "" : lead->title, nodal,
                                static_cast<std::int32_t>(b)});
    }
  for (const LocalId n : whole.output.history_nodes)
    c.history_nodes.push_back({whole.nodes.id[n], name_of(names.nodes, whole.nodes.id[n])});
  c.named_solids = named(whole.output.history_solids, whole.solids.id, names.solids);
  c.named_beams = named(whole.output.history_beams, whole.beams.id, names.beams);
  c.named_shells = named(whole.output.history_shells, whole.shells.id, names.shells);
  return c;
}

Layout make_layout(const model::Model& m) {
  Layout layout;
  layout.shell_layers = std::max(1, std::abs(m.output.maxint));
  layout.shell_history = m.output.neips;
  layout.solid_history = m.output.neiph;
  layout.strains = state::strains_asked(m.output);
  layout.added_mass = m.output.msscl > 0 && m.control.dt2ms != 0.0;
  return layout;
}

Gather::Gather(const parallel::Communicator& comm, const decomposition::Subdomain& subdomain, bool nodes)
    : comm_(&comm), local_beams_(subdomain.model.beams.size()) {
  beam_order_ = comm.gather<GlobalId>(subdomain.model.beams.order);
  if (!nodes) return;
  std::vector<GlobalId> order;
  owned_ = subdomain.nodes.owned();
  for (const LocalId n : owned_) order.push_back(subdomain.nodes.global()[static_cast<std::size_t>(n)]);
  node_order_ = comm.gather<GlobalId>(order);
}

std::vector<double> Gather::place(std::vector<double>&& gathered, const std::vector<GlobalId>& order,
                                  int width) const {
  GlobalId next = 0;
  if (std::all_of(order.begin(), order.end(), [&](GlobalId at) { return at == next++; }))
    return std::move(gathered);
  std::vector<double> placed(gathered.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    std::copy_n(gathered.begin() + i * width, width, placed.begin() + order[i] * width);
  return placed;
}

std::vector<double> Gather::nodes(std::span<const double> of_local_nodes, int width) const {
  std::vector<double> mine;
  mine.reserve(owned_.size() * width);
  for (const LocalId n : owned_)
    mine.insert(mine.end(), of_local_nodes.begin() + std::size_t(n) * width,
                of_local_nodes.begin() + std::size_t(n + 1) * width);
  return place(collect(std::move(mine)), node_order_, width);
}

std::vector<Vec3> Gather::nodes(std::span<const Vec3> of_local_nodes) const {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  const std::vector<double> flat =
      nodes(std::span(reinterpret_cast<const double*>(of_local_nodes.data()), 3 * of_local_nodes.size()), 3);
  std::vector<Vec3> vectors(flat.size() / 3);
  for (std::size_t i = 0; i < vectors.size(); ++i)
    vectors[i] = {flat[3 * i], flat[3 * i + 1], flat[3 * i + 2]};
  return vectors;
}

std::vector<double> Gather::beams(std::vector<double>&& of_beams, int width) const {
  return place(collect(std::move(of_beams)), beam_order_, width);
}

std::vector<double> Gather::collect(std::vector<double>&& mine) const {
  if (comm_->size() == 1) return std::move(mine);
  const std::vector<double> taken = std::move(mine);
  return comm_->gather<double>(taken);
}

namespace {

/// Plot values of this rank's elements of a piece; zero where there are none (rigid parts).
struct LocalStates {
  std::size_t first = 0;  ///< index of the first one
  int layers = 1, history = 0;
  std::vector<double> stress, plastic_strain, histories, resultant, strain, thickness, energy, alive;
  /// Stresses of the element that is being read, by layer: means over the in-plane points, as stored.
  std::vector<std::array<double, 6>> layer_stress;
  LocalStates(Range here, int layers_, int history_, int resultants, int strains = 0)
      : LocalStates(here.last - here.first, layers_, history_, resultants, strains) {
    first = here.first;
  }

 private:
  LocalStates(std::size_t n, int layers_, int history_, int resultants, int strains)
      : layers(layers_),
        history(history_),
        stress(n * layers * 6, 0.0),
        plastic_strain(n * layers, 0.0),
        histories(n * layers * history, 0.0),
        resultant(n * resultants, 0.0),
        strain(n * strains, 0.0),
        thickness(n, 0.0),
        energy(n, 0.0),
        alive(n, 1.0) {}
};

/// Mean over in-plane points of variable `k` at layer `layer` of `layers`.
double layer_mean(const state::GroupView& g, std::int32_t e, int k, int layer, int layers) {
  const int in_plane = g.layout.n_points / layers;
  double sum = 0.0;
  for (int p = 0; p < in_plane; ++p) sum += g.variable(e, k + (p * layers + layer) * g.layout.point_stride);
  return sum / in_plane;
}

/// One element's layers: each plot layer is the mean of the integration points in `picks`.
void read_layers(const state::GroupView& g, std::int32_t e, std::span<const Vec3> corners, int nip,
                 std::span<const LayerPick> picks, LocalStates& to) {
  const std::size_t element = g.element[e] - to.first;
  to.layer_stress.resize(static_cast<std::size_t>(nip));
  for (int layer = 0; layer < nip; ++layer)
    for (int c = 0; c < 6; ++c) to.layer_stress[layer][c] = layer_mean(g, e, g.layout.stress + c, layer, nip);
  const auto mean = [&](int k, const LayerPick& pick) {
    return 0.5 * (layer_mean(g, e, k, pick.first, nip) + layer_mean(g, e, k, pick.second, nip));
  };
  for (std::size_t layer = 0; layer < picks.size(); ++layer) {
    std::array<double, 6> local{}, global{};
    const auto &first = to.layer_stress[picks[layer].first], &second = to.layer_stress[picks[layer].second];
    for (int c = 0; c < 6; ++c) local[c] = stress_factor(g, c) * (0.5 * (first[c] + second[c]));
    global = local;
    if (g.layout.stress_is_local && g.ready.formulation->to_global)
      g.ready.formulation->to_global(corners.data(), local.data(), global.data());
    const std::size_t at = element * to.layers + layer;
    std::copy(global.begin(), global.end(), to.stress.begin() + 6 * at);
    to.plastic_strain[at] = mean(g.layout.plastic_strain, picks[layer]);
    for (int h = 0; h < to.history && h < g.ready.parameters.n_history; ++h)
      to.histories[at * to.history + h] = mean(g.layout.history + h, picks[layer]);
  }
}

double shell_area(std::span<const Vec3> x) {
  return x.size() == 3 ? 0.5 * norm(cross(x[1] - x[0], x[2] - x[0]))
                       : 0.5 * norm(cross(x[2] - x[0], x[3] - x[1]));
}

/// Resultants [mx my mxy qx qy nx ny nxy] in axes rotated about the normal; the new x is (c, s) in the old
/// axes.
void turn_resultants(double c, double s, double* r) {
  for (const int first : {0, 5}) {
    double* const t = r + first;
    const double xx = t[0], yy = t[1], xy = t[2];
    t[0] = c * c * xx + s * s * yy + 2 * c * s * xy;
    t[1] = s * s * xx + c * c * yy - 2 * c * s * xy;
    t[2] = c * s * (yy - xx) + (c * c - s * s) * xy;
  }
  const double qx = r[3], qy = r[4];
  r[3] = c * qx + s * qy, r[4] = c * qy - s * qx;
}

/// Rotates the resultants of a triangle to axes with x along its side 1-2. Its kernel starts with the deck's
/// third node (state::compact).
void turn_to_first_side(std::span<const Vec3> corners, double* resultant) {
  const Vec3 side = corners[1] - corners[0], first = corners[2] - corners[1];
  const double lengths = norm(side) * norm(first);
  const Vec3 normal = cross(side, corners[2] - corners[0]);
  if (lengths > 0 && norm(normal) > 0)
    turn_resultants(dot(side, first) / lengths, dot(cross(side, first), normal) / (lengths * norm(normal)),
                    resultant);
}

void read_shell(const state::GroupView& g, std::int32_t e, std::span<const Vec3> x,
                std::span<const LayerPick> picks, LocalStates& to) {
  std::array<Vec3, 4> corners{};
  const int n = g.ready.formulation->n_nodes;
  for (int a = 0; a < n; ++a) corners[a] = x[g.node(e, a)];
  const int nip = g.ready.parameters.section->nip;
  read_layers(g, e, corners, nip, picks, to);
  const std::size_t element = g.element[e] - to.first;
  const double thickness = g.variable(e, g.layout.thickness);
  to.thickness[element] = thickness;
  const double volume = thickness * shell_area({corners.data(), static_cast<std::size_t>(n)});
  to.energy[element] = volume > 0 ? g.element_energy(e, 0) / volume : 0.0;
  to.alive[element] = g.is_alive(e) ? 1.0 : 0.0;
  // Resultants per length from all layers, in element axes: moments -int z sigma dz (LS-DYNA's sign: positive
  // for compression of the upper surface), shear forces with SHRF, membrane forces.
  double* r = &to.resultant[8 * element];
  for (int layer = 0; layer < nip; ++layer) {
    const double weight = 0.5 * thickness * g.ready.parameters.layers[layer].weight;
    const double z = 0.5 * thickness * g.ready.parameters.layers[layer].zeta;
    const auto s = [&](int c) { return stress_factor(g, c) * to.layer_stress[layer][c]; };
    const double sx = s(0), sy = s(1), sxy = s(3), syz = s(4), szx = s(5);
    r[0] -= weight * z * sx, r[1] -= weight * z * sy, r[2] -= weight * z * sxy;
    r[3] += weight * szx, r[4] += weight * syz;
    r[5] += weight * sx, r[6] += weight * sy, r[7] += weight * sxy;
  }
  if (n == 3) turn_to_first_side(corners, r);
}

void read_solid(const state::GroupView& g, std::int32_t e, std::span<const Vec3> x, LocalStates& to) {
  const std::array<LayerPick, 1> whole{};
  std::array<Vec3, 10> corners{};
  const int n = g.ready.formulation->n_nodes;
  for (int a = 0; a < n && g.layout.stress_is_local; ++a) corners[a] = x[g.node(e, a)];
  read_layers(g, e, corners, 1, whole, to);  // the mean of all points
  to.alive[g.element[e] - to.first] = g.is_alive(e) ? 1.0 : 0.0;
}

/// Inner and outer surface in global axes.
void read_shell_strain(const state::GroupView& g, std::int32_t e, std::span<const Vec3> x,
                       const state::Strains& strains, LocalStates& to) {
  std::array<Vec3, 4> corners{};
  for (int a = 0; a < g.ready.formulation->n_nodes; ++a) corners[a] = x[g.node(e, a)];
  double* at = &to.strain[12 * (g.element[e] - to.first)];
  for (const state::Surface surface : {state::Surface::inner, state::Surface::outer}) {
    const std::array<double, 6> local = strains.shell(g, e, surface);
    g.ready.formulation->to_global(corners.data(), local.data(), at);
    at += 6;
  }
}

void read_solid_strain(const state::GroupView& g, std::int32_t e, const state::Strains& strains,
                       LocalStates& to) {
  const std::array<double, 6>& strain = strains.solid(g.element[e]);
  std::copy(strain.begin(), strain.end(), to.strain.begin() + 6 * (g.element[e] - to.first));
}

void read_beam(const state::GroupView& g, std::int32_t e, LocalStates& to) {
  to.alive[g.element[e] - to.first] = g.is_alive(e) ? 1.0 : 0.0;
  if (g.layout.resultants < 0) return;
  for (int c = 0; c < 6; ++c)
    to.resultant[6 * (g.element[e] - to.first) + c] = g.variable(e, g.layout.resultants + c);
}

std::vector<std::uint8_t> flags(const std::vector<double>& values) {
  std::vector<std::uint8_t> f;
  for (const double v : values) f.push_back(v != 0.0);
  return f;
}

}  // namespace

namespace {

/// This rank's elements of a group in a piece.
Range members_in(const state::GroupView& g, Range here) {
  const auto place = [&](std::size_t of) {
    return static_cast<std::size_t>(
        std::lower_bound(g.element.begin(), g.element.end(), static_cast<LocalId>(of)) - g.element.begin());
  };
  return {place(here.first), place(here.last)};
}

ParticleStates read_particles(Range here, const ResultsView& results) {
  const std::size_t n = here.last - here.first;
  ParticleStates to;
  to.stress.assign(6 * n, 0.0), to.alive.assign(n, 1);
  for (auto* list : {&to.plastic_strain, &to.length, &to.density, &to.energy, &to.neighbours, &to.mass})
    list->assign(n, 0.0);
  namespace layout = elements::particle;
  for (const state::GroupView& g : results.elements()) {
    if (g.kind() != ElementKind::sph) continue;
    const Range members = members_in(g, here);
    for (auto e = static_cast<std::int32_t>(members.first); e < static_cast<std::int32_t>(members.last);
         ++e) {
      const std::size_t i = std::size_t(g.element[std::size_t(e)]) - here.first;
      for (int c = 0; c < 6; ++c) to.stress[6 * i + std::size_t(c)] = g.variable(e, g.layout.stress + c);
      to.plastic_strain[i] = g.variable(e, g.layout.plastic_strain);
      to.length[i] = g.variable(e, layout::kLength);
      to.density[i] = g.ready.parameters.density / g.variable(e, layout::kRatio);
      to.energy[i] = g.element_energy(e, 0);
      to.neighbours[i] = g.variable(e, layout::kNeighbours);
      to.mass[i] = g.ready.parameters.density * g.variable(e, layout::kVolume0);
      to.alive[i] = g.is_alive(e) ? 1 : 0;
    }
  }
  return to;
}

LocalStates read_states(ElementKind kind, Range here, const Layout& layout, const ResultsView& results) {
  const std::span<const Vec3> x = results.nodes().x;
  const state::Strains* const strains = results.strains();
  LocalStates to = kind == ElementKind::shell
                       ? LocalStates(here, layout.shell_layers, layout.shell_history, 8, strains ? 12 : 0)
                   : kind == ElementKind::solid
                       ? LocalStates(here, 1, layout.solid_history, 0, strains ? 6 : 0)
                       : LocalStates(here, 1, 0, 6);
  for (const state::GroupView& g : results.elements()) {
    if (g.kind() != kind) continue;
    const Range members = members_in(g, here);
    const std::vector<LayerPick> picks = plot_layers(g.ready.parameters.section->nip, layout.shell_layers);
    for (auto e = static_cast<std::int32_t>(members.first); e < static_cast<std::int32_t>(members.last);
         ++e) {
      if (kind == ElementKind::shell) read_shell(g, e, x, picks, to);
      if (kind == ElementKind::solid) read_solid(g, e, x, to);
      if (kind == ElementKind::beam) read_beam(g, e, to);
      if (strains && kind == ElementKind::shell) read_shell_strain(g, e, x, *strains, to);
      if (strains && kind == ElementKind::solid) read_solid_strain(g, e, *strains, to);
    }
  }
  return to;
}

}  // namespace

void read_elements(const Layout& layout, const ResultsView& results, ElementKind kind, Range of_rank,
                   PlotState& plot_state) {
  if (kind == ElementKind::sph) {
    plot_state.particles = read_particles(of_rank, results);
    return;
  }
  const bool strains = results.strains() != nullptr;
  LocalStates mine = read_states(kind, of_rank, layout, results);
  if (kind == ElementKind::shell) {
    ShellStates& shells = plot_state.shells;
    shells.stress = std::move(mine.stress);
    shells.plastic_strain = std::move(mine.plastic_strain);
    shells.history = std::move(mine.histories);
    shells.resultant = std::move(mine.resultant);
    if (strains) shells.strain = std::move(mine.strain);
    shells.thickness = std::move(mine.thickness);
    shells.energy_density = std::move(mine.energy);
    shells.alive = flags(mine.alive);
  } else if (kind == ElementKind::solid) {
    SolidStates& solids = plot_state.solids;
    solids.stress = std::move(mine.stress);
    solids.plastic_strain = std::move(mine.plastic_strain);
    solids.history = std::move(mine.histories);
    if (strains) solids.strain = std::move(mine.strain);
    solids.alive = flags(mine.alive);
  } else {
    plot_state.beams.resultant = std::move(mine.resultant);
    plot_state.beams.alive = flags(mine.alive);
  }
}

namespace {

constexpr int kWeldValues = 7;

/// Forces, length and failure of one weld.
void read_weld(const state::GroupView& g, std::int32_t e, std::span<const Vec3> x, double* to) {
  const auto resultant = [&](int k) { return g.variable(e, g.layout.resultants + k); };
  const bool alive = g.is_alive(e);
  if (alive) {
    to[0] = resultant(0);
    to[1] = std::hypot(resultant(1), resultant(2));
    to[2] = std::hypot(resultant(3), resultant(4));
    to[3] = resultant(5);
  }
  to[4] = norm(x[g.node(e, 1)] - x[g.node(e, 0)]);
  to[5] = alive ? 0.0 : 1.0;
  to[6] = alive ? 0.0 : g.variable(e, elements::beam::extra_offset(g.ready.parameters) + 1);
}

}  // namespace

std::vector<SwforcRow> gather_welds(const Gather& gather, const Catalogue& catalogue,
                                    const ResultsView& results) {
  const std::span<const Vec3> x = results.nodes().x;
  std::vector<double> mine(kWeldValues * gather.local_beams(), 0.0);
  for (const state::GroupView& g : results.elements())
    if (g.kind() == ElementKind::beam && g.ready.formulation->elform == 9)
      for (std::int32_t e = 0; e < g.count; ++e)
        read_weld(g, e, x, &mine[kWeldValues * static_cast<std::size_t>(g.element[e])]);
  const std::vector<double> all = gather.beams(std::move(mine), kWeldValues);
  std::vector<SwforcRow> rows;
  for (const WeldInfo& weld : catalogue.welds) {
    const double* v = &all[kWeldValues * static_cast<std::size_t>(weld.beam)];
    rows.push_back({v[0], v[1], v[2], v[3], v[4], v[5] != 0.0, v[6]});
  }
  return rows;
}

}  // namespace crumple::output
