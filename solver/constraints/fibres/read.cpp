// *CONSTRAINED_SHELL_TO_SOLID.
#include <algorithm>
#include <cmath>

#include "constraints/fibres/fibre.hpp"
#include "constraints/linked_input.hpp"

namespace crumple::constraints {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::Record;

namespace {

constexpr double kOffFibre = 1e-2;       ///< distance of a node from the line, over its length
constexpr std::size_t kMostOnFibre = 9;  ///< nodes of solids

class FibreReader {
 public:
  explicit FibreReader(Builder& build) : build_(build), linkable_(build) {}

  void read() {
    for (const Keyword& k : build_.deck.all("CONSTRAINED_SHELL_TO_SOLID"))
      for (const Record& r : k.records()) tie(k, r);
  }

 private:
  const Vec3& x(LocalId n) const { return build_.model.nodes.x[at(n)]; }
  GlobalId id(LocalId n) const { return build_.model.nodes.id[at(n)]; }

  void tie(const Keyword& k, const Record& r) {
    label_ = fmt::format("{} of node {}", Builder::star(k), r.integer("NID"));
    const LocalId shell = build_.find_node(r.integer("NID"), label_, r.place("NID"));
    const model::NodeSet* const set = build_.find_node_set(r.integer("NSID"), label_, r.place("NSID"));
    if (shell == kNone || !set) return;
    Fibre fibre;
    fibre.nodes = set->nodes;
    if (fibre.nodes.size() < 2 || fibre.nodes.size() > kMostOnFibre)
      return build_.error("CR-D310",
                          fmt::format("{}: set {} has {} nodes; a fibre has 2 to {}", label_, set->id,
                                      fibre.nodes.size(), kMostOnFibre),
                          r.place("NSID"));
    fibre.nodes.push_back(shell);
    for (const LocalId n : fibre.nodes)
      if (!may_be_on_fibre(n, r)) return;
    if (!find_places(fibre, r)) return;
    taken_.insert(fibre.nodes.begin(), fibre.nodes.end());
    build_.model.features.of<Fibre>().push_back(std::move(fibre));
  }

  bool may_be_on_fibre(LocalId n, const Record& r) {
    if (!linkable_.accepts(n, label_, r.place("NSID")) ||
        !linkable_.has_mass(n, nullptr, label_, r.place("NSID")))
      return false;
    if (!taken_.contains(n)) return true;
    build_.unsupported(
        fmt::format("{}: node {} is on another fibre, too; it can obey one only", label_, id(n)),
        r.place("NSID"));
    return false;
  }

  /// Puts the solids' nodes in the order along the line, and finds where the shell node is.
  bool find_places(Fibre& fibre, const Record& r) {
    const LocalId shell = fibre.nodes.back();
    std::vector<LocalId> line(fibre.nodes.begin(), fibre.nodes.end() - 1);
    Vec3 axis;
    for (const LocalId a : line)
      for (const LocalId b : line)
        if (norm(x(b) - x(a)) > norm(axis)) axis = x(b) - x(a);
    std::ranges::stable_sort(line, {}, [&](LocalId n) { return dot(x(n), axis); });
    const Vec3 along = x(line.back()) - x(line.front());
    const double size2 = dot(along, along);
    fibre.share = size2 > 0.0 ? dot(x(shell) - x(line.front()), along) / size2 : -1.0;
    for (const LocalId n : fibre.nodes) {
      const Vec3 to = x(n) - x(line.front());
      const double share = size2 > 0.0 ? dot(to, along) / size2 : 0.0;
      if (size2 > 0.0 && norm(to - share * along) <= kOffFibre * std::sqrt(size2)) continue;
      build_.error("CR-D310",
                   fmt::format("{}: node {} is not on the line of the solids' nodes {} and {}", label_, id(n),
                               id(line.front()), id(line.back())),
                   r.place("NSID"));
      return false;
    }
    if (fibre.share < -kOffFibre || fibre.share > 1.0 + kOffFibre) {
      build_.error("CR-D310", fmt::format("{}: the shell's node is beyond the solids' nodes", label_),
                   r.place("NID"));
      return false;
    }
    line.push_back(shell);
    fibre.nodes = std::move(line);
    return true;
  }

  Builder& build_;
  LinkableNodes linkable_;
  std::string label_;
  std::set<LocalId> taken_;
};

}  // namespace

void read_fibres(model::Builder& build) {
  if (build.deck.all("CONSTRAINED_SHELL_TO_SOLID").empty()) return;
  FibreReader(build).read();
}

}  // namespace crumple::constraints
