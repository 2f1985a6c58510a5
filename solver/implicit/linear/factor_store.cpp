// Memory of chunks, and their way to and from the file.
#include "implicit/linear/factor_store.hpp"

#include <algorithm>
#include <cstring>

namespace crumple::implicit::linear {

FactorStore::FactorStore(const Plan& plan, std::int64_t value_bytes, const std::string& folder)
    : plan_(plan), value_bytes_(value_bytes), chunks_(plan.chunks.size()) {
  offsets_.assign(1, 0);
  for (const Chunk& chunk : plan.chunks) offsets_.push_back(offsets_.back() + chunk.values * value_bytes);
  if (folder.empty()) return;
  file_ = std::make_unique<FactorFile>(folder, double(offsets_.back()));
  writer_ = std::make_unique<FactorWriter>(*file_);
}

Extent FactorStore::extent(std::size_t chunk) const {
  return {offsets_[chunk], offsets_[chunk + 1] - offsets_[chunk]};
}

std::byte* FactorStore::begin(std::int32_t front) {
  const auto c = static_cast<std::size_t>(plan_.chunk_of[front]);
  Bytes& chunk = chunks_[c];
  if (front == plan_.chunks[c].begin) {
    const auto bytes = static_cast<std::size_t>(extent(c).bytes);
    if (chunk.size() == bytes)
      std::memset(chunk.data(), 0, bytes);
    else
      chunk.assign(bytes, std::byte{0});
  }
  return chunk.data() + plan_.factor_at[front] * value_bytes_;
}

void FactorStore::end(std::int32_t front) {
  const auto c = static_cast<std::size_t>(plan_.chunk_of[front]);
  if (writer_ && front + 1 == plan_.chunks[c].end)
    writer_->write(extent(c).offset, std::exchange(chunks_[c], {}));
}

void FactorStore::finish() {
  if (writer_) writer_->finish();
}

FactorReader FactorStore::read(bool ascending) const {
  std::vector<Extent> extents;
  for (std::size_t c = 0; c < chunks_.size(); ++c) extents.push_back(extent(c));
  if (!ascending) std::reverse(extents.begin(), extents.end());
  return {*file_, std::move(extents)};
}

}  // namespace crumple::implicit::linear
