// Temperatures and expansions in the list of features.
#include "model/feature.hpp"

#include "loads/temperature/temperature.hpp"
#include "modules/module.hpp"

namespace crumple::loads {

namespace {

/// Both solvers tell elements their temperatures (temperatures.hpp).
class TemperatureFeature final : public model::FeatureOf<Temperature> {
 public:
  std::string_view not_implicit() const override { return {}; }
  void read(model::Builder& build) const override { read_temperatures(build); }
  bool keep(Temperature& of, const decomposition::RankPart& rank) const override {
    rank.keep_here(of.nodes);
    return !of.nodes.empty();
  }
  std::unique_ptr<modules::Module> start(const modules::Start&) const override { return nullptr; }
};

/// Elements know of it when they are made (state/groups.cpp).
class ThermalExpansionFeature final : public model::FeatureOf<ThermalExpansion> {
 public:
  std::string_view not_implicit() const override { return {}; }
  void read(model::Builder& build) const override { read_expansions(build); }
  bool keep(ThermalExpansion&, const decomposition::RankPart&) const override { return true; }
  std::unique_ptr<modules::Module> start(const modules::Start&) const override { return nullptr; }
};

}  // namespace

const model::Feature& temperature_feature() {
  static const TemperatureFeature feature;
  return feature;
}

const model::Feature& thermal_expansion_feature() {
  static const ThermalExpansionFeature feature;
  return feature;
}

}  // namespace crumple::loads
