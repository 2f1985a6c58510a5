// Inputs of features from a deck: a list for each type of input, accessed by type.
#pragma once

#include <any>
#include <map>
#include <typeindex>
#include <vector>

namespace crumple::model {

/// The lists live as long as this object, and their addresses do not change.
class FeatureInputs {
 public:
  /// All inputs of type T, e.g. `model.features.of<loads::Airbag>()`; empty where there are none.
  template <class T>
  const std::vector<T>& of() const {
    static const std::vector<T> none;
    const auto at = lists_.find(typeid(T));
    return at == lists_.end() ? none : *std::any_cast<std::vector<T>>(&at->second);
  }
  template <class T>
  std::vector<T>& of() {
    std::any& list = lists_[typeid(T)];
    if (!list.has_value()) list = std::vector<T>();
    return *std::any_cast<std::vector<T>>(&list);
  }

 private:
  std::map<std::type_index, std::any> lists_;
};

}  // namespace crumple::model
