// A sink of pieces of memory.
#include "restart/state_copy.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include "restart/stream_writer.hpp"

namespace crumple::restart {

namespace {
constexpr std::size_t kPiece = std::size_t(1) << 18;
}

class StateCopy::Memory final : public Sink {
 public:
  explicit Memory(std::vector<Piece>& pieces) : pieces_(&pieces) {}
  void write(std::span<const std::byte> bytes) override {
    while (!bytes.empty()) {
      const std::size_t piece = size_ / kPiece, at = size_ % kPiece, n = std::min(bytes.size(), kPiece - at);
      if (piece == pieces_->size()) pieces_->push_back(std::make_unique_for_overwrite<std::byte[]>(kPiece));
      std::memcpy((*pieces_)[piece].get() + at, bytes.data(), n);
      bytes = bytes.subspan(n);
      size_ += n;
    }
  }
  void finish() override {}

 private:
  std::vector<Piece>* pieces_;
  std::size_t size_ = 0;
};

void StateCopy::take(const Say& say) {
  stream_ = {};
  Memory memory(pieces_);
  StreamWriter writer(&memory);
  say(writer);
  stream_ = writer.finish();
}

std::int64_t StateCopy::size_of(const Say& say) {
  StreamWriter sizes;
  say(sizes);
  return sizes.finish().bytes;
}

Stream StateCopy::write(Sink& sink) const {
  for (std::size_t piece = 0, left = static_cast<std::size_t>(stream_.bytes); left > 0; ++piece) {
    const std::size_t n = std::min(left, kPiece);
    sink.write({pieces_[piece].get(), n});
    left -= n;
  }
  return stream_;
}

}  // namespace crumple::restart
