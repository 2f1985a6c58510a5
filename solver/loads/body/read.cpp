// *LOAD_BODY.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "loads/body/body_load.hpp"
#include "model/builder.hpp"

namespace crumple::loads {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::or_default;
using model::Record;

namespace {

/// Accelerations add up, so that one along any direction is three along the axes.
void add_along(Builder& build, BodyLoad load, const Vec3& direction) {
  const double scale = load.scale;
  for (int i = 0; i < 3; ++i) {
    if (direction[i] == 0.0) continue;
    load.axis = i;
    load.scale = scale * direction[i];
    build.model.features.of<BodyLoad>().push_back(load);
  }
}

void add_about(Builder& build, BodyLoad load, const Vec3& axis) {
  load.axis = BodyLoad::kAboutVector;
  load.scale *= norm(axis);
  load.about = (1.0 / norm(axis)) * axis;
  build.model.features.of<BodyLoad>().push_back(std::move(load));
}

/// What the first card of all of them says; the centre is a point of the frame CID.
LocalId begin_load(Builder& build, const Keyword& k, const Record& r, const char* relaxation,
                   BodyLoad& load) {
  load.curve = build.find_curve(r.integer("LCID"), Builder::star(k), r.place("LCID"));
  if (const GlobalId id = r.integer(relaxation); id != 0)
    load.relaxation_curve = build.find_curve(id, Builder::star(k), r.place(relaxation));
  const LocalId frame = build.find_system(r.integer("CID"), Builder::star(k), r.place("CID"));
  load.centre = build.to_global(frame, {r.real("XC"), r.real("YC"), r.real("ZC")});
  if (frame != kNone) load.centre += build.model.systems[at(frame)].origin;
  return frame;
}

void read_along_axis(Builder& build, const Keyword& k, const Record& r, int axis,
                     const std::vector<LocalId>& parts) {
  BodyLoad load;
  load.axis = axis;
  const LocalId frame = begin_load(build, k, r, "LCIDDR", load);
  load.scale = or_default(r.real("SF"), 1.0);
  load.parts = parts;
  if (frame == kNone) return build.model.features.of<BodyLoad>().push_back(std::move(load));
  const Vec3& along = build.model.systems[at(frame)].axis[at(axis % 3)];
  axis < 3 ? add_along(build, load, along) : add_about(build, load, along);
}

/// Whether the length of V scales the load is not known, so it must be 1.
void read_along_vector(Builder& build, const Keyword& k, const Record& r, const std::vector<LocalId>& parts) {
  BodyLoad load;
  const LocalId frame = begin_load(build, k, r, "LCIDDR", load);
  load.scale = or_default(r.real("SF"), 1.0);
  load.parts = parts;
  const Vec3 v{r.real("V1"), r.real("V2"), r.real("V3")};
  constexpr double kRounded = 1e-3;
  if (std::abs(norm(v) - 1.0) > kRounded)
    return build.unsupported(
        fmt::format("{}: a vector of length {:.6g}; its length must be 1, as SF is the size of the load",
                    Builder::star(k), norm(v)),
        r.place("V1"));
  add_along(build, load, build.to_global(frame, (1.0 / norm(v)) * v));
}

/// Nodes with numbers from N1 to N2, or of a set.
std::vector<LocalId> nodes_of_record(Builder& build, const Keyword& k, const Record& r) {
  std::vector<LocalId> nodes;
  if (k.name() == "LOAD_BODY_GENERALIZED_SET_NODE") {
    const model::NodeSet* const set =
        build.find_node_set(r.integer("NSID"), Builder::star(k), r.place("NSID"));
    if (set != nullptr) nodes = set->nodes;
    return nodes;
  }
  const GlobalId first = r.integer("N1"), last = or_default(r.integer("N2"), first);
  const auto& ids = build.model.nodes.id;
  for (std::size_t n = 0; n < ids.size(); ++n)
    if (ids[n] >= first && ids[n] <= last) nodes.push_back(static_cast<LocalId>(n));
  if (nodes.empty())
    build.error("CR-D303", fmt::format("{}: there is no node from {} to {}", Builder::star(k), first, last),
                r.place("N1"));
  return nodes;
}

/// Rigid bodies follow the load as wholes: their parts among those of which all nodes are named.
void choose_rigid_parts(Builder& build, const Keyword& k, const Record& r, BodyLoad& load) {
  constexpr int kRigid = 20;
  const std::set<LocalId> chosen(load.nodes.begin(), load.nodes.end());
  for (std::size_t p = 0; p < build.model.parts.size(); ++p) {
    const model::Part& part = build.model.parts[p];
    if (part.material == kNone || build.model.materials[at(part.material)].law != kRigid) continue;
    const std::vector<LocalId>& nodes = build.nodes_of_part(static_cast<LocalId>(p));
    const auto hit = std::ranges::count_if(nodes, [&](LocalId n) { return chosen.contains(n); });
    if (hit == 0) continue;
    if (hit < std::ssize(nodes))
      build.unsupported(fmt::format("{}: it names {} of the {} nodes of the rigid part {}; all or none",
                                    Builder::star(k), hit, nodes.size(), part.id),
                        r.place());
    load.parts.push_back(static_cast<LocalId>(p));
  }
}

/// @returns whether the load acts on anything
bool choose_loaded(Builder& build, const Keyword& k, const Record& r, BodyLoad& load) {
  if (k.name() == "LOAD_BODY_GENERALIZED_SET_PART") {
    const model::PartSet* const set =
        build.find_part_set(r.integer("PSID"), Builder::star(k), r.place("PSID"));
    if (set != nullptr) load.parts = set->parts;
    return !load.parts.empty();
  }
  load.by_nodes = true;
  load.nodes = nodes_of_record(build, k, r);
  choose_rigid_parts(build, k, r, load);
  return !load.nodes.empty();
}

void read_generalized(Builder& build, const Keyword& k, const Record& r) {
  BodyLoad load;
  const LocalId frame = begin_load(build, k, r, "DRLCID", load);
  if (!choose_loaded(build, k, r, load)) return;
  const Vec3 along{r.real("AX"), r.real("AY"), r.real("AZ")};
  const Vec3 about{r.real("OMX"), r.real("OMY"), r.real("OMZ")};
  if (norm(along) == 0.0 && norm(about) == 0.0)
    build.warn("CR-D330", fmt::format("{}: all factors are 0, so the load has no effect", Builder::star(k)),
               r.place("AX"));
  add_along(build, load, build.to_global(frame, along));
  if (norm(about) == 0.0) return;
  if (const std::string type = r.text("ANGTYP"); !type.empty() && type != "CENT")
    return build.unsupported(fmt::format("{}: ANGTYP = {}; forces by Coriolis and by angular accelerations",
                                         Builder::star(k), type),
                             r.place("ANGTYP"));
  add_about(build, load, build.to_global(frame, about));
}

std::vector<LocalId> parts_of_body_loads(const Builder& build) {
  std::vector<LocalId> parts;
  for (const Keyword& k : build.deck.all("LOAD_BODY_PARTS"))
    for (const Record& r : k.records())
      if (const model::PartSet* const set =
              build.find_part_set(r.integer("PSID"), Builder::star(k), r.place("PSID")))
        parts = set->parts;
  return parts;
}

}  // namespace

void read_body_loads(Builder& build) {
  static constexpr std::array<const char*, 6> names{"LOAD_BODY_X",  "LOAD_BODY_Y",  "LOAD_BODY_Z",
                                                    "LOAD_BODY_RX", "LOAD_BODY_RY", "LOAD_BODY_RZ"};
  const std::vector<LocalId> parts = parts_of_body_loads(build);
  for (std::size_t axis = 0; axis < names.size(); ++axis)
    for (const Keyword& k : build.deck.all(names[axis]))
      for (const Record& r : k.records()) read_along_axis(build, k, r, static_cast<int>(axis), parts);
  for (const Keyword& k : build.deck.all("LOAD_BODY_VECTOR"))
    for (const Record& r : k.records()) read_along_vector(build, k, r, parts);
  for (const char* const name :
       {"LOAD_BODY_GENERALIZED", "LOAD_BODY_GENERALIZED_SET_NODE", "LOAD_BODY_GENERALIZED_SET_PART"})
    for (const Keyword& k : build.deck.all(name))
      for (const Record& r : k.records()) read_generalized(build, k, r);
}

}  // namespace crumple::loads
