// The stage between the model that the deck gives and its decomposition: a model in, a prepared model out.
#pragma once

#include <map>
#include <vector>

#include "decomposition/costs.hpp"
#include "model/model.hpp"
#include "preparation/finding.hpp"
#include "preparation/initial_penetrations.hpp"

namespace crumple::preparation {

/// What preparation needs beside the model.
struct Request {
  decomposition::MeasuredCosts costs;  ///< empty: those built in
  /// Rows of *NODE of nodes that may be without mass, for messages.
  std::map<GlobalId, Place> places_of_nodes;
  bool parts_left_out = false;  ///< what acts on nodes that have lost their mass is left out, too
  bool costs_only = false;      ///< the deck has errors: nothing else of its model can be relied on
};

struct Prepared {
  model::Model model;
  std::vector<PenetrationPair> penetrations;  ///< at the start, the deepest first
  std::vector<Finding> findings;              ///< in the order in which they were found
};

/// Spread masses of parts over nodes, fill surfaces and ties of contacts, move nodes out of initial
/// penetrations, look for nodes without mass, and set what elements cost. For rank 0, on the whole model.
/// The first error among the findings is the last: what follows from it is not looked at.
Prepared prepare(model::Model model, const Request& request);

/// Nodes without mass, or without inertia, that are free where something acts on them. They may be tied yet.
std::vector<GlobalId> nodes_without_mass(const model::Model& model);

/// Free the arrays of a rank's model that only the start needs: segments of surfaces have become those of
/// the contacts, initial velocities those of the nodes.
void release_start(model::Model& model);

}  // namespace crumple::preparation
