// Welds and ties of nodes: *CONSTRAINED_SPOTWELD, *CONSTRAINED_GENERALIZED_WELD_SPOT, *CONSTRAINED_NODE_SET.
#include <algorithm>
#include <cmath>

#include "constraints/linear/linear_constraint.hpp"
#include "constraints/weld_strains/weld_nodes.hpp"
#include "model/builder.hpp"
#include "model/linked_nodes.hpp"

namespace crumple::model {
namespace {

class WeldReader {
 public:
  explicit WeldReader(Builder& build) : build_(build), model_(build.model) {}

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
    // If one node of an unbreakable weld belongs to a body, all its nodes do.
    const auto body_of = [&](LocalId n) { return build_.body_of_node[static_cast<std::size_t>(n)]; };
    if (!weld.can_break() && body_of(weld.nodes[0]) != kNone && body_of(weld.nodes[1]) != kNone) return;
    for (const LocalId n : weld.nodes)
      if (!may_hold(n)) return;
    model_.welds.push_back(weld);
    label_of_weld_.push_back(label_);
    place_of_weld_.push_back(place_);
  }

  /// Whether a weld may hold a node: nodes of rigid bodies are moved by their body.
  bool may_hold(LocalId n) {
    const LocalId body = build_.body_of_node[static_cast<std::size_t>(n)];
    if (body == kNone) return true;
    build_.error(
        "CR-D310",
        fmt::format("{}: node {} belongs to the rigid body of part {}; only a spot weld that never breaks "
                    "can hold it, or add nodes to a body by *CONSTRAINED_EXTRA_NODES",
                    label_, id(n), model_.rigid_bodies[static_cast<std::size_t>(body)].part_id),
        place_);
    return false;
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
    for (const LocalId n : tie.nodes)
      if (!may_hold(n)) return;
    model_.node_ties.push_back(std::move(tie));
    label_of_tie_.push_back(label_);
    place_of_tie_.push_back(place_);
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
    for (const Weld& weld : model_.welds)
      if (weld.failure_strain < kNever)
        torn.nodes.insert(torn.nodes.end(), weld.nodes.begin(), weld.nodes.end());
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

  // A node can have one constraint only.
  void check_other_constraints() {
    std::set<LocalId> held;
    for (const NodeConstraint& c : model_.constraints) held.insert(c.node);
    for (const PrescribedMotion& m : model_.motions)
      if (m.node != kNone) held.insert(m.node);
    const auto refuse = [&](LocalId n, const std::string& label, const Place& place) {
      if (held.contains(n))
        build_.unsupported(
            fmt::format("{}: node {} is held or moved by *BOUNDARY, too; it can obey one only", label, id(n)),
            place);
    };
    for (std::size_t w = 0; w < model_.welds.size(); ++w)
      for (const LocalId n : model_.welds[w].nodes) refuse(n, label_of_weld_[w], place_of_weld_[w]);
    make_linear(held);
    for (std::size_t t = 0; t < model_.node_ties.size(); ++t)
      for (const LocalId n : model_.node_ties[t].nodes) refuse(n, label_of_tie_[t], place_of_tie_[t]);
  }

  /// Ties of nodes that are held or moved become linear constraints, which these nodes may have, too.
  void make_linear(const std::set<LocalId>& held) {
    for (std::size_t t = model_.node_ties.size(); t-- > 0;) {
      const NodeTie& tie = model_.node_ties[t];
      const auto is_held = [&](LocalId n) { return held.contains(n); };
      if (std::ranges::none_of(tie.nodes, is_held) || tie.failure_time < kNever) continue;
      if (!std::ranges::all_of(tie.nodes, [&](LocalId n) { return is_held(n) || build_.has_mass(n); }))
        continue;
      model_.features.of<constraints::LinearGroup>().push_back(as_linear(tie, is_held));
      const auto place = static_cast<std::ptrdiff_t>(t);
      model_.node_ties.erase(model_.node_ties.begin() + place);
      label_of_tie_.erase(label_of_tie_.begin() + place);
      place_of_tie_.erase(place_of_tie_.begin() + place);
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
  std::string label_;
  Place place_;
  std::vector<std::string> label_of_weld_, label_of_tie_;
  std::vector<Place> place_of_weld_, place_of_tie_;
  std::map<LocalId, std::vector<std::size_t>> welds_of_node_;
};

}  // namespace

void Builder::read_welds() { WeldReader(*this).read(); }

}  // namespace crumple::model
