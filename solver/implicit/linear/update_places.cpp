// Chooses which update matrices go to the file, and lays out stacks.
#include "implicit/linear/update_places.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>

namespace crumple::implicit::linear {

namespace {

constexpr std::uint8_t kAmongRoots = 2, kKept = 3;
/// Smaller update matrices go to the file only if no larger one is there.
constexpr std::int64_t kWorthFile = std::int64_t(1) << 18;

std::int64_t update_size(const Fronts& fronts, std::int32_t front) {
  return aligned_values(fronts.shape[front].update_values());
}

void choose_stacks(const Fronts& fronts, Plan& plan) {
  plan.stack.assign(fronts.parent.size(), 0);
  for (std::int32_t f = fronts.size() - 1; f >= 0; --f)
    if (fronts.parent[f] != -1) plan.stack[f] = !plan.stack[fronts.parent[f]];
  for (const Subtree& subtree : plan.subtrees) plan.stack[subtree.end - 1] = kAmongRoots;
  for (std::int32_t f = 0; f < fronts.size(); ++f)
    if (fronts.parent[f] == -1 && fronts.shape[f].updated() > 0) plan.stack[f] = kKept;
}

/// Runs through the fronts of a subtree, or of the top, as their elimination does. Places on stack 1 are
/// counted from the end of the room until its size is known.
class StackLayout {
 public:
  StackLayout(const Fronts& fronts, Plan& plan, bool on_disk, std::int64_t& room)
      : fronts_(fronts), plan_(plan), on_disk_(on_disk), room_(room) {}

  void add(std::int32_t front) {
    const std::uint8_t stack = plan_.stack[front];
    if (is_here(front)) {
      const std::int64_t begin = used_[stack];
      used_[stack] += update_size(fronts_, front);
      plan_.update_at[front] = stack == 0 ? begin : used_[stack];
      room_ = std::max(room_, used_[0] + used_[1]);
    }
    for (const std::int32_t c : fronts_.children_of(front))
      if (is_here(c)) used_[plan_.stack[c]] -= update_size(fronts_, c);
  }

 private:
  bool is_here(std::int32_t front) const {
    return plan_.stack[front] < kAmongRoots && (plan_.on_disk[front] != 0) == on_disk_;
  }

  const Fronts& fronts_;
  Plan& plan_;
  const bool on_disk_;
  std::int64_t& room_;
  std::int64_t used_[2] = {0, 0};
};

void lay_out(const Fronts& fronts, Plan& plan, bool on_disk) {
  UpdateRoom& room = on_disk ? plan.disk : plan.memory;
  room = {};
  const auto is_here = [&](std::int32_t f) { return (plan.on_disk[f] != 0) == on_disk; };
  for (const Subtree& subtree : plan.subtrees) {
    StackLayout layout(fronts, plan, on_disk, room.subtree);
    for (std::int32_t f = subtree.begin; f < subtree.end; ++f) layout.add(f);
    const std::int32_t root = subtree.end - 1;
    if (!is_here(root) || plan.stack[root] != kAmongRoots) continue;
    plan.update_at[root] = room.roots;
    room.roots += update_size(fronts, root);
  }
  for (std::int32_t f = 0; f < fronts.size(); ++f) {
    if (!is_here(f) || plan.stack[f] != kKept) continue;
    plan.update_at[f] = room.kept;
    room.kept += update_size(fronts, f);
  }
  StackLayout layout(fronts, plan, on_disk, room.top);
  for (const std::int32_t f : plan.top) layout.add(f);
  const auto count_from_begin = [&](std::int32_t f, std::int64_t size) {
    if (plan.stack[f] == 1 && is_here(f)) plan.update_at[f] = size - plan.update_at[f];
  };
  for (const Subtree& subtree : plan.subtrees)
    for (std::int32_t f = subtree.begin; f < subtree.end; ++f) count_from_begin(f, room.subtree);
  for (const std::int32_t f : plan.top) count_from_begin(f, room.top);
}

/// Sends update matrices to the file until the rest is in memory with what else is there.
class Eviction {
 public:
  Eviction(const Fronts& fronts, Plan& plan, std::int64_t most_values)
      : fronts_(fronts), plan_(plan), most_(most_values - plan.memory.kept) {
    for (const Subtree& subtree : plan.subtrees) add_root(subtree.end - 1);
  }

  /// While subtrees are made, whose stacks are in memory all the time.
  void pass_subtrees(const BesideUpdates& beside) {
    if (plan_.subtrees.empty()) return;
    const std::int64_t others = plan_.threads * plan_.memory.subtree + beside.subtrees;
    std::vector<std::int32_t> none;
    while (others + of_roots_ > most_ && send_one(none)) {
    }
  }
  /// Front by front above the subtrees.
  void pass_top(const BesideUpdates& beside) {
    std::vector<std::int32_t> stacked;
    on_stacks_ = 0;
    for (const std::int32_t f : plan_.top) {
      if (!plan_.on_disk[f] && plan_.stack[f] != kKept) {
        stacked.push_back(f);
        on_stacks_ += update_size(fronts_, f);
      }
      while (of_roots_ + on_stacks_ + beside.top > most_ && send_one(stacked)) {
      }
      std::erase_if(stacked, [&](std::int32_t c) {
        if (fronts_.parent[c] != f) return false;
        on_stacks_ -= update_size(fronts_, c);
        return true;
      });
    }
  }
  bool sent() const { return sent_; }

 private:
  void add_root(std::int32_t f) {
    if (plan_.on_disk[f] || plan_.stack[f] == kKept) return;
    roots_.push_back(f);
    of_roots_ += update_size(fronts_, f);
  }

  /// The one whose parent comes last.
  bool send_one(std::vector<std::int32_t>& stacked) {
    std::optional<std::tuple<bool, std::int32_t, std::int64_t, std::int32_t>> best;
    for (const std::span<const std::int32_t> list :
         {std::span<const std::int32_t>(roots_), std::span<const std::int32_t>(stacked)})
      for (const std::int32_t f : list)
        if (const std::int64_t size = update_size(fronts_, f); size > 0) {
          const std::tuple is{size >= kWorthFile, fronts_.parent[f], size, f};
          if (!best || is > *best) best = is;
        }
    if (!best) return false;
    const std::int32_t front = std::get<3>(*best);
    plan_.on_disk[front] = 1;
    sent_ = true;
    const bool is_root = plan_.stack[front] == kAmongRoots;
    std::erase(is_root ? roots_ : stacked, front);
    (is_root ? of_roots_ : on_stacks_) -= update_size(fronts_, front);
    return true;
  }

  const Fronts& fronts_;
  Plan& plan_;
  const std::int64_t most_;
  std::vector<std::int32_t> roots_;  ///< of subtrees, in memory: their room is there all the time
  std::int64_t of_roots_ = 0, on_stacks_ = 0;
  bool sent_ = false;
};

}  // namespace

void place_updates(const Fronts& fronts, Plan& plan, std::int64_t most_values,
                   const std::function<BesideUpdates()>& beside) {
  choose_stacks(fronts, plan);
  plan.on_disk.assign(fronts.parent.size(), 0);
  plan.update_at.assign(fronts.parent.size(), 0);
  for (bool sent = true; sent;) {
    lay_out(fronts, plan, false);
    sent = false;
    if (most_values == 0) break;
    // What is on disk needs blocks on the way: these are counted in the next round.
    const BesideUpdates is = beside();
    Eviction eviction(fronts, plan, most_values);
    eviction.pass_subtrees(is);
    eviction.pass_top(is);
    sent = eviction.sent();
  }
  lay_out(fronts, plan, true);
}

}  // namespace crumple::implicit::linear
