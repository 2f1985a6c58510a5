// *ELEMENT_SEATBELT_ACCELEROMETER.
#include <array>

#include "model/builder.hpp"
#include "output/accelerometer/accelerometer.hpp"
#include "output/accelerometer/local_axes.hpp"

namespace crumple::output {

using model::kNone;

namespace {

/// Components of gravity that IGRAV takes away: 0 none, 1 all, -1 to -6 x, y, z, xy, yz, zx.
constexpr std::array<std::uint8_t, 7> kRemoved{0, 1, 2, 4, 3, 6, 5};

bool on_one_body(model::Builder& build, const std::array<LocalId, 3>& nodes) {
  const auto body = [&](LocalId n) { return build.body_of_node[static_cast<std::size_t>(n)]; };
  return body(nodes[0]) != kNone && body(nodes[1]) == body(nodes[0]) && body(nodes[2]) == body(nodes[0]);
}

bool make_axes(const model::Model& m, const std::array<LocalId, 3>& n) {
  const auto x = [&](LocalId i) { return m.nodes.x[static_cast<std::size_t>(i)]; };
  const Vec3 a = x(n[1]) - x(n[0]), b = x(n[2]) - x(n[0]);
  return norm(cross(a, b)) > 1e-6 * norm(a) * norm(b);
}

/// MASS, a third for each node.
void add_mass(model::Builder& build, const Accelerometer& in, double mass) {
  for (const LocalId n : in.nodes) build.model.masses.add(in.id, n, mass / 3.0);
}

}  // namespace

void read_accelerometers(model::Builder& build) {
  for (const model::Keyword& k : build.deck.all("ELEMENT_SEATBELT_ACCELEROMETER"))
    for (const model::Record& r : k.records()) {
      Accelerometer in;
      in.id = r.integer("SBACID");
      const std::string label = fmt::format("{} {}", model::Builder::star(k), in.id);
      const std::array<const char*, 3> names{"NID1", "NID2", "NID3"};
      bool found = true;
      for (std::size_t a = 0; a < 3; ++a) {
        in.nodes[a] = build.find_node(r.integer(names[a]), label, r.place(names[a]));
        found = found && in.nodes[a] != kNone && in.nodes[a] != model::IdTable::kMissing;
      }
      const auto gravity = r.integer("IGRAV");
      const double mass = r.real("MASS");
      if (gravity < -6 || gravity > 1)
        build.error("CR-D310", fmt::format("{}: IGRAV = {} is not among -6 to 1", label, gravity),
                    r.place("IGRAV"));
      else
        in.without_gravity = gravity == 1 ? 7 : kRemoved[static_cast<std::size_t>(-gravity)];
      if (mass < 0.0)
        build.error("CR-D310", fmt::format("{}: MASS = {} is negative", label, mass), r.place("MASS"));
      if (!found) continue;
      if (!on_one_body(build, in.nodes)) {
        build.error("CR-D310",
                    fmt::format("{}: its nodes must belong to one rigid body: a rigid part, its extra nodes, "
                                "or a nodal rigid body",
                                label),
                    r.place("NID1"));
        continue;
      }
      if (!make_axes(build.model, in.nodes)) {
        build.error("CR-D310", fmt::format("{}: its three nodes are on one line", label), r.place("NID1"));
        continue;
      }
      const LocalId body = build.body_of_node[static_cast<std::size_t>(in.nodes[0])];
      in.parts = build.model.rigid_bodies[static_cast<std::size_t>(body)].parts;
      if (mass > 0.0) add_mass(build, in, mass);
      build.model.features.of<Accelerometer>().push_back(std::move(in));
    }
}

}  // namespace crumple::output
