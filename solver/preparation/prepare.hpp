// The stage between the model that the deck gives and its decomposition: from a model to a prepared model.
#pragma once

#include <map>
#include <vector>

#include "decomposition/costs.hpp"
#include "model/model.hpp"
#include "preparation/finding.hpp"
#include "preparation/initial_penetrations.hpp"

namespace crumple::preparation {

/// Data for preparation beside the model.
struct Request {
  decomposition::MeasuredCosts costs;  ///< empty: built-in costs
  /// Rows of *NODE of nodes that may be without mass, for messages.
  std::map<GlobalId, Place> places_of_nodes;
  bool parts_left_out = false;  ///< loads on nodes that have lost their mass are left out, too
  bool costs_only = false;      ///< the deck has errors: nothing else of its model is reliable
};

struct Prepared {
  model::Model model;
  std::vector<PenetrationPair> penetrations;  ///< at the start, the deepest first
  std::vector<Finding> findings;              ///< in the order of detection
};

/// Distribute masses of parts over nodes, fill surfaces and ties of contacts, remove initial penetrations,
/// search for loaded nodes without mass, and set the costs of elements. For rank 0, on the whole model.
/// Preparation stops at the first error: it is the last finding.
Prepared prepare(model::Model model, const Request& request);

/// Nodes without mass, or without inertia, with a load in a free direction. They may still become tied.
std::vector<GlobalId> nodes_without_mass(const model::Model& model);

/// Free the arrays of a rank's model that only the start needs: contacts and nodes have copied segments and
/// initial velocities.
void release_start(model::Model& model);

}  // namespace crumple::preparation
