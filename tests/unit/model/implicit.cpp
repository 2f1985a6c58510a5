// *CONTROL_IMPLICIT: what is read, its defaults, and what changes in elements.
#include <gtest/gtest.h>

#include "built_deck.hpp"

namespace crumple::model {
namespace {

TEST(ImplicitControl, IsOffWithoutTheCard) {
  const BuiltDeck built = plate_and("");
  EXPECT_FALSE(built.model.control.implicit.active);
  EXPECT_EQ(built.model.parts[0].hourglass.type, 0);
  EXPECT_EQ(built.model.parts[0].drilling, 0.0);
}

TEST(ImplicitControl, HasTheDefaultsOfTheManual) {
  const BuiltDeck built = plate_and("*CONTROL_IMPLICIT_GENERAL\n1,0.1\n*CONTROL_IMPLICIT_SOLUTION\n\n");
  EXPECT_EQ(built.problems(), "");
  const Implicit& i = built.model.control.implicit;
  EXPECT_TRUE(i.active);
  EXPECT_EQ(i.steps.first, 0.1);
  EXPECT_FALSE(i.steps.automatic);
  EXPECT_DOUBLE_EQ(i.steps.smallest, 1e-4);
  EXPECT_DOUBLE_EQ(i.steps.largest, 1.0);
  EXPECT_EQ(i.iterations.method, StepMethod::newton);
  EXPECT_EQ(i.iterations.between_reforms, 11);
  EXPECT_EQ(i.iterations.most_reforms, 15);
  EXPECT_EQ(i.iterations.displacement, 1e-3);
  EXPECT_EQ(i.iterations.energy, 1e-2);
  EXPECT_EQ(i.iterations.residual, 1e10);
  EXPECT_EQ(i.iterations.line_search, 0.9);
  EXPECT_EQ(i.iterations.absolute, 1e-10);
  EXPECT_TRUE(i.iterations.total_displacement);
  EXPECT_EQ(i.iterations.norm, 2);
  EXPECT_FALSE(i.mumps);
  EXPECT_TRUE(i.hold_unattached);
  EXPECT_EQ(built.model.parts[0].hourglass.type, 4);
  EXPECT_EQ(built.model.parts[0].drilling, 1.0);
}

TEST(ImplicitControl, IsReadFromAllCards) {
  const BuiltDeck built = plate_and(
      "*CONTROL_IMPLICIT_GENERAL\n1,0.1\n*CONTROL_IMPLICIT_AUTO\n1,20,4,0.01,0.5\n"
      "*CONTROL_IMPLICIT_NONLINEAR\n12,1,30,1e-4,1e-5,1e-6,0.5,-1e-3\n1,2,3,2,4\n"
      "*CONTROL_IMPLICIT_SOLVER\n30,,1,,4,0.01,2,1e-5\n");
  EXPECT_EQ(built.problems(), "");
  const Implicit& i = built.model.control.implicit;
  EXPECT_TRUE(i.steps.automatic);
  EXPECT_EQ(i.steps.best_iterations, 20);
  EXPECT_EQ(i.steps.window, 4);
  EXPECT_EQ(i.steps.smallest, 0.01);
  EXPECT_EQ(i.steps.largest, 0.5);
  EXPECT_EQ(i.iterations.between_reforms, 1);
  EXPECT_EQ(i.iterations.most_reforms, 30);
  EXPECT_EQ(i.iterations.residual, 1e-6);
  EXPECT_EQ(i.iterations.line_search, 0.5);
  EXPECT_EQ(i.iterations.absolute, -1e-3);
  EXPECT_FALSE(i.iterations.total_displacement);
  EXPECT_FALSE(i.iterations.reform_if_divergent);
  EXPECT_EQ(i.iterations.steps_between_reforms, 3);
  EXPECT_EQ(i.iterations.print, 2);
  EXPECT_EQ(i.iterations.norm, 4);
  EXPECT_TRUE(i.mumps);
  EXPECT_TRUE(i.stop_if_negative);
  EXPECT_FALSE(i.hold_unattached);
  EXPECT_EQ(built.model.parts[0].drilling, 0.01);
}

TEST(ImplicitControl, ConstantsOfDynamicsDependOnAlpha) {
  const auto read = [](const std::string& fields) {
    const BuiltDeck built =
        plate_and("*CONTROL_IMPLICIT_GENERAL\n1,0.1\n*CONTROL_IMPLICIT_DYNAMICS\n" + fields + "\n");
    EXPECT_EQ(built.problems(), "");
    return built.model.control.implicit.dynamics;
  };
  EXPECT_FALSE(read("0,0.6,0.38,1.,2.,3.,0,-0.1").active);
  const Dynamics newmark = read("1");
  EXPECT_TRUE(newmark.active);
  EXPECT_EQ(newmark.gamma, 0.5);
  EXPECT_EQ(newmark.beta, 0.25);
  EXPECT_EQ(newmark.alpha, 0.0);
  EXPECT_EQ(newmark.birth, 0.0);
  EXPECT_EQ(newmark.death, 1e28);
  const Dynamics hht = read("1,,,,,,,-0.1");  // Hilber, Hughes and Taylor 1977
  EXPECT_DOUBLE_EQ(hht.gamma, 0.6);
  EXPECT_DOUBLE_EQ(hht.beta, 0.3025);
  const Dynamics own = read("1,0.6,0.38,1.,2.,3.,0,-0.1");
  EXPECT_EQ(own.gamma, 0.6);
  EXPECT_EQ(own.beta, 0.38);
  EXPECT_EQ(own.birth, 1.0);
  EXPECT_EQ(own.burial, 3.0);
  EXPECT_EQ(read("1,,,,2.").burial, 2.0);  // dead at once
}

TEST(ImplicitControl, IterativeSolversAreConjugateGradientsWithTheirTolerances) {
  const std::string on = "*CONTROL_IMPLICIT_GENERAL\n1,0.1\n*CONTROL_IMPLICIT_SOLVER\n";
  const BuiltDeck ours = plate_and(on + "25\n");
  EXPECT_TRUE(ours.reported("LSOLVR = 25: conjugate gradients have smoothed aggregation"));
  EXPECT_TRUE(ours.model.control.implicit.iterative.active);
  EXPECT_EQ(ours.model.control.implicit.iterative.most_iterations, 500);
  EXPECT_EQ(ours.model.control.implicit.iterative.absolute, 0.0);
  EXPECT_EQ(ours.model.control.implicit.iterative.relative, 1e-8);
  const IterativeSolver given = plate_and(on + "22\n,,70,1e-5,1e-4\n").model.control.implicit.iterative;
  EXPECT_EQ(given.most_iterations, 70);
  EXPECT_EQ(given.absolute, 1e-5);
  EXPECT_EQ(given.relative, 1e-4);
  EXPECT_TRUE(plate_and(on + "22\n,,-1\n").reported("IPARM1 = -1"));
  EXPECT_FALSE(plate_and(on + "6\n").model.control.implicit.iterative.active);
}

TEST(ImplicitControl, RefusesWhatItDoesNotHave) {
  const std::string on = "*CONTROL_IMPLICIT_GENERAL\n1,0.1\n";
  EXPECT_TRUE(plate_and("*CONTROL_IMPLICIT_GENERAL\n6,0.1\n").reported("IMFLAG = 6"));
  EXPECT_TRUE(plate_and("*CONTROL_IMPLICIT_GENERAL\n1,-0.1\n").reported("DT0 = -0.1"));
  EXPECT_TRUE(plate_and(on + "*CONTROL_IMPLICIT_DYNAMICS\n2\n").reported("IMASS = 2"));
  EXPECT_TRUE(plate_and(on + "*CONTROL_IMPLICIT_DYNAMICS\n0,,,,,,2\n").reported("IRATE = 2"));
  EXPECT_TRUE(plate_and(on + "*CONTROL_IMPLICIT_DYNAMICS\n1,,,,,,,0.5\n").reported("ALPHA = 0.5"));
  EXPECT_TRUE(plate_and(on + "*CONTROL_IMPLICIT_DYNAMICS\n-7\n").reported("curve 7 does not exist"));
  EXPECT_TRUE(plate_and(on + "*CONTROL_IMPLICIT_SOLUTION\n12,,-3\n").reported("MAXREF = -3"));
  EXPECT_TRUE(plate_and(on + "*CONTROL_IMPLICIT_SOLUTION\n12,,,-3.\n").reported("DCTOL = -3"));
  EXPECT_TRUE(plate_and(on + "*CONTROL_IMPLICIT_SOLUTION\n6\n\n,,,2\n").reported("ARCMTH = 2"));
  EXPECT_TRUE(plate_and(on + "*CONTROL_IMPLICIT_SOLUTION\n12\n-2\n0.1\n").reported("DMTOL = 0.1"));
  EXPECT_TRUE(plate_and(on + "*CONTROL_IMPLICIT_SOLVER\n90\n").reported("LSOLVR = 90"));
  EXPECT_TRUE(plate_and(on + "*CONTROL_IMPLICIT_AUTO\n3\n").reported("IAUTO = 3"));
}

TEST(ImplicitControl, SaysWhenTheSchemeChanges) {
  const std::string on = "*CONTROL_IMPLICIT_GENERAL\n";
  const auto read = [](const std::string& cards) {
    const BuiltDeck built = plate_and(cards);
    EXPECT_EQ(built.problems(), "");
    return built.model.control;
  };
  EXPECT_FALSE(read(on + "1,0.1\n").has_phases());
  EXPECT_FALSE(read(on + "0,0.1\n").implicit.active);
  const Control by_curve = read(on + "-7,0.1,,,,,,1\n*DEFINE_CURVE\n7\n0,1\n1,0\n");
  EXPECT_TRUE(by_curve.has_phases());
  EXPECT_EQ(by_curve.implicit.switching.curve, 0);
  EXPECT_TRUE(by_curve.implicit.switching.rest);
  EXPECT_TRUE(plate_and(on + "-7,0.1\n*DEFINE_CURVE\n7\n0,1\n1,4\n").reported("other than 0 and 1"));
  const Switching once = read(on + "4,0.1\n").implicit.switching;
  EXPECT_TRUE(once.where_it_fails);
  EXPECT_FALSE(once.implicit_end);
  EXPECT_EQ(once.failures, 1);
  const Switching more = read(on + "5,0.1\n*CONTROL_IMPLICIT_AUTO\n1,,,,,0.5,3,20\n").implicit.switching;
  EXPECT_TRUE(more.implicit_end);
  EXPECT_EQ(more.explicit_time, 0.5);
  EXPECT_EQ(more.failures, 3);
  EXPECT_EQ(more.cycles, 20);
  const std::string parts = "*SET_PART_LIST\n3\n1\n*INTERFACE_SPRINGBACK_SEAMLESS\n3\n2,7,1\n5,4,0\n";
  const Springback springback = read(parts + on + "2,0.1,,4\n").implicit.springback;
  EXPECT_EQ(springback.parts, std::vector<LocalId>{0});
  EXPECT_EQ(springback.steps, 4);
  ASSERT_EQ(springback.held.size(), 2u);
  EXPECT_EQ(springback.held[0].translations, 7);
  EXPECT_EQ(springback.held[0].rotations, 1);
  EXPECT_EQ(springback.held[1].translations, 3);
  EXPECT_TRUE(plate_and(on + "2,0.1\n").reported("*INTERFACE_SPRINGBACK_SEAMLESS"));
  EXPECT_TRUE(plate_and(parts + on + "2,0.1,1\n").reported("IMFORM = 1"));
  EXPECT_TRUE(plate_and(parts + on + "1,0.1\n").reported("IMFLAG other than 0 and 2"));
  const std::string before = "*CONTROL_DYNAMIC_RELAXATION\n,,,1.,,,,";
  const Control relaxed = read(before + "6\n3\n*SET_PART_LIST\n3\n1\n" + on + "0,0.1\n");
  EXPECT_TRUE(relaxed.has_phases() && relaxed.relaxation.implicit && !relaxed.relaxation.active);
  EXPECT_EQ(relaxed.relaxation.parts, std::vector<LocalId>{0});
  EXPECT_TRUE(plate_and(before + "5\n").reported("need DT0"));
}

TEST(ImplicitControl, CardsHaveNoEffectInAnExplicitDeck) {
  const BuiltDeck built = plate_and("*CONTROL_IMPLICIT_SOLVER\n25\n*CONTROL_IMPLICIT_DYNAMICS\n1\n");
  EXPECT_TRUE(built.reported("CR-D330"));
  EXPECT_FALSE(built.reported("CR-D320")) << built.problems();
}

}  // namespace
}  // namespace crumple::model
