// Tables of modes. The first one has the columns of LS-DYNA's file, as scripts look for them.
#include "output/ascii/eigout.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace crumple::output {

double ModeRow::radians() const { return std::copysign(std::sqrt(std::abs(eigenvalue)), eigenvalue); }
double ModeRow::cycles() const { return radians() / (2.0 * std::numbers::pi); }
double ModeRow::period() const { return cycles() != 0.0 ? 1.0 / cycles() : 0.0; }

std::string mode_table(std::span<const ModeRow> modes) {
  std::string text =
      "                         |------ frequency -----|\n"
      "    MODE    EIGENVALUE       RADIANS        CYCLES        PERIOD\n";
  for (std::size_t k = 0; k < modes.size(); ++k)
    text += fmt::format("{:8d}{:14.6E}{:14.6E}{:14.6E}{:14.6E}\n", k + 1, modes[k].eigenvalue,
                        modes[k].radians(), modes[k].cycles(), modes[k].period());
  return text;
}

namespace {

std::string heading(const Catalogue& catalogue) {
  return fmt::format(" {:.80}\n                         {}     date {}\n\n", catalogue.title,
                     catalogue.run.program(), catalogue.run.date);
}

/// A table with a column for each rigid motion.
template <class Value>
std::string rigid_table(std::span<const ModeRow> modes, Value&& value) {
  std::string text = fmt::format("{:>8}{:>14}{:>14}{:>14}{:>14}{:>14}{:>14}\n", "MODE", "X-TRAN", "Y-TRAN",
                                 "Z-TRAN", "X-ROT", "Y-ROT", "Z-ROT");
  for (std::size_t k = 0; k < modes.size(); ++k) {
    text += fmt::format("{:8d}", k + 1);
    for (std::size_t i = 0; i < 6; ++i) text += fmt::format("{:14.6E}", value(modes[k], i));
    text += "\n";
  }
  return text;
}

}  // namespace

std::string buckling_table(std::span<const BucklingRow> modes) {
  std::string text = "    MODE    EIGENVALUE\n";
  for (std::size_t k = 0; k < modes.size(); ++k)
    text += fmt::format("{:8d}{:14.6E}\n", k + 1, modes[k].factor);
  return text;
}

std::string buckling_text(const Catalogue& catalogue, double time, std::span<const BucklingRow> modes) {
  std::string text = heading(catalogue);
  text += "  r e s u l t s   o f   b u c k l i n g   a n a l y s i s:\n\n";
  text +=
      fmt::format("     problem time = {:12.5E}\n\n     (eigenvalues are factors of the loads)\n\n", time);
  text += buckling_table(modes) + "\n  EIGENVECTOR SCALING FACTOR\n";
  for (std::size_t k = 0; k < modes.size(); ++k)
    text += fmt::format("{:8d}{:14.6E}\n", k + 1, modes[k].scale);
  return text;
}

std::string eigout_text(const Catalogue& catalogue, double time, std::span<const ModeRow> modes,
                        const std::array<double, 6>& rigid) {
  std::string text = heading(catalogue);
  text += "  r e s u l t s   o f   e i g e n v a l u e   a n a l y s i s:\n\n";
  text += fmt::format("     problem time = {:12.5E}\n\n     (all frequencies de-shifted)\n\n", time);
  text += mode_table(modes);
  text += "\n  EIGENVECTOR SCALING FACTOR\n";
  for (std::size_t k = 0; k < modes.size(); ++k)
    text += fmt::format("{:8d}{:14.6E}\n", k + 1, modes[k].scale);
  text += "\n  MODAL PARTICIPATION FACTORS (unit modal mass, rotations about the origin)\n";
  text += rigid_table(modes, [](const ModeRow& m, std::size_t i) { return m.participation[i]; });
  text += "\n  MODAL EFFECTIVE MASS\n";
  text += rigid_table(
      modes, [](const ModeRow& m, std::size_t i) { return m.participation[i] * m.participation[i]; });
  text += "     SUM";
  std::array<double, 6> sum{};
  for (const ModeRow& m : modes)
    for (std::size_t i = 0; i < 6; ++i) sum[i] += m.participation[i] * m.participation[i];
  for (const double s : sum) text += fmt::format("{:14.6E}", s);
  text += "\n   TOTAL";
  for (const double r : rigid) text += fmt::format("{:14.6E}", r);
  return text + "\n";
}

}  // namespace crumple::output
