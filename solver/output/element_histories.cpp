// Reads element states into rows, and merges the ranks' rows by user number.
#include "output/element_histories.hpp"

#include <algorithm>
#include <map>

#include "elements/discrete/layout.hpp"
#include "output/stress_factor.hpp"

namespace crumple::output {

using model::ElementKind;

namespace {

/// Mask of the elements of one kind in histories, by index in the rank's model.
std::vector<char> chosen(std::size_t n, const std::vector<LocalId>& elements) {
  std::vector<char> mask(n, 0);
  for (const LocalId e : elements) mask[static_cast<std::size_t>(e)] = 1;
  return mask;
}

/// Calls `visit(group, element)` for elements of a kind that are in the mask and not deleted.
template <class Visit>
void each(std::span<const state::GroupView> groups, ElementKind kind, const std::vector<char>& mask,
          Visit&& visit) {
  for (const auto& g : groups) {
    if (g.kind() != kind) continue;
    for (std::int32_t e = 0; e < g.count; ++e)
      if (mask[static_cast<std::size_t>(g.element[e])] && g.is_alive(e)) visit(g, e);
  }
}

/// Mean of variable k over points first, first + step, ... of an element.
double mean_over_points(const state::GroupView& g, std::int32_t e, int k, int first, int step) {
  double sum = 0;
  int n = 0;
  for (int p = first; p < g.layout.n_points; p += step, ++n)
    sum += g.variable(e, k + p * g.layout.point_stride);
  return sum / n;
}

/// The mean of every `step`th point from `first` on.
PointState mean_state(const state::GroupView& g, std::int32_t e, int first, int step) {
  PointState point;
  for (int c = 0; c < 6; ++c)
    point.stress[c] = stress_factor(g, c) * mean_over_points(g, e, g.layout.stress + c, first, step);
  point.plastic_strain = mean_over_points(g, e, g.layout.plastic_strain, first, step);
  return point;
}

EloutElement shell_row(const state::GroupView& g, std::int32_t e, std::span<const Vec3> x,
                       const state::Strains* strains) {
  std::array<Vec3, 4> corners{};
  for (int a = 0; a < g.ready.formulation->n_nodes; ++a) corners[a] = x[g.node(e, a)];
  const auto to_global = [&](const std::array<double, 6>& local) {
    std::array<double, 6> global{};
    g.ready.formulation->to_global(corners.data(), local.data(), global.data());
    return global;
  };
  EloutElement row;
  const int layers = g.ready.parameters.section->nip;
  for (int layer = 0; layer < layers; ++layer) {
    PointState point = mean_state(g, e, layer, layers);
    point.stress = to_global(point.stress);
    row.points.push_back(point);
  }
  if (strains) {
    row.inner = to_global(strains->shell(g, e, state::Surface::inner));
    row.outer = to_global(strains->shell(g, e, state::Surface::outer));
  }
  return row;
}

EloutElement beam_row(const state::GroupView& g, std::int32_t e) {
  EloutElement row;
  for (int c = 0; c < 6; ++c) row.resultant[c] = g.variable(e, g.layout.resultants + c);
  const int form = g.ready.formulation->elform;
  if (form == 1 || form == 9)  // other formulations have resultants only
    for (int p = 0; p < g.layout.n_points; ++p) row.points.push_back(mean_state(g, e, p, g.layout.n_points));
  return row;
}

EloutElement solid_row(const state::GroupView& g, std::int32_t e, std::span<const Vec3> x,
                       const state::Strains* strains) {
  EloutElement row;
  row.points = {mean_state(g, e, 0, 1)};
  if (g.layout.stress_is_local && g.ready.formulation->to_global) {  // thick shells in plane stress
    std::array<Vec3, 10> corners{};
    for (int a = 0; a < g.ready.formulation->n_nodes; ++a) corners[a] = x[g.node(e, a)];
    const std::array<double, 6> local = row.points[0].stress;
    g.ready.formulation->to_global(corners.data(), local.data(), row.points[0].stress.data());
  }
  if (strains) row.inner = strains->solid(g.element[e]);
  return row;
}

/// An element as numbers: kind, ids, form, number of points, resultant, strains, points.
constexpr std::size_t kPoint = 7;

void pack(const EloutElement& row, ElementKind kind, std::vector<double>& to) {
  to.insert(to.end(), {static_cast<double>(kind), static_cast<double>(row.id), static_cast<double>(row.part),
                       static_cast<double>(row.form), static_cast<double>(row.points.size())});
  for (const auto* part : {&row.resultant, &row.inner, &row.outer})
    to.insert(to.end(), part->begin(), part->end());
  for (const PointState& p : row.points) {
    to.insert(to.end(), p.stress.begin(), p.stress.end());
    to.push_back(p.plastic_strain);
  }
}

EloutElement unpack(const double*& at) {
  EloutElement row;
  row.id = static_cast<GlobalId>(at[1]);
  row.part = static_cast<GlobalId>(at[2]);
  row.form = static_cast<int>(at[3]);
  row.points.resize(static_cast<std::size_t>(at[4]));
  const double* from = at + 5;
  for (auto* part : {&row.resultant, &row.inner, &row.outer}) {
    std::copy_n(from, 6, part->begin());
    from += 6;
  }
  for (PointState& p : row.points) {
    std::copy_n(from, 6, p.stress.begin());
    p.plastic_strain = from[6];
    from += kPoint;
  }
  at = from;
  return row;
}

}  // namespace

EloutElement elout_element(const state::GroupView& g, std::int32_t e, std::span<const Vec3> x,
                           const state::Strains* strains) {
  if (g.kind() == ElementKind::shell) return shell_row(g, e, x, strains);
  return g.kind() == ElementKind::beam ? beam_row(g, e) : solid_row(g, e, x, strains);
}

EloutRow gather_elout(const parallel::Communicator& comm, const model::Model& m, const ResultsView& results) {
  const std::span<const Vec3> x = results.nodes().x;
  const std::span<const state::GroupView> groups = results.elements();
  const state::Strains* const strains = results.strains();
  std::vector<double> mine;
  const auto send = [&](const state::GroupView& g, std::int32_t e, EloutElement row) {
    row.id = g.id[e];
    row.part = m.parts[g.part].id;
    row.form = g.ready.formulation->elform;
    pack(row, g.kind(), mine);
  };
  each(groups, ElementKind::shell, chosen(m.shells.size(), m.output.history_shells),
       [&](const auto& g, std::int32_t e) { send(g, e, shell_row(g, e, x, strains)); });
  each(groups, ElementKind::solid, chosen(m.solids.size(), m.output.history_solids),
       [&](const auto& g, std::int32_t e) { send(g, e, solid_row(g, e, x, strains)); });
  each(groups, ElementKind::beam, chosen(m.beams.size(), m.output.history_beams),
       [&](const auto& g, std::int32_t e) { send(g, e, beam_row(g, e)); });

  const std::vector<double> all = comm.gather<double>(mine);
  EloutRow rows;
  rows.strains = strains != nullptr;
  for (const double* at = all.data(); at < all.data() + all.size();) {
    const auto kind = static_cast<ElementKind>(static_cast<int>(at[0]));
    auto& to = kind == ElementKind::shell   ? rows.shells
               : kind == ElementKind::solid ? rows.solids
                                            : rows.beams;
    to.push_back(unpack(at));
  }
  for (auto* of_kind : {&rows.solids, &rows.beams, &rows.shells})
    std::sort(of_kind->begin(), of_kind->end(),
              [](const EloutElement& a, const EloutElement& b) { return a.id < b.id; });
  return rows;
}

namespace {

struct SpringLine {
  GlobalId id;
  DeforcRow row;
};

}  // namespace

DeforcRow spring_row(const state::GroupView& g, std::int32_t e, std::span<const Vec3> x) {
  namespace at = elements::discrete;
  const auto vector = [&](int k) {
    return Vec3{g.variable(e, k), g.variable(e, k + 1), g.variable(e, k + 2)};
  };
  Vec3 direction = vector(at::kDirection);
  if (g.variable(e, at::kOriented) == 0) {
    const Vec3 line =
        g.variable(e, at::kGround) != 0 ? -vector(at::kMoved) : x[g.node(e, 1)] - x[g.node(e, 0)];
    const double length = norm(line);
    direction = length > 0 ? (1 / length) * line : Vec3{};
  }
  DeforcRow row;
  row.resultant = g.variable(e, at::kForce);
  row.change = g.variable(e, at::kElongation) - g.variable(e, at::kOffset);
  row.force = row.resultant * direction;
  return row;
}

std::vector<DeforcRow> gather_deforc(const parallel::Communicator& comm, const model::Model& m,
                                     const Catalogue& catalogue, const ResultsView& results) {
  const std::span<const Vec3> x = results.nodes().x;
  static_assert(std::is_trivially_copyable_v<SpringLine>);
  std::vector<SpringLine> mine;
  each(results.elements(), ElementKind::discrete, chosen(m.discretes.size(), m.output.history_discretes),
       [&](const auto& g, std::int32_t e) {
         mine.push_back({g.id[e], spring_row(g, e, x)});
       });
  const std::vector<SpringLine> all = comm.gather<SpringLine>(mine);
  std::map<GlobalId, DeforcRow> by_id;
  for (const SpringLine& line : all) by_id[line.id] = line.row;
  std::vector<DeforcRow> rows;
  for (const SpringInfo& spring : catalogue.springs) rows.push_back(by_id[spring.id]);
  return rows;
}

}  // namespace crumple::output
