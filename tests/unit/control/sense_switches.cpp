// Words of d3kil, and how often it is looked at.
#include "control/sense_switches.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "control/look_pace.hpp"

namespace crumple::control {
namespace {

TEST(SenseSwitches, CasePeriodAndBlanksDoNotMatter) {
  for (const char* text :
       {"sw1", "SW1", "sw1.", " Sw1 .\n", "\tSW1.\r\n", "stop", "STOP.", "sw1\nsw2\n", "\n sw1"})
    EXPECT_EQ(switch_of(text), Switch::stop) << text;
  EXPECT_EQ(switch_of("SW2."), Switch::status);
  EXPECT_EQ(switch_of(" sw4\n"), Switch::plot);
  for (const char* text : {"", "sw", "sw11", "sw3", "1", "."}) EXPECT_FALSE(switch_of(text)) << text;
}

class SwitchFile : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const char* name, const char* text) const { std::ofstream(folder_ / name) << text; }
  bool there(const char* name) const { return std::filesystem::exists(folder_ / name); }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      ("crumple-switches-" + std::to_string(testing::UnitTest::GetInstance()->random_seed()));
  SenseSwitches switches_{folder_.string()};
};

TEST_F(SwitchFile, BothNamesAreReadAndRemoved) {
  for (const char* name : {"d3kil", "D3KIL"}) {
    write(name, "SW4.");
    EXPECT_EQ(switches_.read(), Switch::plot) << name;
    EXPECT_FALSE(there(name));
  }
  EXPECT_EQ(switches_.read(), Switch::none);
}

TEST_F(SwitchFile, HalfAWordIsWaitedFor) {
  write("d3kil", "");
  EXPECT_EQ(switches_.read(), Switch::none);
  write("d3kil", "s");
  EXPECT_EQ(switches_.read(), Switch::none);
  EXPECT_TRUE(there("d3kil"));
  write("d3kil", "sw1");
  EXPECT_EQ(switches_.read(), Switch::stop);
}

TEST_F(SwitchFile, NonsenseIsRemovedOnce) {
  write("d3kil", "sw9\n");
  EXPECT_EQ(switches_.read(), Switch::none);
  EXPECT_FALSE(there("d3kil"));
  write("D3KIL", "sw9");  // no end of the line: it may be half a word, until the next look
  EXPECT_EQ(switches_.read(), Switch::none);
  EXPECT_TRUE(there("D3KIL"));
  EXPECT_EQ(switches_.read(), Switch::none);
  EXPECT_FALSE(there("D3KIL"));
}

using Time = std::chrono::steady_clock::time_point;
Time after(Time start, double seconds) {
  return start + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                     std::chrono::duration<double>(seconds));
}

TEST(LookPace, FastCyclesAreLookedAtEveryFifty) {
  LookPace pace;
  Time now = std::chrono::steady_clock::now();
  std::int64_t cycles = 1;
  for (int k = 0; k < 10; ++k) cycles = pace.next(now = after(now, 1e-4 * static_cast<double>(cycles)));
  EXPECT_EQ(cycles, LookPace::kMost);
}

/// Cycles become a thousand times slower: no more than one look takes long.
TEST(LookPace, SlowCyclesAreLookedAtEveryHalfSecond) {
  LookPace pace;
  Time now = std::chrono::steady_clock::now();
  std::int64_t cycles = 1;
  for (int k = 0; k < 10; ++k) cycles = pace.next(now = after(now, 1e-4 * static_cast<double>(cycles)));
  cycles = pace.next(now = after(now, 0.1 * static_cast<double>(cycles)));
  EXPECT_LE(0.1 * static_cast<double>(cycles), LookPace::kSeconds);
  for (const double each : {0.1, 0.3, 2.0}) {
    for (int k = 0; k < 3; ++k) cycles = pace.next(now = after(now, each * static_cast<double>(cycles)));
    EXPECT_LE(each * static_cast<double>(cycles), std::max(each, LookPace::kSeconds)) << each;
  }
}

}  // namespace
}  // namespace crumple::control
