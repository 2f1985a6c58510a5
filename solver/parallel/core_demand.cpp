// Reads /proc/loadavg, and how long the system kept this thread waiting for a core.
#include "parallel/core_demand.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace crumple::parallel {

namespace {

using Text = std::array<char, 128>;

/// The start of a file of /proc, which may be read again and again; empty if there is none.
Text text_of(int file) {
  Text text{};
  if (file >= 0 && ::pread(file, text.data(), text.size() - 1, 0) < 0) text[0] = '\0';
  return text;
}

}  // namespace

CoreDemand::~CoreDemand() {
  for (const int file : {load_, delay_})
    if (file >= 0) ::close(file);
}

int CoreDemand::runnable(const char* text) {
  int found = 0;
  return std::sscanf(text, "%*s %*s %*s %d/", &found) == 1 ? found : 0;
}

long long CoreDemand::kept_waiting(const char* text) {
  long long found = 0;
  return std::sscanf(text, "%*s %lld", &found) == 1 ? found : 0;
}

void CoreDemand::look(Clock::time_point now) {
  looked_ = now;
  if (now < next_) return;
  open_files();
  next_ = now + kBetween;
  const int threads = runnable(text_of(load_).data());
  if (was_kept_waiting(now) || threads > cores_) short_until_ = now + kHeld;
  if (threads > std::max(cores_, own_)) others_until_ = now + kHeld;
}

/// At the first look.
void CoreDemand::open_files() {
  if (next_ != Clock::time_point{}) return;
  load_ = ::open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
  delay_ = ::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
}

/// Since the last look.
bool CoreDemand::was_kept_waiting(Clock::time_point now) {
  const bool first = last_ == Clock::time_point{};
  const long long waited = kept_waiting(text_of(delay_).data());
  const double lost = static_cast<double>(waited - waited_);
  const double passed = std::chrono::duration<double, std::nano>(now - last_).count();
  waited_ = waited;
  last_ = now;
  return !first && lost > kKeptWaiting * passed;
}

}  // namespace crumple::parallel
