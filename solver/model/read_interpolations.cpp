// *CONSTRAINED_INTERPOLATION: a node that moves as the mean of others. *CONSTRAINED_ADAPTIVITY: a node on the
// line between two others, where a mesh was refined on one side.
#include <algorithm>
#include <array>
#include <cmath>

#include "constraints/rotation.hpp"
#include "constraints/stiff_links/stiff_link.hpp"
#include "model/builder.hpp"
#include "model/hanging_nodes.hpp"

namespace crumple::model {
namespace {

/// Distance of a hanging node from its line, over the length of this.
constexpr double kOffLine = 1e-3;

class InterpolationReader {
 public:
  explicit InterpolationReader(Builder& build) : build_(build), model_(build.model) {}

  void read() {
    for (const char* const name : {"CONSTRAINED_INTERPOLATION", "CONSTRAINED_INTERPOLATION_LOCAL"})
      for (const Keyword& k : build_.deck.all(name))
        for (const Record& r : k.records()) interpolation(k, r);
    for (const Keyword& k : build_.deck.all("CONSTRAINED_ADAPTIVITY"))
      for (const Record& r : k.records()) hanging_node(k, r);
    for (const auto& [node, hanging] : hanging_) add_hanging(node);
    std::sort(model_.interpolations.begin(), model_.interpolations.end(),
              [&](const Interpolation& a, const Interpolation& b) { return id(a.node) < id(b.node); });
    check_others();
  }

 private:
  GlobalId id(LocalId n) const { return model_.nodes.id[static_cast<std::size_t>(n)]; }
  const Vec3& x(LocalId n) const { return model_.nodes.x[static_cast<std::size_t>(n)]; }

  static std::uint8_t freedoms(GlobalId digits) {
    std::uint8_t mask = 0;
    for (; digits > 0; digits /= 10)
      if (const auto d = digits % 10; d >= 1 && d <= 6) mask |= static_cast<std::uint8_t>(1u << (d - 1));
    return mask;
  }

  void interpolation(const Keyword& k, const Record& r) {
    Interpolation in;
    in.id = r.integer("ICID");
    label_ = fmt::format("{} {}", Builder::star(k), in.id);
    place_ = r.place();
    in.node = build_.find_node(r.integer("DNID"), label_, r.place("DNID"));
    in.mask = freedoms(or_default(r.integer("DDOF"), 123456));
    // With _LOCAL, a line with the number of a coordinate system follows that of each node.
    const std::size_t lines = k.name() == "CONSTRAINED_INTERPOLATION_LOCAL" ? 2 : 1;
    if (in.node == kNone || !read_nodes(r, lines, in)) return;
    if ((in.mask & 7u) != 7u || ((in.mask >> 3) != 0 && (in.mask >> 3) != 7u))
      return build_.unsupported(
          fmt::format("{}: DDOF must be 123 or 123456, so that the result does not depend on the axes",
                      label_),
          r.place("DDOF"));
    if (!check_shape(in)) return;
    model_.interpolations.push_back(std::move(in));
  }

  struct Hanging {
    std::array<LocalId, 2> ends{kNone, kNone};
    double first = 0;  ///< weight of the first end
    Place place;
  };

  void hanging_node(const Keyword& k, const Record& r) {
    const GlobalId number = r.integer("SN");
    label_ = fmt::format("{} {}", Builder::star(k), number);
    place_ = r.place();
    if (model_.control.implicit.active)
      return build_.unsupported(fmt::format("{}: hanging nodes in implicit runs are not supported", label_),
                                place_);
    const LocalId n = build_.find_node(number, label_, r.place("SN"));
    Hanging h{{build_.find_node(r.integer("MN1"), label_, r.place("MN1")),
               build_.find_node(r.integer("MN2"), label_, r.place("MN2"))},
              0,
              place_};
    if (n == kNone || h.ends[0] == kNone || h.ends[1] == kNone) return;
    const Vec3 along = x(h.ends[1]) - x(h.ends[0]), to = x(n) - x(h.ends[0]);
    const double size2 = dot(along, along), share = size2 > 0 ? dot(along, to) / size2 : -1;
    if (!(share > 0 && share < 1) || norm(to - share * along) > kOffLine * std::sqrt(size2))
      return build_.error("CR-D310",
                          fmt::format("{}: the node is not on the line between nodes {} and {}", label_,
                                      id(h.ends[0]), id(h.ends[1])),
                          place_);
    h.first = 1 - share;
    if (!hanging_.emplace(n, std::move(h)).second)
      build_.error("CR-D301", fmt::format("{}: the node has a line already", label_), place_);
  }

  /// Weights of nodes that do not hang, where an end of the line hangs, too. False if nodes hang on each
  /// other.
  bool add_ends(LocalId node, double weight, std::map<GlobalId, std::pair<LocalId, double>>& of,
                std::size_t depth) {
    const auto found = hanging_.find(node);
    if (found == hanging_.end()) {
      of.try_emplace(id(node), node, 0.0).first->second.second += weight;
      return true;
    }
    const Hanging& h = found->second;
    return depth <= hanging_.size() && add_ends(h.ends[0], weight * h.first, of, depth + 1) &&
           add_ends(h.ends[1], weight * (1 - h.first), of, depth + 1);
  }

  void add_hanging(LocalId node) {
    Interpolation in;
    in.id = id(node);
    in.node = node;
    in.mask = 0b111111 | kHanging;
    std::map<GlobalId, std::pair<LocalId, double>> of;
    if (!add_ends(node, 1.0, of, 0))
      return build_.error("CR-D310",
                          fmt::format("*CONSTRAINED_ADAPTIVITY {}: nodes hang on each other", in.id),
                          hanging_.at(node).place);
    for (const auto& [number, end] : of) {
      in.nodes.push_back(end.first);
      in.weights.push_back(end.second);
    }
    model_.interpolations.push_back(std::move(in));
  }

  /// Weights that are the same along all axes do not depend on these.
  bool read_nodes(const Record& r, std::size_t lines, Interpolation& in) {
    std::map<GlobalId, std::pair<LocalId, double>> of;  // by user id
    for (std::size_t row = 0; row < r.rows("list"); row += lines) {
      const auto real = [&](std::size_t column, double otherwise) {
        return or_default(r.real(row, column), otherwise);
      };
      const double weight = real(2, 1.0);
      if (real(3, weight) != weight || real(4, weight) != weight || weight < 0.0) {
        build_.unsupported(
            fmt::format("{}: weights of translations that are negative, or differ along axes", label_),
            r.row_place(row));
        return false;
      }
      if ((freedoms(or_default(r.integer(row, 1), 123456)) & 7u) != 7u) {
        build_.unsupported(fmt::format("{}: IDOF without all of 123", label_), r.row_place(row));
        return false;
      }
      std::vector<LocalId> nodes;
      if (r.integer("ITYP") == 1) {
        if (const NodeSet* const set = build_.find_node_set(r.integer(row, 0), label_, r.row_place(row)))
          nodes = set->nodes;
      } else if (const LocalId n = build_.find_node(r.integer(row, 0), label_, r.row_place(row));
                 n != kNone) {
        nodes = {n};
      }
      for (const LocalId n : nodes) {
        of.try_emplace(id(n), n, 0.0).first->second.second += weight;
      }
    }
    double sum = 0.0;
    for (const auto& [number, node] : of) sum += node.second;
    for (const auto& [number, node] : of) {
      in.nodes.push_back(node.first);
      in.weights.push_back(node.second / sum);
    }
    if (sum > 0.0 && std::find(in.nodes.begin(), in.nodes.end(), in.node) == in.nodes.end()) return true;
    build_.error("CR-D310",
                 fmt::format("{}: it has no independent nodes, or its own dependent node among them", label_),
                 place_);
    return false;
  }

  /// Nodes on a line cannot transfer a moment about the line.
  bool check_shape(const Interpolation& in) {
    Vec3 centre;
    for (std::size_t i = 0; i < in.nodes.size(); ++i) centre += in.weights[i] * x(in.nodes[i]);
    constraints::Matrix3 k{};
    double size = 0.0;
    for (std::size_t i = 0; i < in.nodes.size(); ++i) {
      const Vec3 r = x(in.nodes[i]) - centre;
      size = std::max(size, norm(r));
      for (int a = 0; a < 3; ++a) {
        k[static_cast<std::size_t>(a)] -= (in.weights[i] * r[a]) * r;
        k[static_cast<std::size_t>(a)][a] += in.weights[i] * dot(r, r);
      }
    }
    const auto values = constraints::eigen(k).value;
    const auto [least, most] = std::minmax({values[0], values[1], values[2]});
    const bool needs_moments = (in.mask >> 3) != 0 || norm(x(in.node) - centre) > 1e-6 * size;
    if (!needs_moments || least > 1e-6 * most) return true;
    build_.error("CR-D310",
                 fmt::format("{}: the independent nodes are on one line or at one place, so they cannot take "
                             "moments from node {}; add others, or use DDOF = 123 and a node at their centre",
                             label_, id(in.node)),
                 place_);
    return false;
  }

  /// A dependent node must have no other constraint.
  void check_others() {
    std::set<LocalId> taken;
    for (const NodeConstraint& c : model_.constraints) taken.insert(c.node);
    for (const PrescribedMotion& m : model_.motions)
      if (m.node != kNone) taken.insert(m.node);
    for (const constraints::StiffLink& link : model_.features.of<constraints::StiffLink>())
      taken.insert(link.nodes.begin(), link.nodes.end());
    for (const Weld& weld : model_.welds) taken.insert(weld.nodes.begin(), weld.nodes.end());
    for (const NodeTie& tie : model_.node_ties) taken.insert(tie.nodes.begin(), tie.nodes.end());
    for (const Interpolation& in : model_.interpolations) taken.insert(in.nodes.begin(), in.nodes.end());
    std::set<LocalId> dependent;
    for (const Interpolation& in : model_.interpolations)
      if (taken.contains(in.node) || !dependent.insert(in.node).second ||
          build_.body_of_node[static_cast<std::size_t>(in.node)] != kNone)
        build_.unsupported(
            fmt::format("*CONSTRAINED_{} {}: the dependent node {} obeys another constraint or rigid "
                        "body, too, or others depend on it",
                        (in.mask & kHanging) != 0 ? "ADAPTIVITY" : "INTERPOLATION", in.id, id(in.node)),
            place_);
  }

  Builder& build_;
  Model& model_;
  std::map<LocalId, Hanging> hanging_;
  std::string label_;
  Place place_;
};

}  // namespace

void Builder::read_interpolations() { InterpolationReader(*this).read(); }

}  // namespace crumple::model
