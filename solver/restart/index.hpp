// The index of a dump: what was run, where the streams of its ranks are, and where result files stood.
//
// It is written last, under another name first, so that a dump with an index is whole. The file is a mark,
// the version of the format, the size of what follows, the packed index (base/packing.hpp), and a checksum of
// all that.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "output/file_positions.hpp"
#include "restart/contents.hpp"

namespace crumple::restart {

/// Raised by one where an older program could not read a dump, or this one could not read an older dump.
inline constexpr std::uint32_t kFormat = 2;

/// The run that a dump is of.
struct Origin {
  std::string program, revision;    ///< that wrote the dump
  std::string deck;                 ///< its path, from the root
  std::uint64_t deck_checksum = 0;  ///< of all files of the deck
  std::string prefix;               ///< of the names of results (jobid)
  bool single_precision = false;
  bool double_files = false, vtkhdf = false, allow_unsupported = false;
  std::string isa;
  std::string units;  ///< --units
  std::int32_t ranks = 1;
};
CRUMPLE_MEMBERS(Origin, program, revision, deck, deck_checksum, prefix, single_precision, double_files,
                vtkhdf, allow_unsupported, isa, units, ranks)

/// The moment of a dump.
struct Moment {
  double time = 0;
  std::int64_t cycle = 0;
  bool relaxing = false;  ///< in dynamic relaxation, before the run

  /// Ascends from moment to moment.
  std::pair<bool, std::int64_t> order() const { return {!relaxing, cycle}; }
};
CRUMPLE_MEMBERS(Moment, time, cycle, relaxing)

/// A small deck that a restart has read.
struct DeckUsed {
  std::string path;            ///< from the root
  std::uint64_t checksum = 0;  ///< of all its files
  Moment moment;               ///< of the dump to which it was applied
};
CRUMPLE_MEMBERS(DeckUsed, path, checksum, moment)

/// `crumple run` reads the members up to the streams (crumple/restart/dumps.py).
struct Index {
  Origin origin;
  Moment moment;
  std::vector<Stream> streams;  ///< one for each rank
  output::FilePositions files;
  std::vector<DeckUsed> decks;  ///< of the restarts so far, in their order
};
CRUMPLE_MEMBERS(Index, origin, moment, streams, files, decks)

/// Writes the index under another name, passes it to the disk and renames it. @throws Error CR-O1xx
void write_index(const std::string& path, const Index& index);

/// @throws Error CR-T001 where there is none, CR-T002 if the file is no dump, CR-T003 if it is of another
/// version of the format, CR-T004 if it is damaged
Index read_index(const std::string& path);

}  // namespace crumple::restart
