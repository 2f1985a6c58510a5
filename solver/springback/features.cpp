// Initial stresses and strains, and the request for a file of the final state, in the list of features.
#include "model/feature.hpp"
#include "modules/module.hpp"
#include "springback/initial_state.hpp"
#include "springback/request.hpp"

namespace crumple::springback {

namespace {

/// Elements take it when they are made: it acts in no cycle.
template <class T>
class InitialFeature final : public model::FeatureOf<T> {
 public:
  explicit InitialFeature(void (*read)(model::Builder&)) : read_(read) {}
  std::string_view not_implicit() const override { return {}; }
  void read(model::Builder& build) const override { read_(build); }
  void add_curves(const model::FeatureInputs&, std::set<LocalId>&) const override {}
  bool keep(T& item, const decomposition::RankPart& rank) const override {
    return rank.has(item.kind, item.element);
  }
  /// Copies only what the rank has: there may be one for each element of the model.
  void cut(const model::FeatureInputs& whole, const decomposition::RankPart& rank,
           model::FeatureInputs& part) const override {
    for (const T& item : whole.of<T>())
      if (rank.has(item.kind, item.element)) {
        part.of<T>().push_back(item);
        rank.renumber(part.of<T>().back());
      }
  }
  std::unique_ptr<modules::Module> start(const modules::Start&) const override { return nullptr; }

 private:
  void (*read_)(model::Builder&);
};

/// The file is written after the last cycle.
class RequestFeature final : public model::FeatureOf<Request> {
 public:
  std::string_view not_implicit() const override { return {}; }
  void read(model::Builder& build) const override { read_request(build); }
  bool keep(Request&, const decomposition::RankPart&) const override { return true; }
  std::unique_ptr<modules::Module> start(const modules::Start&) const override { return nullptr; }
};

}  // namespace

const model::Feature& initial_stress_feature() {
  static const InitialFeature<InitialStress> feature(read_initial_stresses);
  return feature;
}

const model::Feature& initial_strain_feature() {
  static const InitialFeature<InitialStrain> feature(read_initial_strains);
  return feature;
}

const model::Feature& request_feature() {
  static const RequestFeature feature;
  return feature;
}

}  // namespace crumple::springback
