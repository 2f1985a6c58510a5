// Fields of optional cards of *CONTACT that refine a contact, and their defaults.
#include "model/contact_refinements.hpp"

#include <fmt/format.h>

#include "model/mortar_form.hpp"
#include "model/shell_offsets.hpp"

namespace crumple::model {
namespace {

bool has_fronts(const Contact& contact) {
  return contact.type == ContactType::surface_to_surface || contact.type == ContactType::nodes_to_surface;
}

class RefinementReader {
 public:
  RefinementReader(Builder& build, const std::string& name, const Record& record, const std::string& label,
                   Contact& contact)
      : build_(build), name_(name), r_(record), label_(label), c_(contact) {}

  void read(const RefinementDefaults& defaults) {
    const bool own = r_.integer("ISYM") == 1;
    c_.symmetric = c_.symmetric || own || defaults.symmetric;
    solids();
    segment_based();
    ignored_thickness();
    planes(defaults.reference_planes);
  }

 private:
  void no_effect(const char* field, double given, const char* why) {
    build_.warn("CR-D330", fmt::format("{}: {} = {} has no effect: {}", label_, field, given, why),
                r_.place(field));
  }
  void unsupported(const char* field, double given, const char* why) {
    build_.unsupported(fmt::format("{}: {} = {}: {}", label_, field, given, why), r_.place(field));
  }
  bool is_mortar_contact() const { return is_mortar(c_) || build_.model.control.implicit.active; }

  /// SLDTHK: solids are touched half of it in front of their faces, as if null shells of this thickness
  /// covered them. SLDSTF takes the place of their bulk modulus.
  void solids() {
    for (const auto& [field, value] :
         {std::pair{"SLDTHK", &c_.solid_thickness}, std::pair{"SLDSTF", &c_.solid_modulus}}) {
      const double given = r_.real(field);
      if (given == 0.0) continue;
      if (given < 0.0)
        unsupported(field, given, "a negative value");
      else if (is_mortar_contact())
        unsupported(field, given, "what solids of mortar contacts do with it is not supported");
      else
        *value = given;
    }
    if (c_.solid_thickness > 0.0 && c_.forming) {
      unsupported("SLDTHK", c_.solid_thickness, "solids of forming contacts have no thickness");
      c_.solid_thickness = 0.0;
    } else if (c_.solid_thickness > 0.0 && has_fronts(c_) && c_.shlthk == 0) {
      no_effect("SLDTHK", c_.solid_thickness, "SHLTHK = 0 leaves thickness out");
      c_.solid_thickness = 0.0;
    }
    if (c_.solid_modulus > 0.0 && c_.soft == 2)
      no_effect("SLDSTF", c_.solid_modulus, "with SOFT = 2 masses and the step give the stiffness");
  }

  void segment_based() {
    scale("FRICSF", c_.friction_scale, c_.soft == 2, "it is for SOFT = 2");
    scale("EDGEK", c_.edge_scale, c_.soft == 2 && c_.depth == 5,
          "it is for edges against edges with SOFT = 2 and DEPTH = 5, 15, 25 or 35");
    const double step = r_.real("DTSTIF");
    if (step < 0.0)
      no_effect("DTSTIF", step, "the stiffness follows the largest step so far");
    else if (step > 0.0 && c_.soft != 1 && c_.soft != 2)
      no_effect("DTSTIF", step, "it is for SOFT = 1 and 2");
    else
      c_.stiffness_step = step;
  }
  void scale(const char* field, double& scale, bool applies, const char* what_for) {
    const double given = r_.real(field);
    if (given == 0.0 || given == 1.0) return;
    if (given < 0.0) return unsupported(field, given, "a negative value");
    if (!applies) return no_effect(field, given, what_for);
    scale = given;
  }

  void ignored_thickness() {
    const auto given = r_.integer("IGNROFF");
    if (given == 0 || c_.type == ContactType::force_transducer) return;
    const auto value = static_cast<double>(given);
    if (is_single(c_.type))
      return unsupported("IGNROFF", value, "without thickness nodes of a single surface find no segments");
    if (is_mortar_contact()) return unsupported("IGNROFF", value, "it is not supported in mortar contacts");
    if (c_.forming)
      return no_effect("IGNROFF", value, "the mesh of a tool is its surface, and a sheet has its thickness");
    c_.ignroff = static_cast<int>(given);
  }

  /// CNTCO, or 1 with SHLOFF = 1.
  void planes(int general) {
    const bool own = r_.real("SHLOFF") == 1.0;
    const int planes = own ? 1 : general;
    if (planes == 0 || c_.type == ContactType::force_transducer || !any_middle_offset(build_.model)) return;
    const char* const field = own ? "SHLOFF" : "CNTCO";
    const auto refuse = [&](const char* why) {
      build_.unsupported(
          fmt::format("{}: {} = {} with shells that have an offset: {}", label_, field, planes, why),
          own ? r_.place("SHLOFF") : c_.place);
    };
    if (is_mortar_contact())
      return build_.warn("CR-D330",
                         fmt::format("{}: {} = {} has no effect on mortar contacts", label_, field, planes),
                         c_.place);
    if (c_.forming) return refuse("forming contacts have the surfaces of their meshes");
    if (name_.find("TIEBREAK") != std::string::npos) return refuse("ties hold nodes where they are");
    if (c_.beams_on_surface || c_.type == ContactType::automatic_general || (c_.soft == 2 && c_.depth == 5))
      return refuse("edges of shells are where their nodes are");
    c_.reference_planes = planes;
    c_.nodes_stay = name_.ends_with("_NODES_TO_SURFACE");
  }

  Builder& build_;
  const std::string& name_;
  const Record& r_;
  const std::string& label_;
  Contact& c_;
};

}  // namespace

RefinementDefaults read_refinement_defaults(const Builder& build) {
  RefinementDefaults d;
  for (const Keyword& k : build.deck.all("CONTROL_SHELL"))
    for (const Record& r : k.records()) d.reference_planes = static_cast<int>(r.integer("CNTCO"));
  for (const Keyword& k : build.deck.all("CONTROL_CONTACT"))
    for (const Record& r : k.records()) d.symmetric = r.integer("ISYM") == 1;
  return d;
}

void read_thickness_option(Builder& build, const Record& record, const std::string& label, Contact& contact) {
  const auto option = record.integer("THKOPT");
  if (option == 0) return;
  if (!has_fronts(contact) || contact.forming) {
    if (option == 2)
      build.warn("CR-D330",
                 fmt::format("{}: THKOPT = 2 has no effect: thickness always counts in this contact", label),
                 record.place("THKOPT"));
  } else if (option == 2) {
    contact.shlthk = 0;
  } else if (option == 1 && contact.shlthk == 0) {
    build.warn("CR-D330", fmt::format("{}: THKOPT = 1 has no effect: SHLTHK = 0 leaves thickness out", label),
               record.place("THKOPT"));
  }
}

void read_refinements(Builder& build, const std::string& name, const Record& record, const std::string& label,
                      const RefinementDefaults& defaults, Contact& contact) {
  RefinementReader(build, name, record, label, contact).read(defaults);
}

}  // namespace crumple::model
