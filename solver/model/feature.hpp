// A feature (an airbag, a wall, a joint) before the run: it is read from the deck, and cut to ranks.
//
// A feature is one folder, with its input, its reader, its part in the run (modules/module.hpp) and the
// histories that it writes, and one line of the list of features (modules/list.cpp). No other code names it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
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

/// What acts on one node, for the search for nodes that have nothing to answer it with.
struct NodalAction {
  LocalId node = kNone;
  bool rotation = false;          ///< a moment
  std::optional<Vec3> direction;  ///< none: any
  std::string_view what;          ///< "a load on the node"
  const Feature* of = nullptr;
  std::size_t item = 0;  ///< which of its inputs
};

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
  /// Nodes that it may turn, whether they have inertia or not.
  virtual void add_turned_nodes(const FeatureInputs& inputs, std::vector<LocalId>& nodes) const;
  /// What acts on single nodes, and an end to one of its inputs that does.
  virtual void add_actions(const FeatureInputs& inputs, std::vector<NodalAction>& actions) const;
  virtual void release(FeatureInputs& inputs, std::size_t item) const;
  /// Largest forces on nodes, for the scales of their sums.
  virtual void add_peak_forces(const Model& model, const std::function<void(LocalId, double)>& raise) const;
  /// Rigid bodies whose motion every rank needs for it, also where it has none of their nodes.
  virtual void add_linked_bodies(const FeatureInputs& inputs, std::vector<LocalId>& bodies) const;

  /// Adds groups of nodes that move by each other's motion: a rank that has a node of a group has all of it.
  virtual void add_linked_nodes(const FeatureInputs& inputs, std::vector<std::vector<LocalId>>& groups) const;

  /// Adds doubts about its inputs, for `crumple check`.
  virtual void add_doubts(const Model& model, std::vector<Doubt>& doubts) const;
  /// Name and number of its inputs for `crumple check`; not listed without a name.
  virtual std::pair<std::string_view, std::size_t> count(const FeatureInputs&) const { return {}; }

  /// Whether the model has inputs of it.
  virtual bool any(const FeatureInputs& inputs) const = 0;
  /// What implicit analysis refuses if there are any: "airbags"; empty if it has the feature.
  virtual std::string_view not_implicit() const = 0;

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

  bool any(const FeatureInputs& inputs) const override { return !inputs.of<T>().empty(); }
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
