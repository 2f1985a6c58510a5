// The rank of each element.
#pragma once

#include <string>
#include <vector>

#include "decomposition/directions.hpp"
#include "model/model.hpp"

namespace crumple::decomposition {

/// Rank of every element, per kind, in the order of the model's arrays.
struct Partition {
  int ranks = 1;
  model::PerKind<std::vector<int>> of;
};

/// Data of one element for the partitioners.
struct Point {
  Vec3 centre;
  double cost = 1.0;
  std::int64_t order = 0;  ///< breaks ties between equal coordinates
};

/// Centre and relative cost of every element, kind after kind; see costs.hpp.
std::vector<Point> element_points(const model::Model& model);

/// Recursive coordinate bisection (Berger and Bokhari 1987): cut normal to the longest extent so that both
/// sides have their ranks' share of the cost. Returns the rank of each point.
std::vector<int> bisect(const std::vector<Point>& points, int ranks);

/// METIS k-way partition of the graph of elements that share two or more nodes.
std::vector<int> metis(const model::Model& model, const std::vector<Point>& points, int ranks);

/// Partition the whole model. Regions and transformations are for bisection only, not for METIS. Throws Error
/// CR-P010 when there are more ranks than elements, CR-P012 when regions leave a rank without elements.
Partition partition(const model::Model& model, int ranks, Method method, const Directions& directions = {});

}  // namespace crumple::decomposition
