// Curves, tables, frames, boxes and sets.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "built_deck.hpp"
#include "model/functions_tables.hpp"

namespace crumple::model {
namespace {

TEST(Definitions, CurvesAreShiftedThenScaled) {
  const BuiltDeck d = plate_and("*DEFINE_CURVE\n7,0,2.0,3.0,1.0,10.0\n0.0,0.0\n1.0,5.0\n");
  const Curve& c = d.model.curves[0];
  EXPECT_EQ(c.x, (std::vector<double>{2.0, 4.0}));
  EXPECT_EQ(c.y, (std::vector<double>{30.0, 45.0}));
  EXPECT_EQ(d.problems(), "");
}

double area(const Curve& c) {
  double sum = 0.0;
  for (std::size_t i = 1; i < c.x.size(); ++i) sum += 0.5 * (c.y[i] + c.y[i - 1]) * (c.x[i] - c.x[i - 1]);
  return sum;
}

TEST(Definitions, SmoothCurvesTravelTheirDistance) {
  const BuiltDeck d = plate_and(
      "*DEFINE_CURVE_SMOOTH\n7,0,30.,1.,9.,2.\n*DEFINE_CURVE_SMOOTH\n8,0,-30.,1.,0.,2.,-5.\n"
      "*DEFINE_CURVE_SMOOTH\n9,0,2.,0.,4.,2.\n");
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.curves.size(), 3u);
  const Curve& by_end = d.model.curves[0];
  EXPECT_NEAR(area(by_end), 30.0, 1e-9);
  EXPECT_NEAR(by_end(5.0), 5.0, 1e-12) << "30 / (9 - 1 - 2)";
  EXPECT_NEAR(by_end(2.0), 2.5, 1e-12) << "half way up";
  EXPECT_EQ(by_end(0.5), 0.0);
  EXPECT_NEAR(by_end(9.5), 0.0, 1e-12);
  const Curve& by_top = d.model.curves[1];
  EXPECT_NEAR(area(by_top), -30.0, 1e-9);
  EXPECT_NEAR(by_top.x.back(), 9.0, 1e-12);
  EXPECT_NEAR(area(d.model.curves[2]), 2.0, 1e-9) << "without a plateau";
  EXPECT_TRUE(plate_and("*DEFINE_CURVE_SMOOTH\n7,0,30.,1.,3.,2.\n").reported("twice of it fit"));
  EXPECT_TRUE(plate_and("*DEFINE_CURVE_SMOOTH\n7,0,30.,1.,9.,2.,5.\n").reported("one of TEND and VMAX"));
}

TEST(Definitions, TablesTakeTheCurvesThatFollow) {
  const BuiltDeck d = plate_and(R"(*DEFINE_CURVE
1
0.0,1.0
1.0,1.0
*DEFINE_TABLE
5
0.0
1.0
*DEFINE_CURVE
2
0.0,2.0
1.0,2.0
*DEFINE_CURVE
3
0.0,3.0
1.0,3.0
*DEFINE_TABLE_2D
6
0.0,3
2.0,1
)");
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.tables.size(), 2u);
  EXPECT_EQ(d.model.tables[0].curve, (std::vector<LocalId>{1, 2}));
  EXPECT_EQ(d.model.tables[1].curve, (std::vector<LocalId>{2, 0}));
  EXPECT_EQ(d.model.tables[1].value, (std::vector<double>{0.0, 2.0}));
  EXPECT_TRUE(plate_and("*DEFINE_TABLE\n5\n0.0\n1.0\n*DEFINE_CURVE\n2\n0,0\n1,1\n")
                  .reported("*DEFINE_TABLE 5: 1 more curves must follow it"));
}

TEST(Definitions, FramesThatMoveServeTheStartOnly) {
  const std::string frame = "*DEFINE_COORDINATE_NODES\n3,1,2,4,1\n";
  EXPECT_EQ(plate_and(frame + "*INITIAL_VELOCITY\n0,0,0,0,3\n1.0,0.0,0.0\n").problems(), "");
  EXPECT_TRUE(plate_and(frame + "*BOUNDARY_SPC_NODE\n1,3,1,0,0\n")
                  .reported("error CR-D320: *BOUNDARY_SPC_NODE: coordinate system 3 moves with its nodes"));
}

/// The curve of a formula, over the 2 units of time of the plate's deck.
Curve formula(const std::string& text) {
  const BuiltDeck d = plate_and("*DEFINE_CURVE_FUNCTION\n7\n" + text + "\n*LOAD_NODE_POINT\n3,1,7\n");
  EXPECT_EQ(d.problems(), "") << text;
  return d.model.curves.at(0);
}

TEST(Definitions, FormulasHaveTheirValuesOverTime) {
  using std::numbers::pi;
  const std::vector<std::pair<const char*, std::function<double(double)>>> cases{
      {"3.0*sin(2.*PI*TIME)+1.0", [](double t) { return 3 * std::sin(2 * pi * t) + 1; }},
      {"exp(-time)*cos(90.*dtor*time)", [](double t) { return std::exp(-t) * std::cos(pi / 2 * t); }},
      {"step(TIME,0.5,1.0,1.5,\n3.0)",
       [](double t) {
         const double s = std::clamp(t - 0.5, 0.0, 1.0);
         return 1 + 2 * s * s * (3 - 2 * s);
       }},
      {"HAVSIN(TIME,0.5,1.0,1.5,3.0)",
       [](double t) { return 2 - std::cos(pi * std::clamp(t - 0.5, 0.0, 1.0)); }},
      {"IF(TIME-0.75,2.0*TIME,0.0,5.0)", [](double t) { return t < 0.75 ? 2 * t : 5; }},
      {"POLY(TIME,1.0,2.0,-1.0,0.5)", [](double t) { return 2 - (t - 1) + 0.5 * (t - 1) * (t - 1); }},
      {"SHF(TIME,0.25,2.0,3.0,0.5,1.0)", [](double t) { return 2 * std::sin(3 * (t - 0.25) - 0.5) + 1; }},
      {"max(0,min(1,TIME**2))", [](double t) { return std::min(1.0, t * t); }},
      {"4.5", [](double) { return 4.5; }}};
  for (const auto& [text, value] : cases) {
    const Curve c = formula(text);
    EXPECT_EQ(c.formula_until, 2.0);
    EXPECT_GT(c.x.back(), 2.0);
    for (double t = 0; t <= 2; t += 0.0137) EXPECT_NEAR(c(t), value(t), 1e-7) << text << " at " << t;
    // Slopes, which prescribed displacements need.
    for (double t = 0.1; t < 0.4; t += 0.0237)
      EXPECT_NEAR((c(t + 1e-3) - c(t)) / 1e-3, (value(t + 1e-3) - value(t)) / 1e-3, 2e-3)
          << text << " at " << t;
  }
  const Curve jump = formula("IF(TIME-0.75,2.0*TIME,0.0,5.0)");
  EXPECT_NEAR(jump(0.75 - 1e-9), 1.5, 1e-7);
  EXPECT_NEAR(jump(0.75 + 1e-9), 5.0, 1e-7);
  EXPECT_LT(jump.x.size(), 10000u);
}

TEST(Definitions, FormulasThatCannotBeAreRefused) {
  const auto says = [](const std::string& text, const char* what) {
    const BuiltDeck d = plate_and("*DEFINE_CURVE_FUNCTION\n7\n" + text + "\n");
    EXPECT_TRUE(d.reported(what)) << text << ": " << d.problems();
  };
  says("DX(3)*2.0", "error CR-D320: *DEFINE_CURVE_FUNCTION 7: unknown function DX");
  says("2.0*LC5", "error CR-D320: *DEFINE_CURVE_FUNCTION 7: LC5 in the formula is not supported");
  says("2.0*(TIME", "error CR-D310: *DEFINE_CURVE_FUNCTION 7: expected ')'");
  says("1.0/(TIME-1.0)", "the formula has no finite value, or changes too often, at time 1");
  says("SQRT(1.5-TIME)", "the formula has no finite value");
  says("SIN(1e9*TIME)", "changes too often");
  says("1.0\n*DEFINE_CURVE\n7\n0,0\n1,1", "7 is defined twice");
  says("TIME\n*DAMPING_GLOBAL\n7", "curve 7 is a formula (*DEFINE_CURVE_FUNCTION), and only loads");
  EXPECT_TRUE(plate_and("*DEFINE_CURVE_FUNCTION\n7,1\nTIME\n").reported("SIDR"));
}

TEST(Definitions, FunctionsOfTheTimeAreFormulas) {
  const BuiltDeck d = plate_and(
      "*DEFINE_FUNCTION\n7,a pulse\nfloat f(float t, float x)\n{ float a;\n a = 2.0*t; if (a > 1.0)\n"
      "return (1.0); return a; }\n*LOAD_NODE_POINT\n3,1,7\n");
  ASSERT_EQ(d.problems(), "");
  const Curve& c = d.model.curves.at(0);
  EXPECT_EQ(c.formula_until, 2.0);
  EXPECT_EQ(find_place_function(d.model, 0), nullptr);
  for (double t = 0; t <= 2; t += 0.0137) EXPECT_NEAR(c(t), std::min(1.0, 2 * t), 1e-7) << t;
}

TEST(Definitions, FunctionsOfThePlaceAreForLoadsThatHaveOne) {
  const auto with = [](const std::string& text, const std::string& load) {
    return plate_and("*DEFINE_FUNCTION\n7\n" + text + "\n" + load + "\n");
  };
  const std::string seven = "f(t,x,y,z,a,b,c)=t*(x-a)", eight = "f(t,x,y,z,a,b,c,vx)=t*vx";
  const BuiltDeck node = with(seven, "*LOAD_NODE_POINT\n3,1,7");
  EXPECT_EQ(node.problems(), "");
  EXPECT_NE(find_place_function(node.model, 0), nullptr);
  EXPECT_EQ(with(eight, "*LOAD_SEGMENT\n7,1.0,0.0,1,2,3,4").problems(), "");
  EXPECT_TRUE(with(eight, "*LOAD_NODE_POINT\n3,1,7").reported("more than the 7 arguments"));
  EXPECT_TRUE(with(seven, "*LOAD_SEGMENT\n7,1.0,0.1,1,2,3,4").reported("AT with a function of the place"));
  EXPECT_TRUE(with(seven, "*LOAD_BODY_X\n7").reported("CR-D320: *LOAD_BODY_X: *DEFINE_FUNCTION 7 uses more"));
  EXPECT_TRUE(with(seven, "*BOUNDARY_PRESCRIBED_MOTION_NODE\n3,1,0,7").reported("uses more than the time"));
  EXPECT_TRUE(with("f(t)=g(t)", "").reported("CR-D320: *DEFINE_FUNCTION 7: unknown function G"));
  EXPECT_TRUE(with("f(t) { while (t<1.0) t += 1.0; return t; }", "").reported("'WHILE' is not supported"));
  EXPECT_TRUE(with("f(t)=t*", "").reported("CR-D310: *DEFINE_FUNCTION 7: "));
  EXPECT_TRUE(with("f()=1.0", "").reported("a function needs an argument"));
  EXPECT_TRUE(with("f(t)=1.0/t", "").reported("no finite value"));
}

TEST(Definitions, TablesOfTables) {
  const std::string tables = "*DEFINE_TABLE_2D\n5\n0.0,7\n1.0,7\n*DEFINE_CURVE\n7\n0.0,1.0\n1.0,1.0\n";
  const BuiltDeck d = plate_and(tables + "*DEFINE_TABLE_3D\n6,2.0,0.5\n-1.0,5\n1.0,5\n");
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.features.of<TableOfTables>().size(), 1u);
  EXPECT_EQ(d.model.features.of<TableOfTables>()[0].value, (std::vector<double>{-1.0, 3.0}));
  EXPECT_EQ(d.model.features.of<TableOfTables>()[0].table, (std::vector<LocalId>{0, 0}));
  EXPECT_TRUE(plate_and(tables + "*DEFINE_TABLE_3D\n6\n-1.0,5\n1.0,7\n").reported("table 7 does not exist"));
  EXPECT_TRUE(plate_and(tables + "*DEFINE_TABLE_3D\n6\n1.0,5\n0.0,5\n").reported("value 0 comes after 1"));
  EXPECT_TRUE(
      plate_and(tables + "*DEFINE_TABLE_3D\n5\n0.0,5\n").reported("is the number of a curve or table"));
}

TEST(Definitions, AbscissasMustNotDecrease) {
  EXPECT_TRUE(
      plate_and("*DEFINE_CURVE\n7\n0.0,0.0\n1.0,5.0\n0.5,0.0\n").reported("abscissa 0.5 comes after 1"));
}

TEST(Definitions, FramesByPointsVectorsAndNodes) {
  const BuiltDeck d = plate_and(R"(*DEFINE_COORDINATE_SYSTEM
1,1.0,0.0,0.0,1.0,2.0,0.0
0.0,1.0,0.0
*DEFINE_COORDINATE_VECTOR
2,0.0,0.0,5.0,1.0,0.0,1.0
*DEFINE_COORDINATE_NODES
3,1,2,4,0,Y
)");
  EXPECT_EQ(d.problems(), "");
  const auto& s = d.model.systems;
  EXPECT_EQ(s[0].axis[0], (Vec3{0, 1, 0}));
  EXPECT_EQ(s[0].axis[2], (Vec3{0, 0, 1}));
  EXPECT_EQ(s[0].axis[1], (Vec3{-1, 0, 0}));
  EXPECT_EQ(s[1].axis[0], (Vec3{0, 0, 1}));
  EXPECT_EQ(s[1].axis[2], (Vec3{0, 1, 0}));
  EXPECT_EQ(s[2].axis[1], (Vec3{1, 0, 0}));  // N1 to N2
  EXPECT_EQ(s[2].axis[2], (Vec3{0, 1, 0}));
  EXPECT_EQ(s[2].axis[0], (Vec3{0, 0, 1}));
}

TEST(Sets, NodesInEveryForm) {
  const BuiltDeck d = plate_and(R"(*DEFINE_BOX
9,0.5,2.5,-0.1,0.1,-1.0,1.0
*SET_NODE
1
3,1,2,1
*SET_NODE_LIST_GENERATE
2
1,2,5,100
*SET_NODE_LIST_GENERATE_INCREMENT
3
1,6,2
*SET_NODE_COLUMN
4
6
5
*SET_NODE_GENERAL
5
BOX,9
DNODE,3
*SET_NODE_GENERAL_TITLE
all of the part but some
6
PART,1
DGNODE,1,3
*SET_NODE_ADD
7
1,4
*SET_NODE_INTERSECT
8
1,3
*SET_NODE_LIST_COLLECT
1
6
)");
  EXPECT_EQ(d.problems(), "");
  using Ids = std::vector<GlobalId>;
  EXPECT_EQ(ids(d.model, d.nodes(1).nodes), (Ids{1, 2, 3, 6}));
  EXPECT_EQ(ids(d.model, d.nodes(2).nodes), (Ids{1, 2, 5, 6}));
  EXPECT_EQ(ids(d.model, d.nodes(3).nodes), (Ids{1, 3, 5}));
  EXPECT_EQ(ids(d.model, d.nodes(4).nodes), (Ids{5, 6}));
  EXPECT_EQ(ids(d.model, d.nodes(5).nodes), (Ids{2}));
  EXPECT_EQ(ids(d.model, d.nodes(6).nodes), (Ids{4, 5, 6}));
  EXPECT_EQ(ids(d.model, d.nodes(7).nodes), (Ids{1, 2, 3, 5, 6}));
  EXPECT_EQ(ids(d.model, d.nodes(8).nodes), (Ids{1, 3}));
}

TEST(Sets, PartsShellsAndSegments) {
  const BuiltDeck d = plate_and(R"(*SET_PART_LIST
1
1
*SET_SHELL_LIST
2
12,11
*SET_SHELL_GENERAL
3
PART,1
DELEM,11
*SET_SEGMENT
4
1,2,5,4
2,3,6
)");
  EXPECT_EQ(d.problems(), "");
  EXPECT_EQ(d.model.sets.part_set(1)->parts, (std::vector<LocalId>{0}));
  EXPECT_EQ(d.model.sets.shell_set(2)->shells, (std::vector<LocalId>{0, 1}));
  EXPECT_EQ(d.model.sets.shell_set(3)->shells, (std::vector<LocalId>{1}));
  const auto& segments = d.model.sets.segment_set(4)->segments;
  ASSERT_EQ(segments.size(), 2u);
  EXPECT_EQ(segments[1][2], segments[1][3]);
}

TEST(Sets, OptionsActInTheirOrder) {
  const BuiltDeck d = plate_and(R"(*SET_NODE_GENERAL
1
NODE,1,2,3
DNODE,2,3
NODE,3
*SET_SHELL_LIST
2
11
*SET_NODE_GENERAL
3
SET_SHELL,2
*SET_NODE_GENERAL
4
SET_NODE,5
DSET_NODE,1
*SET_NODE_ADD
5
1,3
)");
  EXPECT_EQ(d.problems(), "");
  using Ids = std::vector<GlobalId>;
  EXPECT_EQ(ids(d.model, d.nodes(1).nodes), (Ids{1, 3}));
  EXPECT_EQ(ids(d.model, d.nodes(3).nodes), (Ids{1, 2, 4, 5}));
  EXPECT_EQ(ids(d.model, d.nodes(5).nodes), (Ids{1, 2, 3, 4, 5}));
  EXPECT_EQ(ids(d.model, d.nodes(4).nodes), (Ids{2, 4, 5}));  // a set that comes later, by ADD
}

TEST(Sets, NodesOfSetsOfSeveralKinds) {
  const std::string sets = "*SET_NODE_LIST\n1\n1\n*SET_SHELL_LIST\n2\n12\n*SET_SEGMENT\n3\n1,2,5,4\n";
  const BuiltDeck d =
      plate_and("*SET_NODE_ADD_ADVANCED\n9\n1,1,2,2\n" + sets + "*SET_NODE_ADD_ADVANCED\n8\n3,5,9,1\n");
  EXPECT_EQ(d.problems(), "");
  EXPECT_EQ(ids(d.model, d.nodes(9).nodes), (std::vector<GlobalId>{1, 2, 3, 5, 6}));
  EXPECT_EQ(ids(d.model, d.nodes(8).nodes), (std::vector<GlobalId>{1, 2, 3, 4, 5, 6}));
  EXPECT_TRUE(plate_and(sets + "*SET_NODE_ADD_ADVANCED\n9\n2,7\n").reported("TYPE = 7"));
}

TEST(Sets, RingsOfSetsAreTold) {
  const BuiltDeck d = plate_and("*SET_NODE_ADD\n1\n2\n*SET_NODE_ADD\n2\n1\n*SET_NODE_ADD\n3\n3\n");
  EXPECT_TRUE(d.reported("error CR-D305: *SET_NODE_ADD 2: node set 1 does not exist"));
  EXPECT_TRUE(d.reported("error CR-D305: *SET_NODE_ADD 3: node set 3 does not exist"));
}

TEST(Sets, AddTakesRangesOfNumbers) {
  const BuiltDeck d = plate_and(R"(*SET_SHELL
1
11
*SET_SHELL
5
12
*SET_SHELL_ADD
9
1,-5
*SET_SHELL_INTERSECT
10
9,5
)");
  EXPECT_EQ(d.problems(), "");
  EXPECT_EQ(d.model.sets.shell_set(9)->shells, (std::vector<LocalId>{0, 1}));
  EXPECT_EQ(d.model.sets.shell_set(10)->shells, (std::vector<LocalId>{1}));
}

TEST(Sets, SegmentsByOptions) {
  const BuiltDeck d = plate_and(R"(*SET_SEGMENT_GENERAL
1
PART,1
DSEG,5,4,1,2
*SET_SEGMENT_GENERAL
2
SHELL,11
*SET_SEGMENT_ADD
3
1,2
)");
  EXPECT_EQ(d.problems(), "");
  EXPECT_EQ(d.model.sets.segment_set(1)->segments.size(), 1u);
  EXPECT_EQ(d.model.sets.segment_set(2)->segments[0], d.model.shells.nodes[0]);
  EXPECT_EQ(d.model.sets.segment_set(3)->segments.size(), 2u);
}

TEST(Sets, MembersThatAreMissingAreTold) {
  const BuiltDeck d = plate_and("*SET_NODE_LIST\n1\n1,77,78\n*SET_NODE_GENERAL\n2\nVOL,3\n");
  EXPECT_TRUE(d.reported("*SET_NODE_LIST 1: 2 of its members do not exist, node 77 78"));
  EXPECT_TRUE(d.reported("error CR-D320: *SET_NODE_GENERAL 2: option VOL is not supported"));
}

TEST(Sets, RowsThatNameNothingAreTold) {
  const BuiltDeck d =
      plate_and("*SET_NODE_GENERAL\n2\nNODE,1\nSALL\n*SET_SEGMENT_GENERAL\n3\nPART,1\nPRAT\n");
  EXPECT_TRUE(d.reported("warning CR-D330: *SET_NODE_GENERAL 2: option SALL has no entities"))
      << d.problems();
  EXPECT_TRUE(d.reported("warning CR-D330: *SET_SEGMENT_GENERAL 3: option PRAT has no entities"));
}

TEST(Sets, LocalBoxesTurnWithTheirAxes) {
  const BuiltDeck d = plate_and(R"(*DEFINE_BOX_LOCAL
1,-0.1,0.1,-2.1,0.1,-1.0,1.0
0.0,1.0,0.0,-1.0,0.0,0.0
0.0,0.0,0.0
*SET_NODE_GENERAL
1
BOX,1
)");
  // Local x is global y, local y is global -x: the lower edge of the plate.
  EXPECT_EQ(ids(d.model, d.nodes(1).nodes), (std::vector<GlobalId>{1, 2, 3}));
}

}  // namespace
}  // namespace crumple::model
