// The server of `crumple watch` against readers that are right, wrong, slow, silent and gone.
#include "output/live/live_server.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "base/error.hpp"
#include "unit/output/folder.hpp"

namespace crumple::output {
namespace {

using std::chrono::milliseconds;

bool wait_for(const std::function<bool()>& condition, milliseconds most = milliseconds(5000)) {
  const auto end = std::chrono::steady_clock::now() + most;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return true;
}

/// A connection to a server.
class Caller {
 public:
  explicit Caller(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(static_cast<std::uint16_t>(port));
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0;
    const timeval most{5, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
  }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;
  ~Caller() { ::close(socket_); }
  bool connected() const { return connected_; }
  void say(const std::string& text) const { ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL); }
  /// What comes until `end` is in it, or the connection ends.
  std::string hear(const std::string& end) const {
    std::string heard;
    std::array<char, 4096> bytes{};
    while (heard.find(end) == std::string::npos) {
      const ssize_t n = ::recv(socket_, bytes.data(), bytes.size(), 0);
      if (n <= 0) break;
      heard.append(bytes.data(), std::size_t(n));
    }
    return heard;
  }
  bool hung_up() const {
    char byte = 0;
    return ::recv(socket_, &byte, 1, 0) == 0;
  }

 private:
  int socket_ = -1;
  bool connected_ = false;
};

LiveServerOptions quick(const std::string& folder) {
  LiveServerOptions options;
  options.folder = folder;
  options.limits = {1 << 20, milliseconds(60'000), milliseconds(400), milliseconds(100)};
  return options;
}

std::string greeting(const LiveServer& server) { return "crumple-watch 1 " + server.token() + "\n"; }

TEST(LiveServer, SendsWhatWasAndWhatComes) {
  const sample::Folder folder;
  LiveServer server(quick(folder.path()));
  server.hello(hello_message({"crumple", "here", folder.path(), ""}));
  server.text("glstat", text_message("glstat", "first row;"));
  const Caller caller(server.port());
  caller.say(greeting(server));
  EXPECT_NE(caller.hear("first row;").find("hello"), std::string::npos);
  ASSERT_TRUE(wait_for([&] { return server.has_readers(); }));
  server.text("glstat", text_message("glstat", "second row;"));
  EXPECT_NE(caller.hear("second row;").find("second row;"), std::string::npos);
  server.end();
  EXPECT_NE(caller.hear("never").find(R"({"kind":"end"})"), std::string::npos);
  EXPECT_FALSE(Caller(server.port()).hear("x").size());
}

TEST(LiveServer, TurnsAwayWhoHasNoToken) {
  const sample::Folder folder;
  LiveServer server(quick(folder.path()));
  server.text("glstat", text_message("glstat", "secret"));
  const Caller wrong(server.port()), silent(server.port()), long_winded(server.port()), twice(server.port());
  wrong.say("crumple-watch 1 " + std::string(32, '0') + "\n");
  long_winded.say(std::string(5000, 'x'));
  twice.say("crumple-watch 1 x\n" + greeting(server));
  EXPECT_TRUE(wrong.hung_up());
  EXPECT_TRUE(twice.hung_up()) << "one try a connection";
  EXPECT_TRUE(silent.hung_up());
  EXPECT_EQ(long_winded.hear("secret"), "");
  EXPECT_FALSE(server.has_readers());
}

TEST(LiveServer, DropsAReaderThatIsTooSlow) {
  const sample::Folder folder;
  LiveServer server(quick(folder.path()));
  const Caller slow(server.port());
  slow.say(greeting(server));
  ASSERT_TRUE(wait_for([&] { return server.has_readers(); }));
  const std::string text(1 << 20, 'x');
  const auto begin = std::chrono::steady_clock::now();
  for (int k = 0; k < 64; ++k) server.file("load_profile", text_message("load_profile", text));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(3)) << "the run would wait";
  EXPECT_TRUE(wait_for([&] { return !server.has_readers(); }));
}

TEST(LiveServer, DropsAReaderThatTakesNothing) {
  const sample::Folder folder;
  LiveServerOptions options = quick(folder.path());
  options.limits.behind = std::size_t{1} << 30;
  options.limits.silent = milliseconds(300);
  LiveServer server(options);
  const Caller dead(server.port());
  dead.say(greeting(server));
  ASSERT_TRUE(wait_for([&] { return server.has_readers(); }));
  std::this_thread::sleep_for(milliseconds(600));
  EXPECT_TRUE(server.has_readers()) << "there was nothing to take";
  for (int k = 0; k < 32; ++k) server.file("x", text_message("x", std::string(1 << 20, 'x')));
  EXPECT_TRUE(wait_for([&] { return !server.has_readers(); }));
}

TEST(LiveServer, EndsThoughAReaderTakesNothing) {
  const sample::Folder folder;
  LiveServer server(quick(folder.path()));
  const Caller dead(server.port());
  dead.say(greeting(server));
  ASSERT_TRUE(wait_for([&] { return server.has_readers(); }));
  for (int k = 0; k < 16; ++k) server.file("x", text_message("x", std::string(1 << 18, 'x')));
  const auto begin = std::chrono::steady_clock::now();
  server.end();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(4));
}

TEST(LiveServer, WritesSenseSwitches) {
  const sample::Folder folder;
  LiveServer server(quick(folder.path()));
  const Caller caller(server.port());
  caller.say(greeting(server) + "switch plot\n");
  EXPECT_NE(caller.hear("\"waiting\":true").find(R"("problem":"")"), std::string::npos);
  EXPECT_EQ(sample::read_text(folder.path() + "/d3kil"), "sw4\n");
  caller.say("switch stop\n");
  EXPECT_NE(caller.hear("yet").find("has not read"), std::string::npos);
  std::filesystem::remove(folder.path() + "/d3kil");
  EXPECT_NE(caller.hear("\"waiting\":false").find("false"), std::string::npos);
  caller.say("switch ../stop\n");
  EXPECT_NE(caller.hear("no such switch").find("no such switch"), std::string::npos);
  EXPECT_FALSE(folder.has("d3kil"));
}

TEST(LiveServer, TakesAnotherPortWhereItsOwnIsInUse) {
  const sample::Folder folder;
  const LiveServer first(quick(folder.path()));
  LiveServerOptions same = quick(folder.path());
  same.port = first.port();
  const LiveServer second(same);
  EXPECT_NE(second.port(), first.port());
  EXPECT_NE(second.token(), first.token());
}

TEST(LiveServer, AnAddressOfAnotherMachine) {
  LiveServerOptions elsewhere;
  elsewhere.address = "192.0.2.1";  // for documentation: nobody has it
  try {
    const LiveServer server(elsewhere);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), "CR-O140");
  }
}

}  // namespace
}  // namespace crumple::output
