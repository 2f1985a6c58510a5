// sbtout: forces and lengths of belts, slip of rings, forces and pull-out of retractors.
#pragma once

#include "loads/belts/belt_system.hpp"
#include "output/history.hpp"

namespace crumple::loads {

class Sbtout final : public output::History {
 public:
  /// Keeps a reference to `belts`, whose states are the same on every rank.
  explicit Sbtout(const BeltSystem& belts) : belts_(belts) {}
  std::string_view name() const override { return "sbtout"; }
  void write(output::AsciiHistories& file, double time, std::int64_t cycle) const override;
  void write(output::BinoutWriter& file, double time, std::int64_t cycle) const override;

 private:
  struct Rows {
    GlobalId id = 0;
    double length = 0, force = 0;
  };
  std::vector<Rows> elements() const;
  std::vector<Rows> rings() const;
  std::vector<Rows> retractors() const;

  const BeltSystem& belts_;
};

}  // namespace crumple::loads
