// What a run sends to `crumple watch`: a line of JSON that says what it is, and bytes.
//
// A message is the length of the JSON (4 bytes) and of what follows it (8 bytes), both with the lowest byte
// first, then these. Its member "kind" is one of
//
//   hello    the first one: protocol, program, host, folder, prefix
//   text     bytes to be added to the file "file"
//   file     bytes that replace that file
//   surface  triangles: points (3 of 4 bytes each), part (4 bytes each), edges (a byte each)
//   state    positions of the points (3 floats each), plastic strain of the triangles (a float each; not a
//            number where all elements of a triangle are deleted); time, cycle
//   said     the answer to a sense switch: "problem" is empty if it has been given
//   switch   whether a sense switch waits to be read
//   end      the run has ended
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "output/live/coarse_surface.hpp"

namespace crumple::output {

constexpr int kLiveProtocol = 1;

/// Shared by all readers that have not got it yet.
using LiveMessage = std::shared_ptr<const std::string>;

/// @param json an object as text
LiveMessage live_message(std::string_view json,
                         std::initializer_list<std::span<const std::byte>> content = {});

struct LiveHello {
  std::string program, host, folder, prefix;
};

LiveMessage hello_message(const LiveHello& hello);
LiveMessage text_message(const std::string& file, std::string_view text);
LiveMessage file_message(const std::string& file, std::string_view text);
LiveMessage surface_message(const CoarseSurface& surface, const Catalogue& catalogue);
/// @param plot whether the state is in d3plot, too
LiveMessage state_message(double time, std::int64_t cycle, bool plot, std::span<const float> positions,
                          std::span<const float> values);
LiveMessage said_message(const std::string& name, const std::string& problem);
LiveMessage switch_message(bool waiting);
LiveMessage end_message();

}  // namespace crumple::output
