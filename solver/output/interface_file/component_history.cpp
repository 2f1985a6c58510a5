// Gathers and writes the places of interfaces.
#include "output/interface_file/component_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <type_traits>

#include "output/ascii/histories.hpp"
#include "output/binout/binout.hpp"

namespace crumple::output {

void ComponentHistory::add_forces(modules::Cycle& c) {
  mine_.clear();
  for (const InterfaceComponent& in : model_->features.of<InterfaceComponent>())
    for (const LocalId n : in.nodes) mine_.push_back({in.id, model_->nodes.id[at(n)], c.nodal.x[at(n)]});
}

void ComponentHistory::gather() {
  static_assert(std::is_trivially_copyable_v<Line>);
  all_ = comm_->gather<Line>(mine_);
  std::ranges::sort(all_, {}, [](const Line& l) { return std::tuple(l.interface, l.node); });
}

void ComponentHistory::write(AsciiHistories& file, double time, std::int64_t) const {
  std::string text;
  for (auto first = all_.begin(); first != all_.end();) {
    const auto last =
        std::find_if(first, all_.end(), [&](const Line& l) { return l.interface != first->interface; });
    text +=
        fmt::format("{} {} nodes {} time {:.17g}\n", kInterfaceLine, first->interface, last - first, time);
    for (; first != last; ++first)
      text += fmt::format("{} {:.17g} {:.17g} {:.17g}\n", first->node, first->x.x, first->x.y, first->x.z);
  }
  for (const InterfaceComponent& in : model_->features.of<InterfaceComponent>()) {
    if (time > 0.0 || in.segments.empty()) continue;
    text += fmt::format("{} {} {}\n", kSegmentsLine, in.id, in.segments.size());
    for (const auto& s : in.segments) text += fmt::format("{} {} {} {}\n", s[0], s[1], s[2], s[3]);
  }
  file.append(std::string(kInterfaceFile), {}, "\n", text);
}

/// Only the text is read again; OPIFS asks for no other form.
void ComponentHistory::write(BinoutWriter&, double, std::int64_t) const {}

}  // namespace crumple::output
