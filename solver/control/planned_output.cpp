// Intervals of output as JSON.
#include "control/planned_output.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

namespace crumple::control {

std::string planned_output(const model::Model& model) {
  const model::OutputControl& o = model.output;
  std::string intervals;
  const auto add = [&](std::string_view name, double interval) {
    if (interval > 0.0)
      intervals += fmt::format("{}\"{}\": {:.9g}", intervals.empty() ? "" : ", ", name, interval);
  };
  const std::array<std::pair<std::string_view, double>, 17> files{{{"d3plot", o.d3plot},
                                                                   {"glstat", o.glstat},
                                                                   {"matsum", o.matsum},
                                                                   {"rcforc", o.rcforc},
                                                                   {"rwforc", o.rwforc},
                                                                   {"nodout", o.nodout},
                                                                   {"rbdout", o.rbdout},
                                                                   {"jntforc", o.jntforc},
                                                                   {"elout", o.elout},
                                                                   {"spcforc", o.spcforc},
                                                                   {"swforc", o.swforc},
                                                                   {"secforc", o.secforc},
                                                                   {"bndout", o.bndout},
                                                                   {"sleout", o.sleout},
                                                                   {"ncforc", o.ncforc},
                                                                   {"deforc", o.deforc},
                                                                   {"intfor", o.intfor}}};
  for (const auto& [name, interval] : files) add(name, interval);
  for (const model::FeatureHistory& history : o.of_features) add(history.name, history.interval);
  return fmt::format(
      ",\n \"output\": {{\"end_time\": {:.9g}, \"intervals\": {{{}}},\n  \"dump_cycles\": {{\"d3dump\": {}, "
      "\"runrsf\": {}}}, \"runrsf_files\": {}}}",
      model.control.end_time, intervals, o.dumps.d3dump, o.dumps.runrsf, o.dumps.runrsf_files);
}

}  // namespace crumple::control
