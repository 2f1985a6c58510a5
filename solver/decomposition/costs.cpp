// Relative cost of elements, for balancing.
#include "decomposition/partition.hpp"
#include "elements/kernel.hpp"

namespace crumple::decomposition {

namespace {

/// Cost of one element of a part; measured costs per formulation x law replace this table later.
double part_cost(const model::Model& model, const model::Part& part) {
  constexpr double rigid_cost = 0.1;
  if (part.rigid_body != model::kNone) return rigid_cost;
  if (part.section == model::kNone) return 1.0;
  const model::Section& section = model.sections[part.section];
  const elements::Formulation* formulation = elements::find_formulation(part.kind, section.elform);
  const double base = formulation ? formulation->cost : 1.0;
  // A shell's cost is half frame and hourglass, half integration points (2 are the reference).
  return part.kind == model::ElementKind::shell ? base * (0.5 + 0.25 * section.nip) : base;
}

template <class Elements>
void append(const model::Model& model, const Elements& elements, const std::vector<double>& cost, int corners,
            std::vector<Point>& points) {
  for (std::size_t e = 0; e < elements.size(); ++e) {
    Vec3 sum;
    int n = 0;
    for (int c = 0; c < corners; ++c) {
      const LocalId node = elements.nodes[e][c];
      if (node == model::kNone) continue;
      sum += model.nodes.x[node];
      ++n;
    }
    const LocalId part = elements.part[e];
    points.push_back({(1.0 / std::max(n, 1)) * sum, part == model::kNone ? 1.0 : cost[part],
                      static_cast<std::int64_t>(points.size())});
  }
}

}  // namespace

std::vector<Point> element_points(const model::Model& model) {
  std::vector<double> cost;
  for (const model::Part& part : model.parts) cost.push_back(part_cost(model, part));
  std::vector<Point> points;
  points.reserve(model.shells.size() + model.solids.size() + model.beams.size() + model.discretes.size());
  append(model, model.shells, cost, 4, points);
  append(model, model.solids, cost, 8, points);
  append(model, model.beams, cost, 2, points);
  append(model, model.discretes, cost, 2, points);
  return points;
}

}  // namespace crumple::decomposition
