// What `prepare` refuses, with the error's id, field and place.
#include <gtest/gtest.h>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

void expect_refused(const model::Material& m, const std::string& id, const std::string& field,
                    const model::Model& model = {}) {
  try {
    prepare(model, m);
    ADD_FAILURE() << "not refused: " << id << ' ' << field;
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), id) << error.what();
    EXPECT_EQ(error.place().field, field);
    EXPECT_EQ(error.place().file, "deck.k");
    EXPECT_NE(error.message().find("material 7"), std::string::npos) << error.message();
  }
}

TEST(Prepare, RefusesWhatNoLawCanUse) {
  expect_refused(material(999, {}), "CR-M101", "");
  model::Material light = material(1, {});
  light.density = 0;
  expect_refused(light, "CR-M102", "RO");
  for (const int law : {1, 3, 20, 24}) {
    expect_refused(material(law, {{"E", -1.0}}), "CR-M103", "E");
    expect_refused(material(law, {{"PR", 0.5}}), "CR-M104", "PR");
  }
  expect_refused(material(1, {{"DA", 0.1}}), "CR-M105", "DA");
}

TEST(Prepare, RefusesImpossiblePlasticity) {
  expect_refused(material(3, {{"SIGY", 0.0}}), "CR-M103", "SIGY");
  expect_refused(material(3, {{"SIGY", 0.3}, {"ETAN", 210.0}}), "CR-M108", "ETAN");
  expect_refused(material(3, {{"SIGY", 0.3}, {"BETA", 1.5}}), "CR-M108", "BETA");
  expect_refused(material(3, {{"SIGY", 0.3}, {"SRC", 40.0}}), "CR-M108", "SRP");
  expect_refused(material(24, {{"SIGY", 0.3}, {"FAIL", -1.0}}), "CR-M105", "FAIL");
  expect_refused(material(24, {{"SIGY", 0.3}, {"VP", 3.0}}), "CR-M105", "VP");
}

TEST(Prepare, RefusesUnusableCurves) {
  model::Model m;
  m.curves = {curve(1, {0, 0.1, 0.1}, {1, 2, 3}), curve(2, {0, 0.1}, {1, -2}), curve(3, {0}, {1}),
              curve(4, {0.1, 0.2}, {1, 3})};
  expect_refused(material(24, {{"LCSS", 9.0}}), "CR-M106", "LCSS", m);
  expect_refused(material(24, {{"SIGY", 0.3}, {"LCSR", 9.0}}), "CR-M106", "LCSR", m);
  for (const double id : {1.0, 2.0, 3.0, 4.0})
    expect_refused(material(24, {{"LCSS", id}}), "CR-M107", "LCSS", m);
}

}  // namespace
}  // namespace crumple::materials
