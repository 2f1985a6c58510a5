// Parts that a run leaves out because their material or section is not supported, and their elements.
#pragma once

#include <map>
#include <string>
#include <unordered_set>

#include "base/types.hpp"
#include "model/id_table.hpp"

namespace crumple::model {

/// Empty without --allow-unsupported.
class LeftOutParts {
 public:
  struct Reason {
    std::string why;
    std::size_t elements = 0;
  };

  /// Count one more element of a part that is not read. `table` is that of its kind.
  void add(LocalId part, const std::string& why, const IdTable& table, GlobalId element) {
    Reason& reason = parts_[part];
    reason.why = why;
    ++reason.elements;
    elements_[&table].insert(element);
  }

  bool contains(LocalId part) const { return parts_.contains(part); }
  /// Whether a number belongs to an element that was left out of the table.
  bool contains(const IdTable& table, GlobalId element) const {
    const auto of_kind = elements_.find(&table);
    return of_kind != elements_.end() && of_kind->second.contains(element);
  }
  bool empty() const { return parts_.empty(); }
  const std::map<LocalId, Reason>& parts() const { return parts_; }

 private:
  std::map<LocalId, Reason> parts_;
  std::map<const IdTable*, std::unordered_set<GlobalId>> elements_;
};

}  // namespace crumple::model
