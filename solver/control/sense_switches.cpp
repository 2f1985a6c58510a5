// Reads d3kil, and handles signals.
#include "control/sense_switches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/at_work.hpp"

namespace crumple::control {

namespace {

/// Set by a signal; read between cycles.
volatile std::sig_atomic_t stop_asked = 0;

void on_stop(int number) {
  if (number == SIGINT && stop_asked) {
    std::signal(number, SIG_DFL);
    std::raise(number);
    return;
  }
  stop_asked = 1;
  at_work().asked_to_end = 1;
}

/// The first word, in lower case and without a period at its end.
std::string word_of(std::string_view text) {
  const auto blank = [](unsigned char c) { return std::isspace(c) != 0; };
  const auto begin = std::find_if_not(text.begin(), text.end(), blank);
  std::string word(begin, std::find_if(begin, text.end(), blank));
  while (!word.empty() && (word.back() == '.' || word.back() == '\0')) word.pop_back();
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return word;
}

}  // namespace

std::optional<Switch> switch_of(std::string_view text) {
  const std::string word = word_of(text);
  if (word == "sw1") return Switch::stop_with_dump;
  if (word == "stop") return Switch::stop;
  if (word == "sw2") return Switch::status;
  if (word == "sw3") return Switch::dump;
  if (word == "sw4") return Switch::plot;
  return {};
}

Switch SenseSwitches::read() {
  for (const char* const name : {"d3kil", "D3KIL"})
    if (const Switch found = read_file(name); found != Switch::none) return found;
  return Switch::none;
}

Switch SenseSwitches::read_file(const char* name) {
  const std::filesystem::path path = std::filesystem::path(directory_) / name;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return Switch::none;
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (word_of(text).empty()) return Switch::none;  // created, but not written yet: read it at the next check
  const std::optional<Switch> found = switch_of(text);
  if (!found && text.find('\n') == text.npos && text != unfinished_) {
    unfinished_ = text;  // perhaps only half of it has been written yet
    return Switch::none;
  }
  unfinished_.clear();
  std::filesystem::remove(path, error);
  if (found) return *found;
  fmt::print("sense switch '{}' of {} is not supported (sw1, sw2, sw4, stop)\n", word_of(text), name);
  std::fflush(stdout);
  return Switch::none;
}

void listen_to_signals() {
  for (const int number : {SIGTERM, SIGINT})
    if (std::signal(number, on_stop) == SIG_IGN) std::signal(number, SIG_IGN);
}

bool stop_signalled() { return stop_asked != 0; }

}  // namespace crumple::control
