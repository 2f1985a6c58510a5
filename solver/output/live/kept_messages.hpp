// What a reader that connects later is sent first: the rows so far and the last states, in bounded memory.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "output/live/live_message.hpp"

namespace crumple::output {

/// Where a history or the states have become too many, every other one of the older ones is forgotten: curves
/// then have fewer points, but go back to the start.
class KeptMessages {
 public:
  /// @param most bytes of the rows of a file, and of all states
  explicit KeptMessages(std::size_t most = kMost) : most_(most) {}

  void hello(LiveMessage message) { hello_ = std::move(message); }
  void surface(LiveMessage message) { surface_ = std::move(message); }
  void state(LiveMessage message);
  /// The first text of a file is never forgotten.
  void text(const std::string& file, LiveMessage message);
  void file(const std::string& file, LiveMessage message) { files_[file] = std::move(message); }
  bool has_text(const std::string& file) const { return texts_.contains(file); }

  /// All that is kept, in the order in which it is to be sent.
  std::vector<LiveMessage> all() const;
  std::size_t bytes() const;

 private:
  static constexpr std::size_t kMost = std::size_t{16} << 20;
  struct Series {
    std::vector<LiveMessage> messages;
    std::size_t bytes = 0;
    void add(LiveMessage message, std::size_t most, std::size_t first);
  };

  std::size_t most_;
  LiveMessage hello_, surface_;
  std::map<std::string, Series> texts_;
  std::map<std::string, LiveMessage> files_;
  Series states_;
};

}  // namespace crumple::output
