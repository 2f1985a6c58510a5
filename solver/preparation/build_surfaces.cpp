// Resolves sets, parts and boxes of contacts to segments, nodes and thicknesses.
#include "preparation/build_surfaces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "contact/edges/which_lines.hpp"
#include "model/solid_faces.hpp"
#include "preparation/build_lines.hpp"
#include "preparation/neighbours.hpp"
#include "preparation/reference_planes.hpp"
#include "preparation/settle_friction.hpp"
#include "preparation/turn_tools.hpp"

namespace crumple::preparation {

namespace {

using contact::has_lines;

using model::ElementKind;
using model::exterior_faces;
using model::face_key;
using model::kNone;
using model::SolidFace;

/// Builds the surfaces of one model. Exterior faces, and elements by their nodes, are found once and shared.
class SurfaceBuilder {
 public:
  explicit SurfaceBuilder(const model::Model& model) : model_(model) {
    model::Faces faces = model::sorted_faces(model);
    faces_ = std::move(faces.exterior);
    for (const model::Contact& contact : model.contacts) eroding_ = eroding_ || contact.eroding;
    if (eroding_) between_ = std::move(faces.between);
  }

  model::Surface build(const model::Contact& contact, bool b);
  std::vector<Finding>& warnings() { return warnings_; }

 private:
  struct Side {
    const model::Contact* contact;
    const model::SurfaceInput* input;
    bool b;
    bool single() const { return is_single(contact->type); }
    /// Side a of beams against a surface.
    bool only_beams() const { return contact->beams_on_surface && !b; }
    bool transducer() const { return contact->type == model::ContactType::force_transducer; }
    /// Whether ends of beams are nodes of the surface.
    bool has_beams() const {
      if (contact->beams_on_surface) return !b;
      return crumple::contact::has_beams(*contact) || (is_tied(contact->type) && !b) || transducer();
    }
    /// Whether its beams are lines; spot welds and discrete beams are none.
    bool beams_touch() const { return single() || only_beams(); }
  };
  [[noreturn]] void unknown(const Side& side, const char* what) const;
  std::vector<bool> parts(const Side& side);
  void from_parts(const Side& side, model::Surface& surface);
  void add_particles(const Side& side, const std::vector<bool>& take, model::Surface& surface);
  void add_inner_faces(const Side& side, const std::vector<bool>& take, model::Surface& surface) const;
  void add_solid_nodes(const Side& side, const std::vector<bool>& take, model::Surface& surface) const;
  bool on_symmetry_plane(const SolidFace& face) const;
  void add_beam_nodes(const Side& side, const std::vector<bool>& take, model::Surface& surface) const;
  void from_shells(const Side& side, model::Surface& surface);
  void from_segments(const Side& side, model::Surface& surface);
  void from_nodes(const Side& side, model::Surface& surface);
  void add_shell(const Side& side, LocalId shell, model::Surface& surface) const;
  void add_face(const Side& side, const SolidFace& face, model::Surface& surface) const;
  void finish(const Side& side, model::Surface& surface) const;
  bool in_box(const Side& side, const std::array<LocalId, 4>& nodes) const;
  bool beam_touches(const Side& side, std::size_t beam) const;
  std::vector<LocalId> touching_beams(const Side& side);
  double shell_thickness(const Side& side, LocalId shell) const;
  static double solid_thickness(const Side& side) {
    return ignored(side) ? 0.0 : side.contact->solid_thickness;
  }
  /// Whether IGNROFF leaves the thickness of the side out.
  static bool ignored(const Side& side) { return (side.contact->ignroff & (side.b ? 1 : 2)) != 0; }
  double own_thickness(LocalId shell) const;
  void index_elements();
  void warn(const Side& side, const char* id, std::string message) {
    warnings_.push_back({id, std::move(message), side.contact->place});
  }

  const model::Model& model_;
  std::vector<SolidFace> faces_;
  std::vector<std::array<SolidFace, 2>> between_;  ///< two solids; only for eroding contacts
  bool eroding_ = false;                           ///< some contact is eroding
  struct ByNodes {
    std::array<LocalId, 4> key;
    ElementKind kind;
    LocalId index;  ///< of a shell, or into faces_
    auto operator<=>(const ByNodes&) const = default;
  };
  std::vector<ByNodes> by_nodes_;  ///< sorted, a shell before a solid's face; filled by index_elements
  std::vector<Finding> warnings_;
};

void SurfaceBuilder::unknown(const Side& side, const char* what) const {
  throw Error("CR-C001",
              fmt::format("contact {}: {} {} does not exist", side.contact->id, what, side.input->id),
              side.contact->place);
}

bool has_fronts(const model::Contact& contact) {
  return contact.type == model::ContactType::surface_to_surface ||
         contact.type == model::ContactType::nodes_to_surface;
}

/// Non-automatic contacts use thickness only if SHLTHK is set; the sheets of forming have it.
bool counts_thickness(const model::Contact& contact) {
  return contact.shlthk != 0 || contact.forming || !has_fronts(contact);
}

/// Which parts belong to a surface of type 2, 3, 5 or 6.
std::vector<bool> SurfaceBuilder::parts(const Side& side) {
  const model::SurfaceInput& in = *side.input;
  const bool all = in.type == 5 || in.type == 6 || in.id == 0;
  std::vector<bool> take(model_.parts.size(), all);
  if (in.type == 3 && !all) {
    const auto part = std::find_if(model_.parts.begin(), model_.parts.end(),
                                   [&](const model::Part& p) { return p.id == in.id; });
    if (part == model_.parts.end()) unknown(side, "part");
    take[part - model_.parts.begin()] = true;
  } else if ((in.type == 2 && !all) || in.type == 6) {
    const model::PartSet* set = model_.sets.part_set(in.id);
    if (!set) unknown(side, "part set");
    for (const LocalId part : set->parts) take[part] = in.type == 2;
  }
  return take;
}

void SurfaceBuilder::from_parts(const Side& side, model::Surface& surface) {
  const std::vector<bool> take = parts(side);
  if (side.only_beams()) return add_beam_nodes(side, take, surface);
  for (std::size_t s = 0; s < model_.shells.size(); ++s)
    if (take[model_.shells.part[s]]) add_shell(side, static_cast<LocalId>(s), surface);
  // Cohesive elements have no thickness of their own that something could touch, but they may be tied.
  const bool cohesive = is_tied(side.contact->type) || side.transducer();
  for (const SolidFace& face : faces_)
    if (take[model_.solids.part[face.solid]] && (cohesive || !model::is_cohesive(model_, face.solid)))
      add_face(side, face, surface);
  if (side.contact->eroding) add_inner_faces(side, take, surface);
  if (eroding_ && side.transducer()) add_solid_nodes(side, take, surface);
  add_particles(side, take, surface);
  std::size_t beams = 0;
  for (const LocalId part : model_.beams.part) beams += take[part] ? 1 : 0;
  if (side.has_beams()) return add_beam_nodes(side, take, surface);
  if (beams > 0)
    warn(
        side, "CR-C010",
        fmt::format("contact {}: its {} beam elements do not take part in contact", side.contact->id, beams));
}

/// Particles are nodes without thickness, which can touch segments; nothing can touch them.
void SurfaceBuilder::add_particles(const Side& side, const std::vector<bool>& take, model::Surface& surface) {
  std::size_t left = 0;
  for (std::size_t e = 0; e < model_.particles.size(); ++e) {
    const LocalId n = model_.particles.nodes[e][0];
    if (!take[model_.particles.part[e]] || !in_box(side, {n, n, n, n})) continue;
    if (side.single() || side.b) {
      ++left;
      continue;
    }
    surface.nodes.push_back(n);
    surface.node_thickness.push_back(0.0);
  }
  if (left > 0)
    warn(side, "CR-C010",
         fmt::format("contact {}: its {} SPH particles do not take part in contact; as the tracked side of "
                     "*CONTACT_..._NODES_TO_SURFACE they do",
                     side.contact->id, left));
}

/// Faces between two solids are inactive until one of the solids is deleted. If only one of them belongs to
/// the surface, the other's face is needed only to report its deletion; with IADJ = 1 the surface's own face
/// is active from the start.
void SurfaceBuilder::add_inner_faces(const Side& side, const std::vector<bool>& take,
                                     model::Surface& surface) const {
  const auto add = [&](const SolidFace& face, bool asleep, GlobalId twin) {
    add_face(side, face, surface);
    surface.segments.back().asleep = asleep;
    surface.segments.back().twin = twin;
  };
  for (const auto& [one, other] : between_) {
    const bool of_one = take[model_.solids.part[one.solid]], of_other = take[model_.solids.part[other.solid]];
    if (!(of_one || of_other) || !in_box(side, one.nodes)) continue;
    const auto first = static_cast<GlobalId>(surface.segments.size());
    if (of_one != of_other && side.contact->whole_boundary) {
      add(of_one ? one : other, false, -1);
    } else {
      add(one, true, of_one ? first + 1 : -1);
      add(other, true, of_other ? first : -1);
    }
  }
}

/// A transducer also measures at nodes that become exposed by erosion.
void SurfaceBuilder::add_solid_nodes(const Side& side, const std::vector<bool>& take,
                                     model::Surface& surface) const {
  for (std::size_t e = 0; e < model_.solids.size(); ++e)
    if (take[model_.solids.part[e]])
      model::each_node(model_.solids, e, [&](LocalId n) {
        if (!in_box(side, {n, n, n, n})) return;
        surface.nodes.push_back(n);
        surface.node_thickness.push_back(0.0);
      });
}

/// Whether single-point constraints hold all nodes of a face along its normal, a global axis.
bool SurfaceBuilder::on_symmetry_plane(const SolidFace& face) const {
  const auto& x = model_.nodes.x;
  const auto& n = face.nodes;
  const Vec3 normal = face.corners() == 4 ? cross(x[n[2]] - x[n[0]], x[n[3]] - x[n[1]])
                                          : cross(x[n[1]] - x[n[0]], x[n[2]] - x[n[0]]);
  for (int k = 0; k < 3; ++k) {
    if (!(std::abs(normal[k]) > (1.0 - 1e-6) * norm(normal))) continue;
    return std::all_of(n.begin(), n.end(), [&](LocalId node) {
      return std::any_of(model_.constraints.begin(), model_.constraints.end(), [&](const auto& c) {
        return c.node == node && c.system == kNone && (c.mask >> k & 1) != 0;
      });
    });
  }
  return false;
}

/// Like a segment, a beam takes part if all its nodes are in the box.
bool SurfaceBuilder::beam_touches(const Side& side, std::size_t beam) const {
  const LocalId a = model_.beams.nodes[beam][0], b = model_.beams.nodes[beam][1];
  return beam_takes_part(model_, beam) && in_box(side, {a, b, a, b});
}

/// The contacting beams of the surface's parts.
std::vector<LocalId> SurfaceBuilder::touching_beams(const Side& side) {
  const std::vector<bool> take = parts(side);
  std::vector<LocalId> beams;
  for (std::size_t e = 0; e < model_.beams.size(); ++e)
    if (take[model_.beams.part[e]] && beam_touches(side, e)) beams.push_back(static_cast<LocalId>(e));
  return beams;
}

/// Ends of beams can be tied, can touch segments and can be measured by transducers; they have the thickness
/// of the beams.
void SurfaceBuilder::add_beam_nodes(const Side& side, const std::vector<bool>& take,
                                    model::Surface& surface) const {
  std::vector<bool> on_segment(model_.nodes.size(), false);  // a beam's end does not add thickness
  if (side.single())
    for (const model::Segment& segment : surface.segments)
      for (const LocalId n : segment.nodes) on_segment[n] = true;
  for (std::size_t e = 0; e < model_.beams.size(); ++e) {
    const LocalId part = model_.beams.part[e];
    if (!take[part] || (side.beams_touch() && !beam_touches(side, e))) continue;
    const double t = beam_contact_thickness(model_, e, side.contact->sta, side.contact->sfta);
    for (int k = 0; k < 2; ++k) {
      const LocalId n = model_.beams.nodes[e][k];
      if (on_segment[n] || !in_box(side, {n, n, n, n})) continue;
      surface.nodes.push_back(n);
      surface.node_thickness.push_back(t);
    }
  }
}

void SurfaceBuilder::from_shells(const Side& side, model::Surface& surface) {
  const model::ShellSet* set = model_.sets.shell_set(side.input->id);
  if (!set) unknown(side, "shell set");
  for (const LocalId shell : set->shells) add_shell(side, shell, surface);
}

void SurfaceBuilder::index_elements() {
  if (!by_nodes_.empty()) return;
  for (std::size_t f = 0; f < faces_.size(); ++f)
    by_nodes_.push_back({face_key(faces_[f].nodes), ElementKind::solid, static_cast<LocalId>(f)});
  for (std::size_t s = 0; s < model_.shells.size(); ++s)
    by_nodes_.push_back({face_key(model_.shells.nodes[s]), ElementKind::shell, static_cast<LocalId>(s)});
  static_assert(ElementKind::shell < ElementKind::solid);
  std::sort(by_nodes_.begin(), by_nodes_.end());
}

/// Segments of a set belong to the shell or the solid's face with the same nodes.
void SurfaceBuilder::from_segments(const Side& side, model::Surface& surface) {
  const model::SegmentSet* set = model_.sets.segment_set(side.input->id);
  if (!set) unknown(side, "segment set");
  if (side.contact->eroding)
    warn(
        side, "CR-C016",
        fmt::format("contact {}: a segment set has no inner faces for erosion; use parts", side.contact->id));
  index_elements();
  std::set<std::array<LocalId, 4>> seen;
  std::size_t alone = 0;
  for (const auto& nodes : set->segments) {
    const ByNodes wanted{face_key(nodes), ElementKind::none, 0};
    if (!seen.insert(wanted.key).second) continue;
    const auto found = std::lower_bound(by_nodes_.begin(), by_nodes_.end(), wanted);
    if (found == by_nodes_.end() || found->key != wanted.key) {
      ++alone;
      model::Segment segment;
      segment.nodes = nodes;
      segment.thickness = side.b ? side.contact->stb : side.contact->sta;
      if (in_box(side, nodes)) surface.segments.push_back(segment);
    } else if (found->kind == ElementKind::shell) {
      const std::size_t before = surface.segments.size();
      add_shell(side, found->index, surface);
      if (surface.segments.size() > before)
        take_order(model_, nodes, surface.segments.back());  // the set's orientation
    } else {
      add_face(side, faces_[found->index], surface);
    }
  }
  if (alone > 0)
    warn(side, "CR-C011",
         fmt::format("contact {}: {} segments of set {} are on no element: they have no thickness and take "
                     "their stiffness from the nodes that touch them",
                     side.contact->id, alone, side.input->id));
}

void SurfaceBuilder::from_nodes(const Side& side, model::Surface& surface) {
  const model::NodeSet* set = model_.sets.node_set(side.input->id);
  if (!set) unknown(side, "node set");
  std::vector<double> thickness(model_.nodes.size(), 0.0);
  for (std::size_t s = 0; s < model_.shells.size(); ++s) {
    const double t = shell_thickness(side, static_cast<LocalId>(s));
    for (const LocalId n : model_.shells.nodes[s]) thickness[n] = std::max(thickness[n], t);
  }
  if (const double t = solid_thickness(side); t > 0.0)
    for (const SolidFace& face : faces_)
      for (const LocalId n : face.nodes) thickness[n] = std::max(thickness[n], t);
  const double given = side.b ? side.contact->stb : side.contact->sta;
  for (const LocalId n : set->nodes) {
    if (!in_box(side, {n, n, n, n})) continue;
    surface.nodes.push_back(n);
    surface.node_thickness.push_back(given > 0.0 ? given : thickness[n]);
  }
}

bool SurfaceBuilder::in_box(const Side& side, const std::array<LocalId, 4>& nodes) const {
  if (side.input->box == kNone) return true;
  const model::Box& box = model_.sets.boxes[side.input->box];
  return std::all_of(nodes.begin(), nodes.end(), [&](LocalId n) { return box.contains(model_.nodes.x[n]); });
}

/// Mean of the thicknesses at the nodes.
double SurfaceBuilder::own_thickness(LocalId shell) const {
  const auto& nodes = model_.shells.nodes[shell];
  const LocalId section = model_.parts[model_.shells.part[shell]].section;
  const int corners = nodes[2] == nodes[3] ? 3 : 4;
  double sum = 0.0;
  for (int k = 0; k < corners; ++k) {
    double t = model_.shells.thickness.empty() ? 0.0 : model_.shells.thickness[shell][k];
    if (!(t > 0.0) && section != kNone) t = model_.sections[section].thickness[k];
    sum += t;
  }
  return sum / corners;
}

double SurfaceBuilder::shell_thickness(const Side& side, LocalId shell) const {
  const model::Contact& contact = *side.contact;
  const model::Part& part = model_.parts[model_.shells.part[shell]];
  if (contact.forming && side.b) return contact.stb;  // the mesh of a tool is its surface
  if (!counts_thickness(contact) || ignored(side)) return 0.0;
  if (part.contact_thickness_given) return part.contact_thickness;
  if (const double given = side.b ? contact.stb : contact.sta; given > 0.0) return given;
  double t = own_thickness(shell) * part.contact_thickness_scale * (side.b ? contact.sftb : contact.sfta);
  if (!side.single() || contact.whole_thickness) return t;
  const auto& nodes = model_.shells.nodes[shell];
  for (int k = 0; k < 4; ++k) {
    const double edge = norm(model_.nodes.x[nodes[(k + 1) & 3]] - model_.nodes.x[nodes[k]]);
    if (edge > 0.0) t = std::min(t, 0.4 * edge);
  }
  return t;
}

void SurfaceBuilder::add_shell(const Side& side, LocalId shell, model::Surface& surface) const {
  if (!in_box(side, model_.shells.nodes[shell])) return;
  model::Segment segment;
  segment.nodes = model_.shells.nodes[shell];
  segment.part = model_.shells.part[shell];
  segment.kind = ElementKind::shell;
  segment.element = shell;
  segment.thickness = shell_thickness(side, shell);
  segment.plane = reference_plane(model_, *side.contact, shell, own_thickness(shell), segment.thickness);
  surface.segments.push_back(segment);
}

void SurfaceBuilder::add_face(const Side& side, const SolidFace& face, model::Surface& surface) const {
  if (!in_box(side, face.nodes)) return;
  if (side.contact->symmetric && side.input->type != 0 && on_symmetry_plane(face)) return;
  model::Segment segment;
  segment.nodes = face.nodes;
  segment.part = model_.solids.part[face.solid];
  segment.kind = ElementKind::solid;
  segment.element = face.solid;
  segment.thickness = solid_thickness(side);
  surface.segments.push_back(segment);
}

/// Number the segments, and list their nodes by user id with the largest thickness at each.
void SurfaceBuilder::finish(const Side& side, model::Surface& surface) const {
  std::vector<double> thickness(model_.nodes.size(), -1.0);  // -1: not of the surface
  for (std::size_t k = 0; k < surface.nodes.size(); ++k)
    thickness[surface.nodes[k]] = std::max(thickness[surface.nodes[k]], surface.node_thickness[k]);
  for (std::size_t s = 0; s < surface.segments.size(); ++s) {
    model::Segment& segment = surface.segments[s];
    segment.order = static_cast<GlobalId>(s);
    for (const LocalId n : segment.nodes) thickness[n] = std::max(thickness[n], segment.thickness);
  }
  surface.nodes.clear();
  surface.node_thickness.clear();
  for (std::size_t n = 0; n < thickness.size(); ++n)
    if (thickness[n] >= 0.0) surface.nodes.push_back(static_cast<LocalId>(n));
  std::sort(surface.nodes.begin(), surface.nodes.end(),
            [&](LocalId l, LocalId r) { return model_.nodes.id[l] < model_.nodes.id[r]; });
  for (const LocalId n : surface.nodes) surface.node_thickness.push_back(thickness[n]);
  if (!side.contact->nodes_stay || side.b) set_node_planes(surface);
  if (surface.nodes.empty())
    throw Error(
        "CR-C002",
        fmt::format("contact {}: surface {} has no elements or nodes", side.contact->id, side.b ? "B" : "A"),
        side.contact->place);
}

model::Surface SurfaceBuilder::build(const model::Contact& contact, bool b) {
  const Side side{&contact, b ? &contact.input_b : &contact.input_a, b};
  const bool all_parts = side.single() && side.input->id == 0;
  model::Surface surface;
  switch (all_parts ? 5 : side.input->type) {
    case 0:
      from_segments(side, surface);
      break;
    case 1:
      from_shells(side, surface);
      break;
    case 4:
      if (b || side.single())
        throw Error("CR-C003",
                    fmt::format("contact {}: a node set has no segments that nodes could touch", contact.id),
                    contact.place);
      from_nodes(side, surface);
      break;
    case 2:
    case 3:
    case 5:
    case 6:
      from_parts(side, surface);
      break;
    default:
      throw Error("CR-C004",
                  fmt::format("contact {}: surface type {} is not known", contact.id, side.input->type),
                  contact.place);
  }
  if (has_lines(contact)) {
    const bool by_part = all_parts || (side.input->type != 0 && side.input->type != 1);
    const bool beams = by_part && !(contact.beams_on_surface && b);
    build_lines(model_, contact, beams ? touching_beams(side) : std::vector<LocalId>(),
                b ? contact.stb : contact.sta, b ? contact.sftb : contact.sfta, surface);
  }
  finish(side, surface);
  return surface;
}

bool has_b(const model::Contact& contact) {
  if (is_single(contact.type)) return false;
  return contact.type != model::ContactType::force_transducer || contact.input_b.id != 0;
}

/// Without thickness on both sides a node could not touch a shell: there is nothing in front of it.
void check_ignored_thickness(const model::Contact& contact) {
  if (contact.ignroff == 0 || has_fronts(contact)) return;
  const auto meets = [](const model::Surface& tracked, const model::Surface& target) {
    return std::ranges::any_of(tracked.node_thickness, [](double t) { return !(t > 0.0); }) &&
           std::ranges::any_of(target.segments, [](const model::Segment& s) {
             return s.kind != ElementKind::solid && !(s.thickness > 0.0);
           });
  };
  const bool two_way = contact.type == model::ContactType::automatic_surface_to_surface;
  if (meets(contact.a, contact.b) || (two_way && meets(contact.b, contact.a)))
    throw Error(
        "CR-C021",
        fmt::format("contact {}: with IGNROFF = {} some nodes and the shells that they would touch have no "
                    "thickness: they would not touch",
                    contact.id, contact.ignroff),
        contact.place);
}

/// Orient the segments so that their normals point to the nearest node of `other` (as ORIEN = 1 of
/// *CONTROL_CONTACT, the default, for surfaces given by parts).
void face(const model::Model& whole, model::Surface& surface, const model::Surface& other) {
  constexpr std::size_t samples = 2000;  // of the other surface, evenly by user id
  const std::size_t stride = other.nodes.size() / samples + 1;
  const auto& x = whole.nodes.x;
  for (model::Segment& segment : surface.segments) {
    if (segment.kind == ElementKind::solid) continue;
    auto& n = segment.nodes;
    const Vec3 centre = 0.25 * ((x[n[0]] + x[n[1]]) + (x[n[2]] + x[n[3]]));
    Vec3 nearest;
    double least = HUGE_VAL;
    for (std::size_t k = 0; k < other.nodes.size(); k += stride) {
      const Vec3 d = x[other.nodes[k]] - centre;
      if (dot(d, d) < least) {
        least = dot(d, d);
        nearest = d;
      }
    }
    const Vec3 normal = cross(x[n[2]] - x[n[0]], x[n[3]] - x[n[1]]);
    if (!(dot(normal, nearest) < 0.0)) continue;
    std::swap(n[0], n[2] == n[3] ? n[1] : n[2]);
    if (segment.plane != 0.0) segment.plane = -segment.plane;
  }
}

}  // namespace

std::vector<Finding> build_surfaces(model::Model& whole) {
  if (whole.contacts.empty()) return {};
  SurfaceBuilder builder(whole);
  for (model::Contact& contact : whole.contacts) {
    contact.a = builder.build(contact, false);
    if (!has_b(contact)) continue;
    contact.b = builder.build(contact, true);
    check_ignored_thickness(contact);
    if (!has_fronts(contact)) continue;
    if (contact.forming) {
      turn_tools(whole, contact, builder.warnings());
      continue;
    }
    if (contact.input_a.type != 0 && contact.input_a.type != 4) face(whole, contact.a, contact.b);
    if (contact.input_b.type != 0) face(whole, contact.b, contact.a);
  }
  settle_friction(whole);
  find_neighbours(whole);
  return builder.warnings();
}

}  // namespace crumple::preparation
