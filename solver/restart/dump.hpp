// Writes the state of a run as a dump, and opens a dump for a restart.
//
// A dump `d3dump01` is an index of that name and the streams of the ranks that wrote it: d3dump01.c500.r0,
// d3dump01.c500.r1, ... (of cycle 500), or one file d3dump01.c500.all. Streams are written under another
// name, passed to the disk and renamed, then the index. So whatever ends a run, the index of a dump names
// whole streams, and a dump that is replaced stays whole until the new one is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parallel/communicator.hpp"
#include "restart/index.hpp"
#include "restart/sink.hpp"
#include "restart/state_copy.hpp"

namespace crumple::restart {

struct Written {
  std::int64_t bytes = 0;  ///< of all ranks
  double seconds = 0;
  std::string failure;  ///< the same on all ranks: why there is no dump; empty if there is one
};

/// Writes a dump. `index` has everything but the streams; on rank 0. An earlier dump of that name stays as it
/// is if this one fails. Collective.
Written write_dump(const parallel::Communicator& comm, const std::string& path, Layout layout, const Say& say,
                   Index index);
/// The same for the moment of a copy, which each rank has. `index` is of that moment. Collective.
Written write_dump(const parallel::Communicator& comm, const std::string& path, Layout layout,
                   const StateCopy& copy, Index index);

/// Reads all of a dump and compares checksums; every rank reads a part. Throws AgreedError:
/// CR-T005, CR-T006 (restart/stream_file.hpp). Collective.
void verify(const parallel::Communicator& comm, const std::string& path, const Index& index);

/// Fills the modules that `say` offers from a dump. Throws the same Error on every rank: CR-A001 to CR-A003
/// where the dump is not of such a run. Collective.
void restore(const parallel::Communicator& comm, const std::string& path, const Index& index, const Say& say);

/// Reads only what `say` offers, before it is known what else there is. Throws the same Error on every rank.
/// Collective.
void peek(const parallel::Communicator& comm, const std::string& path, const Index& index, const Say& say);

/// The folder in which a dump is: "." if its path has none.
std::string folder_of(const std::string& path);

/// A dump of a folder.
struct Found {
  std::string path;
  Index index;
};
/// Dumps of a folder with a readable index, the latest moment first. Local.
std::vector<Found> dumps_in(const std::string& folder, const std::string& prefix);
/// The latest dump that is not later than `moment`, other than `but`. Local.
std::optional<std::string> dump_before(const std::string& but, const std::string& prefix);

/// Removes a dump: its index, then its streams. Local. @throws Error CR-O104
void remove_dump(const std::string& path);
/// Removes what a killed run has left of dumps that it was writing. Local. @throws Error CR-O104
void remove_unfinished(const std::string& folder, const std::string& prefix);
/// All files of dumps in a folder, whole or not, in the order of their names. Local.
std::vector<std::string> dump_files_in(const std::string& folder, const std::string& prefix);
/// Whether a file with this name may belong to a dump: d3dump01, runrsf, d3dump01.c500.r0, ...
bool is_dump_file(std::string_view name);

}  // namespace crumple::restart
