// Deaths by time, place and group.
#include "loads/death/element_deaths.hpp"

#include <algorithm>
#include <tuple>

#include "model/element_rows.hpp"
#include "state/archive.hpp"

namespace crumple::loads {

ElementDeaths::ElementDeaths(const model::Model& model, const parallel::Communicator& comm)
    : model_(&model), comm_(&comm), inputs_(&model.features.of<ElementDeath>()) {
  for (std::size_t k = 0; k < inputs_->size(); ++k) {
    const ElementDeath& input = (*inputs_)[k];
    for (const LocalId e : input.elements) listed_.push_back({input.kind, e, k});
    if (input.group < 0) continue;
    of_.resize(std::max(of_.size(), static_cast<std::size_t>(input.group) + 1), nullptr);
    of_[static_cast<std::size_t>(input.group)] = &input;
  }
  std::ranges::stable_sort(listed_, {},
                           [](const Listed& l) { return std::tuple(l.kind, l.element, l.input); });
  gone_.resize(listed_.size(), 0);
  gone_of_.resize(of_.size(), 0);
}

/// The mean of its corners, each counted once.
Vec3 ElementDeaths::centre(const Listed& of, std::span<const Vec3> x) const {
  Vec3 sum;
  int n = 0;
  const auto nodes = model::rows_of(*model_, of.kind).nodes(static_cast<std::size_t>(of.element));
  const auto corners = nodes.first(of.kind == model::ElementKind::beam ? 2 : nodes.size());
  for (auto node = corners.begin(); node != corners.end(); ++node) {
    if (*node == model::kNone || std::find(corners.begin(), node, *node) != node) continue;
    sum += x[static_cast<std::size_t>(*node)];
    ++n;
  }
  return (1.0 / n) * sum;
}

bool ElementDeaths::in_time_or_place(const Listed& of, double time, std::span<const Vec3> x) const {
  const ElementDeath& input = (*inputs_)[of.input];
  if (time >= input.time) return true;
  if (!input.boxed) return false;
  const Vec3 from = centre(of, x) - input.origin;
  bool inside = true;
  for (int i = 0; i < 3; ++i) {
    const double at = dot(from, input.axis[static_cast<std::size_t>(i)]);
    inside = inside && at >= input.low[i] && at <= input.high[i];
  }
  return inside != input.outside;
}

void ElementDeaths::count_groups() {
  if (of_.empty()) return;
  std::ranges::fill(gone_of_, 0);
  for (std::size_t k = 0; k < listed_.size(); ++k)
    if (const std::int32_t group = (*inputs_)[listed_[k].input].group; group >= 0 && gone_[k])
      ++gone_of_[static_cast<std::size_t>(group)];
  comm_->sum(std::span(gone_of_));
}

std::span<const ElementDeaths::Dying> ElementDeaths::due(double time, std::span<const Vec3> x,
                                                         model::Stage stage) {
  due_.clear();
  if (stage == model::Stage::relaxation) return due_;
  count_groups();
  const auto by_group = [&](std::int32_t group) {
    if (group < 0) return false;
    const auto gone = static_cast<double>(gone_of_[static_cast<std::size_t>(group)]);
    const ElementDeath& of = *of_[static_cast<std::size_t>(group)];
    return gone > 0 && 100.0 * gone >= of.percent * static_cast<double>(of.group_size);
  };
  for (std::size_t k = 0; k < listed_.size(); ++k) {
    Listed& of = listed_[k];
    if (gone_[k] || of.marked) continue;
    if (!by_group((*inputs_)[of.input].group) && !in_time_or_place(of, time, x)) continue;
    of.marked = true;
    due_.push_back({of.kind, model::rows_of(*model_, of.kind).id[static_cast<std::size_t>(of.element)]});
  }
  std::ranges::sort(due_);
  return due_;
}

void ElementDeaths::delete_element(model::ElementKind kind, LocalId element) {
  const auto key = [](const Listed& l) { return std::pair(l.kind, l.element); };
  const auto all = std::ranges::equal_range(listed_, std::pair(kind, element), {}, key);
  for (auto of = all.begin(); of != all.end(); ++of)
    gone_[static_cast<std::size_t>(of - listed_.begin())] = 1;
}

void ElementDeaths::archive(state::Archive& archive, const parallel::IndexMap&) {
  const auto here = archive.module("element deaths");
  std::vector<GlobalId> keys;
  for (const Listed& of : listed_) {
    keys.push_back(static_cast<GlobalId>(of.kind));
    keys.push_back(model::rows_of(*model_, of.kind).order[static_cast<std::size_t>(of.element)]);
  }
  keys = state::numbered_among_equals(keys, 2);
  archive.field("gone", state::Rows::own(state::Of::entity, keys, 3), std::span(gone_));
}

std::unique_ptr<modules::Module> ElementDeaths::start(const modules::Start& start) {
  if (!start.comm.any(!start.model.features.of<ElementDeath>().empty())) return nullptr;
  return std::make_unique<ElementDeaths>(start.model, start.comm);
}

}  // namespace crumple::loads
