// The partition of a whole model by the chosen method, region by region.
#include "decomposition/partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <span>

#include "model/element_rows.hpp"

namespace crumple::decomposition {

namespace {

using model::Model;

/// Data of one element for regions.
struct Element {
  LocalId part = model::kNone;
  std::span<const LocalId> nodes;
};

/// Calls `visit(Element)` for all elements in the order of `element_points`.
template <class Visit>
void each_element(const Model& m, Visit&& visit) {
  model::for_each_kind(m, [&](const model::ElementKindInfo&, const model::ElementRows& rows) {
    for (std::size_t e = 0; e < rows.size(); ++e) visit(Element{rows.part[e], rows.nodes(e)});
  });
}

/// Decides whether elements are in a region.
class Selection {
 public:
  Selection(const Model& m, const Region& region) : region_(&region), part_(m.parts.size(), 0) {
    std::set<GlobalId> wanted(region.parts.begin(), region.parts.end());
    for (std::size_t p = 0; p < m.parts.size(); ++p) part_[p] = wanted.contains(m.parts[p].id);
    for (const GlobalId id : region.parts)
      if (std::none_of(m.parts.begin(), m.parts.end(), [&](const auto& p) { return p.id == id; }))
        throw Error("CR-P012",
                    fmt::format("a region of the pfile or deck names part {}, which does not exist", id),
                    region.place);
    for (const GlobalId id : region.part_sets) {
      const model::PartSet* set = m.sets.part_set(id);
      if (!set)
        throw Error("CR-P012",
                    fmt::format("a region of the pfile or deck names part set {}, which does not exist", id),
                    region.place);
      for (const LocalId p : set->parts) part_[static_cast<std::size_t>(p)] = 1;
    }
    if (!region.contacts.empty()) mark_contacts(m);
  }

  bool operator()(const Element& element, const Vec3& centre) const {
    if (element.part != model::kNone && part_[static_cast<std::size_t>(element.part)]) return true;
    return touches(element) || inside(centre);
  }

 private:
  void mark_contacts(const Model& m) {
    node_.assign(m.nodes.size(), 0);
    for (const GlobalId id : region_->contacts) {
      const auto contact =
          std::find_if(m.contacts.begin(), m.contacts.end(), [&](const auto& c) { return c.id == id; });
      if (contact == m.contacts.end())
        throw Error("CR-P012",
                    fmt::format("a region of the pfile or deck names contact {}, which does not exist", id),
                    region_->place);
      for (const model::Surface* side : {&contact->a, &contact->b})
        for (const LocalId n : side->nodes) node_[static_cast<std::size_t>(n)] = 1;
      // A tied contact has no surfaces left.
      for (const model::Tie& tie : contact->ties) {
        node_[static_cast<std::size_t>(tie.node)] = 1;
        for (const LocalId n : tie.nodes) node_[static_cast<std::size_t>(n)] = 1;
      }
    }
  }

  /// Whether an element has a face (three nodes) on a contact's surface.
  bool touches(const Element& element) const {
    if (node_.empty()) return false;
    std::set<LocalId> on;
    for (const LocalId n : element.nodes)
      if (n != model::kNone && node_[static_cast<std::size_t>(n)]) on.insert(n);
    return on.size() >= 3;
  }

  bool inside(const Vec3& x) const {
    const Region& r = *region_;
    if (r.box) {
      bool in = true;
      for (int k = 0; k < 3; ++k) {
        const auto low = 2 * static_cast<std::size_t>(k);
        in = in && x[k] >= (*r.box)[low] && x[k] <= (*r.box)[low + 1];
      }
      if (in) return true;
    }
    if (const auto& s = r.sphere; s && norm(x - Vec3{(*s)[0], (*s)[1], (*s)[2]}) <= (*s)[3]) return true;
    if (const auto& c = r.cylinder) {
      const Vec3 d = x - Vec3{(*c)[0], (*c)[1], (*c)[2]}, axis{(*c)[3], (*c)[4], (*c)[5]};
      const double along = dot(d, axis) / std::max(dot(axis, axis), 1e-300);
      if (norm(d - along * axis) <= (*c)[6]) return true;
    }
    return false;
  }

  const Region* region_;
  std::vector<char> part_, node_;
};

/// Bisects elements region by region; the cost of a region on a rank counts for the next regions.
class RegionCutter {
 public:
  RegionCutter(const std::vector<Point>& points, int ranks)
      : points_(&points), rank_(points.size(), -1), load_(static_cast<std::size_t>(ranks), 0.0) {}

  /// Distributes `items` to `ranks` ranks, those with the least work so far, in ascending order.
  void distribute(std::vector<int> items, std::span<const Transformation> transformations, int ranks) {
    if (items.empty()) return;
    std::vector<Point> points;
    for (const int i : items) {
      points.push_back((*points_)[static_cast<std::size_t>(i)]);
      for (const Transformation& t : transformations) points.back().centre = t(points.back().centre);
    }
    const int most = static_cast<int>(std::min(load_.size(), items.size()));
    const std::vector<int> chosen = idlest(ranks > 0 ? std::min(ranks, most) : most);
    const std::vector<int> rank = bisect(points, static_cast<int>(chosen.size()));
    for (std::size_t k = 0; k < items.size(); ++k) {
      const int r = chosen[static_cast<std::size_t>(rank[k])];
      rank_[static_cast<std::size_t>(items[k])] = r;
      load_[static_cast<std::size_t>(r)] += points[k].cost;
    }
  }

  const std::vector<int>& ranks() const { return rank_; }

 private:
  std::vector<int> idlest(int count) const {
    std::vector<int> order(load_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return load_[static_cast<std::size_t>(a)] < load_[static_cast<std::size_t>(b)];
    });
    order.resize(static_cast<std::size_t>(count));
    std::sort(order.begin(), order.end());
    return order;
  }

  const std::vector<Point>* points_;
  std::vector<int> rank_;
  std::vector<double> load_;
};

std::vector<int> cut_by_regions(const Model& m, const std::vector<Point>& points, int ranks,
                                const Directions& directions) {
  std::vector<Selection> selections;
  for (const Region& region : directions.regions) selections.emplace_back(m, region);
  std::vector<std::vector<int>> items(selections.size() + 1);
  int i = 0;
  each_element(m, [&](const Element& element) {
    const Vec3& centre = points[static_cast<std::size_t>(i)].centre;
    std::size_t r = 0;
    while (r < selections.size() && !selections[r](element, centre)) ++r;
    items[r].push_back(i++);
  });
  RegionCutter cutter(points, ranks);
  for (std::size_t r = 0; r < selections.size(); ++r) {
    const Region& region = directions.regions[r];
    cutter.distribute(std::move(items[r]),
                      region.transformations.empty() ? directions.transformations : region.transformations,
                      region.ranks);
  }
  cutter.distribute(std::move(items.back()), directions.transformations, 0);
  return cutter.ranks();
}

void check_that_all_work(const std::vector<int>& rank, int ranks) {
  std::vector<char> works(static_cast<std::size_t>(ranks), 0);
  for (const int r : rank) works[static_cast<std::size_t>(r)] = 1;
  const auto idle = std::find(works.begin(), works.end(), 0);
  if (idle != works.end())
    throw Error("CR-P012",
                fmt::format("the regions of the pfile or deck leave rank {} of {} without elements",
                            idle - works.begin(), ranks));
}

}  // namespace

Partition partition(const Model& m, int ranks, Method method, const Directions& directions) {
  const std::vector<Point> points = element_points(m);
  if (static_cast<std::size_t>(ranks) > points.size())
    throw Error("CR-P010", fmt::format("{} ranks for {} elements: use at most one rank per element", ranks,
                                       points.size()));
  std::vector<int> rank(points.size(), 0);
  if (ranks > 1)
    rank = directions.method.value_or(method) == Method::metis ? metis(m, points, ranks)
                                                               : cut_by_regions(m, points, ranks, directions);
  check_that_all_work(rank, ranks);

  Partition result;
  result.ranks = ranks;
  auto next = rank.begin();
  model::for_each_kind(m, [&](const model::ElementKindInfo& of, const model::ElementRows& rows) {
    const auto last = next + static_cast<std::ptrdiff_t>(rows.size());
    result.of[of.kind].assign(next, last);
    next = last;
  });
  return result;
}

}  // namespace crumple::decomposition
