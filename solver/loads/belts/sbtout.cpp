// sbtout as text, and in binout with LS-DYNA's names.
#include "loads/belts/sbtout.hpp"

#include <fmt/format.h>

#include <span>
#include <string>
#include <vector>

#include "output/ascii/histories.hpp"
#include "output/ascii/numbers.hpp"
#include "output/binout/binout.hpp"

namespace crumple::loads {

namespace {

template <class T>
std::vector<GlobalId> ids_of(std::span<const T> list) {
  std::vector<GlobalId> ids;
  for (const T& item : list) ids.push_back(item.id);
  return ids;
}

}  // namespace

/// Elements with two nodes. Shells: the force over their width, and the mean length of their sides.
std::vector<Sbtout::Rows> Sbtout::elements() const {
  const Belts& in = belts_.in();
  std::vector<Rows> rows;
  for (std::size_t e = 0; e < in.elements.size(); ++e)
    if (in.elements[e].id > 0)
      rows.push_back({in.elements[e].id, belts_.elements()[e].stretched, belts_.elements()[e].force});
  for (const BeltShell& shell : in.shells) {
    const BeltElementState &a = belts_.elements()[static_cast<std::size_t>(shell.first)],
                           &b = belts_.elements()[static_cast<std::size_t>(shell.second)];
    rows.push_back({shell.id, 0.5 * (a.stretched + b.stretched), 0.5 * shell.share * (a.force + b.force)});
  }
  return rows;
}

/// Slip; of belts of shells the mean over the width.
std::vector<Sbtout::Rows> Sbtout::rings() const {
  const Belts& in = belts_.in();
  std::vector<Rows> rows;
  for (std::size_t r = 0; r < in.rings.size(); ++r) {
    if (rows.empty() || rows.back().id != in.rings[r].id) rows.push_back({in.rings[r].id, 0, 0});
    rows.back().length += belts_.share(in.rings[r].first) * belts_.rings()[r].slip;
  }
  return rows;
}

/// Pull-out, the mean over the width, and force.
std::vector<Sbtout::Rows> Sbtout::retractors() const {
  const Belts& in = belts_.in();
  std::vector<Rows> rows;
  for (std::size_t r = 0; r < in.retractors.size(); ++r) {
    const RetractorState& s = belts_.retractors()[r];
    const double share = belts_.share(in.retractors[r].mouth);
    if (rows.empty() || rows.back().id != in.retractors[r].id) rows.push_back({in.retractors[r].id, 0, 0});
    rows.back().length += share * s.pull_out;
    rows.back().force += share * belts_.tension(s);
  }
  return rows;
}

void Sbtout::write(output::AsciiHistories& file, double time, std::int64_t) const {
  using output::real;
  std::string text = fmt::format("\n\n time ={}\n", real(time, 15, 5));
  text += "\n seat belt number     force          length\n";
  for (const Rows& e : elements())
    text += fmt::format("{:12d}{}{}\n", e.id, real(e.force, 17, 5), real(e.length, 16, 5));
  const std::vector<Rows> slips = rings(), reels = retractors();
  if (!slips.empty()) text += "\n slip ring number     total slip\n";
  for (const Rows& r : slips) text += fmt::format("{:12d}{}\n", r.id, real(r.length, 17, 5));
  if (!reels.empty()) text += "\n retractor number     pull-out       force\n";
  for (const Rows& r : reels)
    text += fmt::format("{:12d}{}{}\n", r.id, real(r.length, 17, 5), real(r.force, 16, 5));
  file.append("sbtout", {}, "", text);
}

void Sbtout::write(output::BinoutWriter& file, double time, std::int64_t cycle) const {
  const std::vector<Rows> belt_rows = elements(), slip_rows = rings(), reel_rows = retractors();
  const std::span belts(belt_rows), slips(slip_rows), reels(reel_rows);
  if (file.begin("sbtout")) {
    file.ids("belt_ids", ids_of(belts));
    file.ids("slipring_ids", ids_of(slips));
    file.ids("retractor_ids", ids_of(reels));
  }
  file.begin_state("sbtout");
  file.real("time", time);
  file.integer("cycle", cycle);
  const auto force = [](const Rows& r) { return r.force; };
  const auto length = [](const Rows& r) { return r.length; };
  file.column("belt_force", belts, force);
  file.column("belt_length", belts, length);
  file.column("ring_slip", slips, length);
  file.column("retractor_pull_out", reels, length);
  file.column("retractor_force", reels, force);
  file.publish();
}

}  // namespace crumple::loads
