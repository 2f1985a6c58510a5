// Checksums by xxhash, which is compiled in.
#include "restart/checksum.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace crumple::restart {

struct Checksum::State {
  XXH3_state_t of;
};

Checksum::Checksum() : state_(std::make_unique<State>()) { XXH3_64bits_reset(&state_->of); }
Checksum::Checksum(Checksum&&) noexcept = default;
Checksum::~Checksum() = default;

void Checksum::add(std::span<const std::byte> bytes) {
  XXH3_64bits_update(&state_->of, bytes.data(), bytes.size());
}

std::uint64_t Checksum::value() const { return XXH3_64bits_digest(&state_->of); }

std::uint64_t checksum_of(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace crumple::restart
