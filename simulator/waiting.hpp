// How much of the time in MPI a rank waited for others that came late, and not for the transfer.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

namespace crumple::simulator {

// Point to point: the k-th send of a pair of ranks and tag meets its k-th receive. A receive waits for a send
// that begins later ("late sender"), a send that is not copied for a late receive.
class Partners {
 public:
  using Key = std::tuple<int, int, long>;  // source, destination (processes), tag

  // A request of a process that it has not waited for.
  struct Request {
    Key key;
    std::size_t number;  // among those of its side and key
    bool receives;
    bool copied;  // an eager send: it waits for nobody
  };

  explicit Partners(std::size_t processes) : open_(processes) {}

  Request post(const Key& key, bool receives, bool copied, double now);
  void keep(std::size_t process, const Request& request) { open_[process].push_back(request); }
  bool take(std::size_t process, const Key& key, Request& request);
  std::vector<Request> take_all(std::size_t process);

  // Whether nobody has to be waited for; of all open requests of a process.
  bool came(const Request& request) const;
  bool all_came(std::size_t process) const;

  // When the other side came; -1 where nobody has to be waited for. Once a request.
  double partner_came(const Request& request);

 private:
  // Times at which one side of a channel was posted; those that the other side asked for are dropped.
  struct Side {
    std::deque<double> times;
    std::size_t first = 0, posted = 0;
    double take(std::size_t number);
  };
  struct Channel {
    Side sends, receives;
  };
  std::map<Key, Channel> channels_;
  std::vector<std::vector<Request>> open_;
};

// Collectives of one job: the ranks call the same ones in the same order.
class Collectives {
 public:
  enum class Kind { all_to_all, one_to_all, all_to_one };
  // What a rank waited in one: rank, entered, waited, left.
  using Told = std::function<void(int rank, int what, double entered, double waited, double left)>;

  Collectives(int ranks, Told told) : calls_(ranks), ranks_(ranks), told_(std::move(told)) {}

  std::size_t enter(int rank, int what, Kind kind, int root, double now);
  void leave(int rank, std::size_t number, double now);

 private:
  struct Call {
    Kind kind = Kind::all_to_all;
    int what = 0, root = 0;
    double root_came = 0, last_came = 0;
    int left = 0;
    std::vector<double> entered, ended;
  };
  void finish(const Call& call) const;

  std::deque<Call> open_;
  std::size_t first_ = 0;
  std::vector<std::size_t> calls_;  // by rank
  int ranks_;
  Told told_;
};

}  // namespace crumple::simulator
