// Sends messages to `crumple watch` over TCP, by a thread that never holds up the run.
//
// The run only adds messages to lists in memory. The thread looks at them a few times a second while there
// is a reader, and sleeps otherwise. It makes no call of MPI and has all signals blocked.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "output/live/kept_messages.hpp"
#include "output/live/live_reader.hpp"

namespace crumple::output {

struct LiveServerOptions {
  std::string address = "127.0.0.1";  ///< a name or number of this machine
  int port = 0;                       ///< 0: any that is free
  std::string folder = ".";           ///< of the results: for d3kil
  ReaderLimits limits;
};

/// Not collective.
class LiveServer {
 public:
  /// If the port is in use, another one that is free is taken. @throws Error CR-O140
  explicit LiveServer(LiveServerOptions options);
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;
  /// As `end`.
  ~LiveServer();

  int port() const { return port_; }
  const std::string& token() const { return token_; }
  bool has_readers() const { return readers_.load(std::memory_order_relaxed) > 0; }

  /// These keep the message for readers that come later, and send it to those that are there.
  void hello(LiveMessage message);
  void surface(LiveMessage message);
  void state(LiveMessage message);
  void text(const std::string& file, LiveMessage message);
  void file(const std::string& file, LiveMessage message);
  bool has_text(const std::string& file) const;

  /// Sends what is left, for two seconds at most, and closes all connections.
  void end();

 private:
  using Clock = std::chrono::steady_clock;
  template <class Keep>
  void keep_and_send(LiveMessage message, Keep&& keep);
  /// A line of a reader, which asks for a sense switch.
  struct Asked {
    int connection = -1;
    std::string line;
  };
  void run();
  void wait_for_work() const;
  bool accept_readers();
  void serve(LiveReader& reader, std::vector<Asked>& asked);
  void give_switches(const std::vector<Asked>& asked);
  void look_at_switch();
  bool all_sent() const;

  LiveServerOptions options_;
  std::string token_;
  int port_ = 0, listening_ = -1, wake_ = -1;
  std::atomic<int> readers_ = 0;
  std::atomic<bool> ending_ = false;
  bool switch_waits_ = false;  ///< to be read by the run
  mutable std::mutex mutex_;   ///< of what follows
  KeptMessages kept_;
  std::vector<LiveReader> clients_;
  std::thread thread_;  // last: it uses all others
};

}  // namespace crumple::output
