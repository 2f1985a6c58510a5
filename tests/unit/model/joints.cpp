// Joints, airbags and interpolated nodes: what is read and what is refused.
#include <gtest/gtest.h>

#include <map>

#include "built_deck.hpp"
#include "constraints/joint_stiffness/joint_stiffness.hpp"
#include "constraints/joints/joint.hpp"
#include "loads/airbag/airbag.hpp"

namespace crumple::model {
namespace {

using constraints::Joint;
using constraints::JointType;

// Two rigid parts at x = 10 and x = 20 with nodes for a joint between them.
const char* const kBodies = R"(*NODE
21,10,0,0
22,11,0,0
23,11,1,0
24,10,1,0
31,20,0,0
32,21,0,0
33,21,1,0
34,20,1,0
41,15,0,0
42,15,0,0
43,15,2,0
44,15,2,0
45,15,0,3
46,15,0,3
47,16,2,0
48,15,0.01,0
*ELEMENT_SHELL
31,2,21,22,23,24
41,3,31,32,33,34
*PART
second
2,1,2
*PART
third
3,1,2
*MAT_RIGID
2,1.0,100.0,0.3
0.

*SET_NODE_LIST
2
41,43,45
*SET_NODE_LIST
3
42,44,46,47,48
*CONSTRAINED_EXTRA_NODES_SET
2,2
3,3
)";

BuiltDeck bodies_and(const std::string& more) { return plate_and(kBodies + more); }

TEST(Joints, ReadTheirNodesAndScales) {
  const BuiltDeck d = bodies_and(
      "*CONSTRAINED_JOINT_REVOLUTE_ID\n7,hinge\n41,42,43,44,0,0,0.5,0.005\n"
      "*CONSTRAINED_JOINT_SPHERICAL_LOCAL\n41,42\n3,0\n*CONSTRAINED_JOINT_TRANSLATIONAL\n41,42,43,44,45,"
      "46\n");
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.features.of<constraints::Joint>().size(), 3u);
  const Joint &ball = d.model.features.of<constraints::Joint>()[0],
              &hinge = d.model.features.of<constraints::Joint>()[1],
              &slider = d.model.features.of<constraints::Joint>()[2];
  EXPECT_EQ(ball.type, JointType::spherical);
  EXPECT_EQ(ball.results_body, 1);
  EXPECT_EQ(ball.stiffness_scale, 1.0);
  EXPECT_EQ(ball.damping_scale, 1.0);
  EXPECT_EQ(hinge.type, JointType::revolute);
  EXPECT_EQ(hinge.id, 7);
  EXPECT_EQ(hinge.title, "hinge");
  EXPECT_EQ(hinge.bodies, (std::array<LocalId, 2>{0, 1}));
  EXPECT_EQ(hinge.stiffness_scale, 0.5);
  EXPECT_EQ(hinge.damping_scale, 0.0);
  EXPECT_EQ(hinge.points[2], (Vec3{15, 2, 0}));
  EXPECT_EQ(slider.points[5], (Vec3{15, 0, 3}));
}

TEST(Joints, AreRefusedWithAReason) {
  const auto joint = [](const std::string& kind, const std::string& cards) {
    return bodies_and("*CONSTRAINED_JOINT_" + kind + "\n" + cards + "\n");
  };
  EXPECT_TRUE(joint("REVOLUTE", "41,42,43,99").reported("CR-D303"));
  EXPECT_TRUE(joint("REVOLUTE", "41,42,43,5").reported("node 5 is on no rigid body"));
  EXPECT_TRUE(joint("REVOLUTE", "41,42,44,43").reported("node 44 is not on the rigid body of N1"));
  EXPECT_TRUE(joint("SPHERICAL", "41,43").reported("it has no effect"));
  EXPECT_TRUE(joint("REVOLUTE", "41,42,41,42").reported("are at one place"));
  EXPECT_TRUE(joint("UNIVERSAL", "41,42,43,44").reported("are not perpendicular"));
  EXPECT_EQ(joint("UNIVERSAL", "41,42,43,46").problems(), "");
  EXPECT_TRUE(joint("TRANSLATIONAL", "41,42,43,44,43,44").reported("N5 is on the line"));
  EXPECT_TRUE(joint("REVOLUTE", "41,48,43,44").reported("N1 and N2 are 0.01 apart"));
  EXPECT_TRUE(joint("REVOLUTE", "41,42,43,44,0,0,9.").reported("3 is taken"));
  EXPECT_TRUE(joint("REVOLUTE", "41,42,43,44,0,0,-1.").reported("RPS = -1 is negative"));
  EXPECT_TRUE(joint("REVOLUTE_FAILURE", "41,42,43,44\n0,2.0\n-10.").reported("NXX = -10 is negative"));
  EXPECT_TRUE(joint("REVOLUTE_FAILURE", "41,42,43,44\n6,2.0\n10.").reported("CR-D304"));
}

const char* const kMotorCurve = "*DEFINE_CURVE\n5\n0.,0.\n1.,2.\n";

TEST(Joints, OfMechanisms) {
  const BuiltDeck d = bodies_and(
      std::string(kMotorCurve) +
      "*CONSTRAINED_JOINT_GEARS_ID\n7,gears\n41,42,43,44,45\n2.5,0,0,12.\n"
      "*CONSTRAINED_JOINT_PULLEY\n41,42,43,44,45\n0.5\n"
      "*CONSTRAINED_JOINT_RACK_AND_PINION\n41,42,43,44\n-3.\n*CONSTRAINED_JOINT_SCREW\n41,42,43,44\n4.\n"
      "*CONSTRAINED_JOINT_ROTATIONAL_MOTOR\n41,42,43,44\n0.,5,2\n"
      "*CONSTRAINED_JOINT_TRANSLATIONAL_MOTOR_FAILURE\n41,42,43,44\n0.,5,1\n0,3.5\n0.\n"
      "*CONSTRAINED_JOINT_LOCKING\n41,42,43,44,45,46\n*CONSTRAINED_JOINT_PLANAR\n41,42,43,44\n");
  EXPECT_EQ(d.problems(), "");
  std::map<JointType, Joint> of;
  for (const Joint& joint : d.model.features.of<Joint>()) of[joint.type] = joint;
  ASSERT_EQ(of.size(), 8u);
  EXPECT_EQ(of[JointType::gears].ratio, 2.5);
  EXPECT_EQ(of[JointType::gears].radius, 12.0);
  EXPECT_EQ(of[JointType::pulley].radius, 0.0);
  EXPECT_EQ(of[JointType::pulley].points[4], (Vec3{15, 0, 3}));
  EXPECT_EQ(of[JointType::rack_and_pinion].ratio, -3.0);
  EXPECT_EQ(of[JointType::screw].ratio, 4.0);
  EXPECT_EQ(of[JointType::rotational_motor].curve, 0);
  EXPECT_EQ(of[JointType::rotational_motor].motion, 2);
  EXPECT_EQ(of[JointType::translational_motor].motion, 1);
  EXPECT_EQ(of[JointType::translational_motor].failure_time, 3.5);
  EXPECT_EQ(of[JointType::locking].failure_time, kNever);
}

TEST(Joints, OfMechanismsAreRefusedWithAReason) {
  const auto joint = [](const std::string& kind, const std::string& cards) {
    return bodies_and(kMotorCurve + ("*CONSTRAINED_JOINT_" + kind) + "\n" + cards + "\n");
  };
  EXPECT_TRUE(joint("GEARS", "41,42,43,44,45,46\n0.").reported("PARM is 0"));
  EXPECT_TRUE(joint("GEARS", "41,42,43,44,41,46\n2.").reported("N1 and N5 are at one place"));
  EXPECT_TRUE(joint("GEARS", "41,42,43,44,45,46\n2.,0,0,-1.").reported("R1 = -1 is negative"));
  EXPECT_TRUE(joint("GEARS", "41,42,43,44,45,46\n2.,0,0,1.,20.").reported("CR-D203"));
  EXPECT_TRUE(joint("SCREW", "41,42,43,46\n2.").reported("have different directions"));
  EXPECT_TRUE(joint("PLANAR", "41,42,43,46").reported("have different directions"));
  EXPECT_TRUE(joint("LOCKING", "41,42,43,44,43,44").reported("N5 is on the line"));
  EXPECT_TRUE(joint("ROTATIONAL_MOTOR", "41,42,43,44\n0.,6,0").reported("CR-D304"));
  EXPECT_TRUE(joint("ROTATIONAL_MOTOR", "41,42,43,44\n0.,5,3").reported("TYPE = 3 is none of"));
}

TEST(Joints, FailByForcesAlongFixedAxes) {
  const BuiltDeck d = bodies_and(
      "*DEFINE_COORDINATE_SYSTEM\n7,0.,0.,0.,0.,1.,0.\n-1.,0.,0.\n"
      "*CONSTRAINED_JOINT_SPHERICAL_FAILURE\n41,42\n7,2.0,1.\n10.,0.,30.,0.,50.,60.\n");
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.features.of<Joint>().size(), 1u);
  const Joint& joint = d.model.features.of<Joint>()[0];
  EXPECT_EQ(joint.failure_time, 2.0);
  EXPECT_TRUE(joint.fails_by_force());
  EXPECT_TRUE(joint.strength.apart);
  EXPECT_EQ(joint.strength.force, (std::array{10.0, 0.0, 30.0}));
  EXPECT_EQ(joint.strength.moment, (std::array{0.0, 50.0, 60.0}));
  EXPECT_NEAR(joint.strength.axes[0].y, 1.0, 1e-15);
}

TEST(JointStiffness, ReadsFlexionAndTorsion) {
  const BuiltDeck d = bodies_and(
      "*DEFINE_CURVE\n5\n-4.,-2.\n4.,2.\n*DEFINE_CURVE\n6\n-4.,1.\n4.,1.\n"
      "*CONSTRAINED_JOINT_STIFFNESS_FLEXION-TORSION\n1,2,3\n5,6,5,5,6,5\n191.,80.,7.,-5.\n90.,-45.,30.\n");
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.features.of<constraints::JointStiffness>().size(), 1u);
  const constraints::JointStiffness& s = d.model.features.of<constraints::JointStiffness>()[0];
  EXPECT_EQ(s.kind, constraints::StiffnessKind::flexion_torsion);
  EXPECT_EQ(s.moments[0].curve, 0);
  EXPECT_EQ(s.moments[0].friction, 80.0);
  EXPECT_NEAR(s.moments[0].upper_stop, 1.5707963267948966, 1e-15);
  EXPECT_EQ(s.moments[0].lower_stop, 0.0);
  EXPECT_EQ(s.moments[2].damping_curve, 0);
  EXPECT_EQ(s.moments[2].friction_curve, 0);
  EXPECT_EQ(s.moments[2].stiffness, 7.0);
  EXPECT_NEAR(s.moments[2].lower_stop, -0.7853981633974483, 1e-15);
  EXPECT_EQ(s.scale_curve, 1);
  EXPECT_EQ(s.damping_scale_curve, 1);
}

TEST(JointStiffness, ReadsDisplacements) {
  const BuiltDeck d = bodies_and(
      "*DEFINE_CURVE\n5\n-4.,-2.\n4.,2.\n*DEFINE_COORDINATE_SYSTEM\n7,1.,2.,3.,2.,2.,3.\n1.,3.,3.\n"
      "*CONSTRAINED_JOINT_STIFFNESS_TRANSLATIONAL\n1,2,3,7\n5,0,0,0,0,5\n191.,80.,0.,-5.\n-3.,2.\n");
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.features.of<constraints::JointStiffness>().size(), 1u);
  const constraints::JointStiffness& s = d.model.features.of<constraints::JointStiffness>()[0];
  EXPECT_EQ(s.kind, constraints::StiffnessKind::translational);
  EXPECT_EQ(s.origins[1], (Vec3{1, 2, 3}));
  EXPECT_EQ(s.moments[0].lower_stop, -3.0);
  EXPECT_EQ(s.moments[0].upper_stop, 2.0);
  EXPECT_EQ(s.moments[1].friction_curve, 0);
  EXPECT_EQ(s.moments[2].damping_curve, 0);
}

TEST(JointStiffness, RefusesByName) {
  const auto says = [](const char* kind, const char* cards, const char* text) {
    const BuiltDeck d = bodies_and("*DEFINE_CURVE\n5\n0.,1.\n4.,2.\n*CONSTRAINED_JOINT_STIFFNESS_" +
                                   std::string(kind) + "\n" + cards);
    EXPECT_TRUE(d.reported(text)) << d.problems();
  };
  says("TRANSLATIONAL", "1,2,3\n,\n,\n0.,0.,0.,0.,0.,0.,0.3\n", "FS = 0.3");
  says("TRANSLATIONAL", "1,2,3\n,\n,\n1.\n", "NSDX not positive");
  says("TRANSLATIONAL", "1,2,3\n,\n,\n,\n", "CIDA is 0");
  says("FLEXION-TORSION", "1,2,3\n,\n-1.\n,\n", "ESAL and SAAL must not be negative");
  says("FLEXION-TORSION", "1,2,3\n5\n,\n,\n", "LCIDAL at alpha = 0");
  says("CYLINDRICAL", "1,2,3\n,\n,\n,\n", "CONSTRAINED_JOINT_STIFFNESS_CYLINDRICAL");
}

TEST(JointStiffness, ReadsAnglesInDegrees) {
  const BuiltDeck d = bodies_and(
      "*DEFINE_CURVE\n5\n0.,0.\n1.,2.\n*CONSTRAINED_JOINT_STIFFNESS_GENERALIZED\n1,2,3\n5,0,0,0,0,5\n"
      "191.,80.,0.,-5.\n-90.,45.\n");
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.features.of<constraints::JointStiffness>().size(), 1u);
  const auto& m = d.model.features.of<constraints::JointStiffness>()[0].moments;
  EXPECT_EQ(m[0].curve, 0);
  EXPECT_EQ(m[2].damping_curve, 0);
  EXPECT_EQ(m[0].stiffness, 191.0);
  EXPECT_EQ(m[0].friction, 80.0);
  EXPECT_EQ(m[1].friction_curve, 0);
  EXPECT_NEAR(m[0].lower_stop, -1.5707963267948966, 1e-15);
  EXPECT_NEAR(m[0].upper_stop, 0.7853981633974483, 1e-15);
}

TEST(Airbags, AreClosedSurfaces) {
  const std::string corners = "*NODE\n51,0,0,3\n52,1,0,3\n53,1,1,3\n54,0,1,3\n";
  const std::string box =
      corners + "*SET_SEGMENT\n4\n4,5,2,1\n51,52,53,54\n1,2,52,51\n2,5,53,52\n5,4,54,53\n4,1,51,54\n";
  const BuiltDeck d = plate_and(box + "*AIRBAG_SIMPLE_PRESSURE_VOLUME_ID\n8,gas\n4,0,0,0.,2.\n0.1,1.5\n");
  EXPECT_EQ(d.problems(), "");
  const auto& airbags = d.model.features.of<loads::Airbag>();
  ASSERT_EQ(airbags.size(), 1u);
  EXPECT_EQ(airbags[0].segments.size(), 6u);
  EXPECT_EQ(airbags[0].nodes.size(), 8u);
  EXPECT_EQ(airbags[0].volume_scale, 1.0);
  EXPECT_EQ(airbags[0].pressure_scale, 2.0);
  const std::string open = corners + "*SET_SEGMENT\n4\n4,5,2,1\n1,2,52,51\n";
  EXPECT_TRUE(plate_and(open + "*AIRBAG_SIMPLE_PRESSURE_VOLUME\n4,0\n0.1,1.\n").reported("CR-D335"));
  EXPECT_TRUE(plate_and("*AIRBAG_SIMPLE_PRESSURE_VOLUME\n4,0\n0.1,1.\n").reported("CR-D305"));
  EXPECT_TRUE(
      plate_and(box + "*AIRBAG_SIMPLE_PRESSURE_VOLUME\n4,0,0,0.,0.,0.,0.,0.5\n0.1,1.\n").reported("CR-D203"));
}

/// A closed box over the plate's first element, as segment set 4, and curves 5 to 7.
const std::string kBox =
    "*NODE\n51,0,0,3\n52,1,0,3\n53,1,1,3\n54,0,1,3\n*SET_SEGMENT\n4\n4,5,2,1\n51,52,53,54\n1,2,52,51\n"
    "2,5,53,52\n5,4,54,53\n4,1,51,54\n*DEFINE_CURVE\n5\n0,0\n1,2\n*DEFINE_CURVE\n6\n0,1\n1,2\n"
    "*DEFINE_CURVE\n7\n0,3\n1,3\n";

TEST(Airbags, SimpleModelHasGasWithMass) {
  const BuiltDeck d = plate_and(kBox +
                                "*AIRBAG_SIMPLE_AIRBAG_MODEL\n4,0\n"
                                "2.,3.,500.,5,-6,0.4,7.,0.035\n0\n");
  EXPECT_EQ(d.problems(), "");
  const auto& airbags = d.model.features.of<loads::Airbag>();
  ASSERT_EQ(airbags.size(), 1u);
  const loads::Inflation& gas = airbags[0].inflation;
  EXPECT_TRUE(gas.active);
  EXPECT_EQ(gas.heat, 3);
  EXPECT_EQ(gas.gas_constant, 1);
  EXPECT_DOUBLE_EQ(gas.ambient_temperature, 200);
  EXPECT_EQ(gas.inflow_temperature, 500);
  EXPECT_EQ(gas.inflow, 0);
  ASSERT_EQ(gas.orifices.size(), 1u);
  EXPECT_EQ(gas.orifices[0].coefficient_by_pressure, 1);
  EXPECT_EQ(gas.orifices[0].area, 0.4);
  const BuiltDeck b = plate_and(kBox +
                                "*AIRBAG_SIMPLE_AIRBAG_MODEL\n4,0\n"
                                "0.,0.,500.,5,0.,0.,7.,0.035\n7,200.,60.,2.,20.,20.\n");
  EXPECT_EQ(b.problems(), "");
  const loads::Inflation& by_mole = b.model.features.of<loads::Airbag>()[0].inflation;
  EXPECT_EQ(by_mole.heat, 3);
  EXPECT_EQ(by_mole.heat_slope, 0.1);
  EXPECT_EQ(by_mole.gas_constant, 1);
  EXPECT_EQ(by_mole.outflow, 2);
}

TEST(Airbags, SimpleModelRefusesByName) {
  const auto deck = [](const std::string& cards) {
    return plate_and(kBox + "*AIRBAG_SIMPLE_AIRBAG_MODEL\n4,0\n" + cards);
  };
  EXPECT_TRUE(deck("3.,2.,500.,5,0.,0.,7.,0.035\n0\n").reported("CP must be above CV"));
  EXPECT_TRUE(deck("2.,3.,0.,5,0.,0.,7.,0.035\n0\n").reported("temperature T"));
  EXPECT_TRUE(deck("2.,3.,500.,5,1.,1.,7.,0.035\n7\n").reported("LOU together with"));
  EXPECT_TRUE(deck("2.,3.,500.,5,1.,1.,0.,0.035\n0\n").reported("PE is 0"));
  EXPECT_TRUE(deck("0.,0.,500.,5,1.,1.,7.,0.07\n0,200.,60.,0.,20.,20.\n").reported("RO = 0.07"));
}

const std::string kPorous =
    "*SECTION_SHELL\n9,5\n0.5,0.5,0.5,0.5\n*MAT_FABRIC\n9,2.,100.,80.,,0.1\n30.\n0.,0.5,0.2,,,0,1\n\n\n";

TEST(Airbags, WangNefskeHasVentsAndPorousFabric) {
  const std::string plate = "*PART\nfabric\n9,9,9\n*ELEMENT_SHELL\n21,9,1,2,5,4\n";
  const BuiltDeck d = plate_and(kBox + kPorous + plate +
                                "*AIRBAG_WANG_NEFSKE\n4,0\n2.,3.,,6,5\n0.7,0,,7,0,0,0,0\n"
                                "7.,0.035,1.,0,0.,2.,1\n");
  const auto& airbags = d.model.features.of<loads::Airbag>();
  ASSERT_EQ(airbags.size(), 1u) << d.problems();
  const loads::Inflation& gas = airbags[0].inflation;
  EXPECT_EQ(gas.temperature_curve, 1);
  EXPECT_EQ(gas.pop_pressure, 2);
  ASSERT_EQ(gas.orifices.size(), 2u) << d.problems();
  EXPECT_TRUE(gas.orifices[0].pops);
  EXPECT_EQ(gas.orifices[0].area_by_pressure, 2);
  EXPECT_EQ(gas.orifices[0].area, 1);
  EXPECT_FALSE(gas.orifices[1].pops);
  EXPECT_EQ(gas.orifices[1].coefficient, 0.5);
  EXPECT_DOUBLE_EQ(gas.orifices[1].area, 0.2);  // of the unit square
}

TEST(Airbags, WangNefskeRefusesByName) {
  const auto deck = [](const std::string& second, const std::string& fourth) {
    return plate_and(kBox + "*AIRBAG_WANG_NEFSKE\n4,0\n" + second + "\n0.7,0,0.1,0,0,0,0,0\n" + fourth +
                     "\n");
  };
  const std::string good = "2.,3.,500.,0,5", ambient = "7.,0.035,1.";
  EXPECT_EQ(deck(good, ambient).problems(), "");
  EXPECT_TRUE(deck("2.,3.,500.,0,5,1.", ambient).reported("tank test"));
  EXPECT_TRUE(deck(good, "7.,0.035,386.").reported("GC = 386"));
  EXPECT_TRUE(deck(good, ambient + ",7").reported("LCEFR together with"));
  EXPECT_TRUE(deck(good, ambient + ",0,0.,0.,2").reported("OPT = 2"));
  EXPECT_TRUE(deck(good, ambient + ",0,-5.").reported("POVER is -5"));
}

TEST(Interpolations, ReadNodesAndSets) {
  const std::string node = "*NODE\n50,1,0.5,1\n";
  const BuiltDeck d =
      plate_and(node + "*CONSTRAINED_INTERPOLATION\n1,50,123\n1,123,1.\n2,123456,2.\n5,0,3.\n4\n");
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.interpolations.size(), 1u);
  const Interpolation& in = d.model.interpolations[0];
  EXPECT_EQ(in.mask, 0b000111);
  EXPECT_EQ(ids(d.model, in.nodes), (std::vector<GlobalId>{1, 2, 4, 5}));
  const std::vector<double> weights{1.0 / 7, 2.0 / 7, 1.0 / 7, 3.0 / 7};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(in.weights[i], weights[i], 1e-15);
  EXPECT_EQ(
      plate_and(node + "*SET_NODE_LIST\n7\n1,2,6\n*CONSTRAINED_INTERPOLATION\n1,50,0,0,1\n7\n").problems(),
      "");
}

TEST(Interpolations, WithEqualWeightsDoNotDependOnLocalAxes) {
  const std::string axes = "*NODE\n50,1,0.5,1\n*DEFINE_COORDINATE_SYSTEM\n7,0.,0.,0.,0.,1.,0.\n-1.,0.,0.\n";
  const BuiltDeck d = plate_and(
      axes + "*CONSTRAINED_INTERPOLATION_LOCAL\n1,50,123456,7\n1,123,1.\n7\n2,123456,2.\n7\n5,0,3.\n0\n");
  EXPECT_FALSE(d.deck.has_errors()) << d.problems();
  ASSERT_EQ(d.model.interpolations.size(), 1u);
  EXPECT_EQ(ids(d.model, d.model.interpolations[0].nodes), (std::vector<GlobalId>{1, 2, 5}));
  EXPECT_TRUE(plate_and(axes + "*CONSTRAINED_INTERPOLATION_LOCAL\n1,50\n1,123,1.,2.\n7\n2\n7\n5\n7\n")
                  .reported("differ along axes"));
}

TEST(Interpolations, AreRefusedWithAReason) {
  const auto mean = [](const std::string& cards, const std::string& more = "") {
    return plate_and("*NODE\n50,1,0.5,1\n" + more + "*CONSTRAINED_INTERPOLATION\n" + cards + "\n");
  };
  EXPECT_TRUE(mean("1,50,12\n1\n2\n5").reported("DDOF must be 123 or 123456"));
  EXPECT_TRUE(mean("1,50\n1,12\n2\n5").reported("IDOF without all of 123"));
  EXPECT_TRUE(mean("1,50\n1,123,1.,2.\n2\n5").reported("differ along axes"));
  EXPECT_TRUE(mean("1,50\n1\n2\n3").reported("are on one line"));
  EXPECT_TRUE(mean("1,5\n5\n2\n4").reported("its own dependent node"));
  EXPECT_TRUE(mean("1,50\n1\n2\n5", "*BOUNDARY_SPC_NODE\n50,0,1\n").reported("obeys another constraint"));
}

}  // namespace
}  // namespace crumple::model
