// What a feature (an airbag, a wall, a joint) does before the run: it is read from the deck, and cut to
// ranks.
//
// A feature is one folder, with its input, its reader, its part in the run (modules/module.hpp) and the
// histories that it writes, and one line of the list of features (modules/list.cpp). Nothing else names it.
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

class Builder;
class Feature;
struct Doubt;

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

  /// Its keywords, once nodes, elements, sets, curves and rigid bodies are known. Errors go to the builder.
  virtual void read(Builder& build) const = 0;
  /// The histories that it writes: "abstat", which *DATABASE_ABSTAT asks for.
  virtual std::span<const std::string_view> histories() const { return {}; }
  /// Curves that it refers to.
  virtual void add_curves(const FeatureInputs& inputs, std::set<LocalId>& curves) const = 0;
  /// Nodes that it may push or pull, whether they have mass or not.
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

  /// What is unlikely about its inputs, for `crumple check`.
  virtual void add_doubts(const Model& model, std::vector<Doubt>& doubts) const;
  /// What and how many `crumple check` counts; nothing without a name.
  virtual std::pair<std::string_view, std::size_t> count(const FeatureInputs&) const { return {}; }

  /// Give ranks the nodes that they need beside those of their elements.
  virtual void add_copies(const FeatureInputs& whole, decomposition::Copies& copies) const;
  /// What one rank has.
  virtual void cut(const FeatureInputs& whole, const decomposition::RankPart& rank,
                   FeatureInputs& part) const = 0;
  virtual void send(const FeatureInputs& inputs, ByteArchive<Packer>& to) const = 0;
  virtual void receive(ByteArchive<Unpacker>& from, FeatureInputs& inputs) const = 0;

  /// Its part in the run; null where the model has nothing of it. Collective.
  virtual std::unique_ptr<modules::Module> start(const modules::Start& start) const = 0;
};

/// All features, in the order in which they are read and in which they act (modules/list.cpp).
std::span<const Feature* const> features();

/// A feature whose input is a list of T, a struct with a list of fields (model/fields.hpp).
template <class T>
class FeatureOf : public Feature {
 public:
  /// Whether the rank has an item; takes out those of its nodes and elements that it has not, whose numbers
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
