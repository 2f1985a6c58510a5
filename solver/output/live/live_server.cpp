// The thread that listens and sends.
#include "output/live/live_server.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "base/error.hpp"

namespace crumple::output {

namespace {

constexpr std::size_t kMostReaders = 16;
constexpr int kBetweenLooks = 200;  ///< ms, while there is a reader
constexpr std::chrono::seconds kEnd{2};

[[noreturn]] void cannot_listen(const LiveServerOptions& options, const std::string& why) {
  throw Error("CR-O140", fmt::format("cannot listen at {}:{}: {}", options.address, options.port, why), {},
              Exit::system);
}

/// 32 digits that nobody can guess.
std::string new_token(const LiveServerOptions& options) {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    cannot_listen(options, std::strerror(errno));
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

/// Takes as long for any token of that length.
bool same_token(const std::string& a, const std::string& b) {
  unsigned char different = a.size() != b.size();
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    different |= static_cast<unsigned char>(a[i] ^ b[i]);
  return different == 0;
}

/// A socket that listens at one address; -1 with errno.
int listen_at(const addrinfo& at) {
  const int s = ::socket(at.ai_family, at.ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, at.ai_protocol);
  if (s < 0) return -1;
  const int yes = 1;
  ::setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(s, at.ai_addr, at.ai_addrlen) == 0 && ::listen(s, int(kMostReaders)) == 0) return s;
  const int why = errno;
  ::close(s);
  errno = why;
  return -1;
}

int listening_socket(const LiveServerOptions& options) {
  addrinfo wanted{};
  wanted.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  wanted.ai_socktype = SOCK_STREAM;
  const auto look_up = [&](int port) {
    addrinfo* list = nullptr;
    if (const int error =
            ::getaddrinfo(options.address.c_str(), std::to_string(port).c_str(), &wanted, &list))
      cannot_listen(options, ::gai_strerror(error));
    return std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>(list, ::freeaddrinfo);
  };
  int s = listen_at(*look_up(options.port));
  if (s < 0 && errno == EADDRINUSE) s = listen_at(*look_up(0));
  if (s < 0) cannot_listen(options, std::strerror(errno));
  return s;
}

int port_of(int s) {
  sockaddr_storage at{};
  socklen_t length = sizeof at;
  ::getsockname(s, reinterpret_cast<sockaddr*>(&at), &length);
  std::array<char, 16> port{};
  ::getnameinfo(reinterpret_cast<const sockaddr*>(&at), length, nullptr, 0, port.data(), port.size(),
                NI_NUMERICSERV);
  return std::atoi(port.data());
}

/// Writes a sense switch as a user does. @returns why it cannot be; empty if it has been written
std::string write_switch(const std::string& folder, const std::string& word) {
  const std::string path = folder + "/d3kil";
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0 && errno == EEXIST) return "the run has not read the last switch yet";
  if (file < 0) return fmt::format("cannot write d3kil: {}", std::strerror(errno));
  const std::string text = word + "\n";
  const bool whole = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  std::string why = whole ? "" : fmt::format("cannot write d3kil: {}", std::strerror(errno));
  ::close(file);
  return why;
}

/// The word of d3kil for a switch by its name on the page; empty if there is none.
std::string word_of_switch(const std::string& name) {
  return name == "stop" ? "sw1" : name == "dump" ? "sw3" : name == "plot" ? "sw4" : "";
}

}  // namespace

LiveServer::LiveServer(LiveServerOptions options)
    : options_(std::move(options)), token_(new_token(options_)), listening_(listening_socket(options_)) {
  port_ = port_of(listening_);
  wake_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  sigset_t all{}, before{};
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the run
  thread_ = std::thread([this] { run(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

LiveServer::~LiveServer() {
  end();
  ::close(listening_);
  ::close(wake_);
}

void LiveServer::end() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    for (LiveReader& reader : clients_)
      if (reader.known()) reader.add(end_message());
  }
  ending_ = true;
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = ::write(wake_, &one, sizeof one);
  thread_.join();
}

template <class Keep>
void LiveServer::keep_and_send(LiveMessage message, Keep&& keep) {
  const std::lock_guard lock(mutex_);
  for (LiveReader& reader : clients_)
    if (reader.known()) reader.add(message);
  keep(std::move(message));
}

void LiveServer::hello(LiveMessage message) {
  keep_and_send(std::move(message), [&](LiveMessage m) { kept_.hello(std::move(m)); });
}

void LiveServer::surface(LiveMessage message) {
  keep_and_send(std::move(message), [&](LiveMessage m) { kept_.surface(std::move(m)); });
}

void LiveServer::state(LiveMessage message) {
  keep_and_send(std::move(message), [&](LiveMessage m) { kept_.state(std::move(m)); });
}

void LiveServer::text(const std::string& file, LiveMessage message) {
  keep_and_send(std::move(message), [&](LiveMessage m) { kept_.text(file, std::move(m)); });
}

void LiveServer::file(const std::string& file, LiveMessage message) {
  keep_and_send(std::move(message), [&](LiveMessage m) { kept_.file(file, std::move(m)); });
}

bool LiveServer::has_text(const std::string& file) const {
  const std::lock_guard lock(mutex_);
  return kept_.has_text(file);
}

/// Files are looked at without the lock: a slow file system must not hold up the run.
void LiveServer::run() {
  std::optional<Clock::time_point> until;
  for (;;) {
    wait_for_work();
    if (ending_ && !until) until = Clock::now() + kEnd;
    std::vector<Asked> asked;
    bool full = false;
    {
      const std::lock_guard lock(mutex_);
      if (!until) full = !accept_readers();
      for (LiveReader& reader : clients_) serve(reader, asked);
      std::erase_if(clients_, [](const LiveReader& reader) { return !reader.open(); });
      readers_ = static_cast<int>(std::ranges::count_if(clients_, &LiveReader::known));
      if (until && (all_sent() || Clock::now() >= *until)) break;
    }
    give_switches(asked);
    look_at_switch();
    if (full) std::this_thread::sleep_for(std::chrono::milliseconds(kBetweenLooks));
  }
  const std::lock_guard lock(mutex_);
  clients_.clear();
  readers_ = 0;
}

bool LiveServer::all_sent() const {
  return std::ranges::none_of(clients_, [](const LiveReader& r) { return r.known() && r.has_more(); });
}

/// Until somebody connects or sends something, a connection takes more, or it is time to look for messages.
void LiveServer::wait_for_work() const {
  std::vector<pollfd> all{{wake_, POLLIN, 0}, {listening_, POLLIN, 0}};
  {
    const std::lock_guard lock(mutex_);
    for (const LiveReader& reader : clients_)
      all.push_back({reader.connection(), static_cast<short>(POLLIN | (reader.has_more() ? POLLOUT : 0)), 0});
  }
  const bool nobody = all.size() == 2 && !ending_;
  if (ending_) all.erase(all.begin(), all.begin() + 2);
  ::poll(all.data(), all.size(), nobody ? -1 : kBetweenLooks);
}

/// @returns false if the system gives no more connections
bool LiveServer::accept_readers() {
  for (;;) {
    const int connection = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (connection < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == ECONNABORTED;
    LiveReader reader(connection);
    if (clients_.size() < kMostReaders) clients_.push_back(std::move(reader));
  }
}

void LiveServer::serve(LiveReader& reader, std::vector<Asked>& asked) {
  while (const std::optional<std::string> line = reader.next_line()) {
    if (reader.known())
      asked.push_back({reader.connection(), *line});
    else if (reader.turned_away())
      continue;  // one try a connection
    else if (same_token(*line, fmt::format("crumple-watch {} {}", kLiveProtocol, token_)))
      reader.welcome(kept_.all());
    else
      reader.turn_away();
  }
  reader.send();
  reader.close_if_late(options_.limits);
}

void LiveServer::give_switches(const std::vector<Asked>& asked) {
  for (const auto& [connection, line] : asked) {
    const std::string name = line.starts_with("switch ") ? line.substr(7) : "";
    const std::string word = word_of_switch(name);
    const std::string problem =
        word.empty() ? "there is no such switch" : write_switch(options_.folder, word);
    const std::lock_guard lock(mutex_);
    for (LiveReader& reader : clients_)
      if (reader.connection() == connection) reader.add(said_message(name, problem));
  }
}

/// Tells readers whether a switch waits to be read.
void LiveServer::look_at_switch() {
  if (!has_readers()) return;
  std::error_code ignored;
  const bool waits = std::filesystem::exists(options_.folder + "/d3kil", ignored);
  if (std::exchange(switch_waits_, waits) == waits) return;
  const std::lock_guard lock(mutex_);
  for (LiveReader& reader : clients_)
    if (reader.known()) reader.add(switch_message(waits));
}

}  // namespace crumple::output
