// sbtout as text, and in binout with LS-DYNA's names.
#include "loads/belts/sbtout.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "output/ascii/histories.hpp"
#include "output/ascii/numbers.hpp"
#include "output/binout/binout.hpp"

namespace crumple::loads {

namespace {

template <class T>
std::vector<GlobalId> ids_of(const std::vector<T>& list) {
  std::vector<GlobalId> ids;
  for (const T& item : list) ids.push_back(item.id);
  return ids;
}

}  // namespace

void Sbtout::write(output::AsciiHistories& file, double time, std::int64_t) const {
  using output::real;
  const Belts& in = belts_.in();
  std::string text = fmt::format("\n\n time ={}\n", real(time, 15, 5));
  text += "\n seat belt number     force          length\n";
  for (std::size_t e = 0; e < in.elements.size(); ++e)
    text += fmt::format("{:12d}{}{}\n", in.elements[e].id, real(belts_.elements()[e].force, 17, 5),
                        real(belts_.elements()[e].stretched, 16, 5));
  if (!in.rings.empty()) text += "\n slip ring number     total slip\n";
  for (std::size_t r = 0; r < in.rings.size(); ++r)
    text += fmt::format("{:12d}{}\n", in.rings[r].id, real(belts_.rings()[r].slip, 17, 5));
  if (!in.retractors.empty()) text += "\n retractor number     pull-out       force\n";
  for (std::size_t r = 0; r < in.retractors.size(); ++r)
    text += fmt::format("{:12d}{}{}\n", in.retractors[r].id, real(belts_.retractors()[r].pull_out, 17, 5),
                        real(belts_.tension(belts_.retractors()[r]), 16, 5));
  file.append("sbtout", {}, "", text);
}

void Sbtout::write(output::BinoutWriter& file, double time, std::int64_t cycle) const {
  const Belts& in = belts_.in();
  if (file.begin("sbtout")) {
    file.ids("belt_ids", ids_of(in.elements));
    file.ids("slipring_ids", ids_of(in.rings));
    file.ids("retractor_ids", ids_of(in.retractors));
  }
  file.begin_state("sbtout");
  file.real("time", time);
  file.integer("cycle", cycle);
  file.column("belt_force", belts_.elements(), [](const BeltElementState& s) { return s.force; });
  file.column("belt_length", belts_.elements(), [](const BeltElementState& s) { return s.stretched; });
  file.column("ring_slip", belts_.rings(), [](const SlipRingState& s) { return s.slip; });
  file.column("retractor_pull_out", belts_.retractors(), [](const RetractorState& s) { return s.pull_out; });
  file.column("retractor_force", belts_.retractors(),
              [this](const RetractorState& s) { return belts_.tension(s); });
  file.publish();
}

}  // namespace crumple::loads
