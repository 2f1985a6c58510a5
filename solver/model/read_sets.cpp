// *SET: nodes, parts, shells and segments by lists, ranges, boxes and other sets.
#include <algorithm>

#include "model/builder.hpp"

namespace crumple::model {
namespace {

/// Members of one kind of set, by number; what is missing is told once a set.
class Members {
 public:
  Members(Builder& build, const IdTable& table, const std::vector<GlobalId>& ids, const char* what,
          const char* error_id)
      : build_(build), table_(table), ids_(ids), what_(what), error_id_(error_id) {}

  void begin(std::string label, Place place) {
    label_ = std::move(label);
    place_ = std::move(place);
    found_.clear();
    taken_away_.clear();
    missing_.clear();
  }

  void add(GlobalId id, const Place& place) {
    if (id == 0) return;
    if (const LocalId index = table_.find(id); index != kNone)
      found_.push_back(index);
    else if (missing_.push_back(id); missing_.size() == 1)
      missing_place_ = place;
  }

  void add_index(LocalId index) { found_.push_back(index); }
  void remove_index(LocalId index) { taken_away_.push_back(index); }
  void remove(GlobalId id) {
    if (const LocalId index = table_.find(id); index != kNone) taken_away_.push_back(index);
  }

  /// All that exist from `first` to `last`.
  void add_range(GlobalId first, GlobalId last, GlobalId step = 1) {
    if (first == 0 && last == 0) return;
    if (last < first || step < 1)
      return build_.error("CR-D310", fmt::format("{}: range {} to {} by {}", label_, first, last, step),
                          place_);
    if ((last - first) / step > static_cast<GlobalId>(4 * ids_.size())) {
      for (std::size_t i = 0; i < ids_.size(); ++i)
        if (ids_[i] >= first && ids_[i] <= last && (ids_[i] - first) % step == 0)
          found_.push_back(static_cast<LocalId>(i));
      return;
    }
    for (GlobalId id = first; id <= last; id += step)
      if (const LocalId index = table_.find(id); index != kNone) found_.push_back(index);
  }

  void remove_range(GlobalId first, GlobalId last) {
    for (std::size_t i = 0; i < ids_.size(); ++i)
      if (ids_[i] >= first && ids_[i] <= last) taken_away_.push_back(static_cast<LocalId>(i));
  }

 private:
  void report_missing() {
    if (missing_.empty()) return;
    std::string list;
    for (std::size_t i = 0; i < missing_.size() && i < 5; ++i) list += fmt::format(" {}", missing_[i]);
    build_.error(error_id_,
                 fmt::format("{}: {} of its members do not exist, {}{}{}", label_, missing_.size(), what_,
                             list, missing_.size() > 5 ? " ..." : ""),
                 missing_place_);
    missing_.clear();
  }

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
  /// Sorted by number, each once.
  std::vector<LocalId> take() {
    report_missing();
    sort(found_);
    if (!taken_away_.empty()) {
      sort(taken_away_);
      std::vector<LocalId> kept;
      std::set_difference(found_.begin(), found_.end(), taken_away_.begin(), taken_away_.end(),
                          std::back_inserter(kept), less());
      found_ = std::move(kept);
    }
    return std::move(found_);
  }

 private:
  Builder& build_;
  const IdTable& table_;
  const std::vector<GlobalId>& ids_;
  const char *what_, *error_id_;
  std::string label_;
  Place place_;
  std::vector<LocalId> found_, taken_away_;
  std::vector<GlobalId> missing_;
  Place missing_place_;
};

/// Reads the sets of one kind. `Set` has `id` and the list at `list`.
template <class Set>
class SetReader {
 public:
  SetReader(Builder& build, std::vector<Set>& sets, IdTable& table, std::vector<LocalId> Set::*list,
            Members members, std::string family, const char* what)
      : build_(build),
        sets_(sets),
        table_(table),
        list_(list),
        members_(std::move(members)),
        family_(std::move(family)),
        what_(what) {}

  void read() {
    // Sets that may name others come after them, wherever they stand in the deck.
    for (const int pass : {0, 1, 2})
      for (const Keyword& k : build_.deck.family(family_)) {
        const bool combined = k.name() == family_ + "ADD" || k.name() == family_ + "INTERSECT";
        if (pass != (combined ? 2 : k.name() == family_ + "GENERAL" ? 1 : 0)) continue;
        for (const Record& r : k.records()) one(k, r);
      }
  }

 private:
  void one(const Keyword& k, const Record& r) {
    const GlobalId id = r.integer("SID");
    label_ = fmt::format("{} {}", Builder::star(k), id);
    members_.begin(label_, r.place());
    const std::string option = k.name().substr(family_.size());
    for (std::size_t row = 0; row < r.rows(); ++row) {
      if (option == "LIST")
        for (std::size_t c = 0; c < 8; ++c) members_.add(r.integer(row, c), r.row_place(row));
      else if (option == "COLUMN")
        members_.add(r.integer(row, 0), r.row_place(row));
      else if (option == "LIST_GENERATE")
        for (std::size_t c = 0; c < 8; c += 2) members_.add_range(r.integer(row, c), r.integer(row, c + 1));
      else if (option == "LIST_GENERATE_INCREMENT")
        members_.add_range(r.integer(row, 0), r.integer(row, 1), or_default(r.integer(row, 2), 1));
      else if (option == "ADD" || option == "INTERSECT")
        for (std::size_t c = 0; c < 8; ++c)
          other_set(r.integer(row, c), r.row_place(row), option == "INTERSECT");
      else if (option == "GENERAL")
        general(r, row);
    }
    store(id, k.suffix("COLLECT"), r.place());
  }

  void store(GlobalId id, bool collect, const Place& place) {
    std::vector<LocalId> list = members_.take();
    if (intersecting_) {
      std::vector<LocalId> both = std::move(*intersecting_);
      intersecting_.reset();
      for (const LocalId i : both) members_.add_index(i);
      list = members_.take();
    }
    const LocalId at = table_.find(id);
    if (at == kNone) {
      table_.insert(id, static_cast<LocalId>(sets_.size()));
      Set set;
      set.id = id;
      set.*list_ = std::move(list);
      sets_.push_back(std::move(set));
    } else if (collect) {
      for (const LocalId i : sets_[static_cast<std::size_t>(at)].*list_) members_.add_index(i);
      for (const LocalId i : list) members_.add_index(i);
      sets_[static_cast<std::size_t>(at)].*list_ = members_.take();
    } else {
      build_.error("CR-D301", fmt::format("{}: {} {} is defined twice", label_, what_, id), place);
    }
  }

  void other_set(GlobalId id, const Place& place, bool intersect) {
    if (id == 0) return;
    const LocalId at = build_.find(table_, id, "CR-D305", what_, label_, place);
    if (at == kNone) return;
    const std::vector<LocalId>& list = sets_[static_cast<std::size_t>(at)].*list_;
    if (!intersect) {
      for (const LocalId i : list) members_.add_index(i);
      return;
    }
    if (!intersecting_) {
      intersecting_ = list;
      return;
    }
    std::vector<LocalId> common;
    for (const LocalId i : *intersecting_)
      if (std::find(list.begin(), list.end(), i) != list.end()) common.push_back(i);
    intersecting_ = std::move(common);
  }

  void general(const Record& r, std::size_t row) {
    std::string option = r.text(row, 0);
    std::transform(option.begin(), option.end(), option.begin(),
                   [](unsigned char c) { return std::toupper(c); });
    const auto each = [&](auto&& act) {
      for (std::size_t c = 1; c < 8; ++c)
        if (const GlobalId e = r.integer(row, c); e != 0) act(e);
    };
    const Place place = r.row_place(row);
    if (option == "ALL") return all();
    const bool remove = option.size() > 1 && option[0] == 'D';
    const std::string what = remove ? option.substr(1) : option;
    if (what == "NODE" || what == "ELEM") {
      each([&](GlobalId e) { remove ? members_.remove(e) : members_.add(e, place); });
    } else if (what == "GNODE" || what == "GELEM") {
      for (std::size_t c = 1; c < 7; c += 2) {
        const GlobalId a = r.integer(row, c), b = r.integer(row, c + 1);
        remove ? members_.remove_range(a, b) : members_.add_range(a, b);
      }
    } else if (what == "PART") {
      each([&](GlobalId e) {
        const LocalId part = build_.find_part(e, label_, place);
        if (part != kNone) take(in_part(part), remove);
      });
    } else if (what == "SET_PART" || what == "SET_PA") {
      each([&](GlobalId e) {
        if (const PartSet* const set = build_.find_part_set(e, label_, place))
          for (const LocalId part : set->parts) take(in_part(part), remove);
      });
    } else if (what == "BOX") {
      each([&](GlobalId e) {
        if (const Box* const box = build_.find_box(e, label_, place)) take(in_box(*box), remove);
      });
    } else if (what == "SET_NODE" && family_ == "SET_NODE_") {
      each([&](GlobalId e) { other_set(e, place, false); });
    } else {
      build_.unsupported(fmt::format("{}: option {} is not there", label_, option), place);
    }
  }

  void take(const std::vector<LocalId>& list, bool remove) {
    for (const LocalId i : list) remove ? members_.remove_index(i) : members_.add_index(i);
  }

  void all();
  std::vector<LocalId> in_part(LocalId part);
  std::vector<LocalId> in_box(const Box& box);

  Builder& build_;
  std::vector<Set>& sets_;
  IdTable& table_;
  std::vector<LocalId> Set::*list_;
  Members members_;
  std::string family_, label_;
  const char* what_;
  std::optional<std::vector<LocalId>> intersecting_;
};

template <>
void SetReader<NodeSet>::all() {
  for (std::size_t n = 0; n < build_.model.nodes.size(); ++n) members_.add_index(static_cast<LocalId>(n));
}
template <>
std::vector<LocalId> SetReader<NodeSet>::in_part(LocalId part) {
  return build_.nodes_of_part(part);
}
template <>
std::vector<LocalId> SetReader<NodeSet>::in_box(const Box& box) {
  std::vector<LocalId> out;
  for (std::size_t n = 0; n < build_.model.nodes.size(); ++n)
    if (box.contains(build_.model.nodes.x[n])) out.push_back(static_cast<LocalId>(n));
  return out;
}

template <>
void SetReader<ShellSet>::all() {
  for (std::size_t e = 0; e < build_.model.shells.size(); ++e) members_.add_index(static_cast<LocalId>(e));
}
template <>
std::vector<LocalId> SetReader<ShellSet>::in_part(LocalId part) {
  std::vector<LocalId> out;
  for (std::size_t e = 0; e < build_.model.shells.size(); ++e)
    if (build_.model.shells.part[e] == part) out.push_back(static_cast<LocalId>(e));
  return out;
}
template <>
std::vector<LocalId> SetReader<ShellSet>::in_box(const Box& box) {
  // An element is inside when all its nodes are.
  std::vector<LocalId> out;
  const auto& x = build_.model.nodes.x;
  for (std::size_t e = 0; e < build_.model.shells.size(); ++e) {
    const auto& n = build_.model.shells.nodes[e];
    if (std::all_of(n.begin(), n.end(),
                    [&](LocalId a) { return box.contains(x[static_cast<std::size_t>(a)]); }))
      out.push_back(static_cast<LocalId>(e));
  }
  return out;
}

template <>
void SetReader<PartSet>::all() {}
template <>
std::vector<LocalId> SetReader<PartSet>::in_part(LocalId) {
  return {};
}
template <>
std::vector<LocalId> SetReader<PartSet>::in_box(const Box&) {
  return {};
}

void read_segments(Builder& build) {
  for (const Keyword& k : build.deck.all("SET_SEGMENT"))
    for (const Record& r : k.records()) {
      SegmentSet set;
      set.id = r.integer("SID");
      const std::string label = fmt::format("*SET_SEGMENT {}", set.id);
      for (std::size_t row = 0; row < r.rows(); ++row) {
        std::array<LocalId, 4> segment{};
        bool whole = true;
        for (std::size_t a = 0; a < 4; ++a) {
          const GlobalId id = r.integer(row, a) == 0 && a == 3 ? r.integer(row, 2) : r.integer(row, a);
          whole &= (segment[a] = build.find_node(id, label, r.row_place(row))) != kNone;
        }
        if (whole) set.segments.push_back(segment);
      }
      auto& sets = build.model.sets.segments;
      if (build.segment_sets.insert(set.id, static_cast<LocalId>(sets.size())))
        sets.push_back(std::move(set));
      else if (k.suffix("COLLECT"))
        for (const auto& s : set.segments)
          sets[static_cast<std::size_t>(build.segment_sets.find(set.id))].segments.push_back(s);
      else
        build.error("CR-D301", fmt::format("{} is defined twice", label), r.place());
    }
}

}  // namespace

void Builder::read_sets() {
  std::vector<GlobalId> part_ids;
  for (const Part& p : model.parts) part_ids.push_back(p.id);
  Sets& sets = model.sets;
  SetReader<PartSet>(*this, sets.parts, part_sets, &PartSet::parts,
                     Members(*this, parts, part_ids, "part", "CR-D302"), "SET_PART_", "part set")
      .read();
  SetReader<NodeSet>(*this, sets.nodes, node_sets, &NodeSet::nodes,
                     Members(*this, nodes, model.nodes.id, "node", "CR-D303"), "SET_NODE_", "node set")
      .read();
  SetReader<ShellSet>(*this, sets.shells, shell_sets, &ShellSet::shells,
                      Members(*this, shells, model.shells.id, "shell", "CR-D302"), "SET_SHELL_", "shell set")
      .read();
  read_segments(*this);
}

}  // namespace crumple::model
