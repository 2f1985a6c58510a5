// *CONSTRAINED_LINEAR_GLOBAL, _LOCAL.
#include <algorithm>
#include <utility>

#include "constraints/linear/linear_constraint.hpp"
#include "constraints/linked_input.hpp"

namespace crumple::constraints {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::Record;

namespace {

/// Of a group, which has a matrix of this size squared.
constexpr std::size_t kMostTogether = 1000;

class LinearReader {
 public:
  explicit LinearReader(Builder& build) : build_(build), linkable_(build) {}

  void read() {
    for (const char* const name : {"CONSTRAINED_LINEAR_GLOBAL", "CONSTRAINED_LINEAR_LOCAL"})
      for (const Keyword& k : build_.deck.all(name))
        for (const Record& r : k.records()) constraint(k, r);
    std::vector<std::vector<LocalId>> nodes_of;
    for (const Read& read : all_)
      for (auto& nodes = nodes_of.emplace_back(); const auto& [node, term] : read.terms)
        nodes.push_back(node);
    for (const std::vector<std::size_t>& together : items_that_share(nodes_of)) put(together, nodes_of);
  }

 private:
  struct Read {
    GlobalId id = 0;
    Place place;
    std::vector<std::pair<LocalId, LinearTerm>> terms;
  };

  void constraint(const Keyword& k, const Record& r) {
    Read read;
    read.id = r.integer(k.name() == "CONSTRAINED_LINEAR_LOCAL" ? "LCID" : "LICD");
    read.place = r.place();
    label_ = fmt::format("{} {}", Builder::star(k), read.id);
    const bool local = k.name() == "CONSTRAINED_LINEAR_LOCAL";
    bool good = true;
    for (std::size_t row = 0; row < r.rows(); ++row) good = term(r, row, local, read) && good;
    if (good && read.terms.empty())
      build_.error("CR-D310", fmt::format("{}: it has no terms", label_), read.place);
    if (good && !read.terms.empty()) all_.push_back(std::move(read));
  }

  bool term(const Record& r, std::size_t row, bool local, Read& read) {
    const Place place = r.row_place(row);
    const LocalId node = build_.find_node(r.integer(row, 0), label_, place);
    const GlobalId dof = r.integer(row, 1);
    const double factor = r.real(row, local ? 3 : 2);
    LocalId system = kNone;
    if (local && r.integer(row, 2) != 0) {
      system = build_.find_system(r.integer(row, 2), label_, place);
      if (system == kNone) return false;
    }
    if (node == kNone) return false;
    if (dof == 7) {
      build_.unsupported(fmt::format("{}: DOF 7, electric voltage", label_), place);
      return false;
    }
    if (dof < 1 || dof > 6 || factor == 0.0) {
      build_.error("CR-D310",
                   fmt::format("{}: DOF = {}, COEF = {}: expected 1 to 6, and a coefficient other than 0",
                               label_, dof, factor),
                   place);
      return false;
    }
    LinearTerm t;
    t.turns = dof > 3 ? 1 : 0;
    const Matrix3 axes = system == kNone ? identity3() : build_.model.systems[at(system)].axis;
    t.along = factor * axes[static_cast<std::size_t>((dof - 1) % 3)];
    if (!linkable_.accepts(node, label_, place)) return false;
    if (t.turns == 0 && !linkable_.has_mass(node, &t.along, label_, place)) return false;
    read.terms.emplace_back(node, t);
    return true;
  }

  void put(const std::vector<std::size_t>& together, const std::vector<std::vector<LocalId>>& nodes_of) {
    LinearGroup group;
    group.nodes = nodes_of_items(together, nodes_of, build_.model);
    group.first = {0};
    for (const std::size_t k : together) {
      for (auto [node, term] : all_[k].terms) {
        term.place = static_cast<std::int32_t>(std::ranges::find(group.nodes, node) - group.nodes.begin());
        group.terms.push_back(term);
      }
      group.ids.push_back(all_[k].id);
      group.first.push_back(static_cast<std::int32_t>(group.terms.size()));
    }
    if (together.size() > kMostTogether)
      return build_.unsupported(
          fmt::format("*CONSTRAINED_LINEAR {}: {} constraints share nodes, directly or by way of others; "
                      "at most {} are solved together",
                      group.ids.front(), together.size(), kMostTogether),
          all_[together.front()].place);
    build_.model.features.of<LinearGroup>().push_back(std::move(group));
  }

  Builder& build_;
  LinkableNodes linkable_;
  std::vector<Read> all_;
  std::string label_;
};

}  // namespace

void read_linear_constraints(model::Builder& build) {
  if (build.deck.all("CONSTRAINED_LINEAR_GLOBAL").empty() &&
      build.deck.all("CONSTRAINED_LINEAR_LOCAL").empty())
    return;
  LinearReader(build).read();
}

}  // namespace crumple::constraints
