// Reads the second card of *SECTION_BEAM with ELFORM 6.
#include "model/discrete_beam_sections.hpp"

#include <algorithm>
#include <cmath>

#include "model/builder.hpp"
#include "model/feature.hpp"
#include "modules/module.hpp"

namespace crumple::model {

namespace {

constexpr std::array kScoor{-13, -12, -3, -2, -1, 0, 1, 2, 3, 12, 13};

/// Reports values that no discrete beam can have.
void check_values(const Builder& build, const DiscreteBeamSection& s, const Record& r,
                  const std::string& label) {
  const auto refuse = [&](const char* field, const std::string& what) {
    build.error("CR-D310", fmt::format("{}: {}", label, what), r.place(field));
  };
  if (s.volume < 0) refuse("VOL", fmt::format("VOL = {} is negative", s.volume));
  if (s.cable_area < 0) refuse("CA", fmt::format("CA = {} is negative", s.cable_area));
  if (s.inertia < 0 && s.inertia != -1)
    refuse("INER", fmt::format("INER = {} is not supported: give the inertia, or -1", s.inertia));
  if (s.scoor != r.real("SCOOR") || std::ranges::find(kScoor, s.scoor) == kScoor.end())
    refuse("SCOOR",
           fmt::format("SCOOR = {} is none of 0, 1, 2, 3, 12, 13 and their negatives", r.real("SCOOR")));
  if (s.along_line() && (s.held[0] || s.held[1] || s.held[2]))
    refuse("RRCON",
           fmt::format("RRCON, SRCON and TRCON are not supported with SCOOR = {}, whose r axis follows "
                       "the nodes",
                       s.scoor));
}

class DiscreteBeamSections final : public FeatureOf<DiscreteBeamSection> {
 public:
  std::string_view not_implicit() const override { return {}; }
  bool keep(DiscreteBeamSection&, const decomposition::RankPart&) const override { return true; }
  std::unique_ptr<modules::Module> start(const modules::Start&) const override { return nullptr; }

  void read(Builder& build) const override {
    for (const Keyword& k : build.deck.all("SECTION_BEAM"))
      for (const Record& r : k.records())
        if (r.integer("ELFORM") == 6) read_section(build, r);
  }

 private:
  static void read_section(Builder& build, const Record& r) {
    const GlobalId id = r.integer("SECID");
    const std::string label = fmt::format("*SECTION_BEAM {}", id);
    DiscreteBeamSection s;
    s.section = build.sections.find(id);
    if (s.section == kNone) return;
    s.volume = r.real("VOL");
    s.inertia = r.real("INER");
    s.cable_area = r.real("CA");
    s.offset = r.real("OFFSET");
    s.scoor = static_cast<int>(std::lround(r.real("SCOOR")));
    s.held = {r.real("RRCON") != 0, r.real("SRCON") != 0, r.real("TRCON") != 0};
    check_values(build, s, r, label);
    if (const GlobalId cid = r.integer("CID"); cid != 0) {
      const LocalId system = build.find_system(cid, label, r.place("CID"));
      if (system == kNone) return;
      s.has_axes = true;
      s.axes = build.model.systems[static_cast<std::size_t>(system)].axis;
    }
    build.model.features.of<DiscreteBeamSection>().push_back(s);
  }
};

}  // namespace

const DiscreteBeamSection* find_discrete_beam_section(const Model& model, LocalId section) {
  const auto& all = model.features.of<DiscreteBeamSection>();
  const auto found = std::ranges::find(all, section, &DiscreteBeamSection::section);
  return found == all.end() ? nullptr : &*found;
}

const Feature& discrete_beam_sections_feature() {
  static const DiscreteBeamSections feature;
  return feature;
}

}  // namespace crumple::model
