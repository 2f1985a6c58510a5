// *ELEMENT_SHELL_COMPOSITE and _OFFSET_COMPOSITE: shells with layers of their own.
//
// An element has the section of its part with its own layers, the thickness of their sum, and as angle of its
// axes that of the first layer. The angles of the section's layers count from the first one: so elements
// whose layers differ only by a turn of all of them have one section and are computed together.
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "elements/of_deck.hpp"
#include "materials/row.hpp"
#include "model/builder.hpp"
#include "model/geometry.hpp"
#include "model/given_plies.hpp"
#include "model/material_axes.hpp"
#include "model/shell_corners.hpp"

namespace crumple::model {

namespace {

/// From -90 to 90 degrees: axes that are turned by 180 degrees are the same. In steps of 0.0001 degrees, as
/// finer differences are those of rounded input.
double turned_by(double angle) {
  constexpr std::int64_t kSteps = 10000, kQuarterTurn = 90 * kSteps, kHalfTurn = 2 * kQuarterTurn;
  const std::int64_t steps = std::llround(angle * kSteps) + kQuarterTurn;
  const std::int64_t within = (steps % kHalfTurn + kHalfTurn) % kHalfTurn;
  return static_cast<double>(within - kQuarterTurn) / kSteps;
}

class CompositeShells {
 public:
  explicit CompositeShells(Builder& build) : build_(build), model_(build.model) {}

  void read(const Keyword& k, const Record& r) {
    const GlobalId id = r.integer("EID"), part_id = r.integer("PID");
    const std::string label = fmt::format("*{} {}", k.name(), id);
    std::array<LocalId, 4> nodes{};
    const std::vector<GivenPly> plies = given_plies(r, k.suffix("LONG"));
    const bool whole = find_nodes(r, label, nodes);
    const LocalId part = find_part(part_id, label, id, r);
    if (!whole || part == kNone || !is_layered(plies, part, label, r)) return;
    if (k.suffix("LONG") && any_shear_factor(r))
      build_.unsupported(label + ": shear factors of layers are not supported", r.place());
    if (!build_.shells.insert(id, static_cast<LocalId>(model_.shells.size())))
      return build_.error("CR-D301", label + " is defined twice", r.place("EID"));
    add(id, part, nodes, plies);
    if (k.name() == "ELEMENT_SHELL_OFFSET_COMPOSITE") add_offset(part, r.real("OFFSET"));
  }

 private:
  bool find_nodes(const Record& r, const std::string& label, std::array<LocalId, 4>& nodes) {
    std::array<GlobalId, 4> n{};
    for (std::size_t a = 0; a < 4; ++a) n[a] = r.integer(fmt::format("N{}", a + 1));
    if (!order_corners(n)) {
      build_.error("CR-D310", label + ": its nodes make no triangle or quadrilateral", r.place("N1"));
      return false;
    }
    bool whole = true;
    std::array<Vec3, 4> x;
    for (std::size_t a = 0; a < 4; ++a) {
      nodes[a] = build_.find_node(n[a], label, r.place("N1"));
      whole &= nodes[a] != kNone;
    }
    if (!whole) {
      build_.elements_lost = true;
      return false;
    }
    for (std::size_t a = 0; a < 4; ++a)
      x[a] = model_.nodes.x[static_cast<std::size_t>(nodes[a])] -
             model_.nodes.x[static_cast<std::size_t>(nodes[0])];
    if (const QuadShape shape = quad_shape(x);
        !(shape.area > 1e-12 * shape.longest_side * shape.longest_side))
      build_.error("CR-E103", label + ": the shell has no area", r.place("N1"));
    return true;
  }

  /// The part, which gets shells. kNone if it does not exist, has no section or is left out.
  LocalId find_part(GlobalId number, const std::string& label, GlobalId id, const Record& r) {
    const LocalId part = build_.find_part(number, label, r.place("PID"));
    if (part == kNone) {
      build_.elements_lost = true;
      return kNone;
    }
    if (const std::string why = build_.why_left_out(part, ElementKind::shell); !why.empty()) {
      build_.left_out.add(part, why, build_.elements_of(ElementKind::shell), id);
      return kNone;
    }
    Part& of = model_.parts[static_cast<std::size_t>(part)];
    if (of.kind == ElementKind::none) of.kind = ElementKind::shell;
    if (of.kind != ElementKind::shell)
      build_.error("CR-D310", fmt::format("{}: part {} has elements of another kind", label, number),
                   r.place("PID"));
    return of.section == kNone ? kNone : part;  // a part without a section is reported by check_parts
  }

  /// Whether its layers can be computed; reports why not.
  bool is_layered(const std::vector<GivenPly>& plies, LocalId part, const std::string& label,
                  const Record& r) {
    const auto refuse = [&](std::string_view what, const Place& place) {
      build_.unsupported(fmt::format("{}: {}", label, what), place);
      return false;
    };
    if (plies.empty()) {
      build_.error("CR-D310", label + " has no layers", r.place());
      return false;
    }
    const Section& section =
        model_.sections[static_cast<std::size_t>(model_.parts[static_cast<std::size_t>(part)].section)];
    if (!section.plies.empty() && !section.own_rule)
      return refuse("layers of its own in a part of *PART_COMPOSITE", r.place("PID"));
    if (elements::fixed_layers(ElementKind::shell, section.elform) != 0)
      return refuse(fmt::format("layers in shells of ELFORM {}", section.elform), r.place("PID"));
    for (const GivenPly& ply : plies) {
      if (!(ply.thickness > 0.0)) {
        build_.error("CR-D310",
                     fmt::format("{}: the thickness {} of a layer must be positive", label, ply.thickness),
                     ply.place);
        return false;
      }
      const LocalId m = build_.find(build_.materials, ply.material, "CR-D302", "material", label, ply.place);
      if (m == kNone) return false;
      const Material& material = model_.materials[static_cast<std::size_t>(m)];
      const materials::Row* const row = materials::find_law(material.law);
      if (row == nullptr) return false;  // has an error of its own
      if (row->rigid || !row->supports.shell)
        return refuse(fmt::format("layers of *{} are not supported", material.name), ply.place);
      if (row->needs.material_axes && angle_of_axes(material) != 0)
        return refuse(
            "a material of its layers has an angle (BETA, MANGLE), whose sense beside that of the "
            "layers is not documented",
            ply.place);
    }
    return true;
  }

  void add(GlobalId id, LocalId part, const std::array<LocalId, 4>& nodes,
           const std::vector<GivenPly>& plies) {
    Shells& out = model_.shells;
    const std::size_t before = out.size();
    out.id.push_back(id);
    out.order.push_back(static_cast<GlobalId>(before));
    out.part.push_back(part);
    out.nodes.push_back(nodes);
    double total = 0;
    for (const GivenPly& ply : plies) total += ply.thickness;
    out.thickness.resize(before);
    out.thickness.push_back({total, total, total, total});
    out.angle.resize(before, kNoAngle);
    out.angle.push_back(plies.front().angle * M_PI / 180);
    out.section.resize(before, kNone);
    out.section.push_back(section_of(part, plies));
  }

  void add_offset(LocalId part, double offset) {
    Shells& out = model_.shells;
    out.offset.resize(out.size() - 1, kNoOffset);
    out.offset.push_back(offset);
    model_.parts[static_cast<std::size_t>(part)].own_offsets = true;
  }

  /// The section of a part with these layers.
  LocalId section_of(LocalId part, const std::vector<GivenPly>& given) {
    const LocalId of_part = model_.parts[static_cast<std::size_t>(part)].section;
    Layers layers;
    for (const GivenPly& ply : given)
      layers.emplace_back(build_.materials.find(ply.material), ply.thickness,
                          turned_by(ply.angle - given.front().angle));
    const auto key = std::pair(of_part, layers);
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    Section s = model_.sections[static_cast<std::size_t>(of_part)];
    s.angles.clear();
    s.plies.clear();
    s.own_rule = false;
    double total = 0;
    for (const auto& [material, thickness, angle] : layers) {
      s.plies.push_back({.material = material,
                         .thickness = thickness,
                         .angle = angle * M_PI / 180,
                         .number = static_cast<int>(s.plies.size()) + 1});
      total += thickness;
    }
    s.nip = static_cast<int>(s.plies.size());
    s.thickness.fill(total);
    const auto index = static_cast<LocalId>(model_.sections.size());
    model_.sections.push_back(std::move(s));
    return known_[key] = index;
  }

  using Layers = std::vector<std::tuple<LocalId, double, double>>;  ///< material, thickness, degrees
  Builder& build_;
  Model& model_;
  std::map<std::pair<LocalId, Layers>, LocalId> known_;
};

}  // namespace

void Builder::read_composite_shells() {
  CompositeShells composites(*this);
  for (const char* const name : {"ELEMENT_SHELL_COMPOSITE", "ELEMENT_SHELL_OFFSET_COMPOSITE"})
    for (const Keyword& k : deck.all(name))
      for (const Record& r : k.records()) composites.read(k, r);
}

}  // namespace crumple::model
