// Contact entities in the list of features.
#include "model/feature.hpp"

#include "loads/entity/contact_entities.hpp"
#include "loads/entity/contact_entity.hpp"

namespace crumple::loads {

namespace {

class ContactEntityFeature final : public model::FeatureOf<ContactEntity> {
 public:
  std::string_view not_implicit() const override { return "contact entities"; }
  void read(model::Builder& build) const override { read_contact_entities(build); }
  std::pair<std::string_view, std::size_t> count(const model::FeatureInputs& inputs) const override {
    return {"contact entities", inputs.of<ContactEntity>().size()};
  }
  void add_linked_bodies(const model::FeatureInputs& inputs, std::vector<LocalId>& bodies) const override {
    for (const ContactEntity& entity : inputs.of<ContactEntity>()) bodies.push_back(entity.body);
  }
  /// All ranks have all entities, each rank with its own nodes.
  bool keep(ContactEntity& entity, const decomposition::RankPart& rank) const override {
    if (!entity.half_thickness.empty()) {
      std::vector<double> here;
      for (std::size_t k = 0; k < entity.nodes.size(); ++k)
        if (rank.here(entity.nodes[k])) here.push_back(entity.half_thickness[k]);
      entity.half_thickness = std::move(here);
    }
    rank.keep_here(entity.nodes);
    return true;
  }
  std::unique_ptr<modules::Module> start(const modules::Start& start) const override {
    return ContactEntities::start(start);
  }
};

}  // namespace

const model::Feature& contact_entity_feature() {
  static const ContactEntityFeature feature;
  return feature;
}

}  // namespace crumple::loads
