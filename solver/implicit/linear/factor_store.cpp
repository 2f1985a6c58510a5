// Memory of chunks, and their way to and from the file.
#include "implicit/linear/factor_store.hpp"

#include <algorithm>
#include <cstring>

namespace crumple::implicit::linear {

FactorStore::FactorStore(const Plan& plan, std::int64_t value_bytes, const std::string& folder,
                         MemoryCount& count)
    : plan_(plan), value_bytes_(value_bytes), count_(count), chunks_(plan.chunks.size()) {
  offsets_.assign(1, 0);
  for (const Chunk& chunk : plan.chunks) offsets_.push_back(offsets_.back() + chunk.values * value_bytes);
  if (folder.empty()) return;
  file_ = std::make_unique<FactorFile>(folder, double(plan.values_on_disk()) * double(value_bytes));
  writer_ = std::make_unique<FactorWriter>(*file_);
}

Extent FactorStore::extent(std::size_t chunk) const {
  return {offsets_[chunk], offsets_[chunk + 1] - offsets_[chunk]};
}

Extent FactorStore::factor_extent(std::int32_t front, std::int64_t begin, std::int64_t end) const {
  return {offsets_[plan_.chunk_of[front]] + (plan_.factor_at[front] + begin) * value_bytes_,
          (end - begin) * value_bytes_};
}

Extent FactorStore::update_extent(std::int32_t front, std::int64_t begin, std::int64_t end) const {
  const std::int64_t stacks = plan_.stack[front] == 2 ? plan_.disk.top : 0;
  return {offsets_.back() + (stacks + plan_.update_at[front] + begin) * value_bytes_,
          (end - begin) * value_bytes_};
}

std::byte* FactorStore::begin(std::int32_t front) {
  const auto c = static_cast<std::size_t>(plan_.chunk_of[front]);
  const std::int64_t bytes = extent(c).bytes;
  if (plan_.chunks[c].by_panels) {
    if (!by_panels_.data()) {
      std::int64_t largest = 0;
      for (std::size_t k = 0; k < plan_.chunks.size(); ++k)
        if (plan_.chunks[k].by_panels) largest = std::max(largest, extent(k).bytes);
      by_panels_ = WorkingMemory(count_, largest);
    }
    std::memset(by_panels_.data(), 0, static_cast<std::size_t>(bytes));
    return by_panels_.data();
  }
  WorkingMemory& chunk = chunks_[c];
  if (front == plan_.chunks[c].begin) {
    if (chunk.size() != bytes) chunk = WorkingMemory(count_, bytes);
    std::memset(chunk.data(), 0, static_cast<std::size_t>(bytes));
  }
  return chunk.data() + plan_.factor_at[front] * value_bytes_;
}

void FactorStore::panel_done(std::int32_t front, std::int64_t begin, std::int64_t end) {
  if (!plan_.chunks[plan_.chunk_of[front]].by_panels) return;
  const Extent to = factor_extent(front, begin, end);
  writer_->write_from(to.offset, by_panels_.data() + begin * value_bytes_, to.bytes);
}

void FactorStore::end(std::int32_t front) {
  const auto c = static_cast<std::size_t>(plan_.chunk_of[front]);
  if (plan_.chunks[c].by_panels)
    writer_->finish();  // the next front takes its memory
  else if (writer_ && front + 1 == plan_.chunks[c].end)
    writer_->write(extent(c).offset, std::exchange(chunks_[c], {}));
}

void FactorStore::write_update(std::int32_t front, std::int64_t first, WorkingMemory part) {
  writer_->write(update_extent(front, first, first).offset, std::move(part));
}

void FactorStore::finish() {
  if (writer_) writer_->finish();
}

void FactorStore::release() {
  by_panels_ = {};
  if (!in_memory())
    for (WorkingMemory& chunk : chunks_) chunk = {};  // of a factor that was not completed
}

std::unique_ptr<FactorReader> FactorStore::read(std::vector<Extent> extents) const {
  return std::make_unique<FactorReader>(*file_, std::move(extents), count_);
}

}  // namespace crumple::implicit::linear
