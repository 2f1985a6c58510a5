// *LOAD: body, nodal and pressure loads.
#include "model/builder.hpp"

namespace crumple::model {
namespace {

class LoadReader {
 public:
  explicit LoadReader(Builder& build) : build_(build), model_(build.model) {}

  void body_loads() {
    static constexpr std::array<const char*, 6> names{"LOAD_BODY_X",  "LOAD_BODY_Y",  "LOAD_BODY_Z",
                                                      "LOAD_BODY_RX", "LOAD_BODY_RY", "LOAD_BODY_RZ"};
    std::vector<LocalId> parts;
    for (const Keyword& k : build_.deck.all("LOAD_BODY_PARTS"))
      for (const Record& r : k.records())
        if (const PartSet* const set =
                build_.find_part_set(r.integer("PSID"), Builder::star(k), r.place("PSID")))
          parts = set->parts;
    for (std::size_t axis = 0; axis < names.size(); ++axis)
      for (const Keyword& k : build_.deck.all(names[axis]))
        for (const Record& r : k.records()) {
          BodyLoad load;
          load.axis = static_cast<int>(axis);
          load.curve = build_.find_curve(r.integer("LCID"), Builder::star(k), r.place("LCID"));
          if (const GlobalId id = r.integer("LCIDDR"); id != 0)
            load.relaxation_curve = build_.find_curve(id, Builder::star(k), r.place("LCIDDR"));
          load.scale = or_default(r.real("SF"), 1.0);
          load.centre = {r.real("XC"), r.real("YC"), r.real("ZC")};
          load.parts = parts;
          model_.body_loads.push_back(std::move(load));
        }
  }

  void nodal_loads() {
    for (const char* const name : {"LOAD_NODE_POINT", "LOAD_NODE_SET"})
      for (const Keyword& k : build_.deck.all(name))
        for (const Record& r : k.records()) nodal(k, r);
  }

  void rigid_body_loads() {
    for (const Keyword& k : build_.deck.all("LOAD_RIGID_BODY"))
      for (const Record& r : k.records()) {
        RigidBodyLoad load;
        const auto dof = r.integer("DOF");
        load.body = build_.find_rigid_body(r.integer("PID"), Builder::star(k), r.place("PID"));
        load.curve = build_.find_curve(r.integer("LCID"), Builder::star(k), r.place("LCID"));
        load.scale = or_default(r.real("SF"), 1.0);
        const LocalId system = build_.find_system(r.integer("CID"), Builder::star(k), r.place("CID"));
        if (dof < 1 || dof > 7 || dof == 4) continue;  // refused by the schema
        load.moment = dof > 4;
        load.direction[static_cast<int>((dof - 1) % 4)] = 1.0;
        load.direction = build_.to_global(system, load.direction);
        if (load.body != kNone) model_.rigid_body_loads.push_back(load);
      }
  }

  void pressures() {
    for (const Keyword& k : build_.deck.all("LOAD_SEGMENT"))
      for (const Record& r : k.records()) segment(k, r);
    for (const Keyword& k : build_.deck.all("LOAD_SEGMENT_SET"))
      for (const Record& r : k.records()) {
        const LocalId at = build_.find(build_.segment_sets, r.integer("SSID"), "CR-D305", "segment set",
                                       Builder::star(k), r.place("SSID"));
        if (at == kNone) continue;
        PressureLoad load = pressure(k, r);
        for (const auto& nodes : model_.sets.segments[static_cast<std::size_t>(at)].segments) {
          load.nodes = nodes;
          model_.pressures.push_back(load);
        }
      }
    for (const Keyword& k : build_.deck.all("LOAD_SHELL_ELEMENT"))
      for (const Record& r : k.records()) {
        const LocalId e = build_.find(build_.shells, r.integer("EID"), "CR-D302", "shell", Builder::star(k),
                                      r.place("EID"));
        if (e != kNone) shell(pressure(k, r), e);
      }
    for (const Keyword& k : build_.deck.all("LOAD_SHELL_SET"))
      for (const Record& r : k.records()) {
        const LocalId at = build_.find(build_.shell_sets, r.integer("ESID"), "CR-D305", "shell set",
                                       Builder::star(k), r.place("ESID"));
        if (at == kNone) continue;
        const PressureLoad load = pressure(k, r);
        for (const LocalId e : model_.sets.shells[static_cast<std::size_t>(at)].shells) shell(load, e);
      }
  }

 private:
  void nodal(const Keyword& k, const Record& r) {
    NodalLoad load;
    load.dof = static_cast<int>(r.integer("DOF"));
    load.curve = build_.find_curve(r.integer("LCID"), Builder::star(k), r.place("LCID"));
    load.scale = or_default(r.real("SF"), 1.0);
    if (load.dof < 1 || load.dof > 8)
      build_.error("CR-D310", fmt::format("{}: DOF = {} is none of 1 to 8", Builder::star(k), load.dof),
                   r.place("DOF"));
    // The plane of a follower force.
    constexpr std::array<const char*, 3> corners{"M1", "M2", "M3"};
    for (std::size_t a = 0; a < 3 && load.dof % 4 == 0; ++a)
      load.follower[a] = build_.find_node(r.integer(corners[a]), Builder::star(k), r.place(corners[a]));
    if (k.name() == "LOAD_NODE_SET") {
      const NodeSet* const set = build_.find_node_set(r.integer("NSID"), Builder::star(k), r.place("NSID"));
      if (!set) return;
      for (const LocalId n : set->nodes) {
        load.node = n;
        model_.nodal_loads.push_back(load);
      }
    } else {
      load.node = build_.find_node(r.integer("NID"), Builder::star(k), r.place("NID"));
      if (load.node != kNone) model_.nodal_loads.push_back(load);
    }
  }

  PressureLoad pressure(const Keyword& k, const Record& r) const {
    r.id();  // names the load only
    PressureLoad load;
    load.curve = build_.find_curve(r.integer("LCID"), Builder::star(k), r.place("LCID"));
    load.scale = or_default(r.real("SF"), 1.0);
    load.arrival = r.real("AT");
    return load;
  }

  void segment(const Keyword& k, const Record& r) {
    PressureLoad load = pressure(k, r);
    bool whole = true;
    for (std::size_t a = 0; a < 4; ++a) {
      const std::string field = fmt::format("N{}", a + 1);
      const GlobalId id = a == 3 && r.integer(field) == 0 ? r.integer("N3") : r.integer(field);
      whole &= (load.nodes[a] = build_.find_node(id, Builder::star(k), r.place(field))) != kNone;
    }
    if (whole) model_.pressures.push_back(load);
  }

  void shell(PressureLoad load, LocalId e) {
    load.shell = e;
    load.nodes = model_.shells.nodes[static_cast<std::size_t>(e)];
    model_.pressures.push_back(load);
  }

  Builder& build_;
  Model& model_;
};

}  // namespace

void Builder::read_loads() {
  LoadReader reader(*this);
  reader.body_loads();
  reader.nodal_loads();
  reader.rigid_body_loads();
  reader.pressures();
}

}  // namespace crumple::model
