// Has no part in cycles; every rank has it.
#include "model/implicit_matrices.hpp"

#include "modules/module.hpp"

namespace crumple::model {

namespace {

/// Read with the other keywords of implicit runs (read_implicit.cpp).
class ImplicitMatricesFeature final : public FeatureOf<ImplicitMatrices> {
 public:
  std::string_view not_implicit() const override { return {}; }
  void read(Builder&) const override {}
  bool keep(ImplicitMatrices&, const decomposition::RankPart&) const override { return true; }
  std::unique_ptr<modules::Module> start(const modules::Start&) const override { return nullptr; }
};

}  // namespace

const Feature& implicit_matrices_feature() {
  static const ImplicitMatricesFeature feature;
  return feature;
}

}  // namespace crumple::model
