// Threads of a team on a core each, and free again.
#include "parallel/core_binding.hpp"

#include <gtest/gtest.h>
#include <omp.h>
#include <sched.h>

#include <set>
#include <vector>

namespace crumple::parallel {
namespace {

std::vector<int> allowed() {
  cpu_set_t set;
  CPU_ZERO(&set);
  ::sched_getaffinity(0, sizeof set, &set);
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  return cores;
}

/// What each thread of a team of `n` may use.
std::vector<std::vector<int>> of_team(int n) {
  std::vector<std::vector<int>> cores(static_cast<std::size_t>(n));
#pragma omp parallel num_threads(n)
  cores[static_cast<std::size_t>(omp_get_thread_num())] = allowed();
  return cores;
}

TEST(CoreBinding, PinsEachThreadAndReleasesAll) {
  const std::vector<int> all = allowed();
  const std::vector<int> cores{all.back(), all.front()};
  CoreBinding binding(cores);
  EXPECT_TRUE(binding.bound());
  EXPECT_EQ(of_team(2), (std::vector<std::vector<int>>{{cores[0]}, {cores[1]}}));
  binding.release();
  EXPECT_FALSE(binding.bound());
  EXPECT_EQ(of_team(2), (std::vector<std::vector<int>>{all, all}));
  binding.bind();
  EXPECT_EQ(of_team(2)[1], std::vector<int>{cores[1]});
  binding.release();
}

TEST(CoreBinding, LeavesThreadsAloneIfACoreIsNotAllowed) {
  const std::vector<int> all = allowed();
  CoreBinding binding({all.front(), 8191});
  EXPECT_FALSE(binding.bound());
  binding.bind();
  EXPECT_FALSE(binding.bound());
  EXPECT_EQ(allowed(), all);
  EXPECT_FALSE(CoreBinding().bound());
}

}  // namespace
}  // namespace crumple::parallel
