// When dumps are written, and the limit of processor time.
#include <gtest/gtest.h>

#include "built_deck.hpp"

namespace crumple::model {
namespace {

TEST(Dumps, WithoutKeywordsThereAreNone) {
  const BuiltDeck d = plate_and("");
  const Dumps& dumps = d.model.output.dumps;
  EXPECT_EQ(dumps.d3dump, 0);
  EXPECT_EQ(dumps.runrsf, 0);
  EXPECT_FALSE(dumps.suppressed);
  EXPECT_EQ(d.model.control.cpu_limit, 0.0);
}

TEST(Dumps, IntervalsAreCycles) {
  const BuiltDeck d =
      plate_and("*DATABASE_BINARY_D3DUMP\n50000.0\n*DATABASE_BINARY_RUNRSF\n1e4,3\n*CONTROL_CPU\n3600.0\n");
  EXPECT_EQ(d.problems(), "");
  const Dumps& dumps = d.model.output.dumps;
  EXPECT_EQ(dumps.d3dump, 50000);
  EXPECT_EQ(dumps.runrsf, 10000);
  EXPECT_EQ(dumps.runrsf_files, 3);
  EXPECT_FALSE(dumps.suppressed);
  EXPECT_DOUBLE_EQ(d.model.control.cpu_limit, 3600.0);
}

TEST(Dumps, OneRunningDumpUnlessNrSaysMore) {
  for (const char* nr : {"", ",0", ",1"}) {
    const BuiltDeck d = plate_and(std::string("*DATABASE_BINARY_RUNRSF\n5000") + nr + "\n");
    EXPECT_EQ(d.problems(), "");
    EXPECT_EQ(d.model.output.dumps.runrsf_files, 1);
  }
  EXPECT_TRUE(plate_and("*DATABASE_BINARY_RUNRSF\n5000,-2\n").reported("CR-D310"));
  EXPECT_TRUE(plate_and("*DATABASE_BINARY_RUNRSF\n5000,100\n").reported("CR-D310"));
}

TEST(Dumps, ATimeIsNoNumberOfCycles) {
  const BuiltDeck time = plate_and("*DATABASE_BINARY_D3DUMP\n0.001\n");
  EXPECT_TRUE(
      time.reported("CR-D330: *DATABASE_BINARY_D3DUMP: CYCL = 0.001 is no number of cycles; no dumps at"))
      << time.problems();
  EXPECT_FALSE(time.deck.has_errors());
  EXPECT_EQ(time.model.output.dumps.d3dump, 0);
  EXPECT_TRUE(plate_and("*DATABASE_BINARY_D3DUMP\n-5\n").reported("CR-D310"));
  EXPECT_TRUE(plate_and("*CONTROL_CPU\n-5\n").reported("CR-D310: *CONTROL_CPU: CPUTIM = -5 is negative"));
}

TEST(Dumps, BothKeywordsOfMppSuppressThem) {
  for (const char* keyword : {"*CONTROL_MPP_IO_NODUMP\n", "*CONTROL_MPP_IO_NOD3DUMP\n"}) {
    const BuiltDeck d = plate_and(std::string(keyword) + "*DATABASE_BINARY_D3DUMP\n5000\n");
    EXPECT_EQ(d.problems(), "") << keyword;
    EXPECT_TRUE(d.model.output.dumps.suppressed) << keyword;
  }
}

}  // namespace
}  // namespace crumple::model
