// Forgets every other one of the older messages.
#include "output/live/kept_messages.hpp"

namespace crumple::output {

/// @param first messages that are never forgotten
void KeptMessages::Series::add(LiveMessage message, std::size_t most, std::size_t first) {
  bytes += message->size();
  messages.push_back(std::move(message));
  if (bytes <= most || messages.size() < first + 8) return;
  const std::size_t newer = messages.size() - messages.size() / 4;
  std::vector<LiveMessage> left;
  bytes = 0;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (i >= first && i < newer && (i - first) % 2 != 0) continue;
    bytes += messages[i]->size();
    left.push_back(std::move(messages[i]));
  }
  messages = std::move(left);
}

void KeptMessages::state(LiveMessage message) { states_.add(std::move(message), most_, 1); }

void KeptMessages::text(const std::string& file, LiveMessage message) {
  texts_[file].add(std::move(message), most_, 1);
}

std::vector<LiveMessage> KeptMessages::all() const {
  std::vector<LiveMessage> found;
  const auto add = [&](const LiveMessage& message) {
    if (message) found.push_back(message);
  };
  add(hello_);
  for (const auto& [name, series] : texts_)
    for (const LiveMessage& message : series.messages) add(message);
  for (const auto& [name, message] : files_) add(message);
  add(surface_);
  for (const LiveMessage& message : states_.messages) add(message);
  return found;
}

std::size_t KeptMessages::bytes() const {
  std::size_t n = states_.bytes;
  for (const auto& [name, series] : texts_) n += series.bytes;
  for (const auto& [name, message] : files_) n += message->size();
  return n + (surface_ ? surface_->size() : 0);
}

}  // namespace crumple::output
