// The bytes of messages.
#include "output/live/live_message.hpp"

#include <nlohmann/json.hpp>

namespace crumple::output {

namespace {

using nlohmann::json;

void put_length(std::string& to, std::uint64_t length, int bytes) {
  for (int k = 0; k < bytes; ++k) to += static_cast<char>(length >> (8 * k) & 0xff);
}

/// Names may hold any bytes: those that are not UTF-8 are replaced.
std::string text_of(const json& object) {
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

template <class Range>
std::span<const std::byte> bytes_of(const Range& range) {
  return std::as_bytes(std::span(range.data(), range.size()));
}

}  // namespace

LiveMessage live_message(std::string_view text, std::initializer_list<std::span<const std::byte>> content) {
  std::size_t n = 0;
  for (const auto& piece : content) n += piece.size();
  std::string bytes;
  bytes.reserve(12 + text.size() + n);
  put_length(bytes, text.size(), 4);
  put_length(bytes, n, 8);
  bytes += text;
  for (const auto& piece : content) bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  return std::make_shared<const std::string>(std::move(bytes));
}

LiveMessage hello_message(const LiveHello& hello) {
  return live_message(text_of({{"kind", "hello"},
                               {"protocol", kLiveProtocol},
                               {"program", hello.program},
                               {"host", hello.host},
                               {"folder", hello.folder},
                               {"prefix", hello.prefix}}));
}

LiveMessage text_message(const std::string& file, std::string_view text) {
  return live_message(text_of({{"kind", "text"}, {"file", file}}), {bytes_of(text)});
}

LiveMessage file_message(const std::string& file, std::string_view text) {
  return live_message(text_of({{"kind", "file"}, {"file", file}}), {bytes_of(text)});
}

LiveMessage surface_message(const CoarseSurface& surface, const Catalogue& catalogue) {
  json parts = json::array();
  for (const PartInfo& part : catalogue.parts) parts.push_back(part.id);
  const json about{{"kind", "surface"},
                   {"points", surface.nodes.size()},
                   {"triangles", surface.triangles.size()},
                   {"whole", surface.whole},
                   {"parts", parts}};
  return live_message(text_of(about),
                      {bytes_of(surface.triangles), bytes_of(surface.part), bytes_of(surface.edges)});
}

LiveMessage state_message(double time, std::int64_t cycle, bool plot, std::span<const float> positions,
                          std::span<const float> values) {
  const json about{{"kind", "state"},
                   {"time", time},
                   {"cycle", cycle},
                   {"plot", plot},
                   {"points", positions.size() / 3},
                   {"triangles", values.size()}};
  return live_message(text_of(about), {bytes_of(positions), bytes_of(values)});
}

LiveMessage said_message(const std::string& name, const std::string& problem) {
  return live_message(text_of({{"kind", "said"}, {"switch", name}, {"problem", problem}}));
}

LiveMessage switch_message(bool waiting) {
  return live_message(text_of({{"kind", "switch"}, {"waiting", waiting}}));
}

LiveMessage end_message() { return live_message(text_of({{"kind", "end"}})); }

}  // namespace crumple::output
