// Welds and ties of nodes: *CONSTRAINED_SPOTWELD, *CONSTRAINED_GENERALIZED_WELD_SPOT, *CONSTRAINED_NODE_SET.
// Those of nodes of rigid bodies, and of nodes that are held or moved, are links by springs.
#include <algorithm>
#include <array>
#include <cmath>

#include "constraints/linear/linear_constraint.hpp"
#include "constraints/linked_input.hpp"
#include "constraints/stiff_links/held_nodes.hpp"
#include "constraints/stiff_links/stiff_link.hpp"
#include "constraints/weld_strains/weld_nodes.hpp"
#include "model/builder.hpp"
#include "model/linked_nodes.hpp"

namespace crumple::model {
namespace {

class WeldReader {
 public:
  explicit WeldReader(Builder& build)
      : build_(build), model_(build.model), linkable_(build), held_(build.model) {}

  void read() {
    for (const Keyword& k : build_.deck.all("CONSTRAINED_SPOTWELD"))
      for (const Record& r : k.records()) spot_weld(k, r);
    for (const Keyword& k : build_.deck.all("CONSTRAINED_SPOTWELD_FILTERED_FORCE"))
      for (const Record& r : k.records()) spot_weld(k, r, "NF", "TW");
    for (const Keyword& k : build_.deck.all("CONSTRAINED_GENERALIZED_WELD_SPOT"))
      for (const Record& r : k.records()) weld_of_set(k, r);
    for (const Keyword& k : build_.deck.all("CONSTRAINED_NODE_SET"))
      for (const Record& r : k.records()) tie(k, r);
    check_rings();
    check_groups();
    check_other_constraints();
    list_torn_nodes();
  }

 private:
  const Vec3& x(LocalId n) const { return model_.nodes.x[static_cast<std::size_t>(n)]; }
  GlobalId id(LocalId n) const { return model_.nodes.id[static_cast<std::size_t>(n)]; }

  void begin(const Keyword& k, const Record& r) {
    label_ = Builder::star(k);
    if (const auto number = r.id()) label_ += fmt::format(" {}", *number);
    place_ = r.place();
  }

  /// @param number, window fields of the filter; null: forces are not filtered
  void spot_weld(const Keyword& k, const Record& r, const char* number = nullptr,
                 const char* window = nullptr) {
    begin(k, r);
    Weld weld;
    weld.id = r.id().value_or(0);
    weld.nodes = {build_.find_node(r.integer("N1"), label_, r.place("N1")),
                  build_.find_node(r.integer("N2"), label_, r.place("N2"))};
    if (weld.nodes[0] == kNone || weld.nodes[1] == kNone) return;
    weld.failure_time = or_default(r.real("TF"), kNever);
    weld.failure_strain = or_default(r.real("EP"), kNever);
    if (!read_strength(r, weld)) return;
    if (number != nullptr && !read_filter(r, number, window, weld)) return;
    if (weld.nodes[0] == weld.nodes[1])
      return build_.error("CR-D310", fmt::format("{}: both nodes are node {}", label_, id(weld.nodes[0])),
                          r.place("N2"));
    put(weld);
  }

  bool read_strength(const Record& r, Weld& weld) {
    weld.normal_strength = r.real("SN"), weld.shear_strength = r.real("SS");
    weld.normal_power = r.real("N"), weld.shear_power = r.real("M");
    if (weld.normal_strength < 0.0 || weld.shear_strength < 0.0) {
      build_.unsupported(fmt::format("{}: strengths SN and SS that depend on temperature", label_),
                         r.place(weld.normal_strength < 0.0 ? "SN" : "SS"));
      return false;
    }
    const bool normal_wrong = weld.normal_strength > 0.0 && !(weld.normal_power > 0.0);
    if (normal_wrong || (weld.shear_strength > 0.0 && !(weld.shear_power > 0.0))) {
      build_.error("CR-D310",
                   fmt::format("{}: the exponent {} must be positive where {} is given", label_,
                               normal_wrong ? "N" : "M", normal_wrong ? "SN" : "SS"),
                   r.place(normal_wrong ? "N" : "M"));
      return false;
    }
    return true;
  }

  bool read_filter(const Record& r, const char* number, const char* window, Weld& weld) {
    constexpr GlobalId most = 100000;  // forces that are kept for each weld
    const GlobalId count = r.integer(number);
    weld.window = r.real(window);
    if (count < 0 || count > most || weld.window < 0.0) {
      build_.error("CR-D310",
                   fmt::format("{}: {} = {}, {} = {}: expected 0 to {}, and a time", label_, number, count,
                               window, weld.window, most),
                   r.place(number));
      return false;
    }
    weld.filter = static_cast<std::int32_t>(std::max<GlobalId>(count, 1));
    return true;
  }

  /// A weld through several sheets is a chain of welds between consecutive nodes along it.
  void weld_of_set(const Keyword& k, const Record& r) {
    begin(k, r);
    const NodeSet* const set = build_.find_node_set(r.integer("NSID"), label_, r.place("NSID"));
    Weld weld;
    weld.id = r.id().value_or(0);
    weld.failure_time = or_default(r.real("TFAIL"), kNever);
    weld.failure_strain = or_default(r.real("EPSF"), kNever);
    if (!read_strength(r, weld) || !read_filter(r, "FILTER", "WINDOW", weld) || !set) return;
    if (set->nodes.size() < 2)
      return build_.error("CR-D310", fmt::format("{}: node set {} has fewer than two nodes", label_, set->id),
                          r.place("NSID"));
    const std::vector<LocalId> nodes = along_weld(set->nodes);
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
      weld.nodes = {nodes[i], nodes[i + 1]};
      put(weld);
    }
  }

  /// Nodes in their order along the line between the two that are farthest apart.
  std::vector<LocalId> along_weld(std::vector<LocalId> nodes) const {
    double longest = 0.0;
    Vec3 axis;
    for (const LocalId a : nodes)
      for (const LocalId b : nodes)
        if (const Vec3 d = x(b) - x(a); norm(d) > longest) longest = norm(d), axis = d;
    std::stable_sort(nodes.begin(), nodes.end(),
                     [&](LocalId a, LocalId b) { return dot(x(a), axis) < dot(x(b), axis); });
    return nodes;
  }

  void put(const Weld& weld) {
    if (weld.has_strength() && !(norm(x(weld.nodes[1]) - x(weld.nodes[0])) > 0.0))
      return build_.error(
          "CR-D310",
          fmt::format("{}: nodes {} and {} coincide, so the weld has no normal that SN and SS "
                      "could refer to",
                      label_, id(weld.nodes[0]), id(weld.nodes[1])),
          place_);
    const LocalId a = body_of(weld.nodes[0]), b = body_of(weld.nodes[1]);
    if (a != kNone && a == b)
      return;  // they move as one, also where the weld's other node was added to the body
    if (a != kNone || b != kNone || held_.any(weld.nodes[0]) || held_.any(weld.nodes[1]))
      return put_springs(weld);
    model_.welds.push_back(weld);
    label_of_weld_.push_back(label_);
    place_of_weld_.push_back(place_);
  }

  LocalId body_of(LocalId n) const { return build_.body_of_node[static_cast<std::size_t>(n)]; }

  /// A weld of a node that obeys something else, too.
  void put_springs(const Weld& weld) {
    if (weld.filter > 1)
      return build_.unsupported(
          fmt::format(
              "{}: node {} or {} is held, moved or of a rigid body, so that springs hold the weld; their "
              "forces are not filtered",
              label_, id(weld.nodes[0]), id(weld.nodes[1])),
          place_);
    for (const LocalId n : weld.nodes)
      if (body_of(n) == kNone && !linkable_.has_mass(n, nullptr, label_, place_)) return;
    constraints::StiffLink link;
    link.nodes = weld.nodes;
    link.welds = 1;
    link.until = weld;
    constraints::add_stiff_link(build_, held_, link);
  }

  void tie(const Keyword& k, const Record& r) {
    begin(k, r);
    constexpr std::array<std::uint8_t, 8> axes{0, 1, 2, 4, 3, 6, 5, 7};
    const GlobalId dof = or_default(r.integer("DOF"), 1);
    NodeTie tie;
    tie.id = r.id().value_or(0);
    tie.failure_time = or_default(r.real("TF"), kNever);
    const NodeSet* const set = build_.find_node_set(r.integer("NSID"), label_, r.place("NSID"));
    if (dof < 1 || dof > 7)
      return build_.error("CR-D310", fmt::format("{}: DOF = {} is none of 1 to 7", label_, dof),
                          r.place("DOF"));
    if (!set) return;
    tie.mask = axes[static_cast<std::size_t>(dof)];
    tie.nodes = set->nodes;
    if (tie.nodes.size() < 2)
      return build_.error("CR-D310", fmt::format("{}: node set {} has fewer than two nodes", label_, set->id),
                          r.place("NSID"));
    if (std::ranges::any_of(tie.nodes, [&](LocalId n) { return body_of(n) != kNone; }))
      return tie_by_springs(tie, place_);
    model_.node_ties.push_back(std::move(tie));
    label_of_tie_.push_back(label_);
    place_of_tie_.push_back(place_);
  }

  /// Each node follows the first of a rigid body, or that is held or moved.
  void tie_by_springs(const NodeTie& tie, const Place& place) {
    const auto is_led = [&](LocalId n) { return body_of(n) != kNone; };
    auto lead = std::ranges::find_if(tie.nodes, is_led);
    if (lead == tie.nodes.end())
      lead = std::ranges::find_if(tie.nodes, [&](LocalId n) { return held_.any(n); });
    for (const LocalId n : tie.nodes)
      if (!is_led(n) && !linkable_.has_mass(n, nullptr, label_, place)) return;
    for (const LocalId n : tie.nodes) {
      if (n == *lead) continue;
      constraints::StiffLink link;
      link.kind = constraints::StiffLinkKind::axes;
      link.nodes = {*lead, n};
      link.mask = tie.mask;
      link.until.failure_time = tie.failure_time;
      constraints::add_stiff_link(build_, held_, link);
    }
  }

  // In a ring of welds, the motion of the nodes does not determine the force of one weld.
  void check_rings() {
    for (std::size_t w = 0; w < model_.welds.size(); ++w) {
      const Weld& weld = model_.welds[w];
      if (!weld.has_strength()) continue;
      std::set<LocalId> reached{weld.nodes[0]};
      for (bool grew = true; grew && !reached.contains(weld.nodes[1]);) {
        grew = false;
        for (const std::size_t o : welds_at(reached, w))
          for (const LocalId n : model_.welds[o].nodes) grew |= reached.insert(n).second;
      }
      if (reached.contains(weld.nodes[1]))
        build_.unsupported(
            fmt::format("{}: the weld of nodes {} and {} is in a ring of welds, where its force is "
                        "not determined; SN and SS cannot be followed",
                        label_of_weld_[w], id(weld.nodes[0]), id(weld.nodes[1])),
            place_of_weld_[w]);
    }
  }

  std::vector<std::size_t> welds_at(const std::set<LocalId>& nodes, std::size_t but) {
    if (welds_of_node_.empty())
      for (std::size_t w = 0; w < model_.welds.size(); ++w)
        for (const LocalId n : model_.welds[w].nodes) welds_of_node_[n].push_back(w);
    std::vector<std::size_t> found;
    for (const LocalId n : nodes)
      for (const std::size_t w : welds_of_node_[n])
        if (w != but) found.push_back(w);
    return found;
  }

  /// Nodes of welds that fail by plastic strain, and whether shells or solids are at them.
  void list_torn_nodes() {
    constraints::WeldNodes torn;
    const auto add = [&](double strain, const std::array<LocalId, 2>& nodes) {
      if (strain < kNever) torn.nodes.insert(torn.nodes.end(), nodes.begin(), nodes.end());
    };
    for (const Weld& weld : model_.welds) add(weld.failure_strain, weld.nodes);
    for (const constraints::StiffLink& link : model_.features.of<constraints::StiffLink>())
      add(link.until.failure_strain, link.nodes);
    if (torn.nodes.empty()) return;
    build_.sort_nodes(torn.nodes);
    std::set<LocalId> on_shell;
    for (const auto& corners : model_.shells.nodes) on_shell.insert(corners.begin(), corners.end());
    for (const LocalId n : torn.nodes)
      torn.kinds.push_back(on_shell.contains(n) ? ElementKind::shell : ElementKind::solid);
    model_.features.of<constraints::WeldNodes>().push_back(std::move(torn));
  }

  void check_groups() {
    std::set<LocalId> welded, massless;
    for (const Weld& weld : model_.welds) welded.insert(weld.nodes.begin(), weld.nodes.end());
    for (const auto& group : linked_nodes(model_))
      if (std::none_of(group.begin(), group.end(), [&](LocalId n) { return build_.has_mass(n); }))
        massless.insert(group.begin(), group.end());
    const auto refuse_massless = [&](LocalId n, const std::string& label, const Place& place) {
      if (massless.contains(n))
        build_.error(
            "CR-D310",
            fmt::format("{}: neither node {} nor any that it is linked to is on an element or has a mass",
                        label, id(n)),
            place);
    };
    for (std::size_t w = 0; w < model_.welds.size(); ++w)
      refuse_massless(model_.welds[w].nodes[0], label_of_weld_[w], place_of_weld_[w]);
    std::set<LocalId> tied;
    for (std::size_t t = 0; t < model_.node_ties.size(); ++t) {
      refuse_massless(model_.node_ties[t].nodes[0], label_of_tie_[t], place_of_tie_[t]);
      for (const LocalId n : model_.node_ties[t].nodes)
        if (welded.contains(n) || !tied.insert(n).second) {
          build_.error("CR-D310",
                       fmt::format("{}: node {} is in another tie or weld, too", label_of_tie_[t], id(n)),
                       place_of_tie_[t]);
          break;
        }
    }
  }

  /// A node can have one constraint only: where a tie is to end, springs hold it.
  void check_other_constraints() {
    make_linear();
    for (std::size_t t = model_.node_ties.size(); t-- > 0;)
      if (std::ranges::any_of(model_.node_ties[t].nodes, [&](LocalId n) { return held_.any(n); })) {
        label_ = label_of_tie_[t];
        tie_by_springs(model_.node_ties[t], place_of_tie_[t]);
        erase_tie(t);
      }
  }

  void erase_tie(std::size_t t) {
    const auto place = static_cast<std::ptrdiff_t>(t);
    model_.node_ties.erase(model_.node_ties.begin() + place);
    label_of_tie_.erase(label_of_tie_.begin() + place);
    place_of_tie_.erase(place_of_tie_.begin() + place);
  }

  /// Ties of nodes that are held or moved become linear constraints, which these nodes may have, too.
  void make_linear() {
    const auto is_held = [&](LocalId n) { return held_.any(n); };
    for (std::size_t t = model_.node_ties.size(); t-- > 0;) {
      const NodeTie& tie = model_.node_ties[t];
      if (std::ranges::none_of(tie.nodes, is_held) || tie.failure_time < kNever) continue;
      if (!std::ranges::all_of(tie.nodes, [&](LocalId n) { return is_held(n) || build_.has_mass(n); }))
        continue;
      model_.features.of<constraints::LinearGroup>().push_back(as_linear(tie, is_held));
      erase_tie(t);
    }
  }

  /// Each node follows the first that is held, along each axis.
  template <class IsHeld>
  static constraints::LinearGroup as_linear(const NodeTie& tie, const IsHeld& is_held) {
    constraints::LinearGroup group;
    group.nodes = tie.nodes;
    group.first = {0};
    const auto lead = static_cast<std::int32_t>(std::ranges::find_if(tie.nodes, is_held) - tie.nodes.begin());
    for (std::int32_t n = 0; n < static_cast<std::int32_t>(tie.nodes.size()); ++n)
      for (int k = 0; n != lead && k < 3; ++k) {
        if (!(tie.mask & (1u << k))) continue;
        Vec3 axis;
        axis[k] = 1.0;
        group.terms.push_back({n, 0, axis});
        group.terms.push_back({lead, 0, -axis});
        group.ids.push_back(tie.id);
        group.first.push_back(static_cast<std::int32_t>(group.terms.size()));
      }
    return group;
  }

  Builder& build_;
  Model& model_;
  constraints::LinkableNodes linkable_;
  constraints::NodesHeld held_;
  std::string label_;
  Place place_;
  std::vector<std::string> label_of_weld_, label_of_tie_;
  std::vector<Place> place_of_weld_, place_of_tie_;
  std::map<LocalId, std::vector<std::size_t>> welds_of_node_;
};

}  // namespace

void Builder::read_welds() {
  constexpr std::array names{"CONSTRAINED_SPOTWELD", "CONSTRAINED_SPOTWELD_FILTERED_FORCE",
                             "CONSTRAINED_GENERALIZED_WELD_SPOT", "CONSTRAINED_NODE_SET"};
  if (std::ranges::any_of(names, [&](const char* name) { return !deck.all(name).empty(); }))
    WeldReader(*this).read();
}

}  // namespace crumple::model
