// Airbags in the list of features: how inputs are cut to ranks, and their module in the run.
#include "model/feature.hpp"

#include <algorithm>
#include <set>

#include "loads/airbag/abstat.hpp"
#include "loads/airbag/airbag.hpp"
#include "loads/airbag/gas.hpp"
#include "modules/module.hpp"
#include "modules/modules.hpp"
#include "sensors/sensors.hpp"

namespace crumple::loads {

namespace {

class AirbagModule final : public modules::Module {
 public:
  explicit AirbagModule(const modules::Start& start)
      : gas_(start.model, start.comm), sensors_(start.started.find<sensors::Sensors>()) {}
  void add_forces(modules::Cycle& cycle) override {
    if (sensors_ != nullptr)
      for (std::size_t b = 0; b < gas_.inputs().size(); ++b)
        gas_.begin_at(b, sensors_->begin_of_bag(gas_.inputs()[b].id));
    gas_.add(cycle.nodal, cycle.time, cycle.stage);
  }
  void add_work(modules::Work& work) const override {
    work.external.add(gas_.work());
    work.damped.add(gas_.damped());
  }
  void archive(state::Archive& archive, const parallel::IndexMap&) override { gas_.archive(archive); }
  std::vector<output::History*> histories() override { return {&abstat_}; }

 private:
  Airbags gas_;
  const sensors::Sensors* sensors_;  ///< that start gases; null without
  Abstat abstat_{gas_};
};

class AirbagFeature final : public model::FeatureOf<Airbag> {
 public:
  std::string_view not_implicit() const override { return "airbags"; }
  void read(model::Builder& build) const override { read_airbags(build); }
  void add_curves(const model::FeatureInputs& inputs, std::set<LocalId>& curves) const override {
    FeatureOf<Airbag>::add_curves(inputs, curves);
    for (const Airbag& bag : inputs.of<Airbag>()) {
      const Inflation& gas = bag.inflation;
      curves.insert({gas.inflow, gas.temperature_curve, gas.outflow, gas.total_inflow});
      const auto of_hole = [&](const Orifice& hole) {
        curves.insert({hole.coefficient_by_time, hole.coefficient_by_pressure, hole.area_by_pressure,
                       hole.speed_by_pressure});
      };
      for (const Orifice& hole : gas.orifices) of_hole(hole);
      const Liquid& liquid = bag.liquid;
      curves.insert({liquid.bulk_curve, liquid.limit_curve, liquid.added, liquid.inflow, liquid.outflow,
                     liquid.outflow_by_pressure});
      for (const MixedGas& mixed : gas.gases) curves.insert({mixed.inflow, mixed.temperature_curve});
      for (const BagLink& link : bag.links) {
        of_hole(link.hole);
        curves.insert(link.flow_by_difference);
      }
    }
  }
  std::span<const std::string_view> histories() const override {
    static constexpr std::array<std::string_view, 1> names{"abstat"};
    return names;
  }
  void add_pushed_nodes(const model::FeatureInputs& inputs, std::vector<LocalId>& nodes) const override {
    for (const Airbag& bag : inputs.of<Airbag>())
      for (const auto& segment : bag.segments) nodes.insert(nodes.end(), segment.begin(), segment.end());
  }
  /// A segment is on the rank that owns its first node.
  void add_copies(const model::FeatureInputs& whole, decomposition::Copies& copies) const override {
    for (const Airbag& bag : whole.of<Airbag>())
      for (const auto& segment : bag.segments)
        for (const LocalId node : segment) copies.add(node, copies.owner(segment[0]));
  }
  /// All ranks have all bags, because all take part in their sums.
  bool keep(Airbag& bag, const decomposition::RankPart& rank) const override {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < bag.segments.size(); ++k) {
      if (!rank.mine(bag.segments[k][0])) continue;
      bag.segments[kept] = bag.segments[k];
      bag.order[kept++] = bag.order[k];
    }
    bag.segments.resize(kept);
    bag.order.resize(kept);
    rank.keep_mine(bag.nodes);
    return true;
  }
  std::unique_ptr<modules::Module> start(const modules::Start& start) const override {
    if (start.model.features.of<Airbag>().empty()) return nullptr;
    return std::make_unique<AirbagModule>(start);
  }
};

}  // namespace

const model::Feature& airbag_feature() {
  static const AirbagFeature feature;
  return feature;
}

}  // namespace crumple::loads
