// The gases of *AIRBAG_HYBRID.
#include "loads/airbag/read_hybrid.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "loads/airbag/gas_reader.hpp"
#include "loads/airbag/porosity.hpp"

namespace crumple::loads {

using model::Builder;
using model::kNone;
using model::Record;

namespace {

/// Sums of shares that are as good as 1.
constexpr double kSameShare = 1e-3;

/// Reads one gas of two cards.
class GasCards {
 public:
  GasCards(GasReader& reader, const Record& record, std::size_t gas)
      : read_(reader), r_(record), gas_(gas), by_(fmt::format("{}, gas {}", reader.label_, gas + 1)) {}

  MixedGas read(double molar_constant) {
    MixedGas gas;
    const double weight = value(kWeight);
    if (!(weight > 0)) wrong("its molecular weight MW must be positive");
    gas.kind = {molar_constant / weight, value(kHeat) / weight, value(kSlope) / weight,
                value(kCurvature) / weight};
    gas.share = value(kShare);
    if (gas.share < 0) wrong("its share INITM must not be negative");
    inflow(gas);
    check_capacity(gas);
    if (r_.real(2 * gas_ + 1, 0, "gases") != 0)
      read_.build_.unsupported(fmt::format("{}: FMASS, air that the inflow draws in, is not supported", by_),
                               place());
    return gas;
  }

 private:
  /// Columns of the first card; the third is blank.
  enum Column : std::size_t { kFlow = 0, kHot = 1, kWeight = 3, kShare, kHeat, kSlope, kCurvature };

  double value(Column column) const { return r_.real(2 * gas_, column, "gases"); }
  Place place() const { return r_.row_place(2 * gas_, "gases"); }
  void wrong(const std::string& what) {
    read_.build_.error("CR-D310", fmt::format("{}: {}", by_, what), place());
  }
  GlobalId number(Column column, const char* name) {
    const GlobalId id = std::llround(value(column));
    if (id < 0)
      read_.build_.unsupported(
          fmt::format("{}: {} = {}, a spline through the points of a curve, is not supported", by_, name, id),
          place());
    return std::max<GlobalId>(id, 0);
  }
  void inflow(MixedGas& gas) {
    gas.inflow = read_.mass_flow(number(kFlow, "LCIDM"), place());
    const GlobalId hot = number(kHot, "LCIDT");
    if (hot != 0) gas.temperature_curve = read_.build_.find_curve(hot, by_, place());
    if (gas.inflow != kNone && hot == 0) wrong("the temperature LCIDT of its inflow is missing");
  }
  /// The heat capacity at constant volume is positive at all temperatures of the deck.
  void check_capacity(const MixedGas& gas) {
    Mixture unit;
    unit.add(gas.kind, 1);
    const auto bad = [&](double t) { return !(unit.capacity(t) > unit.constant); };
    bool any = bad(read_.gas_.ambient_temperature);
    if (gas.temperature_curve != kNone)
      any = any || std::ranges::any_of(
                       read_.build_.model.curves[static_cast<std::size_t>(gas.temperature_curve)].y, bad);
    if (any) wrong("its heat capacity A + B T + C T^2 must be above GC at its temperatures");
  }

  GasReader& read_;
  const Record& r_;
  std::size_t gas_;
  std::string by_;
};

/// Their shares have the sum 1, and their density is that of the deck.
void check_mixture(GasReader& read, Inflation& gas) {
  double sum = 0;
  for (const MixedGas& g : gas.gases) sum += g.share;
  if (std::abs(sum - 1) > kSameShare)
    return read.wrong("INITM", fmt::format("the shares INITM have the sum {}, not 1", sum));
  Mixture unit;
  for (MixedGas& g : gas.gases) {
    g.share /= sum;
    unit.add(g.kind, g.share);
  }
  const double density = read.positive("ATMOSD"),
               of_gas = gas.ambient_pressure / (unit.constant * gas.ambient_temperature);
  if (std::abs(of_gas - density) > 0.01 * density)
    read.build_.warn("CR-D330",
                     fmt::format("{}: ATMOSD = {} is not the density of its gas at ATMOSP and ATMOST, {}, "
                                 "which it has here",
                                 read.label_, density, of_gas),
                     read.r_.place("ATMOSD"));
}

}  // namespace

void read_hybrid_gas(Builder& build, const Record& r, const std::string& label, Airbag& bag) {
  GasReader read(build, r, label, bag);
  Inflation& gas = bag.inflation;
  gas.ambient_pressure = read.positive("ATMOSP");
  gas.ambient_temperature = read.positive("ATMOST");
  gas.heat_convection = read.not_negative("HCONV");
  gas.pop_pressure = read.not_negative("PVENT");
  read.vent();
  read.outflow("LCEFR");
  read_leakage(build, r, label, read.orifice("CP23", "LCCP23", "AP23", "LCAP23"), bag);
  gas.total_inflow = read.mass_flow(r.integer("LCIDM0"), r.place("LCIDM0"));
  const double constant = read.positive("GC");
  const GlobalId count = r.integer("NGAS");
  if (count < 1) return read.wrong("NGAS", fmt::format("NGAS is {}: it must have a gas", count));
  if (r.rows("gases") < 2 * static_cast<std::size_t>(count)) return;  // reported by the reader of decks
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
    gas.gases.push_back(GasCards(read, r, k).read(constant));
  check_mixture(read, gas);
}

}  // namespace crumple::loads
