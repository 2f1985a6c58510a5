// *INITIAL_AXIAL_FORCE_BEAM and *INITIAL_STRESS_SECTION, for each element of their sets and sections.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "loads/preload/preload.hpp"
#include "materials/row.hpp"
#include "model/builder.hpp"
#include "model/cross_section_plane.hpp"

namespace crumple::loads {

using model::Builder;
using model::ElementKind;
using model::Keyword;
using model::kNone;
using model::Record;

namespace {

class PreloadReader {
 public:
  explicit PreloadReader(Builder& build) : build_(build), model_(build.model) {}

  void read() {
    for (const Keyword& k : build_.deck.all("INITIAL_AXIAL_FORCE_BEAM"))
      for (const Record& r : k.records()) beams(k, r);
    for (const Keyword& k : build_.deck.all("INITIAL_STRESS_SECTION"))
      for (const Record& r : k.records()) section(k, r);
    auto& list = model_.features.of<Preload>();
    for (const auto& [key, preload] : found_) list.push_back(preload);
  }

 private:
  void beams(const Keyword& k, const Record& r) {
    label_ = Builder::star(k);
    Preload preload;
    preload.kind = ElementKind::beam;
    preload.scale = r.real("SCALE");
    preload.keeps = r.integer("KBEND") == 1;
    preload.curve = build_.find_curve(r.integer("LCID"), label_, r.place("LCID"));
    const LocalId set =
        build_.find(build_.beam_sets, r.integer("BSID"), "CR-D305", "beam set", label_, r.place("BSID"));
    if (set == kNone || preload.curve == kNone) return;
    for (const LocalId e : model_.sets.beams[at(set)].elements) add(preload, e, r);
  }

  void section(const Keyword& k, const Record& r) {
    label_ = fmt::format("{} {}", Builder::star(k), r.integer("ISSID"));
    Preload preload;
    preload.kind = ElementKind::solid;
    preload.keeps = r.integer("IZSHEAR") == 1;
    preload.curve = build_.find_curve(r.integer("LCID"), label_, r.place("LCID"));
    const GlobalId id = r.integer("CSID");
    const auto section = std::ranges::find(model_.cross_sections, id, &model::CrossSection::id);
    if (section == model_.cross_sections.end()) {
      build_.missing("CR-D302", "cross section",
                     fmt::format("{}: cross section {} does not exist", label_, id), r.place("CSID"));
      return;
    }
    preload.normal = normal(r, id);
    if (preload.curve == kNone || norm(preload.normal) == 0.0) return;
    std::set<LocalId> parts;
    if (const GlobalId of = r.integer("PSID"); of != 0) {
      const model::PartSet* const set = build_.find_part_set(of, label_, r.place("PSID"));
      if (set == nullptr) return;
      parts.insert(set->parts.begin(), set->parts.end());
    }
    std::size_t n = 0;
    for (const LocalId e : section->solids)
      if (parts.empty() || parts.contains(model_.solids.part[at(e)])) add(preload, e, r), ++n;
    if (n == 0)
      build_.warn("CR-D330", fmt::format("{}: no solids of cross section {} are chosen", label_, id),
                  r.place("CSID"));
  }

  /// Along VID, else normal to the plane of the section. Zero after an error.
  Vec3 normal(const Record& r, GlobalId section) {
    const GlobalId id = r.integer("VID");
    if (id == 0) {
      const Vec3 of_plane = model::normal_of_cross_section(build_, section);
      if (norm(of_plane) == 0.0)
        build_.error(
            "CR-D310",
            fmt::format("{}: cross section {} has no plane: VID must give the direction", label_, section),
            r.place("VID"));
      return of_plane;
    }
    const auto vector = build_.vectors.find(id);
    if (vector == build_.vectors.end()) {
      build_.missing("CR-D304", "vector", fmt::format("{}: vector {} does not exist", label_, id),
                     r.place("VID"));
      return {};
    }
    const double length = norm(vector->second);
    if (length == 0.0)
      build_.error("CR-D310", fmt::format("{}: vector {} has no length", label_, id), r.place("VID"));
    return length > 0.0 ? (1.0 / length) * vector->second : Vec3{};
  }

  void add(Preload preload, LocalId element, const Record& r) {
    const bool beam = preload.kind == ElementKind::beam;
    const LocalId part = beam ? model_.beams.part[at(element)] : model_.solids.part[at(element)];
    if (const std::string why = refusal(preload, element, part); !why.empty()) {
      if (refused_.emplace(part, why).second)
        build_.unsupported(fmt::format("{}: part {}: {}", label_, model_.parts[at(part)].id, why), r.place());
      return;
    }
    preload.element = element;
    if (!found_.emplace(std::pair(preload.kind, element), preload).second)
      build_.error("CR-D301",
                   fmt::format("{}: {} {} is preloaded twice", label_, model::kind_name(preload.kind),
                               beam ? model_.beams.id[at(element)] : model_.solids.id[at(element)]),
                   r.place());
  }

  /// Why an element cannot be preloaded; empty if it can.
  std::string refusal(const Preload& preload, LocalId element, LocalId part) const {
    const model::Part& of = model_.parts[at(part)];
    if (of.section == kNone || of.material == kNone) return {};  // has an error of its own
    const materials::Row* const law = materials::find_law(model_.materials[at(of.material)].law);
    if (law == nullptr) return {};
    if (law->rigid || law->null || !law->elastic_fields)
      return fmt::format("*{} has no stress that can be prescribed", law->keyword);
    if (preload.kind != ElementKind::beam) return {};
    const LocalId own = model_.beams.section.empty() ? kNone : model_.beams.section[at(element)];
    const int elform = model_.sections[at(own == kNone ? of.section : own)].elform;
    return elform == 1 || elform == 9 ? ""
                                      : fmt::format("beams of ELFORM {}; 1 and 9 can be preloaded", elform);
  }

  Builder& build_;
  model::Model& model_;
  std::string label_;
  std::map<std::pair<ElementKind, LocalId>, Preload> found_;
  std::set<std::pair<LocalId, std::string>> refused_;
};

}  // namespace

void read_preloads(Builder& build) { PreloadReader(build).read(); }

}  // namespace crumple::loads
