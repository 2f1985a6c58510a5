// Interface files in the list of features.
#include "model/feature.hpp"

#include <array>

#include "output/interface_file/component_history.hpp"

namespace crumple::output {

namespace {

class InterfaceComponentFeature final : public model::FeatureOf<InterfaceComponent> {
 public:
  std::string_view not_implicit() const override { return "files of interfaces"; }
  void read(model::Builder& build) const override { read_interface_components(build); }
  std::span<const std::string_view> histories() const override {
    static constexpr std::array names{kInterfaceFile};
    return names;
  }
  bool keep(InterfaceComponent& in, const decomposition::RankPart& rank) const override {
    rank.keep_mine(in.nodes);
    return true;
  }
  std::unique_ptr<modules::Module> start(const modules::Start& start) const override {
    if (start.model.features.of<InterfaceComponent>().empty()) return nullptr;
    return std::make_unique<ComponentHistory>(start.model, start.comm);
  }
};

}  // namespace

const model::Feature& interface_component_feature() {
  static const InterfaceComponentFeature feature;
  return feature;
}

}  // namespace crumple::output
