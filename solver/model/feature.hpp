// A feature (an airbag, a wall, a joint) before the run: it is read from the deck, and cut to ranks.
//
// A feature is one folder, with its input, its reader, its part in the run (modules/module.hpp) and the
// histories that it writes, and one line of the list of features (modules/list.cpp). No other code names it.
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/types.hpp"
#include "decomposition/rank_part.hpp"
#include "model/byte_archive.hpp"
#include "model/feature_inputs.hpp"

namespace crumple::modules {
class Module;
struct Start;
}  // namespace crumple::modules

namespace crumple::model {

class Builder;
struct Doubt;

class Feature {
 public:
  virtual ~Feature() = default;

  /// Reads its keywords, after nodes, elements, sets, curves and rigid bodies. Errors are reported to the
  /// builder.
  virtual void read(Builder& build) const = 0;
  /// Names of the histories that it writes: "abstat" for *DATABASE_ABSTAT.
  virtual std::span<const std::string_view> histories() const { return {}; }
  /// Adds the curves to which it refers.
  virtual void add_curves(const FeatureInputs& inputs, std::set<LocalId>& curves) const = 0;
  /// Adds the nodes on which it may act, with or without mass.
  virtual void add_pushed_nodes(const FeatureInputs& inputs, std::vector<LocalId>& nodes) const;

  /// Adds doubts about its inputs, for `crumple check`.
  virtual void add_doubts(const Model& model, std::vector<Doubt>& doubts) const;
  /// Name and number of its inputs for `crumple check`; not listed without a name.
  virtual std::pair<std::string_view, std::size_t> count(const FeatureInputs&) const { return {}; }

  /// Adds copies of nodes that ranks need beside those of their elements.
  virtual void add_copies(const FeatureInputs& whole, decomposition::Copies& copies) const;
  /// The inputs of one rank.
  virtual void cut(const FeatureInputs& whole, const decomposition::RankPart& rank,
                   FeatureInputs& part) const = 0;
  virtual void send(const FeatureInputs& inputs, ByteArchive<Packer>& to) const = 0;
  virtual void receive(ByteArchive<Unpacker>& from, FeatureInputs& inputs) const = 0;

  /// Starts its module; null if the model has no input of it. Collective.
  virtual std::unique_ptr<modules::Module> start(const modules::Start& start) const = 0;
};

/// All features, in the order in which they are read and in which they act (modules/list.cpp).
std::span<const Feature* const> features();

/// A feature whose input is a list of T, a struct with a list of fields (model/fields.hpp).
template <class T>
class FeatureOf : public Feature {
 public:
  /// Whether the rank has an item. Removes the item's nodes and elements that the rank does not have; numbers
  /// are still those of the whole model.
  virtual bool keep(T& item, const decomposition::RankPart& rank) const = 0;

  void add_curves(const FeatureInputs& inputs, std::set<LocalId>& curves) const override {
    CurveCollector collect{curves};
    for (T item : inputs.of<T>()) fields(collect, item);
  }
  void cut(const FeatureInputs& whole, const decomposition::RankPart& rank,
           FeatureInputs& part) const override {
    for (T item : whole.of<T>())
      if (keep(item, rank)) {
        rank.renumber(item);
        part.of<T>().push_back(std::move(item));
      }
  }
  void send(const FeatureInputs& inputs, ByteArchive<Packer>& to) const override {
    std::vector<T> list = inputs.of<T>();
    to(list);
  }
  void receive(ByteArchive<Unpacker>& from, FeatureInputs& inputs) const override { from(inputs.of<T>()); }
};

}  // namespace crumple::model
