// *LOAD_BLAST_ENHANCED, *LOAD_BLAST_SEGMENT and *LOAD_BLAST_SEGMENT_SET.
#include <array>
#include <map>
#include <vector>

#include "loads/blast/blast_load.hpp"
#include "loads/blast/blast_loads.hpp"
#include "loads/blast/kingery_bulmash.hpp"
#include "model/builder.hpp"

namespace crumple::loads {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::or_default;
using model::Record;

namespace {

constexpr double kPound = 0.45359237, kFoot = 0.3048, kPsi = 6.894757293168;  ///< in kg, m, kPa

/// What one unit of a deck is: mass in kg, length in m, time in ms, pressure in kPa.
struct DeckUnits {
  double kilograms, metres, milliseconds, kilopascals;
};

/// Of UNIT 1 to 8 without 5.
constexpr std::array<DeckUnits, 9> kUnits{{{},
                                           {kPound, kFoot, 1e3, kPsi},
                                           {1, 1, 1e3, 1e-3},
                                           {12 * 14.59390294, kFoot / 12, 1e3, kPsi},
                                           {1e-3, 1e-2, 1e-3, 1e8},
                                           {},
                                           {1, 1e-3, 1, 1e6},
                                           {1e3, 1e-3, 1e3, 1e3},
                                           {1e-3, 1e-3, 1, 1e3}}};

class BlastReader {
 public:
  explicit BlastReader(Builder& build) : build_(build), loads_(build.model.features.of<BlastLoad>()) {}

  void charges() {
    for (const Keyword& k : build_.deck.all("LOAD_BLAST_ENHANCED"))
      for (const Record& r : k.records()) {
        const GlobalId id = r.integer("BID");
        if (!charges_.emplace(id, charge(k, r)).second)
          build_.error("CR-D301", fmt::format("{} {} is defined twice", Builder::star(k), id),
                       r.place("BID"));
      }
  }

  void segments() {
    for (const Keyword& k : build_.deck.all("LOAD_BLAST_SEGMENT"))
      for (const Record& r : k.records()) {
        std::array<LocalId, 4> nodes{};
        bool whole = true;
        for (std::size_t a = 0; a < 4; ++a) {
          const std::string field = fmt::format("N{}", a + 1);
          const GlobalId id = a == 3 && r.integer(field) == 0 ? r.integer("N3") : r.integer(field);
          whole &= (nodes[a] = build_.find_node(id, Builder::star(k), r.place(field))) != kNone;
        }
        if (whole) add(k, r, {nodes});
      }
    for (const Keyword& k : build_.deck.all("LOAD_BLAST_SEGMENT_SET"))
      for (const Record& r : k.records()) {
        const LocalId at = build_.find(build_.segment_sets, r.integer("SSID"), "CR-D305", "segment set",
                                       Builder::star(k), r.place("SSID"));
        if (at != kNone) add(k, r, build_.model.sets.segments[static_cast<std::size_t>(at)].segments);
      }
  }

 private:
  DeckUnits units(const Keyword& k, const Record& r) const {
    const auto unit = static_cast<std::size_t>(r.integer("UNIT"));
    if (unit != 5) return kUnits.at(unit >= 1 && unit <= 8 ? unit : 2);
    for (const char* const field : {"CFM", "CFL", "CFT", "CFP"})
      if (!(r.real(field) > 0.0))
        build_.error("CR-D310", fmt::format("{}: UNIT = 5 needs {}", Builder::star(k), field),
                     r.place(field));
    return {kPound * r.real("CFM"), kFoot * r.real("CFL"), r.real("CFT"), kPsi * r.real("CFP")};
  }

  BlastLoad charge(const Keyword& k, const Record& r) const {
    BlastLoad load;
    const DeckUnits of = units(k, r);
    load.mass = of.kilograms * r.real("M");
    load.metres = of.metres, load.milliseconds = of.milliseconds, load.kilopascals = of.kilopascals;
    if (!(load.mass > 0.0))
      build_.error("CR-D310", fmt::format("{}: M = {} is no mass", Builder::star(k), r.real("M")),
                   r.place("M"));
    load.charge = {r.real("XBO"), r.real("YBO"), r.real("ZBO")};
    if (const GlobalId node = r.integer("NIDBO"); node != 0)
      if (const LocalId n = build_.find_node(node, Builder::star(k), r.place("NIDBO")); n != kNone)
        load.charge = build_.model.nodes.x[static_cast<std::size_t>(n)];
    load.detonation = r.real("TBO");
    load.death = or_default(r.real("DEATH"), model::kNever);
    load.surface = r.integer("BLAST") == 1;
    load.negative = r.integer("NEGPHS") == 0;
    return load;
  }

  void add(const Keyword& k, const Record& r, const std::vector<std::array<LocalId, 4>>& segments) {
    const auto found = charges_.find(r.integer("BID"));
    if (found == charges_.end())
      return build_.error(
          "CR-D305",
          fmt::format("{}: *LOAD_BLAST_ENHANCED {} does not exist", Builder::star(k), r.integer("BID")),
          r.place("BID"));
    BlastLoad load = found->second;
    load.scale = or_default(r.real("SCALEP"), 1.0);
    const ScaledRange range = scaled_range(load.surface);
    for (const auto& nodes : segments) {
      load.nodes = nodes;
      const double z = load.mass > 0.0 ? scaled_distance(load, build_.model.nodes.x) : range.least;
      if (!(z >= range.least && z <= range.most))
        return build_.error(
            "CR-D310",
            fmt::format("{}: a segment at node {} has the scaled distance {:.3g} m/kg^(1/3); "
                        "Kingery and Bulmash give {} to {}",
                        Builder::star(k), build_.model.nodes.id[static_cast<std::size_t>(nodes[0])], z,
                        range.least, range.most),
            r.place("BID"));
      loads_.push_back(load);
    }
  }

  Builder& build_;
  std::vector<BlastLoad>& loads_;
  std::map<GlobalId, BlastLoad> charges_;
};

}  // namespace

void read_blast_loads(Builder& build) {
  BlastReader reader(build);
  reader.charges();
  reader.segments();
}

}  // namespace crumple::loads
