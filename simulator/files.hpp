// Files of ranks: each block waits for its turn at what it passes, a disk or the servers and the adapter of
// its node.
#pragma once

#include <deque>
#include <vector>

#include "experiment.hpp"

namespace crumple::simulator {

class Files {
 public:
  Files(const Experiment& experiment, std::size_t processes);

  // All return the time at which the process goes on; `now` or later.
  // A block is written beside the process; at most one waits beside the one that is written.
  double write(std::size_t process, int node, double bytes, double now);
  // Until all blocks of the process are written.
  double flush(std::size_t process, double now);
  // A block is read, one ahead of the one in use.
  double read(std::size_t process, int node, double bytes, double now);

 private:
  struct Own {
    std::deque<double> writing;  // when blocks are written
    double asked = -1;           // when the next block is asked for; -1: when it is needed
  };

  double pass(int node, double bytes, bool write, double now);

  const FileSystem& system_;
  std::vector<double> disk_, adapter_;  // when they are free, by node
  double servers_ = 0;
  std::vector<Own> own_;
};

}  // namespace crumple::simulator
