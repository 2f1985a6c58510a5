// *CONTACT: sides as in the deck, and parameters; preparation/ finds the surfaces.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "model/builder.hpp"
#include "model/contact_refinements.hpp"
#include "model/friction_tables.hpp"
#include "model/mortar_form.hpp"
#include "model/solid_faces.hpp"

namespace crumple::model {
namespace {

constexpr double kFrictionOfParts = -1.0, kFrictionOfPairs = -2.0;  // FS

struct ContactKeyword {
  const char* name;
  ContactType type;
  bool single;  ///< one side only
};

constexpr auto kContacts = std::to_array<ContactKeyword>(
    {{"CONTACT_AUTOMATIC_SINGLE_SURFACE", ContactType::automatic_single_surface, true},
     {"CONTACT_SINGLE_SURFACE", ContactType::automatic_single_surface, true},
     {"CONTACT_AIRBAG_SINGLE_SURFACE", ContactType::automatic_single_surface, true},
     {"CONTACT_AUTOMATIC_GENERAL", ContactType::automatic_general, true},
     {"CONTACT_SINGLE_EDGE", ContactType::automatic_general, true},
     {"CONTACT_AUTOMATIC_BEAMS_TO_SURFACE", ContactType::automatic_nodes_to_surface, false},
     {"CONTACT_FORMING_SURFACE_TO_SURFACE", ContactType::surface_to_surface, false},
     {"CONTACT_FORMING_ONE_WAY_SURFACE_TO_SURFACE", ContactType::nodes_to_surface, false},
     {"CONTACT_FORMING_NODES_TO_SURFACE", ContactType::nodes_to_surface, false},
     {"CONTACT_RIGID_NODES_TO_RIGID_BODY", ContactType::nodes_to_surface, false},
     {"CONTACT_RIGID_BODY_ONE_WAY_TO_RIGID_BODY", ContactType::nodes_to_surface, false},
     {"CONTACT_RIGID_BODY_TWO_WAY_TO_RIGID_BODY", ContactType::surface_to_surface, false},
     {"CONTACT_AUTOMATIC_SURFACE_TO_SURFACE", ContactType::automatic_surface_to_surface, false},
     {"CONTACT_AUTOMATIC_NODES_TO_SURFACE", ContactType::automatic_nodes_to_surface, false},
     {"CONTACT_SURFACE_TO_SURFACE", ContactType::surface_to_surface, false},
     {"CONTACT_NODES_TO_SURFACE", ContactType::nodes_to_surface, false},
     {"CONTACT_AUTOMATIC_ONE_WAY_SURFACE_TO_SURFACE", ContactType::automatic_nodes_to_surface, false},
     {"CONTACT_ONE_WAY_SURFACE_TO_SURFACE", ContactType::nodes_to_surface, false},
     {"CONTACT_AUTOMATIC_SINGLE_SURFACE_MORTAR", ContactType::automatic_single_surface, true},
     {"CONTACT_AUTOMATIC_SURFACE_TO_SURFACE_MORTAR", ContactType::automatic_surface_to_surface, false},
     {"CONTACT_FORCE_TRANSDUCER_PENALTY", ContactType::force_transducer, true},
     {"CONTACT_FORCE_TRANSDUCER_CONSTRAINT", ContactType::force_transducer, true},
     {"CONTACT_TIED_NODES_TO_SURFACE", ContactType::tied_nodes_to_surface, false},
     {"CONTACT_TIED_SURFACE_TO_SURFACE", ContactType::tied_surface_to_surface, false},
     {"CONTACT_TIED_SHELL_EDGE_TO_SURFACE", ContactType::tied_shell_edge_to_surface, false},
     {"CONTACT_TIED_SHELL_EDGE_TO_SOLID", ContactType::tied_shell_edge_to_solid, false},
     {"CONTACT_SPOTWELD", ContactType::spotweld, false},
     {"CONTACT_SPOTWELD_WITH_TORSION", ContactType::spotweld_with_torsion, false},
     {"CONTACT_TIED_NODES_TO_SURFACE_OFFSET", ContactType::tied_nodes_to_surface, false},
     {"CONTACT_TIED_SURFACE_TO_SURFACE_OFFSET", ContactType::tied_surface_to_surface, false},
     {"CONTACT_TIED_SHELL_EDGE_TO_SURFACE_OFFSET", ContactType::tied_shell_edge_to_surface, false},
     {"CONTACT_AUTOMATIC_SURFACE_TO_SURFACE_TIEBREAK", ContactType::automatic_surface_to_surface, false},
     {"CONTACT_AUTOMATIC_ONE_WAY_SURFACE_TO_SURFACE_TIEBREAK", ContactType::automatic_nodes_to_surface,
      false},
     {"CONTACT_TIEBREAK_SURFACE_TO_SURFACE", ContactType::surface_to_surface, false},
     {"CONTACT_TIEBREAK_NODES_TO_SURFACE", ContactType::nodes_to_surface, false},
     {"CONTACT_ERODING_SINGLE_SURFACE", ContactType::automatic_single_surface, true},
     {"CONTACT_ERODING_SURFACE_TO_SURFACE", ContactType::automatic_surface_to_surface, false},
     {"CONTACT_TIEBREAK_SURFACE_TO_SURFACE_ONLY", ContactType::surface_to_surface, false},
     {"CONTACT_TIEBREAK_NODES_ONLY", ContactType::nodes_to_surface, false},
     {"CONTACT_ERODING_ONE_WAY_SURFACE_TO_SURFACE", ContactType::automatic_nodes_to_surface, false},
     {"CONTACT_ERODING_NODES_TO_SURFACE", ContactType::automatic_nodes_to_surface, false}});

/// Defaults of *CONTROL_CONTACT for all contacts.
struct Defaults {
  double slsfac = 0.1;
  int shlthk = 0, penopt = 1, ignore = 0, enmass = 0, ssthk = 0, orien = 1;
  int thkchg = 0;
  Place thkchg_place;
  RefinementDefaults refinements;
  std::map<GlobalId, FrictionTable> friction;  ///< *DEFINE_FRICTION
};

Defaults read_defaults(const Builder& build) {
  Defaults d;
  d.friction = read_friction_tables(build);
  d.refinements = read_refinement_defaults(build);
  for (const Keyword& k : build.deck.all("CONTROL_CONTACT"))
    for (const Record& r : k.records()) {
      d.slsfac = or_default(r.real("SLSFAC"), 0.1);
      d.shlthk = static_cast<int>(r.integer("SHLTHK"));
      d.penopt = static_cast<int>(or_default(r.integer("PENOPT"), 1));
      d.ignore = static_cast<int>(r.integer("IGNORE"));
      d.enmass = static_cast<int>(r.integer("ENMASS"));
      d.ssthk = static_cast<int>(r.integer("SSTHK"));
      d.orien = static_cast<int>(or_default(r.integer("ORIEN"), 1));
      d.thkchg = static_cast<int>(r.integer("THKCHG"));
      d.thkchg_place = r.place("THKCHG");
    }
  return d;
}

class ContactReader {
 public:
  ContactReader(Builder& build, const Keyword& k, const Record& r, const ContactKeyword& kind)
      : build_(build), k_(k), r_(r), kind_(kind) {}

  void read(std::size_t number, const Defaults& defaults) {
    Contact c;
    c.type = kind_.type;
    const bool named = k_.suffix("ID") || k_.suffix("TITLE");
    c.id =
        named ? or_default(r_.integer("CID"), static_cast<GlobalId>(number)) : static_cast<GlobalId>(number);
    c.title = r_.title();
    c.place = r_.place();
    label_ = fmt::format("{} {}", Builder::star(k_), c.id);
    c.input_a = side("SURFA", "SURFATYP", "SABOXID");
    one_way(c);
    if (!kind_.single || r_.integer("SURFB") != 0) c.input_b = side("SURFB", "SURFBTYP", "SBBOXID");
    if (!kind_.single && c.input_b.type != 5 && c.input_b.id == 0)
      build_.error("CR-D310", fmt::format("{}: SURFB names no surface", label_), r_.place("SURFB"));
    if (is_tied(c.type))
      tie(c);
    else
      parameters(c, defaults);
    if (k_.name().find("TIEBREAK") != std::string::npos) tiebreak(c);
    if (build_.is_left_out(c.input_a) || (c.input_b.id != 0 && build_.is_left_out(c.input_b)))
      return build_.unsupported(
          fmt::format("{} is left out: all parts of one of its sides are left out", label_), c.place);
    c.a_in_ncforc = r_.integer("SAPR") == 1;
    c.b_in_ncforc = r_.integer("SBPR") == 1;
    c.measures_ties = k_.name() == "CONTACT_FORCE_TRANSDUCER_CONSTRAINT";
    c.keeps_loose_nodes = defaults.enmass;
    if (k_.name().starts_with("CONTACT_ERODING_")) erosion(c);
    if (!is_tied(c.type)) read_refinements(build_, k_.name(), r_, label_, defaults.refinements, c);
    if (k_.name() == "CONTACT_AIRBAG_SINGLE_SURFACE" && r_.integer("LCIDAB") != 0)
      build_.unsupported(fmt::format("{}: a thickness over time (LCIDAB) is not supported", label_),
                         r_.place("LCIDAB"));
    if (std::any_of(build_.model.contacts.begin(), build_.model.contacts.end(),
                    [&](const Contact& other) { return other.id == c.id; }))
      build_.error("CR-D301", fmt::format("{}: contact {} is defined twice", label_, c.id), c.place);
    build_.model.contacts.push_back(std::move(c));
  }

 private:
  SurfaceInput side(const char* field, const char* type_field, const char* box_field) {
    SurfaceInput input;
    input.type = static_cast<int>(r_.integer(type_field));
    input.id = r_.integer(field);
    if (const GlobalId box = r_.integer(box_field); box != 0)
      input.box = build_.find(build_.boxes, box, "CR-D305", "box", label_, r_.place(box_field));
    // Without a number, a single surface contact has all outer surfaces.
    if (input.id == 0 && (kind_.single || input.type == 5)) {
      input.type = 5;
      return input;
    }
    const Place place = r_.place(field);
    switch (input.type) {
      case 0:
        build_.find(build_.segment_sets, input.id, "CR-D305", "segment set", label_, place);
        break;
      case 1:
        build_.find(build_.shell_sets, input.id, "CR-D305", "shell set", label_, place);
        break;
      case 2:
      case 6:
        build_.find_part_set(input.id, label_, place);
        break;
      case 3:
        build_.find_part(input.id, label_, place);
        break;
      case 4:
        build_.find_node_set(input.id, label_, place);
        break;
      case 5:
        break;
      default:
        build_.unsupported(fmt::format("{}: {} = {}", label_, type_field, input.type), r_.place(type_field));
    }
    return input;
  }

  void parameters(Contact& c, const Defaults& defaults) {
    c.fs = r_.real("FS");
    c.fd = r_.real("FD");
    c.dc = r_.real("DC");
    if (c.fs < 0.0 && c.fs != kFrictionOfParts && c.fs != kFrictionOfPairs)
      build_.unsupported(fmt::format("{}: FS = {}, friction from other keywords", label_, c.fs),
                         r_.place("FS"));
    // Negative values would accelerate the nodes, or make friction grow without bound.
    for (const auto& [field, value] : {std::pair{"FD", c.fd}, std::pair{"DC", c.dc}})
      if (value < 0.0 && c.fs >= 0.0)
        build_.error("CR-D310", fmt::format("{}: {} = {} is negative", label_, field, value),
                     r_.place(field));
    c.vc = r_.real("VC");
    c.vdc = r_.real("VDC");
    if (c.fs == 2.0 && c.fd >= 1.0)
      build_.unsupported(
          fmt::format("{}: FS = 2 with FD = {}, a table of friction over the pressure, which needs the area "
                      "of each node in contact",
                      label_, c.fd),
          r_.place("FD"));
    if (c.vdc < 0.0)
      build_.unsupported(fmt::format("{}: VDC = {}, damping by a curve", label_, c.vdc), r_.place("VDC"));
    times(c);
    c.sfa = or_default(r_.real("SFSA"), 1.0);
    c.sfb = or_default(r_.real("SFSB"), 1.0);
    c.sta = r_.real("SAST");
    c.stb = r_.real("SBST");
    c.sfta = or_default(r_.real("SFSAT"), 1.0);
    c.sftb = or_default(r_.real("SFSBT"), 1.0);
    c.fsf = or_default(r_.real("FSF"), 1.0);
    c.vsf = or_default(r_.real("VSF"), 1.0);
    c.soft = static_cast<int>(r_.integer("SOFT"));
    if (k_.name().ends_with("_MORTAR") && !build_.model.control.implicit.whole) mortar_form(c);
    c.sofscl = or_default(r_.real("SOFSCL"), 0.1);
    // Where a negative value is allowed, it counts as not given.
    for (const auto& [field, value, none] : {std::tuple{"SFSA", &c.sfa, 1.0},
                                             {"SFSB", &c.sfb, 1.0},
                                             {"SAST", &c.sta, 0.0},
                                             {"SBST", &c.stb, 0.0},
                                             {"SFSAT", &c.sfta, 1.0},
                                             {"SFSBT", &c.sftb, 1.0}})
      if (*value < 0.0) {
        build_.unsupported(fmt::format("{}: {} = {}, a negative value", label_, field, *value),
                           r_.place(field));
        *value = none;
      }
    lines(c);
    depth(c);
    friction(c, defaults);
    if (c.vc != 0.0 && (c.type == ContactType::automatic_general || c.depth == 5))
      build_.warn(
          "CR-D330",
          fmt::format("{}: VC = {} limits the friction of nodes, not that of edges and beams", label_, c.vc),
          r_.place("VC"));
    c.penopt = defaults.penopt;
    c.slsfac = defaults.slsfac;
    const auto shlthk = r_.integer("SHLTHK");
    c.shlthk = shlthk != 0 ? static_cast<int>(shlthk) : defaults.shlthk;
    if (k_.name().starts_with("CONTACT_TIEBREAK_SURFACE_TO_SURFACE") && r_.integer("THKOFF") != 0 &&
        c.shlthk == 0)
      c.shlthk = 1;
    c.whole_thickness = defaults.ssthk != 0;
    c.orien = defaults.orien;
    c.forming = k_.name().starts_with("CONTACT_FORMING_");
    read_thickness_option(build_, r_, label_, c);
    if (const bool fronts =
            c.type == ContactType::surface_to_surface || c.type == ContactType::nodes_to_surface;
        fronts && !c.forming && (c.orien == 2 || c.orien == 3))
      build_.warn("CR-D330",
                  fmt::format("{}: ORIEN = {} is taken as 1: segments of parts are turned towards the other "
                              "side, those of sets are not",
                              label_, c.orien),
                  c.place);
    thickness(c);
    if (k_.name().ends_with("TO_RIGID_BODY")) force_curve(c);
    // The contact's own IGNORE has priority over that of the _MPP card and over the default.
    const auto own = r_.integer("IGNORE"), mpp = k_.suffix("MPP") ? r_.integer("IGNORE_MPP") : 0;
    c.ignore = static_cast<int>(own != 0 ? own : mpp != 0 ? mpp : defaults.ignore);
    if (is_mortar(c) && (c.ignore < 0 || c.ignore > 3))
      build_.unsupported(fmt::format("{}: IGNORE = {} of a mortar contact", label_, c.ignore), c.place);
    if ((build_.model.control.implicit.active || is_mortar(c)) && c.ignore == 3)
      c.push_out_time = r_.real("DPRFAC");
  }

  // FS = -1: of *PART_CONTACT; FS = -2: of the pairs of *DEFINE_FRICTION, FD its number, which is needed only
  // if there are several.
  void friction(Contact& c, const Defaults& defaults) {
    if (c.fs != kFrictionOfParts && c.fs != kFrictionOfPairs) return;
    const bool of_pairs = c.fs == kFrictionOfPairs;
    const auto number = static_cast<GlobalId>(c.fd);
    for (const char* field : {"FD", "DC", "VC"})
      if (const double given = r_.real(field); given != 0.0 && !(of_pairs && field[0] == 'F'))
        build_.warn("CR-D330",
                    fmt::format("{}: {} = {} has no effect with FS = {}", label_, field, given, c.fs),
                    r_.place(field));
    c.fs = c.fd = c.dc = c.vc = 0.0;
    c.friction_of_parts = !of_pairs;
    if (!of_pairs) return;
    if (is_mortar(c) || build_.model.control.implicit.active)
      build_.unsupported(fmt::format("{}: FS = -2, friction by pairs of parts in mortar contact", label_),
                         r_.place("FS"));
    const auto& tables = defaults.friction;
    const auto at = number == 0 && tables.size() == 1 ? tables.begin() : tables.find(number);
    if (at == tables.end())
      return build_.error("CR-D304",
                          fmt::format("{}: FS = -2, but there is no *DEFINE_FRICTION {}", label_, number),
                          r_.place("FD"));
    c.pairs = at->second;
    const auto scale = [&](Friction& f) {
      f.fs *= c.fsf;
      f.fd *= c.fsf;
      f.vc *= c.vsf;
    };
    scale(c.pairs.otherwise);
    for (PairFriction& pair : c.pairs.pairs) scale(pair.friction);
  }

  // Which lines there are: *CONTACT_SINGLE_EDGE has edges of shells only, beams against a surface have those
  // of side A and all edges of side B.
  void lines(Contact& c) {
    const bool edge = k_.name() == "CONTACT_SINGLE_EDGE";
    c.interior_edges = k_.suffix("INTERIOR");
    c.edges_only = edge || k_.suffix("EDGEONLY");
    c.without_beams = edge;
    c.beams_on_surface = k_.name() == "CONTACT_AUTOMATIC_BEAMS_TO_SURFACE";
    if (!c.beams_on_surface) return;
    constexpr std::array types{2, 3, 5, 6};
    if (std::find(types.begin(), types.end(), c.input_a.type) == types.end())
      build_.unsupported(
          fmt::format("{}: SURFATYP = {}: name the parts of the beams", label_, c.input_a.type),
          r_.place("SURFATYP"));
    if (c.soft == 2)
      build_.unsupported(fmt::format("{}: SOFT = 2 is for surfaces against surfaces", label_),
                         r_.place("SOFT"));
  }

  // The sheet (A) has thickness, whatever SHLTHK is; the mesh of a tool (B) is its surface, which SBST moves
  // forward by its half.
  void forming(Contact& c) {
    if (c.soft == 2)
      build_.unsupported(fmt::format("{}: SOFT = 2 of a forming contact", label_), r_.place("SOFT"));
    if (const double given = r_.real("SFSBT"); given != 0.0 && given != 1.0)
      build_.warn("CR-D330",
                  fmt::format("{}: SFSBT = {} has no effect: the mesh of a tool is its surface, which SBST "
                              "moves",
                              label_, given),
                  r_.place("SFSBT"));
    if (const auto given = r_.integer("SHLTHK"); given != 0)
      build_.warn("CR-D330",
                  fmt::format("{}: SHLTHK = {} has no effect: sheets have thickness in forming contacts, "
                              "tools have not",
                              label_, given),
                  r_.place("SHLTHK"));
  }

  // Contact of rigid bodies: the normal force of each node by a curve over its penetration (FCM = 2), or the
  // pressure on its share of the surface (3).
  void force_curve(Contact& c) {
    ForceCurve& law = c.by_curve;
    const auto method = or_default(r_.integer("FCM"), 1);
    if (method != 2 && method != 3)
      build_.unsupported(
          fmt::format("{}: FCM = {}, a force of the whole surface over the largest penetration: "
                      "how it is divided among the nodes is not documented",
                      label_, method),
          r_.place("FCM"));
    law.pressure = method == 3;
    if (law.pressure && (c.input_a.type == 4 || r_.integer("LCDC") != 0))
      build_.unsupported(
          fmt::format("{}: FCM = 3, a pressure, with damping (LCDC) or of a node set, which has no area",
                      label_),
          r_.place("FCM"));
    if (r_.integer("UNLCID") != 0)
      build_.unsupported(fmt::format("{}: UNLCID, unloading along a curve", label_), r_.place("UNLCID"));
    law.curve = build_.find_curve(r_.integer("LCID"), label_, r_.place("LCID"));
    law.unloading = r_.real("US");
    law.damping_scale = or_default(r_.real("DSF"), 1.0);
    if (const GlobalId id = r_.integer("LCDC"); id != 0)
      law.damping = build_.find_curve(id, label_, r_.place("LCDC"));
    for (const char* field : {"SFSA", "SFSB"})
      if (const double given = r_.real(field); given != 0.0 && given != 1.0)
        build_.warn("CR-D330",
                    fmt::format("{}: {} = {} has no effect: a curve gives the force", label_, field, given),
                    r_.place(field));
    if (c.soft != 0)
      build_.unsupported(fmt::format("{}: SOFT = {}: a curve gives the force", label_, c.soft),
                         r_.place("SOFT"));
    if (c.vdc != 0.0)
      build_.unsupported(fmt::format("{}: VDC = {}: LCDC gives the damping", label_, c.vdc), r_.place("VDC"));
    for (const auto& [curve, field] : {std::pair{law.curve, "LCID"}, {law.damping, "LCDC"}})
      if (curve != kNone) build_.refuse_function(curve, label_, r_.place(field));
    if (law.curve != kNone) check_force_curve(law);
  }

  void check_force_curve(const ForceCurve& law) {
    const Curve& curve = build_.model.curves[static_cast<std::size_t>(law.curve)];
    double steepest = 0.0;
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
      if (curve.x[k] >= 0.0 && curve.y[k] < 0.0)
        build_.error(
            "CR-D310",
            fmt::format("{}: curve {} has a force of {} at a penetration of {}, and it must not pull", label_,
                        curve.id, curve.y[k], curve.x[k]),
            r_.place("LCID"));
      if (k > 0 && curve.x[k] > curve.x[k - 1])
        steepest = std::max(steepest, (curve.y[k] - curve.y[k - 1]) / (curve.x[k] - curve.x[k - 1]));
    }
    if (law.unloading < 0.0 || (law.unloading > 0.0 && law.unloading < steepest * (1.0 - 1e-9)))
      build_.error(
          "CR-D310",
          fmt::format("{}: US = {} is less than the slope of curve {}, {}: unloading would be softer "
                      "than loading and create energy",
                      label_, law.unloading, curve.id, steepest),
          r_.place("US"));
  }

  // With DT < 0 the contact does not act in dynamic relaxation, and the magnitudes of both are times of the
  // run. With BT < 0 its birth applies to dynamic relaxation only. With DT = -9999, BT is a curve of births
  // and deaths.
  void times(Contact& c) {
    c.birth = r_.real("BT");
    c.death = or_default(r_.real("DT"), kNever);
    const bool negative = c.birth < 0.0 || c.death < 0.0;
    if (negative && (c.death == -9999.0 || build_.model.control.relaxation.any()))
      build_.unsupported(fmt::format("{}: BT = {}, DT = {}: times that differ between dynamic relaxation and "
                                     "the run, or come from a curve",
                                     label_, c.birth, c.death),
                         r_.place(c.death < 0.0 ? "DT" : "BT"));
    if (c.death < 0.0) {
      c.birth = std::abs(c.birth);
      c.death = -c.death;
    } else {
      c.birth = std::max(c.birth, 0.0);
    }
  }

  // Segments of implicit runs push each other back with the same forces, whichever side looks for the other.
  void one_way(Contact& c) {
    constexpr int node_set = 4;
    if (k_.name() != "CONTACT_AUTOMATIC_ONE_WAY_SURFACE_TO_SURFACE" || c.input_a.type == node_set ||
        !build_.model.control.implicit.whole)
      return;
    c.type = ContactType::automatic_surface_to_surface;
    build_.warn(
        "CR-D330",
        fmt::format("{}: a contact of both surfaces, as *CONTACT_AUTOMATIC_SURFACE_TO_SURFACE: implicit "
                    "runs have contacts of segments with segments",
                    label_),
        r_.place());
  }

  void mortar_form(Contact& c) {
    if (c.soft != 0)
      build_.warn("CR-D330",
                  fmt::format("{}: SOFT = {} has no effect: the stiffness of a mortar contact is limited to "
                              "what is stable",
                              label_, c.soft),
                  r_.place("SOFT"));
    c.soft = kMortarForm;
  }

  void erosion(Contact& c) {
    c.symmetric = r_.integer("EROSION_ISYM") != 0;
    c.eroding = r_.integer("EROSOP") != 0;
    c.whole_boundary = r_.integer("IADJ") != 0;
    if (!c.eroding)
      build_.warn("CR-C017", fmt::format("{}: with EROSOP = 0 no inner faces come up", label_), c.place);
  }

  // DEPTH is used with SOFT = 2 only: other contacts always test all near segments.
  void depth(Contact& c) {
    const auto given = r_.integer("DEPTH");
    if (c.soft != 2 || c.type == ContactType::force_transducer) return;
    constexpr std::array<GlobalId, 12> known{0, 1, 2, 3, 5, 13, 23, 25, 33, 35, 45, 55};
    const bool has_segments = k_.name().find("ERODING") == std::string::npos &&
                              c.type != ContactType::automatic_general &&
                              !k_.name().ends_with("NODES_TO_SURFACE");
    if (!has_segments)
      build_.unsupported(fmt::format("{}: SOFT = 2 is for surfaces against surfaces", label_),
                         r_.place("SOFT"));
    if (std::find(known.begin(), known.end(), given) == known.end())
      build_.unsupported(fmt::format("{}: DEPTH = {}", label_, given), r_.place("DEPTH"));
    c.depth = given < 2 ? 2 : static_cast<int>(given % 10);
    if (given > 5)
      build_.warn("CR-D330", fmt::format("{}: DEPTH = {} is taken as {}", label_, given, c.depth),
                  r_.place("DEPTH"));
  }

  void tie(Contact& c) {
    if (k_.suffix("CONSTRAINED_OFFSET")) c.offset = TiedOffset::constrained;
    if (k_.suffix("BEAM_OFFSET")) c.offset = TiedOffset::beam;
    const bool by_penalty = k_.name().ends_with("SURFACE_OFFSET") || k_.suffix("PENALTY");
    if (by_penalty || c.type == ContactType::tied_shell_edge_to_solid) c.offset = TiedOffset::penalty;
    times(c);
    c.sta = r_.real("SAST");
    c.stb = r_.real("SBST");
    c.sfta = or_default(r_.real("SFSAT"), 1.0);
    c.sftb = or_default(r_.real("SFSBT"), 1.0);
    c.maxpar = or_default(r_.real("MAXPAR"), 1.025);
    c.backup = r_.integer("IPBACK") != 0 && c.offset != TiedOffset::penalty;
  }

  void tiebreak(Contact& c) {
    Tiebreak& law = c.tiebreak;
    c.only_ties = k_.name().ends_with("_ONLY");
    if (k_.name().starts_with("CONTACT_TIEBREAK_NODES_")) {
      law.failure = TieFailure::force;
      strengths(law, "NFLF", "SFLF", false);
      law.normal_power = or_default(r_.real("NEN"), 2.0);
      law.shear_power = or_default(r_.real("MES"), 2.0);
      for (const auto& [field, power] : {std::pair{"NEN", law.normal_power}, {"MES", law.shear_power}})
        if (power < 0.0)
          build_.error("CR-D310", fmt::format("{}: {} = {} is negative", label_, field, power),
                       r_.place(field));
    } else if (k_.name().starts_with("CONTACT_TIEBREAK_SURFACE_TO_SURFACE")) {
      law.failure = TieFailure::stress;
      strengths(law, "NFLS", "SFLS", false);
      if (r_.integer("TBLCID") != 0)
        build_.unsupported(
            fmt::format("{}: TBLCID, a resisting stress over the opening, is not supported", label_),
            r_.place("TBLCID"));
    } else {
      by_option(law);
    }
    if (law.failure == TieFailure::none) return;
    if (c.soft == 2)
      build_.unsupported(
          fmt::format("{}: SOFT = 2: segments against segments cannot leave out the nodes that are tied",
                      label_),
          r_.place("SOFT"));
    if (c.birth > 0.0)
      build_.unsupported(fmt::format("{}: BT = {}: ties begin at the start", label_, c.birth),
                         r_.place("BT"));
  }

  /// NFLS and SFLS, or forces; both are needed where a tie softens.
  void strengths(Tiebreak& law, const char* normal, const char* shear, bool both) {
    law.normal = r_.real(normal);
    law.shear = r_.real(shear);
    for (const auto& [field, value] : {std::pair{normal, law.normal}, {shear, law.shear}}) {
      if (value < 0.0)
        build_.unsupported(
            fmt::format("{}: {} = {}, a strength over the size of the element", label_, field, value),
            r_.place(field));
      else if (value == 0.0 && both)
        build_.error("CR-D310", fmt::format("{}: {} is 0, and it must be positive", label_, field),
                     r_.place(field));
    }
    if (law.normal == 0.0 && law.shear == 0.0 && !both)
      build_.warn("CR-D330", fmt::format("{}: without {} and {} its ties never fail", label_, normal, shear),
                  r_.place(normal));
  }

  void by_option(Tiebreak& law) {
    const auto option = or_default(r_.integer("OPTION"), 1);
    const double param = r_.real("PARAM");
    const auto positive = [&](const char* field) {
      const double value = r_.real(field);
      if (!(value > 0.0))
        build_.error(
            "CR-D310",
            fmt::format("{}: {} = {} must be positive with OPTION = {}", label_, field, value, option),
            r_.place(field));
      return value;
    };
    const auto not_done = [&](const char* why) {
      build_.unsupported(fmt::format("{}: OPTION = {}, {}", label_, option, why), r_.place("OPTION"));
    };
    switch (option) {
      case 2:
        law.failure = TieFailure::stress;
        if (param == 1.0) not_done("PARAM = 1, contact without the thickness of shells, is not supported");
        return strengths(law, "NFLS", "SFLS", false);
      case 4:
        law.failure = TieFailure::normal;
        if (param == 1.0) not_done("PARAM = 1, a limit of friction without a normal force, is not supported");
        law.normal = positive("NFLS");
        return;
      case 6:
      case 8:
        law.failure = TieFailure::distance;
        law.distance = positive("PARAM");
        return strengths(law, "NFLS", "SFLS", true);
      case 9:
      case 11:
        law.failure = TieFailure::energy;
        law.exponent = param == 0.0 ? 1.0 : std::abs(param);
        law.benzeggagh_kenane = param < 0.0;
        law.energy_1 = positive("ERATEN");
        law.energy_2 = positive("ERATES");
        law.ratio = or_default(r_.real("CT2CN"), 1.0);
        law.stiffness = r_.real("CN");
        return strengths(law, "NFLS", "SFLS", true);
      case 1:
      case 3:
        return not_done("nodes that stick when they come into contact later, is not supported");
      case 5:
        return not_done("plastic yield and a curve of damage over the opening, is not supported");
      case 7:
      case 10:
        return not_done("the discrete crack model with a friction angle, is not supported; 9 and 11 are");
      case 13:
      case 14:
        return not_done("the elastoplastic law of *MAT_240, is supported in cohesive elements only");
      default:
        return option < 0
                   ? not_done("which transfers moments or depends on temperature, is not supported")
                   : build_.error("CR-D310", fmt::format("{}: OPTION = {} has no meaning", label_, option),
                                  r_.place("OPTION"));
    }
  }

  // Automatic contacts always use thickness, the others only if SHLTHK is set.
  void thickness(Contact& c) {
    if (c.forming) return forming(c);
    if (c.type != ContactType::surface_to_surface && c.type != ContactType::nodes_to_surface) return;
    for (const char* field : {"SAST", "SBST", "SFSAT", "SFSBT"})
      if (const double given = r_.real(field); c.shlthk == 0 && given != 0.0 && given != 1.0)
        build_.warn(
            "CR-D330",
            fmt::format("{}: {} = {} has no effect: SHLTHK = 0 leaves thickness out", label_, field, given),
            r_.place(field));
    if (c.shlthk == 0) c.sta = c.stb = c.sfta = c.sftb = 0.0;
    if (c.shlthk == 1 && !build_.model.rigid_bodies.empty())
      build_.warn("CR-D330",
                  fmt::format("{}: SHLTHK = 1 is taken as 2: rigid bodies have thickness too", label_),
                  c.place);
  }

  Builder& build_;
  const Keyword& k_;
  const Record& r_;
  const ContactKeyword& kind_;
  std::string label_;
};

/// THKCHG: single surfaces would follow the change of shells' thickness.
void check_thickness_change(Builder& build, const Defaults& defaults) {
  if (defaults.thkchg == 0) return;
  const Model& model = build.model;
  const bool single = std::ranges::any_of(model.contacts, [](const Contact& c) { return is_single(c.type); });
  if (single && model.control.istupd != 0)
    return build.unsupported(fmt::format("*CONTROL_CONTACT: THKCHG = {}: single surfaces have the initial "
                                         "thickness of shells that become thinner",
                                         defaults.thkchg),
                             defaults.thkchg_place);
  build.warn("CR-D330",
             fmt::format("*CONTROL_CONTACT: THKCHG = {} has no effect: {}", defaults.thkchg,
                         single ? "with ISTUPD = 0 shells keep their thickness"
                                : "there is no contact of a single surface"),
             defaults.thkchg_place);
}

/// *CONTACT_INTERIOR: its part sets; their attributes are its parameters.
void read_interiors(Builder& build) {
  for (const Keyword& k : build.deck.all("CONTACT_INTERIOR"))
    for (const Record& r : k.records())
      for (std::size_t row = 0; row < r.rows(); ++row)
        for (std::size_t column = 0; column < 8; ++column) {
          const GlobalId id = r.integer(row, column);
          if (id == 0) continue;
          const PartSet* const set = build.find_part_set(id, Builder::star(k), r.row_place(row));
          if (set == nullptr) continue;
          InteriorContact& interior = build.model.interiors.emplace_back();
          interior.parts = set->parts;
          for (const LocalId part : set->parts)
            if (is_cohesive_part(build.model, part))
              build.unsupported(
                  fmt::format("{}: part {} of part set {} has cohesive elements, which may have no "
                              "thickness and carry compression by themselves",
                              Builder::star(k), build.model.parts[static_cast<std::size_t>(part)].id, id),
                  r.row_place(row));
          interior.scale = or_default(set->attributes[0], 1.0);
          interior.activation = or_default(set->attributes[1], 0.1);
          interior.modulus = set->attributes[2];
          interior.form = set->attributes[3] == 2.0 ? 2 : 1;
          if (!(interior.scale > 0.0) || !(interior.activation > 0.0 && interior.activation < 1.0))
            build.error("CR-D310",
                        fmt::format("{}: part set {} has a scale of {} and an activation factor of {}; the "
                                    "one must be positive, the other between 0 and 1",
                                    Builder::star(k), id, interior.scale, interior.activation),
                        r.row_place(row));
        }
}

}  // namespace

void Builder::read_contacts() {
  read_interiors(*this);
  const Defaults defaults = read_defaults(*this);
  std::size_t number = 0;
  for (const Keyword& k : deck.family("CONTACT_")) {
    const auto kind = std::find_if(kContacts.begin(), kContacts.end(),
                                   [&](const ContactKeyword& c) { return k.name() == c.name; });
    if (kind == kContacts.end()) continue;
    for (const Record& r : k.records()) ContactReader(*this, k, r, *kind).read(++number, defaults);
  }
  check_thickness_change(*this, defaults);
  if (const auto& rubs = [](const Contact& c) { return c.pairs.given; };
      !defaults.friction.empty() && std::ranges::none_of(model.contacts, rubs))
    warn("CR-D330", "*DEFINE_FRICTION has no effect: no contact has FS = -2",
         deck.all("DEFINE_FRICTION").front().place());
  for (const NamedContact& named : awaited_contacts) {
    const auto of = std::ranges::find(model.contacts, named.id, &Contact::id);
    if (of == model.contacts.end())
      missing("CR-D304", "contact", fmt::format("{}: contact {} does not exist", named.by, named.id),
              named.place);
    else if (is_tied(of->type) || of->measures_ties || of->tiebreak.failure != TieFailure::none)
      unsupported(fmt::format("{}: forces of tied contacts are not measured in each step, which is not "
                              "supported",
                              named.by),
                  named.place);
  }
}

}  // namespace crumple::model
