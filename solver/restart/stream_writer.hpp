// Writes what modules say of their state as a stream of sections.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "restart/contents.hpp"
#include "restart/sink.hpp"
#include "state/archive.hpp"

namespace crumple::restart {

/// Of one rank. Holds a piece of a section in memory at a time.
class StreamWriter final : public state::Archive {
 public:
  /// Without a sink nothing is written: the sizes are found, which are the same.
  explicit StreamWriter(Sink* sink = nullptr) : sink_(sink) {}
  bool reading() const override { return false; }

  /// Writes the table of contents; the stream is complete. Sizes and the checksum of the table are filled in.
  Stream finish();

 protected:
  void visit(const state::Field& field) override;
  void visit_list(const std::string& name, std::vector<GlobalId>& keys, int key_width,
                  const Wants& wants) override;

 private:
  std::int32_t key_set(std::span<const GlobalId> keys, int width);
  std::span<const GlobalId> keys_of(const state::Rows& rows);
  std::uint64_t append_values(const state::Field& field);
  void append(std::span<const std::byte> bytes);

  Sink* sink_;
  Contents contents_;
  std::int64_t size_ = 0;
  std::map<std::pair<std::uint64_t, std::int64_t>, std::int32_t> key_sets_;  ///< by checksum and size
  std::vector<GlobalId> keys_;                                               ///< of the section's rows
  std::vector<std::byte> values_;                                            ///< of some of its rows
};

}  // namespace crumple::restart
