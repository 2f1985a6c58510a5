// Names of LS-DYNA's keywords: known ones have a reason, unknown ones are misspelt, proposals mean the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <vector>

#include "deck/nearest_name.hpp"
#include "deck_files.hpp"

namespace crumple::deck {
namespace {

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

/// Why a name is not read; empty where it is read or unknown.
std::string reason(const std::string& name) {
  const Schema::Match match = builtin_schema().find(name);
  if (!match.entry) return match.refused_option;
  const bool readable = match.entry->support == Support::yes || match.entry->support == Support::partial;
  return readable ? "" : match.entry->why;
}

TEST(Names, EverydayKeywordsThatAreNotReadHaveAReason) {
  for (const std::string& name : words(R"(
      MAT_SIMPLIFIED_RUBBER/FOAM_WITH_FAILURE_TITLE MAT_SAMP_LIGHT MAT_SAMP_1 MAT_187L
      MAT_ADD_DAMAGE MAT_NONLOCAL MAT_ADD_SOC_EXPANSION
      MAT_ADD_GENERALIZED_DAMAGE MAT_FU_CHANG_FOAM_DAMAGE_DECAY
      MAT_GURSON_JC MAT_120_RCDC MAT_TABULATED_JOHNSON_COOK_GYS MAT_224_GYS MAT_HILL_3R_TABULATED MAT_122_3D MAT_BARLAT_YLD2004 MAT_143
      MAT_WOOD_PINE MAT_072R3 MAT_LAMINATED_COMPOSITE_FABRIC_SOLID MAT_058_SOLID MAT_COHESIVE_PAPER MAT_279 MAT_240_THERMAL
      MAT_HIGH_EXPLOSIVE_BURN MAT_008 MAT_VACUUM MAT_140 MAT_ELASTIC_WITH_VISCOSITY
      MAT_T01 MAT_THERMAL_ISOTROPIC MAT_S13 MAT_059
      MAT_024_LOG_INTERPOLATION MAT_PIECEWISE_LINEAR_PLASTICITY_STOCHASTIC_TITLE MAT_SPOTWELD_DAMAGE-FAILURE
      EOS_JWL EOS_002 EOS_IDEAL_GAS_TITLE EOS_MIE_GRUNEISEN EOS_IGNITION_AND_GROWTH_OF_REACTION_IN_HE
      ALE_MULTI-MATERIAL_GROUP ALE_STRUCTURED_MESH CONSTRAINED_LAGRANGE_IN_SOLID_TITLE INITIAL_VOLUME_FRACTION_GEOMETRY
      SECTION_SOLID_EFG SECTION_SHELL_EFG_TITLE SECTION_SOLID_SPG SECTION_POINT_SOURCE_MIXTURE
      ICFD_CONTROL_TIME ICFD_BOUNDARY_PRESCRIBED_VEL MESH_VOLUME CESE_CONTROL_SOLVER EM_CONTROL EM_SOLVER_BEM
      CONTROL_THERMAL_SOLVER CONTROL_THERMAL_NONLINEAR BOUNDARY_TEMPERATURE_SET BOUNDARY_CONVECTION_SEGMENT
      LOAD_THERMAL_TOPAZ LOAD_THERMAL_BINOUT LOAD_THERMAL_VARIABLE_SHELL INITIAL_TEMPERATURE_SET LOAD_HEAT_GENERATION_SOLID
      SENSOR_DEFINE_ELEMENT_SET SENSOR_DEFINE_NODE_UPDATE SENSOR_SWITCH_SHELL_TO_VENT
      AIRBAG_HYBRID_CHEMKIN AIRBAG_HYBRID_JETTING_ID AIRBAG_PARTICLE_ID AIRBAG_WANG_NEFSKE_JETTING_ID AIRBAG_PARTICLE
      AIRBAG_SHELL_REFERENCE_GEOMETRY AIRBAG_FLUID_AND_GAS
      CONTACT_TIED_SURFACE_TO_SURFACE_FAILURE
      CONTACT_AUTOMATIC_SINGLE_SURFACE_THERMAL CONTACT_DRAWBEAD CONTACT_2D_AUTOMATIC_SINGLE_SURFACE
      CONTACT_AUTOMATIC_SURFACE_TO_SURFACE_MORTAR_TIED_ID CONTACT_GUIDED_CABLE CONTACT_NODES_TO_SURFACE_INTERFERENCE
      CONSTRAINED_SPR3 CONSTRAINED_BEAM_IN_SOLID CONSTRAINED_JOINT_HARMONIC CONSTRAINED_NODAL_RIGID_BODY_OVERRIDE
      BOUNDARY_CYCLIC BOUNDARY_SPH_SYMMETRY_PLANE BOUNDARY_PRESCRIBED_ORIENTATION_RIGID_VECTOR
      LOAD_BLAST LOAD_BEAM_SET LOAD_MASK LOAD_BRODE INITIAL_DETONATION INITIAL_STRESS_TSHELL
      ELEMENT_SOLID_H20 ELEMENT_SHELL_DOF ELEMENT_BEAM_PULLEY ELEMENT_DISCRETE_SPHERE
      ELEMENT_TSHELL_BETA PART_MODES PART_ANNEAL PART_STACKED_ELEMENTS NODE_MERGE
      DEFINE_CPM_VENT DEFINE_CONNECTION_PROPERTIES DEFINE_DE_BOND DEFINE_TABLE_4D
      DEFINE_ELEMENT_DEATH_THICK_SHELL DEFINE_FORMING_CLAMP DEFINE_SPH_INJECTION DEFINE_FILTER DEFINE_HAZ_PROPERTIES
      SET_PART_GENERAL SET_MULTI-MATERIAL_GROUP_LIST SET_BOX SET_SEGMENT_INTERSECT
      RIGIDWALL_GEOMETRIC_CYLINDER_DEFORM RIGIDWALL_GEOMETRIC_CYLINDER_INTERIOR_DISPLAY_ID
      CONTROL_FORMING_ONESTEP CONTROL_IMPLICIT_MODES CONTROL_IMPLICIT_FORMING CONTROL_ALE CONTROL_CPM
      CONTROL_REFINE_SHELL CONTROL_FREQUENCY_DOMAIN CONTROL_COUPLING CONTROL_NONLOCAL CONTROL_STAGED_CONSTRUCTION
      DATABASE_FSI DATABASE_PLLYOUT DATABASE_CPM_SENSOR DATABASE_FREQUENCY_BINARY_D3PSD
      DATABASE_RCFORC_MOMENT DATABASE_PRTUBE DATABASE_MAX_SHELL
      FREQUENCY_DOMAIN_FRF FREQUENCY_DOMAIN_SSD FATIGUE INTERFACE_COMPONENT_FILE INTERFACE_LINKING_EDGE
      INTERFACE_SPRINGBACK_NASTRAN INTERFACE_COMPENSATION_NEW INCLUDE_STAMPED_SET INCLUDE_NASTRAN CHANGE_CURVE_DEFINITION
      DELETE_PART MODULE_USE PERTURBATION_NODE
      USER_LOADING COMPONENT_HYBRIDIII RAIL_TRACK IGA_SHELL LSO_DOMAIN PARTICLE_BLAST BATTERY_ECHEM_CELL_GEOMETRY
      DATABASE_SPRING_FORWARD)"))
    EXPECT_FALSE(reason(name).empty()) << name;
}

TEST(Names, WhatIsAResultIsRefused) {
  for (const char* const name : {"INTERFACE_SPRINGBACK_EXCLUDE", "DATABASE_SPRING_FORWARD"})
    EXPECT_EQ(builtin_schema().find(name).entry->support, Support::refused) << name;
}

TEST(Names, OptionsStandInAnyOrder) {
  for (const char* const name :
       {"RIGIDWALL_PLANAR_FINITE_MOVING_DISPLAY_ID", "RIGIDWALL_PLANAR_ID_DISPLAY_MOVING_FINITE",
        "CONTACT_AUTOMATIC_SINGLE_SURFACE_ID_MPP", "CONTACT_AUTOMATIC_SINGLE_SURFACE_MPP_TITLE",
        "PART_PRINT_INERTIA", "PART_AVERAGED", "ELEMENT_SHELL_OFFSET_THICKNESS",
        "CONSTRAINED_NODAL_RIGID_BODY_TITLE_INERTIA_SPC"}) {
    const Schema::Match match = builtin_schema().find(name);
    ASSERT_NE(match.entry, nullptr) << name;
    EXPECT_NE(match.entry->support, Support::refused) << name;
  }
}

TEST(Names, EveryKnownNameIsItself) {
  std::size_t by_name = 0;
  for (const EntrySchema& entry : builtin_schema().entries()) {
    EXPECT_EQ(builtin_schema().find(entry.name).entry, &entry) << entry.name;
    by_name += entry.by_name;
    const bool readable = entry.support == Support::yes || entry.support == Support::partial;
    EXPECT_TRUE(readable || !entry.why.empty()) << entry.name;
    EXPECT_EQ(entry.why.find("not there"), std::string::npos) << entry.name;
    for (const CardSchema& card : entry.cards)
      for (const FieldSchema& field : card.fields) {
        if (field.support == Support::yes) continue;
        EXPECT_FALSE(field.why.empty()) << entry.name << " " << field.name;
        EXPECT_EQ(field.why.find("not there"), std::string::npos) << entry.name << " " << field.name;
        EXPECT_TRUE(field.support == Support::ignored || entry.support != Support::yes)
            << entry.name << " " << field.name;
      }
  }
  EXPECT_GT(by_name, 2000u);
}

TEST(Names, MisspeltOnesAreProposed) {
  const std::vector<std::pair<const char*, const char*>> cases{
      {"CONTROL_TERMNATION", "CONTROL_TERMINATION"},
      {"CONTROL_TIMESETP", "CONTROL_TIMESTEP"},
      {"ELEMNT_SHELL", "ELEMENT_SHELL"},
      {"NODES", "NODE"},
      {"SET_SHEL_LIST", "SET_SHELL_LIST"},
      {"SET_NODES_LIST", "SET_NODE_LIST"},
      {"MAT_24", "MAT_024"},
      {"INITIAL_VELOCITYNODE", "INITIAL_VELOCITY_NODE"},
      {"SECTIONSHELL", "SECTION_SHELL"},
      {"PARAMETR", "PARAMETER"},
      {"CONTACT_AUTOMATIC_SNGLE_SURFACE", "CONTACT_AUTOMATIC_SINGLE_SURFACE"},
      {"PART_COMPOSIT", "PART_COMPOSITE"}};
  for (const auto& [wrong, right] : cases) {
    EXPECT_EQ(builtin_schema().find(wrong).entry, nullptr) << wrong;
    EXPECT_EQ(nearest_keyword(builtin_schema(), wrong), right) << wrong;
  }
}

TEST(Names, OtherPhysicsIsNeverProposed) {
  for (const char* const name :
       {"CONTACT_TIED_SURFACE_TO_SURFACE_SPLIT", "LOAD_BODY_Q", "MAT_999", "MAT_055X", "SET_SOLID_ROWS",
        "CONTACT_ERODING_EDGE", "MAT_PLASTIC_THERMAL", "LOAD_SHELL_NODE", "BOUNDARY_SPC_SHELL",
        "SECTION_NODE", "CONTACT_TIED_SHELL_NODE_TO_SURFACE", "INITIAL_VELOCITY_SHELL"}) {
    EXPECT_EQ(builtin_schema().find(name).entry, nullptr) << name;
    EXPECT_EQ(nearest_keyword(builtin_schema(), name), "") << name;
  }
  // The last word of a name exchanged for another known one is not misspelt.
  const auto& entries = builtin_schema().entries();
  for (std::size_t i = 0; i + 7 < entries.size(); i += 97) {
    const std::string &a = entries[i].name, &b = entries[i + 7].name;
    const std::string name = a.substr(0, a.rfind('_')) + b.substr(std::min(b.rfind('_'), b.size()));
    if (name.rfind('_') == std::string::npos || builtin_schema().find(name).entry) continue;
    const std::string proposed = nearest_keyword(builtin_schema(), name);
    if (proposed.empty()) continue;
    EXPECT_LE(edits(name, proposed), 1u) << name << " -> " << proposed;  // the S of a plural
  }
}

TEST(Families, AreCheckedAsEntriesAre) {
  const auto made = [](const std::string& text) { return Schema(std::array<std::string, 1>{text}); };
  const Schema good = made(R"json({"@known": [{"why": "no flow", "names": ["FLOW_: IN OUT", "PUMP"]}],
      "@options": [{"of": ["WALL"], "options": ["WET"], "why": "no water"}],
      "WALL": {"support": "yes", "suffixes": ["ID"], "cards": [{"name": "1", "fields": [["N", "I"]]}]}})json");
  EXPECT_EQ(good.find("FLOW_OUT_ID").entry->why, "no flow");
  EXPECT_EQ(good.find("PUMP").entry->support, Support::refused);
  EXPECT_EQ(good.find("WALL_WET_ID").refused_option, "no water");
  EXPECT_EQ(good.find("WALL_ID_WET").refused_option, "no water");
  EXPECT_NE(good.find("WALL_ID").entry, nullptr);
  EXPECT_EQ(good.find("WALL_DRY").refused_option, "");
  EXPECT_THROW(made(R"json({"@known": [{"names": ["A"]}]})json"), Error);
  EXPECT_THROW(made(R"json({"@known": [{"why": "x", "support": "yes", "names": ["A"]}]})json"), Error);
  EXPECT_THROW(made(R"json({"@known": [{"why": "x", "names": ["A A"]}]})json"), Error);
  EXPECT_THROW(made(R"json({"@known": [{"why": "x", "nams": ["A"]}]})json"), Error);
}

}  // namespace
}  // namespace crumple::deck
