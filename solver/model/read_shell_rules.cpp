// *INTEGRATION_SHELL: points through the thickness of shells as a user gives them, with the layers'
// materials.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "model/builder.hpp"

namespace crumple::model {

namespace {

constexpr double kSum = 0.01;  ///< largest difference of the sum of WF from 1, which is that of rounding

/// The points of the list, in its order.
void read_points(const Builder& build, const Record& r, const std::string& label, Builder::ShellRule& rule) {
  double sum = 0;
  for (std::size_t row = 0; row < r.rows(); ++row) {
    Ply ply;
    ply.at = r.real(row, 0);
    ply.thickness = r.real(row, 1);
    ply.number = static_cast<int>(row) + 1;
    if (!(std::abs(ply.at) <= 1))
      build.error("CR-D310", fmt::format("{}: S = {} must lie between -1 and 1", label, ply.at),
                  r.row_place(row));
    if (!(ply.thickness > 0))
      build.error("CR-D310", fmt::format("{}: WF = {} must be positive", label, ply.thickness),
                  r.row_place(row));
    sum += ply.thickness;
    rule.points.push_back(ply);
    rule.parts.push_back(r.integer(row, 2));
  }
  if (!rule.points.empty() && !(std::abs(sum - 1) <= kSum))
    build.error("CR-D310",
                fmt::format("{}: the sum of WF is {:.4g}; it must be 1, since WF is a layer's thickness over "
                            "that of the shell",
                            label, sum),
                r.place());
}

/// ESOP = 1: layers of one thickness.
void divide_equally(std::size_t count, Builder::ShellRule& rule) {
  for (std::size_t k = 0; k < count; ++k) {
    Ply ply;
    ply.thickness = 1 / static_cast<double>(count);
    ply.number = static_cast<int>(k) + 1;
    rule.points.push_back(ply);
    rule.parts.push_back(0);
  }
}

/// From the lower surface up; `number` keeps the order of the deck.
void sort_points(Builder::ShellRule& rule) {
  std::stable_sort(rule.points.begin(), rule.points.end(),
                   [](const Ply& a, const Ply& b) { return a.at < b.at; });
}

}  // namespace

void Builder::read_shell_rules() {
  for (const Keyword& k : deck.all("INTEGRATION_SHELL"))
    for (const Record& r : k.records()) {
      const GlobalId id = r.integer("IRID");
      const std::string label = fmt::format("*{} {}", k.name(), id);
      ShellRule rule;
      const auto count = static_cast<std::size_t>(std::max<GlobalId>(0, r.integer("NIP")));
      if (r.integer("ESOP") == 1)
        divide_equally(count, rule);
      else
        read_points(*this, r, label, rule);
      if (rule.points.empty())
        error("CR-D310", fmt::format("{}: NIP = {}, it has no points", label, r.integer("NIP")),
              r.place("NIP"));
      const bool of_parts = std::ranges::any_of(rule.parts, [](GlobalId part) { return part != 0; });
      if (r.integer("FAILOPT") != 1 && of_parts)
        unsupported(
            fmt::format("{}: FAILOPT = 0 with layers of other parts is not supported: an element would "
                        "be deleted when those of its layers have failed that can fail; with 1 all "
                        "must",
                        label),
            r.place("FAILOPT"));
      sort_points(rule);
      if (!shell_rules.emplace(id, std::move(rule)).second)
        error("CR-D301", fmt::format("{} is defined twice", label), r.place());
    }
}

bool Builder::use_shell_rule(GlobalId id, Section& s) {
  const auto found = shell_rules.find(id);
  if (found == shell_rules.end()) return false;
  s.plies = found->second.points;
  s.own_rule = true;
  s.nip = static_cast<int>(s.plies.size());
  rule_of_section[s.id] = id;
  return true;
}

void Builder::give_rules_their_parts() {
  for (const auto& [section, id] : rule_of_section) {
    const LocalId place = sections.find(section);
    if (place == kNone) continue;
    const ShellRule& rule = shell_rules.at(id);
    const std::string label = fmt::format("*INTEGRATION_SHELL {}", id);
    for (Ply& ply : model.sections[at(place)].plies) {
      const GlobalId part = rule.parts[at(ply.number - 1)];
      if (part == 0) continue;
      const LocalId of = find_part(part, label, {});
      if (of == kNone) continue;
      ply.material = model.parts[at(of)].material;
      check_layer(ply.material, label, part_inputs_[at(of)].material_place);
    }
  }
}

}  // namespace crumple::model
