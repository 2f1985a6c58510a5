// What a small restart deck says, and what becomes of it in the model.
#include "restart/changes.hpp"

#include <gtest/gtest.h>

#include "../model/built_deck.hpp"
#include "restart/apply_changes.hpp"
#include "restart/deck_schema.hpp"

namespace crumple::restart {
namespace {

constexpr Moment kMoment{0.5, 100, false};

/// A restart deck, and the plate of built_deck.hpp with a curve, a contact and sets.
struct Case {
  deck::Deck deck;
  Changes changes;
  model::BuiltDeck built;

  explicit Case(const std::string& text) : Case(written(text)) {}

  void apply() { restart::apply(changes, deck, kMoment, built.model); }
  explicit_dynamics::StateChanges state(Moment moment = kMoment) const {
    return find_state_changes(changes, deck, moment, built.model);
  }
  std::string problems() const {
    std::string all;
    for (const deck::Problem& p : deck.problems()) all += deck::to_text(p) + "\n";
    return all;
  }
  bool reported(const std::string& text) const { return problems().find(text) != std::string::npos; }

 private:
  struct File {
    std::filesystem::path path;
  };
  static File written(const std::string& text) {
    static std::atomic<int> count = 0;
    const File file{std::filesystem::temp_directory_path() /
                    ("restart-" + std::to_string(::getpid()) + "-" + std::to_string(++count) + ".k")};
    std::ofstream(file.path) << "*KEYWORD\n" << text << "*END\n";
    return file;
  }
  explicit Case(const File& file)
      : deck(deck::read_deck(file.path.string(), {}, deck_schema())),
        changes(read_changes(deck)),
        built(model::plate_and("*DEFINE_CURVE\n5\n0.,0.\n1.,2.\n*SET_NODE_LIST\n7\n2,1\n"
                               "*SET_SHELL_LIST\n8\n12\n*CONTACT_AUTOMATIC_SINGLE_SURFACE_ID\n3,all\n0\n\n\n"
                               "*DATABASE_GLSTAT\n0.1,1\n")) {
    std::filesystem::remove(file.path);
  }
};

TEST(Changes, EndStepAndIntervals) {
  Case c(
      "*TITLE\nlonger\n*CONTROL_TERMINATION\n3.0,0,0.01\n*CONTROL_TIMESTEP\n0.,0.6\n*DATABASE_GLSTAT\n0.2\n"
      "*DATABASE_BINARY_D3PLOT\n0.,0,0,6\n*DATABASE_SLEOUT\n0.3,2\n*DATABASE_BINARY_RUNRSF\n500,3\n");
  c.built.model.control.end_cycle = 7000;
  c.apply();
  EXPECT_EQ(c.problems(), "");
  const model::Control& control = c.built.model.control;
  EXPECT_EQ(control.title, "longer");
  EXPECT_EQ(control.end_time, 3.0);
  EXPECT_EQ(control.end_cycle, 7000);  // a blank field changes nothing
  EXPECT_EQ(control.end_mass, 1e8);
  EXPECT_EQ(control.min_step_factor, 0.01);
  EXPECT_EQ(control.step_scale, 0.6);
  const model::OutputControl& output = c.built.model.output;
  EXPECT_EQ(output.glstat, 0.2);
  EXPECT_EQ(output.glstat_binary, 1);  // as before
  EXPECT_EQ(output.d3plot, 0.5);       // six in the new time
  EXPECT_EQ(output.sleout, 0.3);
  EXPECT_EQ(output.sleout_binary, 2);
  EXPECT_EQ(output.dumps.runrsf, 500);
  EXPECT_EQ(output.dumps.runrsf_files, 3);
  EXPECT_EQ(output.dumps.d3dump, 0);
}

TEST(Changes, TheEndIsAfterTheDump) {
  Case c("*CONTROL_TERMINATION\n0.5,100\n");
  c.apply();
  EXPECT_TRUE(c.reported("CR-T032: the end time 0.5")) << c.problems();
  EXPECT_TRUE(c.reported("CR-T032: the last cycle 100")) << c.problems();
}

TEST(Changes, CurveOfEqualLength) {
  Case c("*CHANGE_CURVE_DEFINITION\n5\n*DEFINE_CURVE\n5\n0.,1.\n2.,3.\n");
  c.apply();
  EXPECT_EQ(c.problems(), "");
  EXPECT_EQ(c.built.model.curves[0].x, (std::vector<double>{0, 2}));
  EXPECT_EQ(c.built.model.curves[0].y, (std::vector<double>{1, 3}));
}

TEST(Changes, CurvesThatAreRefused) {
  Case c("*CHANGE_CURVE_DEFINITION\n4\n*DEFINE_CURVE\n5\n0.,1.\n*DEFINE_CURVE\n6\n0.,1.\n");
  c.apply();
  EXPECT_TRUE(c.reported("CR-D304: *CHANGE_CURVE_DEFINITION")) << c.problems();
  EXPECT_TRUE(c.reported("CR-T031: curve 5 has 2 points in the run and 1")) << c.problems();
  EXPECT_TRUE(c.reported("CR-D304: curve 6")) << c.problems();
  Case scaled("*DEFINE_CURVE\n5,0,2.0\n0.,1.\n1.,1.\n");
  EXPECT_TRUE(scaled.reported("SFA")) << scaled.problems();
}

TEST(Changes, ADeletedContactDiesAtTheDump) {
  Case c("*DELETE_CONTACT\n3\n");
  c.apply();
  EXPECT_EQ(c.problems(), "");
  EXPECT_EQ(c.built.model.contacts[0].death, 0.5);
}

TEST(Changes, DeletedPartsAndElements) {
  const Case c("*DELETE_PART\n1\n*DELETE_ELEMENT_SHELL\n8\n9\n*SET_SHELL_LIST\n9\n11\n");
  const auto state = c.state();
  EXPECT_EQ(c.problems(), "");
  EXPECT_EQ(state.parts, std::vector<GlobalId>{1});
  EXPECT_EQ(state.shells, (std::vector<GlobalId>{11, 12}));
  EXPECT_TRUE(state.deletes());
  EXPECT_FALSE(state.moves());
}

TEST(Changes, VelocitiesInTheOrderInWhichTheyAct) {
  const Case c(
      "*CHANGE_VELOCITY_NODE\n5,1.,2.,3.\n*CHANGE_VELOCITY\n7\n4.\n*CHANGE_VELOCITY_GENERATION\n1,2,3.\n"
      "0.,0.,0.,0.,0.,2.\n");
  const auto state = c.state();
  EXPECT_EQ(c.problems(), "");
  EXPECT_TRUE(state.rest);
  ASSERT_EQ(state.velocities.size(), 3U);
  EXPECT_EQ(state.velocities[0].nodes, (std::vector<GlobalId>{1, 2}));
  EXPECT_EQ(state.velocities[0].v.x, 4.0);
  EXPECT_EQ(state.velocities[1].nodes, (std::vector<GlobalId>{1, 2, 3, 4, 5, 6}));
  EXPECT_TRUE(state.velocities[1].turns);
  EXPECT_EQ(state.velocities[1].w.z, 3.0);
  EXPECT_EQ(state.velocities[2].nodes, std::vector<GlobalId>{5});
}

TEST(Changes, OnlyKeepsOtherVelocities) {
  EXPECT_FALSE(Case("*CHANGE_VELOCITY_ONLY\n7\n4.\n").state().rest);
  EXPECT_FALSE(Case("*CHANGE_VELOCITY_NODE_ONLY\n5,1.\n").state().rest);
  EXPECT_TRUE(Case("*CHANGE_VELOCITY_ZERO\n").state().rest);
  EXPECT_TRUE(Case("*CHANGE_VELOCITY_ZERO\n*CHANGE_VELOCITY\n0\n1.\n").reported("which shall count"));
}

TEST(Changes, StateStaysInDynamicRelaxation) {
  const Case c("*DELETE_PART\n1\n");
  EXPECT_TRUE(c.state({0.5, 100, true}).any());
  EXPECT_TRUE(c.reported("CR-T034")) << c.problems();
}

TEST(Changes, NumbersThatAreNotThere) {
  Case c(
      "*DELETE_PART\n4\n*DELETE_CONTACT\n1\n*DELETE_ELEMENT_SOLID\n2\n*CHANGE_VELOCITY\n99\n1.\n"
      "*CHANGE_VELOCITY_NODE\n77\n*CHANGE_VELOCITY_RIGID_BODY\n1\n");
  c.apply();
  c.state();
  for (const char* what : {"CR-D302: part 4", "CR-D302: contact 1", "CR-D305: the element set 2",
                           "CR-D305: node set 99", "CR-D303: node 77", "CR-D302: rigid body of part 1"})
    EXPECT_TRUE(c.reported(what)) << what << "\n" << c.problems();
}

TEST(DeckSchema, EveryKeywordOfAnOrdinaryDeckIsKnown) {
  for (const deck::EntrySchema& entry : deck::builtin_schema().entries()) {
    const deck::Schema::Match match = deck_schema().find(entry.name);
    ASSERT_NE(match.entry, nullptr) << entry.name;
    EXPECT_EQ(match.entry->name, entry.name);
    if (match.entry->support == deck::Support::refused) {
      EXPECT_NE(match.entry->why, "") << entry.name;
    }
  }
}

TEST(DeckSchema, TheModelIsThatOfTheDump) {
  for (const char* name : {"NODE", "PART", "MAT_024", "ELEMENT_SHELL_THICKNESS",
                           "CONTACT_AUTOMATIC_GENERAL_ID", "STRESS_INITIALIZATION_DISCRETE"}) {
    const deck::Schema::Match match = deck_schema().find(name);
    ASSERT_NE(match.entry, nullptr) << name;
    EXPECT_EQ(match.entry->support, deck::Support::refused) << name;
    EXPECT_NE(match.entry->why.find("a full restart is not supported"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace crumple::restart
