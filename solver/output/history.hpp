// A time history that a module writes, in both forms.
#pragma once

#include <cstdint>
#include <string_view>

namespace crumple::output {

class AsciiHistories;
class BinoutWriter;

class History {
 public:
  virtual ~History() = default;

  /// Name of the file and of the branch of binout: "abstat", for *DATABASE_ABSTAT.
  virtual std::string_view name() const = 0;
  /// Gather the data of the next block on rank 0. Collective.
  virtual void gather() {}
  /// Append a block of the snapshot. On rank 0, after `gather`.
  virtual void write(AsciiHistories& file, double time, std::int64_t cycle) const = 0;
  virtual void write(BinoutWriter& file, double time, std::int64_t cycle) const = 0;
};

}  // namespace crumple::output
