// Where a run listens for `crumple watch`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace crumple::output {

struct LiveOptions {
  std::string address = "127.0.0.1";
  int port = 0;                    ///< 0: any that is free
  double between = 5.0;            ///< s between states besides plot states; 0: none
  std::size_t triangles = 50'000;  ///< of the surface, at most
};

/// Address and port of "8267", "0.0.0.0:8267" or "[::1]:8267". Empty if the text is none of these.
std::optional<LiveOptions> live_options_of(std::string_view text);

}  // namespace crumple::output
