// Relative cost of elements, for balancing.
#include "decomposition/costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "decomposition/partition.hpp"
#include "elements/kernel.hpp"
#include "materials/row.hpp"
#include "model/element_rows.hpp"

namespace crumple::decomposition {

namespace {

using model::ElementKind;

/// Fraction of a model's points that yield at the same time in a crash.
constexpr double kYieldingShare = 0.25;
constexpr double kRigidCost = 0.1;
constexpr int kReferenceLayers = 2, kBelytschkoTsay = 2;

ElementKind kind_of(const std::string& name) {
  if (const ElementKind kind = model::kind_named(name); model::info(kind).has_mass) return kind;
  throw std::invalid_argument("no kind of element is called '" + name + "'");
}

double time_of(const MeasuredCost& cost, int layers) {
  const int n = cost.kind == ElementKind::shell ? layers : 1;
  return cost.element + n * (cost.point + kYieldingShare * cost.yield);
}

/// Time of the formulation with the law, or with its most expensive law; 0 if it was not measured.
double time_with_law(const MeasuredCosts& measured, ElementKind kind, int elform, int law, int layers) {
  double dearest = 0.0;
  for (const MeasuredCost& cost : measured) {
    if (cost.kind != kind || cost.elform != elform) continue;
    if (cost.law == law) return time_of(cost, layers);
    dearest = std::max(dearest, time_of(cost, layers));
  }
  return dearest;
}

/// Built-in cost of one element of a part, measured on one machine when formulations were written.
double built_in_cost(const model::Section& section, ElementKind kind, int layers, int law) {
  const elements::Formulation* formulation = elements::find_formulation(kind, section.elform);
  const double base = formulation ? formulation->cost : 1.0;
  // A shell's cost is half frame and hourglass, half integration points (2 are the reference).
  const materials::Row* row = materials::find_law(law);
  const double of_law = row ? row->cost : 1.0;
  // That of a thick shell is for two layers.
  if (model::is_thick_shell(section)) return base * (0.2 + 0.4 * section.nip) * of_law;
  return kind == ElementKind::shell ? base * (0.5 + 0.25 * layers * of_law) : base * of_law;
}

void append(const model::Model& model, const model::ElementRows& elements, int corners,
            std::vector<Point>& points) {
  for (std::size_t e = 0; e < elements.size(); ++e) {
    Vec3 sum;
    int n = 0;
    for (int c = 0; c < corners; ++c) {
      const LocalId node = elements.nodes(e)[c];
      if (node == model::kNone) continue;
      sum += model.nodes.x[node];
      ++n;
    }
    const LocalId part = elements.part[e];
    points.push_back({(1.0 / std::max(n, 1)) * sum,
                      part == model::kNone ? 1.0 : model.parts[part].element_cost,
                      static_cast<std::int64_t>(points.size())});
  }
}

}  // namespace

MeasuredCosts read_costs(const std::string& path, bool single_precision) {
  std::ifstream in(path);
  if (!in) throw Error("CR-P030", "the file of element costs " + path + " cannot be read");
  try {
    const nlohmann::json file = nlohmann::json::parse(in);
    MeasuredCosts costs;
    for (const auto& row : file.at(single_precision ? "single" : "double")) {
      MeasuredCost cost{kind_of(row.at("kind").get<std::string>()),
                        row.at("elform").get<int>(),
                        row.at("law").get<int>(),
                        row.at("element").get<double>(),
                        row.at("point").get<double>(),
                        row.at("yield").get<double>()};
      if (!(cost.element >= 0 && cost.point >= 0 && cost.yield >= 0 && time_of(cost, kReferenceLayers) > 0))
        throw std::invalid_argument(fmt::format("the cost of {} elements {} with law {} is not positive",
                                                model::kind_name(cost.kind), cost.elform, cost.law));
      costs.push_back(cost);
    }
    return costs;
  } catch (const std::exception& error) {
    throw Error("CR-P030", fmt::format("{} is no file of element costs, as `crumple tune` writes them: {}",
                                       path, error.what()));
  }
}

void set_costs(model::Model& model, const MeasuredCosts& measured) {
  const double unit =
      time_with_law(measured, ElementKind::shell, kBelytschkoTsay, materials::linear_law(), kReferenceLayers);
  for (model::Part& part : model.parts) {
    part.element_cost = 1.0;
    if (part.rigid_body != model::kNone) {
      part.element_cost = kRigidCost;
    } else if (part.section != model::kNone) {
      const model::Section& section = model.sections[part.section];
      const int law = part.material == model::kNone ? 0 : model.materials[part.material].law;
      const int layers = section.nip == 0 ? kReferenceLayers : section.nip;
      const double known =
          unit > 0 ? time_with_law(measured, part.kind, section.elform, law, layers) / unit : 0.0;
      part.element_cost = known > 0 ? known : built_in_cost(section, part.kind, layers, law);
    }
  }
}

std::vector<Point> element_points(const model::Model& model) {
  std::vector<Point> points;
  points.reserve(model::element_count(model));
  model::for_each_kind(model, [&](const model::ElementKindInfo& of, const model::ElementRows& rows) {
    append(model, rows, of.corners, points);
  });
  return points;
}

}  // namespace crumple::decomposition
