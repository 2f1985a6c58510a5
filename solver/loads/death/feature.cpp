// Deaths of elements in the list of features.
#include "model/feature.hpp"

#include "loads/death/element_death.hpp"
#include "loads/death/element_deaths.hpp"

namespace crumple::loads {

namespace {

class ElementDeathFeature final : public model::FeatureOf<ElementDeath> {
 public:
  std::string_view not_implicit() const override { return "deaths of elements (*DEFINE_ELEMENT_DEATH)"; }
  void read(model::Builder& build) const override { read_element_deaths(build); }
  /// All ranks know the groups, whose elements they count together.
  bool keep(ElementDeath& death, const decomposition::RankPart& rank) const override {
    rank.keep_elements(death.kind, death.elements);
    return !death.elements.empty() || death.group >= 0;
  }
  std::unique_ptr<modules::Module> start(const modules::Start& start) const override {
    return ElementDeaths::start(start);
  }
};

}  // namespace

const model::Feature& element_death_feature() {
  static const ElementDeathFeature feature;
  return feature;
}

}  // namespace crumple::loads
