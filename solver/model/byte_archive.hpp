// Packs the model into the bytes of a message and unpacks it, by its structs' lists of fields (fields.hpp).
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "base/packing.hpp"
#include "model/fields.hpp"

namespace crumple::model {

template <class A>
class ByteArchive;

/// Inputs of all features (feature.hpp).
void archive_features(ByteArchive<Packer>& to, FeatureInputs& inputs);
void archive_features(ByteArchive<Unpacker>& from, FeatureInputs& inputs);

/// A is Packer or Unpacker. Trivial structs are sent as they are in memory.
template <class A>
class ByteArchive : public A {
 public:
  using A::A;

  template <class T>
  void operator()(NodesOf<T>& nodes) {
    (*this)(nodes.index);
  }
  template <class T>
  void operator()(ElementsOf<T>& elements) {
    (*this)(elements.index);
  }
  template <class T>
  void operator()(CurvesOf<T>& curves) {
    (*this)(curves.index);
  }
  void operator()(FeatureInputs& inputs) { archive_features(*this, inputs); }
  void operator()(std::string& text) { A::operator()("", text); }
  void operator()(std::map<std::string, double>& items) { A::operator()("", items); }
  template <class T>
  void operator()(std::vector<T>& items) {
    constexpr bool is_memory = std::is_trivially_copyable_v<T>;
    if constexpr (A::reading)
      items.resize(A::count(is_memory ? sizeof(T) : 1));
    else
      A::put(items.size());
    if constexpr (is_memory)
      A::bytes(items.data(), items.size() * sizeof(T));
    else
      for (T& item : items) (*this)(item);
  }
  /// Sets are used on rank 0 only, which finds contact surfaces before it sends subdomains.
  void operator()(Sets&) {}
  template <class T>
  void operator()(T& value) {
    if constexpr (std::is_trivially_copyable_v<T>)
      A::bytes(&value, sizeof(T));
    else
      fields(*this, value);
  }
};

}  // namespace crumple::model
