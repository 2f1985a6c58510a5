// One connection of `crumple watch`: who it is, what it still has to be sent, and whether it is too slow.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "output/live/live_message.hpp"

namespace crumple::output {

struct ReaderLimits {
  std::size_t behind = std::size_t{64} << 20;  ///< bytes that wait beside those it was given at the start
  std::chrono::milliseconds silent{30'000};    ///< without taking anything that waits
  std::chrono::milliseconds unknown{10'000};   ///< until the token must be there
  std::chrono::milliseconds wrong{1'000};      ///< before a connection with a wrong token is closed
};

/// Owns the connection, which never blocks.
class LiveReader {
 public:
  using Clock = std::chrono::steady_clock;
  explicit LiveReader(int connection) : connection_(connection) {}
  LiveReader(LiveReader&& other) noexcept;
  LiveReader& operator=(LiveReader&& other) noexcept;
  ~LiveReader();

  int connection() const { return connection_; }
  bool open() const { return connection_ >= 0; }
  bool known() const { return known_; }
  bool turned_away() const { return turned_away_.has_value(); }
  bool has_more() const { return sent_ < buffer_.size() || !waiting_.empty(); }

  /// The token was right: it is sent what a reader gets first.
  void welcome(const std::vector<LiveMessage>& first);
  /// The token was wrong.
  void turn_away() { turned_away_ = Clock::now(); }
  void add(LiveMessage message);
  /// The next line that it has sent. Closes it when it has gone or sends more than a line may have.
  std::optional<std::string> next_line();
  /// Sends what the connection takes now, a piece of it. Closes it when it has gone.
  void send();
  /// Closes it if it is too slow, or has no token.
  void close_if_late(const ReaderLimits& limits);
  void close();

 private:
  int connection_ = -1;
  bool known_ = false;
  Clock::time_point since_ = Clock::now();  ///< when it last took something, or came
  std::optional<Clock::time_point> turned_away_;
  std::string received_;
  std::deque<LiveMessage> waiting_;
  std::size_t bytes_ = 0, at_start_ = 0;  ///< that wait, and of the first messages
  std::string buffer_;                    ///< being sent
  std::size_t sent_ = 0;
};

}  // namespace crumple::output
