// Counts work and shared nodes of every rank, and the contacts of the whole model.
#include "control/traffic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "constraints/rigid_bodies.hpp"
#include "contact/one_rank.hpp"
#include "model/element_kind.hpp"
#include "model/element_rows.hpp"
#include "output/d3plot/shared_states.hpp"

namespace crumple::control {

namespace {

using model::ElementKind;
using model::kNone;
using model::Model;
using Json = nlohmann::ordered_json;

/// Cost of elements of one formulation and law.
using WorkType = std::tuple<ElementKind, int, int, double>;  // kind, ELFORM, law, cost of an element

struct Work {
  std::map<WorkType, std::vector<std::int64_t>> elements;  ///< by rank
  std::vector<double> cost;                                ///< by rank
  std::vector<double> deformed;                            ///< by rank: cost of deformed elements
};

/// Relative change of length between two nodes beyond which a metal element has certainly yielded.
constexpr double kDeformed = 0.01;

template <std::size_t N>
bool is_deformed(const Model& m, const std::array<LocalId, N>& nodes, std::span<const Vec3> x) {
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const LocalId a = nodes[i], b = nodes[j];
      if (a == kNone || b == kNone) continue;
      const double before = norm(m.nodes.x[a] - m.nodes.x[b]);
      if (std::abs(norm(x[a] - x[b]) - before) > kDeformed * before) return true;
    }
  return false;
}

template <class Elements>
void count_elements(const Model& m, const Elements& elements, ElementKind kind, const std::vector<int>& rank,
                    const std::vector<decomposition::Point>& points, std::span<const Vec3> x, std::size_t& at,
                    Work& work) {
  for (std::size_t e = 0; e < elements.size(); ++e, ++at) {
    int form = 0, law = 0;
    if (const LocalId p = elements.part[e]; p != kNone) {
      const model::Part& part = m.parts[p];
      if (part.section != kNone) form = m.sections[part.section].elform;
      if (part.material != kNone) law = m.materials[part.material].law;
    }
    auto& count = work.elements[{kind, form, law, points[at].cost}];
    count.resize(work.cost.size(), 0);
    ++count[static_cast<std::size_t>(rank[e])];
    work.cost[static_cast<std::size_t>(rank[e])] += points[at].cost;
    if ((kind == ElementKind::shell || kind == ElementKind::solid) && is_deformed(m, elements.nodes[e], x))
      work.deformed[static_cast<std::size_t>(rank[e])] += points[at].cost;
  }
}

Work count_work(const Model& m, const decomposition::Partition& p, std::span<const Vec3> x) {
  Work work;
  work.cost.assign(static_cast<std::size_t>(p.ranks), 0.0);
  work.deformed = work.cost;
  const std::vector<decomposition::Point> points = decomposition::element_points(m);
  std::size_t at = 0;
  model::for_each_array(m, [&](ElementKind kind, const auto& elements) {
    count_elements(m, elements, kind, p.of[kind], points, x, at, work);
  });
  return work;
}

/// One exchange of a contact's nodes: the pairs that ranks compare, and the nodes of other ranks whose motion
/// they need.
struct ContactTraffic {
  /// By rank: tracked items with candidates, their pairs, and the pairs within reach.
  std::vector<std::int64_t> items, pairs, within_reach;
  std::vector<Shared> copies;  ///< by rank: number of nodes from each other rank
};

/// Nodes and home rank of a surface's segments or lines, by their order.
struct Item {
  int home = 0;
  std::vector<LocalId> nodes;
};
using Items = std::unordered_map<GlobalId, Item>;

Items items_of(const model::Surface& surface, bool lines, const decomposition::Cutter& cutter) {
  Items items;
  if (!lines) {
    for (const model::Segment& s : surface.segments)
      items[s.order] = {cutter.home(s), {s.nodes.begin(), s.nodes.end()}};
    return items;
  }
  for (const model::ContactLine& line : surface.lines) {
    Item& item = items[line.order];
    item = {cutter.home(line), {line.nodes.begin(), line.nodes.end()}};
    for (const auto& end : line.beyond)
      for (const LocalId n : end)
        if (n != kNone) item.nodes.push_back(n);
  }
  return items;
}

ContactTraffic count_traffic(const Model& whole, const std::vector<contact::NearPair>& pairs, bool lines,
                             const decomposition::Cutter& cutter, int ranks) {
  std::map<std::int32_t, Items> sides;
  const auto side = [&](std::int32_t s) -> const Items& {
    const auto at = sides.find(s);
    if (at != sides.end()) return at->second;
    const model::Contact& contact = whole.contacts[static_cast<std::size_t>(s / 2)];
    return sides.emplace(s, items_of(s % 2 == 0 ? contact.a : contact.b, lines, cutter)).first->second;
  };
  ContactTraffic traffic;
  const auto n = static_cast<std::size_t>(ranks);
  traffic.items.assign(n, 0), traffic.pairs.assign(n, 0), traffic.within_reach.assign(n, 0);
  traffic.copies.resize(n);
  std::vector<std::array<LocalId, 3>> needed;  // rank, home, node
  const contact::NearPair* last = nullptr;
  for (const contact::NearPair& p : pairs) {
    const int rank = p.node != kNone ? cutter.owner(p.node) : side(p.side).at(p.item).home;
    const Item& other = side(p.other_side).at(p.other);
    ++traffic.pairs[static_cast<std::size_t>(rank)];
    if (p.within_reach) ++traffic.within_reach[static_cast<std::size_t>(rank)];
    if (!last || last->node != p.node || last->item != p.item || last->other_side != p.other_side)
      ++traffic.items[static_cast<std::size_t>(rank)];
    last = &p;
    if (other.home == rank) continue;
    for (const LocalId node : other.nodes) needed.push_back({rank, other.home, node});
  }
  std::sort(needed.begin(), needed.end());
  needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
  for (const auto& [rank, home, node] : needed) {
    Shared& copies = traffic.copies[static_cast<std::size_t>(rank)];
    if (copies.empty() || copies.back().first != home) copies.emplace_back(home, 0);
    ++copies.back().second;
  }
  return traffic;
}

Json contact_json(const ContactTraffic& t, std::size_t rank) {
  return {{"items", t.items[rank]},
          {"pairs", t.pairs[rank]},
          {"within_reach", t.within_reach[rank]},
          {"copies", t.copies[rank]}};
}

/// Rigid bodies that all ranks advance, and those that only one rank advances.
struct Bodies {
  std::int64_t agreed = 0;
  std::vector<std::int64_t> own;
};

Bodies count_bodies(const Model& whole, std::span<const RankNodes> nodes) {
  Bodies found;
  found.own.assign(nodes.size(), 0);
  std::vector<std::int64_t> ranks(whole.rigid_bodies.size(), 0);
  for (const RankNodes& of_rank : nodes)
    for (std::size_t b = 0; b < ranks.size(); ++b) ranks[b] += of_rank.has_body[b];
  const std::vector<char> alone = constraints::whole_bodies(whole, ranks);
  found.agreed = std::ranges::count(alone, 0);
  for (std::size_t r = 0; r < nodes.size(); ++r)
    for (std::size_t b = 0; b < alone.size(); ++b) found.own[r] += alone[b] && nodes[r].has_body[b];
  return found;
}

/// Names of the rows of plot states in their order; the first are those of nodes.
constexpr std::size_t kRowKinds = 1 + output::kPlotKinds.size();

std::string row_name(std::size_t kind) {
  return kind == 0 ? "node" : model::kind_name(output::kPlotKinds[kind - 1]);
}

/// Pieces of the rows of plot states.
Json pieces_json(const Model& whole, const output::StepCounts& steps) {
  const std::array<std::size_t, kRowKinds> rows{whole.nodes.size(), whole.solids.size(), whole.beams.size(),
                                                whole.shells.size(), whole.particles.size()};
  Json pieces;
  for (std::size_t k = 0; k < rows.size(); ++k)
    pieces[row_name(k)] = (rows[k] + output::kPiece - 1) / output::kPiece;
  pieces["point"] = steps.chunks(output::On::points);
  pieces["cell"] = steps.chunks(output::On::cells);
  return pieces;
}

Json rows_json(const RankNodes& of_rank) {
  Json rows;
  for (std::size_t k = 0; k < kRowKinds; ++k)
    rows[row_name(k)] = k == 0 ? of_rank.node_rows : of_rank.element_rows[k - 1];
  rows["point"] = of_rank.point_rows;
  rows["cell"] = of_rank.cell_rows;
  return rows;
}

RowsInPieces rows_in_pieces(std::span<const GlobalId> order, std::size_t piece = output::kPiece) {
  RowsInPieces found;
  if (order.empty()) return found;
  const std::vector<std::int32_t> rows =
      output::rows_by_piece(order, std::size_t(order.back()) / piece + 1, piece);
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (rows[k] > 0) found.emplace_back(k, rows[k]);
  return found;
}

Json rank_json(const RankNodes& nodes, const Work& work, const std::vector<ContactTraffic>& contacts,
               const Bodies& bodies, std::size_t rank) {
  Json elements = Json::array(), of_contacts = Json::array();
  for (const auto& [type, count] : work.elements) elements.push_back(count[rank]);
  for (const ContactTraffic& t : contacts) of_contacts.push_back(contact_json(t, rank));
  return {{"elements", elements},    {"cost", work.cost[rank]}, {"deformed", work.deformed[rank]},
          {"nodes", nodes.all},      {"owned", nodes.owned},    {"shared", nodes.shared},
          {"tied", nodes.tied},      {"contacts", of_contacts}, {"bodies", bodies.own[rank]},
          {"rows", rows_json(nodes)}};
}

}  // namespace

std::vector<bool> nodes_of_ties(const Model& whole) {
  std::vector<bool> marked(whole.nodes.size(), false);
  for (const model::Contact& contact : whole.contacts)
    for (const model::Tie& tie : contact.ties) {
      marked[tie.node] = true;
      for (const LocalId n : tie.nodes) marked[n] = true;
    }
  return marked;
}

RankNodes rank_nodes(const decomposition::Subdomain& subdomain, const std::vector<bool>& tied,
                     const output::StepCounts& steps) {
  RankNodes found;
  for (std::size_t k = 0; k < subdomain.nodes.neighbours().size(); ++k) {
    const auto nodes = subdomain.nodes.shared(k);
    found.shared.emplace_back(subdomain.nodes.neighbours()[k], static_cast<std::int64_t>(nodes.size()));
    const auto n = std::count_if(nodes.begin(), nodes.end(), [&](LocalId local) {
      return tied[static_cast<std::size_t>(subdomain.nodes.global()[local])];
    });
    if (n > 0) found.tied.emplace_back(subdomain.nodes.neighbours()[k], n);
  }
  found.all = static_cast<std::int64_t>(subdomain.nodes.size());
  found.owned = static_cast<std::int64_t>(subdomain.nodes.n_owned());
  for (const model::RigidBody& body : subdomain.model.rigid_bodies)
    found.has_body.push_back(!body.nodes.empty());
  const output::RankRows rows = output::rows_of_rank(subdomain);
  found.node_rows = rows_in_pieces(rows.node_order);
  for (std::size_t k = 0; k < output::kPlotKinds.size(); ++k)
    found.element_rows[k] = rows_in_pieces(rows.elements(output::kPlotKinds[k]).order);
  found.point_rows = rows_in_pieces(rows.node_order, steps.chunk(output::On::points));
  found.cell_rows = rows_in_pieces(output::cell_order(rows, steps), steps.chunk(output::On::cells));
  return found;
}

std::string traffic_json(const Model& whole, const decomposition::Partition& partition,
                         const decomposition::Cutter& cutter, std::span<const RankNodes> nodes,
                         const output::StepCounts& steps, std::span<const Vec3> x) {
  Work work = count_work(whole, partition, x);
  for (auto& [type, count] : work.elements) count.resize(work.cost.size(), 0);
  std::vector<ContactTraffic> contacts;
  for (const auto& pairs : contact::pairs_at(whole, x))
    contacts.push_back(count_traffic(whole, pairs, !contacts.empty(), cutter, partition.ranks));
  Json types = Json::array(), ranks = Json::array();
  for (const auto& [type, count] : work.elements) {
    const auto& [kind, form, law, cost] = type;
    types.push_back({{"kind", model::kind_name(kind)}, {"elform", form}, {"law", law}, {"cost", cost}});
  }
  const Bodies bodies = count_bodies(whole, nodes);
  for (std::size_t r = 0; r < nodes.size(); ++r)
    ranks.push_back(rank_json(nodes[r], work, contacts, bodies, r));
  const Json all = {{"format", "crumple-decomposition"},
                    {"version", 1},
                    {"ranks", partition.ranks},
                    {"end_time", whole.control.end_time},
                    {"agreed_bodies", bodies.agreed},
                    {"pieces", pieces_json(whole, steps)},
                    {"work", types},
                    {"of_rank", ranks}};
  return all.dump() + "\n";
}

}  // namespace crumple::control
