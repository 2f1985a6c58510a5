// Members of a set during reading: numbers to indices, ranges, missing ones.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "model/builder.hpp"

namespace crumple::model {

/// Whether a row of *SET_..._GENERAL has anything after its option. (A misspelt option without anything would
/// be a row without effect.)
inline bool row_names_any(const deck::Record& r, std::size_t row) {
  for (std::size_t c = 1; c < 8; ++c)
    if (r.integer(row, c) != 0) return true;
  return false;
}

/// Members of one kind of set, by number; missing ones are reported once per set.
class Members {
 private:
  auto less() const {
    return [this](LocalId a, LocalId b) {
      return ids_[static_cast<std::size_t>(a)] < ids_[static_cast<std::size_t>(b)];
    };
  }
  void sort(std::vector<LocalId>& list) const {
    std::sort(list.begin(), list.end(), less());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }

 public:
  Members(Builder& build, const IdTable& table, const std::vector<GlobalId>& ids, const char* what,
          const char* error_id)
      : build_(build), table_(table), ids_(ids), what_(what), error_id_(error_id) {}

  void begin(std::string label, Place place) {
    label_ = std::move(label);
    place_ = std::move(place);
    found_.clear();
    missing_.clear();
  }

  void add(GlobalId id, const Place& place) {
    if (id == 0) return;
    if (const LocalId index = table_.find(id); index != kNone)
      found_.push_back(index);
    else if (build_.left_out.contains(table_, id))
      return;
    else if (missing_.push_back(id); missing_.size() == 1)
      missing_place_ = place;
  }

  void add_index(LocalId index) { found_.push_back(index); }
  /// Removes from the members so far: the order of options matters.
  void remove(std::vector<LocalId> away) {
    sort(found_);
    sort(away);
    std::vector<LocalId> kept;
    std::set_difference(found_.begin(), found_.end(), away.begin(), away.end(), std::back_inserter(kept),
                        less());
    found_ = std::move(kept);
  }
  /// Index of a member to be removed, kNone if it does not exist.
  LocalId find(GlobalId id) const { return table_.find(id); }

  /// Adds all existing numbers from `first` to `last`.
  void add_range(GlobalId first, GlobalId last, GlobalId step = 1) {
    if (first == 0 && last == 0) return;
    if (last < first || step < 1)
      return build_.error("CR-D310", fmt::format("{}: range {} to {} by {}", label_, first, last, step),
                          place_);
    if ((last - first) / step > static_cast<GlobalId>(4 * ids_.size())) {
      for (std::size_t i = 0; i < ids_.size(); ++i)
        if (ids_[i] >= first && ids_[i] <= last && (ids_[i] - first) % step == 0)
          found_.push_back(static_cast<LocalId>(i));
      for (const auto& [id, other] : merged())
        if (id >= first && id <= last && (id - first) % step == 0) found_.push_back(table_.find(other));
      return;
    }
    for (GlobalId id = first; id <= last; id += step)
      if (const LocalId index = table_.find(id); index != kNone) found_.push_back(index);
  }

  void remove_range(GlobalId first, GlobalId last) {
    std::vector<LocalId> away;
    for (std::size_t i = 0; i < ids_.size(); ++i)
      if (ids_[i] >= first && ids_[i] <= last) away.push_back(static_cast<LocalId>(i));
    for (const auto& [id, other] : merged())
      if (id >= first && id <= last) away.push_back(table_.find(other));
    remove(std::move(away));
  }

 private:
  /// Numbers that are not among `ids_`: of nodes that are one with others.
  const std::map<GlobalId, GlobalId>& merged() const {
    static const std::map<GlobalId, GlobalId> none;
    return &table_ == &build_.nodes ? build_.node_changes.merged : none;
  }
  void report_missing() {
    if (missing_.empty()) return;
    std::string list;
    for (std::size_t i = 0; i < missing_.size() && i < 5; ++i) list += fmt::format(" {}", missing_[i]);
    build_.missing(error_id_, what_,
                   fmt::format("{}: {} of its members do not exist, {}{}{}", label_, missing_.size(), what_,
                               list, missing_.size() > 5 ? " ..." : ""),
                   missing_place_);
    missing_.clear();
  }

 public:
  /// The members, sorted by number, each once.
  std::vector<LocalId> take() {
    report_missing();
    sort(found_);
    return std::move(found_);
  }

 private:
  Builder& build_;
  const IdTable& table_;
  const std::vector<GlobalId>& ids_;
  const char *what_, *error_id_;
  std::string label_;
  Place place_;
  std::vector<LocalId> found_;
  std::vector<GlobalId> missing_;
  Place missing_place_;
};

}  // namespace crumple::model
