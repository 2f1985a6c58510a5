// *MAT, *SECTION, *HOURGLASS, *PART.
#include <algorithm>
#include <cmath>

#include "elements/of_deck.hpp"
#include "materials/discrete_beam/law.hpp"
#include "materials/eos/state_fields.hpp"
#include "materials/muscle/muscle.hpp"
#include "materials/row.hpp"
#include "model/builder.hpp"

namespace crumple::model {
namespace {

void refuse_rule(Builder& build, double rule, const Record& r, const std::string& label, const Section& s,
                 const char* field = "QR/IRID") {
  const std::string what = fmt::format("integration rule {} of the user", -rule);
  build.unsupported(fmt::format("{}: {}", label, what), r.place(field));
  build.unsupported_sections.emplace(s.id, what);
}

/// Points of *INTEGRATION_SHELL.
void use_rule_of_user(Builder& build, double rule, const Record& r, const std::string& label, Section& s) {
  if (elements::fixed_layers(ElementKind::shell, s.elform) != 0) return refuse_rule(build, rule, r, label, s);
  const auto id = static_cast<GlobalId>(-rule);
  if (!build.use_shell_rule(id, s))
    build.error("CR-D302", fmt::format("{}: integration rule {} does not exist", label, id),
                r.place("QR/IRID"));
}

/// Belts are membranes, whatever their section says.
void use_membrane(Builder& build, const Record& r, const std::string& label, Section& s) {
  if (s.elform == 5 || s.elform == 9) return;
  const int membrane = s.elform == 2 || s.elform == 4 || s.elform == 10 ? 5 : 9;
  build.warn(
      "CR-D330",
      fmt::format("{}: ELFORM = {} of a belt is read as {}: belts are membranes", label, s.elform, membrane),
      r.place("ELFORM"));
  s.elform = membrane;
}

void read_shell_section(Builder& build, const Record& r, const std::string& label, Section& s) {
  s.elform = static_cast<int>(or_default(r.integer("ELFORM"), build.shell_theory));
  if (build.shell_belts.sections.contains(s.id)) use_membrane(build, r, label, s);
  s.shear_factor = or_default(r.real("SHRF"), 1.0);
  s.nip = static_cast<int>(or_default(r.integer("NIP"), 2));
  // QR: 0 the rule of INTGRD in *CONTROL_SHELL, 1 trapezoidal, negative a user-defined rule.
  const double rule = r.real("QR/IRID");
  if (rule < 0.0) use_rule_of_user(build, rule, r, label, s);
  const bool lobatto = build.lobatto_shells && s.nip >= 3;
  s.quadrature = rule == 1.0 ? Quadrature::trapezoidal : lobatto ? Quadrature::lobatto : Quadrature::gauss;
  if (const int layers = elements::fixed_layers(ElementKind::shell, s.elform)) {
    s.nip = layers;
    s.quadrature = Quadrature::gauss;
  }
  for (std::size_t a = 0; a < 4; ++a) s.thickness[a] = r.real(fmt::format("T{}", a + 1));
  for (std::size_t a = 1; a < 4; ++a)
    if (s.thickness[a] == 0.0) s.thickness[a] = s.thickness[0];
  if (*std::min_element(s.thickness.begin(), s.thickness.end()) < 0.0)
    build.error("CR-D310", fmt::format("{}: a thickness is negative", label), r.place("T1"));
  if (!s.own_rule && (s.nip < 1 || (s.nip > 10 && s.quadrature != Quadrature::trapezoidal)))
    build.error("CR-D310", fmt::format("{}: NIP = {}, expected 1 to 10", label, s.nip), r.place("NIP"));
  s.nloc = r.real("NLOC");
  s.marea = r.real("MAREA");
  if (r.integer("ICOMP") == 1)
    for (int k = 0; k < std::min<int>(s.nip, static_cast<int>(8 * r.rows("3"))); ++k)
      s.angles.push_back(r.real(static_cast<std::size_t>(k / 8), static_cast<std::size_t>(k % 8), "3") *
                         M_PI / 180);
  for (Ply& ply : s.plies)
    if (const auto k = static_cast<std::size_t>(ply.number - 1); k < s.angles.size()) ply.angle = s.angles[k];
}

void read_beam_section(Builder& build, const Record& r, const std::string& label, Section& s) {
  s.elform = static_cast<int>(or_default(r.integer("ELFORM"), 1));
  s.shear_factor = or_default(r.real("SHRF"), 1.0);
  const double rule = or_default(r.real("QR/IRID"), 2.0);
  s.nip = static_cast<int>(rule);
  s.cross_section = static_cast<int>(std::lround(r.real("CST")));
  s.nsm = r.real("NSM");
  const int form = s.elform;
  const bool takes_rules = form == 1 || form == 4 || form == 5;
  if (rule < 0.0 && !takes_rules) refuse_rule(build, rule, r, label, s);
  if (form == 1 || form == 4 || form == 5 || form == 9 || form == 11) {
    s.ts = {r.real("TS1"), r.real("TS2")};
    s.tt = {r.real("TT1"), r.real("TT2")};
    if (s.ts[1] == 0.0) s.ts[1] = s.ts[0];
    if (s.tt[1] == 0.0) s.tt[1] = s.tt[0];
    if (form == 1 || form == 11) {
      s.nsloc = r.real("NSLOC");
      s.ntloc = r.real("NTLOC");
    }
    if (form == 5) s.cross_section = 1;  // tubular
    if (rule < 0.0 && takes_rules) build.use_beam_rule(r, label, s);
    if (s.ts[0] <= 0.0 && rule >= 0.0)
      build.error("CR-D310", fmt::format("{}: TS1 = {} must be positive", label, s.ts[0]), r.place("TS1"));
  } else if (form == 2 || form == 3 || form == 12 || form == 13) {
    s.area = r.real("A");
    if (s.area <= 0.0)
      build.error("CR-D310", fmt::format("{}: area A = {} must be positive", label, s.area), r.place("A"));
    if (form == 3) {
      s.ramp_time = r.real("RAMPT");
      s.initial_stress = r.real("STRESS");
    } else {
      s.iss = r.real("ISS");
      s.itt = r.real("ITT");
      s.j = r.real("J");
      s.shear_area = r.real("SA");
    }
  } else {
    for (const std::string& name : r.numeric_fields())
      r.real(name);  // marked as read: the whole card is refused
  }
}

/// The place of a cohesive layer between shells is kept where shells have that of their reference surface.
void read_solid_section(Builder& build, const Record& r, const std::string& label, Section& s) {
  s.elform = static_cast<int>(or_default(r.integer("ELFORM"), 1));
  if (s.elform != 20 && s.elform != 22) return;
  s.nloc = r.real("COHOFF");
  if (std::abs(s.nloc) > 1.0)
    build.error("CR-D310", fmt::format("{}: COHOFF = {}, expected -1 to 1", label, s.nloc),
                r.place("COHOFF"));
}

/// Why a formulation of thick shells is refused.
const char* why_no_thick_shell(int elform) {
  if (elform == 6)
    return "its assumed strains in plane stress are not published; 1 and 2, with the laws of shells, and 5, "
           "3 "
           "and 7, with those of solids, are supported";
  return "there is none of this number; 1, 2, 3, 5 and 7 are supported";
}

void read_thick_shell_section(Builder& build, const Record& r, const std::string& label, Section& s) {
  const int elform = static_cast<int>(or_default(r.integer("ELFORM"), 1));
  s.elform = kThickShells + elform;
  s.shear_factor = or_default(r.real("SHRF"), 1.0);
  s.nip = static_cast<int>(or_default(r.integer("NIP"), 2));
  s.parabolic_shear = r.real("TSHEAR") == 0.0;
  const double rule = r.real("QR");
  if (rule < 0.0) refuse_rule(build, rule, r, label, s, "QR");
  const bool lobatto = build.lobatto_shells && s.nip >= 3;
  s.quadrature = rule == 1.0 ? Quadrature::trapezoidal : lobatto ? Quadrature::lobatto : Quadrature::gauss;
  if (s.nip < 2 || s.nip > 10)
    build.error(
        "CR-D310",
        fmt::format("{}: NIP = {}, expected 2 to 10: one point has no bending stiffness", label, s.nip),
        r.place("NIP"));
  if (s.shear_factor < 0.0)
    build.error("CR-D310", fmt::format("{}: SHRF = {} is negative", label, s.shear_factor), r.place("SHRF"));
  if (elements::has_formulation(ElementKind::solid, s.elform)) return;
  build.unsupported_sections.emplace(s.id, fmt::format("ELFORM {}", elform));
  build.unsupported(fmt::format("{}: formulation ELFORM = {} of thick shells is not supported: {}", label,
                                elform, why_no_thick_shell(elform)),
                    r.place("ELFORM"));
}

void read_discrete_section(const Record& r, Section& s) {
  s.rotational = r.integer("DRO") != 0;
  s.kd = r.real("KD");
  s.v0 = r.real("V0");
  s.clearance = r.real("CL");
  s.fail_deflection = r.real("FD");
  s.compression_limit = r.real("CDL");
  s.tension_limit = r.real("TDL");
}

void read_particle_section(Builder& build, const Record& r, const std::string& label, Section& s) {
  const SphSection defaults;
  s.elform = 0;
  s.sph = {or_default(r.real("CSLH"), defaults.factor),
           or_default(r.real("HMIN"), defaults.least),
           or_default(r.real("HMAX"), defaults.most),
           r.real("SPHINI"),
           r.real("START"),
           or_default(r.real("DEATH"), defaults.death)};
  const auto wrong = [&](const char* field, const char* expected) {
    build.error("CR-D310", fmt::format("{}: {} = {}, expected {}", label, field, r.real(field), expected),
                r.place(field));
  };
  if (s.sph.factor < 1) wrong("CSLH", "at least 1");
  if (!(s.sph.least > 0) || s.sph.least > 1) wrong("HMIN", "above 0, at most 1");
  if (s.sph.most < 1) wrong("HMAX", "at least 1");
  if (s.sph.length < 0) wrong("SPHINI", "a length");
}

/// Whether elements of a section support the law.
bool has_updates(const materials::Row& law, ElementKind kind, const Section& section) {
  if (is_cohesive(section)) return law.supports.cohesive;
  if (has_plane_layers(section)) return law.supports.shell && !law.null;
  switch (kind) {
    case ElementKind::shell:
      return law.supports.shell;
    case ElementKind::solid:
      return law.supports.solid;
    case ElementKind::sph:
      return law.supports.solid && !law.supports.cohesive && !law.rigid;
    case ElementKind::beam:
      return law.supports.beam;
    default:
      return law.supports.discrete;
  }
}

/// Why elements of a section do not take a law.
std::string wrong_law(const std::string& label, const Material& m, const materials::Row& law,
                      ElementKind kind, const Section& section) {
  if (is_cohesive(section))
    return fmt::format(
        "{}: *{} {} with cohesive elements of ELFORM {}, which take only laws of tractions over "
        "separations (*MAT_COHESIVE_...)",
        label, m.name, m.id, section.elform);
  if (law.supports.cohesive)
    return fmt::format("{}: *{} {} is for cohesive elements only (*SECTION_SOLID with ELFORM 19 to 22)",
                       label, m.name, m.id);
  return fmt::format("{}: *{} {} is not for {}s", label, m.name, m.id, kind_name(kind));
}

/// The record of an equation of state, and the number of its form; null if there is none.
std::pair<const Record*, int> find_equation_of_state(const deck::Deck& deck, GlobalId id,
                                                     std::vector<Record>& records) {
  constexpr std::pair<const char*, int> kForms[] = {
      {"EOS_LINEAR_POLYNOMIAL", 1}, {"EOS_GRUNEISEN", 4}, {"EOS_TABULATED", 8}};
  for (const auto& [name, form] : kForms)
    for (const Keyword& k : deck.all(name)) {
      records = k.records();
      for (const Record& r : records)
        if (r.integer("EOSID") == id) return {&r, form};
    }
  return {nullptr, 0};
}

/// An equation of state becomes fields of its part's material: EOS.FORM, EOS.C and so on.
void give_equation_of_state(Builder& build, const Record& part, const std::string& label, Material& m,
                            GlobalId id) {
  const Place place = part.place("EOSID");
  if (!materials::is_hydrodynamic(m.law))
    return build.unsupported(
        fmt::format("{}: equation of state {} with *{}, which takes none", label, id, m.name), place);
  if (const double other = m.field("EOS.EOSID"); other != 0) {
    if (other != static_cast<double>(id))
      build.unsupported(
          fmt::format("{}: *{} {} with the equations of state {} and {}: each needs a material of "
                      "its own",
                      label, m.name, m.id, other, id),
          place);
    return;
  }
  std::vector<Record> records;
  const auto [record, form] = find_equation_of_state(build.deck, id, records);
  if (!record && build.not_read("equation of state")) return;
  if (!record)
    return build.missing("CR-D302", "equation of state",
                         fmt::format("{}: equation of state {} does not exist", label, id), place);
  for (const std::string& name : record->numeric_fields()) m.fields["EOS." + name] = record->real(name);
  m.fields["EOS.FORM"] = form;
}

/// Numbers of springs and dampers say what they measure, not which element they are.
bool elform_known(ElementKind kind, int form) {
  return kind == ElementKind::discrete || kind == ElementKind::sph || elements::has_formulation(kind, form);
}

}  // namespace

void Builder::read_materials() {
  for (const Keyword& k : deck.family("MAT_")) {
    if (k.name().starts_with("MAT_ADD_")) continue;
    const bool belt = k.name().starts_with("MAT_SEATBELT");
    const materials::Row* const law =
        materials::find_law(belt ? std::string_view("MAT_FABRIC") : std::string_view(k.name()));
    for (const Record& r : k.records()) {
      if (belt && !shell_belts.materials.contains(r.integer("MID"))) continue;
      Material m;
      m.id = r.integer("MID");
      m.name = k.name();
      m.place = r.place();
      const std::string label = fmt::format("*{} {}", m.name, m.id);
      if (law)
        m.law = law->number;
      else
        unsupported(fmt::format("{}: this law is not supported", label), m.place);
      for (const std::string& name : r.numeric_fields()) m.fields[name] = r.real(name);
      if (m.field("LMCA") > 0)  // more constants of own laws
        for (std::size_t k = 0; k < 8 * r.rows("6"); ++k)
          m.fields[fmt::format("PA{}", k + 1)] = r.real(k / 8, k % 8, "6");
      if (k.suffix("CONCRETE")) m.fields["CONCRETE"] = 1;  // the parameters are fits over its card
      m.density = m.field("RO");
      if (const double g = m.field("G"), k = m.field("BULK");
          law && !m.fields.contains("E") && g > 0.0 && k > 0.0) {
        m.fields["E"] = 9.0 * k * g / (3.0 * k + g);  // the constants of all other laws
        m.fields["PR"] = (3.0 * k - 2.0 * g) / (2.0 * (3.0 * k + g));
      }
      if (law && law->elastic_fields) {
        const double e = m.field("E"), nu = m.field("PR");
        if (e <= 0.0) error("CR-D310", fmt::format("{}: E = {} must be positive", label, e), r.place("E"));
        if (nu <= -1.0 || nu >= 0.5)
          error("CR-D310", fmt::format("{}: PR = {} must lie between -1 and 0.5", label, nu), r.place("PR"));
      }
      check_flow_curves(m, label);
      if (materials.insert(m.id, static_cast<LocalId>(model.materials.size())))
        model.materials.push_back(std::move(m));
      else
        error("CR-D301", fmt::format("{}: material {} is defined twice", label, m.id), r.place());
    }
  }
}

namespace {

// The pairs of cards of *MAT_ADD_DAMAGE_DIEM: DIEM.1.DITYP and so on. Whether any has Q2.
bool read_criteria(const Record& r, Material& m) {
  bool lists = false;
  constexpr const char* kOnset[] = {"DITYP", "P1", "P2", "P3", "P4", "P5"};
  constexpr const char* kEvolution[] = {"DETYP", "DCTYP", "Q1", "Q2", "Q3", "Q4"};
  for (std::size_t row = 0; row < r.rows(); ++row)
    for (std::size_t k = 0; k < 6; ++k) {
      const bool onset = row % 2 == 0;
      m.fields[fmt::format("DIEM.{}.{}", row / 2 + 1, (onset ? kOnset : kEvolution)[k])] = r.real(row, k);
      lists = lists || (!onset && k == 3 && r.real(row, k) != 0);
    }
  return lists;
}

}  // namespace

// Criteria of failure and damage become fields of their material: EROSION.MXPRES, DAMAGE.LCSDG and so on.
void Builder::read_failure() {
  for (const auto& [keyword, prefix] :
       {std::pair("MAT_ADD_EROSION", "EROSION."), std::pair("MAT_ADD_DAMAGE_GISSMO", "DAMAGE."),
        std::pair("MAT_ADD_DAMAGE_DIEM", "DIEM.")})
    for (const Keyword& k : deck.all(keyword))
      for (const Record& r : k.records()) {
        const GlobalId id = r.integer("MID");
        const LocalId place = materials.find(id);
        if (place == kNone) {
          missing("CR-D302", "material", fmt::format("*{}: material {} does not exist", k.name(), id),
                  r.place("MID"));
          continue;
        }
        Material& m = model.materials[static_cast<std::size_t>(place)];
        if (m.fields.contains(std::string(prefix) + "MID"))
          error("CR-D301", fmt::format("*{}: material {} has one already", k.name(), id), r.place("MID"));
        for (const std::string& name : r.numeric_fields()) m.fields[prefix + name] = r.real(name);
        if (k.name() == "MAT_ADD_DAMAGE_DIEM" && read_criteria(r, m))
          warn("CR-D330", "*MAT_ADD_DAMAGE_DIEM: Q2 is ignored, points that fail are not listed",
               r.place("MID"));
      }
}

// Curves of a material: a wrong number is reported here, with its place.
void Builder::check_flow_curves(const Material& m, const std::string& label) const {
  const auto id = [&](const char* field) { return static_cast<GlobalId>(m.field(field)); };
  if (const GlobalId curve = id("LCSS"); curve != 0 && !curves.contains(curve) && !tables.contains(curve))
    missing("CR-D304", "curve", fmt::format("{}: curve or table {} of LCSS does not exist", label, curve),
            m.place);
  const auto means_own_rates = [&](GlobalId curve) {  // LCSR = -1 of MAT_126
    return curve == -1 && m.fields.contains("LCSRAB");
  };
  for (const char* field : {"LCSR", "LCD", "LCR", "LCDR", "LC1", "LC3", "LCIDC", "LCIDT", "LCSRC", "LCSRT"})
    if (const GlobalId curve = id(field); curve != 0 && !tables.contains(curve) && !means_own_rates(curve))
      find_curve(curve, label, m.place);
}

namespace {

/// Whether no formulation has the section's number. Thick shells are checked where they are read.
bool has_unknown_form(const Section& s) { return !is_thick_shell(s) && !elform_known(s.kind, s.elform); }

/// Such a section is an error if it is `used`, by elements or by some that could not be read; otherwise it
/// does not matter to the run, which a warning says.
void report_unknown_forms(const Builder& build, const std::set<GlobalId>& used) {
  for (const Keyword& k : build.deck.family("SECTION_"))
    for (const Record& r : k.records()) {
      const LocalId at = build.sections.find(r.integer("SECID"));
      if (at == kNone) continue;
      const Section& s = build.model.sections[static_cast<std::size_t>(at)];
      if (!has_unknown_form(s)) continue;
      std::string text = fmt::format("*{} {}: formulation ELFORM = {} of {} elements is not supported",
                                     k.name(), s.id, s.elform, kind_name(s.kind));
      if (used.contains(s.id) || build.lost("element"))
        build.unsupported(std::move(text), r.place("ELFORM"));
      else
        build.warn("CR-D330", text + ", but no element has this section", r.place("ELFORM"));
    }
}

}  // namespace

void Builder::read_sections() {
  read_shell_rules();
  read_integration_rules();
  for (const Keyword& k : deck.family("SECTION_"))
    for (const Record& r : k.records()) {
      Section s;
      s.id = r.integer("SECID");
      const std::string label = fmt::format("*{} {}", k.name(), s.id);
      if (k.name() == "SECTION_SHELL") {
        s.kind = ElementKind::shell;
        read_shell_section(*this, r, label, s);
      } else if (k.name() == "SECTION_SOLID") {
        s.kind = ElementKind::solid;
        read_solid_section(*this, r, label, s);
      } else if (k.name() == "SECTION_TSHELL") {
        s.kind = ElementKind::solid;
        read_thick_shell_section(*this, r, label, s);
      } else if (k.name() == "SECTION_BEAM") {
        s.kind = ElementKind::beam;
        read_beam_section(*this, r, label, s);
      } else if (k.name() == "SECTION_DISCRETE") {
        s.kind = ElementKind::discrete;
        read_discrete_section(r, s);
      } else if (k.name() == "SECTION_SPH") {
        s.kind = ElementKind::sph;
        read_particle_section(*this, r, label, s);
      } else {
        continue;
      }
      if (has_unknown_form(s))  // check_parts reports it
        unsupported_sections.emplace(s.id, fmt::format("ELFORM {}", s.elform));
      if (sections.insert(s.id, static_cast<LocalId>(model.sections.size())))
        model.sections.push_back(s);
      else
        error("CR-D301", fmt::format("{}: section {} is defined twice", label, s.id), r.place());
    }
}

void Builder::read_hourglass() {
  for (const Keyword& k : deck.all("HOURGLASS"))
    for (const Record& r : k.records()) {
      const GlobalId id = r.integer("HGID");
      Hourglass h;
      h.type = static_cast<int>(r.integer("IHQ"));
      h.qm = or_default(r.real("QM"), 0.1);
      h.q1 = or_default(r.real("Q1"), 1.5);
      h.q2 = or_default(r.real("Q2"), 0.06);
      h.qb = or_default(r.real("QB"), h.qm);
      h.qw = or_default(r.real("QW"), h.qb);
      if (hourglasses.insert(id, static_cast<LocalId>(hourglass.size())))
        hourglass.push_back(h);
      else
        error("CR-D301", fmt::format("*HOURGLASS {} is defined twice", id), r.place());
    }
}

Hourglass Builder::hourglass_of(const Record& r, const std::string& label) const {
  const GlobalId id = r.integer("HGID");
  if (id == 0) return default_hourglass;
  const LocalId h = find(hourglasses, id, "CR-D302", "hourglass control", label, r.place("HGID"));
  return h == kNone ? default_hourglass : hourglass[static_cast<std::size_t>(h)];
}

void Builder::read_part_contact(const Record& r, const std::string& label, Part& p) const {
  for (const char* field : {"OPTT", "SFT", "SSF", "FS", "FD", "DC", "VC"})
    if (r.real(field) < 0.0)
      error("CR-D310", fmt::format("{}: {} = {} is negative", label, field, r.real(field)), r.place(field));
  p.contact_thickness = r.real("OPTT");
  p.contact_thickness_given = p.contact_thickness > 0.0;
  if (r.real("SFT") > 0.0) p.contact_thickness_scale = r.real("SFT");
  if (r.real("SSF") > 0.0) p.contact_stiffness_scale = r.real("SSF");
  p.friction = {r.real("FS"), r.real("FD"), r.real("DC"), r.real("VC")};
}

void Builder::add_part(Part part, PartInput input, const std::string& label, const Place& place) {
  if (!parts.insert(part.id, static_cast<LocalId>(model.parts.size())))
    return error("CR-D301", fmt::format("{} is defined twice", label), place);
  part_inputs_.push_back(std::move(input));
  model.parts.push_back(std::move(part));
}

void Builder::read_parts() {
  for (const Keyword& k : deck.all("PART"))
    for (const Record& r : k.records()) {
      Part p;
      p.id = r.integer("PID");
      p.title = r.title();
      const std::string label = fmt::format("*PART {}", p.id);
      // Parts without elements may refer to missing sections or materials; check_parts reports those that
      // matter.
      const GlobalId section = r.integer("SECID"), material = r.integer("MID");
      p.section = sections.find(section);
      p.material = materials.find(material);
      if (const GlobalId eos = r.integer("EOSID"); p.section != kNone && p.material != kNone) {
        Material& m = model.materials[static_cast<std::size_t>(p.material)];
        const ElementKind kind = model.sections[static_cast<std::size_t>(p.section)].kind;
        const bool solid = kind == ElementKind::solid || kind == ElementKind::sph;
        if (eos != 0 && !solid)
          unsupported(fmt::format("{}: equations of state are for solids and SPH", label), r.place("EOSID"));
        else if (eos != 0)
          give_equation_of_state(*this, r, label, m, eos);
        else if (solid && materials::is_hydrodynamic(m.law))
          unsupported(
              fmt::format("{}: *{} {} needs an equation of state (EOSID) in solids", label, m.name, m.id),
              r.place("EOSID"));
      }
      p.hourglass = hourglass_of(r, label);
      if (k.suffix("INERTIA")) inertia_records.emplace(static_cast<LocalId>(model.parts.size()), r);
      if (k.suffix("CONTACT")) read_part_contact(r, label, p);
      add_part(std::move(p), {r.place("SECID"), r.place("MID"), section, material, r.integer("EOSID")}, label,
               r.place());
    }
  read_composite_parts();
  give_rules_their_parts();
  if (model.parts.empty() && !lost("part") && !lost_file())
    error("CR-D310", "the deck ends here and has no parts", deck.end());
}

void Builder::check_parts() {
  std::set<LocalId> without_density;
  std::set<GlobalId> used;
  for (std::size_t i = 0; i < model.parts.size(); ++i)
    if (model.parts[i].kind != ElementKind::none || left_out.contains(static_cast<LocalId>(i)))
      used.insert(part_inputs_[i].section);
  report_unknown_forms(*this, used);
  const bool any = std::any_of(model.parts.begin(), model.parts.end(),
                               [](const Part& p) { return p.kind != ElementKind::none; });
  report_left_out_parts();
  if (!any && !lost("element") && !lost_file())
    error("CR-D310",
          left_out.empty() ? "the deck ends here and has no elements"
                           : "the deck ends here and has no elements but those of parts that are left out",
          deck.end());
  for (std::size_t i = 0; i < model.parts.size(); ++i) {
    const Part& p = model.parts[i];
    check_references(p, part_inputs_[i]);
    if (p.kind == ElementKind::none || p.section == kNone || p.material == kNone) continue;
    const Material& m = model.materials[static_cast<std::size_t>(p.material)];
    const Section& s = model.sections[static_cast<std::size_t>(p.section)];
    const std::string label = fmt::format("*PART {}", p.id);
    const Place& place = part_inputs_[i].section_place;
    if (s.kind != p.kind)
      error("CR-D310",
            fmt::format("{} has {} elements but its section {} is for {} elements", label, kind_name(p.kind),
                        s.id, kind_name(s.kind)),
            place);
    const materials::Row* const law = materials::find_law(m.law);
    if (law && !law->supports.discrete && m.density <= 0.0 && without_density.insert(p.material).second)
      error("CR-D311",
            fmt::format("*{} {} has no density: RO = {}, used by part {}", m.name, m.id, m.density, p.id),
            m.place);
    if (law && law->supports.discrete != (p.kind == ElementKind::discrete))
      error(
          "CR-D310",
          fmt::format("{}: *{} {} is not supported for {} elements", label, m.name, m.id, kind_name(p.kind)),
          part_inputs_[i].material_place);
    if (law && law->by_layer && p.kind == ElementKind::shell && s.plies.empty())
      unsupported(fmt::format("{}: *{} {} needs a section with an integration rule of the user "
                              "(*INTEGRATION_SHELL): its layers are the rule's points",
                              label, m.name, m.id),
                  part_inputs_[i].material_place);
    const bool hydrodynamic = (p.kind == ElementKind::solid || p.kind == ElementKind::sph) &&
                              !is_cohesive(s) && m.fields.contains("EOS.FORM");
    const bool discrete_beam = p.kind == ElementKind::beam && law && materials::is_discrete_beam(*law);
    const bool muscle = p.kind == ElementKind::beam && s.elform == 3 && law && materials::is_muscle(*law);
    if (law && !law->supports.discrete && !law->spot_weld && !has_updates(*law, p.kind, s) && !hydrodynamic &&
        !discrete_beam && !muscle)
      unsupported(wrong_law(label, m, *law, p.kind, s), part_inputs_[i].material_place);
    const bool weld = p.kind == ElementKind::beam && s.elform == 9;
    if (law && weld != law->spot_weld)
      unsupported(
          fmt::format("{}: *{} {} with {} elements of ELFORM {}: *MAT_SPOTWELD is for beams of ELFORM 9, "
                      "which take no other",
                      label, m.name, m.id, kind_name(p.kind), s.elform),
          part_inputs_[i].material_place);
    if (law && p.kind == ElementKind::beam && (s.elform == 6) != discrete_beam)
      unsupported(fmt::format("{}: *{} {} with beams of ELFORM {}: laws of discrete beams are for ELFORM 6, "
                              "which takes no other",
                              label, m.name, m.id, s.elform),
                  part_inputs_[i].material_place);
    if (p.kind == ElementKind::shell && s.thickness[0] <= 0.0 && model.shells.thickness.empty() &&
        !lost("section"))
      error("CR-D310",
            fmt::format("{}: its section {} has no thickness: give T1 of *SECTION_SHELL, or thicknesses by "
                        "*ELEMENT_SHELL_THICKNESS",
                        label, s.id),
            place);
  }
  if (!model.shells.thickness.empty()) check_own_thickness();
  report_triangles();
}

// Degenerate quadrilaterals are too stiff: they become triangles for any ESORT, where their formulation has
// no triangle of its own.
void Builder::report_triangles() const {
  const Shells& in = model.shells;
  std::size_t count = 0;
  for (std::size_t e = 0; e < in.size(); ++e) {
    if (in.nodes[e][2] != in.nodes[e][3]) continue;
    const Part& p = model.parts[static_cast<std::size_t>(in.part[e])];
    if (p.section == kNone || p.rigid_body != kNone) continue;
    const int form = model.sections[static_cast<std::size_t>(p.section)].elform;
    count += elements::form_of(ElementKind::shell, form, in.nodes[e]).elform != form;
  }
  for (const Keyword& k : deck.all("CONTROL_SHELL"))
    for (const Record& r : k.records())
      if (r.integer("ESORT") != 0) return;
  if (count > 0)
    warn("CR-D330",
         fmt::format("{} triangles among the shells are computed with form 4, as ESORT = 1 would ask", count),
         {});
}

// A part without elements may refer to missing entities; LS-DYNA decks often have such parts.
void Builder::check_references(const Part& part, const PartInput& input) const {
  if (belt_parts.contains(part.id)) return;
  const auto report = [&](const char* what, GlobalId id, bool found, const Place& place) {
    const bool said = part.kind == ElementKind::none || !options_.allow_unsupported;
    if (found || (said && not_read(what))) return;
    const std::string text = id == 0 ? fmt::format("*PART {} has no {}", part.id, what)
                                     : fmt::format("*PART {}: {} {} does not exist", part.id, what, id);
    if (part.kind == ElementKind::none)
      warn("CR-D330", text + ", and the part has no elements", place);
    else
      missing("CR-D302", what, text, place);
  };
  report("section", input.section, part.section != kNone, input.section_place);
  report("material", input.material, part.material != kNone, input.material_place);
}

void Builder::check_own_thickness() {
  if (lost("section")) return;
  const Shells& shells_in = model.shells;
  std::set<GlobalId> layered;  ///< parts with layers that are reported
  for (std::size_t e = 0; e < shells_in.size(); ++e) {
    const Part& p = model.parts[static_cast<std::size_t>(shells_in.part[e])];
    if (p.section == kNone) continue;
    const Section& section = model.sections[static_cast<std::size_t>(p.section)];
    if (!section.plies.empty() && !section.own_rule && shells_in.thickness[e][0] != 0.0 &&
        layered.insert(p.id).second)
      unsupported(
          fmt::format("shell {} of *PART_COMPOSITE {} has a thickness of its own, which is not supported",
                      shells_in.id[e], p.id),
          part_inputs_[static_cast<std::size_t>(shells_in.part[e])].section_place);
    for (std::size_t a = 0; a < 4; ++a)
      if (shells_in.thickness[e][a] == 0.0 && section.thickness[a] <= 0.0) {
        error("CR-D310", fmt::format("shell {} of part {} has no thickness", shells_in.id[e], p.id),
              part_inputs_[static_cast<std::size_t>(shells_in.part[e])].section_place);
        break;
      }
  }
}

}  // namespace crumple::model
