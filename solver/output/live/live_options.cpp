// Reads an address.
#include "output/live/live_options.hpp"

#include <charconv>

namespace crumple::output {

std::optional<LiveOptions> live_options_of(std::string_view text) {
  LiveOptions options;
  if (const std::size_t colon = text.rfind(':'); colon != std::string_view::npos) {
    std::string_view address = text.substr(0, colon);
    if (address.starts_with('[') && address.ends_with(']')) address = address.substr(1, address.size() - 2);
    if (address.empty()) return {};
    options.address = address;
    text = text.substr(colon + 1);
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), options.port);
  if (error != std::errc() || end != text.data() + text.size() || options.port < 0 || options.port > 65535)
    return {};
  return options;
}

}  // namespace crumple::output
