// Which parts expand, and their laws with the expansion.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "loads/temperature/temperature.hpp"
#include "materials/discrete_beam/law.hpp"
#include "materials/row.hpp"
#include "materials/wrappers/thermal_expansion.hpp"
#include "model/builder.hpp"

namespace crumple::loads {

using model::Builder;
using model::ElementKind;
using model::Keyword;
using model::kNone;
using model::Record;

std::string why_no_expansion(const materials::Row& law, ElementKind kind, int elform) {
  if (law.needs.deformation_gradient || law.needs.material_axes)
    return fmt::format("*{} takes its strain from the shape without stress, which does not expand",
                       law.keyword);
  if (law.needs.energy)
    return fmt::format("the pressure of *{} is that of an equation of state, which has its own expansion",
                       law.keyword);
  if (law.supports.cohesive) return "cohesive elements have no strain";
  if (kind == ElementKind::discrete || law.supports.discrete || materials::is_discrete_beam(law))
    return "springs and discrete beams do not expand";
  constexpr int kHughesLiu = 1, kTruss = 3;
  if (kind == ElementKind::beam && elform != kHughesLiu && elform != kTruss)
    return fmt::format("beams of ELFORM {} do not expand; 1 and 3 do", elform);
  return {};
}

namespace {

materials::Expansion expansion_from(const model::Model& m, const ThermalExpansion& of) {
  if (of.curve == kNone) return {{0.0}, {of.scale}};
  const model::Curve& curve = m.curves[at(of.curve)];
  materials::Expansion expansion{curve.x, curve.y};
  for (double& alpha : expansion.coefficient) alpha *= of.scale;
  return expansion;
}

class ExpansionReader {
 public:
  explicit ExpansionReader(Builder& build) : build_(build), model_(build.model) {}

  void read() {
    for (const Keyword& k : build_.deck.all("MAT_ADD_THERMAL_EXPANSION"))
      for (const Record& r : k.records()) record(k, r);
    for (const auto& [part, of] : found_) model_.features.of<ThermalExpansion>().push_back(of);
  }

 private:
  void record(const Keyword& k, const Record& r) {
    label_ = fmt::format("{} {}", Builder::star(k), r.integer("PID"));
    const std::vector<LocalId> parts = parts_of(r);
    ThermalExpansion of;
    of.scale = r.real("MULT");
    if (const GlobalId id = r.integer("LCID"); id != 0) {
      of.curve = build_.find_curve(id, label_, r.place("LCID"));
      if (of.curve == kNone) return;
      of.scale = model::or_default(of.scale, 1.0);
      if (!increases(model_.curves[at(of.curve)], r)) return;
    } else if (of.scale == 0.0) {
      build_.warn("CR-D330", fmt::format("{}: neither LCID nor MULT is given, so nothing expands", label_),
                  r.place("MULT"));
      return;
    }
    same_along(r, "Y", of);
    same_along(r, "Z", of);
    for (const LocalId part : parts) add(part, of, r);
  }

  /// PID, or the parts of a material where it is negative.
  std::vector<LocalId> parts_of(const Record& r) {
    const GlobalId id = r.integer("PID");
    if (id >= 0) {
      const LocalId part = build_.find_part(id, label_, r.place("PID"));
      return part == kNone ? std::vector<LocalId>{} : std::vector{part};
    }
    std::vector<LocalId> parts;
    const LocalId material =
        build_.find(build_.materials, -id, "CR-D302", "material", label_, r.place("PID"));
    for (std::size_t p = 0; material != kNone && p < model_.parts.size(); ++p)
      if (model_.parts[p].material == material) parts.push_back(static_cast<LocalId>(p));
    return parts;
  }

  bool increases(const model::Curve& curve, const Record& r) {
    const bool good = !curve.x.empty() &&
                      std::ranges::adjacent_find(curve.x, std::ranges::greater_equal{}) == curve.x.end();
    if (!good)
      build_.error("CR-D310", fmt::format("{}: the temperatures of curve {} must increase", label_, curve.id),
                   r.place("LCID"));
    return good;
  }

  /// All laws are isotropic: other coefficients along y and z have no axes.
  void same_along(const Record& r, const char* axis, const ThermalExpansion& of) {
    const std::string curve = fmt::format("LCID{}", axis), scale = fmt::format("MULT{}", axis);
    const GlobalId id = r.integer(curve);
    const double value = r.real(scale);
    const GlobalId mine = of.curve == kNone ? 0 : model_.curves[at(of.curve)].id;
    const bool not_given = id == 0 && (value == 0.0 || value == 1.0);  // 1 is the default of other writers
    const bool same = id == mine && model::or_default(value, id == 0 ? value : 1.0) == of.scale;
    if (!not_given && !same)
      build_.unsupported(
          fmt::format("{}: another expansion along {}: no law has material axes", label_, axis),
          r.place(id != 0 ? curve.c_str() : scale.c_str()));
  }

  void add(LocalId part, ThermalExpansion of, const Record& r) {
    const model::Part& p = model_.parts[at(part)];
    if (p.section == kNone || p.material == kNone) return;  // has an error of its own
    const model::Material& material = model_.materials[at(p.material)];
    const materials::Row* const law = materials::find_law(material.law);
    if (law == nullptr) return;
    if (law->rigid || law->null) {
      build_.warn("CR-D330",
                  fmt::format("{}: part {} is {}, so it does not expand", label_, p.id,
                              law->rigid ? "rigid" : "without stress"),
                  r.place("PID"));
      return;
    }
    if (const std::string why = why_no_expansion(*law, p.kind, model_.sections[at(p.section)].elform);
        !why.empty())
      return build_.unsupported(fmt::format("{}: part {}: {}", label_, p.id, why), r.place("PID"));
    if (law->needs.temperature && own_table(material))
      return build_.unsupported(fmt::format("{}: part {}: *{} has a table of expansions of its own (ALPHA)",
                                            label_, p.id, law->keyword),
                                r.place("PID"));
    of.part = part;
    if (!found_.emplace(part, of).second)
      build_.error("CR-D301", fmt::format("{}: part {} has one already", label_, p.id), r.place("PID"));
  }

  static bool own_table(const model::Material& material) {
    return std::ranges::any_of(material.fields, [](const auto& field) {
      return field.first.starts_with("ALPHA") && field.second != 0.0;
    });
  }

  Builder& build_;
  model::Model& model_;
  std::string label_;
  std::map<LocalId, ThermalExpansion> found_;
};

}  // namespace

void read_expansions(Builder& build) { ExpansionReader(build).read(); }

materials::Prepared with_expansion(const model::Model& m, const model::Part& part,
                                   const model::Section& section, int elform, materials::Prepared prepared) {
  std::shared_ptr<const materials::Expansion> expansion = prepared.expansion;
  for (const ThermalExpansion& of : m.features.of<ThermalExpansion>())
    if (m.parts[at(of.part)].id == part.id)
      expansion = std::make_shared<materials::Expansion>(expansion_from(m, of));
  if (!expansion) return prepared;
  if (!section.plies.empty())
    throw Error("CR-M105", fmt::format("part {}: thermal expansion of laminates is not supported", part.id));
  if (const std::string why = why_no_expansion(*prepared.law.row, part.kind, elform); !why.empty())
    throw Error("CR-M105", fmt::format("part {}: {}", part.id, why));
  return materials::add_expansion(std::move(prepared), std::move(expansion));
}

}  // namespace crumple::loads
