// Each card becomes the corresponding words of a pfile.
#include "decomposition/deck_cards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "deck/numbers.hpp"

namespace crumple::decomposition {

namespace {

using deck::Keyword;
using deck::Record;

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

class CardReader {
 public:
  explicit CardReader(const deck::Deck& deck) : deck_(deck) {}

  Directions read() {
    out_.show = !deck_.all(kFamily + "SHOW").empty();
    each("TRANSFORMATION", [this](const Record& r) {
      for (std::size_t row = 0; row < r.rows(); ++row) row += transformation(r, row) ? 1 : 0;
    });
    each("CONTACT_DISTRIBUTE", [this](const Record& r) {
      Region region;
      region.contacts = ids(r);
      keep(std::move(region), r.place());
    });
    each("CONTACT_ISOLATE", [this](const Record& r) {
      for (const GlobalId id : ids(r)) {
        Region region;
        region.contacts = {id};
        region.ranks = 1;
        keep(std::move(region), r.place());
      }
    });
    each("PARTS_DISTRIBUTE", [this](const Record& r) {
      Region region;
      for (const GlobalId id : ids(r)) (id > 0 ? region.parts : region.part_sets).push_back(std::abs(id));
      keep(std::move(region), r.place());
    });
    each("PARTSET_DISTRIBUTE", [this](const Record& r) {
      for (const GlobalId id : ids(r)) {
        Region region;
        region.part_sets = {id};
        keep(std::move(region), r.place());
      }
    });
    each("ARRANGE_PARTS", [this](const Record& r) { arrange(r); });
    each("NUMPROC", [this](const Record& r) { out_.ranks = static_cast<int>(r.integer("N")); });
    each("METHOD", [this](const Record& r) { method(r); });
    pfile();
    return std::move(out_);
  }

 private:
  inline static const std::string kFamily = "CONTROL_MPP_DECOMPOSITION_";

  template <class Read>
  void each(const char* name, Read&& read) {
    for (const Keyword& k : deck_.all(kFamily + name))
      for (const Record& r : k.records()) read(r);
  }

  void warn(const char* id, std::string text, Place place) const {
    deck_.report(deck::Severity::warning, id, std::move(text), std::move(place));
  }

  static std::vector<GlobalId> ids(const Record& r) {
    std::vector<GlobalId> list;
    for (std::size_t row = 0; row < r.rows(); ++row)
      for (std::size_t c = 0; c < 8; ++c)
        if (const GlobalId id = r.integer(row, c); id != 0) list.push_back(id);
    return list;
  }

  void keep(Region region, Place place) {
    region.place = std::move(place);
    if (region.selects()) out_.regions.push_back(std::move(region));
  }

  /// @returns whether it used the next row, too: V7 to V9, with the first in the place of TYPE
  bool transformation(const Record& r, std::size_t row) {
    const std::string type = upper(r.text(row, 0));
    const bool two_rows = type == "VEC3" || type == "C2R" || type == "S2R" || type == "MAT";
    std::array<double, 9> v{};
    for (std::size_t k = 0; k < 6; ++k) v[k] = r.real(row, k + 1);
    if (two_rows && row + 1 < r.rows()) {
      const std::string first = r.text(row + 1, 0);
      if (!first.empty() && !deck::parse_real(first, v[6]))
        warn("CR-D330", fmt::format("{} is not a number V7 of *{}TRANSFORMATION", first, kFamily),
             r.row_place(row + 1));
      for (std::size_t k : {1, 2}) v[6 + k] = r.real(row + 1, k);
    }
    using Kind = Transformation::Kind;
    auto& list = out_.transformations;
    if (type == "VEC3")
      list.push_back(Transformation::to_vectors(v));
    else if (type == "C2R" || type == "S2R")
      list.push_back({type == "C2R" ? Kind::cylindrical : Kind::spherical, v});
    else if (type == "MAT")
      list.push_back({Kind::matrix, v});
    else if (type.size() == 2 && type[1] >= 'X' && type[1] <= 'Z' && (type[0] == 'R' || type[0] == 'S'))
      list.push_back(type[0] == 'S' ? Transformation::scale(type[1] - 'X', v[0])
                                    : Transformation::rotation(type[1] - 'X', v[0]));
    else
      warn("CR-D330",
           fmt::format("TYPE = {} of *{}TRANSFORMATION has no effect in this program", type, kFamily),
           r.row_place(row));
    return two_rows;
  }

  void arrange(const Record& r) {
    const GlobalId type = r.integer("TYPE"), id = r.integer("ID");
    Region region;
    (type % 10 == 0 ? region.parts : region.part_sets).push_back(id);
    region.ranks = type >= 10 ? 1 : static_cast<int>(std::max<GlobalId>(0, r.integer("NPROC")));
    keep(std::move(region), r.place());
  }

  void method(const Record& r) {
    const std::string name = upper(r.text("NAME"));
    if (name == "RCB")
      out_.method = Method::rcb;
    else if (name == "METIS")
      out_.method = Method::metis;
    else
      warn("CR-D330",
           fmt::format("NAME = {} of *{}METHOD is not supported: only RCB and METIS are", name, kFamily),
           r.place("NAME"));
  }

  /// Line numbers of the pfile are kept.
  void pfile() {
    for (const Keyword& k : deck_.all("CONTROL_MPP_PFILE"))
      for (const Record& r : k.records()) {
        if (r.rows() == 0) continue;
        const Place first = r.row_place(0);
        std::string text(static_cast<std::size_t>(std::max<std::int64_t>(first.line - 1, 0)), '\n');
        for (std::size_t row = 0; row < r.rows(); ++row) text += r.text(row, 0) + "\n";
        const Directions words = parse_pfile(text, first.file);
        for (const std::string& word : words.ignored)
          warn("CR-P022", fmt::format("{} of the pfile has no effect in this program", word), first);
        out_ = combine(std::move(out_), words);
      }
  }

  const deck::Deck& deck_;
  Directions out_;
};

}  // namespace

Directions read_cards(const deck::Deck& deck) { return CardReader(deck).read(); }

Directions combine(Directions first, const Directions& second) {
  if (first.transformations.empty()) first.transformations = second.transformations;
  first.regions.insert(first.regions.end(), second.regions.begin(), second.regions.end());
  if (!first.method) first.method = second.method;
  if (first.ranks == 0) first.ranks = second.ranks;
  first.show |= second.show;
  return first;
}

}  // namespace crumple::decomposition
