// The state of a moment in memory: the stream that this rank would write to a dump.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "restart/contents.hpp"
#include "restart/sink.hpp"

namespace crumple::restart {

/// A copy that is replaced takes the place of the last one, so that memory is not asked for again. It grows
/// by pieces, so that little more is held than it needs.
class StateCopy {
 public:
  /// Copies the present state; the last copy is lost, also if this fails. Local. @throws std::bad_alloc
  void take(const Say& say);
  /// Bytes that a copy of the present state would have. Local.
  static std::int64_t size_of(const Say& say);

  /// Sizes, and the checksum of the table of contents. Local.
  const Stream& stream() const { return stream_; }
  /// Writes the copy. Local. @returns stream() @throws Error CR-O1xx
  Stream write(Sink& sink) const;

 private:
  class Memory;
  using Piece = std::unique_ptr<std::byte[]>;

  std::vector<Piece> pieces_;
  Stream stream_;
};

}  // namespace crumple::restart
