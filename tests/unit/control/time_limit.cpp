// Durations, limits of elapsed and of processor time, and the end of a Slurm job.
#include "control/time_limit.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "base/error.hpp"
#include "control/options.hpp"

namespace crumple::control {
namespace {

TEST(Duration, AllForms) {
  const std::pair<const char*, double> durations[] = {
      {"8h", 28800},         {"90m", 5400},          {"45s", 45},      {"2d", 172800},
      {"1h30m", 5400},       {"1d12h", 129600},      {"1.5h", 5400},   {"5400", 5400},
      {"0.5", 0.5},          {"7:30:00", 27000},     {"30:00", 1800},  {"90:00", 5400},
      {"100:00:00", 360000}, {"1-12:00:00", 129600}, {"1-12", 129600}, {"1-12:30", 131400},
      {"0-00:00:07", 7}};
  for (const auto& [text, seconds] : durations) {
    ASSERT_TRUE(duration_of(text)) << text;
    EXPECT_DOUBLE_EQ(*duration_of(text), seconds) << text;
  }
}

TEST(Duration, NonsenseIsNone) {
  for (const char* text : {"",         " ",         "h",
                           "8 h",      "8x",        "8h8h",
                           "30m1h",    "-5",        "-5h",
                           "+5",       "1e3",       "8h30",
                           "0",        "0s",        "0:00",
                           "nan",      "inf",       "1:",
                           ":30",      "1:2:3:4",   "1:60",
                           "1:60:00",  "1-24:00",   "1-",
                           "-12:00",   "1-2-3",     "1.5:00",
                           "7:30:00h", "UNLIMITED", "NOT_SET",
                           "INVALID",  "1.2.3",     "99999999999999h"})
    EXPECT_FALSE(duration_of(text)) << text;
}

using Clock = TimeLimit::Clock;
const Clock::time_point kStart{};
TimeLimit::Moment at(double elapsed, double processor = 0.0) {
  return {kStart + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(elapsed)),
          processor};
}

TEST(TimeLimit, WithoutLimitsARunGoesOn) {
  const TimeLimit limit(kStart);
  EXPECT_FALSE(limit.any());
  EXPECT_FALSE(limit.reached(at(1e9, 1e9)));
  EXPECT_FALSE(limit.reached());
  EXPECT_EQ(limit.name(at(1.0)), "");
}

TEST(TimeLimit, LeavesTwoDumpsAndTheMargin) {
  TimeLimit limit(kStart);
  limit.limit_elapsed(1000.0, "--walltime 1000");
  limit.set_margin(5.0);
  EXPECT_FALSE(limit.reached(at(994.0)));
  EXPECT_TRUE(limit.reached(at(996.0)));
  limit.expect_dump(100.0);
  EXPECT_FALSE(limit.reached(at(794.0)));
  EXPECT_TRUE(limit.reached(at(796.0)));
  limit.expect_dump(50.0);  // the last dump counts, not the longest
  EXPECT_FALSE(limit.reached(at(894.0)));
  EXPECT_TRUE(limit.reached(at(896.0)));
  EXPECT_DOUBLE_EQ(limit.left(at(890.0)), 5.0);
}

TEST(TimeLimit, TheMarginFollowsTheLimit) {
  const auto begins = [](double seconds) {
    TimeLimit limit(kStart);
    limit.limit_elapsed(seconds, "");
    return limit.left(at(0.0));
  };
  EXPECT_DOUBLE_EQ(begins(10.0), 9.0);
  EXPECT_DOUBLE_EQ(begins(1000.0), 980.0);
  EXPECT_DOUBLE_EQ(begins(28800.0), 28740.0);
}

TEST(TimeLimit, TheFirstOfSeveralCounts) {
  TimeLimit limit(kStart);
  limit.limit_elapsed(1000.0, "--walltime");
  limit.limit_elapsed(500.0, "Slurm", kStart + std::chrono::seconds(100));  // at 600
  limit.limit_elapsed(2000.0, "later");
  limit.limit_processor(300.0, "CPUTIM");
  limit.set_margin(0.0);
  EXPECT_FALSE(limit.reached(at(599.0, 299.0)));
  EXPECT_TRUE(limit.reached(at(601.0, 0.0)));
  EXPECT_EQ(limit.name(at(601.0, 0.0)), "Slurm");
  EXPECT_TRUE(limit.reached(at(10.0, 301.0)));
  EXPECT_EQ(limit.name(at(10.0, 301.0)), "CPUTIM");
}

TEST(TimeLimit, CountsTheTimeOfThisProcess) {
  TimeLimit limit;
  limit.set_margin(0.0);
  limit.limit_processor(TimeLimit::now().processor + 0.1, "");
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_FALSE(limit.reached()) << "waiting takes no processor time";
  const auto start = Clock::now();
  while (!limit.reached() && Clock::now() - start < std::chrono::seconds(20)) {
  }
  EXPECT_TRUE(limit.reached());
}

/// A job of Slurm with a squeue of its own.
class SlurmJob : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    ::setenv("SLURM_JOB_ID", "4711", 1);
    ::unsetenv("SLURM_JOB_END_TIME");
    path_ = std::getenv("PATH");
    ::setenv("PATH", (folder_.string() + ":" + path_).c_str(), 1);
    squeue("echo no job >&2; exit 1");
  }
  void TearDown() override {
    ::unsetenv("SLURM_JOB_ID");
    ::unsetenv("SLURM_JOB_END_TIME");
    ::setenv("PATH", path_.c_str(), 1);
    std::filesystem::remove_all(folder_);
  }
  void squeue(const char* body) const {
    const auto program = folder_ / "squeue";
    std::ofstream(program) << "#!/bin/sh\n" << body << "\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("crumple-squeue-" + std::to_string(::getpid()));
  std::string path_;
};

TEST_F(SlurmJob, ItsEndIsInTheEnvironment) {
  ::setenv("SLURM_JOB_END_TIME", std::to_string(std::time(nullptr) + 600).c_str(), 1);
  ASSERT_TRUE(left_of_slurm_job());
  EXPECT_NEAR(*left_of_slurm_job(), 600.0, 2.0);
}

TEST_F(SlurmJob, OtherwiseSqueueIsAsked) {
  squeue("case \"$*\" in *--jobs=4711*TimeLeft*) echo '1-07:30:00     ';; esac");
  EXPECT_EQ(left_of_slurm_job(), 113400.0);
  ::setenv("SLURM_JOB_END_TIME", "Unknown", 1);
  EXPECT_EQ(left_of_slurm_job(), 113400.0);
  for (const char* none : {"echo UNLIMITED", "echo INVALID", "echo; echo 30:00", "exit 0"}) {
    squeue(none);
    EXPECT_FALSE(left_of_slurm_job()) << none;
  }
}

TEST_F(SlurmJob, SqueueThatHangsIsNotWaitedFor) {
  squeue("exec sleep 60");
  const auto start = Clock::now();
  EXPECT_FALSE(left_of_slurm_job(1));
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(20));
}

TEST_F(SlurmJob, NumbersOnlyAreGivenToTheShell) {
  squeue("echo 30:00");
  ::setenv("SLURM_JOB_ID", "1;echo 30:00", 1);
  EXPECT_FALSE(left_of_slurm_job());
  ::unsetenv("SLURM_JOB_ID");
  EXPECT_FALSE(left_of_slurm_job());
}

Options options_of(const std::string& walltime, const std::string& passed = "0") {
  std::string program = "crumple-solver", deck = "i=deck.k", option = "--walltime=" + walltime,
              of_it = "--walltime-passed=" + passed;
  char* words[] = {program.data(), deck.data(), option.data(), of_it.data()};
  return read_options(4, words);
}

TEST(Walltime, IsAnOption) {
  EXPECT_EQ(options_of("8h").walltime, 28800.0);
  EXPECT_EQ(options_of("1-12:00:00").walltime, 129600.0);
  EXPECT_EQ(options_of("8h", "800").walltime, 28000.0);
  EXPECT_EQ(options_of("8h", "30000").walltime, 1.0) << "none is left";
  EXPECT_EQ(options_of("0.5s").walltime, 0.5);
  for (const char* wrong : {"8x", "0", "-3h", "soon"}) {
    try {
      options_of(wrong);
      ADD_FAILURE() << wrong;
    } catch (const Error& error) {
      EXPECT_EQ(error.id(), "CR-K001") << wrong;
    }
  }
}

}  // namespace
}  // namespace crumple::control
