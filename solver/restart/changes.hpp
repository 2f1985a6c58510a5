// What a small restart deck changes, as it says it: by user numbers, with the places of its lines.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/types.hpp"
#include "deck/deck.hpp"
#include "model/element_kind.hpp"

namespace crumple::restart {

/// A number of the deck.
struct Named {
  GlobalId id = 0;
  Place place;
};

/// *DATABASE_GLSTAT, ..., *DATABASE_BINARY_D3PLOT.
struct NewInterval {
  std::string keyword;     ///< "DATABASE_GLSTAT"
  double interval = 0;     ///< 0: the history ends
  std::int64_t parts = 0;  ///< NPLTC of d3plot: the interval is the end time over this, if positive
  int binary = 0;          ///< BINARY; 0: as before
  Place place;
};

struct NewCurve {
  Named curve;
  std::vector<double> x, y;
};

/// A set of elements of one kind, to be deleted.
struct NamedSet {
  model::ElementKind kind;
  Named set;
};

/// New velocities of nodes.
struct NewVelocity {
  enum class Of { all, node_set, part_set, part, node };
  Of of = Of::all;
  Named which;
  Vec3 v, w, centre;
  bool turns = false;  ///< about the axis through `centre`
};

struct NewBodyVelocity {
  Named part;
  Vec3 v, w;
};

/// A cycle count that may be changed to 0, which ends the dumps.
using NewCycles = std::optional<std::int64_t>;

/// 0, empty or without a value: stays as it is.
struct Changes {
  std::string title;
  double end_time = 0, min_step_factor = 0, end_energy_ratio = 0, end_mass = 0, step_scale = 0;
  std::int64_t end_cycle = 0;
  Place end_place, end_cycle_place;
  std::vector<NewInterval> intervals;
  NewCycles d3dump, runrsf;
  int runrsf_files = 0;
  bool no_dumps = false;            ///< none from now on
  std::optional<double> cpu_limit;  ///< 0: none
  std::vector<NewCurve> curves;
  std::vector<Named> contacts, parts;  ///< to be deleted
  std::vector<NamedSet> element_sets;
  std::vector<NewVelocity> velocities;  ///< in the order in which they act
  std::vector<NewBodyVelocity> bodies;
  bool others_rest = false;  ///< velocities of nodes that get none become zero
  /// Sets of the restart deck, by kind ("NODE", "PART", "SHELL", "SOLID", "BEAM") and number.
  std::map<std::pair<std::string, GlobalId>, std::vector<GlobalId>> sets;
};

/// Reads a deck that was read with deck_schema(). Mistakes become problems of the deck: CR-D304 for a changed
/// curve without points, CR-D310 for invalid values.
Changes read_changes(const deck::Deck& deck);

}  // namespace crumple::restart
