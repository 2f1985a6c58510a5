// *SET: nodes, parts and elements by lists, ranges, boxes, parts and other sets.
#include <array>
#include <functional>
#include <map>

#include "model/set_members.hpp"

namespace crumple::model {
namespace {

/// Functions for the options of _GENERAL, over all possible members of a set.
struct Candidates {
  std::size_t count = 0;  ///< 0 for kinds of sets without options
  std::function<std::vector<LocalId>(LocalId part)> in_part;
  std::function<bool(LocalId, const Box&)> inside;
};

/// The kind of sets that a reader makes.
template <class Set>
struct SetKind {
  std::vector<Set>& sets;
  IdTable& table;
  std::vector<LocalId> Set::*list;
  const char* family;  ///< SET_NODE_
  const char* what;    ///< node set
  Candidates candidates;
};

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

/// Reads the sets of one kind. `Set` has `id` and the list at `list`.
template <class Set>
class SetReader {
 public:
  SetReader(Builder& build, SetKind<Set> kind, Members members)
      : build_(build), kind_(std::move(kind)), members_(std::move(members)), family_(kind_.family) {}

  /// Reads sets that refer to other sets after those, independent of the order in the deck.
  void read() {
    std::vector<Input> waiting;
    for (const Keyword& k : build_.deck.family(family_))
      for (const Record& r : k.records()) {
        const std::string option = k.name().substr(family_.size());
        if (option == "ADD" || option == "INTERSECT" || option == "GENERAL" || option == "ADD_ADVANCED")
          waiting.push_back({k, r, option, named_sets(r, option)});
        else
          one(k, r, option);
      }
    std::map<GlobalId, int> to_come;
    for (const Input& input : waiting) ++to_come[input.id()];
    const auto ready = [&](const Input& input) {
      return std::none_of(input.named.begin(), input.named.end(), [&](GlobalId id) {
        return id != input.id() && to_come.contains(id) && to_come.at(id) > 0;
      });
    };
    while (!waiting.empty()) {
      std::vector<Input> later;
      for (std::size_t i = 0; i < waiting.size(); ++i) {
        const bool stuck = i + 1 == waiting.size() && later.size() == i;  // circular: its set is reported
        if (stuck || ready(waiting[i])) {
          one(waiting[i].keyword, waiting[i].record, waiting[i].option);
          --to_come[waiting[i].id()];
        } else {
          later.push_back(waiting[i]);
        }
      }
      waiting = std::move(later);
    }
  }

 private:
  struct Input {
    Keyword keyword;
    Record record;
    std::string option;
    std::vector<GlobalId> named;  ///< sets of the same kind
    GlobalId id() const { return record.integer("SID"); }
  };

  bool names_own_kind(const std::string& option) const { return option == "SET" || family_ == option + "_"; }

  /// The option of _GENERAL for a type of _ADD_ADVANCED; empty for an unknown one.
  static std::string set_type(const Record& r, std::size_t row, std::size_t column) {
    constexpr std::array kTypes{"SET_NODE",    "SET_SHELL",    "SET_BEAM",  "SET_SOLID",
                                "SET_SEGMENT", "SET_DISCRETE", "SET_TSHELL"};
    const GlobalId type = or_default(r.integer(row, column + 1), 1);
    return type >= 1 && type <= std::ssize(kTypes) ? kTypes[static_cast<std::size_t>(type - 1)] : "";
  }

  std::vector<GlobalId> named_sets(const Record& r, const std::string& option) const {
    std::vector<GlobalId> named;
    for (std::size_t row = 0; row < r.rows(); ++row) {
      const bool general = option == "GENERAL";
      if (option == "ADD_ADVANCED") {
        for (std::size_t c = 0; c < 8; c += 2)
          if (set_type(r, row, c) == "SET_NODE") named.push_back(r.integer(row, c));
        continue;
      }
      if (general && !names_own_kind(upper(r.text(row, 0)))) continue;
      for (std::size_t c = general ? 1 : 0; c < 8; ++c) named.push_back(std::abs(r.integer(row, c)));
    }
    return named;
  }

  void one(const Keyword& k, const Record& r, const std::string& option) {
    const GlobalId id = r.integer("SID");
    label_ = fmt::format("{} {}", Builder::star(k), id);
    members_.begin(label_, r.place());
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
        combine(r, row, option == "INTERSECT");
      else if (option == "GENERAL")
        general(r, row);
      else if (option == "ADD_ADVANCED")
        sets_of_kinds(r, row);
    }
    if constexpr (requires(Set set) { set.attributes; })
      attributes_ = {r.real("DA1"), r.real("DA2"), r.real("DA3"), r.real("DA4")};
    store(id, k.suffix("COLLECT"), r.place());
  }

  void sets_of_kinds(const Record& r, std::size_t row) {
    for (std::size_t c = 0; c < 8; c += 2) {
      const GlobalId id = r.integer(row, c);
      if (id == 0) continue;
      std::vector<LocalId> chosen;
      if (!choose(set_type(r, row, c), id, false, r.row_place(row), chosen))
        return build_.unsupported(
            fmt::format("{}: TYPE = {} of set {}; types 1 to 6 are read", label_, r.integer(row, c + 1), id),
            r.row_place(row));
      for (const LocalId i : chosen) members_.add_index(i);
    }
  }

  /// Combines sets by numbers; a negative number ends a range that starts at the number before it.
  void combine(const Record& r, std::size_t row, bool intersect) {
    GlobalId before = 0;
    for (std::size_t c = 0; c < 8; ++c) {
      const GlobalId id = r.integer(row, c);
      if (id < 0 && before > 0) {
        for (const Set& set : kind_.sets)
          if (set.id > before && set.id <= -id) use(set.*kind_.list, intersect);
      } else {
        other_set(id, r.row_place(row), intersect);
      }
      before = id;
    }
  }

  void store(GlobalId id, bool collect, const Place& place) {
    std::vector<LocalId> list = members_.take();
    if (intersecting_) {
      std::vector<LocalId> both = std::move(*intersecting_);
      intersecting_.reset();
      for (const LocalId i : both) members_.add_index(i);
      list = members_.take();
    }
    const LocalId at = kind_.table.find(id);
    if (at == kNone) {
      kind_.table.insert(id, static_cast<LocalId>(kind_.sets.size()));
      Set set;
      set.id = id;
      if constexpr (requires { set.attributes; }) set.attributes = attributes_;
      set.*kind_.list = std::move(list);
      kind_.sets.push_back(std::move(set));
    } else if (collect) {
      for (const LocalId i : kind_.sets[static_cast<std::size_t>(at)].*kind_.list) members_.add_index(i);
      for (const LocalId i : list) members_.add_index(i);
      kind_.sets[static_cast<std::size_t>(at)].*kind_.list = members_.take();
    } else {
      build_.error("CR-D301", fmt::format("{}: {} {} is defined twice", label_, kind_.what, id), place);
    }
  }

  void other_set(GlobalId id, const Place& place, bool intersect) {
    if (id == 0) return;
    const LocalId at = build_.find(kind_.table, id, "CR-D305", kind_.what, label_, place);
    if (at != kNone) use(kind_.sets[static_cast<std::size_t>(at)].*kind_.list, intersect);
  }

  void use(const std::vector<LocalId>& list, bool intersect) {
    if (!intersect) {
      for (const LocalId i : list) members_.add_index(i);
      return;
    }
    if (!intersecting_) {
      intersecting_ = list;
      return;
    }
    const std::set<LocalId> other(list.begin(), list.end());
    std::erase_if(*intersecting_, [&](LocalId i) { return !other.contains(i); });
  }

  void general(const Record& r, std::size_t row) {
    const std::string option = upper(r.text(row, 0));
    const Place place = r.row_place(row);
    if (option == "ALL") {
      for (std::size_t i = 0; i < kind_.candidates.count; ++i) members_.add_index(static_cast<LocalId>(i));
      return;
    }
    if (!row_names_any(r, row))
      return build_.warn("CR-D330", fmt::format("{}: option {} has no entities", label_, option), place);
    const bool remove = option.size() > 1 && option[0] == 'D';
    const std::string what = remove ? option.substr(1) : option;
    if (what == "GNODE" || what == "GELEM") {
      for (std::size_t c = 1; c < 7; c += 2) {
        const GlobalId a = r.integer(row, c), b = r.integer(row, c + 1);
        remove ? members_.remove_range(a, b) : members_.add_range(a, b);
      }
      return;
    }
    std::vector<LocalId> chosen;
    for (std::size_t c = 1; c < 8; ++c)
      if (const GlobalId e = r.integer(row, c); e != 0 && !choose(what, e, remove, place, chosen))
        return build_.unsupported(fmt::format("{}: option {} is not supported", label_, option), place);
    if (remove)
      members_.remove(std::move(chosen));
    else
      for (const LocalId i : chosen) members_.add_index(i);
  }

  /// Adds or removes entity `e` of an option; false if the option does not exist.
  bool choose(const std::string& what, GlobalId e, bool remove, const Place& place,
              std::vector<LocalId>& chosen) {
    const auto append = [&](const std::vector<LocalId>& more) {
      chosen.insert(chosen.end(), more.begin(), more.end());
    };
    if (what == "NODE" || what == "ELEM") {
      if (!remove)
        members_.add(e, place);
      else if (const LocalId i = members_.find(e); i != kNone)
        chosen.push_back(i);
    } else if (what == "PART") {
      if (const LocalId part = build_.find_part(e, label_, place); part != kNone)
        append(kind_.candidates.in_part(part));
    } else if (what == "SET_PART" || what == "SET_PA") {
      if (const PartSet* const set = build_.find_part_set(e, label_, place))
        for (const LocalId part : set->parts) append(kind_.candidates.in_part(part));
    } else if (what == "BOX") {
      if (const Box* const box = build_.find_box(e, label_, place))
        for (std::size_t i = 0; i < kind_.candidates.count; ++i)
          if (kind_.candidates.inside(static_cast<LocalId>(i), *box))
            chosen.push_back(static_cast<LocalId>(i));
    } else if (names_own_kind(what)) {
      const LocalId at = build_.find(kind_.table, e, "CR-D305", kind_.what, label_, place);
      if (at != kNone) append(kind_.sets[static_cast<std::size_t>(at)].*kind_.list);
    } else if (family_ == "SET_NODE_") {
      return nodes_of_set(what, e, place, chosen);
    } else {
      return false;
    }
    return true;
  }

  /// Nodes of a set of elements or segments.
  bool nodes_of_set(const std::string& what, GlobalId e, const Place& place, std::vector<LocalId>& chosen) {
    const auto nodes_of = [&](const IdTable& table, const char* name, auto&& visit) {
      if (const LocalId at = build_.find(table, e, "CR-D305", name, label_, place); at != kNone)
        visit(static_cast<std::size_t>(at));
    };
    const auto append = [&](const auto& nodes) {
      for (const LocalId n : nodes)
        if (n != kNone) chosen.push_back(n);
    };
    const Model& m = build_.model;
    const auto elements = [&](const IdTable& table, const char* name, const auto& sets, const auto& of_kind) {
      nodes_of(table, name, [&](std::size_t at) {
        for (const LocalId i : sets[at].elements) append(of_kind.nodes[static_cast<std::size_t>(i)]);
      });
    };
    if (what == "SET_SHELL")
      nodes_of(build_.shell_sets, "shell set", [&](std::size_t at) {
        for (const LocalId i : m.sets.shells[at].shells) append(m.shells.nodes[static_cast<std::size_t>(i)]);
      });
    else if (what == "SET_SOLID")
      elements(build_.solid_sets, "solid set", m.sets.solids, m.solids);
    else if (what == "SET_BEAM")
      elements(build_.beam_sets, "beam set", m.sets.beams, m.beams);
    else if (what == "SET_DISCRETE")
      elements(build_.discrete_sets, "spring set", m.sets.discretes, m.discretes);
    else if (what == "SET_SEGMENT")
      nodes_of(build_.segment_sets, "segment set", [&](std::size_t at) {
        for (const auto& segment : m.sets.segments[at].segments) append(segment);
      });
    else
      return false;
    return true;
  }

  Builder& build_;
  SetKind<Set> kind_;
  Members members_;
  std::string family_, label_;
  std::optional<std::vector<LocalId>> intersecting_;
  std::array<double, 4> attributes_{};
};

Candidates all_nodes(Builder& build) {
  return {build.model.nodes.size(), [&build](LocalId part) { return build.nodes_of_part(part); },
          [&build](LocalId n, const Box& box) {
            return box.contains(build.model.nodes.x[static_cast<std::size_t>(n)]);
          }};
}

/// An element is in a box if all its nodes are.
template <class Elements>
Candidates all_elements(const Builder& build, const Elements& elements) {
  return {elements.size(),
          [&elements](LocalId part) {
            std::vector<LocalId> out;
            for (std::size_t e = 0; e < elements.size(); ++e)
              if (elements.part[e] == part) out.push_back(static_cast<LocalId>(e));
            return out;
          },
          [&build, &elements](LocalId e, const Box& box) {
            const auto& nodes = elements.nodes[static_cast<std::size_t>(e)];
            return std::all_of(nodes.begin(), nodes.end(), [&](LocalId n) {
              return n == kNone || box.contains(build.model.nodes.x[static_cast<std::size_t>(n)]);
            });
          }};
}

}  // namespace

void Builder::read_sets() {
  std::vector<GlobalId> part_ids;
  for (const Part& p : model.parts) part_ids.push_back(p.id);
  Sets& sets = model.sets;
  SetReader<PartSet>(*this,
                     {sets.parts,
                      part_sets,
                      &PartSet::parts,
                      "SET_PART_",
                      "part set",
                      {0, [](LocalId part) { return std::vector{part}; }, {}}},
                     Members(*this, parts, part_ids, "part", "CR-D302"))
      .read();
  SetReader<ShellSet>(*this,
                      {sets.shells, shell_sets, &ShellSet::shells, "SET_SHELL_", "shell set",
                       all_elements(*this, model.shells)},
                      Members(*this, shells, model.shells.id, "shell", "CR-D302"))
      .read();
  const auto element_sets = [&](std::vector<ElementSet>& of_kind, IdTable& table, const char* family,
                                const char* what, const auto& elements, const IdTable& ids,
                                const char* element) {
    SetReader<ElementSet>(
        *this, {of_kind, table, &ElementSet::elements, family, what, all_elements(*this, elements)},
        Members(*this, ids, elements.id, element, "CR-D302"))
        .read();
  };
  element_sets(sets.solids, solid_sets, "SET_SOLID_", "solid set", model.solids, solids, "solid");
  element_sets(sets.beams, beam_sets, "SET_BEAM_", "beam set", model.beams, beams, "beam");
  element_sets(sets.discretes, discrete_sets, "SET_DISCRETE_", "spring set", model.discretes, discretes,
               "spring");
  read_segment_sets();
  SetReader<NodeSet>(*this,
                     {sets.nodes, node_sets, &NodeSet::nodes, "SET_NODE_", "node set", all_nodes(*this)},
                     Members(*this, nodes, model.nodes.id, "node", "CR-D303"))
      .read();
}

}  // namespace crumple::model
