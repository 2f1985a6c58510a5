// What the recorder carries through a run, by name: which rows are due next, and from where bndout counts.
#include "state/archive.hpp"

#include <vector>

#include "output/recorder.hpp"

namespace crumple::output {

using state::Of;
using state::Rows;

void Recorder::archive(state::Archive& archive) {
  static_assert(field_count<BndoutBlock>() == 4, "is the new member carried on?");
  const auto here = archive.module("recorder");
  archive.global("last plot cycle", last_plot_cycle_);
  std::vector<Series*> series;
  for (Channel& channel : channels_) series.push_back(&channel.series);
  for (Series& of_feature : of_features_) series.push_back(&of_feature);
  std::vector<double> next, interval;
  for (Series* const one : series) next.push_back(one->next()), interval.push_back(one->interval());
  const std::vector<GlobalId> numbers = state::numbered(series.size());
  archive.field("next", Rows::equal(Of::entity, numbers), std::span(next));
  archive.field("interval", Rows::equal(Of::entity, numbers), std::span(interval));
  for (std::size_t k = 0; k < series.size(); ++k) series[k]->next() = next[k];
  for (std::size_t k = 0; archive.reading() && k < series.size(); ++k)
    if (interval[k] != series[k]->interval()) changed_.push_back(series[k]);
  if (!comm_->root()) return;
  const BoundaryInfo& info = catalogue_.boundary;
  const auto rows = [&](const char* name, std::vector<BndoutBlock::Row>& of,
                        const std::vector<GlobalId>& ids) {
    of.resize(ids.size());  // it has none before the first block
    archive.member(name, Rows::own(Of::entity, ids), std::span(of), &BndoutBlock::Row::energy);
  };
  const auto start = archive.module("bndout at start");
  rows("loaded", bndout_at_start_.loaded, info.loaded);
  rows("pressed", bndout_at_start_.pressed, info.pressed);
  rows("moved", bndout_at_start_.moved, info.moved);
  rows("bodies", bndout_at_start_.bodies, info.bodies);
}

}  // namespace crumple::output
