// From the records of a restart deck to changes.
#include "restart/changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace crumple::restart {

using deck::Keyword;
using deck::Record;
using deck::Severity;

namespace {

Vec3 vector_of(const Record& r, const char* x, const char* y, const char* z) {
  return {r.real(x), r.real(y), r.real(z)};
}

class ChangesReader {
 public:
  explicit ChangesReader(const deck::Deck& deck) : deck_(deck) {}

  Changes read() {
    changes_.title = deck_.title();
    each("CONTROL_TERMINATION", [&](const Record& r) { termination(r); });
    each("CONTROL_TIMESTEP", [&](const Record& r) { step(r); });
    each("CONTROL_CPU", [&](const Record& r) { processor_time(r); });
    for (const char* const name : {"CONTROL_MPP_IO_NODUMP", "CONTROL_MPP_IO_NOD3DUMP"})
      changes_.no_dumps |= !deck_.all(name).empty();
    for (const Keyword& k : deck_.family("DATABASE_"))
      for (const Record& r : k.records()) database(k.name(), r);
    curves();
    changes_.contacts = numbers("DELETE_CONTACT");
    changes_.parts = numbers("DELETE_PART");
    using model::ElementKind;
    for (const auto& [name, kind] : {std::pair("DELETE_ELEMENT_SHELL", ElementKind::shell),
                                     std::pair("DELETE_ELEMENT_SOLID", ElementKind::solid),
                                     std::pair("DELETE_ELEMENT_BEAM", ElementKind::beam)})
      each(name, [&, kind = kind](const Record& r) {
        changes_.element_sets.push_back({kind, {r.integer("ESID"), r.place("ESID")}});
      });
    sets();
    velocities();
    return std::move(changes_);
  }

 private:
  template <class Read>
  void each(std::string_view name, Read&& read) const {
    for (const Keyword& k : deck_.all(name))
      for (const Record& r : k.records()) read(r);
  }

  void error(const char* id, std::string text, const Place& place) const {
    deck_.report(Severity::error, id, std::move(text), place);
  }

  void termination(const Record& r) {
    changes_.end_time = r.real("ENDTIM");
    changes_.end_cycle = r.integer("ENDCYC");
    changes_.min_step_factor = r.real("DTMIN");
    changes_.end_energy_ratio = r.real("ENDENG");
    changes_.end_mass = r.real("ENDMAS");
    changes_.end_place = r.place("ENDTIM");
    changes_.end_cycle_place = r.place("ENDCYC");
  }

  void step(const Record& r) {
    changes_.step_scale = r.real("TSSFAC");
    if (changes_.step_scale < 0.0)
      error("CR-D310", fmt::format("*CONTROL_TIMESTEP: TSSFAC = {} is negative", changes_.step_scale),
            r.place("TSSFAC"));
  }

  void processor_time(const Record& r) {
    changes_.cpu_limit = r.real("CPUTIM");
    if (*changes_.cpu_limit < 0.0)
      error("CR-D310", fmt::format("*CONTROL_CPU: CPUTIM = {} is negative", *changes_.cpu_limit),
            r.place("CPUTIM"));
  }

  void database(const std::string& name, const Record& r) {
    if (name == "DATABASE_BINARY_D3DUMP") {
      changes_.d3dump = cycles(name, r);
    } else if (name == "DATABASE_BINARY_RUNRSF") {
      changes_.runrsf = cycles(name, r);
      changes_.runrsf_files = static_cast<int>(std::clamp<std::int64_t>(r.integer("NR"), 0, 99));
    } else {
      NewInterval made{name, r.real("DT"), 0, 0, r.place("DT")};
      if (name == "DATABASE_BINARY_D3PLOT")
        made.parts = r.integer("NPLTC");
      else
        made.binary = static_cast<int>(r.integer("BINARY"));
      if (made.interval < 0.0)
        error("CR-D310", fmt::format("*{}: DT = {} is negative", name, made.interval), made.place);
      changes_.intervals.push_back(made);
    }
  }

  std::int64_t cycles(const std::string& name, const Record& r) const {
    const double given = r.real("CYCL");
    if (given < 0.0 || given != std::floor(given) || given > 1e15) {
      error("CR-D310", fmt::format("*{}: CYCL = {} is no number of cycles", name, given), r.place("CYCL"));
      return 0;
    }
    return static_cast<std::int64_t>(given);
  }

  void curves() {
    each("DEFINE_CURVE", [&](const Record& r) {
      NewCurve curve{{r.integer("LCID"), r.place("LCID")}, {}, {}};
      for (std::size_t i = 0; i < r.rows(); ++i) {
        const double x = r.real(i, 0);
        if (!curve.x.empty() && x < curve.x.back())
          error(
              "CR-D310",
              fmt::format("*DEFINE_CURVE {}: abscissa {} comes after {}", curve.curve.id, x, curve.x.back()),
              r.row_place(i));
        curve.x.push_back(x);
        curve.y.push_back(r.real(i, 1));
      }
      changes_.curves.push_back(std::move(curve));
    });
    each("CHANGE_CURVE_DEFINITION", [&](const Record& r) {
      const GlobalId id = r.integer("LCID");
      if (std::ranges::none_of(changes_.curves, [&](const NewCurve& c) { return c.curve.id == id; }))
        error("CR-D304",
              fmt::format("*CHANGE_CURVE_DEFINITION: its points are missing: *DEFINE_CURVE {}", id),
              r.place("LCID"));
    });
  }

  std::vector<Named> numbers(std::string_view keyword) const {
    std::vector<Named> list;
    each(keyword, [&](const Record& r) {
      for (std::size_t row = 0; row < r.rows(); ++row)
        for (std::size_t col = 0; col < 8; ++col)
          if (const GlobalId id = r.integer(row, col); id != 0) list.push_back({id, r.row_place(row)});
    });
    return list;
  }

  void sets() {
    for (const char* const kind : {"NODE", "PART", "SHELL", "SOLID", "BEAM"})
      each(fmt::format("SET_{}_LIST", kind), [&](const Record& r) {
        std::vector<GlobalId>& set = changes_.sets[{kind, r.integer("SID")}];
        for (std::size_t row = 0; row < r.rows(); ++row)
          for (std::size_t col = 0; col < 8; ++col)
            if (const GlobalId id = r.integer(row, col); id != 0) set.push_back(id);
        std::ranges::sort(set);
      });
  }

  // Velocities of single nodes have priority, whatever the order in the deck.
  void velocities() {
    using Of = NewVelocity::Of;
    for (const Keyword& zero : deck_.all("CHANGE_VELOCITY_ZERO")) {
      changes_.others_rest = true;
      if (deck_.family("CHANGE_VELOCITY").size() > deck_.all("CHANGE_VELOCITY_ZERO").size())
        error("CR-D310", "*CHANGE_VELOCITY_ZERO is with other *CHANGE_VELOCITY keywords: which shall count?",
              zero.place());
    }
    for (const Keyword& k : deck_.family("CHANGE_VELOCITY"))
      for (const Record& r : k.records()) {
        const bool set = k.name() == "CHANGE_VELOCITY", only = k.name() == "CHANGE_VELOCITY_ONLY";
        if (set || only) {
          const GlobalId id = r.integer("NSID");
          changes_.velocities.push_back({id == 0 ? Of::all : Of::node_set,
                                         {id, r.place("NSID")},
                                         vector_of(r, "VX", "VY", "VZ"),
                                         vector_of(r, "VXR", "VYR", "VZR"),
                                         {},
                                         false});
        }
        if (k.name() == "CHANGE_VELOCITY_GENERATION") generation(r);
        changes_.others_rest |= set || k.name() == "CHANGE_VELOCITY_GENERATION";
      }
    for (const char* const name : {"CHANGE_VELOCITY_NODE_ONLY", "CHANGE_VELOCITY_NODE"})
      each(name, [&](const Record& r) {
        changes_.velocities.push_back({Of::node,
                                       {r.integer("NID"), r.place("NID")},
                                       vector_of(r, "VX", "VY", "VZ"),
                                       vector_of(r, "VXR", "VYR", "VZR"),
                                       {},
                                       false});
        changes_.others_rest |= std::string_view(name) == "CHANGE_VELOCITY_NODE";
      });
    each("CHANGE_VELOCITY_RIGID_BODY", [&](const Record& r) {
      changes_.bodies.push_back({{r.integer("PID"), r.place("PID")},
                                 vector_of(r, "VX", "VY", "VZ"),
                                 vector_of(r, "VXR", "VYR", "VZR")});
    });
  }

  void generation(const Record& r) {
    using Of = NewVelocity::Of;
    const GlobalId id = r.integer("ID"), type = r.integer("STYP");
    NewVelocity made;
    made.of = id == 0 ? Of::all : type == 3 ? Of::node_set : type == 2 ? Of::part : Of::part_set;
    made.which = {id, r.place("ID")};
    made.v = vector_of(r, "VX", "VY", "VZ");
    made.centre = vector_of(r, "XC", "YC", "ZC");
    const Vec3 axis = vector_of(r, "NX", "NY", "NZ");
    if (const double omega = r.real("OMEGA"); omega != 0.0) {
      if (axis.x == -999.0 || norm(axis) == 0.0)
        error("CR-D310", "*CHANGE_VELOCITY_GENERATION: OMEGA needs an axis NX, NY, NZ in global directions",
              r.place("NX"));
      made.turns = true;
      made.w = norm(axis) > 0.0 ? (omega / norm(axis)) * axis : Vec3{};
    }
    changes_.velocities.push_back(made);
  }

  const deck::Deck& deck_;
  Changes changes_;
};

}  // namespace

Changes read_changes(const deck::Deck& deck) { return ChangesReader(deck).read(); }

}  // namespace crumple::restart
