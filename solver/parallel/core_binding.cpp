// Affinities of the threads of an OpenMP team.
#include "parallel/core_binding.hpp"

#include <omp.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

namespace crumple::parallel {

namespace {

constexpr int kMostCores = 8192;

/// A set of cores, of any size that Linux has.
class CoreSet {
 public:
  CoreSet() : set_(CPU_ALLOC(kMostCores)) { CPU_ZERO_S(bytes_, set_.get()); }
  explicit CoreSet(std::span<const int> cores) : CoreSet() {
    for (const int core : cores) CPU_SET_S(core, bytes_, set_.get());
  }
  bool give(pid_t thread) const { return ::sched_setaffinity(thread, bytes_, set_.get()) == 0; }
  static std::vector<int> of_process() {
    const CoreSet allowed;
    std::vector<int> found;
    if (::sched_getaffinity(0, allowed.bytes_, allowed.set_.get()) != 0) return found;
    for (int core = 0; core < kMostCores; ++core)
      if (CPU_ISSET_S(core, allowed.bytes_, allowed.set_.get())) found.push_back(core);
    return found;
  }

 private:
  struct Free {
    void operator()(cpu_set_t* set) const { CPU_FREE(set); }
  };
  std::size_t bytes_ = CPU_ALLOC_SIZE(kMostCores);
  std::unique_ptr<cpu_set_t, Free> set_;
};

}  // namespace

CoreBinding::CoreBinding(std::vector<int> cores) : before_(CoreSet::of_process()) {
  if (!std::ranges::all_of(cores, [&](int core) { return std::ranges::count(before_, core) == 1; })) return;
  cores_ = std::move(cores);
  threads_.resize(cores_.size());
#pragma omp parallel num_threads(static_cast <int>(cores_.size()))
  threads_[static_cast<std::size_t>(omp_get_thread_num())] = static_cast<pid_t>(::syscall(SYS_gettid));
  bind();
}

void CoreBinding::bind() {
  for (std::size_t k = 0; k < cores_.size(); ++k)
    if (threads_[k] > 0) bound_ = CoreSet({&cores_[k], 1}).give(threads_[k]) || bound_;
}

void CoreBinding::release() {
  if (!bound_) return;
  const CoreSet all(before_);
  for (const pid_t thread : threads_)
    if (thread > 0) all.give(thread);
  bound_ = false;
}

}  // namespace crumple::parallel
