// Words of d3kil, signals, and how often requests are looked at.
#include "control/requests.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "control/look_pace.hpp"

namespace crumple::control {
namespace {

TEST(SenseSwitches, CasePeriodAndBlanksDoNotMatter) {
  for (const char* text : {"sw1", "SW1", "sw1.", " Sw1 .\n", "\tSW1.\r\n", "sw1\nsw2\n", "\n sw1"})
    EXPECT_EQ(request_of(text), Request::stop_with_dump) << text;
  for (const char* text : {"stop", "STOP.", " Stop\n"}) EXPECT_EQ(request_of(text), Request::stop) << text;
  EXPECT_EQ(request_of("sw3"), Request::dump);
  EXPECT_EQ(request_of("SW2."), Request::status);
  EXPECT_EQ(request_of(" sw4\n"), Request::plot);
  for (const char* text : {"", "sw", "sw11", "sw5", "1", "."}) EXPECT_FALSE(request_of(text)) << text;
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
    EXPECT_EQ(switches_.read(), Request::plot) << name;
    EXPECT_FALSE(there(name));
  }
  EXPECT_EQ(switches_.read(), Request::none);
}

TEST_F(SwitchFile, HalfAWordIsWaitedFor) {
  write("d3kil", "");
  EXPECT_EQ(switches_.read(), Request::none);
  write("d3kil", "s");
  EXPECT_EQ(switches_.read(), Request::none);
  EXPECT_TRUE(there("d3kil"));
  write("d3kil", "sw1");
  EXPECT_EQ(switches_.read(), Request::stop_with_dump);
}

TEST_F(SwitchFile, NonsenseIsRemovedOnce) {
  write("d3kil", "sw9\n");
  EXPECT_EQ(switches_.read(), Request::none);
  EXPECT_FALSE(there("d3kil"));
  write("D3KIL", "sw9");  // no end of the line: it may be half a word, until the next look
  EXPECT_EQ(switches_.read(), Request::none);
  EXPECT_TRUE(there("D3KIL"));
  EXPECT_EQ(switches_.read(), Request::none);
  EXPECT_FALSE(there("D3KIL"));
}

/// In a process of its own: signals of this one remain as they are.
int in_a_process(int (*body)()) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(Signals, AskForADumpOrTheEnd) {
  const int status = in_a_process([]() -> int {
    for (const int number : {SIGTERM, SIGINT, SIGUSR1}) std::signal(number, SIG_DFL);
    listen_to_signals();
    if (signalled() != Request::none) return 1;
    std::raise(SIGUSR1);
    if (signalled() != Request::dump) return 2;
    std::raise(SIGTERM);
    if (signalled() != Request::stop_with_dump) return 3;
    forget_dump_signal();
    return signalled() == Request::stop_with_dump ? 0 : 4;
  });
  EXPECT_EQ(status, 0);
}

TEST(Signals, ADumpIsForgottenWhenItIsWritten) {
  const int status = in_a_process([]() -> int {
    std::signal(SIGUSR1, SIG_DFL);
    listen_to_signals();
    for (int k = 0; k < 2; ++k) {
      std::raise(SIGUSR1);
      if (signalled() != Request::dump) return 1;
      forget_dump_signal();
      if (signalled() != Request::none) return 2;
    }
    return 0;
  });
  EXPECT_EQ(status, 0);
}

TEST(Signals, IgnoredOnesRemainIgnored) {
  const int status = in_a_process([]() -> int {
    for (const int number : {SIGTERM, SIGINT, SIGUSR1}) std::signal(number, SIG_IGN);
    listen_to_signals();
    for (const int number : {SIGTERM, SIGINT, SIGUSR1}) std::raise(number);
    return signalled() == Request::none ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
}

TEST(Signals, ASecondInterruptEndsAtOnce) {
  const int status = in_a_process([]() -> int {
    std::signal(SIGINT, SIG_DFL);
    listen_to_signals();
    std::raise(SIGINT);
    if (signalled() != Request::stop_with_dump) return 1;
    std::raise(SIGINT);
    return 2;
  });
  EXPECT_EQ(status, -SIGINT);
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
