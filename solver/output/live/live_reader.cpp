// Calls of the system for one connection.
#include "output/live/live_reader.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace crumple::output {

namespace {

constexpr std::size_t kLongestLine = 200;
constexpr std::size_t kAtOnce = std::size_t{256} << 10;  ///< bytes of small messages that are sent together
constexpr std::size_t kSendAtMost = std::size_t{1} << 20;

}  // namespace

LiveReader::LiveReader(LiveReader&& other) noexcept { *this = std::move(other); }

LiveReader& LiveReader::operator=(LiveReader&& other) noexcept {
  if (this == &other) return *this;
  close();
  connection_ = std::exchange(other.connection_, -1);
  known_ = other.known_, since_ = other.since_, turned_away_ = other.turned_away_;
  received_ = std::move(other.received_), waiting_ = std::move(other.waiting_);
  bytes_ = other.bytes_, at_start_ = other.at_start_;
  buffer_ = std::move(other.buffer_), sent_ = other.sent_;
  return *this;
}

LiveReader::~LiveReader() { close(); }

void LiveReader::close() {
  if (connection_ >= 0) ::close(std::exchange(connection_, -1));
  waiting_.clear();
  buffer_.clear();
  bytes_ = sent_ = 0;
}

void LiveReader::welcome(const std::vector<LiveMessage>& first) {
  known_ = true;
  since_ = Clock::now();
  for (const LiveMessage& message : first) add(message);
  at_start_ = bytes_;
}

void LiveReader::add(LiveMessage message) {
  if (!open()) return;
  if (!has_more()) since_ = Clock::now();  // it had nothing to take before
  bytes_ += message->size();
  waiting_.push_back(std::move(message));
}

std::optional<std::string> LiveReader::next_line() {
  std::array<char, 512> bytes{};
  while (open() && received_.find('\n') == std::string::npos) {
    const ssize_t n = ::recv(connection_, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return {};
    if (n > 0) received_.append(bytes.data(), static_cast<std::size_t>(n));
    if (n <= 0 || (received_.size() > kLongestLine && received_.find('\n') > kLongestLine)) close();
  }
  if (!open()) return {};
  const std::size_t end = received_.find('\n');
  std::string line = received_.substr(0, end);
  received_.erase(0, end + 1);
  return line;
}

void LiveReader::send() {
  // Not more at once: meanwhile the run cannot add messages.
  for (std::size_t n_sent = 0; open() && has_more() && n_sent < kSendAtMost;) {
    if (sent_ == buffer_.size()) {
      buffer_.clear();
      sent_ = 0;
      do {
        buffer_ += *waiting_.front();
        waiting_.pop_front();
      } while (!waiting_.empty() && buffer_.size() + waiting_.front()->size() <= kAtOnce);
    }
    const ssize_t n =
        ::send(connection_, buffer_.data() + sent_, buffer_.size() - sent_, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (n <= 0) return close();
    sent_ += static_cast<std::size_t>(n);
    n_sent += static_cast<std::size_t>(n);
    bytes_ -= static_cast<std::size_t>(n);
    since_ = Clock::now();
  }
}

void LiveReader::close_if_late(const ReaderLimits& limits) {
  const auto passed = Clock::now() - since_;
  const bool slow = known_ && (bytes_ > at_start_ + limits.behind || (has_more() && passed > limits.silent));
  const bool wrong = turned_away_ && Clock::now() - *turned_away_ > limits.wrong;
  if (slow || wrong || (!known_ && passed > limits.unknown)) close();
}

}  // namespace crumple::output
