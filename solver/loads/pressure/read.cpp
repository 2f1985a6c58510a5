// *LOAD_SEGMENT and *LOAD_SHELL.
#include "loads/pressure/pressure_load.hpp"
#include "model/builder.hpp"
#include "model/functions_tables.hpp"

namespace crumple::loads {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::or_default;
using model::Record;

namespace {

class PressureReader {
 public:
  explicit PressureReader(Builder& build)
      : build_(build), pressures_(build.model.features.of<PressureLoad>()) {}

  void segments() {
    for (const Keyword& k : build_.deck.all("LOAD_SEGMENT"))
      for (const Record& r : k.records()) segment(k, r);
    for (const Keyword& k : build_.deck.all("LOAD_SEGMENT_SET"))
      for (const Record& r : k.records()) {
        const LocalId at = build_.find(build_.segment_sets, r.integer("SSID"), "CR-D305", "segment set",
                                       Builder::star(k), r.place("SSID"));
        if (at == kNone) continue;
        PressureLoad load = pressure(k, r);
        for (const auto& nodes : build_.model.sets.segments[static_cast<std::size_t>(at)].segments) {
          load.nodes = nodes;
          pressures_.push_back(load);
        }
      }
  }

  void shells() {
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
        for (const LocalId e : build_.model.sets.shells[static_cast<std::size_t>(at)].shells) shell(load, e);
      }
  }

 private:
  PressureLoad pressure(const Keyword& k, const Record& r) const {
    r.id();  // names the load only
    PressureLoad load;
    load.curve = build_.find_curve(r.integer("LCID"), Builder::star(k), r.place("LCID"));
    load.scale = or_default(r.real("SF"), 1.0);
    load.arrival = r.real("AT");
    if (load.arrival != 0.0 && model::find_place_function(build_.model, load.curve))
      build_.unsupported(fmt::format("{}: AT with a function of the place", Builder::star(k)), r.place("AT"));
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
    if (whole) pressures_.push_back(load);
  }

  void shell(PressureLoad load, LocalId e) {
    load.shell = e;
    load.nodes = build_.model.shells.nodes[static_cast<std::size_t>(e)];
    pressures_.push_back(load);
  }

  Builder& build_;
  std::vector<PressureLoad>& pressures_;
};

}  // namespace

void read_pressure_loads(Builder& build) {
  PressureReader reader(build);
  reader.segments();
  reader.shells();
}

}  // namespace crumple::loads
