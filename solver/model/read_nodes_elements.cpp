// *NODE and *ELEMENT: the mesh.
#include <algorithm>
#include <cmath>

#include "model/builder.hpp"
#include "model/geometry.hpp"
#include "model/material_axes.hpp"
#include "model/resultant_beams.hpp"
#include "model/shell_corners.hpp"
#include "model/solid_faces.hpp"

namespace crumple::model {
namespace {

template <std::size_t N>
using Columns = std::array<const std::vector<GlobalId>*, N>;

template <std::size_t N>
Columns<N> node_columns(const BulkRows& rows) {
  Columns<N> out{};
  for (std::size_t a = 0; a < N; ++a) out[a] = rows.integers(fmt::format("N{}", a + 1));
  return out;
}

/// Finds the part and nodes of elements, and reports missing ones.
class ElementReader {
 public:
  ElementReader(Builder& build, const std::string& name, ElementKind kind)
      : build_(build), name_(name), kind_(kind), rows_(build.deck.bulk(name)) {
    id_ = rows_.integers(kind == ElementKind::sph ? "NID" : "EID");
    part_ = rows_.integers("PID");
  }

  const BulkRows& rows() const { return rows_; }
  GlobalId id(std::size_t i) const { return (*id_)[i]; }
  Place place(std::size_t i) const { return build_.deck.place(rows_.table.file[i], rows_.table.line[i]); }
  std::string label(std::size_t i) const { return fmt::format("*{} {}", name_, id(i)); }

  LocalId node(std::size_t i, GlobalId number) {
    const LocalId n = build_.nodes.find(number);
    if (n == IdTable::kMissing) build_.elements_lost = true;
    if (n == IdTable::kMissing && missing_nodes_.insert(number).second)
      build_.find_node(number, label(i), place(i));
    return n;
  }

  /// The part, which gets this kind of element. kNone if it does not exist or is left out.
  LocalId part(std::size_t i) {
    const GlobalId number = (*part_)[i];
    if (number != last_number_ || last_part_ == kNone) {
      last_number_ = number;
      last_part_ = build_.parts.find(number);
      if (last_part_ == kNone) {
        build_.elements_lost = true;
        if (missing_.insert(number).second) build_.find_part(number, label(i), place(i));
        return kNone;
      }
      why_left_out_ = build_.why_left_out(last_part_, kind_);
    } else if (why_left_out_.empty()) {
      return last_part_;
    }
    if (!why_left_out_.empty()) {
      build_.left_out.add(last_part_, why_left_out_, build_.elements_of(kind_), id(i));
      return kNone;
    }
    Part& part = build_.model.parts[static_cast<std::size_t>(last_part_)];
    if (part.kind == ElementKind::none) part.kind = kind_;
    if (part.kind != kind_ && mixed_.insert(number).second)
      build_.error("CR-D310", fmt::format("{}: part {} has elements of another kind", label(i), number),
                   place(i));
    return last_part_;
  }

  /// A part of a weld, 0: none.
  LocalId joined(std::size_t i, GlobalId number) {
    if (number == 0) return kNone;
    const LocalId part = build_.parts.find(number);
    if (part == kNone && missing_.insert(number).second) build_.find_part(number, label(i), place(i));
    return part;
  }

  bool fresh(IdTable& table, std::size_t i, std::size_t index) const {
    if (table.insert(id(i), static_cast<LocalId>(index))) return true;
    build_.error(
        "CR-D301",
        fmt::format("{} is defined twice{}", label(i),
                    kind_ == ElementKind::solid ? ": solids and thick shells share their numbers" : ""),
        place(i));
    return false;
  }

  /// Whether the section of a solid's part is for such elements. Reports it once for a part.
  bool is_of_section(std::size_t i, LocalId part, bool thick_shell) {
    const LocalId section = build_.model.parts[static_cast<std::size_t>(part)].section;
    if (section == kNone) return true;
    const Section& s = build_.model.sections[static_cast<std::size_t>(section)];
    if (s.kind != ElementKind::solid || is_thick_shell(s) == thick_shell) return true;
    if (mixed_.insert((*part_)[i]).second)
      build_.error("CR-D310",
                   fmt::format("{}: section {} of its part {} is for {}", label(i), s.id, (*part_)[i],
                               thick_shell ? "solids" : "thick shells (*ELEMENT_TSHELL)"),
                   place(i));
    return false;
  }

  /// Whether a thick shell's lower and upper surface, N1 to N4 and N5 to N8, are quadrilaterals, or triangles
  /// by the same repeated corner.
  bool has_two_surfaces(std::size_t i, const std::array<LocalId, 8>& n, bool thick_shell) {
    if (!thick_shell) return true;
    int repeated = 0;
    bool alike = true;
    for (std::size_t a = 0; a < 4; ++a) {
      const std::size_t b = (a + 1) % 4;
      repeated += n[a] == n[b] ? 1 : 0;
      alike &= (n[a] == n[b]) == (n[a + 4] == n[b + 4]);
    }
    const std::size_t distinct = std::set<LocalId>(n.begin(), n.end()).size();
    if (alike && distinct == (repeated == 0 ? 8U : 6U) && repeated <= 1) return true;
    build_.error(
        "CR-D310",
        fmt::format(
            "{}: its nodes make no thick shell: eight, N1 to N4 around the lower surface and N5 to N8 "
            "above them, or six with N3 = N4 and N7 = N8",
            label(i)),
        place(i));
    return false;
  }

 private:
  Builder& build_;
  std::string name_;
  ElementKind kind_;
  BulkRows rows_;
  const std::vector<GlobalId>*id_, *part_;
  GlobalId last_number_ = 0;
  LocalId last_part_ = kNone;
  std::string why_left_out_;                            ///< for the last part; empty if it is not left out
  std::set<GlobalId> missing_, mixed_, missing_nodes_;  ///< reported once
};

/// Positions of an element's nodes, relative to the first: no cancellation far from the origin.
template <std::size_t N>
std::array<Vec3, N> corners(const Model& model, const std::array<LocalId, N>& nodes) {
  const auto& x = model.nodes.x;
  std::array<Vec3, N> out;
  for (std::size_t a = 0; a < N; ++a)
    out[a] = x[static_cast<std::size_t>(nodes[a])] - x[static_cast<std::size_t>(nodes[0])];
  return out;
}

/// In a part where some shells have their own offset, the others get that of NLOC.
void fill_offsets(Model& model) {
  Shells& shells = model.shells;
  if (shells.offset.empty()) return;
  shells.offset.resize(shells.size(), kNoOffset);
  for (std::size_t e = 0; e < shells.size(); ++e) {
    if (!std::isnan(shells.offset[e])) continue;
    const Part& part = model.parts[static_cast<std::size_t>(shells.part[e])];
    shells.offset[e] = 0;
    if (!part.own_offsets || part.section == kNone) continue;
    const Section& section = model.sections[static_cast<std::size_t>(part.section)];
    double thickness = 0;
    for (std::size_t a = 0; a < 4; ++a) {
      const double own = shells.thickness.empty() ? 0.0 : shells.thickness[e][a];
      thickness += 0.25 * (own > 0 ? own : section.thickness[a]);
    }
    shells.offset[e] = -0.5 * section.nloc * thickness;
  }
}

constexpr double kRadians = M_PI / 180;

/// Columns of shells with axes of their own, in tables of _BETA and _MCID.
class OwnShellAxes {
 public:
  OwnShellAxes(Builder& build, const std::string& name, const BulkRows& rows)
      : build_(build),
        angle_(name.find("BETA") != name.npos ? rows.reals("BETA") : nullptr),
        system_(name.find("MCID") != name.npos ? rows.integers("MCID") : nullptr) {}

  /// Adds row i of the table for the last shell.
  void add(const ElementReader& reader, std::size_t i) const {
    Shells& shells = build_.model.shells;
    if (angle_) {
      shells.angle.resize(shells.size() - 1, kNoAngle);
      shells.angle.push_back((*angle_)[i] * kRadians);
    }
    if (system_ && (*system_)[i] != 0) {
      shells.system.resize(shells.size() - 1, kNone);
      shells.system.push_back(
          build_.find_system((*system_)[i], reader.label(i), reader.place(i), Builder::Use::at_start));
    }
  }
  static void finish(Shells& shells) {
    if (!shells.angle.empty()) shells.angle.resize(shells.size(), kNoAngle);
    if (!shells.system.empty()) shells.system.resize(shells.size(), kNone);
  }

 private:
  Builder& build_;
  const std::vector<double>* angle_;
  const std::vector<GlobalId>* system_;
};

/// Columns of solids with axes of their own (_ORTHO): vectors a and d, or an angle in place of A1.
class OwnSolidAxes {
 public:
  explicit OwnSolidAxes(const BulkRows& rows) {
    const std::array names{"A1", "A2", "A3", "D1", "D2", "D3"};
    for (std::size_t k = 0; k < 6; ++k) column_[k] = rows.reals(names[k]);
  }

  /// Adds row i of the table for the last solid.
  void add(Solids& solids, std::size_t i) const {
    if (!column_[0]) return;
    resize(solids, solids.size() - 1);
    const Vec3 a{(*column_[0])[i], (*column_[1])[i], (*column_[2])[i]};
    const Vec3 d{(*column_[3])[i], (*column_[4])[i], (*column_[5])[i]};
    const bool vectors = norm(d) > 0.0;
    solids.angle.push_back(vectors ? kNoAngle : a.x * kRadians);
    solids.axis_a.push_back(a);
    solids.axis_d.push_back(d);
  }
  static void finish(Solids& solids) {
    if (!solids.angle.empty()) resize(solids, solids.size());
  }

 private:
  static void resize(Solids& solids, std::size_t size) {
    solids.angle.resize(size, kNoAngle);
    solids.axis_a.resize(size);
    solids.axis_d.resize(size);
  }
  std::array<const std::vector<double>*, 6> column_{};
};

constexpr MiddleNodes kNoMiddle{kNone, kNone, kNone, kNone, kNone, kNone};

/// The nodes of a solid of the deck.
struct SolidNodes {
  std::array<LocalId, 8> corners{};
  MiddleNodes middle = kNoMiddle;
  bool ten = false;      ///< a tetrahedron with ten nodes
  bool distinct = true;  ///< its nodes differ
  bool whole = true;     ///< all nodes exist
};

/// Columns of the nodes of solids. Tetrahedra and wedges may leave the last of eight nodes blank instead of
/// repeating them; a ninth or tenth node makes a tetrahedron with nodes in the middle of its edges.
class SolidColumns {
 public:
  explicit SolidColumns(const BulkRows& rows) : node_(node_columns<10>(rows)) {}

  SolidNodes read(ElementReader& reader, std::size_t i) const {
    SolidNodes out;
    const auto number = [&](std::size_t a) { return node_[a] ? (*node_[a])[i] : 0; };
    out.ten = number(8) != 0 || number(9) != 0;
    const auto find = [&](GlobalId of) {
      const LocalId n = reader.node(i, of);
      out.whole &= n != kNone;
      return n;
    };
    if (out.ten) {
      std::set<LocalId> all;
      for (std::size_t a = 0; a < 4; ++a) all.insert(out.corners[a] = find(number(a)));
      std::fill(out.corners.begin() + 4, out.corners.end(), out.corners[3]);
      for (std::size_t a = 0; a < 6; ++a) all.insert(out.middle[a] = find(number(4 + a)));
      out.distinct = all.size() == 10;
      return out;
    }
    GlobalId last = 0;
    for (std::size_t a = 0; a < 8; ++a) {
      last = number(a) == 0 && a >= 4 ? last : number(a);
      out.corners[a] = find(last);
    }
    return out;
  }

 private:
  Columns<10> node_;
};

/// Elements with ten nodes are for ELFORM 16, which takes no others. Parts without a section are reported
/// elsewhere; rigid ones have no formulation to fit.
void check_form(Builder& build, const ElementReader& reader, std::size_t i, LocalId part,
                const SolidNodes& nodes) {
  if (!nodes.distinct)
    build.error("CR-E209", reader.label(i) + ": the ten nodes of the element are not all different",
                reader.place(i));
  const LocalId section = build.model.parts[static_cast<std::size_t>(part)].section;
  if (section == kNone) return;
  const int elform = build.model.sections[static_cast<std::size_t>(section)].elform;
  if (nodes.ten == (elform == kQuadraticTetrahedron)) return;
  build.error(
      "CR-E209",
      nodes.ten
          ? fmt::format("{}: an element with ten nodes needs ELFORM 16, and its part has ELFORM {}",
                        reader.label(i), elform)
          : fmt::format("{}: ELFORM 16 needs ten nodes: the corners of a tetrahedron and the middles of "
                        "its edges",
                        reader.label(i)),
      reader.place(i));
}

constexpr int kDiscreteBeam = 6;  ///< ELFORM of beams whose nodes may be at one place

/// Cross sections given with beams (*ELEMENT_BEAM_THICKNESS): one for all beams of a section with the same
/// values.
class OwnSections {
 public:
  explicit OwnSections(Model& model) : model_(model) {}

  /// The section of a part, with those of its values replaced for which a parameter is not 0.
  LocalId section(LocalId of_part, const std::array<double, 5>& parameters) {
    const auto key = std::pair(of_part, parameters);
    if (const auto it = known_.find(key); it != known_.end()) return it->second;
    Section s = model_.sections[static_cast<std::size_t>(of_part)];
    const auto set = [&](double& to, std::size_t k) { to = or_default(parameters[k], to); };
    if (s.elform == 1 || s.elform == 4 || s.elform == 5 || s.elform == 9) {
      const auto ends = [&](std::array<double, 2>& to, std::size_t k) {
        const double first = parameters[k], second = parameters[k + 1];
        to = {or_default(first, to[0]), or_default(second, or_default(first, to[1]))};
      };
      ends(s.ts, 0);
      ends(s.tt, 2);
    } else {
      set(s.area, 0);
      if (is_resultant_beam(s.elform)) set(s.iss, 1), set(s.itt, 2), set(s.j, 3), set(s.shear_area, 4);
    }
    const auto index = static_cast<LocalId>(model_.sections.size());
    model_.sections.push_back(s);
    return known_[key] = index;
  }

 private:
  Model& model_;
  std::map<std::pair<LocalId, std::array<double, 5>>, LocalId> known_;
};

}  // namespace

void Builder::read_nodes() {
  const BulkRows rows(deck.bulk("NODE"));
  if (rows.size() == 0) {
    if (!lost("node") && !lost_file()) error("CR-D310", "the deck ends here and has no nodes", deck.end());
    return;
  }
  const auto &id = *rows.integers("NID"), &tc = *rows.integers("TC"), &rc = *rows.integers("RC");
  const auto &x = *rows.reals("X"), &y = *rows.reals("Y"), &z = *rows.reals("Z");
  nodes.reserve(rows.size());
  model.nodes.id.reserve(rows.size());
  model.nodes.x.reserve(rows.size());
  // Codes 1 to 7 of TC and RC: x, y, z, xy, yz, zx, xyz.
  constexpr std::array<std::uint8_t, 8> mask_of_code{0, 1, 2, 4, 3, 6, 5, 7};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto place = [&] { return deck.place(rows.table.file[i], rows.table.line[i]); };
    const Vec3 at{x[i], y[i], z[i]};
    const auto index = static_cast<LocalId>(model.nodes.size());
    if (id[i] <= 0) {
      error("CR-D310", fmt::format("*NODE: {} is no node number", id[i]), place());
      continue;
    }
    if (!nodes.insert(id[i], index)) {
      const bool same = model.nodes.x[static_cast<std::size_t>(nodes.find(id[i]))] == at;
      if (same)
        warn("CR-D331", fmt::format("*NODE {} is defined twice at the same place", id[i]), place());
      else
        error("CR-D301", fmt::format("*NODE {} is defined twice at different places", id[i]), place());
      continue;
    }
    model.nodes.id.push_back(id[i]);
    model.nodes.x.push_back(at);
    if (tc[i] == 0 && rc[i] == 0) continue;
    if (tc[i] < 0 || tc[i] > 7 || rc[i] < 0 || rc[i] > 7) {
      error("CR-D310", fmt::format("*NODE {}: TC {} and RC {} must be 0 to 7", id[i], tc[i], rc[i]), place());
      continue;
    }
    NodeConstraint constraint;
    constraint.node = index;
    constraint.mask = static_cast<std::uint8_t>(mask_of_code[static_cast<std::size_t>(tc[i])] |
                                                mask_of_code[static_cast<std::size_t>(rc[i])] << 3);
    model.constraints.push_back(constraint);
  }
  apply_node_changes();
}

void Builder::read_shells() {
  Shells& shells_out = model.shells;
  for (const std::string& name : deck.bulk_names("ELEMENT_SHELL")) {
    ElementReader reader(*this, name, ElementKind::shell);
    const BulkRows& rows = reader.rows();
    const auto corner = node_columns<4>(rows);
    std::array<const std::vector<double>*, 4> thickness{};
    for (std::size_t a = 0; a < 4; ++a) thickness[a] = rows.reals(fmt::format("THIC{}", a + 1));
    const bool own = thickness[0] && (name.find("THICKNESS") != name.npos || name.find("BETA") != name.npos ||
                                      name.find("MCID") != name.npos);
    const OwnShellAxes axes(*this, name, rows);
    const auto* const offset = name.find("OFFSET") != name.npos ? rows.reals("OFFSET") : nullptr;
    shells.reserve(shells_out.size() + rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::array<GlobalId, 4> n{};
      for (std::size_t a = 0; a < 4; ++a) n[a] = (*corner[a])[i];
      if (!order_corners(n)) {
        error("CR-D310", fmt::format("{}: its nodes make no triangle or quadrilateral", reader.label(i)),
              reader.place(i));
        continue;
      }
      std::array<LocalId, 4> local{};
      bool whole = true;
      for (std::size_t a = 0; a < 4; ++a) whole &= (local[a] = reader.node(i, n[a])) != kNone;
      const LocalId part = reader.part(i);
      if (!whole || part == kNone || !reader.fresh(shells, i, shells_out.size())) continue;
      if (const QuadShape shape = quad_shape(corners(model, local));
          !(shape.area > 1e-12 * shape.longest_side * shape.longest_side))
        error("CR-E103", reader.label(i) + ": the shell has no area", reader.place(i));
      if (own && shells_out.thickness.empty()) shells_out.thickness.resize(shells_out.size());
      shells_out.id.push_back(reader.id(i));
      shells_out.order.push_back(static_cast<GlobalId>(shells_out.order.size()));
      shells_out.part.push_back(part);
      shells_out.nodes.push_back(local);
      axes.add(reader, i);
      if (offset) {
        shells_out.offset.resize(shells_out.size() - 1, kNoOffset);
        shells_out.offset.push_back((*offset)[i]);
        model.parts[static_cast<std::size_t>(part)].own_offsets = true;
      }
      if (!own && shells_out.thickness.empty()) continue;
      auto& t = shells_out.thickness.emplace_back();
      for (std::size_t a = 0; own && a < 4; ++a) t[a] = (*thickness[a])[i];
      if (own && *std::min_element(t.begin(), t.end()) < 0.0)
        error("CR-D310", fmt::format("{}: a thickness is negative", reader.label(i)), reader.place(i));
    }
  }
  read_belt_shells();
  read_composite_shells();
  if (!model.shells.section.empty()) model.shells.section.resize(model.shells.size(), kNone);
  fill_offsets(model);
  OwnShellAxes::finish(model.shells);
}

void Builder::read_solids() {
  for (const std::string& name : deck.bulk_names("ELEMENT_SOLID")) read_solid_table(name);
  for (const std::string& name : deck.bulk_names("ELEMENT_TSHELL")) read_solid_table(name);
  if (!model.solids.middle.empty()) model.solids.middle.resize(model.solids.size(), kNoMiddle);
  OwnSolidAxes::finish(model.solids);
}

void Builder::read_solid_table(const std::string& name) {
  Solids& solids_out = model.solids;
  const bool thick_shells = name.starts_with("ELEMENT_TSHELL");
  ElementReader reader(*this, name, ElementKind::solid);
  const SolidColumns columns(reader.rows());
  const OwnSolidAxes axes(reader.rows());
  solids.reserve(solids_out.size() + reader.rows().size());
  for (std::size_t i = 0; i < reader.rows().size(); ++i) {
    const SolidNodes nodes = columns.read(reader, i);
    const LocalId part = reader.part(i);
    if (!nodes.whole || part == kNone || !reader.fresh(solids, i, solids_out.size())) continue;
    if (!reader.is_of_section(i, part, thick_shells) ||
        !reader.has_two_surfaces(i, nodes.corners, thick_shells))
      continue;
    if (!thick_shells) check_form(*this, reader, i, part, nodes);
    if (const double volume = solid_volume(corners(model, nodes.corners)).volume;
        !(volume > 0.0) && !is_cohesive_part(model, part))
      error("CR-E201",
            fmt::format(
                "{}: the {}'s volume is {:.4g}, and must be positive: most often the order of its nodes",
                reader.label(i), thick_shells ? "thick shell" : "solid", volume),
            reader.place(i));
    solids_out.id.push_back(reader.id(i));
    solids_out.order.push_back(static_cast<GlobalId>(solids_out.order.size()));
    solids_out.part.push_back(part);
    solids_out.nodes.push_back(nodes.corners);
    if (nodes.ten) {
      solids_out.middle.resize(solids_out.size() - 1, kNoMiddle);
      solids_out.middle.push_back(nodes.middle);
    }
    axes.add(solids_out, i);
  }
}

void Builder::read_beams() {
  Beams& beams_out = model.beams;
  OwnSections sections_of_beams(model);
  for (const std::string& name : deck.bulk_names("ELEMENT_BEAM")) {
    ElementReader reader(*this, name, ElementKind::beam);
    const auto end = node_columns<3>(reader.rows());
    const auto *const first = reader.rows().integers("PID1"), *const second = reader.rows().integers("PID2");
    const bool joining = name.find("_PID") != name.npos, sized = name.find("_THICKNESS") != name.npos;
    const bool turned = name.find("_ORIENTATION") != name.npos;
    std::array<const std::vector<double>*, 5> parameters{};
    for (std::size_t k = 0; sized && k < 5; ++k)
      parameters[k] = reader.rows().reals(fmt::format("PARM{}", k + 1));
    std::array<const std::vector<double>*, 3> vector{};
    for (std::size_t k = 0; turned && k < 3; ++k)
      vector[k] = reader.rows().reals(std::array{"VX", "VY", "VZ"}[k]);
    for (std::size_t i = 0; i < reader.rows().size(); ++i) {
      std::array<LocalId, 3> local{kNone, kNone, kNone};
      const GlobalId third = end[2] ? (*end[2])[i] : 0;
      bool whole = true;
      for (std::size_t a = 0; a < 2; ++a) whole &= (local[a] = reader.node(i, (*end[a])[i])) != kNone;
      if (third != 0) whole &= (local[2] = reader.node(i, third)) != kNone;
      const LocalId part = reader.part(i);
      if (!whole || part == kNone || !reader.fresh(beams, i, beams_out.size())) continue;
      const LocalId section_of_part = model.parts[static_cast<std::size_t>(part)].section;
      const bool discrete = section_of_part != kNone &&
                            model.sections[static_cast<std::size_t>(section_of_part)].elform == kDiscreteBeam;
      if (const auto x = corners(model, std::array{local[0], local[1]}); !discrete && !(norm(x[1]) > 0.0))
        error("CR-E301", reader.label(i) + ": the beam has no length", reader.place(i));
      beams_out.id.push_back(reader.id(i));
      beams_out.order.push_back(static_cast<GlobalId>(beams_out.order.size()));
      beams_out.part.push_back(part);
      beams_out.nodes.push_back(local);
      if (joining && beams_out.joins.empty()) beams_out.joins.assign(beams_out.size() - 1, {kNone, kNone});
      if (joining)
        beams_out.joins.push_back({reader.joined(i, (*first)[i]), reader.joined(i, (*second)[i])});
      else if (!beams_out.joins.empty())
        beams_out.joins.push_back({kNone, kNone});
      if (turned) {
        beams_out.direction.resize(beams_out.size() - 1);
        beams_out.direction.push_back({(*vector[0])[i], (*vector[1])[i], (*vector[2])[i]});
      }
      if (sized) {
        std::array<double, 5> given{};
        for (std::size_t k = 0; k < 5; ++k) given[k] = (*parameters[k])[i];
        if (*std::min_element(given.begin(), given.end()) < 0.0)
          error("CR-D310", reader.label(i) + ": a size of the cross section is negative", reader.place(i));
        if (discrete)
          unsupported(reader.label(i) + ": values of its own for a discrete beam (_THICKNESS)",
                      reader.place(i));
        if (section_of_part != kNone &&
            model.sections[static_cast<std::size_t>(section_of_part)].rule.shape != 0)
          unsupported(reader.label(i) + ": sizes of its own (_THICKNESS) with a standard section (ICST)",
                      reader.place(i));
        const LocalId of_part = model.parts[static_cast<std::size_t>(part)].section;
        beams_out.section.resize(beams_out.size() - 1, kNone);
        beams_out.section.push_back(of_part == kNone ? kNone : sections_of_beams.section(of_part, given));
      }
    }
  }
  if (!beams_out.direction.empty()) beams_out.direction.resize(beams_out.size());
  if (!beams_out.section.empty()) beams_out.section.resize(beams_out.size(), kNone);
}

void Builder::read_discretes() {
  Discretes& out = model.discretes;
  for (const std::string& name : deck.bulk_names("ELEMENT_DISCRETE")) {
    ElementReader reader(*this, name, ElementKind::discrete);
    const BulkRows& rows = reader.rows();
    const auto end = node_columns<2>(rows);
    const auto& orientation = *rows.integers("VID");
    const auto& print = *rows.integers("PF");
    const auto &scale = *rows.reals("S"), &offset = *rows.reals("OFFSET");
    for (std::size_t i = 0; i < rows.size(); ++i) {
      // One of the two may be zero: ground.
      std::array<GlobalId, 2> n{(*end[0])[i], (*end[1])[i]};
      if (n[0] == 0) std::swap(n[0], n[1]);
      std::array<LocalId, 2> local{reader.node(i, n[0]), kNone};
      bool whole = local[0] != kNone;
      if (n[1] != 0) whole &= (local[1] = reader.node(i, n[1])) != kNone;
      LocalId axis = kNone;
      if (orientation[i] != 0)
        axis = find(orientations, orientation[i], "CR-D304", "orientation vector", reader.label(i),
                    reader.place(i));
      const LocalId part = reader.part(i);
      if (!whole || part == kNone || !reader.fresh(discretes, i, out.size())) continue;
      out.id.push_back(reader.id(i));
      out.order.push_back(static_cast<GlobalId>(out.order.size()));
      out.part.push_back(part);
      out.nodes.push_back(local);
      out.orientation.push_back(axis);
      out.scale.push_back(or_default(scale[i], 1.0));
      out.offset.push_back(offset[i]);
      if (print[i] == 0) printed_discretes.push_back(static_cast<LocalId>(out.size()) - 1);
    }
  }
}

/// A particle has the number of its node. A negative MASS is its volume.
void Builder::read_particles() {
  SphParticles& out = model.particles;
  for (const std::string& name : deck.bulk_names("ELEMENT_SPH")) {
    ElementReader reader(*this, name, ElementKind::sph);
    const auto& mass = *reader.rows().reals("MASS");
    for (std::size_t i = 0; i < reader.rows().size(); ++i) {
      const LocalId node = reader.node(i, reader.id(i)), part = reader.part(i);
      if (node == kNone || part == kNone || !reader.fresh(particles, i, out.size())) continue;
      const LocalId material = model.parts[static_cast<std::size_t>(part)].material;
      const double density =
          material == kNone ? 0.0 : model.materials[static_cast<std::size_t>(material)].density;
      if (mass[i] == 0.0)
        error("CR-D310", reader.label(i) + ": MASS is 0, expected a mass, or minus a volume",
              reader.place(i));
      out.id.push_back(reader.id(i));
      out.order.push_back(static_cast<GlobalId>(out.order.size()));
      out.part.push_back(part);
      out.nodes.push_back({node});
      out.mass.push_back(mass[i] < 0.0 ? -mass[i] * density : mass[i]);
      out.length.push_back(0.0);
    }
  }
}

void Builder::read_particle_control() {
  SphControl& c = model.control.sph;
  for (const Keyword& k : deck.all("CONTROL_SPH"))
    for (const Record& r : k.records()) {
      const SphControl defaults;
      c.renormalised = r.integer("FORM") == 1;
      c.parts_interact = r.integer("CONT") == 0;
      c.solid_viscosity = r.integer("IAVIS") == 1;
      c.erodes = r.integer("IEROD") == 2;
      r.integer("INI");  // 0 and 1 give the same lengths
      c.birth = r.real("START");
      c.death = or_default(r.real("DT"), defaults.death);
      c.most_speed = or_default(r.real("MAXV"), defaults.most_speed);
    }
}

void Builder::read_masses() {
  const auto add = [&](GlobalId id, LocalId node, double mass, const Place& place) {
    if (mass < 0.0) error("CR-D310", fmt::format("*ELEMENT_MASS {}: mass {} is negative", id, mass), place);
    model.masses.add(id, node, mass);
  };
  for (const std::string& name : deck.bulk_names("ELEMENT_MASS")) {
    if (name.starts_with("ELEMENT_MASS_PART")) continue;
    const BulkRows rows(deck.bulk(name));
    const bool by_set = name == "ELEMENT_MASS_NODE_SET";
    const auto &id = *rows.integers("EID"), &target = *rows.integers(by_set ? "NSID" : "NID");
    const auto& mass = *rows.reals("MASS");
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Place place = deck.place(rows.table.file[i], rows.table.line[i]);
      const std::string label = fmt::format("*{} {}", name, id[i]);
      if (!by_set) {
        if (const LocalId node = find_node(target[i], label, place); node != kNone)
          add(id[i], node, mass[i], place);
      } else if (const NodeSet* const set = find_node_set(target[i], label, place)) {
        for (const LocalId node : set->nodes) add(id[i], node, mass[i], place);
      }
    }
  }
}

void Builder::read_part_masses() {
  for (const std::string& name : deck.bulk_names("ELEMENT_MASS_PART")) {
    const BulkRows rows(deck.bulk(name));
    const bool by_set = name == "ELEMENT_MASS_PART_SET";
    const auto& target = *rows.integers(by_set ? "PSID" : "PID");
    const auto &added = *rows.reals("ADDMASS"), &final_mass = *rows.reals("FINMASS");
    for (std::size_t i = 0; i < rows.size(); ++i) {
      PartMass mass;
      mass.id = target[i];
      mass.added = added[i];
      mass.final_mass = final_mass[i];
      mass.by_mass = by_set && (*rows.integers("MWD"))[i] != 0;
      mass.place = deck.place(rows.table.file[i], rows.table.line[i]);
      const std::string label = fmt::format("*{} {}", name, mass.id);
      if (mass.added < 0 || mass.final_mass < 0 || (mass.added > 0) == (mass.final_mass > 0)) {
        error("CR-D310",
              fmt::format("{}: ADDMASS {} and FINMASS {}: one of them must be positive, the other 0", label,
                          mass.added, mass.final_mass),
              mass.place);
        continue;
      }
      if (!by_set) {
        if (const LocalId part = find_part(mass.id, label, mass.place); part != kNone) mass.parts = {part};
      } else if (const PartSet* const set = find_part_set(mass.id, label, mass.place)) {
        mass.parts = set->parts;
      }
      if (!mass.parts.empty()) model.part_masses.push_back(std::move(mass));
    }
  }
}

}  // namespace crumple::model
