// Keeps the factor's chunks in memory, or passes them to the factor's file.
#pragma once

#include <memory>
#include <string>

#include "implicit/linear/factor_file.hpp"
#include "implicit/linear/plan.hpp"

namespace crumple::implicit::linear {

class FactorStore {
 public:
  /// @param value_bytes of one value
  /// @param folder of the file; empty if the factor stays in memory
  FactorStore(const Plan& plan, std::int64_t value_bytes, const std::string& folder);

  /// Zeros for the factor of a front. Fronts of a chunk are asked for in order, and by one thread.
  std::byte* begin(std::int32_t front);
  /// The front's factor is ready.
  void end(std::int32_t front);
  /// All fronts are ready. Throws Error if one could not be written.
  void finish();

  bool in_memory() const { return !file_; }
  /// Of a front that stays in memory.
  const std::byte* in_memory(std::int32_t front) const {
    return chunks_[plan_.chunk_of[front]].data() + plan_.factor_at[front] * value_bytes_;
  }
  /// Reads chunks from the file, in ascending or descending order.
  FactorReader read(bool ascending) const;

 private:
  Extent extent(std::size_t chunk) const;

  const Plan& plan_;
  const std::int64_t value_bytes_;
  std::vector<Bytes> chunks_;
  std::vector<std::int64_t> offsets_;
  std::unique_ptr<FactorFile> file_;
  std::unique_ptr<FactorWriter> writer_;
};

}  // namespace crumple::implicit::linear
