// The file watch.json in the folder of the results: where the run listens, and the token.
#pragma once

#include <string>

namespace crumple::output {

/// What `crumple watch` needs to connect.
struct ListeningAt {
  std::string host, address;
  int port = 0;
  std::string token;
};

/// Only its owner may read it. Replaces an older one. @throws Error CR-O101, CR-O102
void write_watch_file(const std::string& path, const ListeningAt& at);

/// The name of this machine.
std::string host_name();

}  // namespace crumple::output
