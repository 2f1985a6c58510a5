// *CONTROL_IMPLICIT: the control of an implicit run, and what changes in elements because of it.
//
// Defaults are those of the field texts of PyDYNA's keyword classes (ansys/pydyna).
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "model/builder.hpp"
#include "model/implicit_matrices.hpp"

namespace crumple::model {
namespace {

// IMFLAG.
constexpr int kImplicit = 1, kSpringback = 2, kSwitches = 4, kSwitchesAndEndsImplicitly = 5,
              kModesBetweenCycles = 6;

/// Reads the fields of one keyword; what a run does not have is reported only if the run is implicit.
class ImplicitCard {
 public:
  ImplicitCard(const Builder& build, const Record& record, const char* name, bool active)
      : build_(build), record_(record), name_(name), active_(active) {}

  int whole(const char* field, int otherwise = 0) const {
    return static_cast<int>(or_default(record_.integer(field), otherwise));
  }
  double real(const char* field, double otherwise = 0.0) const {
    return or_default(record_.real(field), otherwise);
  }
  void refuse(const char* field, bool asked, const char* why) const {
    if (asked && active_)
      build_.unsupported(fmt::format("*{}: {} = {}: {}", name_, field, record_.real(field), why),
                         record_.place(field));
  }
  void invalid(const char* field, bool wrong, const char* why) const {
    if (wrong && active_)
      build_.error("CR-D310", fmt::format("*{}: {} = {} {}", name_, field, record_.real(field), why),
                   record_.place(field));
  }

  void note(const char* field, const std::string& what) const {
    if (active_)
      build_.warn("CR-D330", fmt::format("*{}: {} = {}: {}", name_, field, record_.real(field), what),
                  record_.place(field));
  }

  /// Where the default is not that of the schema.
  double given(const char* field, double otherwise) const {
    return record_.given(field) ? real(field, otherwise) : otherwise;
  }
  Place place(const char* field) const { return record_.place(field); }
  const Record& record() const { return record_; }

 private:
  const Builder& build_;
  const Record& record_;
  const char* name_;
  bool active_;
};

/// Whether and when a run is implicit. Values of IMFLAG that are not supported are reported by read_general.
void read_flag(int flag, Implicit& to) {
  to.whole = flag == kImplicit;
  to.springback.active = to.springback.active || flag == kSpringback;
  to.switching.where_it_fails = flag == kSwitches || flag == kSwitchesAndEndsImplicitly;
  to.switching.implicit_end = flag == kSwitchesAndEndsImplicitly;
  to.active = to.active || to.springback.active || flag != 0;
}

void read_general(const ImplicitCard& card, Implicit& to) {
  const int flag = card.whole("IMFLAG");
  card.invalid("IMFLAG", flag == 3 || flag > 6, "is not among the values of the manual");
  to.steps.first = card.real("DT0");
  card.refuse("DT0", to.steps.first < 0.0, "stiffness without compressive stresses is not supported");
  to.springback.as_long = to.springback.active && to.steps.first == 0.0;
  const bool modes = to.eigenvalues.count > 0 || flag == kModesBetweenCycles;
  card.invalid("DT0", to.steps.first == 0.0 && !modes && !to.springback.as_long,
               "is no step: implicit analysis needs the first one");
  to.steps.first = to.steps.first == 0.0 ? 1.0 : std::abs(to.steps.first);
  to.springback.steps = card.whole("NSBS", 1);
  card.invalid("NSBS", to.springback.active && to.springback.steps < 1, "is no number of steps");
  card.refuse("IMFORM", to.springback.active && card.whole("IMFORM") == 1,
              "other element formulations for springback are not supported");
  to.switching.rest = card.whole("ZERO_V") == 1;
}

void read_eigenvalues(const ImplicitCard& card, Eigenvalues& to) {
  constexpr int lanczos = 2;
  to.count = card.whole("NEIG");
  to.count = std::max(to.count, 0);
  to.centre = card.real("CENTER");
  card.invalid("CENTER", to.centre < 0.0, "is negative");
  to.from_left = card.whole("LFLAG") == 1;
  to.left = card.real("LFTEND");
  to.to_right = card.whole("RFLAG") == 1;
  to.right = card.real("RHTEND");
  card.invalid("RHTEND", to.to_right && to.from_left && to.right <= to.left, "is not beyond LFTEND");
  const int method = card.whole("EIGMTH", lanczos);
  card.refuse("EIGMTH", method != lanczos, "block shift and invert Lanczos (2) is supported");
  to.first_elastic = std::abs(card.real("SHFSCL"));
  for (const char* const field : {"ISOLID", "IBEAM", "ISHELL", "ITSHELL"})
    card.refuse(field, card.whole(field) != 0, "other element formulations for implicit are not supported");
}

void read_buckling(const ImplicitCard& card, Buckling& to) {
  to.count = card.whole("NMODE");
  card.refuse("NMODE", to.count < 0, "modes at times of a curve, between steps, are not supported");
  to.count = std::max(to.count, 0);
  card.refuse("BCKMTH", card.whole("BCKMTH", 1) == 2,
              "the power method is not supported, block Lanczos (1) is");
}

/// Modes of a list are numbers from 1 on.
void read_inertia_relief(const ImplicitCard& card, InertiaRelief& to) {
  const Record& record = card.record();
  to.active = card.whole("IRFLAG") != 0;
  to.threshold = card.real("THRESH", 1e-3);
  to.count = card.whole("IRCNT");
  card.invalid("THRESH", to.threshold < 0.0, "is negative");
  card.invalid("IRCNT", to.count < 0, "is negative");
  to.modes.clear();
  for (int k = 1; k <= 8; ++k) {
    const std::string field = fmt::format("MODE{}", k);
    if (const auto mode = static_cast<int>(record.integer(field)); mode != 0) to.modes.push_back(mode);
    card.invalid(field.c_str(), record.integer(field) < 0, "is no number of a mode");
  }
}

void read_auto(const ImplicitCard& card, StepSizes& to) {
  const int automatic = card.whole("IAUTO");
  card.refuse("IAUTO", automatic == 2, "there is no thermal solution");
  card.refuse("IAUTO", automatic > 2, "steps by residuals half way are not supported");
  to.automatic = automatic != 0;
  to.best_iterations = card.whole("ITEOPT", 11);
  to.window = card.whole("ITEWIN", 5);
  to.smallest = card.real("DTMIN");
  to.largest = card.real("DTMAX");
  card.refuse("DTMIN", to.smallest < 0.0, "key points that the program chooses are not supported");
}

void read_explicit_times(const ImplicitCard& card, bool automatic, Switching& to) {
  to.explicit_time = card.real("DTEXP");
  card.refuse("DTEXP", to.where_it_fails && to.explicit_time < 0.0,
              "explicit times by a curve are not supported");
  to.failures = automatic ? card.whole("KFAIL", 1) : 1;
  to.cycles = card.whole("KCYCLE");
  card.invalid("KFAIL", to.where_it_fails && to.failures < 1, "is no number of attempts");
  card.invalid("KCYCLE", to.where_it_fails && to.cycles < 0, "is negative");
}

/// With ALPHA the defaults of GAMMA and BETA are those of Hilber, Hughes and Taylor (1977). In statics
/// nothing else has a meaning.
void read_dynamics(const ImplicitCard& card, Dynamics& to) {
  const int mass = card.whole("IMASS"), rates = card.whole("IRATE");
  card.refuse("IMASS", mass > 1, "modal superposition is not supported");
  card.refuse("IRATE", rates != 0 && rates != -1, "laws without their rates are not supported");
  Dynamics d;
  d.active = true;
  d.alpha = card.real("ALPHA");
  d.gamma = card.given("GAMMA", 0.5 - d.alpha);
  d.beta = card.given("BETA", 0.25 * (1.0 - d.alpha) * (1.0 - d.alpha));
  d.birth = card.real("TDYBIR");
  d.death = card.real("TDYDTH", 1e28);
  d.burial = card.real("TDYBUR", 1e28);
  if (d.burial >= 1e28) d.burial = d.death;  // not given
  if (mass == 0 || mass > 1) return;
  constexpr double least = -1.0 / 3.0 - 1e-3;  // -0.333 and -0.3334 are -1/3
  card.refuse("ALPHA", d.alpha > 0.0, "the composite scheme of Bathe is not supported");
  card.refuse("ALPHA", d.alpha <= -1.0, "part sets that turn are not supported");
  card.invalid("ALPHA", d.alpha > -1.0 && d.alpha < least, "is not between -1/3 and 0");
  card.invalid("GAMMA", d.gamma < 0.5, "makes motions grow: it is below 1/2");
  card.invalid("BETA", d.beta < 0.0, "is negative");
  card.invalid("TDYDTH", mass > 0 && d.death < d.birth, "is before TDYBIR");
  card.invalid("TDYBUR", mass > 0 && d.burial < d.death, "is before TDYDTH");
  to = d;
}

void read_iterations(const ImplicitCard& card, Iterations& to) {
  const int method = card.whole("NSOLVR", 12);
  card.refuse("NSOLVR", method < 1 || (method > 9 && method != 12),
              "one linear solution a step (1), Newton's method with BFGS updates (12, and 2 to 5) and arc "
              "lengths (6 to 9) are supported");
  if (method >= 2 && method <= 5)
    card.note("NSOLVR",
              "an old quasi-Newton method, read as 12, BFGS updates: iterations differ, not what they "
              "converge to");
  to.method = method == 1 ? StepMethod::linear : StepMethod::newton;
  to.between_reforms = card.whole("ILIMIT", 11);
  card.invalid("ILIMIT", to.between_reforms < 1, "is no number of iterations");
  to.most_reforms = card.whole("MAXREF", 15);
  card.refuse("MAXREF", to.most_reforms < 0, "steps that have not converged are not accepted");
  to.displacement = card.real("DCTOL", 1e-3);
  to.energy = card.real("ECTOL", 1e-2);
  to.residual = card.real("RCTOL", 1e10);
  for (const char* const field : {"DCTOL", "ECTOL", "RCTOL"})
    card.refuse(field, card.real(field) < 0.0, "tolerances by curves are not supported");
  to.line_search = std::abs(card.real("LSTOL", 0.9));
  to.absolute = card.real("ABSTOL", 1e-10);
  const int norm = card.whole("DNORM", 2);
  to.total_displacement = std::abs(norm) != 1;
  to.reform_if_divergent = card.whole("DIVERG", 1) != 2;
  to.steps_between_reforms = card.whole("ISTIF", 1);
  to.print = card.whole("NLPRINT");
  to.norm = card.real("NLNORM", 2.0);
  card.refuse("NLNORM", to.norm >= 0.0 && to.norm != 1.0 && to.norm != 2.0 && to.norm != 4.0,
              "1, 2, 4 and lengths (< 0) are supported");
  if (norm < 0)
    for (const char* const field : {"DMTOL", "EMTOL", "RMTOL", "NTTOL", "NRTOL"})
      card.refuse(field, card.real(field) != 0.0, "tolerances for the worst node are not supported");
}

void read_arc_length(const ImplicitCard& card, ArcLength& to) {
  const int method = card.whole("NSOLVR", 12), arc = card.whole("ARCMTH", 1);
  to.active = (method >= 6 && method <= 9) || (method == 12 && arc == 3);
  if (!to.active) return;
  card.refuse("ARCMTH", arc == 2, "the arc-length method of Crisfield is supported (1, 3), not that of Ramm");
  card.refuse("ARCCTL", card.whole("ARCCTL") != 0, "a node that controls the arc length is not supported");
  card.refuse("ARCDMP", card.whole("ARCDMP", 2) == 1, "damping of arc lengths is not supported");
  card.refuse("ARCPSI", card.real("ARCPSI") != 0.0, "arc lengths with a part of the load are not supported");
  card.refuse("ARCALF", card.real("ARCALF") != 0.0, "arcs about other centres are not supported");
  to.begin = card.real("ARCTIM");
  to.factor = card.real("ARCLEN") > 0.0 ? card.real("ARCLEN") : 1.0;
}

/// The preconditioner that LSOLVR names; null: the manual has none.
const char* preconditioner(int solver) {
  switch (solver) {
    case 22:
      return "the diagonal";
    case 23:
      return "symmetric Gauss-Seidel";
    case 24:
      return "SSOR";
    case 25:
    case 26:
      return "an incomplete factor";
    default:
      return nullptr;
  }
}

/// Tolerances that are not given are ours: the manual's relative one is 1e-3, with which Newton's method
/// would take other iterations.
void read_iterative_solver(const ImplicitCard& card, int solver, Implicit& to) {
  if (to.eigenvalues.count > 0)
    return card.note("LSOLVR", "modes need a factor: the direct solver of Crumple makes it");
  IterativeSolver& is = to.iterative;
  is.active = true;
  const char* const named = preconditioner(solver);
  card.note("LSOLVR",
            fmt::format("conjugate gradients have smoothed aggregation multigrid as preconditioner{}",
                        named ? fmt::format(", not {}", named) : std::string{}));
  is.most_iterations = static_cast<int>(card.given("IPARM1", is.most_iterations));
  is.absolute = card.given("RPARM1", is.absolute);
  is.relative = card.given("RPARM2", is.relative);
  card.invalid("IPARM1", is.most_iterations < 1, "is no number of iterations");
  card.invalid("RPARM1", is.absolute < 0.0, "is negative");
  card.invalid("RPARM2", !(is.relative > 0.0) || is.relative >= 1.0, "is not between 0 and 1");
}

/// LS-DYNA's orderings: 1 minimum degree, 2 METIS, 4 a nested dissection of its own.
void read_order(const ImplicitCard& card, bool iterative, Model& model) {
  constexpr int automatic = 0, metis = 2, own_dissection = 4;
  const int order = card.whole("ORDER");
  if (iterative) {
    if (order != automatic) card.note("ORDER", "the equations of conjugate gradients are not ordered");
    return;
  }
  if (order == own_dissection) {
    card.note("ORDER", "nested dissection by planes through the mesh");
    own_implicit_matrices(model).ordered_by_planes = true;
  } else if (order != automatic && order != metis) {
    card.note("ORDER", "the ordering is that of METIS: this changes time, not results");
  }
}

void read_linear_solver(const ImplicitCard& card, Model& model) {
  Implicit& to = model.control.implicit;
  const int solver = card.whole("LSOLVR", 2);
  card.refuse("LSOLVR", solver == 90, "user-defined linear solvers are not supported");
  to.mumps = solver == 30;
  if (solver >= 22 && solver <= 29) read_iterative_solver(card, solver, to);
  read_order(card, to.iterative.active, model);
  to.stop_if_negative = card.whole("NEGEV", 2) == 1;
  to.drilling = card.whole("DRCM", 4) == 3 ? 0.0 : card.real("DRCPRM", 1.0);
  card.invalid("DRCPRM", to.drilling < 0.0, "is negative");
  to.hold_unattached = card.whole("AUTOSPC", 1) == 1;
  to.unattached = card.real("AUTOTOL", 1e-7);
}

/// Settings of one part of the run only.
void refuse_settings_of_phases(const Builder& build) {
  const Control& control = build.model.control;
  const auto refuse = [&](const char* suffix, bool there, const char* of) {
    for (const char* const what : {"GENERAL", "AUTO", "DYNAMICS", "SOLUTION", "SOLVER"})
      for (const Keyword& k : build.deck.all(fmt::format("CONTROL_IMPLICIT_{}_{}", what, suffix))) {
        if (there)
          build.unsupported(fmt::format("{}: settings of the {} alone: it has those of the "
                                        "other parts of the run",
                                        Builder::star(k), of),
                            k.place());
        else
          build.warn("CR-D330", fmt::format("{} has no effect: there is no {}", Builder::star(k), of),
                     k.place());
      }
  };
  refuse("DYN", control.relaxation.implicit, "implicit relaxation (IDRFLG = 5, 6)");
  refuse("SPR", control.implicit.springback.active,
         "implicit springback (IMFLAG = 2, *INTERFACE_SPRINGBACK_SEAMLESS)");
}

}  // namespace

void Builder::read_implicit() {
  Implicit& to = model.control.implicit;
  const auto each = [&](const char* name, auto&& read) {
    for (const Keyword& k : deck.all(name))
      for (const Record& r : k.records()) {
        read(ImplicitCard(*this, r, name, to.active));
        if (!to.active && std::string_view(name) != "CONTROL_IMPLICIT_GENERAL")
          warn("CR-D330",
               fmt::format("*{} has no effect: nothing asks for implicit steps (IMFLAG of "
                           "*CONTROL_IMPLICIT_GENERAL, IDRFLG of *CONTROL_DYNAMIC_RELAXATION)",
                           name),
               r.place());
      }
  };
  to.active = model.control.relaxation.implicit;
  to.springback.active = !deck.all("INTERFACE_SPRINGBACK_SEAMLESS").empty();
  int flag = 0;
  for (const Keyword& k : deck.all("CONTROL_IMPLICIT_GENERAL"))
    for (const Record& r : k.records()) {
      flag = static_cast<int>(r.integer("IMFLAG"));
      if (flag < 0) scheme_curve = {-flag, r.place("IMFLAG")};
    }
  read_flag(flag, to);
  to.springback.as_long = to.springback.active;  // unless DT0 says otherwise
  each("CONTROL_IMPLICIT_EIGENVALUE", [&](const ImplicitCard& card) {
    read_eigenvalues(card, to.eigenvalues);
    if (const int count = card.whole("NEIG"); count < 0) modes_curve = {-count, card.place("NEIG")};
  });
  if (flag == kModesBetweenCycles && modes_curve.id == 0)
    error(
        "CR-D310",
        "IMFLAG = 6 of *CONTROL_IMPLICIT_GENERAL needs NEIG < 0 of *CONTROL_IMPLICIT_EIGENVALUE: a curve of "
        "how many modes are wanted over time",
        deck.all("CONTROL_IMPLICIT_GENERAL").back().place());
  each("CONTROL_IMPLICIT_BUCKLE", [&](const ImplicitCard& card) { read_buckling(card, to.buckling); });
  each("CONTROL_IMPLICIT_INERTIA_RELIEF",
       [&](const ImplicitCard& card) { read_inertia_relief(card, to.relief); });
  each("CONTROL_IMPLICIT_GENERAL", [&](const ImplicitCard& card) { read_general(card, to); });
  each("CONTROL_IMPLICIT_AUTO", [&](const ImplicitCard& card) {
    read_auto(card, to.steps);
    if (const int sizes = card.whole("IAUTO"); sizes < 0) sizes_curve = {-sizes, card.place("IAUTO")};
    if (const auto most = static_cast<GlobalId>(card.real("DTMAX")); most < 0)
      largest_step_curve = {-most, card.place("DTMAX")};
    read_explicit_times(card, to.steps.automatic, to.switching);
  });
  each("CONTROL_IMPLICIT_DYNAMICS", [&](const ImplicitCard& card) {
    read_dynamics(card, to.dynamics);
    if (const int mass = card.whole("IMASS"); mass < 0) inertia_curve = {-mass, card.place("IMASS")};
  });
  each("CONTROL_IMPLICIT_CONSISTENT_MASS", [&](const ImplicitCard& card) {
    const int flag = card.whole("IFLAG");
    card.invalid("IFLAG", flag != 0 && flag != 1, "is neither 0, masses at nodes, nor 1, consistent masses");
    if (flag == 1) own_implicit_matrices(model).consistent_mass = true;
  });
  each("CONTROL_IMPLICIT_SOLUTION", [&](const ImplicitCard& card) {
    read_iterations(card, to.iterations);
    read_arc_length(card, to.arc);
  });
  each("CONTROL_IMPLICIT_SOLVER", [&](const ImplicitCard& card) { read_linear_solver(card, model); });
  each("CONTROL_IMPLICIT_STABILIZATION", [&](const ImplicitCard& card) {
    card.refuse(
        "IAS", card.whole("IAS", 2) == 1,
        "springs that hold nodes back and let go of them in the course of springback: the manual gives "
        "neither their stiffness nor how they let go. Take more steps (NSBS), or DT0 and IAUTO = 1");
  });
  refuse_settings_of_phases(*this);
  StepSizes& steps = to.steps;
  if (to.springback.as_long) steps.first = model.control.end_time / to.springback.steps;
  if (model.control.relaxation.implicit && deck.all("CONTROL_IMPLICIT_GENERAL").empty())
    error(
        "CR-D310",
        "implicit steps before the run (IDRFLG) need DT0 of *CONTROL_IMPLICIT_GENERAL, whose IMFLAG may be 0",
        deck.all("CONTROL_DYNAMIC_RELAXATION").back().place());
  if (!(steps.smallest > 0.0)) steps.smallest = steps.first / 1000.0;
  if (!(steps.largest > 0.0)) steps.largest = 10.0 * steps.first;
}

/// Once curves are known.
void Builder::find_share_of_inertia() {
  if (inertia_curve.id == 0 || !model.control.implicit.active) return;
  LocalId& share = model.control.implicit.dynamics.share;
  share = find_curve(inertia_curve.id, "*CONTROL_IMPLICIT_DYNAMICS", inertia_curve.place);
  if (share == kNone) return;
  const auto out_of_range = [](double y) { return !(y >= 0.0 && y <= 1.0); };
  if (std::ranges::any_of(model.curves[static_cast<std::size_t>(share)].y, out_of_range))
    error("CR-D310",
          fmt::format("*CONTROL_IMPLICIT_DYNAMICS: ordinates of curve {} are not between 0 and 1",
                      inertia_curve.id),
          inertia_curve.place);
}

/// Once curves are known. Between two points a curve has no other scheme than at the first of them.
void Builder::find_scheme_curve() {
  if (scheme_curve.id == 0) return;
  LocalId& curve = model.control.implicit.switching.curve;
  curve = find_curve(scheme_curve.id, "*CONTROL_IMPLICIT_GENERAL", scheme_curve.place);
  if (curve == kNone) return;
  if (std::ranges::any_of(model.curves[static_cast<std::size_t>(curve)].y,
                          [](double y) { return y != 0.0 && y != 1.0; }))
    unsupported(
        fmt::format("*CONTROL_IMPLICIT_GENERAL: ordinates of curve {} other than 0 and 1", scheme_curve.id),
        scheme_curve.place);
}

void Builder::find_curves_of_steps() {
  if (!model.control.implicit.active) return;
  const auto find = [&](const NamedCurve& named, const char* field, LocalId& curve) {
    if (named.id == 0) return;
    curve = find_curve(named.id, "*CONTROL_IMPLICIT_AUTO", named.place);
    if (curve == kNone) return;
    const auto no_step = [](double y) { return !(y > 0.0); };
    if (std::ranges::any_of(model.curves[static_cast<std::size_t>(curve)].y, no_step))
      error(
          "CR-D310",
          fmt::format("*CONTROL_IMPLICIT_AUTO: {}: an ordinate of curve {} is not positive", field, named.id),
          named.place);
  };
  StepSizes& steps = model.control.implicit.steps;
  find(sizes_curve, "IAUTO", steps.by_curve);
  find(largest_step_curve, "DTMAX", steps.largest_by_curve);
}

void Builder::find_times_of_modes() {
  Implicit& to = model.control.implicit;
  if (!to.active || modes_curve.id == 0) return;
  to.eigenvalues.by_curve = find_curve(modes_curve.id, "*CONTROL_IMPLICIT_EIGENVALUE", modes_curve.place);
  if (to.eigenvalues.by_curve == kNone) return;
  const auto no_count = [](double y) { return y < 0.0 || y != std::floor(y); };
  if (std::ranges::any_of(model.curves[static_cast<std::size_t>(to.eigenvalues.by_curve)].y, no_count))
    error("CR-D310",
          fmt::format("*CONTROL_IMPLICIT_EIGENVALUE: an ordinate of curve {} is no number of modes",
                      modes_curve.id),
          modes_curve.place);
}

/// *INTERFACE_SPRINGBACK_SEAMLESS: the parts that spring back, and the nodes that are held. Once sets are
/// known.
void Builder::read_seamless_springback() {
  Implicit& to = model.control.implicit;
  constexpr std::array<std::uint8_t, 8> masks{0, 1, 2, 4, 3, 6, 5, 7};  // of codes: x, y, z, xy, yz, zx, xyz
  const auto mask_of = [&](const Record& r, std::size_t row, std::size_t column) -> std::uint8_t {
    const std::int64_t code = r.integer(row, column);
    if (code >= 0 && code < std::ssize(masks)) return masks[static_cast<std::size_t>(code)];
    error("CR-D310", fmt::format("*INTERFACE_SPRINGBACK_SEAMLESS: {} is no code of 0 to 7", code),
          r.row_place(row));
    return 0;
  };
  for (const Keyword& k : deck.all("INTERFACE_SPRINGBACK_SEAMLESS"))
    for (const Record& r : k.records()) {
      if (const PartSet* const set = find_part_set(r.integer("PSID"), star(k), r.place("PSID")))
        to.springback.parts = set->parts;
      for (std::size_t row = 0; row < r.rows(); ++row) {
        const std::string first = r.text(row, 0);
        if (row == 0 && first == "OPTCARD") continue;  // of the file
        GlobalId id = 0;
        const auto [end, wrong] = std::from_chars(first.data(), first.data() + first.size(), id);
        if (wrong != std::errc() || end != first.data() + first.size()) {
          error("CR-D310", fmt::format("{}: '{}' is no node number", star(k), first), r.row_place(row));
          continue;
        }
        if (find_node(id, star(k), r.row_place(row)) == kNone) continue;
        to.springback.held.push_back({id, mask_of(r, row, 1), mask_of(r, row, 2)});
      }
    }
  if (!to.springback.active) return;
  const auto general = deck.all("CONTROL_IMPLICIT_GENERAL");
  if (deck.all("INTERFACE_SPRINGBACK_SEAMLESS").empty())
    error("CR-D301", "IMFLAG = 2 needs *INTERFACE_SPRINGBACK_SEAMLESS, with the parts that spring back",
          general.back().place());
  else if (to.whole || scheme_curve.id != 0 || to.switching.where_it_fails)
    unsupported("*INTERFACE_SPRINGBACK_SEAMLESS with IMFLAG other than 0 and 2", general.back().place());
}

/// Viscous hourglass control gives no static stiffness: solids get type 6 and shells type 4, as LS-DYNA's
/// implicit analysis does. Rotations about the normals of shells get a stiffness. Loads that follow a path of
/// equilibrium go on beyond the ends of their curves.
void Builder::adapt_to_implicit() {
  if (!model.control.implicit.active) return;
  read_seamless_springback();
  if (relaxed_parts.id != 0)
    if (const PartSet* const set =
            find_part_set(relaxed_parts.id, "*CONTROL_DYNAMIC_RELAXATION", relaxed_parts.place))
      model.control.relaxation.parts = set->parts;
  if (model.control.implicit.arc.active)
    for (Curve& curve : model.curves) curve.goes_on = true;
  constexpr int first_with_stiffness = 4;
  for (Part& part : model.parts) {
    if (part.kind == ElementKind::shell && part.drilling == 0.0)
      part.drilling = model.control.implicit.drilling;
    if (part.hourglass.type >= first_with_stiffness) continue;
    const int type = part.kind == ElementKind::solid ? 6 : 4;
    if (part.hourglass.type > 0)
      warn("CR-D330",
           fmt::format("*PART {}: hourglass type {} is viscous; implicit analysis takes type {}", part.id,
                       part.hourglass.type, type),
           {});
    part.hourglass.type = type;
  }
}

}  // namespace crumple::model
