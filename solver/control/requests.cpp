// Reads d3kil, and handles signals.
#include "control/requests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "base/at_work.hpp"
#include "base/error.hpp"

namespace crumple::control {

namespace {

/// Set by signals; read between cycles.
volatile std::sig_atomic_t stop_asked = 0, dump_asked = 0;

void on_stop(int number) {
  if (number == SIGINT && stop_asked) {
    std::signal(number, SIG_DFL);
    std::raise(number);
    return;
  }
  stop_asked = 1;
  at_work().asked_to_end = 1;
}

void on_dump(int) { dump_asked = 1; }

/// Has `handler` called, unless the signal is ignored. Calls of the system go on after the signal: a write
/// to a file must not fail because of it.
void listen(int number, void (*handler)(int)) {
  struct sigaction before {};
  if (::sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(number, &action, nullptr);
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

std::optional<Request> request_of(std::string_view text) {
  static constexpr std::pair<std::string_view, Request> kWords[] = {{"sw1", Request::stop_with_dump},
                                                                    {"sw2", Request::status},
                                                                    {"sw3", Request::dump},
                                                                    {"sw4", Request::plot},
                                                                    {"stop", Request::stop}};
  const std::string word = word_of(text);
  for (const auto& [name, request] : kWords)
    if (word == name) return request;
  return {};
}

Request SenseSwitches::read() {
  for (const char* const name : {"d3kil", "D3KIL"})
    if (const Request found = read_file(name); found != Request::none) return found;
  return Request::none;
}

Request SenseSwitches::read_file(const char* name) {
  const std::filesystem::path path = std::filesystem::path(directory_) / name;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return Request::none;
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (word_of(text).empty()) return Request::none;  // created, but not written yet: read it at the next check
  const std::optional<Request> found = request_of(text);
  if (!found && text.find('\n') == text.npos && text != unfinished_) {
    unfinished_ = text;  // perhaps only half of it has been written yet
    return Request::none;
  }
  unfinished_.clear();
  std::filesystem::remove(path, error);
  if (found) return *found;
  fmt::print("sense switch '{}' of {} is not supported (sw1, sw2, sw3, sw4, stop)\n", word_of(text), name);
  std::fflush(stdout);
  return Request::none;
}

void listen_to_signals() {
  listen(SIGTERM, on_stop);
  listen(SIGINT, on_stop);
  listen(SIGUSR1, on_dump);
}

Request signalled() {
  if (stop_asked) return Request::stop_with_dump;
  return dump_asked ? Request::dump : Request::none;
}

void end_search_if_asked() {
  if (signalled() != Request::stop_with_dump) return;
  throw Error("CR-I308", "the search for modes was ended by a signal; nothing of it is written", {},
              Exit::run);
}

void forget_dump_signal() { dump_asked = 0; }

}  // namespace crumple::control
