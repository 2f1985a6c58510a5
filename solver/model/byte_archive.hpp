// Structs as bytes and back, by their lists of fields.
#pragma once

#include <cstddef>
#include <cstring>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "model/fields.hpp"

namespace crumple::model {

class ByteWriter {
 public:
  static constexpr bool reading = false;
  void bytes(void* data, std::size_t n) {
    const auto* p = static_cast<const std::byte*>(data);
    out_.insert(out_.end(), p, p + n);
  }
  std::vector<std::byte> take() { return std::move(out_); }

 private:
  std::vector<std::byte> out_;
};

/// Keeps a reference to `in`.
class ByteReader {
 public:
  explicit ByteReader(const std::vector<std::byte>& in) : in_(in) {}
  static constexpr bool reading = true;
  void bytes(void* data, std::size_t n) {
    if (n > 0) std::memcpy(data, in_.data() + at_, n);
    at_ += n;
  }

 private:
  const std::vector<std::byte>& in_;
  std::size_t at_ = 0;
};

template <class A>
class ByteArchive;

/// Inputs of all features (feature.hpp).
void archive_features(ByteArchive<ByteWriter>& to, FeatureInputs& inputs);
void archive_features(ByteArchive<ByteReader>& from, FeatureInputs& inputs);

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
  void operator()(std::string& text) {
    text.resize(size_of(text));
    A::bytes(text.data(), text.size());
  }
  void operator()(std::map<std::string, double>& items) {
    const std::size_t n = size_of(items);
    if constexpr (A::reading) {
      for (std::size_t i = 0; i < n; ++i) {
        std::string key;
        (*this)(key);
        (*this)(items[key]);
      }
    } else {
      for (auto& [key, value] : items) {
        std::string k = key;
        (*this)(k);
        (*this)(value);
      }
    }
  }
  template <class T>
  void operator()(std::vector<T>& items) {
    items.resize(size_of(items));
    if constexpr (std::is_trivially_copyable_v<T>)
      A::bytes(items.data(), items.size() * sizeof(T));
    else
      for (T& item : items) (*this)(item);
  }
  /// Sets serve rank 0 only, which finds contact surfaces before it sends anybody a share.
  void operator()(Sets&) {}
  template <class T>
  void operator()(T& value) {
    if constexpr (std::is_trivially_copyable_v<T>)
      A::bytes(&value, sizeof(T));
    else
      fields(*this, value);
  }

 private:
  template <class T>
  std::size_t size_of(const T& container) {
    std::size_t n = container.size();
    A::bytes(&n, sizeof n);
    return n;
  }
};

template <class S>
std::vector<std::byte> to_bytes(const S& s) {
  ByteArchive<ByteWriter> writer;
  writer(const_cast<S&>(s));  // which only reads through the reference
  return writer.take();
}

template <class S>
S from_bytes(const std::vector<std::byte>& bytes) {
  S s;
  ByteArchive<ByteReader> reader(bytes);
  reader(s);
  return s;
}

}  // namespace crumple::model
