// Pins the threads of this rank to cores, for as long as it has them for itself.
#pragma once

#include <sys/types.h>

#include <vector>

namespace crumple::parallel {

class CoreBinding {
 public:
  /// Not pinned.
  CoreBinding() = default;
  /// Pins the OpenMP threads of this process, thread k of a team to cores[k]. The process keeps to teams of
  /// this size. Pins none if a core is not allowed.
  explicit CoreBinding(std::vector<int> cores);

  bool bound() const { return bound_; }
  /// The threads may use all cores again that they could use before.
  void release();
  void bind();

 private:
  std::vector<int> cores_;      ///< empty: nothing is pinned, ever
  std::vector<pid_t> threads_;  ///< as many
  std::vector<int> before_;     ///< cores that the process might use before
  bool bound_ = false;
};

}  // namespace crumple::parallel
