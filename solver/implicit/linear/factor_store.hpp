// Keeps the factor's chunks in memory, or passes them to the factor's file, with the update matrices that go
// there.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "implicit/linear/factor_file.hpp"
#include "implicit/linear/plan.hpp"

namespace crumple::implicit::linear {

class FactorStore {
 public:
  /// @param value_bytes of one value
  /// @param folder of the file; empty if the factor stays in memory
  FactorStore(const Plan& plan, std::int64_t value_bytes, const std::string& folder, MemoryCount& count);

  /// Zeros for the factor of a front. Fronts of a chunk are asked for in order, and by one thread.
  std::byte* begin(std::int32_t front);
  /// Values [begin, end) of a front's factor will not change any more, though its other values may.
  void panel_done(std::int32_t front, std::int64_t begin, std::int64_t end);
  /// The front's factor is ready.
  void end(std::int32_t front);
  /// A part of a front's update matrix, which is on disk.
  /// @param first its first value
  void write_update(std::int32_t front, std::int64_t first, WorkingMemory part);
  /// All that was passed is where it is to be. Throws Error if something could not be written.
  void finish();
  /// No more fronts are made for now: gives back their memory. All must be where it is to be.
  void release();

  bool in_memory() const { return !file_; }
  DiskTraffic traffic() const { return file_ ? file_->traffic() : DiskTraffic{}; }
  /// Of a front that stays in memory.
  const std::byte* in_memory(std::int32_t front) const {
    return chunks_[plan_.chunk_of[front]].data() + plan_.factor_at[front] * value_bytes_;
  }
  /// Where values [begin, end) are in the file: of a front's factor, or of its update matrix.
  Extent factor_extent(std::int32_t front, std::int64_t begin, std::int64_t end) const;
  Extent update_extent(std::int32_t front, std::int64_t begin, std::int64_t end) const;
  /// Reads from the file, in the order given.
  std::unique_ptr<FactorReader> read(std::vector<Extent> extents) const;

 private:
  Extent extent(std::size_t chunk) const;

  const Plan& plan_;
  const std::int64_t value_bytes_;
  MemoryCount& count_;
  std::vector<WorkingMemory> chunks_;
  WorkingMemory by_panels_;  ///< the front that is written panel by panel
  std::vector<std::int64_t> offsets_;
  std::unique_ptr<FactorFile> file_;
  std::unique_ptr<FactorWriter> writer_;  // after the memory from which it writes
};

}  // namespace crumple::implicit::linear
