// *INITIAL_STRESS_SHELL, _SOLID, _BEAM and *INITIAL_STRAIN_SHELL, _SOLID, of elements and of sets.
//
// Cards are those of the LS-DYNA keyword manual. A point of a shell is found by its T; of the NPLANE points
// with the same T the first is the first in the plane, and so on, so both orders of points are read.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "model/builder.hpp"
#include "model/element_rows.hpp"
#include "model/resultant_beams.hpp"
#include "springback/initial_state.hpp"
#include "springback/stamped_part.hpp"
#include "state/groups.hpp"

namespace crumple::springback {

using model::Builder;
using model::ElementKind;
using model::Keyword;
using model::kNone;
using model::Record;

namespace {

/// The numbers of one record's points, in the small format or the large one.
class Points {
 public:
  /// @param head values of a point that begin its first line; the history begins a line of its own, or
  /// follows
  Points(const Record& record, bool large, int head, int history, bool history_apart)
      : record_(record),
        card_(large ? "large points" : "points"),
        width_(large ? 5 : head),
        head_(head),
        apart_(history_apart),
        lines_(apart_ ? lines_of(head) + lines_of(history) : lines_of(head + history)) {}

  double head(int point, int k) const { return value(point, k / width_, k % width_); }
  double history(int point, int k) const {
    const int begin = apart_ ? lines_of(head_) * width_ : head_, i = begin + k;
    return value(point, i / width_, i % width_);
  }

 private:
  int lines_of(int values) const { return (values + width_ - 1) / width_; }
  double value(int point, int line, int column) const {
    return record_.real(at(point) * at(lines_) + at(line), at(column), card_);
  }

  const Record& record_;
  const char* card_;
  int width_, head_;
  bool apart_;
  int lines_;
};

}  // namespace

GivenStress shell_stress(const Record& r) {
  GivenStress given{.kind = ElementKind::shell,
                    .planes = static_cast<int>(r.integer("NPLANE")),
                    .layers = static_cast<int>(r.integer("NTHICK")),
                    .history = static_cast<int>(r.integer("NHISV")),
                    .points = {}};
  const Points points(r, r.integer("LARGE") != 0, 8, given.history, true);
  for (int p = 0; p < given.planes * given.layers; ++p) {
    auto& point = given.points.emplace_back();
    point.at = points.head(p, 0);
    for (int k = 1; k < 8; ++k) point.values.push_back(points.head(p, k));
    for (int k = 0; k < given.history; ++k) point.values.push_back(points.history(p, k));
  }
  return given;
}

namespace {

/// Of solids and beams, whose points have no T.
GivenStress stress_without_height(const Record& r, ElementKind kind, const char* count) {
  GivenStress given{.kind = kind,
                    .planes = std::max(1, static_cast<int>(r.integer(count))),
                    .history = static_cast<int>(r.integer("NHISV")),
                    .points = {}};
  const bool large = r.integer("LARGE") != 0;
  const int history = large ? given.history : 0;  // the small format has none
  const Points points(r, large, 7, history, false);
  for (int p = 0; p < given.planes; ++p) {
    auto& point = given.points.emplace_back();
    for (int k = 0; k < 7; ++k) point.values.push_back(points.head(p, k));
    for (int k = 0; k < history; ++k) point.values.push_back(points.history(p, k));
  }
  return given;
}

/// Elements that a record names: one, or those of a set. Reports what does not exist.
std::vector<LocalId> elements_of(const Builder& build, const Keyword& k, const Record& r, ElementKind kind) {
  const bool set = k.name().ends_with("_SET");
  const char* const field = kind == ElementKind::beam ? "EID" : "EID/SID";
  const GlobalId id = r.integer(field);
  if (!set) {
    const LocalId e = build.find(build.elements_of(kind), id, "CR-D302", model::kind_name(kind),
                                 Builder::star(k), r.place(field));
    return e == kNone ? std::vector<LocalId>{} : std::vector<LocalId>{e};
  }
  const bool shells = kind == ElementKind::shell;
  const LocalId at = build.find(shells ? build.shell_sets : build.solid_sets, id, "CR-D305",
                                shells ? "shell set" : "solid set", Builder::star(k), r.place(field));
  if (at == kNone) return {};
  const auto i = static_cast<std::size_t>(at);
  return shells ? build.model.sets.shells[i].shells : build.model.sets.solids[i].elements;
}

constexpr int kBlatzKo = 7, kElasticFailure = 13, kMooneyRivlin = 27, kShapeMemory = 30, kFrazerNash = 31;

/// Gives stresses to elements after it has compared them with their formulation and law.
class StressReader {
 public:
  explicit StressReader(Builder& build) : build_(build), model_(build.model) {}

  void read() {
    for (const StampedPart& stamped : read_stamped_parts(build_)) map(stamped);
    for (const char* const name : {"INITIAL_STRESS_SHELL", "INITIAL_STRESS_SHELL_SET"})
      each(name, [](const Record& r) { return shell_stress(r); });
    for (const char* const name : {"INITIAL_STRESS_SOLID", "INITIAL_STRESS_SOLID_SET"})
      each(name, [](const Record& r) { return stress_without_height(r, ElementKind::solid, "NINT"); });
    each("INITIAL_STRESS_BEAM",
         [](const Record& r) { return stress_without_height(r, ElementKind::beam, "NPTS"); });
    auto& list = model_.features.of<InitialStress>();
    for (auto& [key, stress] : found_) list.push_back(std::move(stress));
  }

 private:
  /// Gives the values of a stamped sheet to the shells of a part.
  void map(const StampedPart& of) {
    label_ = of.label;
    const model::Shells& shells = model_.shells;
    std::size_t all = 0, near = 0;
    for (LocalId e = 0; e < static_cast<LocalId>(shells.size()); ++e) {
      if (shells.part[at(e)] != of.part) continue;
      ++all;
      std::array<Vec3, 4> x;
      for (std::size_t a = 0; a < 4; ++a) x[a] = model_.nodes.x[at(shells.nodes[at(e)][a])];
      const Vec3 centre = 0.25 * (x[0] + x[1] + x[2] + x[3]);
      const StampedShell* const from = of.sheet.nearest(centre, of.within);
      if (from == nullptr) continue;
      ++near;
      const Vec3 normal = cross(x[2] - x[0], x[3] == x[2] ? x[2] - x[1] : x[3] - x[1]);
      map(of, *from, dot(normal, from->normal) < 0.0, e);
    }
    const double percent = all > 0 ? 100.0 * static_cast<double>(near) / static_cast<double>(all) : 0.0;
    if (percent < of.percent)
      build_.error(
          "CR-D310",
          fmt::format("{}: {:.3g} % of the shells of {} are within RMAX = {:.6g} of it, PERCELE is {}",
                      of.label, percent, name(of.part), of.within, of.percent),
          of.place);
    else if (near < all || all == 0)
      build_.warn("CR-D330",
                  fmt::format("{}: {} of the {} shells of {} are not within RMAX = {:.6g} of it", of.label,
                              all - near, all, name(of.part), of.within),
                  of.place);
  }

  void map(const StampedPart& of, const StampedShell& from, bool flipped, LocalId e) {
    if (of.thickness && from.thickness > 0.0) {
      auto& thickness = model_.shells.thickness;
      thickness.resize(model_.shells.size());
      thickness[at(e)].fill(of.thickness_scale * from.thickness);
    }
    if (of.strain && !from.strains.empty())
      model_.features.of<InitialStrain>().push_back({ElementKind::shell, e, strain_from(from, flipped)});
    const bool any = of.stress || of.plastic_strain || of.history;
    if (!any || !from.stress) return;
    if (const state::PartFormulation* const ready = formulation(ElementKind::shell, e, of.part);
        ready != nullptr && !ready->parameters.layers.empty())
      give(stress_from(of, from, flipped, ready->parameters), e, of.place);
  }

  template <class Read>
  void each(const char* name, Read read) {
    for (const Keyword& k : build_.deck.all(name)) {
      label_ = Builder::star(k);
      for (const Record& r : k.records()) {
        const GivenStress given = read(r);
        for (const LocalId e : elements_of(build_, k, r, given.kind)) give(given, e, r.place());
      }
    }
  }

  void give(const GivenStress& given, LocalId element, const Place& place) {
    const LocalId part = model::rows_of(model_, given.kind).part[at(element)];
    if (model_.parts[at(part)].rigid_body != kNone || is_rigid(part))
      return once(part, "rigid", [&](const std::string& of) {
        build_.warn("CR-D330", fmt::format("{}: {} is rigid and has no stresses", of, name(part)), place);
      });
    const state::PartFormulation* const ready = formulation(given.kind, element, part);
    if (ready == nullptr) return;  // its section or material has an error of its own
    if (const std::string why = refusal(given, *ready); !why.empty())
      return once(part, why, [&](const std::string& of) {
        build_.unsupported(fmt::format("{}: {}: {}", of, name(part), why), place);
      });
    const int of_law = ready->parameters.n_history;
    if (given.history == 0 && of_law > 0)
      once(part, "history", [&](const std::string& of) {
        build_.warn("CR-D330",
                    fmt::format("{}: {} has {} history variables, which are not given: they begin with 0", of,
                                name(part), of_law),
                    place);
      });
    InitialStress stress{given.kind, element, of_law, {}};
    if (!fill(given, *ready, stress))
      return once(part, "T", [&](const std::string& of) {
        build_.unsupported(fmt::format("{}: {}: T of a point is not that of a point of the section; points "
                                       "are not interpolated",
                                       of, name(part)),
                           place);
      });
    found_[{given.kind, element}] = std::move(stress);
  }

  bool is_rigid(LocalId part) const {
    const LocalId material = model_.parts[at(part)].material;
    return material != kNone && materials::is_rigid(model_.materials[at(material)].law);
  }

  /// Why the stresses cannot be those of an element; empty if they can.
  static std::string refusal(const GivenStress& given, const state::PartFormulation& ready) {
    const elements::GroupParameters& p = ready.parameters;
    const materials::Row& law = *p.law.row;
    const int points = p.n_points, layers = given.kind == ElementKind::shell ? std::ssize(p.layers) : 1;
    const int form = given.kind == ElementKind::beam ? p.section->elform : 0;
    if (form == 4 || form == 5)
      return fmt::format("stresses of beams with ELFORM {} are not supported", form);
    if (model::is_resultant_beam(form))
      return fmt::format("resultants of beams with ELFORM {} are not supported", p.section->elform);
    if (given.planes * given.layers != points || given.layers != layers)
      return given.kind == ElementKind::shell
                 ? fmt::format(
                       "NPLANE {} and NTHICK {} are given, its elements have {} and {}; points are not "
                       "interpolated",
                       given.planes, given.layers, points / layers, layers)
                 : fmt::format("{} points are given, its elements have {}; points are not interpolated",
                               given.planes, points);
    if (law.number == kBlatzKo || law.number == kElasticFailure || law.number == kMooneyRivlin ||
        law.number == kShapeMemory || law.number == kFrazerNash || law.needs.deformation_gradient ||
        law.needs.energy || law.needs.temperature)
      return fmt::format("the stress of *{} follows from the shape without stress, which is not known",
                         law.keyword);
    if (law.needs.material_axes || std::ranges::any_of(p.layers, [](const elements::Layer& layer) {
          return layer.law.row->needs.material_axes;
        }))
      return fmt::format("stresses at the start are not supported with *{}, an anisotropic law", law.keyword);
    if (law.supports.cohesive)
      return fmt::format("the tractions of *{} follow from the separation, which is not known", law.keyword);
    if (law.null) return fmt::format("*{} has no stresses", law.keyword);
    if (given.points.front().values.size() < 7 + static_cast<std::size_t>(std::max(0, given.history)))
      return fmt::format("NHISV is {}, but only the large format (LARGE = 1) has history variables",
                         given.history);
    const bool any = std::ranges::any_of(given.points, [](const GivenStress::Point& point) {
      return std::any_of(point.values.begin() + 7, point.values.end(), [](double h) { return h != 0.0; });
    });
    if (any && (given.history != p.n_history || p.laminated))
      return fmt::format("NHISV is {}, and *{} has {} history variables here: they have another meaning",
                         given.history, law.keyword, p.n_history);
    return {};
  }

  /// Puts points in the order of the element's. @returns whether each has its place
  static bool fill(const GivenStress& given, const state::PartFormulation& ready, InitialStress& to) {
    const std::size_t stride = to.stride();
    to.values.assign(given.points.size() * stride, 0.0);
    std::vector<int> seen(static_cast<std::size_t>(given.layers), 0);
    for (std::size_t p = 0; p < given.points.size(); ++p) {
      std::size_t place = p;
      if (given.kind == ElementKind::shell) {
        const std::optional<std::size_t> layer = layer_at(given.points[p].at, ready.parameters.layers);
        if (!layer || seen[*layer] == given.planes) return false;
        place = static_cast<std::size_t>(seen[*layer]++) * seen.size() + *layer;
      }
      const std::vector<double>& from = given.points[p].values;
      std::copy_n(from.begin(), std::min(from.size(), stride),
                  to.values.begin() + std::ptrdiff_t(place * stride));
    }
    return true;
  }

  /// The layer at T. LS-DYNA writes three digits in the small format; points are at least 0.05 apart.
  static std::optional<std::size_t> layer_at(double t, const std::vector<elements::Layer>& layers) {
    constexpr double near = 0.01;
    if (layers.size() == 1) return 0;
    for (std::size_t k = 0; k < layers.size(); ++k)
      if (std::abs(layers[k].zeta - t) < near) return k;
    return {};
  }

  /// Null if the part cannot be prepared, which is reported elsewhere.
  const state::PartFormulation* formulation(ElementKind kind, LocalId element, LocalId part) {
    if (model_.parts[at(part)].material == kNone || model_.parts[at(part)].section == kNone) return nullptr;
    const state::Compact c = state::compact(model_, kind, element);
    const auto [known, fresh] = ready_.try_emplace({part, c.elform, c.section});
    if (fresh) {
      try {
        known->second = state::part_formulation(model_, model_.parts[at(part)], c);
      } catch (const Error&) {
      }
    }
    const std::optional<state::PartFormulation>& found = known->second;
    return found.has_value() ? &*found : nullptr;
  }

  std::string name(LocalId part) const { return fmt::format("part {}", model_.parts[at(part)].id); }

  /// Reports once for each keyword, part and reason: a file may have a million elements.
  template <class Report>
  void once(LocalId part, const std::string& reason, Report report) {
    if (told_.insert({label_, part, reason}).second) report(label_);
  }

  Builder& build_;
  model::Model& model_;
  std::string label_;
  std::map<std::pair<ElementKind, LocalId>, InitialStress> found_;  ///< later input replaces earlier
  std::map<std::tuple<LocalId, int, LocalId>, std::optional<state::PartFormulation>> ready_;
  std::set<std::tuple<std::string, LocalId, std::string>> told_;
};

}  // namespace

/// From those of points: they are linear through the thickness.
std::vector<double> surface_strains(const Record& r) {
  const int count = static_cast<int>(r.integer("NPLANE") * r.integer("NTHICK"));
  const Points points(r, r.integer("LARGE") != 0, 7, 0, false);
  double low = 0, high = 0;
  for (int p = 0; p < count; ++p) {
    const double t = points.head(p, 6);
    low = p == 0 ? t : std::min(low, t);
    high = p == 0 ? t : std::max(high, t);
  }
  std::vector<double> surfaces(12, 0.0);
  for (int k = 0; k < 6; ++k) {
    double sum[2] = {0, 0};
    int n[2] = {0, 0};
    for (int p = 0; p < count; ++p)
      for (int side = 0; side < 2; ++side)
        if (points.head(p, 6) == (side == 0 ? low : high)) sum[side] += points.head(p, k), ++n[side];
    if (count == 0) break;
    const double below = sum[0] / n[0], above = sum[1] / n[1];
    const double slope = high > low ? (above - below) / (high - low) : 0.0;
    surfaces[static_cast<std::size_t>(k)] = below + slope * (-1.0 - low);
    surfaces[6 + static_cast<std::size_t>(k)] = above + slope * (1.0 - high);
  }
  return surfaces;
}

namespace {

std::vector<double> solid_strains(const Record& r) {
  std::vector<double> strain;
  for (const char* const field : {"EPSXX", "EPSYY", "EPSZZ", "EPSXY", "EPSYZ", "EPSZX"})
    strain.push_back(r.real(field));
  return strain;
}

}  // namespace

void read_initial_stresses(Builder& build) { StressReader(build).read(); }

void read_initial_strains(Builder& build) {
  std::map<std::pair<ElementKind, LocalId>, InitialStrain> found;
  std::optional<Place> first;
  const auto each = [&](const char* name, ElementKind kind, auto read) {
    for (const Keyword& k : build.deck.all(name))
      for (const Record& r : k.records()) {
        if (!first) first = r.place();
        const std::vector<double> values = read(r);
        for (const LocalId e : elements_of(build, k, r, kind)) found[{kind, e}] = {kind, e, values};
      }
  };
  for (const char* const name : {"INITIAL_STRAIN_SHELL", "INITIAL_STRAIN_SHELL_SET"})
    each(name, ElementKind::shell, surface_strains);
  for (const char* const name : {"INITIAL_STRAIN_SOLID", "INITIAL_STRAIN_SOLID_SET"})
    each(name, ElementKind::solid, solid_strains);
  // STRFLG is read after the features.
  for (auto& [key, strain] : found) build.model.features.of<InitialStrain>().push_back(std::move(strain));
  const auto shown = build.deck.all("DATABASE_EXTENT_BINARY");
  const bool asked = std::ranges::any_of(shown, [](const Keyword& k) {
    return std::ranges::any_of(k.records(), [](const Record& r) { return r.integer("STRFLG") % 10 != 0; });
  });
  if (first && !asked)
    build.warn("CR-D330",
               "*INITIAL_STRAIN: no law depends on initial strains, and results have none without STRFLG of "
               "*DATABASE_EXTENT_BINARY",
               *first);
}

}  // namespace crumple::springback
