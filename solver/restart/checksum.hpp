// Checksums of what is written to and read from dumps: XXH3, 64 bits (xxhash.com).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace crumple::restart {

/// Of bytes that come piece by piece.
class Checksum {
 public:
  Checksum();
  Checksum(Checksum&&) noexcept;
  ~Checksum();
  void add(std::span<const std::byte> bytes);
  std::uint64_t value() const;  ///< of all bytes so far

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::uint64_t checksum_of(std::span<const std::byte> bytes);

}  // namespace crumple::restart
