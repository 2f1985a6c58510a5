// abstat: volume, pressure, energy and area of airbags.
#pragma once

#include "loads/airbag/gas.hpp"
#include "output/history.hpp"

namespace crumple::loads {

class Abstat final : public output::History {
 public:
  /// Keeps a reference to `gas`, whose states are the same on every rank.
  explicit Abstat(const Airbags& gas) : gas_(gas) {}
  std::string_view name() const override { return "abstat"; }
  void write(output::AsciiHistories& file, double time, std::int64_t cycle) const override;
  void write(output::BinoutWriter& file, double time, std::int64_t cycle) const override;

 private:
  const Airbags& gas_;
};

}  // namespace crumple::loads
