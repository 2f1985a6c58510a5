// Functions that loop over all features.
#include "model/feature.hpp"

namespace crumple::model {

void Feature::add_pushed_nodes(const FeatureInputs&, std::vector<LocalId>&) const {}
void Feature::add_turned_nodes(const FeatureInputs&, std::vector<LocalId>&) const {}
void Feature::add_actions(const FeatureInputs&, std::vector<NodalAction>&) const {}
void Feature::release(FeatureInputs&, std::size_t) const {}
void Feature::add_peak_forces(const Model&, const std::function<void(LocalId, double)>&) const {}
void Feature::add_linked_bodies(const FeatureInputs&, std::vector<LocalId>&) const {}
void Feature::add_linked_nodes(const FeatureInputs&, std::vector<std::vector<LocalId>>&) const {}
void Feature::add_doubts(const Model&, std::vector<Doubt>&) const {}
void Feature::add_copies(const FeatureInputs&, decomposition::Copies&) const {}

void archive_features(ByteArchive<Packer>& to, FeatureInputs& inputs) {
  for (const Feature* const feature : features()) feature->send(inputs, to);
}

void archive_features(ByteArchive<Unpacker>& from, FeatureInputs& inputs) {
  for (const Feature* const feature : features()) feature->receive(from, inputs);
}

}  // namespace crumple::model
