// Reads *DEFINE_FRICTION. Pairs of part sets are all pairs of a part of one with a part of the other.
#include "model/friction_tables.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace crumple::model {

namespace {

class FrictionReader {
 public:
  FrictionReader(const Builder& build, const Keyword& keyword, const Record& record)
      : build_(build), record_(record), label_(fmt::format("{} {}", Builder::star(keyword), id())) {}

  GlobalId id() const { return record_.integer("FRIC_ID"); }

  FrictionTable read() {
    FrictionTable table;
    table.given = true;
    table.otherwise =
        checked({record_.real("FS_D"), record_.real("FD_D"), record_.real("DC_D"), record_.real("VC_D")},
                record_.place());
    skips_missing_ = record_.integer("ICNEP") == 1;
    for (std::size_t row = 0; row < record_.rows(); ++row) add_row(row, table.pairs);
    // Of rows with the same pair the last counts.
    std::ranges::stable_sort(table.pairs, {}, key);
    std::vector<PairFriction> once;
    for (const PairFriction& pair : table.pairs)
      if (!once.empty() && key(once.back()) == key(pair))
        once.back() = pair;
      else
        once.push_back(pair);
    table.pairs = std::move(once);
    return table;
  }

 private:
  static std::pair<LocalId, LocalId> key(const PairFriction& pair) { return {pair.one, pair.other}; }

  Friction checked(Friction f, const Place& place) const {
    for (const auto& [name, value] : {std::pair{"FS", f.fs}, {"FD", f.fd}, {"DC", f.dc}, {"VC", f.vc}})
      if (value < 0.0)
        build_.error("CR-D310", fmt::format("{}: {} = {} is negative", label_, name, value), place);
    return f;
  }

  std::vector<LocalId> parts_in(std::size_t row, std::size_t column, std::size_t type_column) const {
    const GlobalId id = record_.integer(row, column);
    const Place place = record_.row_place(row);
    if (record_.text(row, type_column) == "PSET") {
      if (skips_missing_ && build_.model.sets.part_set(id) == nullptr) return {};
      const PartSet* const set = build_.find_part_set(id, label_, place);
      return set == nullptr ? std::vector<LocalId>{} : set->parts;
    }
    const bool there = std::ranges::any_of(build_.model.parts, [&](const Part& p) { return p.id == id; });
    if (skips_missing_ && !there) return {};
    const LocalId part = build_.find_part(id, label_, place);
    return part == kNone ? std::vector<LocalId>{} : std::vector<LocalId>{part};
  }

  void add_row(std::size_t row, std::vector<PairFriction>& pairs) const {
    const Friction friction =
        checked({record_.real(row, 2), record_.real(row, 3), record_.real(row, 4), record_.real(row, 5)},
                record_.row_place(row));
    for (const LocalId i : parts_in(row, 0, 6))
      for (const LocalId j : parts_in(row, 1, 7)) pairs.push_back({std::min(i, j), std::max(i, j), friction});
  }

  const Builder& build_;
  const Record& record_;
  std::string label_;
  bool skips_missing_ = false;
};

}  // namespace

std::map<GlobalId, FrictionTable> read_friction_tables(const Builder& build) {
  std::map<GlobalId, FrictionTable> tables;
  for (const Keyword& k : build.deck.all("DEFINE_FRICTION"))
    for (const Record& r : k.records()) {
      FrictionReader reader(build, k, r);
      if (!tables.emplace(reader.id(), reader.read()).second)
        build.error("CR-D301", fmt::format("{} {} is defined twice", Builder::star(k), reader.id()),
                    r.place());
    }
  return tables;
}

}  // namespace crumple::model
