// What is simulated, as the JSON file says it. SI units: seconds, bytes, operations a second.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace crumple::simulator {

struct Link {
  std::string name;
  double bandwidth;  // bytes/s, one direction
  double latency;
  bool shared;  // false: each message has the whole bandwidth for itself
};

// A socket: cores that share a memory bus.
struct Host {
  std::string name;
  int node;
  int cores;
  double speed;  // of one core alone
  // cores busy and the rate of each of them then, as a fraction of one alone; between two entries linear
  std::vector<std::pair<double, double>> rate_when_busy;
  int memory;  // link that messages within the socket's node go over
};

struct Node {
  int up;    // link to its switch
  int self;  // link that bounds one message inside the node
  int first_switch;
};

// Where a switch sends what is for a node.
struct Hop {
  int link;
  int to;  // switch; -1: the node itself
};

struct Switch {
  std::string name;
  std::vector<Hop> next;  // by destination node
};

// CPU time of messages between nodes, and what a network card can do.
struct Messages {
  double send_overhead, receive_overhead;
  double overhead_per_byte;  // of a message that is copied: up to the eager limit
  double gap;                // between two messages of one card, one direction
  double latency;            // from card to card
  double jitter;             // mean of an exponentially distributed delay of a message
  double loss;               // share of messages that are lost
  double retransmission;     // seconds after which these are sent again
  double look;               // of a rank at its connections, until it finds what has come
};

// Seconds that a core takes to turn from one of its ranks to another, by the work of the rank before it
// waited last: pairs of seconds.
struct TurnCosts {
  std::vector<std::pair<double, double>> messages, collectives;  // what it waited for
};

// What the operating system takes of a core that computes: times a second, seconds each on average.
struct Detours {
  double rate, mean;
};

// What files of ranks are on: a disk in each node, or servers that all nodes share.
struct FileSystem {
  bool local;
  double write, read;  // bytes/s of a disk, or of all servers
  double adapter;      // bytes/s of a node to the servers
  double latency;      // s of a block
};

struct Job {
  std::vector<std::string> files;  // trace of each rank
  std::vector<int> places;         // host of each rank
  // by operation: up to so many bytes this algorithm, in rising order
  std::map<std::string, std::vector<std::pair<double, std::string>>> collectives;
  double start;  // later than the first job by so much
};

struct Experiment {
  std::vector<Link> links;
  std::vector<Host> hosts;
  std::vector<Node> nodes;
  std::vector<Switch> switches;
  Messages messages;
  TurnCosts turns;
  Detours detours;
  FileSystem files;
  long eager_limit;
  std::vector<Job> jobs;
  std::uint64_t seed;     // 0: no noise at all
  double compute_noise;   // standard deviation of a block of compute, relative
  long lines;             // of all traces, for the progress
  std::string timeline;   // file to write; "" for none
  double timeline_until;  // simulated seconds
};

Experiment read_experiment(const std::string& path);

}  // namespace crumple::simulator
