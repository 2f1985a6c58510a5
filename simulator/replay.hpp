// Replays the traces of all jobs, and notes what each rank spends its time on.
#pragma once

#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "costs.hpp"
#include "experiment.hpp"
#include "files.hpp"
#include "loads.hpp"
#include "platform.hpp"
#include "turns.hpp"
#include "two_levels.hpp"
#include "waiting.hpp"

namespace crumple::simulator {

// Of one process and operation.
struct Spent {
  long calls = 0;
  double seconds = 0;
  double waiting = 0;  // of them: for others that came late; of compute: for the memory bus
};

class Replay {
 public:
  Replay(const Experiment& experiment, const Platform& platform, Costs& costs);
  ~Replay();

  // Simulate; returns when all jobs are done.
  void run();

  const std::vector<std::string>& operations() const { return operations_; }
  const Spent& spent(std::size_t process, std::size_t operation) const { return spent_[process][operation]; }
  double ended(std::size_t process) const { return ended_[process]; }

 private:
  using Action = std::vector<std::string>;

  void rank_main(int job, int rank, const simgrid::s4u::BarrierPtr& start);
  void take_over();
  void handle(std::size_t operation, Action& action);
  void run_action(std::size_t operation, Action& action);
  [[noreturn]] void complain(const Action& action, const std::string& what) const;
  int rank_in(std::size_t process, const Action& action, std::size_t place) const;
  void compute(std::size_t process, Action& action);
  double point_to_point(std::size_t process, const std::string& name, Action& action,
                        const std::function<void(Action&)>& run);
  std::string tag_of(const Partners::Request& request);
  void collective(std::size_t process, std::size_t operation, Action& action);
  void file(std::size_t process, const std::string& name, const Action& action);
  bool choose_algorithm(const Job& job, const std::string& name, const Action& action) const;
  void in_two_levels(int job, int rank, const std::string& name, int root, const Action& action);
  void note(std::size_t process, std::size_t operation, double from, double waited, double to);
  void progress();

  const Experiment& experiment_;
  const Platform& platform_;
  Costs& costs_;
  std::vector<std::string> operations_;
  std::vector<std::function<void(Action&)>> handlers_;  // SimGrid's
  std::vector<std::vector<Spent>> spent_;
  std::vector<double> ended_;
  std::vector<int> job_of_, first_of_job_;  // process -> job, job -> its first process
  Turns turns_;
  Files files_;
  Partners partners_;
  std::map<long, std::size_t> tags_;      // of traces, by number of their appearance
  std::vector<Collectives> collectives_;  // by job
  std::vector<TwoLevels> two_levels_;     // by job
  std::FILE* timeline_ = nullptr;
  long lines_ = 0;
  double told_ = 0;
  bool taken_over_ = false;
  int done_ = 0;  // processes
};

}  // namespace crumple::simulator
