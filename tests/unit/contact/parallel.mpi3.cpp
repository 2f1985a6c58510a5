// The same bits on three ranks as on one: forces, energies, erosion, whatever the partition.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "bench.hpp"

namespace crumple::contact::test {
namespace {

using model::ContactType;
using model::ElementKind;

/// The part of a bench that `rank` works on when element e of each kind is on rank where(kind, e).
template <class Where>
Bench cut(const Bench& whole, int rank, std::vector<int>& owner, Where where) {
  Bench b;
  b.bulk = whole.bulk;
  const auto& m = whole.model;
  b.model.parts = m.parts;
  b.model.sections = m.sections;
  std::vector<int> lowest(m.nodes.size(), 99);
  std::vector<bool> mine(m.nodes.size(), false);
  const auto visit = [&](ElementKind kind, const auto& elements) {
    for (std::size_t e = 0; e < elements.size(); ++e)
      for (const LocalId n : elements.nodes[e]) {
        if (n == model::kNone) continue;
        const int r = where(kind, e);
        lowest[n] = std::min(lowest[n], r);
        if (r == rank) mine[n] = true;
      }
  };
  visit(ElementKind::shell, m.shells);
  visit(ElementKind::solid, m.solids);
  visit(ElementKind::beam, m.beams);
  for (const model::Contact& contact : m.contacts)
    for (const model::Surface* s : {&contact.a, &contact.b})
      for (const model::ContactLine& line : s->lines)
        for (const auto& end : line.beyond)
          for (const LocalId n : end)
            if (n != model::kNone && where(line.kind, line.element) == rank) mine[n] = true;
  std::vector<LocalId> number(m.nodes.size(), model::kNone);
  for (std::size_t n = m.nodes.size(); n-- > 0;) {  // a numbering of its own
    if (!mine[n]) continue;
    number[n] = static_cast<LocalId>(b.model.nodes.size());
    b.model.nodes.id.push_back(m.nodes.id[n]);
    b.model.nodes.x.push_back(m.nodes.x[n]);
    owner.push_back(lowest[n]);
  }
  std::map<ElementKind, std::vector<LocalId>> element;
  const auto copy = [&](ElementKind kind, const auto& from, auto& to) {
    for (std::size_t e = 0; e < from.size(); ++e) {
      element[kind].push_back(static_cast<LocalId>(to.size()));
      if (where(kind, e) != rank) continue;
      to.id.push_back(from.id[e]);
      to.order.push_back(from.order[e]);
      to.part.push_back(from.part[e]);
      to.nodes.push_back(from.nodes[e]);
      for (LocalId& n : to.nodes.back())
        if (n != model::kNone) n = number[n];
    }
  };
  copy(ElementKind::shell, m.shells, b.model.shells);
  copy(ElementKind::solid, m.solids, b.model.solids);
  copy(ElementKind::beam, m.beams, b.model.beams);
  for (const model::Contact& contact : m.contacts) {
    b.model.contacts.push_back(contact);
    for (model::Surface* s : {&b.model.contacts.back().a, &b.model.contacts.back().b}) {
      const model::Surface from = *s;
      *s = {};
      for (model::Segment segment : from.segments) {
        if (where(segment.kind, segment.element) != rank) continue;
        for (LocalId& n : segment.nodes) n = number[n];
        segment.element = element[segment.kind][segment.element];
        s->segments.push_back(segment);
      }
      for (model::ContactLine line : from.lines) {
        if (where(line.kind, line.element) != rank) continue;
        for (LocalId& n : line.nodes) n = number[n];
        for (auto& end : line.beyond)
          for (LocalId& n : end)
            if (n != model::kNone) n = number[n];
        line.element = element[line.kind][line.element];
        s->lines.push_back(line);
      }
      for (model::LineSharer sharer : from.sharers) {
        if (where(sharer.kind, sharer.element) != rank) continue;
        sharer.element = element[sharer.kind][sharer.element];
        s->sharers.push_back(sharer);
      }
      for (std::size_t k = 0; k < from.nodes.size(); ++k)
        if (lowest[from.nodes[k]] == rank) {
          s->nodes.push_back(number[from.nodes[k]]);
          s->node_thickness.push_back(from.node_thickness[k]);
        }
    }
  }
  return b;
}

/// Everything that can differ between partitions.
struct Outcome {
  std::map<GlobalId, Vec3> x;
  std::vector<double> numbers, nodal_forces;
  std::int64_t sorts = 0;
};

/// Fly apart, collide, erode; forces are summed over copies by user id.
template <class Where>
Outcome simulate(const Bench& whole, const parallel::Communicator& comm, int cycles, Where where) {
  std::vector<int> owner;
  const Bench bench = cut(whole, comm.rank(), owner, where);
  state::Nodal nodal = bench.nodal();
  nodal.owner = owner;
  std::mt19937 random(3);
  std::map<GlobalId, Vec3> start;
  for (const GlobalId id : whole.model.nodes.id) {
    std::uniform_real_distribution<double> u(-1.0, 1.0);
    const double drift = whole.model.nodes.x[id - 1].z > 0.25 ? -2.0 : 1.0;
    start[id] = {0.2 * u(random), 0.2 * u(random), drift + 0.2 * u(random)};
  }
  for (std::size_t n = 0; n < nodal.size(); ++n) nodal.v[n] = start[nodal.id[n]];
  ContactSystem system(bench.model, nodal, comm, bench.constants());
  Outcome outcome;
  const double dt = 2e-3;
  for (int k = 0; k < cycles; ++k) {
    for (parallel::LoadSum& sum : nodal.loads) sum.clear();
    system.measure_and_prepare(nodal);
    system.add_forces(nodal, k * dt, k == 0 ? 0.0 : dt);
    struct Term {
      GlobalId id;
      std::array<std::int64_t, 3> f;
    };
    std::vector<Term> mine;
    for (std::size_t n = 0; n < nodal.size(); ++n) mine.push_back({nodal.id[n], nodal.loads[n].force.sum});
    std::map<GlobalId, std::array<std::int64_t, 3>> sum;
    for (const Term& t : comm.all_gather(std::span<const Term>(mine)))
      for (int c = 0; c < 3; ++c) sum[t.id][c] += t.f[c];
    for (std::size_t n = 0; n < nodal.size(); ++n) {
      const auto& f = sum[nodal.id[n]];
      nodal.v[n] += dt * Vec3{f[0] / kScale, f[1] / kScale, f[2] / kScale};
      nodal.x[n] += dt * nodal.v[n];
    }
    if (k % 37 == 20) {  // lose a shell now and then
      std::vector<DeletedElement> dead;
      for (std::size_t e = 0; e < bench.model.shells.size(); ++e)
        if (bench.model.shells.order[e] == (k / 37) * 5 + 2)
          dead.push_back({ElementKind::shell, static_cast<LocalId>(e)});
      system.delete_elements(nodal, dead);
    }
    if (k % 10 == 0)
      for (const ContactResult& r : system.results())
        for (const double value : {r.force_a.x, r.force_a.z, r.force_b.y, r.energy_a, r.energy_b,
                                   r.friction_energy, double(r.touching), r.max_penetration})
          outcome.numbers.push_back(value);
    if (k % 10 == 0) {
      const auto on_root = system.nodal_forces();
      for (const NodalContactForce& f : comm.all_gather(std::span<const NodalContactForce>(on_root)))
        for (const double value : {double(f.contact), double(f.b), double(f.node), f.force.x, f.force.z})
          outcome.nodal_forces.push_back(value);
    }
  }
  struct Place {
    GlobalId id;
    Vec3 x;
  };
  std::vector<Place> places;
  for (std::size_t n = 0; n < nodal.size(); ++n) places.push_back({nodal.id[n], nodal.x[n]});
  for (const Place& p : comm.all_gather(std::span<const Place>(places))) {
    const auto [at, fresh] = outcome.x.try_emplace(p.id, p.x);
    EXPECT_TRUE(fresh || at->second == p.x) << "copies of node " << p.id << " differ";
  }
  outcome.sorts = system.timing().sorts;
  return outcome;
}

Bench crash(bool solids, bool lines) {
  Bench b;
  b.add_plate({0, 0, 0}, {4, 0, 0}, {0, 4, 0}, 6, 6, 0.2);
  b.add_plate({0.33, 0.41, 0.3}, {3.1, 0.3, 0.02}, {-0.2, 2.9, 0}, 5, 7, 0.2);
  if (solids) b.add_block({0.5, 0.5, 0.5}, {2, 2, 1}, {3, 3, 2});
  auto& contact = b.add_contact(ContactType::automatic_single_surface);
  contact.fs = 0.3, contact.fd = 0.1, contact.dc = 0.5, contact.vdc = 10.0, contact.ignore = 1;
  auto& pair = b.add_contact(ContactType::automatic_surface_to_surface, 1, 2);
  pair.soft = 1;
  b.add_contact(ContactType::force_transducer, 2);
  if (lines) {
    const LocalId part = b.add_part(ElementKind::beam);
    b.model.sections.back().ts = {0.3, 0.3};
    for (int k = 0; k < 4; ++k) {
      const double y = 0.4 + 0.8 * k;
      const LocalId first = b.add_node({-0.3, y, 0.55 + 0.3 * (k % 2)});
      for (int i = 1; i <= 5; ++i) {
        const LocalId n = b.add_node({-0.3 + 0.9 * i, y + 0.4 * (i % 2), 0.55 + 0.3 * (k % 2)});
        b.model.beams.id.push_back(first + i);
        b.model.beams.order.push_back(static_cast<GlobalId>(b.model.beams.order.size()));
        b.model.beams.part.push_back(part);
        b.model.beams.nodes.push_back({n - 1, n, model::kNone});
      }
    }
    auto& general = b.add_contact(ContactType::automatic_general);
    general.fs = general.fd = 0.2, general.vdc = 10.0, general.soft = 1;
    general.interior_edges = true;
    const LocalId thick = b.add_part(ElementKind::shell, 0.3);  // edges of which become thinner
    for (std::size_t e = 0; e < b.model.shells.size(); e += 3) b.model.shells.part[e] = thick;
    auto& segments = b.add_contact(ContactType::automatic_surface_to_surface, 1, 2);
    segments.soft = 2, segments.depth = 5;
    b.add_contact(ContactType::force_transducer, 3);
    b.add_contact(ContactType::force_transducer, 1, 2);
    b.add_contact(ContactType::force_transducer, 2, 3);
  }
  for (model::Contact& c : b.model.contacts)
    c.a_in_ncforc = c.b_in_ncforc = c.type != ContactType::force_transducer;
  build_surfaces(b.model);
  return b;
}

void expect_same(const Outcome& one, const Outcome& many) {
  EXPECT_EQ(one.numbers, many.numbers);
  EXPECT_EQ(one.nodal_forces, many.nodal_forces);
  EXPECT_EQ(one.sorts, many.sorts);
  ASSERT_EQ(one.x.size(), many.x.size());
  for (const auto& [id, x] : one.x) EXPECT_EQ(x, many.x.at(id)) << id;
}

TEST(Parallel, SameBitsOnOneAndThreeRanks) {
  const parallel::Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  ASSERT_EQ(world.size(), 3);
  for (const auto& [solids, lines] : {std::pair(false, false), {true, false}, {false, true}}) {
    const Bench whole = crash(solids, lines);
    const Outcome one = simulate(whole, self, 130, [](ElementKind, std::size_t) { return 0; });
    double touched = 0.0;
    for (const double value : one.numbers) touched = std::max(touched, value);
    EXPECT_GT(touched, 5.0);
    EXPECT_GT(one.sorts, 2);
    // Scattered like dust, then in layers, then everything on one rank with two idle.
    expect_same(one, simulate(whole, world, 130, [](ElementKind k, std::size_t e) {
                  return int((e * 7 + (k == ElementKind::solid ? 1 : 0)) % 3);
                }));
    expect_same(one, simulate(whole, world, 130, [](ElementKind k, std::size_t e) {
                  return k == ElementKind::solid ? 2 : e < 30 ? 0 : 1;
                }));
    expect_same(one, simulate(whole, world, 130, [](ElementKind, std::size_t) { return 1; }));
  }
}

}  // namespace
}  // namespace crumple::contact::test
