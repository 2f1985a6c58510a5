// *CONTROL, *DAMPING_GLOBAL and *DATABASE: control of the run and of output.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <string>

#include "model/builder.hpp"
#include "model/feature.hpp"
#include "model/units.hpp"
#include "output/interface_file/interface_component.hpp"

namespace crumple::model {
namespace {

int as_int(const Record& r, const char* field) { return static_cast<int>(r.integer(field)); }

/// Calls `read` for every record of a keyword; of several records the last counts, field by field as in
/// LS-DYNA.
template <class Read>
void each(const Builder& build, std::string_view name, Read&& read) {
  for (const Keyword& k : build.deck.all(name))
    for (const Record& r : k.records()) read(r);
}

void read_termination(const Builder& build, Control& c) {
  each(build, "CONTROL_TERMINATION", [&](const Record& r) {
    c.end_time = r.real("ENDTIM");
    c.end_cycle = r.integer("ENDCYC");
    c.min_step_factor = r.real("DTMIN");
    c.end_energy_ratio = r.real("ENDENG");
    c.end_mass = or_default(r.real("ENDMAS"), 1e8);
  });
}

/// After *CONTROL_IMPLICIT: a run of modes alone makes no step and needs no end.
void check_end(const Builder& build, const Control& c) {
  if (build.lost("end of the run") || build.lost_file()) return;
  const bool modes_alone = c.implicit.whole && c.implicit.eigenvalues.count > 0;
  if (c.end_time <= 0.0 && c.end_cycle <= 0 && !modes_alone)
    build.error("CR-D310", "*CONTROL_TERMINATION gives neither an end time ENDTIM nor a last cycle ENDCYC",
                {});
}

/// CPUTIM in seconds, of the current phase of the analysis, 0 for none; negative values are not allowed
/// (field texts of PyDYNA's ControlCpu, and EDCPU of Mechanical APDL, which writes the keyword).
void read_cpu_limit(const Builder& build, Control& c) {
  each(build, "CONTROL_CPU", [&](const Record& r) {
    c.cpu_limit = r.real("CPUTIM");
    if (c.cpu_limit < 0.0)
      build.error("CR-D310", fmt::format("*CONTROL_CPU: CPUTIM = {} is negative", c.cpu_limit),
                  r.place("CPUTIM"));
  });
}

/// Names of units: numbers are not converted.
void read_units(const Builder& build, Control& c) {
  each(build, "CONTROL_UNITS", [&](const Record& r) {
    const std::string mass = r.text("MASS"), length = r.text("LENGTH"), time = r.text("TIME");
    const auto units = units_of_deck(mass, length, time);
    if (!units)
      build.warn("CR-D330",
                 fmt::format("*CONTROL_UNITS: {}, {}, {} are not all known units; figures get no units",
                             length, time, mass),
                 r.place("LENGTH"));
    c.units = units ? units->name : "";
  });
}

void read_timestep(Builder& build, Control& c) {
  each(build, "CONTROL_TIMESTEP", [&](const Record& r) {
    c.dt_init = r.real("DTINIT");
    c.step_scale = or_default(r.real("TSSFAC"), 0.9);
    if (c.step_scale < 0.0) {
      build.unsupported(fmt::format("*CONTROL_TIMESTEP: TSSFAC = {}, a scale by a curve", c.step_scale),
                        r.place("TSSFAC"));
      c.step_scale = 0.9;
    }
    if (c.step_scale > 1.0)
      build.warn(
          "CR-D340",
          fmt::format("*CONTROL_TIMESTEP: TSSFAC = {} is above 1: the run is unstable unless something "
                      "else limits the step",
                      c.step_scale),
          r.place("TSSFAC"));
    c.dt2ms = r.real("DT2MS");
    c.ms1st = r.integer("MS1ST") == 1;
    c.erode = as_int(r, "ERODE");
    build.step_curve = {r.integer("LCTM"), r.place("LCTM")};
  });
}

void read_shell_control(Builder& build, Control& c) {
  each(build, "CONTROL_SHELL", [&](const Record& r) {
    c.istupd = as_int(r, "ISTUPD");
    build.shell_theory = static_cast<int>(or_default(r.integer("THEORY"), 2));
    c.bwc = static_cast<int>(or_default(r.integer("BWC"), 2));
    build.lobatto_shells = r.integer("INTGRD") == 1;
    build.drilling = {r.integer("DRCPSID"), or_default(r.real("DRCPRM"), 1.0), r.place("DRCPSID")};
    if (build.drilling.scale < 0)
      build.error("CR-D310", fmt::format("*CONTROL_SHELL: DRCPRM = {} is negative", build.drilling.scale),
                  r.place("DRCPRM"));
  });
}

void read_element_defaults(Builder& build) {
  Hourglass& h = build.default_hourglass;
  each(build, "CONTROL_HOURGLASS", [&](const Record& r) {
    h.type = as_int(r, "IHQ");
    h.qm = h.qb = h.qw = or_default(r.real("QH"), 0.1);
  });
  each(build, "CONTROL_BULK_VISCOSITY", [&](const Record& r) {
    h.q1 = or_default(r.real("Q1"), 1.5);
    h.q2 = or_default(r.real("Q2"), 0.06);
  });
}

void read_damping(Builder& build, Control& c) {
  each(build, "DAMPING_GLOBAL", [&](const Record& r) {
    c.mass_damping = true;
    c.damping_constant = r.real("VALDMP");
    build.damping_curve = {r.integer("LCID"), r.place("LCID")};
    // If all factors are blank, each is one.
    const Vec3 st{r.real("STX"), r.real("STY"), r.real("STZ")},
        sr{r.real("SRX"), r.real("SRY"), r.real("SRZ")};
    const bool given = !(st == Vec3{}) || !(sr == Vec3{});
    c.damping_st = given ? st : Vec3{1, 1, 1};
    c.damping_sr = given ? sr : Vec3{1, 1, 1};
  });
}

void read_interval(const Builder& build, std::string_view name, double& dt, int* binary) {
  each(build, name, [&](const Record& r) {
    dt = r.real("DT");
    if (dt < 0.0) build.error("CR-D310", fmt::format("*{}: DT = {} is negative", name, dt), r.place("DT"));
    const int how = as_int(r, "BINARY");
    if (binary) *binary = how;
  });
}

/// glstat without what the option adds.
void read_mass_properties(const Builder& build, OutputControl& o) {
  constexpr std::string_view kName = "DATABASE_GLSTAT_MASS_PROPERTIES";
  read_interval(build, kName, o.glstat, &o.glstat_binary);
  each(build, kName, [&](const Record& r) {
    build.warn("CR-D330", fmt::format("*{}: glstat is written without mass properties", kName), r.place());
  });
}

/// The interval of contact surfaces: that of plot states without one of its own.
void read_surface_interval(Builder& build, OutputControl& o) {
  for (const char* const name : {"DATABASE_BINARY_INTFOR", "DATABASE_BINARY_INTFOR_FILE"})
    each(build, name, [&](const Record& r) {
      o.intfor = r.real("DT");
      if (o.intfor < 0.0)
        build.error("CR-D310", fmt::format("*{}: DT = {} is negative", name, o.intfor), r.place("DT"));
      if (const auto states = r.integer("NPLTC"); states > 0)
        o.intfor = build.model.control.end_time / static_cast<double>(states);
      else if (o.intfor == 0.0)
        o.intfor = o.d3plot;
      if (std::ranges::none_of(build.model.contacts,
                               [](const Contact& c) { return c.a_in_ncforc || c.b_in_ncforc; }))
        build.warn("CR-D330",
                   fmt::format("*{}: no contact has SAPR or SBPR = 1, so that nothing is written", name),
                   r.place());
    });
}

/// OPIFS of *CONTROL_OUTPUT, of the file of interfaces.
void read_interface_interval(const Builder& build, OutputControl& o) {
  double interval = 0.0;
  each(build, "CONTROL_OUTPUT", [&](const Record& r) { interval = r.real("OPIFS"); });
  const auto interfaces = build.deck.family("INTERFACE_COMPONENT_");
  if (!interfaces.empty() && !(interval > 0.0))
    build.error("CR-D310", "*INTERFACE_COMPONENT: OPIFS of *CONTROL_OUTPUT must say how often it is written",
                interfaces.front().place());
  for (FeatureHistory& history : o.of_features)
    if (history.name == output::kInterfaceFile)
      history.interval = interfaces.empty() ? 0.0 : interval, history.binary = 1;
}

/// Cycles between dumps.
std::int64_t read_cycles(const Builder& build, std::string_view name, const Record& r) {
  const double cycles = r.real("CYCL");
  if (cycles < 0.0)
    build.error("CR-D310", fmt::format("*{}: CYCL = {} is negative", name, cycles), r.place("CYCL"));
  else if (cycles != std::floor(cycles) || cycles > 1e15)  // a time, by mistake
    build.warn("CR-D330",
               fmt::format("*{}: CYCL = {} is no number of cycles; no dumps at intervals", name, cycles),
               r.place("CYCL"));
  else
    return static_cast<std::int64_t>(cycles);
  return 0;
}

void read_dumps(const Builder& build, Dumps& d) {
  each(build, "DATABASE_BINARY_D3DUMP",
       [&](const Record& r) { d.d3dump = read_cycles(build, "DATABASE_BINARY_D3DUMP", r); });
  each(build, "DATABASE_BINARY_RUNRSF", [&](const Record& r) {
    d.runrsf = read_cycles(build, "DATABASE_BINARY_RUNRSF", r);
    const auto files = or_default(r.integer("NR"), 1);
    if (files < 1 || files > 99)
      build.error("CR-D310", fmt::format("*DATABASE_BINARY_RUNRSF: NR = {} is not between 1 and 99", files),
                  r.place("NR"));
    d.runrsf_files = static_cast<int>(std::clamp<std::int64_t>(files, 1, 99));
  });
  for (const char* const name : {"CONTROL_MPP_IO_NODUMP", "CONTROL_MPP_IO_NOD3DUMP"})
    if (!build.deck.all(name).empty()) d.suppressed = true;
}

void read_extent(const Builder& build, OutputControl& o) {
  each(build, "DATABASE_EXTENT_BINARY", [&](const Record& r) {
    o.neiph = as_int(r, "NEIPH");
    o.neips = as_int(r, "NEIPS");
    o.msscl = as_int(r, "MSSCL");
    o.maxint = static_cast<int>(or_default(r.integer("MAXINT"), 3));
    o.strflg = as_int(r, "STRFLG");
    if (o.strflg / 10 != 0)
      build.warn("CR-D330",
                 fmt::format("STRFLG = {}: plastic and thermal strain tensors are not written", o.strflg),
                 r.place("STRFLG"));
    o.sigflg = static_cast<int>(or_default(r.integer("SIGFLG"), 1));
    o.epsflg = static_cast<int>(or_default(r.integer("EPSFLG"), 1));
    o.rltflg = static_cast<int>(or_default(r.integer("RLTFLG"), 1));
    o.engflg = static_cast<int>(or_default(r.integer("ENGFLG"), 1));
    o.ieverp = as_int(r, "IEVERP");
    o.dcomp = static_cast<int>(or_default(r.integer("DCOMP"), 1));
  });
}

/// Elements of one kind in *DATABASE_HISTORY: by number, or by sets.
struct HistoryKind {
  std::string keyword;  ///< "SHELL"
  const char* what;
  const IdTable& elements;
  const std::vector<GlobalId>& ids;  ///< of the elements
  const IdTable& sets;
  std::function<const std::vector<LocalId>&(LocalId set)> members;
};

/// The elements of the keywords, each once, in the order of their numbers.
std::vector<LocalId> read_element_histories(const Builder& build, const HistoryKind& kind) {
  std::vector<LocalId> chosen;
  const std::string family = "DATABASE_HISTORY_" + kind.keyword;
  for (const Keyword& k : build.deck.family(family))
    for (const Record& r : k.records())
      for (std::size_t row = 0; row < r.rows(); ++row)
        for (std::size_t col = 0; col < (k.name() == family + "_ID" ? 1U : 8U); ++col) {
          const GlobalId id = r.integer(row, col);
          const Place place = r.row_place(row);
          if (id == 0) continue;
          if (k.name() == family + "_SET") {
            const LocalId set = build.find(kind.sets, id, "CR-D305", std::string(kind.what) + " set",
                                           Builder::star(k), place);
            if (set == kNone) continue;
            const std::vector<LocalId>& members = kind.members(set);
            chosen.insert(chosen.end(), members.begin(), members.end());
          } else if (const LocalId e =
                         build.find(kind.elements, id, "CR-D302", kind.what, Builder::star(k), place);
                     e != kNone) {
            chosen.push_back(e);
          }
        }
  const auto number = [&](LocalId e) { return kind.ids[static_cast<std::size_t>(e)]; };
  std::sort(chosen.begin(), chosen.end(), [&](LocalId a, LocalId b) { return number(a) < number(b); });
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

}  // namespace

static void read_relaxation(const Builder& build, const Record& r, Relaxation& to) {
  constexpr int implicitly = 5, of_parts = 6;
  const auto flag = r.integer("IDRFLG");
  to.active = flag == 1;
  to.implicit = flag == implicitly || flag == of_parts;
  if (const auto cycles = r.integer("NRCYCK"); cycles > 0) to.cycles = cycles;
  to.tolerance = or_default(r.real("DRTOL"), to.tolerance);
  to.factor = or_default(r.real("DRFCTR"), to.factor);
  to.end_time = or_default(r.real("DRTERM"), to.end_time);
  to.step_scale = r.real("TSSFDR");
  if (to.implicit && !(to.end_time < kRelaxationNoLimit))
    build.error("CR-D310",
                fmt::format("*CONTROL_DYNAMIC_RELAXATION: IDRFLG = {} needs DRTERM, at which the implicit "
                            "steps before the run end",
                            flag),
                r.place("DRTERM"));
  if (!(to.factor > 0.0 && to.factor <= 1.0) || to.step_scale < 0.0)
    build.error(
        "CR-D310",
        fmt::format("*CONTROL_DYNAMIC_RELAXATION: DRFCTR = {} and TSSFDR = {}; the one must lie between 0 "
                    "and 1, the other not be negative",
                    to.factor, to.step_scale),
        r.place(to.step_scale < 0.0 ? "TSSFDR" : "DRFCTR"));
}

void Builder::read_control() {
  Control& c = model.control;
  c.title = deck.title();
  read_termination(*this, c);
  read_cpu_limit(*this, c);
  read_units(*this, c);
  read_timestep(*this, c);
  read_shell_control(*this, c);
  read_element_defaults(*this);
  read_damping(*this, c);
  each(*this, "CONTROL_DYNAMIC_RELAXATION", [&](const Record& r) {
    relaxation_switched_off = r.integer("IDRFLG") == -999;
    read_relaxation(*this, r, c.relaxation);
    if (constexpr int of_parts = 6; r.integer("IDRFLG") == of_parts)
      relaxed_parts = {r.integer("DRPSET"), r.place("DRPSET")};
  });
  read_implicit();
  check_end(*this, c);
  read_particle_control();
}

// Sets are not known yet when *CONTROL_SHELL is read.
void Builder::read_drilling() {
  if (drilling.parts == 0) return;
  const PartSet* const set = find_part_set(drilling.parts, "*CONTROL_SHELL", drilling.place);
  if (!set) return;
  for (const LocalId p : set->parts) model.parts[static_cast<std::size_t>(p)].drilling = drilling.scale;
}

void Builder::read_output() {
  Control& c = model.control;
  if (step_curve.id != 0) c.dt_curve = find_curve(step_curve.id, "*CONTROL_TIMESTEP", step_curve.place);
  if (damping_curve.id != 0)
    c.damping_curve = find_curve(damping_curve.id, "*DAMPING_GLOBAL", damping_curve.place);
  find_share_of_inertia();
  find_scheme_curve();
  find_curves_of_steps();
  find_times_of_modes();
  OutputControl& o = model.output;
  each(*this, "DATABASE_BINARY_D3PLOT", [&](const Record& r) {
    o.d3plot = r.real("DT");
    if (o.d3plot < 0.0)
      error("CR-D310", fmt::format("*DATABASE_BINARY_D3PLOT: DT = {} is negative", o.d3plot), r.place("DT"));
    if (const auto plots = r.integer("NPLTC"); plots > 0) o.d3plot = c.end_time / static_cast<double>(plots);
  });
  read_surface_interval(*this, o);
  read_mass_properties(*this, o);
  read_interval(*this, "DATABASE_GLSTAT", o.glstat, &o.glstat_binary);
  read_interval(*this, "DATABASE_MATSUM", o.matsum, &o.matsum_binary);
  read_interval(*this, "DATABASE_RCFORC", o.rcforc, &o.rcforc_binary);
  read_interval(*this, "DATABASE_RWFORC", o.rwforc, &o.rwforc_binary);
  read_interval(*this, "DATABASE_SWFORC", o.swforc, &o.swforc_binary);
  read_interval(*this, "DATABASE_SECFORC", o.secforc, &o.secforc_binary);
  read_interval(*this, "DATABASE_SECFORC_FILTER", o.secforc, &o.secforc_binary);
  read_interval(*this, "DATABASE_SPCFORC", o.spcforc, &o.spcforc_binary);
  read_interval(*this, "DATABASE_BNDOUT", o.bndout, &o.bndout_binary);
  read_interval(*this, "DATABASE_SLEOUT", o.sleout, &o.sleout_binary);
  read_interval(*this, "DATABASE_NCFORC", o.ncforc, &o.ncforc_binary);
  read_interval(*this, "DATABASE_NCFORC_FILTER", o.ncforc, &o.ncforc_binary);
  read_interval(*this, "DATABASE_JNTFORC", o.jntforc, &o.jntforc_binary);
  read_interval(*this, "DATABASE_RBDOUT", o.rbdout, &o.rbdout_binary);
  read_interval(*this, "DATABASE_NODOUT", o.nodout, &o.nodout_binary);
  read_interval(*this, "DATABASE_ELOUT", o.elout, &o.elout_binary);
  read_interval(*this, "DATABASE_DEFORC", o.deforc, &o.deforc_binary);
  for (const Feature* const feature : features())
    for (const std::string_view name : feature->histories()) {
      FeatureHistory& history = o.of_features.emplace_back(FeatureHistory{std::string(name)});
      std::string keyword = "DATABASE_" + history.name;
      std::ranges::transform(keyword, keyword.begin(), [](unsigned char c) { return std::toupper(c); });
      read_interval(*this, keyword, history.interval, &history.binary);
    }
  read_interface_interval(*this, o);
  read_dumps(*this, o.dumps);
  read_extent(*this, o);
  const Sets& sets = model.sets;
  const auto of = [](const std::vector<ElementSet>& list) {
    return [&list](LocalId set) -> const std::vector<LocalId>& {
      return list[static_cast<std::size_t>(set)].elements;
    };
  };
  const auto of_shells = [&sets](LocalId set) -> const std::vector<LocalId>& {
    return sets.shells[static_cast<std::size_t>(set)].shells;
  };
  const auto histories = [&](const HistoryKind& kind) { return read_element_histories(*this, kind); };
  o.history_shells = histories({"SHELL", "shell", shells, model.shells.id, shell_sets, of_shells});
  o.history_solids = histories({"SOLID", "solid", solids, model.solids.id, solid_sets, of(sets.solids)});
  for (const LocalId e :
       histories({"TSHELL", "thick shell", solids, model.solids.id, solid_sets, of(sets.solids)}))
    if (const auto at = std::ranges::find(o.history_solids, e); at == o.history_solids.end())
      o.history_solids.push_back(e);
  std::ranges::sort(o.history_solids, {},
                    [&](LocalId e) { return model.solids.id[static_cast<std::size_t>(e)]; });
  o.history_beams = histories({"BEAM", "beam", beams, model.beams.id, beam_sets, of(sets.beams)});
  o.history_discretes =
      histories({"DISCRETE", "spring", discretes, model.discretes.id, discrete_sets, of(sets.discretes)});
  if (o.history_discretes.empty()) o.history_discretes = printed_discretes;
  const auto one_to_a_line = [](const Keyword& k) {
    return k.name() == "DATABASE_HISTORY_NODE_ID" || k.name().ends_with("_LOCAL");
  };
  for (const Keyword& k : deck.family("DATABASE_HISTORY_NODE"))
    for (const Record& r : k.records()) {
      if (k.name() == "DATABASE_HISTORY_NODE_LOCAL_ID") {
        if (const LocalId n = find_node(r.integer("ID"), star(k), r.place("ID")); n != kNone)
          o.history_nodes.push_back(n);
        continue;
      }
      for (std::size_t row = 0; row < r.rows(); ++row)
        for (std::size_t col = 0; col < (one_to_a_line(k) ? 1U : 8U); ++col) {
          const GlobalId id = r.integer(row, col);
          if (id == 0) continue;
          if (k.name().starts_with("DATABASE_HISTORY_NODE_SET")) {
            if (const NodeSet* const set = find_node_set(id, star(k), r.row_place(row)))
              o.history_nodes.insert(o.history_nodes.end(), set->nodes.begin(), set->nodes.end());
          } else if (const LocalId n = find_node(id, star(k), r.row_place(row)); n != kNone) {
            o.history_nodes.push_back(n);
          }
        }
    }
  sort_nodes(o.history_nodes);
}

}  // namespace crumple::model
